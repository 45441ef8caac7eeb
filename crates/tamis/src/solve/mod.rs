//! `tamis solve`: SMT-LIB 2 in and out.
//!
//! Commands are answered one by one as they are read ([`session`]), on one incremental solver: levels and named
//! assertions are activation literals ([`assertions`]). No `sat` is printed whose model does not make every
//! assertion true by evaluation ([`model`]).

mod allsat;
mod assertions;
mod checks;
mod confirm;
mod cores;
mod external;
mod information;
mod model;
mod outline;
pub mod output;
mod session;
mod settings;
pub mod source;

use crate::arguments::SolveOptions;
use crate::verdict::ExitStatus;
use output::Output;
use session::Session;
use source::Source;
use std::sync::Arc;
use std::time::Instant;
use tamis_diagnostics::Diagnostic;
use tamis_solver::Budget;

/// Stack for the run. Terms are walked without recursion; this is for what the SAT solver may want.
const STACK: usize = 64 << 20;

/// Answers the script.
pub fn run(options: SolveOptions) -> ExitStatus {
    let start = Instant::now();
    if options.solver.is_some() {
        return external::run(&options);
    }
    let output = Arc::new(Output::default());
    let limits = options.limits;
    let budget = Budget::unlimited();
    let shared = output.clone();
    limits.watch_if_limited(start, budget.clone(), move |stop| shared.give_up(&limits.reason(stop)));
    let said = output.clone();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let name = options.file.display().to_string();
        match Source::open(&options.file) {
            Ok(source) => Session::new(options, limits, budget, output, start).run(source, &name),
            Err(error) => {
                let message = format!("cannot be read: {error}");
                output.error(&format!("{name}: {message}"));
                tamis_diagnostics::print("error", &Diagnostic::about_file(name, message));
                ExitStatus::Unreadable
            }
        }
    });
    let status = match worker.map(|w| w.join()) {
        Ok(Ok(status)) => status,
        // The panic's message is on stderr already.
        Ok(Err(_)) => said.internal_error("a panic; please report this script"),
        Err(error) => said.internal_error(&format!("no thread: {error}")),
    };
    said.end(status)
}
