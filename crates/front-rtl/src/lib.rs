//! Hardware designs as they are written, read into a [`Design`].
//!
//! [`load`] takes files and tells by their names how they are read. [`btor2`] is the word-level format of the hardware model
//! checking competitions, [`aiger`] the bit-level one; [`verilog`] is what people write.

pub mod aiger;
pub mod btor2;
mod file_list;
mod names;
pub mod verilog;

pub use file_list::{FileList, file_list};

use std::path::{Path, PathBuf};
use std::time::Instant;
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
    /// The executable of Yosys, which reads Verilog; the one in the path if none is given.
    pub yosys: Option<PathBuf>,
    /// When reading is given up. What reads for us, as Yosys does, is ended then.
    pub deadline: Option<Instant>,
}

/// What was read.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The design.
    pub design: Design,
    /// Liveness properties of Verilog, by name, which are not checked.
    pub liveness: Vec<String>,
    /// Properties that are not taken, which are not checked.
    pub unchecked: Vec<Unchecked>,
    /// How many fairness conditions Verilog has, which count for liveness alone.
    pub fairness: usize,
    /// What the user is to be warned of.
    pub warnings: Vec<String>,
}

/// A property that is not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unchecked {
    /// Its name.
    pub name: String,
    /// Why, with the place.
    pub why: String,
}

/// The formats, as the names of files tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Aiger,
    Btor2,
    Verilog,
}

fn format(file: &Path) -> Option<Format> {
    match file.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "aig" | "aag" => Some(Format::Aiger),
        "btor" | "btor2" => Some(Format::Btor2),
        "v" | "sv" | "vh" | "svh" => Some(Format::Verilog),
        _ => None,
    }
}

/// Whether a file is one of a design, as its name tells.
pub fn is_design(file: &Path) -> bool {
    format(file).is_some()
}

/// Reads the files of a design.
///
/// # Errors
/// What cannot be read, with its place.
pub fn load(terms: &mut Terms, files: &[PathBuf], options: &Options) -> Result<Source, Error> {
    let unreadable = |file: &Path, message: String| {
        Error::Unreadable(Diagnostic::about_file(file.display().to_string(), message))
    };
    let Some(first) = files.first() else {
        return Err(unreadable(Path::new(""), "a design has at least one file".to_owned()));
    };
    let Some(format) = format(first) else {
        return Err(unreadable(first, "the name does not tell what kind of design this is".to_owned()));
    };
    if let Some(other) = files.iter().find(|f| self::format(f) != Some(format)) {
        return Err(unreadable(other, format!("the file is of another kind than {}", first.display())));
    }
    if format == Format::Verilog {
        return verilog::read(terms, files, options);
    }
    if let Some(second) = files.get(1) {
        return Err(unreadable(second, "a design of this kind is one file".to_owned()));
    }
    let text = std::fs::read(first).map_err(|e| unreadable(first, e.to_string()))?;
    let name = first.display().to_string();
    match format {
        Format::Aiger => aiger::read(terms, &name, &text),
        Format::Btor2 | Format::Verilog => btor2::read(terms, &name, &text),
    }
}
