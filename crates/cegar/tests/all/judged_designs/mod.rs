//! Random designs, whether their properties hold by the enumeration of all states, and verdicts with their evidence checked.

// Each test takes a part of it.
#![allow(dead_code)]

#[path = "../../../../design/tests/support/explore.rs"]
mod explore;
#[path = "../../../../design/tests/support/random.rs"]
mod random;

pub use random::Size;
use std::time::Duration;
use tamis_cegar::{Outcome, Silent, Strategy, check};
use tamis_design::{Design, DesignSystem, Run};
use tamis_evidence::design::{Proof, certify};
use tamis_logic::Terms;
use tamis_paq::Interrupted;
use tamis_solver::{Budget, Stop};
use tamis_testing::Random;

/// A design, and which of its properties hold.
pub struct Judged {
    pub terms: Terms,
    pub design: Design,
    pub holds: Vec<bool>,
}

/// The design of a number.
pub fn judged(seed: u64, size: &Size) -> Judged {
    let mut terms = Terms::new();
    let design = random::design(&mut Random::new(seed), &mut terms, size);
    let holds = explore::violations(&terms, &design).iter().map(Option::is_none).collect();
    Judged { terms, design, holds }
}

/// What a strategy says of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    Holds,
    Violated,
    /// It did not end in time.
    Late,
    /// It gave up, or its evidence is none.
    Wrong(String),
}

impl Judged {
    /// What a strategy says of a property in some time, if that and the evidence are right.
    pub fn ask(&self, property: usize, strategy: &Strategy, time: Duration) -> Said {
        let verdict = std::panic::catch_unwind(|| self.verdict(property, strategy, time));
        let said = verdict.unwrap_or_else(|_| Said::Wrong("a panic".to_owned()));
        match (&said, self.holds[property]) {
            (Said::Holds, false) => Said::Wrong("a proof of what is violated".to_owned()),
            (Said::Violated, true) => Said::Wrong("a violation of what holds".to_owned()),
            _ => said,
        }
    }

    fn verdict(&self, property: usize, strategy: &Strategy, time: Duration) -> Said {
        let mut terms = self.terms.clone();
        let cone = self.design.cone(&terms, property);
        let system = DesignSystem::new(&mut terms, &cone, 0);
        let (outcome, _) = check(&mut terms, &system, strategy, &Budget::with_timeout(time), &mut Silent);
        let proof = match outcome {
            Outcome::Safe(invariants) => Proof::Invariant(invariants[DesignSystem::RUNNING]),
            Outcome::Exhausted(steps) => Proof::Exhaustion(steps),
            Outcome::KInductive(proof) => {
                let facts = terms.tru();
                Proof::KInduction { k: proof.k - 1, simple_path: proof.simple_path, facts }
            }
            Outcome::Unsafe(trace) => {
                // An execution of the whole design.
                let run = Run::new(&terms, &self.design, &DesignSystem::stimulus(&trace));
                return match run.is_ok_and(|run| run.violates(&terms, &self.design, property)) {
                    true => Said::Violated,
                    false => Said::Wrong("an execution that is no violation".to_owned()),
                };
            }
            Outcome::Unknown(Interrupted::Stopped(Stop::Timeout)) => return Said::Late,
            Outcome::Unknown(why) => return Said::Wrong(format!("gave up: {why:?}")),
            Outcome::Unwound(_) | Outcome::Bounded(_) => return Said::Wrong("it was unwound".to_owned()),
        };
        match certify(&mut terms, &cone, 0, &proof, &Budget::unlimited()) {
            Ok(_) => Said::Holds,
            Err(why) => Said::Wrong(format!("no proof: {why:?}")),
        }
    }
}

/// How often properties were seen to hold, to be violated, and not to be decided in time.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    pub holds: usize,
    pub violated: usize,
    pub late: usize,
}

/// Asks a strategy about designs.
///
/// # Panics
/// If an answer is wrong.
pub fn compare(strategy: &Strategy, seconds: u64, seeds: std::ops::Range<u64>, size: &Size) -> Counts {
    let mut counts = Counts::default();
    for seed in seeds {
        let judged = judged(seed, size);
        for property in 0..judged.holds.len() {
            match judged.ask(property, strategy, Duration::from_secs(seconds)) {
                Said::Holds => counts.holds += 1,
                Said::Violated => counts.violated += 1,
                Said::Late => counts.late += 1,
                Said::Wrong(how) => panic!("design {seed}, property {property}: {how}"),
            }
        }
    }
    counts
}
