//! Random small designs under every search: the verdict against the exploration of all states, proofs by direct questions,
//! executions by replay.

mod small_designs;

use small_designs::{is_violated, random_design};
use std::time::Duration;
use tamis_cegar::{Outcome, Search, Silent, Strategy, check};
use tamis_design::{Design, DesignSystem, Run};
use tamis_logic::Terms;
use tamis_solver::{Answer, Budget, Solver};
use tamis_system::{Invariants, StepId, System};
use tamis_testing::Random;

/// Whether every step leads from where the formula of its start holds to where that of its end does.
fn is_proof(terms: &mut Terms, system: &DesignSystem<'_>, invariants: &Invariants) -> bool {
    (0..).map(StepId).zip(system.steps().to_vec()).all(|(id, ends)| {
        let mut formula = system.encode(terms, id, &system.symbolic());
        let mut solver = Solver::new(&Budget::unlimited());
        solver.assert(terms, invariants[ends.from]);
        formula.constraints.iter().for_each(|&c| solver.assert(terms, c));
        let after = system.read(terms, &mut formula.post, invariants[ends.to]);
        let not = terms.not(after);
        solver.assert(terms, not);
        solver.check(terms, &[]) == Ok(Answer::Unsat)
    })
}

/// The verdict of some searches, its evidence checked; `None` if it was not found in time.
fn verdict(terms: &mut Terms, design: &Design, searches: &[Search], time: Duration) -> Option<bool> {
    let system = DesignSystem::new(terms, design, 0);
    let strategy = Strategy { searches: searches.to_vec(), ..Strategy::default() };
    let (outcome, _) = check(terms, &system, &strategy, &Budget::with_timeout(time), &mut Silent);
    match outcome {
        Outcome::Safe(invariants) => {
            assert!(is_proof(terms, &system, &invariants), "no proof");
            Some(true)
        }
        Outcome::Exhausted(_) | Outcome::KInductive(_) => Some(true),
        Outcome::Unsafe(trace) => {
            let run = Run::new(terms, design, &DesignSystem::stimulus(&trace)).expect("an execution");
            assert!(run.violates(terms, design, 0), "no violation");
            Some(false)
        }
        Outcome::Unknown(_) => None,
    }
}

/// Compares verdicts on random designs; those that are safe, violated, and without a verdict.
fn compare(searches: &[Search], seeds: std::ops::Range<u64>, only_violated: bool) -> (u64, u64, u64) {
    let (mut safe, mut violated, mut late) = (0, 0, 0);
    for seed in seeds {
        let mut terms = Terms::new();
        let design = random_design(&mut terms, &mut Random::new(seed));
        let expected = !is_violated(&terms, &design);
        if expected && only_violated {
            continue;
        }
        match verdict(&mut terms, &design, searches, Duration::from_secs(20)) {
            Some(found) => assert_eq!(found, expected, "{searches:?}, seed {seed}"),
            None => late += 1,
        }
        if expected { safe += 1 } else { violated += 1 }
    }
    println!("{searches:?}: {safe} safe, {violated} violated, {late} without a verdict");
    (safe, violated, late)
}

#[test]
fn ic3_agrees_with_exploration() {
    let (safe, violated, late) = compare(&[Search::Ic3], 0..5000, false);
    assert!(safe > 1000 && violated > 1000 && late == 0);
}

#[test]
fn ic3_over_predicates_agrees_with_exploration() {
    let (safe, violated, late) = compare(&[Search::Ic3Ia], 10_000..11_000, false);
    assert!(safe > 200 && violated > 200 && late == 0);
}

#[test]
fn k_induction_agrees_with_exploration() {
    let (safe, violated, late) = compare(&[Search::KInduction], 5000..6000, false);
    assert!(safe > 200 && violated > 200 && late <= 15, "{late} without a verdict");
}

#[test]
fn bounded_search_finds_all_violations() {
    let (_, violated, late) = compare(&[Search::Bounded], 7000..7800, true);
    assert!(violated > 200 && late == 0);
}

#[test]
fn all_searches_together_agree_with_exploration() {
    let all = [Search::Cegar, Search::Bounded, Search::KInduction, Search::Ic3, Search::Ic3Ia];
    let (_, _, late) = compare(&all, 8000..8300, false);
    assert_eq!(late, 0);
}
