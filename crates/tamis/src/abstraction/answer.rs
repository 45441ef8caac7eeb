//! An answer as prime implicants in terms of the predicates.

use super::script::Named;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use tamis_diagram::{Bdd, BddVar, Diagrams, OutOfNodes};
use tamis_paq::Predicate;

/// More cubes than this are not listed.
const MAX_CUBES: u64 = 1 << 17;

/// A cube: the values of predicates, by their places.
pub type Literals = Vec<(usize, bool)>;

/// What an engine found, and what it took.
#[derive(Serialize)]
pub struct Solved {
    /// The engine that was asked.
    pub engine: &'static str,
    /// The engine that found the answer, if others were in the race.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<&'static str>,
    pub exact: bool,
    /// Prime implicants: the values of predicates, by their texts. Absent if there are too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cubes: Option<Vec<BTreeMap<String, bool>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cube_count: Option<usize>,
    pub minterms: f64,
    /// The predicates that the answer depends on.
    pub support: Vec<String>,
    /// The approximations on the way, if there were some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepTaken>,
    pub seconds: f64,
    pub megabytes: u64,
    #[serde(skip)]
    pub function: Bdd,
    #[serde(skip)]
    pub literals: Option<Vec<Literals>>,
}

/// One of successive approximations.
#[derive(Serialize)]
pub struct StepTaken {
    pub size: usize,
    pub cubes: usize,
    pub minterms: f64,
    pub seconds: f64,
}

/// The places of the predicates by variable.
fn places(predicates: &[Predicate]) -> BTreeMap<BddVar, usize> {
    predicates.iter().enumerate().map(|(place, p)| (p.var, place)).collect()
}

/// The prime implicants, unless there are too many, each in the order of the predicates.
pub fn cubes(
    diagrams: &Diagrams,
    function: &Bdd,
    predicates: &[Predicate],
) -> Result<Option<Vec<Literals>>, OutOfNodes> {
    let places = places(predicates);
    let Some(cubes) = diagrams.isop_at_most(function, MAX_CUBES)? else { return Ok(None) };
    let mut cubes: Vec<Literals> = cubes
        .into_iter()
        .map(|cube| {
            let mut literals: Literals =
                cube.into_iter().filter_map(|(var, value)| Some((*places.get(&var)?, value))).collect();
            literals.sort_unstable();
            literals
        })
        .collect();
    cubes.sort_unstable();
    Ok(Some(cubes))
}

/// The predicates that the answer depends on.
pub fn support(
    diagrams: &Diagrams,
    function: &Bdd,
    predicates: &[Predicate],
    named: &[Named],
) -> Vec<String> {
    let places = places(predicates);
    let mut support: Vec<usize> =
        diagrams.support(function).iter().filter_map(|v| places.get(v).copied()).collect();
    support.sort_unstable();
    support.into_iter().map(|place| named[place].text.clone()).collect()
}

/// The cubes for a person, one in a line.
pub fn readable(cubes: &[Literals], named: &[Named]) -> String {
    if cubes.is_empty() {
        return "false".to_owned();
    }
    let literal =
        |&(place, value): &(usize, bool)| format!("{}{}", if value { "" } else { "¬" }, named[place].text);
    let line = |cube: &Literals| match &cube[..] {
        [] => "true".to_owned(),
        literals => literals.iter().map(literal).collect::<Vec<_>>().join(" ∧ "),
    };
    cubes.iter().map(line).collect::<Vec<_>>().join("\n∨ ")
}

/// The cubes as a term of SMT-LIB.
pub fn smtlib(cubes: &[Literals], named: &[Named]) -> String {
    let literal = |&(place, value): &(usize, bool)| match value {
        true => named[place].text.clone(),
        false => format!("(not {})", named[place].text),
    };
    let junction = |operator: &str, parts: Vec<String>, unit: &str| match &parts[..] {
        [] => unit.to_owned(),
        [part] => part.clone(),
        _ => format!("({operator} {})", parts.join(" ")),
    };
    let cube = |cube: &Literals| junction("and", cube.iter().map(literal).collect(), "true");
    let mut text = String::new();
    let _ = write!(text, "{}", junction("or", cubes.iter().map(cube).collect(), "false"));
    text
}
