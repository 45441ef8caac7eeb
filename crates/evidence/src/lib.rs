//! Evidence for verdicts, checked independently of the loop that found it.
//!
//! A proof is a formula at each cutpoint: [`certify`] shows from the program alone that they are inductive and exclude
//! the error. A counterexample is an execution: [`replay`] runs it on concrete values, and [`reproduce`] has the C
//! program itself make it again, in the [`interpreter`], which is a semantics of C of its own, on bytes; on request
//! [`replay_natively`] has the machine do so. A program with one execution is proved by running it: [`single_execution`].
//! Nothing here uses the search, its summaries or its encoding of blocks: a bug there cannot vouch for itself.

mod c_expression;
mod certify;
mod conditions;
mod exhaust;
mod inductive;
pub mod interpreter;
mod native;
mod place;
mod replay;
mod reproduce;
mod single;
mod strongest_post;
mod tidy;
mod vacuity;

pub use c_expression::{c_expression, c_value, defined_c_expression};
pub use certify::{Certificate, Rejection, certify, decide};
pub use conditions::{Condition, Purpose, conditions};
pub use exhaust::{Exhaustion, Way, certify_exhausted, exhaust};
pub use inductive::{Candidate, candidates, inductive};
pub use native::{Harness, Native, NativeLimits, NoHarness, harness, replay_natively};
pub use place::Place;
pub use replay::{Divergence, Replay, TraceStep, replay};
pub use reproduce::{Irreproducible, account, alignment, reproduce};
pub use single::{Execution, account_of_single, single_execution};
pub use tidy::tidy;
pub use vacuity::{Vacuity, vacuity};
