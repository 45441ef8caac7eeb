//! C run on bytes: counterexamples in the program itself.
//!
//! The [`interpreter`] executes the typed tree and is a semantics of C of its own, which shares nothing with the
//! translation to guarded commands but that tree. [`reproduce`] has it make an execution again that was found in the
//! automaton, and [`replay_natively`] has the machine do so, by a [`harness`]. A program with one execution is proved by
//! running it: [`single_execution`]; one with inputs is run on [some of them](random_inputs). [`c_expression`] tells formulas over the automaton's variables in C.

mod c_expression;
pub mod interpreter;
mod native;
mod random;
mod reproduce;
mod single;

pub use c_expression::{c_conditions, c_expression, c_value, defined_c_expression};
pub use native::{Harness, Native, NativeLimits, NoHarness, harness, replay_natively};
pub use random::{Chance, account_of_inputs, random_inputs};
pub use reproduce::{
    Irreproducible, account, alignment, lines_of, lines_of_runs, reproduce, reproduce_exactly,
};
pub use single::{Execution, account_of_single, single_execution};
