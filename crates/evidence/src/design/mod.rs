//! Proofs about designs, checked from the design alone.
//!
//! A proof is an invariant of all cycles, or k-induction, or that all executions end. Its conditions are made here by
//! substitution of first and next values, apart from the encoding that the search uses. Inputs may occur in invariants: they
//! are words without a first and a next value. A counterexample needs nothing of this: [`tamis_design::Run`] executes
//! it on values.
//!
//! # k-induction
//!
//! The *base* says that no execution violates the property in its first k cycles, the *step* that k cycles which do not
//! violate it are not followed by one that does. The step may ask for states that differ pairwise: a shortest
//! execution that violates the property has no state twice, since what lies between could be left out (Sheeran, Singh
//! and Stålmarck, FMCAD 2000). It may also use facts, which are shown to be inductive first.
//!
//! # Liveness
//!
//! [`without_loops`] makes a design in which a liveness property is one of safety; its proofs are those above.

mod cycles;
mod loops;
mod proof;
mod vacuity;

pub use loops::without_loops;
pub use proof::{Point, Proof, certify, conditions, tidy};
pub use vacuity::{Vacuity, vacuity};
