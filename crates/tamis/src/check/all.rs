//! All checks of a property, and all lines of an input, each with an answer of its own.
//!
//! One search settles all checks that hold. Where it finds a violation, that check is settled, executions end there from then on, and
//! the search goes on with the rest: so there are as many searches as violated checks, and one more. Each check is
//! judged on the executions that violate none before it. What a search cannot settle is searched check by check, in the
//! time that is left.
//!
//! Lines are goals: an execution that comes to one settles all that it passes, until a search proves that there is no way to
//! those that are left.

use super::board::Board;
use super::report::{Checked, Covered, Report};
use super::session::{Reached, Session};
use crate::formalism::{Case, Formalism, Points, Property, Question};
use crate::limits::Limits;
use crate::verdict::{ExitStatus, Verdict};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;
use tamis_logic::Terms;
use tamis_program::ErrorPoint;
use tamis_solver::Budget;

/// Whether proved checks are reached is looked for so long.
const DOUBTING: Duration = Duration::from_secs(5);

/// Each check of the property, with a verdict.
pub fn checks<F: Formalism>(
    formalism: &F,
    case: Case<'_, F::Property>,
    limits: Limits,
    board: &Board,
) -> Report {
    let points = match points(formalism, &case) {
        Ok(points) => points.errors,
        Err(report) => return *report,
    };
    let mut settled: Vec<ErrorPoint> = Vec::new();
    let mut checks: Vec<Checked> = Vec::new();
    let mut base: Option<Report> = None;
    let mut keep = |report: Report| {
        let rank = |report: &Report| match report.verdict {
            Verdict::False(_) => 2,
            Verdict::Unknown(_) => 1,
            Verdict::True => 0,
        };
        if base.as_ref().is_none_or(|base| rank(base) < rank(&report)) {
            base = Some(report);
        }
    };
    loop {
        let rest: Vec<ErrorPoint> = points.iter().filter(|p| !settled.contains(p)).cloned().collect();
        if rest.is_empty() && !settled.is_empty() {
            break;
        }
        let budget = part(&case, 2);
        let question = if settled.is_empty() { Question::Whole } else { Question::Except(settled.clone()) };
        let report = once(formalism, question, Case { budget: &budget, ..case }, limits, board);
        let point = report.point.clone().or_else(|| at(&report, &rest)).filter(|p| rest.contains(p));
        match (&report.verdict, point) {
            (Verdict::True, _) => {
                checks.extend(rest.into_iter().map(proved));
                keep(report);
                break;
            }
            (_, Some(point)) if report.status != ExitStatus::Internal => {
                settled.push(point.clone());
                checks.push(of(point, &report));
                keep(report);
            }
            _ => {
                let settled_before = settled.clone();
                let count = rest.len();
                for (i, point) in rest.into_iter().enumerate() {
                    if count == 1 || case.budget.check().is_err() || report.status == ExitStatus::Internal {
                        checks.push(of(point, &report));
                        continue;
                    }
                    let budget = part(&case, count - i);
                    let question = Question::Only(point.clone(), settled_before.clone());
                    let case = Case { budget: &budget, ..case };
                    let alone = once(formalism, question, case, limits, board);
                    checks.push(of(point, &alone));
                    if alone.verdict != Verdict::True {
                        keep(alone);
                    }
                }
                // What the search as a whole found counts, unless all of its checks were proved one by one.
                let open = checks.iter().any(|check| matches!(check.verdict, Verdict::Unknown(_)));
                if open || count == 0 || matches!(report.verdict, Verdict::False(_)) {
                    keep(report);
                }
                break;
            }
        }
    }
    checks.sort_by(|a, b| a.point.cmp(&b.point));
    look_for_unreachable(formalism, case, limits, board, &mut checks);
    let base = base.unwrap_or_else(|| Report::new(case.property.name(), Verdict::True, ExitStatus::True));
    // The counterexamples are told with their checks.
    Report { checks, counterexample: None, ..base }
}

/// One search.
fn once<F: Formalism>(
    formalism: &F,
    question: Question,
    case: Case<'_, F::Property>,
    limits: Limits,
    board: &Board,
) -> Report {
    let mut options = case.options.clone();
    // A run of the program knows one violation at most.
    options.no_execution |= !matches!(question, Question::Whole);
    let case = Case { options: &options, ..case };
    Session::new(formalism.asking(question), case, limits, board).run()
}

/// A part of the time that is left.
fn part<P>(case: &Case<'_, P>, parts: usize) -> Budget {
    match case.left() {
        Some(left) => case.budget.child_with_timeout(left / parts.max(1) as u32),
        None => case.budget.child(),
    }
}

fn points<F: Formalism>(formalism: &F, case: &Case<'_, F::Property>) -> Result<Points, Box<Report>> {
    let name = case.property.name();
    if let Some(reason) = case.property.unsupported() {
        return Err(Box::new(Report::unknown(name, reason, ExitStatus::Unknown)));
    }
    formalism.points(case.property, &mut Terms::new()).map_err(|refusal| {
        refusal.print();
        Box::new(Report::refused(name, &refusal))
    })
}

/// The check at the place that a counterexample ends at, if there is one only.
fn at(report: &Report, points: &[ErrorPoint]) -> Option<ErrorPoint> {
    let place = report.violation()?;
    let mut here = points.iter().filter(|p| p.file == place.file && p.line == place.line);
    let first = here.next()?;
    here.next().is_none().then(|| first.clone())
}

fn proved(point: ErrorPoint) -> Checked {
    Checked { point, verdict: Verdict::True, reached: None, counterexample: None }
}

fn of(point: ErrorPoint, report: &Report) -> Checked {
    let violated = matches!(report.verdict, Verdict::False(_));
    Checked {
        point,
        verdict: report.verdict.clone(),
        reached: violated.then_some(true),
        counterexample: report.counterexample.clone(),
    }
}

/// Finds out which of the proved checks no execution comes to.
fn look_for_unreachable<F: Formalism>(
    formalism: &F,
    case: Case<'_, F::Property>,
    limits: Limits,
    board: &Board,
    checks: &mut [Checked],
) {
    let mut open: Vec<ErrorPoint> = checks
        .iter()
        .filter(|check| check.verdict == Verdict::True)
        .map(|check| check.point.clone())
        .collect();
    let budget = case.budget.child_with_timeout(DOUBTING.min(case.left().unwrap_or(DOUBTING)));
    let case = Case { budget: &budget, ..case };
    let mut known: BTreeMap<ErrorPoint, bool> = BTreeMap::new();
    while !open.is_empty() && budget.check().is_ok() {
        let asked = formalism.asking(Question::Reaches(open.clone()));
        match Session::new(asked, case, limits, board).reached() {
            Reached::Never => {
                known.extend(open.drain(..).map(|point| (point, false)));
            }
            Reached::By { last, all, .. } => {
                let before = open.len();
                known.extend(all.into_iter().chain(last).map(|point| (point, true)));
                open.retain(|point| !known.contains_key(point));
                if open.len() == before {
                    break;
                }
            }
            Reached::Perhaps(Some(point)) => open.retain(|other| *other != point),
            Reached::Perhaps(None) | Reached::Unknown => break,
        }
    }
    for check in checks.iter_mut().filter(|check| check.reached.is_none()) {
        check.reached = known.get(&check.point).copied();
    }
}

/// The same report, with what is known of each line.
pub fn with_cover<F: Formalism>(
    formalism: &F,
    case: Case<'_, F::Property>,
    limits: Limits,
    board: &Board,
    report: Report,
) -> Report {
    let Ok(Points { lines, .. }) = formalism.points(case.property, &mut Terms::new()) else { return report };
    // What is made up, and what the C library is told in, are no lines of the user's.
    let lines: Vec<ErrorPoint> = lines.into_iter().filter(|p| !p.file.starts_with('<')).collect();
    let mut open = lines.clone();
    let mut known: BTreeMap<(String, u32), (bool, bool)> = BTreeMap::new();
    while !open.is_empty() && case.budget.check().is_ok() {
        let asked = formalism.asking(Question::Reaches(open.clone()));
        match Session::new(asked, case, limits, board).reached() {
            Reached::Never => {
                known.extend(open.drain(..).map(|point| ((point.file, point.line), (false, false))));
            }
            Reached::By { last, all, visited } => {
                let before = open.len();
                for point in all.into_iter().chain(last) {
                    known.entry((point.file, point.line)).or_insert((true, false));
                }
                for place in visited {
                    known.insert(place, (true, true));
                }
                open.retain(|point| !known.contains_key(&(point.file.clone(), point.line)));
                if open.len() == before {
                    break;
                }
            }
            Reached::Perhaps(Some(point)) => {
                let before = open.len();
                open.retain(|other| *other != point);
                if open.len() == before {
                    break;
                }
            }
            Reached::Perhaps(None) | Reached::Unknown => break,
        }
    }
    let cover: Vec<Covered> = lines
        .into_iter()
        .map(|point| {
            let what = known.get(&(point.file.clone(), point.line)).copied();
            let (reached, replayed) = (what.map(|(reached, _)| reached), what.is_some_and(|(_, seen)| seen));
            Covered { file: point.file, line: point.line, reached, replayed }
        })
        .collect();
    if let Some(file) = &case.options.lcov {
        crate::output::write(file, lcov(&cover));
    }
    Report { cover, ..report }
}

/// The lines of each file.
fn by_file(cover: &[Covered]) -> BTreeMap<&str, Vec<&Covered>> {
    let mut files: BTreeMap<&str, Vec<&Covered>> = BTreeMap::new();
    for line in cover {
        files.entry(&line.file).or_default().push(line);
    }
    files
}

/// What is known of lines, for people.
pub fn print_cover(cover: &[Covered]) {
    for (file, lines) in by_file(cover) {
        let numbers = |wanted: Option<bool>| {
            let numbers: Vec<String> =
                lines.iter().filter(|l| l.reached == wanted).map(|l| l.line.to_string()).collect();
            numbers
        };
        let (reached, never, unknown) = (numbers(Some(true)), numbers(Some(false)), numbers(None));
        eprintln!("cover: {file}: {} of {} lines are reached", reached.len(), lines.len());
        if !never.is_empty() {
            eprintln!("  never reached: {}", never.join(", "));
        }
        if !unknown.is_empty() {
            eprintln!("  not known: {}", unknown.join(", "));
        }
    }
}

/// In the format of lcov: a line that is not known to be reached has no hits.
fn lcov(cover: &[Covered]) -> String {
    let mut text = String::new();
    for (file, lines) in by_file(cover) {
        let _ = writeln!(text, "TN:tamis\nSF:{file}");
        for line in &lines {
            let _ = writeln!(text, "DA:{},{}", line.line, u8::from(line.reached == Some(true)));
        }
        let hit = lines.iter().filter(|line| line.reached == Some(true)).count();
        let _ = writeln!(text, "LF:{}\nLH:{hit}\nend_of_record", lines.len());
    }
    text
}
