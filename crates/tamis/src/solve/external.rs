//! `--solver`: the script goes to another solver, and its answers come back as they are.

use super::checks::contradicts;
use super::outline::take_expected_answers;
use super::output::string;
use crate::arguments::SolveOptions;
use crate::verdict::ExitStatus;
use std::io::{Read, Write};
use std::path::Path;
use tamis_solver::external::{External, ExternalAnswer, ExternalError, ExternalRun};

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
    solver.timeout = options.limits.timeout;
    solver.memory = options.limits.memory;
    solver.seed = options.seed;
    let mut script = read(&options.file)
        .map_err(|e| (format!("{}: cannot be read: {e}", options.file.display()), ExitStatus::Unreadable))?;
    let expected = take_expected_answers(&mut script);
    // A reader that has gone away has no use for the answers; the exit code still tells it.
    let mut on_output = |bytes: &[u8]| {
        let mut out = std::io::stdout().lock();
        crate::output::wrote("stdout", out.write_all(bytes).and_then(|()| out.flush()));
    };
    let run = match solver.run_with(&script, &mut on_output) {
        Ok(run) => run,
        Err(error @ (ExternalError::Timeout(_) | ExternalError::Memory(_))) => {
            println!("unknown");
            eprintln!("unknown: {error}");
            return Ok(ExitStatus::Unknown);
        }
        Err(error) => return Err((error.to_string(), ExitStatus::Internal)),
    };
    if options.stats {
        eprintln!("statistics:\n  {:<16} {:>12.3}", "seconds", run.time.as_secs_f64());
    }
    let contradicted = judge(&run, &expected)?;
    Ok(if contradicted {
        ExitStatus::Internal
    } else if !run.errors.is_empty() {
        ExitStatus::Unreadable
    } else if run.answers.contains(&ExternalAnswer::Unknown) {
        ExitStatus::Unknown
    } else {
        ExitStatus::True
    })
}

/// Compares the answers with what the script expects; whether one contradicts it. Fewer answers than checks, where the
/// solver reports no error, are an output that is not understood.
fn judge(run: &ExternalRun, expected: &[Option<String>]) -> Result<bool, (String, ExitStatus)> {
    if run.answers.len() < expected.len() && run.errors.is_empty() {
        let (checks, answers) = (expected.len(), run.answers.len());
        let last: String = run.output.trim().lines().last().unwrap_or("nothing").chars().take(200).collect();
        let message = format!(
            "the solver's output is not understood: {answers} answers to {checks} checks; last it said: {last}"
        );
        return Err((message, ExitStatus::Internal));
    }
    // Something else that looks like an answer, such as an echo: which is which cannot be said.
    if run.answers.len() > expected.len() && expected.iter().any(Option::is_some) {
        eprintln!("note: more answers than checks, so none is compared with :status");
        return Ok(false);
    }
    let mut contradicted = false;
    for (answer, expected) in std::iter::zip(&run.answers, expected) {
        let text = match answer {
            ExternalAnswer::Sat => "sat",
            ExternalAnswer::Unsat => "unsat",
            ExternalAnswer::Unknown => continue,
        };
        contradicted |= expected.as_deref().is_some_and(|expected| contradicts(text, expected));
    }
    Ok(contradicted)
}

fn read(file: &Path) -> std::io::Result<String> {
    if file == Path::new("-") {
        let mut script = String::new();
        return std::io::stdin().read_to_string(&mut script).map(|_| script);
    }
    std::fs::read_to_string(file)
}
