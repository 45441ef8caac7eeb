//! Decision procedures for conjunctions of literals, as a DPLL(T) search needs them (\[SMT\] section 2.2): incremental,
//! backtrackable, with explanations and theory propagation.
//!
//! The procedures know nothing of terms or of the SAT solver: they have their own variables and nodes, made by the
//! caller, and atoms that the caller numbers. What joins them into a solver is the `solver` crate.
//!
//! \[SMT\]: *SMT Techniques for Fast Predicate Abstraction*.

pub mod arith;
pub mod euf;
mod theory;

pub use theory::{Atom, Check, Conflict, Literal, Theory};
