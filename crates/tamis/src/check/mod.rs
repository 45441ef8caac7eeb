//! `tamis check`.

mod advice;
mod board;
mod certificate;
pub mod counterexample;
mod documents;
mod iterations;
mod progress;
pub mod proof;
pub mod report;
mod session;
mod statistics;

use crate::arguments::CheckOptions;
use crate::formalism::c::C;
use crate::formalism::{Case, Formalism, Property};
use crate::verdict::{ExitStatus, Verdict};
use board::Board;
use report::Report;
use session::Session;
use std::sync::Arc;
use std::time::Instant;
use tamis_solver::Budget;

/// Stack for the run: formulas are walked without recursion, but the C parser recurses on nesting.
const STACK: usize = 512 << 20;

/// Runs the check and prints its verdict.
pub fn run(options: CheckOptions) -> ExitStatus {
    run_in::<C>(options)
}

fn run_in<F: Formalism>(mut options: CheckOptions) -> ExitStatus {
    let start = Instant::now();
    if let Some(why) = documents::unwritable(&options) {
        eprintln!("error: {why}");
        return ExitStatus::Usage;
    }
    let (formalism, wanted) = match F::open(&mut options) {
        Ok(opened) => opened,
        Err(refusal) => {
            refusal.print();
            let report = Report::refused(F::USUAL_PROPERTY, &refusal);
            return conclude(&Board::new(options, vec![], start), vec![report]);
        }
    };
    let limits = options.limits;
    // The watchdog ends what does not look at its deadline; what does can see how much time is left.
    let budget = Budget::new(limits.timeout.and_then(|time| start.checked_add(time)), None);
    let names = wanted.iter().map(|(property, expected)| (property.name().to_owned(), *expected)).collect();
    let board = Arc::new(Board::new(options.clone(), names, start));
    let watched = board.clone();
    limits.watch(start, budget.clone(), move |stop| watched.last_word(&limits.reason(stop)));
    let doing = board.clone();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        for (property, expected) in wanted {
            doing.begin(property.name());
            if let Err(stop) = budget.check() {
                let reason = limits.reason(stop);
                let report = Report::unknown(property.name(), reason, ExitStatus::Unknown);
                doing.finish(Report { expected, ..report });
                continue;
            }
            let several = doing.is_one_of_several();
            let case = Case { options: &options, property: &property, several, start, budget: &budget };
            let mut session = Session::new(formalism.clone(), case, limits, &doing);
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
