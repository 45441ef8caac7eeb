//! Slurm without a scheduler of ours between: a folder with the checks and a job array over them.
//!
//! An element of the array does each Nth check with this executable, on a file of results of its own, which an element that is run again
//! goes on with. `--collect` puts these together.

use super::bundle;
use super::job::{Common, Job};
use super::ledger::{self, Record};
use super::outcome;
use crate::arguments::BatchOptions;
use crate::refusal::Refusal;
use crate::verdict::ExitStatus;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tamis_diagnostics::Diagnostic;

/// Larger arrays are refused by Slurm as it is delivered.
const ELEMENTS: usize = 1000;

/// Where the results of elements are.
const RESULTS: &str = "results";

/// The script, with places to be filled in.
const SCRIPT: &str = include_str!("job.sbatch");

/// Writes the folder.
pub fn emit(
    options: &BatchOptions,
    common: &Common,
    jobs: &[Job],
    executable: &Path,
) -> Result<ExitStatus, Refusal> {
    let Some(folder) = &options.into else { return Err(Refusal::usage("--emit needs --into")) };
    let fails = |e: io::Error| Refusal::usage(format!("{} cannot be written: {e}", folder.display()));
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(Refusal::usage(format!("{} is not empty", folder.display())));
    }
    fs::create_dir_all(folder.join(RESULTS)).map_err(fails)?;
    fs::create_dir_all(folder.join("logs")).map_err(fails)?;
    fs::copy(executable, folder.join("tamis")).map_err(fails)?;
    let refused = bundle::write(folder, jobs, common).map_err(fails)?;
    let mut of_refused = ledger::Ledger::open(&folder.join(RESULTS).join("refused.jsonl")).map_err(fails)?;
    for (job, refusal) in &refused {
        refusal.print();
        of_refused.add(outcome::failed(job, &refusal.reason(), refusal.status())).map_err(fails)?;
    }
    let elements = jobs.len().min(ELEMENTS);
    let script = folder.join("job.sbatch");
    fs::write(&script, filled_in(options, common, jobs.len(), elements)).map_err(fails)?;
    let (whole, script) = (absolute(folder), absolute(&script));
    let (folder, script) = (whole.display(), script.display());
    println!("{} checks in an array of {elements}:\n  sbatch --chdir={folder} {script}", jobs.len());
    println!("and when it has run:\n  tamis batch --collect {folder}");
    Ok(ExitStatus::True)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn filled_in(options: &BatchOptions, common: &Common, checks: usize, elements: usize) -> String {
    let each = checks.div_ceil(elements.max(1)) as u64;
    // A check ends a little after its limit.
    let minutes = (common.time.as_secs() + 30).saturating_mul(each).div_ceil(60) + 1;
    let memory = common.memory.unwrap_or(bundle::USUAL_MEMORY);
    // Slurm counts what is more than the limit as a reason to end the job: there is some room.
    let megabytes = memory / 1_000_000 + memory / 5_000_000 + 100;
    SCRIPT
        .replace("@ELEMENTS@", &elements.to_string())
        .replace("@LAST@", &elements.saturating_sub(1).to_string())
        .replace("@CORES@", &options.cores.to_string())
        .replace("@MEGABYTES@", &megabytes.to_string())
        .replace("@MINUTES@", &minutes.to_string())
}

/// The results that elements have left so far.
pub fn collect(folder: &Path) -> Result<Vec<Record>, Refusal> {
    let about = |path: &Path, e: io::Error| {
        Refusal::unreadable(Diagnostic::about_file(
            path.display().to_string(),
            format!("cannot be read: {e}"),
        ))
    };
    let results = folder.join(RESULTS);
    let entries = fs::read_dir(&results).map_err(|e| about(&results, e))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort();
    let mut records = Vec::new();
    for file in files {
        records.extend(ledger::read(&file).map_err(|e| about(&file, e))?);
    }
    Ok(records)
}
