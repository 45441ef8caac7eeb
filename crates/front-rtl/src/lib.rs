//! Hardware designs as they are written, read into a [`Design`].
//!
//! [`load`] takes files and tells by their names how they are read. [`btor2`] is the word-level format of the hardware model
//! checking competitions.

pub mod btor2;
mod names;

use std::path::{Path, PathBuf};
use tamis_design::Design;
use tamis_diagnostics::{Diagnostic, Error};
use tamis_logic::Terms;

/// How files are read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The module at the top, of Verilog; the only one that no other uses if it is not given.
    pub top: Option<String>,
    /// Folders in which included files are looked for.
    pub include: Vec<PathBuf>,
    /// Macros, `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
}

/// What was read.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The design.
    pub design: Design,
    /// Liveness properties, by name, which are not checked.
    pub liveness: Vec<String>,
    /// How many fairness conditions there are, which count for liveness alone.
    pub fairness: usize,
    /// What the user is to be warned of.
    pub warnings: Vec<String>,
}

/// Whether a file is one of a design, as its name tells.
pub fn is_design(file: &Path) -> bool {
    file.extension().is_some_and(|e| ["btor", "btor2"].iter().any(|known| e.eq_ignore_ascii_case(known)))
}

/// Reads the files of a design.
///
/// # Errors
/// What cannot be read, with its place.
pub fn load(terms: &mut Terms, files: &[PathBuf], _options: &Options) -> Result<Source, Error> {
    let [file] = files else {
        return Err(Error::Unreadable(Diagnostic::about_file("", "a design is one file")));
    };
    let name = file.display().to_string();
    let text = std::fs::read(file)
        .map_err(|e| Error::Unreadable(Diagnostic::about_file(name.clone(), e.to_string())))?;
    btor2::read(terms, &name, &text)
}
