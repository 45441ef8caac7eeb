//! Programs from the files and options of the command line.

use crate::arguments::{CheckOptions, InputOptions, PropertyChoice, ReadingOptions};
use crate::formalism::c::property::{self, Property};
use crate::formalism::c::task::{self, Task};
use crate::refusal::Refusal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tamis_diagnostics::{Diagnostic, Error};
use tamis_front_c::tree::Unit;
use tamis_front_c::{Contracts, DataModel, Macro, Options, Refinement, Target, Volatile, Weaving};
use tamis_logic::Terms;
use tamis_program::Program;
use tamis_specification::{library, machines, simulations};

/// Reads the program.
pub fn load(input: &InputOptions, options: &Options, terms: &mut Terms) -> Result<Program, Refusal> {
    tamis_front_c::load(&input.files, options, terms).map_err(Refusal::from)
}

/// Reads the typed tree of the program.
pub fn read(input: &InputOptions, property: &Property, physical: bool) -> Result<Unit, Refusal> {
    let options = Options { physical, ..property.reading(reading(&input.reading)) };
    tamis_front_c::read(&input.files, &options).map_err(Refusal::from)
}

/// Reads each function of some files by itself: its name, the function as a program if it is taken, and that program's terms.
pub fn functions(
    files: &[PathBuf],
    said: &ReadingOptions,
    max_edges: usize,
    take: impl FnMut(&str, Result<Program, Error>, Terms) + Send,
) -> Result<(), Refusal> {
    tamis_front_c::load_functions(files, &reading(said), max_edges, take).map_err(Refusal::from)
}

/// The name of all properties that a careful engineer would ask for.
const ALL: &str = "all";

/// The properties that a choice stands for.
pub fn properties(choice: &PropertyChoice) -> Result<Vec<Property>, Refusal> {
    match choice {
        PropertyChoice::Named(name) if name == ALL => Ok(Property::all()),
        PropertyChoice::Named(name) => match Property::named(name) {
            Some(property) => Ok(vec![property]),
            None => {
                let names: Vec<&str> = Property::names().collect();
                let names = names.join(", ");
                Err(Refusal::usage(format!(
                    "{name}: no such property; there are {names}, {ALL}, or the name of a .prp file"
                )))
            }
        },
        PropertyChoice::File(file) => property::read(file).map_err(Refusal::unreadable),
    }
}

/// The specifications that rules and machines say, in the files that the command line names.
pub fn specifications(options: &CheckOptions) -> Result<Vec<Property>, Refusal> {
    // What is wrong with these is told once, here.
    stand_ins(&options.input.reading)?;
    let mut found = Vec::new();
    for rule in &options.rule {
        let (file, text) = match library::rule(rule) {
            Some(text) => (format!("{rule}.rule"), text.to_owned()),
            None => (rule.clone(), contents(rule)?),
        };
        found.extend(tamis_specification::rules(&file, &text).map_err(Refusal::unreadable)?);
    }
    for machine in &options.spec {
        let (file, text) = (machine.display().to_string(), contents(machine)?);
        let read = if options.simulation { simulations } else { machines };
        found.extend(read(&file, &text).map_err(Refusal::unreadable)?);
    }
    Ok(found.into_iter().map(|specification| Property::Specified(Arc::new(specification))).collect())
}

/// The machines that stand in for functions.
fn stand_ins(said: &ReadingOptions) -> Result<Option<Arc<Weaving>>, Refusal> {
    let mut stand_ins = Vec::new();
    for file in &said.stand_in {
        let (name, text) = (file.display().to_string(), contents(file)?);
        stand_ins.extend(tamis_specification::stand_ins(&name, &text).map_err(Refusal::unreadable)?);
    }
    let weaving = || Arc::new(Weaving { stand_ins, ..Weaving::default() });
    Ok((!said.stand_in.is_empty()).then(weaving))
}

fn contents(file: impl AsRef<Path>) -> Result<String, Refusal> {
    let file = file.as_ref();
    std::fs::read_to_string(file).map_err(|e| {
        Refusal::unreadable(Diagnostic::about_file(
            file.display().to_string(),
            format!("cannot be read: {e}"),
        ))
    })
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
        without_body: said.remove_body.clone(),
        entry: said.entry(),
        each_line: false,
        target: Target::Errors,
        weaving: stand_ins(said).ok().flatten(),
        database: said.compile_commands.clone(),
        standard: None,
        malloc_may_fail: said.malloc_may_fail,
        refinement: Refinement::default(),
        contracts: Contracts {
            enforced: said.enforce_contract.clone(),
            replacing: said.replace_call_with_contract.clone(),
            loops: said.loop_contracts,
        },
        volatile: Volatile { inputs: said.volatile_input.is_some(), devices: said.devices() },
        physical: false,
    }
}
