//! Random designs under the presets: each verdict against the exploration of all states, each proof and each violation
//! checked.

mod designs;

use designs::{Explorer, Generator, is_proof};
use std::time::Duration;
use tamis_cegar::{Outcome, Search, Silent, Strategy, check, preset, preset_names};
use tamis_design::{DesignSystem, Run};
use tamis_logic::Terms;
use tamis_solver::Budget;

fn named(name: &str) -> (String, Strategy) {
    (name.to_owned(), preset(name).expect("there is one").expect("that can be read"))
}

fn with(base: &str, more: &str) -> (String, Strategy) {
    let text = format!(
        "engine = \"implications\"\nexploration = \"boolean-program\"\nsearches = [\"cegar\"]\n{more}\n[refinement]\nsource = \"{base}\""
    );
    (format!("{base} {more}"), Strategy::from_toml(&text).expect("a strategy"))
}

/// Checks designs from `first` on under strategies; how many were safe.
fn agree(first: u64, count: u64, bits: u32, strategies: &[(String, Strategy)]) -> usize {
    let mut safe_ones = 0;
    for seed in first..first + count {
        for (name, strategy) in strategies {
            let mut terms = Terms::new();
            let mut generator = Generator::new(seed);
            generator.state_bits = bits;
            let design = generator.design(&mut terms);
            let safe = Explorer::new(&terms, &design).is_safe(&terms);
            let system = DesignSystem::new(&mut terms, &design, 0);
            let budget = Budget::with_timeout(Duration::from_secs(60));
            let (outcome, _) = check(&mut terms, &system, strategy, &budget, &mut Silent);
            match outcome {
                Outcome::Safe(proof) => {
                    assert!(safe, "{name}, design {seed}: a proof of what is violated");
                    assert!(is_proof(&mut terms, &system, &proof), "{name}, design {seed}: no proof");
                }
                Outcome::Exhausted(_) | Outcome::KInductive(_) => {
                    assert!(safe, "{name}, design {seed}: not all executions end")
                }
                Outcome::Unsafe(trace) => {
                    let run =
                        Run::new(&terms, &design, &DesignSystem::stimulus(&trace)).expect("an execution");
                    assert!(run.violates(&terms, &design, 0), "{name}, design {seed}: no violation");
                }
                Outcome::Unknown(why) => panic!("{name}, design {seed}: {why:?}"),
            }
            safe_ones += usize::from(safe);
        }
    }
    safe_ones
}

#[test]
fn the_hybrid_model_is_never_wrong() {
    let presets = ["ctl", "ctl-old", "ctl-naive"].map(named);
    let safe = agree(0, 1000, 7, &presets);
    assert!(safe > 600, "only {safe} of 3000 were safe");
    agree(100_000, 60, 10, &presets);
}

/// What else a preset may say of it.
#[test]
fn no_option_makes_it_wrong() {
    let options = [
        with(
            "branch-candidates",
            "[hybrid]\ncorrelations = \"sat\"\nmerge-share = 0.1\npredicates-per-bit = 0.01",
        ),
        with("branch-candidates", "[hybrid]\ncorrelations = \"none\"\nmax-inputs = 1"),
        with("core-wp", "[hybrid]\nmerge-share = 1.0\npredicates-per-bit = 1.0\nknown-share = 0.0"),
        with("failing-guard", "[literals]\nbefore = 1\nafter = 2"),
        with("core-sp", "[literals]\nbefore = 0\nafter = 0\n[hybrid]"),
        (
            "exact".to_owned(),
            Strategy::from_toml(
                "engine = \"allsat\"\nexploration = \"boolean-program\"\nsearches = [\"cegar\"]\n[hybrid]",
            )
            .expect("a strategy"),
        ),
    ];
    agree(200_000, 250, 6, &options);
}

#[test]
fn every_preset_agrees() {
    // A search that only looks for violations has nothing to say of a design without one.
    let presets: Vec<_> = preset_names()
        .map(named)
        .filter(|(_, strategy)| strategy.searches.iter().any(|s| matches!(s, Search::Cegar | Search::Ic3Ia)))
        .collect();
    agree(300_000, 120, 6, &presets);
}
