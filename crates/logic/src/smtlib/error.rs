//! What can be wrong with a script.

use std::fmt;

/// A place in a script; both numbers start at 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Position {
    /// The line.
    pub line: u64,
    /// The column, in characters.
    pub column: u64,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The sorts of things that can be wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ErrorKind {
    /// The source could not be read.
    Io,
    /// The text is not SMT-LIB.
    Syntax,
    /// The text is SMT-LIB, but about something that is not supported.
    Unsupported,
    /// An operator is given arguments that it does not take.
    Sort,
    /// A name that means nothing here.
    Undeclared,
    /// A name that already means something.
    Redeclared,
    /// `pop` of more levels than there are.
    Level,
    /// A number, a width, a nesting or a script that is larger than this reader takes.
    Limit,
}

/// An error in a script, and where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// What sort of error.
    pub kind: ErrorKind,
    /// Where.
    pub position: Position,
    /// What, for a person.
    pub message: String,
    /// The token that the reader could do nothing with, if one is to blame.
    pub token: Option<String>,
}

/// A term that can be read, but is outside of the logics that are decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undecided {
    /// Where it is.
    pub position: Position,
    /// What it is, for a person.
    pub what: &'static str,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, position: Position, message: impl Into<String>) -> Error {
        Error { kind, position, message: message.into(), token: None }
    }

    pub(crate) fn at_token(mut self, token: &str) -> Error {
        const LONGEST: usize = 40;
        let mut text: String = token.chars().take(LONGEST).collect();
        if text.len() < token.len() {
            text.push('…');
        }
        self.token = Some(text);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.position, self.message)?;
        match &self.token {
            Some(token) => write!(f, " at `{token}`"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
