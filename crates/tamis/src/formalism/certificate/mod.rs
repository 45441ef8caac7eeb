//! Proofs as folders: the conditions of a proof as SMT-LIB scripts, and a manifest that says what they are of.
//!
//! What is in a folder depends on the input and the proof alone: whoever reads the input, and the proof as it stands in the
//! manifest, makes the same scripts again, to the byte. What the manifest says is the formalism's.

pub mod folder;
mod formulas;
mod judge;

pub use folder::Folder;
pub use formulas::{formula_text, read_formulas};
pub use judge::{Decider, Judge, same_script};

use super::Unwritten;
use crate::hash::sha256;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use tamis_front_c::{file_bytes, file_name};

/// A file of the input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    pub name: String,
    pub sha256: String,
}

/// The files of an input and their hashes.
pub fn sources(files: &[PathBuf]) -> Result<Vec<SourceFile>, Unwritten> {
    let source = |file: &PathBuf| {
        let name = file_name(file);
        file_bytes(file).map(|bytes| SourceFile { sha256: sha256(&bytes), name }).map_err(Unwritten::from)
    };
    files.iter().map(source).collect()
}

/// A number of conditions, in words.
pub fn counted(conditions: usize) -> String {
    if conditions == 1 { "1 condition".to_owned() } else { format!("{conditions} conditions") }
}
