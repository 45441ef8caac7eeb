//! The conditions of a proof, from the design's files and the proof's words, in a store of their own.

use super::Words;
use crate::arguments::InputOptions;
use crate::formalism::certificate::read_formulas;
use crate::formalism::rtl::input;
use crate::formalism::rtl::model::proved;
use crate::formalism::rtl::property::Kind;
use crate::refusal::Refusal;
use tamis_design::{Design, SavedLoop};
use tamis_evidence::Condition;
use tamis_evidence::design::{Point, Proof, conditions};
use tamis_logic::{Term, Terms};

/// What a proof of a design has to show.
pub struct Rebuilt {
    terms: Terms,
    /// What the property depends on.
    design: Design,
    pub conditions: Vec<Condition<Point>>,
}

/// Why there are no conditions.
pub enum Failure {
    /// The design cannot be read.
    Refused(Refusal),
    /// The words are none of a proof of this design.
    NoProof(String),
}

/// So many cycles a proof has at most: each is written out, so a manifest could ask for any amount of work.
const MAX_CYCLES: usize = 10_000;

impl Rebuilt {
    /// What a condition is for, and its script.
    pub fn script(&self, index: usize) -> (&'static str, String) {
        let condition = &self.conditions[index];
        (condition.purpose.name(), condition.script(&self.terms, &self.design, 0))
    }
}

/// Reads the design, and makes the conditions for one of its properties, by name and place.
pub fn rebuild(
    input: &InputOptions,
    (property, kind): (&str, Kind),
    words: &Words,
) -> Result<Rebuilt, Failure> {
    let mut terms = Terms::new();
    let source = input::load(input, &mut terms, None).map_err(Failure::Refused)?;
    let whole = &source.design;
    let found = match kind {
        Kind::Safety(number) => whole.properties.get(number).map(|p| (&p.name, number)),
        Kind::Liveness(number) => whole.justice.get(number).map(|j| (&j.name, number)),
        Kind::Unchecked => None,
    };
    let Some((_, number)) = found.filter(|(name, _)| *name == property) else {
        return Err(Failure::NoProof(format!("the design has no property {property} at this place")));
    };
    let design = match kind {
        Kind::Liveness(_) => {
            let cone = whole.cone_of_justice(&terms, number);
            let saved = SavedLoop::new(&mut terms, &cone);
            proved(&mut terms, &cone, &saved)
        }
        _ => whole.cone(&terms, number),
    };
    let proof = proof(&mut terms, &design, words).map_err(Failure::NoProof)?;
    let conditions = conditions(&mut terms, &design, 0, &proof);
    Ok(Rebuilt { terms, design, conditions })
}

fn proof(terms: &mut Terms, design: &Design, words: &Words) -> Result<Proof, String> {
    let variables: Vec<Term> = design.signals().map(|signal| signal.term).collect();
    let mut read = |text: &str| {
        let formulas = read_formulas(terms, &variables, std::iter::once(text))?;
        formulas.first().copied().ok_or_else(|| "an invariant is not one formula".to_owned())
    };
    let cycles = |cycles: usize| match cycles {
        cycles if cycles <= MAX_CYCLES => Ok(cycles),
        _ => Err(format!("more than {MAX_CYCLES} cycles")),
    };
    match words {
        Words::Invariant(text) => Ok(Proof::Invariant(read(text)?)),
        Words::Induction { cycles: k, simple_path, facts } => {
            Ok(Proof::KInduction { k: cycles(*k)?, simple_path: *simple_path, facts: read(facts)? })
        }
        Words::Exhaustion(most) => Ok(Proof::Exhaustion(cycles(*most)?)),
    }
}
