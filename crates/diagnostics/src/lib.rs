//! What can be wrong with an input, with the place it is wrong at.

mod color;
mod print;

pub use color::{Style, painted, use_colors};
pub use print::print;

use std::fmt;

/// A message about a place in the user's files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The file, as the user or a line marker wrote it.
    pub file: String,
    /// The line, from 1; 0 where the message is about the file as a whole.
    pub line: u32,
    /// The column, from 1; 0 where it is not known.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// The text of the line, for a display with a caret.
    pub source_line: Option<String>,
}

impl Diagnostic {
    /// A message about a file as a whole.
    pub fn about_file(file: impl Into<String>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { file: file.into(), line: 0, column: 0, message: message.into(), source_line: None }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => write!(f, "{}: {}", self.file, self.message),
            (line, 0) => write!(f, "{}:{line}: {}", self.file, self.message),
            (line, column) => write!(f, "{}:{line}:{column}: {}", self.file, self.message),
        }
    }
}

/// Why an input did not become what can be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The input cannot be read: a missing or binary file, a syntax or type error.
    Unreadable(Diagnostic),
    /// What is valid and not taken yet, where it matters.
    Unsupported(Diagnostic),
}

impl Error {
    /// The message and its place.
    pub fn diagnostic(&self) -> &Diagnostic {
        match self {
            Error::Unreadable(d) | Error::Unsupported(d) => d,
        }
    }

    /// The message and its place, to be told otherwise.
    pub fn diagnostic_mut(&mut self) -> &mut Diagnostic {
        match self {
            Error::Unreadable(d) | Error::Unsupported(d) => d,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unreadable(d) => write!(f, "{d}"),
            Error::Unsupported(d) => write!(f, "{d} (unsupported)"),
        }
    }
}

impl std::error::Error for Error {}
