//! `tamis`: a model checker for C programs, and its solver alone.
//!
//! [`main`] is all of it, as the command line sees it. What is checked is of a formalism: a language, with its ways to
//! read an input, to check evidence and to tell of it. `check` and its reports know no other.
//!
//! Many queries take less time than it takes to start a process, so starting is kept short. The executable is linked with
//! nothing left for the dynamic linker, where the archives of the system's libraries are there (`build.rs`). The command
//! that is asked for is parsed by itself first (`Arguments::read`). In `tamis abstract` the main thread is the watchdog, all threads share
//! one heap, and diagrams have room for few nodes until they need more (`abstraction::session`). A script may have many
//! queries, so that one process answers them all. mimalloc as the allocator was tried and takes longer: it touches more
//! pages at the start than it saves later.

#[macro_use]
mod output;

mod abstraction;
mod arguments;
mod batch;
mod certify;
mod cfa;
mod check;
mod color;
mod commands;
mod formalism;
mod harness;
mod hash;
mod interrupt;
mod limits;
mod lsp;
mod refusal;
mod run;
mod run_trace;
mod solve;
mod uri;
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
    arguments.color.choose();
    let ended = match arguments.command {
        arguments::Command::Abstract(options) => abstraction::run(options),
        arguments::Command::Batch(options) => batch::run(*options),
        arguments::Command::Certify(options) => certify::run(options),
        arguments::Command::Check(options) => check::run(options),
        arguments::Command::Cfa(options) => cfa::run(options),
        arguments::Command::Completions(options) => commands::completions(&options),
        arguments::Command::Harness(options) => harness::run(&options),
        arguments::Command::Lsp(options) => lsp::run(options),
        arguments::Command::Man(options) => commands::manual(&options),
        arguments::Command::Run(options) => run::run(options),
        arguments::Command::Solve(options) => solve::run(options),
    };
    output::status(ended).into()
}
