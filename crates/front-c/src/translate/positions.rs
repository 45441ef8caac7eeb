//! Places in the source, for edges and for messages.

use crate::lines::Lines;
use crate::tree::Position;
use tamis_diagnostics::Error;
use tamis_program::{FileId, Source};

/// The files, as the program and the user know them.
pub(super) struct Positions<'a> {
    pub(super) lines: &'a Lines,
    pub(super) files: Vec<FileId>,
}

impl Positions<'_> {
    pub(super) fn source(&self, at: Position) -> Source {
        Source { file: self.files[at.file as usize], line: at.line, column: at.column }
    }

    pub(super) fn unsupported<T>(&self, at: Position, message: String) -> Result<T, Error> {
        Err(Error::Unsupported(self.lines.diagnostic_at(at, message)))
    }
}
