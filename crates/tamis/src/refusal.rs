//! Inputs that are not taken.

use crate::verdict::ExitStatus;
use tamis_diagnostics::{Diagnostic, Error};

/// Why there is nothing to check.
pub struct Refusal(Error);

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal(error)
    }
}

impl Refusal {
    /// A file cannot be read.
    pub fn unreadable(diagnostic: Diagnostic) -> Refusal {
        Refusal(Error::Unreadable(diagnostic))
    }

    /// Prints the message with its place.
    pub fn print(&self) {
        match &self.0 {
            Error::Unreadable(diagnostic) => tamis_diagnostics::print("error", diagnostic),
            Error::Unsupported(diagnostic) => tamis_diagnostics::print("unsupported", diagnostic),
        }
    }

    /// The reason in a verdict.
    pub fn reason(&self) -> String {
        one_line(&match &self.0 {
            Error::Unreadable(d) => format!("input: {}", d.message),
            Error::Unsupported(d) => format!("unsupported: {}, line {}", d.message, d.line),
        })
    }

    /// How the process ends.
    pub fn status(&self) -> ExitStatus {
        match &self.0 {
            Error::Unreadable(_) => ExitStatus::Unreadable,
            Error::Unsupported(_) => ExitStatus::Unknown,
        }
    }
}

/// A reason fits on the verdict's line.
pub fn one_line(reason: &str) -> String {
    reason.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}
