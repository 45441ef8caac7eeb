//! The batch as documents for machines, and as a page for people.

mod benchexec;
mod found;

use super::baseline::{Change, Changed};
use super::judge::Judgement;
use super::ledger::Record;
use super::page;
use super::summary::{preset, reason};
use crate::arguments::BatchOptions;
use crate::check::documents::junit::{self, Case, Kind, Trouble};
use crate::check::documents::sarif;
use crate::check::report::Report;
use crate::refusal::Refusal;
use found::reports;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// Finds out before the checks whether what is asked for can be written after them.
pub fn probe(options: &BatchOptions) -> Result<(), Refusal> {
    for file in [&options.junit, &options.sarif, &options.benchexec].into_iter().flatten() {
        crate::output::probe(file).map_err(|e| unwritable(file, &e))?;
    }
    page::folder(options).map(|_| ())
}

/// Writes what is asked for.
pub fn write(
    options: &BatchOptions,
    records: &[Record],
    before: Option<&[Record]>,
    changes: Option<&[Changed<'_>]>,
) {
    let save = |file: &Path, text: String| {
        crate::output::write(file, text);
    };
    if let Some(file) = &options.junit {
        save(file, of_junit(records, changes));
    }
    if let Some(file) = &options.sarif {
        save(file, of_sarif(records));
    }
    if let Some(file) = &options.benchexec {
        let presets: BTreeSet<&str> = records.iter().map(preset).collect();
        for preset in &presets {
            let own: Vec<&Record> = records.iter().filter(|record| self::preset(record) == *preset).collect();
            let file = crate::output::of_property(file, preset, presets.len() > 1);
            save(&file, benchexec::document(&own, preset, options));
        }
    }
    if let Some(folder) = &options.report {
        page::write(folder, title(options), records, before, changes);
    }
}

/// What the batch is called.
fn title(options: &BatchOptions) -> String {
    let given = options.tasks.iter().chain(&options.collect);
    let names: Vec<String> = given.map(|task| task.display().to_string()).collect();
    names.join(", ")
}

fn unwritable(file: &Path, error: &std::io::Error) -> Refusal {
    Refusal::usage(format!("{} cannot be written: {error}", file.display()))
}

/// A file with a result for each property that was checked, violations with their ways.
fn of_sarif(records: &[Record]) -> String {
    let found: Vec<(&str, Report)> = records
        .iter()
        .flat_map(|record| reports(record).into_iter().map(|report| (record.task.as_str(), report)))
        .collect();
    let told: Vec<(&str, &Report)> = found.iter().map(|(main, report)| (*main, report)).collect();
    sarif::merged(&told)
}

/// A suite for each suite, a test case for each check. What is as expected passes; so does, beside a baseline, what is as it
/// was, and an unknown that it has too is skipped.
fn of_junit(records: &[Record], changes: Option<&[Changed<'_>]>) -> String {
    let compared = changes.is_some();
    let changes: HashMap<&str, &Changed<'_>> =
        changes.unwrap_or_default().iter().map(|changed| (changed.now.key.as_str(), changed)).collect();
    let found: Vec<(&Record, Vec<Report>)> = records.iter().map(|record| (record, reports(record))).collect();
    let mut suites: BTreeMap<&str, (f64, Vec<Case<'_>>)> = BTreeMap::new();
    for (record, reports) in &found {
        let (seconds, cases) = suites.entry(record.suite.as_deref().unwrap_or("tamis")).or_default();
        *seconds += record.seconds;
        let trouble = trouble(record, changes.get(record.key.as_str()).copied(), compared);
        let counterexample = reports.iter().find_map(|report| report.counterexample.as_ref());
        let parts = [record.property.as_deref().unwrap_or("check"), record.preset.as_deref().unwrap_or("")];
        cases.push(Case {
            class: record.task.clone(),
            name: parts.join(" ").trim_end().to_owned(),
            seconds: record.seconds,
            counterexample: counterexample.filter(|_| trouble.is_some()),
            trouble,
        });
    }
    let suites: Vec<_> =
        suites.into_iter().map(|(name, (seconds, cases))| (name.to_owned(), seconds, cases)).collect();
    junit::text(&suites)
}

fn trouble(record: &Record, changed: Option<&Changed<'_>>, compared: bool) -> Option<Trouble> {
    let verdict = &record.verdict;
    let expected = record.expected.as_ref().map_or("", |expected| expected.text());
    let failure = |name, message: String| Some(Trouble { kind: Kind::Failure, name, message });
    match (record.judgement, changed.map(|changed| (changed.change, changed.before))) {
        (Judgement::Wrong, _) => failure("wrong", format!("{verdict}, expected {expected}")),
        (_, Some((Change::Lost, Some(before)))) => {
            failure("lost", format!("{verdict}, before {}", before.verdict))
        }
        (_, Some((Change::Slower, Some(before)))) => failure(
            "slower",
            format!(
                "{:.1} s of the processor, before {:.1} s",
                record.processor_seconds, before.processor_seconds
            ),
        ),
        (Judgement::Violated, _) => failure("violation", verdict.clone()),
        (Judgement::Right | Judgement::Proved, _) => None,
        (Judgement::Unknown, None) if compared => Some(Trouble {
            kind: Kind::Skipped,
            name: "unknown",
            message: format!("as before: {}", reason(verdict)),
        }),
        (Judgement::Unknown, _) => {
            Some(Trouble { kind: Kind::Error, name: "unknown", message: reason(verdict).to_owned() })
        }
        (Judgement::Crash | Judgement::Unreadable, _) => {
            let message = format!("{verdict}\n{}", record.messages);
            Some(Trouble { kind: Kind::Error, name: record.judgement.word(), message })
        }
    }
}
