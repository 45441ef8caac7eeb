//! The run as SARIF 2.1.0, the format of code scanning services.

use super::Place;
use crate::check::board::Board;
use crate::check::counterexample::Counterexample;
use crate::check::report::Report;
use crate::uri::to_uri;
use crate::verdict::{ExitStatus, Verdict};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tamis_program::ErrorPoint;

/// The document of a run.
pub fn document(board: &Board, reports: &[Report]) -> String {
    let main = board.options.input.files.first().map(|file| file.display().to_string()).unwrap_or_default();
    let of_main: Vec<(&str, &Report)> = reports.iter().map(|report| (main.as_str(), report)).collect();
    merged(&of_main)
}

/// The document of many runs: of each report the file that it is about, if it does not say a place.
pub fn merged(reports: &[(&str, &Report)]) -> String {
    let properties: BTreeSet<&str> = reports.iter().map(|(_, report)| report.property.as_str()).collect();
    let rules: Vec<Value> = properties
        .into_iter()
        .map(|property| json!({"id": property, "shortDescription": {"text": says(property)}}))
        .collect();
    let results: Vec<Value> = reports.iter().flat_map(|(main, report)| results(main, report)).collect();
    let failed =
        reports.iter().any(|(_, r)| matches!(r.status, ExitStatus::Unreadable | ExitStatus::Internal));
    let document = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "Tamis", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "invocations": [{"executionSuccessful": !failed}],
            "results": results,
        }],
    });
    format!("{document:#}\n")
}

/// What a property says.
fn says(property: &str) -> String {
    match property {
        "unreach-call" => "No execution reaches an error".to_owned(),
        "no-overflow" => "No signed computation overflows".to_owned(),
        "no-division-by-zero" => "Nothing is divided by zero".to_owned(),
        "no-shift-out-of-range" => "No shift is by less than 0 or by the width or more".to_owned(),
        "no-null-dereference" => "No null pointer is followed".to_owned(),
        other => other.to_owned(),
    }
}

/// The result of a property, or those of its checks where they have verdicts of their own.
fn results(main: &str, report: &Report) -> Vec<Value> {
    if report.checks.is_empty() {
        return vec![result(main, report)];
    }
    let each = report.checks.iter().map(|check| {
        let own = Report {
            counterexample: check.counterexample.clone(),
            ..Report::new(&report.property, check.verdict.clone(), report.status)
        };
        let mut result = result(main, &own);
        let ErrorPoint { file, line, what } = &check.point;
        result["locations"] = json!([location(Place::new(file, (*line).max(1)))]);
        if check.verdict == Verdict::True {
            let unreachable = if check.reached == Some(false) { ", and never reached" } else { "" };
            result["message"]["text"] = json!(format!("{what}: proved not to happen{unreachable}."));
        }
        result
    });
    each.collect()
}

/// A proof passes, a violation is an error, and everything else is open.
fn result(main: &str, report: &Report) -> Value {
    let (kind, level, message) = match &report.verdict {
        Verdict::True => ("pass", "none", format!("{}: proved for all executions.", report.property)),
        Verdict::False(_) => ("fail", "error", report.violation_text().unwrap_or("a violation").to_owned()),
        Verdict::Unknown(reason) => ("open", "none", format!("{}: unknown: {reason}.", report.property)),
    };
    let place = report.place().unwrap_or(Place::new(main, 1));
    let mut result = json!({
        "ruleId": report.property,
        "kind": kind,
        "level": level,
        "message": {"text": message},
        "locations": [location(place)],
    });
    if let (Verdict::False(_), Some(counterexample), Value::Object(result)) =
        (&report.verdict, &report.counterexample, &mut result)
    {
        let steps = steps(counterexample);
        result.insert("codeFlows".to_owned(), json!([{"threadFlows": [{"locations": steps}]}]));
    }
    result
}

fn location(place: Place<'_>) -> Value {
    let mut region = json!({"startLine": place.line.max(1)});
    if let Some(column) = place.column {
        region["startColumn"] = json!(column);
    }
    json!({"physicalLocation": {"artifactLocation": {"uri": to_uri(place.file)}, "region": region}})
}

fn steps(counterexample: &Counterexample) -> Vec<Value> {
    let step = |place: Place<'_>, depth: usize, text: String| {
        let mut location = location(place);
        location["message"] = json!({"text": text});
        json!({"location": location, "nestingLevel": depth})
    };
    match counterexample {
        Counterexample::Lines(rows) => {
            let place = |file, line| Place::new(file, line);
            rows.iter().map(|row| step(place(&row.file, row.line), row.depth, row.notes())).collect()
        }
        Counterexample::Cycles(_) => {
            counterexample.text().into_iter().map(|(place, depth, text)| step(place, depth, text)).collect()
        }
    }
}
