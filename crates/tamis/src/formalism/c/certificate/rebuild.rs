//! The conditions of a proof, from the program's files and the proof's words, in a store of their own.

use super::{Proof, Subject};
use crate::arguments::InputOptions;
use crate::formalism::c::input;
use crate::formalism::certificate::read_formulas;
use crate::refusal::Refusal;
use tamis_evidence::{Certificate, Condition, KInduction, Rejection, conditions};
use tamis_interpreter_c::c_expression;
use tamis_logic::{Term, Terms};
use tamis_program::{Location, Program, simplify};
use tamis_solver::{Budget, Stop};

/// A program and what a proof of it has to show.
pub struct Rebuilt {
    pub terms: Terms,
    /// The program as it was searched.
    pub program: Program,
    /// The invariants, if it is a proof by invariants; the facts of one by induction.
    pub certificate: Option<Certificate>,
    pub conditions: Vec<Condition>,
}

/// Why there are no conditions.
pub enum Failure {
    /// The program cannot be read.
    Refused(Refusal),
    /// The words are none of a proof of this program.
    NoProof(String),
    Stopped(Stop),
}

/// Invariants with longer texts are given in SMT-LIB only.
const MAX_LENGTH: usize = 10_000;

impl Rebuilt {
    /// An invariant as a C expression, by its place in the proof; `None` if that is too long.
    pub fn c_text(&self, index: usize) -> Option<String> {
        let &(location, formula) = self.certificate.as_ref()?.invariants.get(index)?;
        c_expression(&self.terms, &self.program, self.program.frame_of(location), formula, MAX_LENGTH)
    }
}

/// Reads the program as the subject says, and makes the conditions.
pub fn rebuild(
    input: &InputOptions,
    subject: &Subject,
    proof: &Proof,
    budget: &Budget,
) -> Result<Rebuilt, Failure> {
    let mut terms = Terms::new();
    let options = tamis_front_c::Options {
        refinement: subject.refinement,
        ..subject.property.reading(input::reading(&input.reading))
    };
    let mut program = input::load(input, &options, &mut terms).map_err(Failure::Refused)?;
    if !subject.property.undefined().is_empty() {
        program = program.checked(subject.property.undefined());
    }
    if subject.simplified {
        program = simplify(&program, &mut terms).program;
    }
    let rejected = |rejection: Rejection| match rejection {
        Rejection::Stopped(stop) => Failure::Stopped(stop),
        other => Failure::NoProof(other.to_string()),
    };
    match proof {
        Proof::Invariants(texts) => {
            let certificate = read(&mut terms, &program, texts).map_err(Failure::NoProof)?;
            let conditions = conditions(&mut terms, &program, &certificate).map_err(rejected)?;
            Ok(Rebuilt { terms, program, certificate: Some(certificate), conditions })
        }
        Proof::Exhaustion(exhaustion) => {
            let conditions = exhaustion.conditions(&mut terms, &program, budget).map_err(rejected)?;
            Ok(Rebuilt { terms, program, certificate: None, conditions })
        }
        Proof::KInduction { k, simple_path, facts } => {
            let facts = read(&mut terms, &program, facts).map_err(Failure::NoProof)?;
            let proof = KInduction { k: *k, simple_path: *simple_path, facts };
            let conditions = proof.conditions(&mut terms, &program, budget).map_err(rejected)?;
            Ok(Rebuilt { terms, program, certificate: Some(proof.facts), conditions })
        }
        // A run shows it.
        Proof::Execution(_) => Ok(Rebuilt { terms, program, certificate: None, conditions: Vec::new() }),
    }
}

fn location(program: &Program, index: usize) -> Result<Location, String> {
    program.locations().nth(index).ok_or_else(|| format!("the program has no location {index}"))
}

/// Reads invariants over the program's variables.
fn read(terms: &mut Terms, program: &Program, texts: &[(usize, String)]) -> Result<Certificate, String> {
    let variables: Vec<Term> = program.variables().iter().map(|v| v.term).collect();
    let formulas = read_formulas(terms, &variables, texts.iter().map(|(_, text)| &**text))?;
    let mut invariants = Vec::with_capacity(texts.len());
    for (&(index, _), formula) in std::iter::zip(texts, formulas) {
        invariants.push((location(program, index)?, formula));
    }
    Ok(Certificate { invariants })
}
