//! The batch as a page to look at: one file that needs no network, with links to the pages of checks beside it.

use super::baseline::Changed;
use super::job::Job;
use super::ledger::Record;
use super::summary::preset;
use crate::arguments::BatchOptions;
use crate::check::documents::html::Page;
use crate::refusal::Refusal;
use serde::Serialize;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

/// The folder beside the page for the pages of checks.
const CHECKS: &str = "checks";

/// What the page shows.
#[derive(Serialize)]
struct Data<'a> {
    title: String,
    presets: Vec<&'a str>,
    /// Whether there is a baseline.
    compared: bool,
    checks: Vec<Check<'a>>,
}

/// A check on the page.
#[derive(Serialize)]
struct Check<'a> {
    task: &'a str,
    suite: Option<&'a str>,
    property: Option<&'a str>,
    /// Its place in [`Data::presets`].
    preset: usize,
    expected: Option<&'a str>,
    verdict: &'a str,
    judgement: super::judge::Judgement,
    seconds: f64,
    processor_seconds: f64,
    memory_mb: f64,
    #[serde(skip_serializing_if = "str::is_empty")]
    messages: &'a str,
    /// Its own page.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Before<'a>>,
}

/// What it was in the baseline.
#[derive(Serialize)]
struct Before<'a> {
    verdict: &'a str,
    processor_seconds: f64,
}

/// Makes the folders that are asked for: that for the pages of checks.
pub fn folder(options: &BatchOptions) -> Result<Option<PathBuf>, Refusal> {
    let Some(report) = &options.report else { return Ok(None) };
    let folder = report.join(CHECKS);
    let fails = |e: io::Error| Refusal::usage(format!("{} cannot be written: {e}", report.display()));
    std::fs::create_dir_all(&folder).map_err(fails)?;
    std::path::absolute(folder).map(Some).map_err(fails)
}

/// The name of a check's own page.
pub fn name(job: &Job) -> String {
    of_key(&job.key)
}

fn of_key(key: &str) -> String {
    format!("{}.html", key.get(..16).unwrap_or(key))
}

/// Writes the page.
pub fn write(
    folder: &Path,
    title: String,
    records: &[Record],
    before: Option<&[Record]>,
    changes: Option<&[Changed<'_>]>,
) {
    let mut presets: Vec<&str> = Vec::new();
    let compared = changes.is_some();
    let changes: HashMap<&str, &Changed<'_>> =
        changes.unwrap_or_default().iter().map(|changed| (changed.now.key.as_str(), changed)).collect();
    let before: HashMap<_, _> =
        before.unwrap_or_default().iter().map(|record| (record.name(), record)).collect();
    let mut checks = Vec::new();
    for record in records {
        let preset = preset(record);
        let place = presets.iter().position(|known| *known == preset).unwrap_or_else(|| {
            presets.push(preset);
            presets.len() - 1
        });
        let page = format!("{CHECKS}/{}", of_key(&record.key));
        checks.push(Check {
            task: &record.task,
            suite: record.suite.as_deref(),
            property: record.property.as_deref(),
            preset: place,
            expected: record.expected.as_ref().map(|expected| expected.text()),
            verdict: &record.verdict,
            judgement: record.judgement,
            seconds: record.seconds,
            processor_seconds: record.processor_seconds,
            memory_mb: record.memory_mb,
            messages: &record.messages,
            page: folder.join(&page).is_file().then_some(page),
            change: changes.get(record.key.as_str()).map(|changed| changed.change.word()),
            before: before.get(&record.name()).map(|before| Before {
                verdict: &before.verdict,
                processor_seconds: before.processor_seconds,
            }),
        });
    }
    // Nothing in it can fail: keys are strings.
    let data = serde_json::to_string(&Data { title, presets, compared, checks }).unwrap_or_default();
    let page = Page {
        title: "Tamis: a batch",
        style: include_str!("batch.css"),
        body: include_str!("batch.html"),
        script: include_str!("batch.js"),
        data: &data,
    };
    crate::output::write(&folder.join("index.html"), page.html());
}
