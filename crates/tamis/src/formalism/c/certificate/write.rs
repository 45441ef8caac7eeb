//! Writing a certificate.

use super::folder::{MANIFEST, MAX_CONDITIONS, MAX_FILE, file_name, is_condition, names};
use super::manifest::{At, Entry, ExecutionEntry, InvariantEntry, Manifest, SourceFile};
use super::rebuild::{Failure, Rebuilt, rebuild};
use super::{Proof, Subject};
use crate::arguments::InputOptions;
use crate::formalism::Unwritten;
use crate::hash::sha256;
use std::fs;
use std::path::Path;
use tamis_evidence::Place;
use tamis_program::{Location, Program};
use tamis_solver::Budget;

/// Makes an empty folder for a certificate: a new one, or one that holds nothing but an earlier certificate, which is gone
/// then. `Err` says why that cannot be.
pub fn prepare(folder: &Path) -> Result<(), String> {
    if !folder.exists() {
        return fs::create_dir_all(folder).map_err(|e| format!("cannot be made: {e}"));
    }
    let names = names(folder)?;
    for name in &names {
        let is_file = folder.join(name).symlink_metadata().is_ok_and(|data| data.is_file());
        if !is_file || (name != MANIFEST && !is_condition(name)) {
            return Err(format!("holds other things than an earlier certificate: {name}"));
        }
    }
    // The manifest goes first: a folder without it is no certificate, should this not come to its end.
    let manifest_first =
        names.iter().filter(|n| *n == MANIFEST).chain(names.iter().filter(|n| *n != MANIFEST));
    for name in manifest_first {
        fs::remove_file(folder.join(name)).map_err(|e| format!("{name}: cannot be removed: {e}"))?;
    }
    Ok(())
}

/// Writes the certificate of a proof into an empty folder, the manifest last; without a proof, a manifest that has no
/// conditions. How many conditions there are.
pub fn write(
    folder: &Path,
    input: &InputOptions,
    subject: &Subject,
    verdict: String,
    proof: Option<&Proof>,
    budget: &Budget,
) -> Result<usize, Unwritten> {
    let data_model = if input.reading.ilp32 { "ILP32" } else { "LP64" };
    let mut manifest = Manifest::new(sources(input)?, data_model, subject, verdict);
    if let Some(proof) = proof {
        let rebuilt = rebuild(input, subject, proof, budget).map_err(|failure| match failure {
            Failure::Stopped(stop) => Unwritten::Stopped(stop),
            Failure::Refused(refusal) => Unwritten::Because(refusal.reason()),
            Failure::NoProof(why) => Unwritten::Because(format!("internal error: {why}")),
        })?;
        match proof {
            Proof::Exhaustion(ways) => manifest.ways = Some(ways.clone()),
            Proof::Invariants(texts) => manifest.invariants = invariants(&rebuilt, texts),
            Proof::Execution(execution) => manifest.execution = Some(ExecutionEntry::new(execution)),
        }
        manifest.conditions = write_conditions(folder, &rebuilt, budget)?;
    }
    let text = serde_json::to_string_pretty(&manifest).map_err(|e| Unwritten::Because(e.to_string()))?;
    fs::write(folder.join(MANIFEST), text + "\n")?;
    Ok(manifest.conditions.len())
}

/// The program's files and their hashes.
fn sources(input: &InputOptions) -> Result<Vec<SourceFile>, Unwritten> {
    let source = |file: &std::path::PathBuf| {
        let name = file.display().to_string();
        fs::read(file).map(|bytes| SourceFile { sha256: sha256(&bytes), name }).map_err(Unwritten::from)
    };
    input.files.iter().map(source).collect()
}

fn invariants(rebuilt: &Rebuilt, texts: &[(usize, String)]) -> Vec<InvariantEntry> {
    let stated = rebuilt.certificate.iter().flat_map(|c| &c.invariants);
    let entry = |(i, (&(location, _), (_, text))): (usize, (&(Location, _), &(usize, String)))| {
        InvariantEntry { at: at(&rebuilt.program, location), smtlib: text.clone(), c: rebuilt.c_text(i) }
    };
    stated.zip(texts).enumerate().map(entry).collect()
}

fn write_conditions(folder: &Path, rebuilt: &Rebuilt, budget: &Budget) -> Result<Vec<Entry>, Unwritten> {
    let Rebuilt { terms, program, conditions, .. } = rebuilt;
    if conditions.len() > MAX_CONDITIONS {
        return Err(Unwritten::Because(format!("{} conditions are too many", conditions.len())));
    }
    let mut entries = Vec::with_capacity(conditions.len());
    for (i, condition) in conditions.iter().enumerate() {
        budget.check().map_err(Unwritten::Stopped)?;
        let (kind, text) = (condition.purpose.name(), condition.script(terms, program));
        let file = file_name(i + 1, kind);
        if text.len() as u64 > MAX_FILE {
            return Err(Unwritten::Because(format!("{file} would be larger than {} MB", MAX_FILE >> 20)));
        }
        fs::write(folder.join(&file), &text)?;
        entries.push(Entry {
            file,
            sha256: sha256(text.as_bytes()),
            kind: kind.to_owned(),
            from: at(program, condition.from),
            to: at(program, condition.to),
        });
    }
    Ok(entries)
}

fn at(program: &Program, location: Location) -> At {
    let Place { file, line, function } = Place::of(program, location);
    At { location: location.index(), file, line, function }
}
