//! An answer as prime implicants in terms of the predicates.

use super::script::Named;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt::Write;
use tamis_diagram::{Bdd, BddVar, Diagrams, OutOfNodes};
use tamis_paq::Predicate;

/// More cubes than this are not listed.
pub const MAX_CUBES: u64 = 1 << 17;

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
    pub cubes: Option<Cubes>,
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
    /// The answer itself, where it has been made.
    #[serde(skip)]
    pub function: Option<Bdd>,
}

/// Cubes, and the texts of all predicates.
pub struct Cubes {
    pub literals: Vec<Literals>,
    texts: Vec<String>,
}

impl Cubes {
    pub fn new(mut literals: Vec<Literals>, named: &[Named]) -> Cubes {
        literals.iter_mut().for_each(|cube| cube.sort_unstable());
        literals.sort_unstable();
        Cubes { literals, texts: named.iter().map(|p| p.text.clone()).collect() }
    }
}

impl Serialize for Cubes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.literals.iter().map(|cube| Values { cube, texts: &self.texts }))
    }
}

/// The values that a cube has for predicates.
struct Values<'a> {
    cube: &'a Literals,
    texts: &'a [String],
}

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.cube.iter().map(|&(place, value)| (&self.texts[place], value)))
    }
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

/// The prime implicants, unless there are too many.
pub fn cubes(
    diagrams: &Diagrams,
    function: &Bdd,
    predicates: &[Predicate],
    named: &[Named],
) -> Result<Option<Cubes>, OutOfNodes> {
    let places = places(predicates);
    let Some(cubes) = diagrams.isop_at_most(function, MAX_CUBES)? else { return Ok(None) };
    let literals = cubes
        .into_iter()
        .map(|cube| cube.into_iter().filter_map(|(v, b)| Some((*places.get(&v)?, b))).collect());
    Ok(Some(Cubes::new(literals.collect(), named)))
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
