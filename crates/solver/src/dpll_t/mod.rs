//! DPLL(T): theories in the SAT search (\[SMT\] section 2.2).
//!
//! Atoms of theories are inputs of the circuit that CaDiCaL's external propagator observes. Congruence closure, and
//! difference logic or simplex, are told what the search assigns; they answer with conflicts, with literals that follow, and, when an
//! assignment is complete, with their consent or with what it violates.
//!
//! Arrays and the combination of theories work on demand: only those instances of the array axioms and those equalities
//! between shared terms are made that a complete assignment violates. New atoms cannot be observed inside a search, so
//! the search ends, they are made, and the next search goes on with all that was learned; the blocking clauses of an
//! enumeration stay, so nothing is lost or found twice.
//!
//! Bounds on integers that a short branch and bound does not decide are handed over as a whole
//! (`theories::arith::integer`), which ends. Every `sat` that involves a theory is evaluated on the assertions before it is
//! believed.
//!
//! - `propagator`: CaDiCaL's callbacks.
//! - `table`: the terms that theories know, and `theories`: the theories as the search sees them.
//! - `register`, `numbers`, `equality`: terms to entries of the table, atoms and clauses.
//! - `arithmetic`: the choice between the procedures for numbers.
//! - `combine`, `arrays`: what a complete assignment violates; `requests`: what is added for it between two searches.
//! - `snapshot`: the model of an accepted assignment.

mod arithmetic;
mod arrays;
mod combine;
mod equality;
mod numbers;
mod propagator;
mod register;
mod requests;
mod snapshot;
mod table;
mod theories;

pub(crate) use propagator::{OnModel, Outcome, TheoryPropagator};
pub(crate) use snapshot::Concrete;
pub(crate) use theories::Theories;

use crate::sat::SatLit;

/// What the theories say of a complete assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// It has a model.
    Consistent,
    /// Clauses that hold in the theories and of which at least one is not satisfied.
    Lemmas(Vec<Vec<SatLit>>),
    /// The theories need atoms that do not exist yet, or were stopped. CaDiCaL's binding cannot observe variables
    /// while it searches: the search ends, the atoms are made, and the next search goes on with all that was learned.
    Interrupt,
}

/// The theories of a search, joined, over the SAT solver's own literals.
///
/// Levels and explanations are as in [`tamis_theories::Theory`]. A conflict is a set of literals that hold in the
/// search and cannot hold together.
pub(crate) trait Background {
    fn push(&mut self);
    fn pop(&mut self, levels: usize);
    fn assert(&mut self, lit: SatLit) -> Result<(), Vec<SatLit>>;
    fn propagate(&mut self, implied: &mut Vec<SatLit>) -> Result<(), Vec<SatLit>>;
    fn explain(&mut self, implied: SatLit, reasons: &mut Vec<SatLit>);
    /// The observed variables that a search should decide first, if it enumerates: where congruence closure takes part, an
    /// arrangement of the arguments of functions costs more than the predicates over it.
    fn decide_first(&self) -> &[SatLit] {
        &[]
    }
    /// All observed literals have been asserted, and `value` tells them: is there a model?
    fn complete(&mut self, value: &dyn Fn(SatLit) -> bool) -> Verdict;
}
