//! The batch as a page to look at.

use super::baseline::Changed;
use super::job::Job;
use super::ledger::Record;
use crate::arguments::BatchOptions;
use crate::refusal::Refusal;
use std::io;
use std::path::{Path, PathBuf};

/// The folder for the pages of checks, if they are asked for.
pub fn folder(_: &BatchOptions) -> Result<Option<PathBuf>, Refusal> {
    Ok(None)
}

/// The name of a check's own page.
pub fn name(job: &Job) -> String {
    format!("{}.html", &job.key[..16])
}

/// Writes the page.
pub fn write(_: &Path, _: &[Record], _: Option<&[Changed<'_>]>) -> io::Result<()> {
    Ok(())
}
