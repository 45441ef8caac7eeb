//! Programs from the files and options of the command line.

use crate::arguments::{InputOptions, PropertyChoice, ReadingOptions};
use crate::diagnostics;
use crate::property::{self, Property};
use crate::task::{self, Task};
use crate::verdict::ExitStatus;
use tamis_front_c::tree::Unit;
use tamis_front_c::{DataModel, Diagnostic, Error, Macro, Options, Target};
use tamis_logic::Terms;
use tamis_program::Program;

/// Why there is no program.
pub struct Refusal(Error);

/// Reads the program.
pub fn load(input: &InputOptions, options: &Options, terms: &mut Terms) -> Result<Program, Refusal> {
    tamis_front_c::load(&input.files, options, terms).map_err(Refusal)
}

/// Reads the typed tree of the program.
pub fn read(input: &InputOptions, target: Target, physical: bool) -> Result<Unit, Refusal> {
    let options = Options { target, physical, ..reading(&input.reading) };
    tamis_front_c::read(&input.files, &options).map_err(Refusal)
}

/// The properties that a choice stands for.
pub fn properties(choice: &PropertyChoice) -> Result<Vec<Property>, Refusal> {
    match choice {
        PropertyChoice::Named(property) => Ok(vec![property.clone()]),
        PropertyChoice::File(file) => property::read(file).map_err(Refusal::unreadable),
    }
}

/// Puts the files and the data model of a task definition in its place, if the input is one.
pub fn resolve(input: &mut InputOptions) -> Result<Option<Task>, Refusal> {
    let Some(file) = input.files.iter().find(|file| task::is_task(file)) else { return Ok(None) };
    if input.files.len() > 1 {
        let name = file.display().to_string();
        let message = "a task definition names its files: it is given alone";
        return Err(Refusal::unreadable(Diagnostic::about_file(name, message)));
    }
    let task = task::read(file).map_err(Refusal::unreadable)?;
    input.files = task.files.clone();
    // What the command line says counts.
    if !input.reading.lp64 && task.data_model == Some(DataModel::Ilp32) {
        input.reading.ilp32 = true;
    }
    Ok(Some(task))
}

/// How the files are read.
pub fn reading(said: &ReadingOptions) -> Options {
    let define = said.define.iter().cloned().map(Macro::Define);
    let undefine = said.undefine.iter().cloned().map(Macro::Undefine);
    Options {
        data_model: if said.ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 },
        include: said.include.clone(),
        macros: define.chain(undefine).collect(),
        before: said.before.clone(),
        target: Target::Errors,
        standard: None,
        deepened: 0,
        physical: false,
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal(error)
    }
}

impl Refusal {
    /// A file cannot be read.
    pub fn unreadable(diagnostic: Diagnostic) -> Refusal {
        Refusal(Error::Unreadable(diagnostic))
    }

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
