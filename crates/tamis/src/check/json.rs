//! The run as a JSON document, for machines.

use super::board::Board;
use super::counterexample::Row;
use super::proof::Invariant;
use super::report::Report;
use super::statistics::Number;
use crate::verdict::Verdict;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

#[derive(Serialize)]
struct Document<'a> {
    tamis: &'static str,
    files: Vec<String>,
    data_model: &'static str,
    verdict: String,
    properties: Vec<Section<'a>>,
    seconds: f64,
}

#[derive(Serialize)]
struct Section<'a> {
    property: &'a str,
    /// `true`, `false` or `unknown`.
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    exit_code: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<Counterexample<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    invariants: Option<&'a [Invariant]>,
    /// Whether the proof is that every execution ends, and none in a violation.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    exhausted: bool,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    advice: &'a [String],
    statistics: BTreeMap<String, Number>,
}

#[derive(Serialize)]
struct Counterexample<'a> {
    /// Whether the C program was seen to make it.
    confirmed: bool,
    steps: &'a [Row],
}

/// Writes the document where `--json` says, as one line.
pub fn write(board: &Board, reports: &[Report], verdict: &Verdict) {
    let Some(to) = &board.options.json else { return };
    let input = &board.options.input;
    let document = Document {
        tamis: env!("CARGO_PKG_VERSION"),
        files: input.files.iter().map(|f| f.display().to_string()).collect(),
        data_model: if input.reading.ilp32 { "ILP32" } else { "LP64" },
        verdict: verdict.to_string(),
        properties: reports.iter().map(section).collect(),
        seconds: (board.start.elapsed().as_secs_f64() * 1e3).round() / 1e3,
    };
    let written = match (serde_json::to_string(&document), to) {
        (Err(e), _) => Err(std::io::Error::from(e)),
        (Ok(text), Some(file)) => std::fs::write(file, text + "\n"),
        // A reader that has gone away has no use for it.
        (Ok(text), None) => {
            let _ = writeln!(std::io::stdout().lock(), "{text}");
            Ok(())
        }
    };
    if let (Err(e), Some(file)) = (written, to) {
        eprintln!("error: {} cannot be written: {e}", file.display());
    }
}

fn section(report: &Report) -> Section<'_> {
    let (verdict, reason) = match &report.verdict {
        Verdict::True => ("true", None),
        Verdict::False(_) => ("false", None),
        Verdict::Unknown(reason) => ("unknown", Some(reason.as_str())),
    };
    Section {
        property: &report.property,
        verdict,
        reason,
        exit_code: report.status as u8,
        expected: report.expected,
        counterexample: report
            .counterexample
            .as_deref()
            .map(|steps| Counterexample { confirmed: verdict == "false", steps }),
        invariants: report.invariants.as_deref(),
        exhausted: report.exhausted,
        advice: &report.advice,
        statistics: report.numbers.rows().into_iter().map(|(name, value)| (key(name), value)).collect(),
    }
}

/// The name of a number as a key.
fn key(name: &str) -> String {
    match name {
        "memory" => "memory_mb".to_owned(),
        name => name.replace(',', "").replace(' ', "_"),
    }
}
