//! What a check found, from the document that it left.

use crate::batch::judge::answer;
use crate::batch::ledger::Record;
use crate::check::counterexample::{Counterexample, Row, Table};
use crate::check::report::Report;
use crate::verdict::{ExitStatus, Verdict};
use serde_json::Value;

/// A report for each property; one for all if the check left no document.
pub fn reports(record: &Record) -> Vec<Report> {
    let properties = record.run.as_ref().and_then(|run| run["properties"].as_array());
    match properties {
        Some(properties) if !properties.is_empty() => properties.iter().map(report).collect(),
        _ => {
            let name = record.property.as_deref().unwrap_or("check");
            vec![Report::new(name, verdict(&record.verdict, name), status(record.exit_code))]
        }
    }
}

fn report(section: &Value) -> Report {
    let text = |key: &str| section[key].as_str().unwrap_or_default();
    let property = text("property");
    let verdict = match text("verdict") {
        "true" => Verdict::True,
        "false" => Verdict::False(property.to_owned()),
        _ => Verdict::Unknown(text("reason").to_owned()),
    };
    let exit = section["exit_code"].as_i64().and_then(|code| i32::try_from(code).ok());
    Report {
        counterexample: counterexample(section, property),
        ..Report::new(property, verdict, status(exit))
    }
}

fn counterexample(section: &Value, property: &str) -> Option<Counterexample> {
    let told = &section["counterexample"];
    if let Some(steps) = told["steps"].as_array() {
        let rows: Option<Vec<Row>> =
            steps.iter().map(|step| serde_json::from_value(step.clone()).ok()).collect();
        return rows.filter(|rows| !rows.is_empty()).map(Counterexample::Lines);
    }
    let cycles: Vec<Vec<String>> = serde_json::from_value(told["cycles"].clone()).ok()?;
    Some(Counterexample::Cycles(Table {
        file: section["location"]["file"].as_str()?.to_owned(),
        line: section["location"]["line"].as_u64()? as u32,
        violation: property.to_owned(),
        words: serde_json::from_value(told["words"].clone()).ok()?,
        cycles,
        loop_start: told["loop_start"].as_u64().map(|start| start as usize),
    }))
}

fn verdict(text: &str, property: &str) -> Verdict {
    match answer(text) {
        "true" => Verdict::True,
        "false" => Verdict::False(property.to_owned()),
        _ => {
            let inner = text.strip_prefix("unknown(").and_then(|rest| rest.strip_suffix(')'));
            Verdict::Unknown(inner.unwrap_or(text).to_owned())
        }
    }
}

fn status(exit: Option<i32>) -> ExitStatus {
    match exit {
        Some(0) => ExitStatus::True,
        Some(1) => ExitStatus::False,
        Some(3) => ExitStatus::Unknown,
        Some(4) => ExitStatus::Unreadable,
        _ => ExitStatus::Internal,
    }
}
