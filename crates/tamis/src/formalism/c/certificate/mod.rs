//! Proofs as folders: the conditions of a proof as SMT-LIB scripts, and a manifest that says what they are of.
//!
//! What is in a folder depends on the program and the proof alone: whoever reads the program, and the invariants as the text
//! that stands in the manifest, into an empty store makes the same scripts again, to the byte ([`rebuild`]). That is how a
//! folder is written, and how one that claims to be about a program is held against it: `tamis certify` never has to trust
//! a script, only to make it again.

mod check;
mod manifest;
mod rebuild;
mod write;

pub use check::check;
pub use rebuild::{Failure, Rebuilt, rebuild};
pub use write::write;

use crate::formalism::c::property::Property;
use crate::formalism::certificate::formula_text;
use tamis_evidence::{Certificate, Exhaustion, KInduction};
use tamis_front_c::Refinement;
use tamis_interpreter_c::Execution;
use tamis_logic::Terms;
use tamis_program::Program;

/// What a proof is of: how the program was read, and for which property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    pub property: Property,
    /// What was approximated less.
    pub refinement: Refinement,
    /// Whether the program was simplified first.
    pub simplified: bool,
}

/// A proof in words that outlive the store of its terms. Locations are those of the program that was searched, by their
/// numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Formulas at locations, in SMT-LIB over the program's variables; index variables are bound.
    Invariants(Vec<(usize, String)>),
    /// All executions end.
    Exhaustion(Exhaustion),
    /// Induction over so many ways between cutpoints, with facts at the cutpoints.
    KInduction { k: usize, simple_path: bool, facts: Vec<(usize, String)> },
    /// The program has one execution, which a run shows.
    Execution(Execution),
}

impl Proof {
    pub fn of_invariants(terms: &Terms, program: &Program, certificate: &Certificate) -> Proof {
        Proof::Invariants(stated(terms, program, certificate))
    }

    pub fn of_k_induction(terms: &Terms, program: &Program, proof: &KInduction) -> Proof {
        let facts = stated(terms, program, &proof.facts);
        Proof::KInduction { k: proof.k, simple_path: proof.simple_path, facts }
    }
}

/// Formulas at locations; what holds at the error is known.
fn stated(terms: &Terms, program: &Program, certificate: &Certificate) -> Vec<(usize, String)> {
    let stated = certificate.invariants.iter().filter(|(l, _)| *l != program.error());
    stated.map(|&(l, invariant)| (l.index(), formula_text(terms, invariant))).collect()
}
