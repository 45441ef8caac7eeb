//! Programs from the files and options of the command line.

use crate::arguments::InputOptions;
use crate::diagnostics;
use crate::verdict::ExitStatus;
use tamis_front_c::tree::Unit;
use tamis_front_c::{DataModel, Error, Macro, Options};
use tamis_logic::Terms;
use tamis_program::Program;

/// Why there is no program.
pub struct Refusal(Error);

/// Reads the program.
pub fn load(input: &InputOptions, terms: &mut Terms) -> Result<Program, Refusal> {
    tamis_front_c::load(&input.files, &reading(input), terms).map_err(Refusal)
}

/// Reads the typed tree of the program.
pub fn read(input: &InputOptions) -> Result<Unit, Refusal> {
    tamis_front_c::read(&input.files, &reading(input)).map_err(Refusal)
}

/// How the files are read.
pub fn reading(input: &InputOptions) -> Options {
    let define = input.define.iter().cloned().map(Macro::Define);
    let undefine = input.undefine.iter().cloned().map(Macro::Undefine);
    Options {
        data_model: if input.ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 },
        include: input.include.clone(),
        macros: define.chain(undefine).collect(),
        before: input.before.clone(),
        standard: None,
        deepened: 0,
    }
}

impl Refusal {
    /// Prints the message with its place.
    pub fn print(&self) {
        match &self.0 {
            Error::Unreadable(diagnostic) => diagnostics::print("error", diagnostic),
            Error::Unsupported(diagnostic) => diagnostics::print("unsupported", diagnostic),
        }
    }

    /// The reason in a verdict.
    pub fn reason(&self) -> String {
        one_line(&match &self.0 {
            Error::Unreadable(d) => format!("input: {}", d.message),
            Error::Unsupported(d) => format!("unsupported: {}, line {}", d.message, d.line),
        })
    }

    /// How the process ends.
    pub fn status(&self) -> ExitStatus {
        match &self.0 {
            Error::Unreadable(_) => ExitStatus::Unreadable,
            Error::Unsupported(_) => ExitStatus::Unknown,
        }
    }
}

/// A reason fits on the verdict's line.
pub fn one_line(reason: &str) -> String {
    reason.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}
