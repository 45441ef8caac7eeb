//! The run as documents for machines.

pub mod html;
mod json;
pub mod junit;
pub mod sarif;

use super::board::Board;
use super::report::Report;
use crate::arguments::CheckOptions;
use crate::output::{probe, same_file, write as write_file};
use crate::verdict::Verdict;
use serde::Serialize;
use std::path::Path;

/// A line of a source file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Place<'a> {
    pub file: &'a str,
    pub line: u32,
    /// Where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

impl<'a> Place<'a> {
    /// A line.
    pub fn new(file: &'a str, line: u32) -> Place<'a> {
        Place { file, line, column: None }
    }

    /// A column of a line, from 1; 0 where it is not known.
    pub fn at(file: &'a str, line: u32, column: u32) -> Place<'a> {
        Place { column: Some(column).filter(|&column| column > 0), ..Place::new(file, line) }
    }
}

/// Writes the documents that are asked for. That they can be written was [seen](unwritable) before the run.
pub fn write(board: &Board, reports: &[Report], verdict: &Verdict) {
    let options = &board.options;
    let save = |file: &Path, text: String| {
        write_file(file, text);
    };
    if let Some(to) = &options.json {
        let text = json::document(board, reports, verdict, false) + "\n";
        match to {
            Some(file) => save(file, text),
            None => print!("{text}"),
        }
    }
    if let Some(file) = &options.report {
        save(file, html::document(&json::document(board, reports, verdict, true)));
    }
    if let Some(file) = &options.sarif {
        save(file, sarif::document(board, reports));
    }
    if let Some(file) = &options.junit {
        save(file, junit::document(board, reports));
    }
}

/// The first file among those that are to be written which cannot be, and why. Those of earlier runs are gone then.
pub fn unwritable(options: &CheckOptions) -> Option<String> {
    let files = [
        options.json.as_ref().and_then(|json| json.as_ref()),
        options.sarif.as_ref(),
        options.junit.as_ref(),
        options.report.as_ref(),
        options.harness.as_ref(),
        options.witness.as_ref(),
        options.vcd.as_ref(),
        options.lcov.as_ref(),
    ];
    let files: Vec<&Path> = files.into_iter().flatten().map(|file| file.as_path()).collect();
    // Nothing is removed before all of them are known to be no input.
    let kept = options.input.files.iter().chain(&options.spec).chain(&options.input.reading.stand_in);
    for input in kept {
        if let Some(file) = files.iter().find(|file| file.exists() && same_file(file, input)) {
            return Some(format!("{} cannot be written: it is an input", file.display()));
        }
    }
    files.into_iter().find_map(|file| {
        let error = probe(file).err()?;
        Some(format!("{} cannot be written: {error}", file.display()))
    })
}
