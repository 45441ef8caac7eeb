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
use crate::limits::Limits;
use crate::verdict::ExitStatus;
use report::Report;
use std::sync::Arc;
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
    let shared = report.clone();
    // Engines that are compared have the time one after the other.
    let watched = if options.all_engines { Limits { timeout: None, ..limits } } else { limits };
    watched.watch(start, budget.clone(), move |stop| shared.give_up(&limits.reason(stop)));
    let said = report.clone();
    let worker =
        std::thread::Builder::new().stack_size(STACK).spawn(move || match options.extract.is_empty() {
            true => session::Session::new(options, limits, budget, report).run(),
            false => extract::run(&options),
        });
    let status = match worker.map(|w| w.join()) {
        Ok(Ok(status)) => status,
        // The panic's message is on stderr already.
        Ok(Err(_)) => said.internal_error("a panic; please report this query"),
        Err(error) => said.internal_error(&format!("no thread: {error}")),
    };
    said.end(status)
}
