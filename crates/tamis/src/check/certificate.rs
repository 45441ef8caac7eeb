//! `--certificate`: the proof goes to a folder.

use super::board::Board;
use super::report::Report;
use crate::arguments::CheckOptions;
use crate::formalism::certificate::folder::prepare;
use crate::formalism::{Case, Formalism, Unwritten};
use crate::limits::Limits;
use crate::refusal::one_line;
use crate::verdict::{ExitStatus, Verdict};
use std::path::{Path, PathBuf};

/// The folder of the current property's certificate, emptied before the search begins: what is found there after a run is of
/// that run. `None` if no certificate is wanted.
pub fn folder(options: &CheckOptions, board: &Board, property: &str) -> Result<Option<PathBuf>, Box<Report>> {
    let Some(folder) = &options.certificate else { return Ok(None) };
    let folder = if board.is_one_of_several() { folder.join(board.label()) } else { folder.clone() };
    match prepare(&folder) {
        Ok(()) => Ok(Some(folder)),
        Err(why) => {
            let why = format!("{}: {why}", folder.display());
            eprintln!("error: {why}");
            let why = one_line(&format!("certificate: {why}"));
            Err(Box::new(Report::unknown(property, why, ExitStatus::Unreadable)))
        }
    }
}

/// Writes the certificate. A proof that was asked for and cannot be given is no verdict.
pub fn store<F: Formalism>(
    formalism: &F,
    case: &Case<'_, F::Property>,
    report: Report,
    folder: &Path,
    proof: Option<&F::Words>,
    limits: &Limits,
) -> Report {
    let proof = proof.filter(|_| report.verdict == Verdict::True);
    let verdict = report.verdict.to_string();
    let (name, quiet) = (folder.display(), case.options.quiet);
    match formalism.write_certificate(folder, case.property, verdict, proof, case.budget) {
        Ok(what) if proof.is_some() => {
            if !quiet {
                eprintln!("certificate: {what} in {name}");
            }
            report
        }
        Ok(_) => {
            if !quiet {
                eprintln!("certificate: none, since there is no proof; {name} says so");
            }
            report
        }
        Err(why) if proof.is_none() => {
            let Unwritten::Because(why) = why else { return report };
            eprintln!("error: {name} cannot be written: {why}");
            report
        }
        Err(Unwritten::Stopped(stop)) => {
            Report::unknown(&report.property, limits.reason(stop), ExitStatus::Unknown)
        }
        Err(Unwritten::Because(why)) => {
            eprintln!("error: {name} cannot be written: {why}");
            let reason = one_line(&format!("certificate: cannot be written: {why}"));
            Report::unknown(&report.property, reason, ExitStatus::Unreadable)
        }
    }
}
