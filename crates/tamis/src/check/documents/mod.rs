//! The run as documents for machines.

mod json;
pub mod junit;
pub mod sarif;

use super::board::Board;
use super::report::Report;
use crate::arguments::CheckOptions;
use crate::verdict::Verdict;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// A line of a source file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Place<'a> {
    pub file: &'a str,
    pub line: u32,
}

/// Writes the documents that are asked for. That they can be written was [seen](unwritable) before the run.
pub fn write(board: &Board, reports: &[Report], verdict: &Verdict) {
    let options = &board.options;
    let save = |file: &Path, text: String| {
        if let Err(e) = std::fs::write(file, text) {
            eprintln!("error: {} cannot be written: {e}", file.display());
        }
    };
    if let Some(to) = &options.json {
        let text = json::document(board, reports, verdict) + "\n";
        match to {
            Some(file) => save(file, text),
            // A reader that has gone away has no use for it.
            None => {
                let _ = io::stdout().lock().write_all(text.as_bytes());
            }
        }
    }
    if let Some(file) = &options.sarif {
        save(file, sarif::document(board, reports));
    }
    if let Some(file) = &options.junit {
        save(file, junit::document(board, reports));
    }
}

/// The first file among those that are to be written which cannot be, and why.
pub fn unwritable(options: &CheckOptions) -> Option<String> {
    let files = [
        options.json.as_ref().and_then(|json| json.as_ref()),
        options.sarif.as_ref(),
        options.junit.as_ref(),
        options.harness.as_ref(),
        options.witness.as_ref(),
        options.vcd.as_ref(),
    ];
    files.into_iter().flatten().find_map(|file| {
        let error = crate::output::probe(file).err()?;
        Some(format!("{} cannot be written: {error}", file.display()))
    })
}
