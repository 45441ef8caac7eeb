//! `certificate.json` of a design.

use super::Words;
use crate::arguments::InputOptions;
use crate::formalism::Formalism;
use crate::formalism::certificate::SourceFile;
use crate::formalism::certificate::folder::{self, MAX_CONDITIONS, is_condition};
use crate::formalism::rtl::Rtl;
use crate::formalism::rtl::property::Kind;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::PathBuf;

/// What tells a certificate from other JSON.
const FORMAT: &str = "tamis certificate";

/// The version of the format.
const VERSION: u32 = 1;

/// What a folder's conditions are of, and which they are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub format: String,
    pub version: u32,
    /// The version of Tamis that wrote it.
    pub tamis: String,
    /// `RTL`.
    pub formalism: String,
    pub files: Vec<SourceFile>,
    /// How the files were read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<PathBuf>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub define: Vec<String>,
    /// The property's name, and its place among those of its kind in the design.
    pub property: String,
    pub number: usize,
    /// Whether it is one of liveness.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub liveness: bool,
    /// The verdict; a proof there is only for `true`.
    pub verdict: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Words>,
    pub conditions: Vec<Entry>,
}

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub file: String,
    pub sha256: String,
    /// `initiation`, `consecution`, `safety`, `base`, `step` or `exhaustion`.
    pub kind: String,
}

impl Manifest {
    /// A manifest that has no proof.
    pub fn new(
        files: Vec<SourceFile>,
        input: &InputOptions,
        (property, kind): (&str, Kind),
        verdict: String,
    ) -> Manifest {
        let (number, liveness) = match kind {
            Kind::Safety(number) => (number, false),
            Kind::Liveness(number) => (number, true),
            Kind::Unchecked => (0, true),
        };
        Manifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            tamis: env!("CARGO_PKG_VERSION").to_owned(),
            formalism: Rtl::NAME.to_owned(),
            files,
            top: input.design.top.clone(),
            include: input.reading.include.clone(),
            define: input.reading.define.clone(),
            property: property.to_owned(),
            number,
            liveness,
            verdict,
            proof: None,
            conditions: Vec::new(),
        }
    }
}

impl Manifest {
    /// What the property asks.
    pub fn kind(&self) -> Kind {
        if self.liveness { Kind::Liveness(self.number) } else { Kind::Safety(self.number) }
    }
}

impl folder::Manifest for Manifest {
    type Entry = Entry;

    fn parse(text: &str) -> Result<Manifest, String> {
        let manifest: Manifest = serde_json::from_str(text).map_err(|e| e.to_string())?;
        if manifest.format != FORMAT || manifest.formalism != Rtl::NAME {
            return Err(format!("the format is not `{FORMAT}` of a hardware design"));
        }
        if manifest.version != VERSION {
            return Err(format!("version {} of the format is not known, only {VERSION}", manifest.version));
        }
        if manifest.conditions.len() > MAX_CONDITIONS {
            return Err(format!("more than {MAX_CONDITIONS} conditions"));
        }
        let mut names = HashSet::new();
        for entry in &manifest.conditions {
            if !is_condition(&entry.file) {
                return Err(format!("`{}` is no name of a condition's file", entry.file.escape_debug()));
            }
            if !names.insert(&*entry.file) {
                return Err(format!("{} is named twice", entry.file));
            }
        }
        Ok(manifest)
    }

    fn conditions(&self) -> &[Entry] {
        &self.conditions
    }

    fn file(entry: &Entry) -> (&str, &str) {
        (&entry.file, &entry.sha256)
    }
}
