//! Writing a certificate of a design.

use super::Words;
use super::manifest::{Entry, Manifest};
use super::rebuild::{Failure, rebuild};
use crate::arguments::InputOptions;
use crate::formalism::Unwritten;
use crate::formalism::certificate::folder::{self, MANIFEST};
use crate::formalism::certificate::sources;
use crate::formalism::rtl::property::Kind;
use std::path::Path;
use tamis_solver::Budget;

/// Writes the certificate of a proof into an empty folder, the manifest last; without a proof, a manifest that has no
/// conditions. How many conditions there are.
pub fn write(
    folder: &Path,
    input: &InputOptions,
    property: (&str, Kind),
    verdict: String,
    proof: Option<&Words>,
    budget: &Budget,
) -> Result<usize, Unwritten> {
    let mut manifest = Manifest::new(sources(&input.files)?, input, property, verdict);
    if let Some(words) = proof {
        let rebuilt = rebuild(input, property, words).map_err(|failure| match failure {
            Failure::Refused(refusal) => Unwritten::Because(refusal.reason()),
            Failure::NoProof(why) => Unwritten::Because(format!("internal error: {why}")),
        })?;
        let count = rebuilt.conditions.len();
        let files = folder::write_conditions(folder, count, |i| rebuilt.script(i), budget)?;
        let entry = |(i, (file, sha256)): (usize, (String, String))| Entry {
            file,
            sha256,
            kind: rebuilt.conditions[i].purpose.name().to_owned(),
        };
        manifest.conditions = files.into_iter().enumerate().map(entry).collect();
        manifest.proof = Some(words.clone());
    }
    let text = serde_json::to_string_pretty(&manifest).map_err(|e| Unwritten::Because(e.to_string()))?;
    std::fs::write(folder.join(MANIFEST), text + "\n")?;
    Ok(manifest.conditions.len())
}
