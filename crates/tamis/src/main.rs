//! `tamis`: a model checker for C programs, and its solver alone.

mod abstraction;
mod arguments;
mod certificate;
mod certify;
mod cfa;
mod check;
mod diagnostics;
mod hash;
mod input;
mod limits;
mod output;
mod property;
mod run;
mod run_trace;
mod single;
mod solve;
mod task;
mod verdict;
mod witness;
mod yaml;

use std::process::ExitCode;
use verdict::ExitStatus;

fn main() -> ExitCode {
    // SAFETY: no other thread runs yet.
    unsafe { tamis_diagram::use_small_worker_stacks() };
    let arguments = match arguments::Arguments::read() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are asked for, and go to stdout; everything else is a usage error.
            let _ = error.print();
            let status = if error.use_stderr() { ExitStatus::Usage } else { ExitStatus::True };
            return status.into();
        }
    };
    match arguments.command {
        arguments::Command::Abstract(options) => abstraction::run(options).into(),
        arguments::Command::Certify(options) => certify::run(options).into(),
        arguments::Command::Check(options) => check::run(options).into(),
        arguments::Command::Cfa(options) => cfa::run(options).into(),
        arguments::Command::Run(options) => run::run(options).into(),
        arguments::Command::Solve(options) => solve::run(options).into(),
    }
}
