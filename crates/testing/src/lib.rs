//! What the tests of all crates share: random numbers that are the same on every machine, and oracles that may be missing.

mod oracle;
mod random;

pub use oracle::{Browser, aigsim, browser, btorsim, cc, distributed, missing, yosys, z3};
pub use random::{Number, Random};
