//! Evidence is broken at random, and the checkers must notice: they accept exactly what others accept.
//!
//! The evidence is that of the programs of the regression suite. Each mutation comes from a seed, so a failure can be made
//! again.

mod invariants;
mod programs;
mod traces;
