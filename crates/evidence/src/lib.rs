//! Evidence for verdicts, checked independently of the loop that found it.
//!
//! A proof is a formula at each cutpoint: [`certify`] shows from the program alone that they are inductive and exclude
//! the error. A counterexample is an execution: [`replay`] runs it on concrete values. What is said here is of automata,
//! whatever they were made from, and of [designs](design).
//! Nothing here uses the search, its summaries or its encoding of blocks: a bug there cannot vouch for itself.

mod certify;
mod conditions;
pub mod design;
mod exhaust;
mod inductive;
mod instances;
mod k_induction;
mod names;
mod place;
mod readable;
mod replay;
mod strongest_post;
mod tidy;
mod vacuity;

pub use certify::{Certificate, Rejection, certify, decide};
pub use conditions::{Condition, Purpose, conditions};
pub use exhaust::{Exhaustion, certify_exhausted, exhaust};
pub use inductive::{Candidate, candidates, inductive};
pub use k_induction::{KInduction, certify_k_inductive};
pub use place::Place;
pub use readable::{Ranged, readable};
pub use replay::{Divergence, Replay, TraceStep, replay};
pub use tidy::tidy;
pub use vacuity::{Vacuity, vacuity};
