//! Proofs about designs as folders.

mod check;
mod manifest;
mod rebuild;
mod write;

pub use check::check;
pub use write::write;

use serde::{Deserialize, Serialize};
use tamis_evidence::design::Proof;
use tamis_logic::Terms;

/// A proof in words that outlive the store of its terms: formulas in SMT-LIB, over what the property depends on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Words {
    /// What holds in every cycle.
    Invariant(String),
    /// Induction over several cycles.
    Induction {
        cycles: usize,
        simple_path: bool,
        /// What holds in every cycle.
        facts: String,
    },
    /// No execution has more cycles.
    Exhaustion(usize),
}

impl Words {
    pub fn of(terms: &Terms, proof: &Proof) -> Words {
        match *proof {
            Proof::Invariant(invariant) => Words::Invariant(terms.to_smtlib(invariant)),
            Proof::KInduction { k, simple_path, facts } => {
                Words::Induction { cycles: k, simple_path, facts: terms.to_smtlib(facts) }
            }
            Proof::Exhaustion(cycles) => Words::Exhaustion(cycles),
        }
    }
}
