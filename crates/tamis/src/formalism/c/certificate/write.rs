//! Writing a certificate.

use super::manifest::{At, Entry, ExecutionEntry, InductionEntry, InvariantEntry, Manifest};
use super::rebuild::{Failure, Rebuilt, rebuild};
use super::{Proof, Subject};
use crate::arguments::InputOptions;
use crate::formalism::Unwritten;
use crate::formalism::certificate::folder::{self, MANIFEST};
use crate::formalism::certificate::sources;
use std::fs;
use std::path::Path;
use tamis_evidence::{Condition, Place};
use tamis_program::{Location, Program};
use tamis_solver::Budget;

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
    let mut manifest = Manifest::new(sources(&input.files)?, data_model, subject, verdict);
    manifest.malloc_may_fail = input.reading.malloc_may_fail;
    if let Some(proof) = proof {
        let rebuilt = rebuild(input, subject, proof, budget).map_err(|failure| match failure {
            Failure::Stopped(stop) => Unwritten::Stopped(stop),
            Failure::Refused(refusal) => Unwritten::Because(refusal.reason()),
            Failure::NoProof(why) => Unwritten::Because(format!("internal error: {why}")),
        })?;
        match proof {
            Proof::Exhaustion(proof) => manifest.exhaustion = Some(proof.into()),
            Proof::Invariants(texts) => manifest.invariants = invariants(&rebuilt, texts),
            Proof::KInduction { k, simple_path, facts } => {
                manifest.induction = Some(InductionEntry { k: *k, simple_path: *simple_path });
                manifest.invariants = invariants(&rebuilt, facts);
            }
            Proof::Execution(execution) => manifest.execution = Some(ExecutionEntry::new(execution)),
        }
        manifest.conditions = write_conditions(folder, &rebuilt, budget)?;
    }
    let text = serde_json::to_string_pretty(&manifest).map_err(|e| Unwritten::Because(e.to_string()))?;
    fs::write(folder.join(MANIFEST), text + "\n")?;
    Ok(manifest.conditions.len())
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
    let script = |i: usize| (conditions[i].purpose.name(), conditions[i].script(terms, program));
    let files = folder::write_conditions(folder, conditions.len(), script, budget)?;
    let entry = |((file, sha256), condition): ((String, String), &Condition)| Entry {
        file,
        sha256,
        kind: condition.purpose.name().to_owned(),
        from: at(program, condition.from),
        to: at(program, condition.to),
    };
    Ok(std::iter::zip(files, conditions).map(entry).collect())
}

fn at(program: &Program, location: Location) -> At {
    let Place { file, line, function } = Place::of(program, location);
    At { location: location.index(), file, line, function }
}
