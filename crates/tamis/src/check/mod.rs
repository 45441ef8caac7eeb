//! `tamis check`.

mod advice;
mod board;
mod certificate;
pub mod counterexample;
mod documents;
mod iterations;
mod progress;
mod proof;
pub mod report;
mod session;
mod statistics;

use crate::arguments::CheckOptions;
use crate::formalism::c::input;
use crate::formalism::c::property::Property;
use crate::refusal::Refusal;
use crate::verdict::{ExitStatus, Verdict};
use board::Board;
use report::Report;
use session::Session;
use std::sync::Arc;
use std::time::Instant;
use tamis_front_c::Target;
use tamis_solver::Budget;

/// Stack for the run: formulas are walked without recursion, but the C parser recurses on nesting.
const STACK: usize = 512 << 20;

/// Runs the check and prints its verdict.
pub fn run(mut options: CheckOptions) -> ExitStatus {
    let start = Instant::now();
    if let Some(why) = documents::unwritable(&options) {
        eprintln!("error: {why}");
        return ExitStatus::Usage;
    }
    let wanted = match wanted(&mut options) {
        Ok(wanted) => wanted,
        Err(refusal) => {
            refusal.print();
            let report = Report::refused("unreach-call", &refusal);
            return conclude(&Board::new(options, vec![], start), vec![report]);
        }
    };
    let limits = options.limits;
    // The watchdog ends what does not look at its deadline; what does can see how much time is left.
    let budget = Budget::new(limits.timeout.and_then(|time| start.checked_add(time)), None);
    let board = Arc::new(Board::new(options.clone(), wanted.clone(), start));
    let watched = board.clone();
    limits.watch(start, budget.clone(), move |stop| watched.last_word(&limits.reason(stop)));
    let doing = board.clone();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        for (property, expected) in wanted {
            doing.begin(&property);
            if let Err(stop) = budget.check() {
                let reason = limits.reason(stop);
                let report = Report::unknown(property.name(), reason, ExitStatus::Unknown);
                doing.finish(Report { expected, ..report });
                continue;
            }
            let mut session = Session::new(&options, limits, budget.clone(), start, &property, &doing);
            let report = Report { expected, ..session.run() };
            doing.finish(report);
        }
    });
    let failure = match worker.map(|w| w.join()) {
        Ok(Ok(())) => None,
        // The panic's message is on stderr already.
        Ok(Err(_)) => Some("internal error: a panic; please report this program".to_owned()),
        Err(error) => Some(format!("internal error: no thread: {error}")),
    };
    let mut reports = board.take();
    reports.extend(failure.map(|why| Report::internal(&board.current(), &why)));
    conclude(&board, reports)
}

/// The properties to check, with what is expected of them.
fn wanted(options: &mut CheckOptions) -> Result<Vec<(Property, Option<bool>)>, Refusal> {
    let task = input::resolve(&mut options.input)?;
    let mut wanted = Vec::new();
    for choice in &options.property {
        wanted.extend(input::properties(choice)?.into_iter().map(|property| (property, None)));
    }
    if let Some(task) = task {
        if wanted.is_empty() {
            if !options.quiet {
                task.notes.iter().for_each(|note| eprintln!("note: {note}"));
            }
            wanted = task.properties;
        } else {
            for (property, expected) in &mut wanted {
                let same = |(known, _): &&(Property, _)| known.name() == property.name();
                *expected = task.properties.iter().find(same).and_then(|(_, expected)| *expected);
            }
        }
    }
    if wanted.is_empty() {
        wanted.push((Property::Unreachable(Target::Errors), None));
    }
    let mut distinct: Vec<(Property, Option<bool>)> = Vec::new();
    for (property, expected) in wanted {
        if !distinct.iter().any(|(known, _)| *known == property) {
            distinct.push((property, expected));
        }
    }
    Ok(distinct)
}

/// Gives the last word on all properties.
fn conclude(board: &Board, reports: Vec<Report>) -> ExitStatus {
    let (verdict, status) = report::overall(&reports);
    if Verdict::announce(&verdict, || documents::write(board, &reports, &verdict)) {
        status
    } else {
        // The watchdog is ending the process with a verdict of its own.
        ExitStatus::Unknown
    }
}
