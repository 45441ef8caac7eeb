//! Proofs for people: loop invariants in the source's language.

use serde::Serialize;

/// What holds at a loop's head.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Invariant {
    pub file: String,
    pub line: u32,
    pub function: String,
    /// As an expression of the source's language, or in SMT-LIB where that would be too long.
    pub invariant: String,
}

/// Prints the invariants to stderr.
pub fn print(invariants: &[Invariant]) {
    if invariants.is_empty() {
        eprintln!("proof: no loop is involved; every path to the error was refuted");
        return;
    }
    eprintln!("proof: invariants at loop heads");
    for Invariant { file, line, function, invariant } in invariants {
        eprintln!("  {file}:{line} in {function}: {invariant}");
    }
}
