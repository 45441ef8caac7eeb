//! Concurrent assertions of SystemVerilog (IEEE 1800-2017, 16), which open Yosys does not read, as monitors that it does.
//!
//! A property becomes the automaton of what may be left of it (`property`, `automaton`), that a few registers and a plain assertion
//! (`monitor`), written into the file in the place of the property (`lower`). Values are those sampled before the clock's
//! edge; an attempt starts with every edge, and a property fails in the first cycle in which one of its attempts can no longer
//! be fulfilled. At the end of an execution what is open has not failed (weak).

mod automaton;
mod expression;
pub mod lexer;
mod lower;
mod monitor;
mod parser;
mod property;
mod sequence;
#[cfg(test)]
mod tests;
pub mod words;

pub use lower::{Manner, Probe, Values, lower};
pub use monitor::OK;

/// What the names of monitors start with.
pub const PREFIX: &str = "tamis_sva_";
