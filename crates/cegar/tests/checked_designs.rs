//! Random designs with several properties: the verdict on each, with its evidence checked, against the enumeration of all
//! states.

#[path = "../../design/tests/support/explore.rs"]
mod explore;
#[path = "../../design/tests/support/random.rs"]
mod random;

use random::Size;
use std::time::Duration;
use tamis_cegar::{Outcome, Search, Silent, Strategy, check, preset, preset_names};
use tamis_design::{Design, DesignSystem, Run};
use tamis_evidence::design::{Proof, certify};
use tamis_logic::Terms;
use tamis_solver::{Budget, Stop};
use tamis_testing::Random;

/// Whether a property holds, if that is known in time.
fn verdict(
    terms: &mut Terms,
    design: &Design,
    property: usize,
    (strategy, seconds): (&Strategy, u64),
) -> Option<bool> {
    let cone = design.cone(terms, property);
    let system = DesignSystem::new(terms, &cone, 0);
    let budget = Budget::with_timeout(Duration::from_secs(seconds));
    let (outcome, _) = check(terms, &system, strategy, &budget, &mut Silent);
    let proof = match outcome {
        Outcome::Safe(invariants) => Proof::Invariant(invariants[DesignSystem::RUNNING]),
        Outcome::Exhausted(steps) => Proof::Exhaustion(steps),
        Outcome::KInductive(proof) => {
            let facts = terms.tru();
            Proof::KInduction { k: proof.k - 1, simple_path: proof.simple_path, facts }
        }
        Outcome::Unsafe(trace) => {
            let stimulus = DesignSystem::stimulus(&trace);
            let run = Run::new(terms, design, &stimulus).expect("an execution of the whole design");
            assert!(run.violates(terms, design, property), "the last cycle violates nothing");
            return Some(false);
        }
        Outcome::Unknown(tamis_paq::Interrupted::Stopped(Stop::Timeout)) => return None,
        Outcome::Unknown(why) => panic!("gave up on a small design: {why:?}"),
    };
    certify(terms, &cone, 0, &proof, &Budget::unlimited()).expect("a proof is certified");
    Some(true)
}

/// Compares verdicts on designs; how many properties are seen to hold and to be violated.
fn compare(strategy: (&Strategy, u64), seeds: std::ops::Range<u64>, size: &Size) -> [usize; 2] {
    let mut counts = [0; 2];
    for seed in seeds {
        let mut terms = Terms::new();
        let design = random::design(&mut Random::new(seed), &mut terms, size);
        for (property, violated) in explore::violations(&terms, &design).into_iter().enumerate() {
            let verdict = verdict(&mut terms.clone(), &design, property, strategy);
            if let Some(holds) = verdict {
                assert_eq!(holds, violated.is_none(), "design {seed}, property {property}");
                counts[usize::from(!holds)] += 1;
            }
        }
    }
    counts
}

#[test]
fn verdicts_are_those_of_enumeration() {
    let strategy = Strategy::default();
    let [safe, violated] = compare((&strategy, 60), 0..1000, &Size { state: 8, inputs: 3 });
    assert!(safe > 300 && violated > 300, "{safe} hold, {violated} are violated");
}

#[test]
fn larger_designs_too() {
    let strategy = Strategy::default();
    let [safe, violated] = compare((&strategy, 60), 10_000..10_100, &Size { state: 12, inputs: 4 });
    assert!(safe > 30 && violated > 30, "{safe} hold, {violated} are violated");
}

/// Some of the papers' strategies take long for some designs, which are left out. A bounded search alone takes as long as it
/// is given wherever there is no violation.
#[test]
fn every_preset_is_right() {
    for name in preset_names() {
        let strategy = preset(name).expect("there is one").expect("that can be read");
        if strategy.searches == [Search::Bounded] {
            continue;
        }
        let [safe, violated] = compare((&strategy, 1), 20_000..20_030, &Size { state: 4, inputs: 2 });
        assert!(safe > 5 && violated > 5, "{name}: {safe} hold, {violated} are violated");
    }
}
