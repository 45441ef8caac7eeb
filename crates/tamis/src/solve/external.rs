//! `--solver`: the script goes to another solver, and its answers come back as they are.

use super::output::string;
use crate::arguments::SolveOptions;
use crate::verdict::ExitStatus;
use std::io::{Read, Write};
use std::path::Path;
use tamis_solver::external::{External, ExternalAnswer, ExternalError};

/// Has the script answered by the solver in the options.
pub fn run(options: &SolveOptions) -> ExitStatus {
    match answer(options) {
        Ok(status) => status,
        Err((message, status)) => {
            println!("(error {})", string(&message));
            eprintln!("error: {message}");
            status
        }
    }
}

fn answer(options: &SolveOptions) -> Result<ExitStatus, (String, ExitStatus)> {
    let name = options.solver.as_deref().unwrap_or_default();
    let mut solver = External::find(name).map_err(|e| (e.to_string(), ExitStatus::Usage))?;
    solver.timeout = options.timeout;
    solver.memory = options.memory;
    let mut script = options.seed.map(|n| format!("(set-option :random-seed {n})\n")).unwrap_or_default();
    read(&options.file, &mut script)
        .map_err(|e| (format!("{}: cannot be read: {e}", options.file.display()), ExitStatus::Unreadable))?;
    let run = match solver.run(&script) {
        Ok(run) => run,
        Err(error @ (ExternalError::Timeout(_) | ExternalError::Memory(_))) => {
            println!("unknown");
            eprintln!("unknown: {error}");
            return Ok(ExitStatus::Unknown);
        }
        Err(error) => return Err((error.to_string(), ExitStatus::Internal)),
    };
    let mut out = std::io::stdout().lock();
    // A reader that has gone away has no use for the answers; the exit code still tells it.
    let _ = out.write_all(run.output.as_bytes()).and_then(|()| out.flush());
    if options.stats {
        eprintln!("statistics:\n  {:<16} {:>12.3}", "seconds", run.time.as_secs_f64());
    }
    Ok(if !run.errors.is_empty() {
        ExitStatus::Unreadable
    } else if run.answers.contains(&ExternalAnswer::Unknown) {
        ExitStatus::Unknown
    } else {
        ExitStatus::True
    })
}

fn read(file: &Path, script: &mut String) -> std::io::Result<()> {
    if file == Path::new("-") {
        return std::io::stdin().read_to_string(script).map(drop);
    }
    script.push_str(&std::fs::read_to_string(file)?);
    Ok(())
}
