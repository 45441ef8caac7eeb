//! Inputs that are not taken.

use crate::verdict::ExitStatus;
use tamis_diagnostics::{Diagnostic, Error};

/// Why there is nothing to check.
pub enum Refusal {
    /// The input is not taken.
    Input(Error),
    /// The command line is wrong.
    Usage(String),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Input(error)
    }
}

impl Refusal {
    /// A file cannot be read.
    pub fn unreadable(diagnostic: Diagnostic) -> Refusal {
        Refusal::Input(Error::Unreadable(diagnostic))
    }

    /// The command line is wrong.
    pub fn usage(why: impl Into<String>) -> Refusal {
        Refusal::Usage(why.into())
    }

    /// Prints the message with its place.
    pub fn print(&self) {
        match self {
            Refusal::Input(Error::Unreadable(d)) => tamis_diagnostics::print("error", d),
            Refusal::Input(Error::Unsupported(d)) => tamis_diagnostics::print("unsupported", d),
            Refusal::Usage(why) => eprintln!("error: {why}"),
        }
    }

    /// The reason in a verdict.
    pub fn reason(&self) -> String {
        one_line(&match self {
            Refusal::Input(Error::Unreadable(d)) if d.line == 0 && !d.file.is_empty() => {
                format!("input: {}: {}", d.file, d.message)
            }
            Refusal::Input(Error::Unreadable(d)) => format!("input: {}", d.message),
            Refusal::Input(Error::Unsupported(d)) if d.line == 0 => format!("unsupported: {}", d.message),
            Refusal::Input(Error::Unsupported(d)) => {
                format!("unsupported: {}, line {}", d.message, d.line)
            }
            Refusal::Usage(why) => format!("usage: {why}"),
        })
    }

    /// The file, line and column at which the input is refused, if it is at some line.
    pub fn place(&self) -> Option<(String, u32, u32)> {
        match self {
            Refusal::Input(error) if error.diagnostic().line > 0 => {
                let d = error.diagnostic();
                Some((d.file.clone(), d.line, d.column))
            }
            _ => None,
        }
    }

    /// How the process ends.
    pub fn status(&self) -> ExitStatus {
        match self {
            Refusal::Input(Error::Unreadable(_)) => ExitStatus::Unreadable,
            Refusal::Input(Error::Unsupported(_)) => ExitStatus::Unknown,
            Refusal::Usage(_) => ExitStatus::Usage,
        }
    }
}

/// A reason fits on the verdict's line.
pub fn one_line(reason: &str) -> String {
    reason.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}
