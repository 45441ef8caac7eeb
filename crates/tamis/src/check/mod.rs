//! `tamis check`.

mod advice;
mod all;
mod board;
mod certificate;
mod compose;
pub mod counterexample;
pub mod documents;
mod iterations;
mod progress;
pub mod proof;
pub mod report;
pub mod scene;
mod session;
mod statistics;

use crate::arguments::{CheckOptions, parse_preset};
use crate::formalism::c::C;
use crate::formalism::rtl::{self, Rtl};
use crate::formalism::{Case, Formalism, Next, Property};
use crate::interrupt;
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::verdict::{ExitStatus, Verdict};
use board::Board;
use report::Report;
use session::Session;
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use tamis_cegar::Search;
use tamis_solver::Budget;

/// Stack for the run: formulas are walked without recursion, but the C parser recurses on nesting.
const STACK: usize = 512 << 20;

/// Runs the check and prints its verdict. The names of the files tell the formalism.
pub fn run(options: CheckOptions) -> ExitStatus {
    match rtl::is_design(&options.input) {
        Ok(true) => run_in::<Rtl>(options),
        Ok(false) if compose::is_system(&options.input.files) => compose::run(options),
        Ok(false) => run_in::<C>(options),
        Err(refusal) => {
            refusal.print();
            refusal.status()
        }
    }
}

/// What a run is about.
struct Subject {
    formalism: &'static str,
    /// The property that is told of where there is no other.
    property: &'static str,
}

/// What the parts of a run share.
struct Running<'a> {
    board: &'a OnceLock<Board>,
    budget: &'a Budget,
    limits: Limits,
    start: Instant,
}

fn run_in<F: Formalism>(options: CheckOptions) -> ExitStatus {
    let subject = Subject { formalism: F::NAME, property: F::USUAL_PROPERTY };
    framed(subject, options, check::<F>)
}

/// Runs a check within its limits, and gives the last word whatever happens.
fn framed(
    subject: Subject,
    options: CheckOptions,
    check: fn(CheckOptions, &Running<'_>) -> Result<(), Refusal>,
) -> ExitStatus {
    let start = Instant::now();
    if let Some(why) = documents::unwritable(&options) {
        eprintln!("error: {why}");
        return ExitStatus::Usage;
    }
    let limits = options.limits;
    // The watchdog ends what does not look at its deadline; what does can see how much time is left.
    let budget = Budget::new(limits.timeout.and_then(|time| start.checked_add(time)), None);
    let board: Arc<OnceLock<Board>> = Arc::default();
    let watched = board.clone();
    limits.watch(start, budget.clone(), move |stop| match watched.get() {
        Some(board) => board.last_word(&limits.reason(stop)),
        // The input is not even opened.
        None => Verdict::Unknown(limits.reason(stop)).announce(|| {}),
    });
    let (known, given) = (board.clone(), options.clone());
    let worker = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || check(options, &Running { board: &known, budget: &budget, limits, start }));
    let property = || board.get().map_or(subject.property.to_owned(), Board::current);
    let failure = match worker.map(|w| w.join()) {
        Ok(Ok(Ok(()))) => None,
        // The preprocessor hears the signal too.
        Ok(Ok(Err(_))) if interrupt::asked() => Some(Report::interrupted(subject.property)),
        Ok(Ok(Err(refusal))) => {
            let refusal: Refusal = refusal;
            refusal.print();
            if let Refusal::Usage(_) = refusal {
                return refusal.status();
            }
            Some(Report::refused(subject.property, &refusal))
        }
        // The panic's message is on stderr already.
        Ok(Err(_)) => {
            Some(Report::internal(&property(), "internal error: a panic; please report this input"))
        }
        Err(error) => Some(Report::internal(&property(), &format!("internal error: no thread: {error}"))),
    };
    let board = board.get_or_init(|| Board::new(subject.formalism, given, vec![], start));
    let mut reports = board.take();
    reports.extend(failure);
    conclude(board, reports)
}

/// Checks each property of an input.
fn check<F: Formalism>(mut options: CheckOptions, running: &Running<'_>) -> Result<(), Refusal> {
    let &Running { budget, limits, start, .. } = running;
    let (formalism, wanted) = F::open(&mut options)?;
    let usual = || parse_preset(F::USUAL_PRESET).map_err(Refusal::usage);
    let mut preset = options.preset.take().map_or_else(usual, Ok)?;
    if let Some(rounds) = options.unwind {
        preset.strategy.searches = vec![Search::Unwind];
        preset.strategy.rounds = Some(rounds.get());
    }
    let named = |(property, expected): &(F::Property, _)| (property.name().to_owned(), *expected);
    let names = wanted.iter().map(named).collect();
    let doing = running.board.get_or_init(|| Board::new(F::NAME, options.clone(), names, start));
    remove_old(&options, &wanted);
    let count = wanted.len();
    for (place, (property, expected)) in wanted.into_iter().enumerate() {
        doing.begin(property.name());
        if let Err(stop) = budget.check() {
            let reason = limits.reason(stop);
            let report = Report::unknown(property.name(), reason, ExitStatus::Unknown);
            doing.finish(Report { expected, ..report });
            continue;
        }
        let several = doing.is_one_of_several();
        let share = share(&limits, start, budget, count - place);
        let mut property = property;
        // Whether counterexamples to one strategy after the other are compared.
        let mut compares = false;
        let report = loop {
            let case = Case {
                options: &options,
                property: &property,
                preset: &preset,
                several,
                start,
                budget: &share,
            };
            let mut report = if options.all {
                all::checks(&formalism, case, limits, doing)
            } else {
                Session::new(formalism.clone(), case, limits, doing).run()
            };
            if compares && matches!(report.verdict, Verdict::False(_)) {
                // Which search came first is chance, and so are the inputs that it chose. One search alone chooses the same ones
                // each time, and its counterexamples are shortest.
                let mut alone = preset.clone();
                alone.strategy.searches = vec![Search::Bounded];
                alone.strategy.many_rounds = false;
                let case = Case { preset: &alone, ..case };
                let again = Session::new(formalism.clone(), case, limits, doing).run();
                if matches!(again.verdict, Verdict::False(_)) {
                    report = again;
                }
            }
            match property.after(&report) {
                Next::Done => break report,
                Next::Try(next) if share.check().is_ok() => {
                    property = next;
                    compares = true;
                }
                Next::Try(_) => break report,
                Next::Confirmed(why) => {
                    report.warnings.push(why);
                    break report;
                }
                Next::GiveUp(why) => break Report::unknown(property.name(), why, ExitStatus::Unknown),
            }
        };
        let case =
            Case { options: &options, property: &property, preset: &preset, several, start, budget: &share };
        let report = match place {
            0 if options.cover => all::with_cover(&formalism, case, limits, doing, report),
            _ => report,
        };
        doing.finish(Report { expected, ..report });
    }
    Ok(())
}

/// What an earlier run has left in the files that each of several properties has is not to be taken for this one's.
fn remove_old<P: Property>(options: &CheckOptions, wanted: &[(P, Option<bool>)]) {
    for (property, _) in wanted.iter().filter(|_| wanted.len() > 1) {
        for file in [&options.witness, &options.vcd].into_iter().flatten() {
            crate::output::remove_old(&crate::output::of_property(file, property.name(), true));
        }
    }
}

/// What one of the properties that are left may use: of the time an equal part, so that one that takes long leaves something to
/// the others. What it does not need is divided among them.
fn share(limits: &Limits, start: Instant, budget: &Budget, left: usize) -> Budget {
    match limits.timeout {
        Some(time) if left > 1 => {
            budget.child_with_timeout(time.saturating_sub(start.elapsed()) / left as u32)
        }
        _ => budget.child(),
    }
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
