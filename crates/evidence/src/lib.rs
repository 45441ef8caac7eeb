//! Evidence for verdicts, checked independently of the loop that found it.
//!
//! A proof is a formula at each cutpoint: [`certify`] shows from the program alone that they are inductive and exclude
//! the error. A counterexample is an execution: [`replay`] runs it on concrete values, and [`reproduce`] has the C
//! program itself make it again, in the [`interpreter`], which is a semantics of C of its own, on bytes; on request
//! [`replay_natively`] has the machine do so. Nothing here
//! uses the search, its summaries or its encoding of blocks: a bug there cannot vouch for itself.

mod c_expression;
mod certify;
mod exhaust;
pub mod interpreter;
mod native;
mod replay;
mod reproduce;
mod strongest_post;
mod tidy;

pub use c_expression::{c_expression, c_value};
pub use certify::{Certificate, Rejection, certify};
pub use exhaust::certify_exhausted;
pub use native::{Native, NativeLimits, NoHarness, harness, replay_natively};
pub use replay::{Divergence, Replay, TraceStep, replay};
pub use reproduce::{Irreproducible, account, alignment, reproduce};
pub use tidy::tidy;
