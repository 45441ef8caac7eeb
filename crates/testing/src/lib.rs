//! What the tests of all crates share: random numbers that are the same on every machine, and oracles that may be missing.

mod oracle;
mod random;

pub use oracle::{Browser, aigsim, browser, btorsim, cc, distributed, missing, yosys, z3};
pub use random::{Number, Random};

/// Whether one of many tests is in a sample of about every nth. That depends on its own name alone: another test does not change the
/// sample.
pub fn is_sampled(name: &str, every: usize) -> bool {
    name.bytes().map(usize::from).sum::<usize>() % every == 1 % every
}
