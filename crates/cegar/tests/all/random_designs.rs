//! Random designs under every preset, every search and options of the hybrid model: each verdict against the enumeration of all
//! states, each proof and each violation checked. `examples/random_designs.rs` does the same for as many as one likes.

use crate::judged_designs::{Counts, Said, Size, compare, judged};
use std::time::Duration;
use tamis_cegar::{Search, Strategy, preset, preset_names};

const SMALL: Size = Size { state: 6, inputs: 3 };

fn named(name: &str) -> Strategy {
    preset(name).expect("there is one").expect("that can be read")
}

fn searches(searches: &[Search]) -> Strategy {
    Strategy { searches: searches.to_vec(), ..Strategy::default() }
}

#[test]
fn the_default_is_right() {
    let Counts { holds, violated, late } =
        compare(&Strategy::default(), 60, 0..1000, &Size { state: 8, inputs: 3 });
    assert!(holds > 300 && violated > 300 && late == 0, "{holds} hold, {violated} are violated, {late}");
    let Counts { holds, violated, late } =
        compare(&Strategy::default(), 60, 10_000..10_100, &Size { state: 12, inputs: 4 });
    assert!(holds > 30 && violated > 30 && late == 0, "{holds} hold, {violated} are violated, {late}");
}

#[test]
fn the_hybrid_model_is_right() {
    for name in ["ctl", "ctl-old", "ctl-naive"] {
        let Counts { holds, violated, .. } = compare(&named(name), 10, 100_000..100_500, &SMALL);
        assert!(holds > 150 && violated > 150, "{name}: {holds} hold, {violated} are violated");
    }
}

/// What else a preset may say of the hybrid model.
#[test]
fn no_option_makes_it_wrong() {
    let with = |base: &str, more: &str| {
        let text = format!(
            "engine = \"implications\"\nexploration = \"boolean-program\"\nsearches = [\"cegar\"]\n{more}\n[refinement]\n\
             source = \"{base}\""
        );
        Strategy::from_toml(&text).expect("a strategy")
    };
    let options = [
        with(
            "branch-candidates",
            "[hybrid]\ncorrelations = \"sat\"\nmerge-share = 0.1\npredicates-per-bit = 0.01",
        ),
        with("branch-candidates", "[hybrid]\ncorrelations = \"none\"\nmax-inputs = 1"),
        with("core-wp", "[hybrid]\nmerge-share = 1.0\npredicates-per-bit = 1.0\nknown-share = 0.0"),
        with("failing-guard", "[literals]\nbefore = 1\nafter = 2"),
        with("core-sp", "[literals]\nbefore = 0\nafter = 0\n[hybrid]"),
        Strategy::from_toml(
            "engine = \"allsat\"\nexploration = \"boolean-program\"\nsearches = [\"cegar\"]\n[hybrid]",
        )
        .expect("a strategy"),
    ];
    for (i, strategy) in options.iter().enumerate() {
        let Counts { holds, violated, .. } = compare(strategy, 10, 200_000..200_100, &SMALL);
        assert!(holds > 25 && violated > 25, "{i}: {holds} hold, {violated} are violated");
    }
}

/// Some of the papers' strategies take long for some designs, which are left out. A bounded search alone takes as long as it
/// is given wherever there is no violation, and random walks say nothing there.
#[test]
fn every_preset_is_right() {
    for name in preset_names() {
        let strategy = named(name);
        if strategy.searches == [Search::Bounded] || strategy.searches == [Search::Walks] {
            continue;
        }
        let Counts { holds, violated, .. } =
            compare(&strategy, 1, 300_000..300_040, &Size { state: 4, inputs: 2 });
        assert!(holds > 5 && violated > 5, "{name}: {holds} hold, {violated} are violated");
    }
}

#[test]
fn every_search_is_right() {
    let size = Size { state: 9, inputs: 4 };
    let Counts { holds, violated, late } = compare(&searches(&[Search::Ic3]), 20, 400_000..401_500, &size);
    assert!(holds > 400 && violated > 400 && late == 0, "{holds} hold, {violated} are violated, {late}");
    let innards = searches(&[Search::Ic3Innards]);
    let Counts { holds, violated, late } = compare(&innards, 20, 405_000..405_500, &size);
    assert!(holds > 100 && violated > 100 && late == 0, "{holds} hold, {violated} are violated, {late}");
    let Counts { holds, violated, late } =
        compare(&searches(&[Search::KInduction]), 5, 410_000..410_300, &SMALL);
    assert!(holds > 80 && violated > 80 && late <= 15, "{holds} hold, {violated} are violated, {late}");
    let predicates = searches(&[Search::Ic3Ia]);
    let Counts { holds, violated, late } = compare(&predicates, 20, 407_000..407_500, &size);
    assert!(holds > 100 && violated > 100 && late == 0, "{holds} hold, {violated} are violated, {late}");
    let all = [
        Search::Cegar,
        Search::Bounded,
        Search::KInduction,
        Search::Ic3,
        Search::Ic3Innards,
        Search::Ic3Ia,
        Search::Walks,
    ];
    let Counts { late, .. } = compare(&searches(&all), 20, 420_000..420_200, &size);
    assert_eq!(late, 0);
}

#[test]
fn the_bounded_search_finds_all_violations() {
    let strategy = searches(&[Search::Bounded]);
    for seed in 430_000..430_400 {
        let judged = judged(seed, &Size { state: 9, inputs: 4 });
        for property in (0..judged.holds.len()).filter(|&p| !judged.holds[p]) {
            let said = judged.ask(property, &strategy, Duration::from_secs(60));
            assert_eq!(said, Said::Violated, "design {seed}, property {property}");
        }
    }
}
