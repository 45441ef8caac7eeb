//! `tamis abstract`: predicate abstraction queries by themselves.
//!
//! A script is read ([`script`]), an engine or each of them solves the query ([`session`]), and the answer is printed as
//! prime implicants ([`answer`], [`report`]).

mod answer;
mod extract;
mod report;
mod script;
mod session;

use crate::arguments::AbstractOptions;
use crate::limits::{Limits, use_one_heap};
use crate::verdict::ExitStatus;
use report::Report;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::time::Instant;
use tamis_solver::Budget;

/// Stack for the run, as `solve` has it.
const STACK: usize = 64 << 20;

/// Answers the query, or extracts some.
pub fn run(options: AbstractOptions) -> ExitStatus {
    let start = Instant::now();
    if let Err(option) = options.asked() {
        eprintln!("error: {option} has no meaning for this engine");
        return ExitStatus::Usage;
    }
    if let Some(Some(file)) = &options.json
        && let Err(e) = crate::output::probe(file)
    {
        eprintln!("error: {} cannot be written: {e}", file.display());
        return ExitStatus::Usage;
    }
    let report = Arc::new(Report::new(&options, start));
    let limits = options.limits;
    let budget = Budget::unlimited();
    // Engines that are compared have the time one after the other.
    let watched = if options.all_engines { Limits { timeout: None, ..limits } } else { limits };
    if !options.races() {
        use_one_heap();
    }
    let said = report.clone();
    let run = budget.clone();
    let ended = Arc::new(AtomicBool::new(false));
    let told = Told { ended: ended.clone(), watchdog: std::thread::current() };
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let _told = told;
        match options.extract.is_empty() {
            true => session::Session::new(options, limits, run, report).run(),
            false => extract::run(&options),
        }
    });
    if worker.is_ok() {
        watched.watch_here(start, &budget, |stop| said.give_up(&limits.reason(stop)), || ended.load(Acquire));
    }
    let status = match worker.map(|w| w.join()) {
        Ok(Ok(status)) => status,
        // The panic's message is on stderr already.
        Ok(Err(_)) => said.internal_error("a panic; please report this query"),
        Err(error) => said.internal_error(&format!("no thread: {error}")),
    };
    said.end(status)
}

/// Tells the watchdog that the run has ended, also by a panic.
struct Told {
    ended: Arc<AtomicBool>,
    watchdog: std::thread::Thread,
}

impl Drop for Told {
    fn drop(&mut self) {
        self.ended.store(true, Release);
        self.watchdog.unpark();
    }
}
