//! `tamis`: a model checker for C programs, and its solver alone.
//!
//! [`main`] is all of it, as the command line sees it. What is checked is of a formalism: a language, with its ways to
//! read an input, to check evidence and to tell of it. `check` and its reports know no other.

mod abstraction;
mod arguments;
mod certificate;
mod certify;
mod cfa;
mod check;
mod formalism;
mod hash;
mod limits;
mod output;
mod refusal;
mod run;
mod run_trace;
mod solve;
mod verdict;
mod yaml;

use std::process::ExitCode;
use verdict::ExitStatus;

/// Does what the arguments of this process ask for.
pub fn main() -> ExitCode {
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
