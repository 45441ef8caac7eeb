//! The text of the files that a run is about.

use crate::arguments::InputOptions;
use crate::check::counterexample::{Counterexample, Sources};
use crate::check::report::Report;
use crate::hash::sha256;
use serde::Serialize;
use std::collections::BTreeMap;

/// A file of the input, or one that it names.
#[derive(Serialize)]
pub struct Source {
    file: String,
    /// The hash of its bytes, where it could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    /// Its text, with a mark for what is no UTF-8.
    text: String,
    /// Whether the text is put together from what else is known of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
}

/// Larger files are left out, in bytes.
const LARGEST: usize = 16 << 20;

/// The files: those that something is said about, the first of the input first, and the rest of the input.
pub fn sources(input: &InputOptions, reports: &[Report]) -> Vec<Source> {
    let mut names: Vec<String> = Vec::new();
    // Of a file that cannot be read, the lines that are known.
    let mut known: BTreeMap<String, BTreeMap<u32, String>> = BTreeMap::new();
    let given: Vec<String> = input.files.iter().map(|file| file.display().to_string()).collect();
    let mut add = |name: &str| {
        if !name.is_empty() && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    };
    given.iter().for_each(|name| add(name));
    for report in reports {
        let own = report.counterexample.iter();
        for counterexample in
            own.chain(report.checks.iter().filter_map(|check| check.counterexample.as_ref()))
        {
            match counterexample {
                Counterexample::Lines(rows) => {
                    for row in rows {
                        add(&row.file);
                        let lines = known.entry(row.file.clone()).or_default();
                        lines.entry(row.line).or_insert_with(|| row.source.clone());
                    }
                }
                Counterexample::Cycles(table) => add(&table.file),
            }
        }
        report.proof.iter().filter_map(|proof| proof.invariants()).flatten().for_each(|i| add(&i.file));
        report.checks.iter().for_each(|check| add(&check.point.file));
        report.cover.iter().for_each(|line| add(&line.file));
        report.scene.checks.iter().for_each(|spot| add(&spot.file));
    }
    let mut markers = Sources::new(&input.files);
    let source = |file: String| match std::fs::read(&file) {
        Ok(bytes) => {
            let sha256 = Some(sha256(&bytes));
            let text = match bytes.len() {
                0..=LARGEST => String::from_utf8_lossy(&bytes).into_owned(),
                size => format!("({size} bytes: too large to be shown)"),
            };
            Source { file, sha256, text, partial: false }
        }
        Err(_) => {
            let mut lines = markers.marked(&file);
            for (line, text) in known.remove(&file).unwrap_or_default() {
                lines.entry(line).or_insert(text);
            }
            Source { text: put_together(&lines), file, sha256: None, partial: true }
        }
    };
    let mut found: Vec<Source> = names.into_iter().map(source).collect();
    // Preprocessed files that all is said about in the words of others come after these.
    found.sort_by_key(|source| given.contains(&source.file) && !is_spoken_of(&source.file, reports));
    found
}

/// Whether something is said about lines of a file.
fn is_spoken_of(file: &str, reports: &[Report]) -> bool {
    reports.iter().any(|report| {
        report.violation().is_some_and(|place| place.file == file)
            || report.scene.checks.iter().any(|spot| spot.file == file)
            || report.proof.iter().filter_map(|proof| proof.invariants()).flatten().any(|i| i.file == file)
    })
}

/// No text has more lines than this that is put together from a few.
const MOST_LINES: u32 = 1_000_000;

fn put_together(lines: &BTreeMap<u32, String>) -> String {
    let mut text = String::new();
    let mut next = 1;
    for (&line, content) in lines.range(1..MOST_LINES) {
        (next..line).for_each(|_| text.push('\n'));
        text.push_str(content);
        text.push('\n');
        next = line + 1;
    }
    text
}
