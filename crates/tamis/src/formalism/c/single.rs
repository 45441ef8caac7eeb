//! Programs that have one execution only: they are read, and run. Those with inputs are run on some of them.

use crate::arguments::InputOptions;
use crate::formalism::c::input;
use crate::formalism::c::property::Property;
use crate::refusal::Refusal;
use std::fmt;
use tamis_front_c::tree::Unit;
use tamis_interpreter_c::account::Account;
use tamis_interpreter_c::interpreter::Outcome;
use tamis_interpreter_c::{
    Chance, Execution, account_of_inputs, account_of_single, random_inputs, single_execution,
};
use tamis_solver::Budget;

/// Bytes of memory that a run may take, or the part of a limit on all memory that it may take.
const MEMORY: u64 = 1 << 30;
const PART: u64 = 4;

/// What depends on how the compiler optimises. The tree has numbers in their place.
const COMPILER_DEPENDENT: [&str; 4] = [
    "__builtin_constant_p",
    "__builtin_object_size",
    "__builtin_dynamic_object_size",
    "__builtin_has_attribute",
];

/// Why a program is not known to have one execution only.
pub enum Open {
    /// How the run ended.
    Run(Outcome),
    /// The compiler has a say.
    Compiler(&'static str),
    Refused(Refusal),
}

impl fmt::Display for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Open::Run(Outcome::Undetermined { what, at }) => {
                write!(f, "C does not say what follows on line {}: {what}", at.line)
            }
            Open::Run(Outcome::Undefined { kind, at, .. }) => {
                write!(f, "undefined behaviour on line {}: {kind}", at.line)
            }
            Open::Run(_) => write!(f, "its run does not come to an end"),
            Open::Compiler(name) => write!(f, "{name} depends on the compiler"),
            Open::Refused(refusal) => write!(f, "{}", refusal.reason()),
        }
    }
}

/// Reads the program.
pub fn unit(input: &InputOptions, property: &Property, physical: bool) -> Result<Unit, Refusal> {
    input::read(input, property, physical)
}

/// Runs a program, within a limit on all memory.
pub fn execution(
    input: &InputOptions,
    unit: &Unit,
    property: &Property,
    memory: Option<u64>,
    budget: &Budget,
) -> Result<Execution, Open> {
    let execution = single_execution(unit, property.violations(), part(memory), budget).map_err(Open::Run)?;
    without_compiler(input).map(|()| execution)
}

/// Whether nothing in a program depends on how it is optimised.
fn without_compiler(input: &InputOptions) -> Result<(), Open> {
    let sources = tamis_front_c::preprocessed(&input.files, &input::reading(&input.reading));
    let sources = sources.map_err(|error| Open::Refused(error.into()))?;
    let used =
        COMPILER_DEPENDENT.iter().find(|name| sources.iter().any(|source| source.text.contains(*name)));
    match used {
        Some(name) => Err(Open::Compiler(name)),
        None => Ok(()),
    }
}

/// Runs a program that violates the property once more, and tells what it does.
pub fn account(
    unit: &Unit,
    execution: &Execution,
    property: &Property,
    memory: Option<u64>,
    budget: &Budget,
) -> Result<Account, Outcome> {
    account_of_single(unit, execution, property.violations(), part(memory), budget)
}

/// An execution that violates the property, if one is found by chance.
pub fn by_chance(
    input: &InputOptions,
    unit: &Unit,
    property: &Property,
    memory: Option<u64>,
    budget: &Budget,
) -> Option<Chance> {
    let found = random_inputs(unit, property.violations(), part(memory), budget)?;
    without_compiler(input).ok().map(|()| found)
}

/// Runs a program on the same inputs once more, and tells what it does.
pub fn account_of_chance(
    unit: &Unit,
    chance: &Chance,
    property: &Property,
    memory: Option<u64>,
    budget: &Budget,
) -> Option<Account> {
    account_of_inputs(unit, chance, property.violations(), part(memory), budget)
}

fn part(memory: Option<u64>) -> u64 {
    memory.map_or(MEMORY, |limit| (limit / PART).min(MEMORY))
}
