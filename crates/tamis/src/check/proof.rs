//! Proofs for people: invariants in the source's language.

use crate::color;
use serde::Serialize;

/// Why a property holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// What holds at loop heads.
    Loops(Vec<Invariant>),
    /// What holds in every cycle.
    Cycles(Vec<Invariant>),
    /// So many cycles that do not violate the property are not followed by one that does; so many steps do not end in the
    /// violation.
    KInduction {
        k: usize,
        /// What is counted.
        steps: Steps,
        /// Whether only cycles are looked at in which the state is another each time.
        simple_path: bool,
        /// What holds in every cycle, and was used.
        facts: Vec<Invariant>,
    },
    /// All executions end, and none in a violation.
    Exhaustion,
    /// The program has one execution, of so many statements.
    Execution(u64),
}

/// What an induction is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Steps {
    /// Clock cycles.
    Cycles,
    /// Ways from one loop head to the next.
    Rounds,
}

/// What holds somewhere.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Invariant {
    pub file: String,
    pub line: u32,
    /// The function of a loop's head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// As an expression of the source's language, or in SMT-LIB where that would be too long.
    pub invariant: String,
}

impl Proof {
    /// The invariants, if there are any.
    pub fn invariants(&self) -> Option<&[Invariant]> {
        match self {
            Proof::Loops(invariants) | Proof::Cycles(invariants) => Some(invariants),
            Proof::KInduction { facts, .. } => Some(facts),
            Proof::Exhaustion | Proof::Execution(_) => None,
        }
    }

    /// Prints the proof to stderr.
    pub fn print(&self) {
        let proof = color::good("proof");
        match self {
            Proof::Loops(invariants) if invariants.is_empty() => {
                eprintln!("{proof}: no loop is involved; every path to the error was refuted");
            }
            Proof::Loops(invariants) => {
                eprintln!("{proof}: invariants at loop heads");
                print_loops(invariants);
            }
            Proof::Cycles(invariants) if invariants.is_empty() => {
                eprintln!("{proof}: no cycle violates the property, whatever the registers hold");
            }
            Proof::Cycles(invariants) => {
                eprintln!("{proof}: in every cycle");
                print_conjuncts(invariants);
            }
            Proof::KInduction { k, steps, simple_path, facts } => {
                let unit = match steps {
                    Steps::Cycles => "cycle",
                    Steps::Rounds => "step",
                };
                let plural = if *k == 1 { "" } else { "s" };
                let between = if *steps == Steps::Rounds { " between loop heads" } else { "" };
                let different = if *simple_path { " with different states" } else { "" };
                eprintln!("{proof}: by induction over {k} {unit}{plural}{between}{different}");
                match steps {
                    _ if facts.is_empty() => {}
                    Steps::Cycles => {
                        eprintln!("in every cycle");
                        print_conjuncts(facts);
                    }
                    Steps::Rounds => print_loops(facts),
                }
            }
            Proof::Exhaustion => eprintln!("{proof}: every execution was followed to its end"),
            Proof::Execution(_) => eprintln!("{proof}: the program has one execution"),
        }
    }
}

/// So many conjuncts are printed: an invariant of thousands is nothing that people read.
const MOST: usize = 100;

fn print_loops(invariants: &[Invariant]) {
    for Invariant { file, line, function, invariant } in invariants {
        let function = function.as_deref().unwrap_or_default();
        eprintln!("  {file}:{line} in {function}: {invariant}");
    }
}

fn print_conjuncts(invariants: &[Invariant]) {
    invariants.iter().take(MOST).for_each(|i| eprintln!("  {}", i.invariant));
    if invariants.len() > MOST {
        eprintln!("  and {} more", invariants.len() - MOST);
    }
}
