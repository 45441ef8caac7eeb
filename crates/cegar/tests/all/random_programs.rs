//! Random programs over at most three variables of 4 to 8 bits, or over two of 2 bits and memory: the verdict of the loop under every preset, with its
//! evidence checked, against the exploration of all states by a separate, direct interpreter.

use crate::explicit::reaches_error;
use crate::generate::{Random, TinyProgram};
use std::collections::BTreeMap;
use std::time::Duration;
use tamis_cegar::{
    EngineKind, ExplorationKind, Interpolation, Iteration, KInduction, Keep, Observer, Outcome, Search,
    Statistics, Strategy, preset, preset_names,
};
use tamis_diagram::Bdd;
use tamis_evidence::{
    Certificate, Exhaustion, certify, certify_exhausted, certify_k_inductive, exhaust, replay,
};
use tamis_logic::Terms;
use tamis_paq::Interrupted;
use tamis_program::{ProgramSystem, executed};
use tamis_solver::{Budget, Stop};
use tamis_system::{Point, System};

/// The loop's verdict on a program and what it took; `None` if it did not reach one in time.
fn verdict(tiny: &TinyProgram, strategy: &Strategy, seconds: u64) -> Option<(bool, Statistics)> {
    let mut terms = Terms::new();
    let program = tiny.build(&mut terms);
    let system = ProgramSystem::over(&terms, &program, strategy.summary.parse().expect("a summary"));
    let budget = Budget::with_timeout(Duration::from_secs(seconds));
    let mut returns = Returns::default();
    let (outcome, statistics) = tamis_cegar::check(&mut terms, &system, strategy, &budget, &mut returns);
    // A path that was refuted does not come back: at all where every iteration explores the abstract model as a whole,
    // and at most once where parts with older predicates are kept, or where an engine that is not exact gives way.
    let whole = !matches!(strategy.exploration, ExplorationKind::Tree | ExplorationKind::Rings);
    match (whole && strategy.engine == EngineKind::AllSat, strategy.refinement.keep) {
        (true, _) => assert_eq!(returns.most, 0, "a path came back: {tiny:#?}"),
        (false, Keep::Monotone) => assert!(returns.most <= 2, "a path keeps coming back: {tiny:#?}"),
        (false, _) => {}
    }
    match outcome {
        Outcome::Safe(invariants) => {
            let invariants = system.at_locations(&invariants);
            let certificate = Certificate { invariants };
            certify(&mut terms, &program, &certificate, &Budget::unlimited()).expect("a proof is certified");
            Some((true, statistics))
        }
        Outcome::Exhausted(steps) => {
            let rounds = steps * program.locations().count();
            exhaust(&mut terms, &program, rounds, &Budget::unlimited()).expect("a proof is certified");
            Some((true, statistics))
        }
        Outcome::Unwound(returns) => {
            let proof = Exhaustion { last: returns.last, returns: returns.count };
            certify_exhausted(&mut terms, &program, &proof, &Budget::unlimited())
                .expect("a proof is certified");
            Some((true, statistics))
        }
        Outcome::Bounded(_) => panic!("no bound was asked for"),
        Outcome::KInductive(proof) => {
            let facts = proof.facts.map(|facts| system.at_locations(&facts));
            let truth = terms.tru();
            let points = (0..system.points() as u32).map(|p| (system.location(Point(p)), truth));
            let invariants = facts.unwrap_or_else(|| points.collect());
            let KInduction { k, simple_path, .. } = proof;
            let proof = tamis_evidence::KInduction { k, simple_path, facts: Certificate { invariants } };
            certify_k_inductive(&mut terms, &program, &proof, &Budget::unlimited())
                .expect("a proof is certified");
            Some((true, statistics))
        }
        Outcome::Unsafe(trace) => {
            replay(&terms, &program, &trace.initial, &executed(&trace.execution))
                .expect("a counterexample is replayed");
            Some((false, statistics))
        }
        Outcome::Unknown(Interrupted::Stopped(Stop::Timeout)) => None,
        // They end where they meet nothing new, and prove nothing.
        Outcome::Unknown(_) if strategy.searches == [Search::Walks] => None,
        Outcome::Unknown(why) => panic!("gave up on a small program: {why:?}"),
    }
}

/// How often paths come back that have been refuted.
#[derive(Default)]
struct Returns {
    most: usize,
}

impl Observer for Returns {
    fn image(&mut self, _: &Bdd) {}

    fn iteration(&mut self, _: &Terms, _: &Statistics, iteration: &Iteration) {
        let returns = iteration.counterexample.as_ref().map_or(0, |trace| trace.returns);
        self.most = self.most.max(returns);
    }
}

#[derive(Default, Debug)]
struct Tally {
    safe: u64,
    violated: u64,
    refined: u64,
    late: Vec<u64>,
    /// Violations that were not found.
    missed: u64,
    /// The branches that the predicates came from in the end, for each seed.
    branches: BTreeMap<u64, usize>,
}

/// Compares the verdicts on the programs of the given seeds.
fn compare(name: &str, strategy: &Strategy, seeds: std::ops::Range<u64>, seconds: u64) -> Tally {
    let of_variables = |seed: u64| match seed % 2 {
        0 => TinyProgram::random(&mut Random::new(seed)),
        _ => TinyProgram::looping(&mut Random::new(seed)),
    };
    compare_on(name, strategy, seeds.map(|seed| (seed, of_variables(seed))), seconds)
}

/// Compares the verdicts on programs with memory.
fn compare_with_memory(name: &str, strategy: &Strategy, seeds: std::ops::Range<u64>, seconds: u64) -> Tally {
    let programs = seeds.map(|seed| (seed, TinyProgram::with_memory(&mut Random::new(seed))));
    compare_on(&format!("{name}, memory"), strategy, programs, seconds)
}

fn compare_on(
    name: &str,
    strategy: &Strategy,
    programs: impl Iterator<Item = (u64, TinyProgram)>,
    seconds: u64,
) -> Tally {
    let mut tally = Tally::default();
    for (seed, tiny) in programs {
        let expected = !reaches_error(&tiny);
        match verdict(&tiny, strategy, seconds) {
            Some((found, statistics)) => {
                assert_eq!(found, expected, "{name}, seed {seed}: {tiny:#?}");
                tally.refined += u64::from(statistics.iterations > 1);
                tally.branches.insert(seed, statistics.branches);
            }
            None => {
                tally.late.push(seed);
                tally.missed += u64::from(!expected);
            }
        }
        if expected { tally.safe += 1 } else { tally.violated += 1 }
    }
    let Tally { safe, violated, refined, late, .. } = &tally;
    println!("{name}: {safe} safe, {violated} violated, {refined} refined, without a verdict {late:?}");
    tally
}

/// The default without its bounded search: the loop has to find violations itself.
fn the_loop_alone() -> Strategy {
    Strategy { searches: vec![Search::Cegar], ..Strategy::default() }
}

/// The loop alone, with IC3 over predicates.
fn ic3_over_predicates() -> Strategy {
    Strategy { exploration: ExplorationKind::Ic3, ..the_loop_alone() }
}

/// The presets that have the loop.
fn loop_presets() -> impl Iterator<Item = &'static str> {
    preset_names().filter(|name| {
        let searches = preset(name).expect("there is one").expect("that can be read").searches;
        searches.iter().any(|s| matches!(s, Search::Cegar | Search::Ic3Ia))
    })
}

#[test]
fn ic3_agrees_with_explicit_exploration() {
    const PROGRAMS: u64 = 1000;
    let tally = compare("ic3", &preset("ic3").unwrap().unwrap(), 9000..9000 + PROGRAMS, 60);
    assert!(tally.safe > PROGRAMS / 5 && tally.violated > PROGRAMS / 5);
    assert!(tally.late.is_empty(), "programs without a verdict: {:?}", tally.late);
}

/// Invariants that are guessed, and k-induction with them: what they prove is certified, and nothing else is proved.
#[test]
fn guesses_and_induction_agree_with_explicit_exploration() {
    const PROGRAMS: u64 = 200;
    let tally = compare("k-induction", &named("k-induction"), 11_000..11_000 + PROGRAMS, 10);
    assert!(tally.safe > PROGRAMS / 5 && tally.violated > PROGRAMS / 5);
    assert!(tally.late.len() as u64 <= PROGRAMS / 5, "programs without a verdict: {:?}", tally.late);
    let alone = Strategy { searches: vec![Search::Invariants, Search::Bounded], ..Strategy::default() };
    let tally = compare("invariants", &alone, 12_000..12_000 + PROGRAMS / 2, 2);
    assert!(tally.late.len() as u64 <= PROGRAMS / 4, "programs without a verdict: {:?}", tally.late);
    // IC3 waits for the facts of so small programs.
    let with_facts = Strategy { searches: vec![Search::Ic3Ia, Search::Invariants], ..Strategy::default() };
    let tally = compare("IC3 with facts", &with_facts, 15_000..15_000 + PROGRAMS, 20);
    assert!(tally.late.is_empty(), "programs without a verdict: {:?}", tally.late);
    let all = Strategy::default();
    let tally = compare("all", &all, 13_000..13_000 + PROGRAMS, 20);
    assert!(tally.late.is_empty(), "programs without a verdict: {:?}", tally.late);
}

/// Walks prove nothing. In small programs they find nearly all violations, and no others.
#[test]
fn walks_find_violations() {
    const PROGRAMS: u64 = 600;
    let tally = compare("walks", &named("walks"), 14_000..14_000 + PROGRAMS, 20);
    assert!(tally.violated > PROGRAMS / 5);
    assert!(tally.missed <= tally.violated / 50, "{} of {} are missed", tally.missed, tally.violated);
}

/// To be run by hand: 5,000 programs.
#[test]
#[ignore = "takes minutes"]
fn k_induction_agrees_on_many_programs() {
    compare("k-induction", &named("k-induction"), 20_000..25_000, 1);
    compare_with_memory("k-induction, memory", &named("k-induction"), 25_000..27_000, 1);
}

/// Likewise.
#[test]
#[ignore = "takes minutes"]
fn guesses_agree_on_many_programs() {
    let alone = Strategy { searches: vec![Search::Invariants, Search::Bounded], ..Strategy::default() };
    compare("invariants", &alone, 30_000..35_000, 1);
    compare_with_memory("invariants, memory", &alone, 35_000..37_000, 1);
}

/// Likewise.
#[test]
#[ignore = "takes minutes"]
fn the_default_agrees_on_many_programs() {
    compare("default", &Strategy::default(), 40_000..45_000, 1);
}

/// Likewise.
#[test]
#[ignore = "takes minutes"]
fn walks_agree_on_many_programs() {
    compare("walks", &named("walks"), 45_000..50_000, 2);
}

/// Likewise. All searches have to take turns, and nobody has a head start.
#[test]
#[ignore = "takes minutes"]
fn ic3_agrees_on_many_programs() {
    compare("ic3", &named("ic3"), 50_000..55_000, 2);
    let together =
        Strategy { searches: vec![Search::Walks, Search::Ic3, Search::Ic3Ia], ..Strategy::default() };
    compare("walks and IC3", &together, 55_000..60_000, 2);
}

/// Likewise.
#[test]
#[ignore = "takes minutes"]
fn ic3_with_facts_agrees_on_many_programs() {
    let with_facts = Strategy { searches: vec![Search::Ic3Ia, Search::Invariants], ..Strategy::default() };
    compare("IC3 with facts", &with_facts, 60_000..65_000, 2);
    compare_with_memory("IC3 with facts, memory", &with_facts, 65_000..67_000, 2);
}

/// To be run by hand: 5,000 programs, and as many with memory.
#[test]
#[ignore = "takes minutes"]
fn interpolants_agree_on_many_programs() {
    for interpolation in [Interpolation::McMillan, Interpolation::Dual] {
        let mut strategy = named("interpolation");
        strategy.refinement.interpolation = interpolation;
        compare(&format!("{interpolation:?}"), &strategy, 50_000..55_000, 5);
        compare_with_memory(&format!("{interpolation:?}"), &strategy, 55_000..60_000, 5);
    }
    compare("blast", &named("blast"), 60_000..62_000, 5);
    compare_with_memory("blast", &named("blast"), 62_000..64_000, 5);
}

fn named(name: &str) -> Strategy {
    preset(name).expect("there is one").expect("that can be read")
}

#[test]
fn ic3_over_predicates_agrees_with_explicit_exploration() {
    const PROGRAMS: u64 = 600;
    let tally = compare("ic3 over predicates", &ic3_over_predicates(), 10_000..10_000 + PROGRAMS, 60);
    // Conditions of branches are predicates from the start, which leaves little to refine.
    assert!(tally.safe > PROGRAMS / 5 && tally.violated > PROGRAMS / 5 && tally.refined > 0);
    assert!(tally.late.is_empty(), "programs without a verdict: {:?}", tally.late);
    let tally = compare_with_memory("ic3 over predicates", &ic3_over_predicates(), 0..PROGRAMS, 60);
    assert!(tally.safe > PROGRAMS / 5 && tally.violated > PROGRAMS / 5 && tally.refined > PROGRAMS / 20);
    assert!(tally.late.is_empty(), "programs without a verdict: {:?}", tally.late);
}

#[test]
fn the_loop_agrees_with_explicit_exploration() {
    const PROGRAMS: u64 = 1000;
    let tally = compare("loop", &the_loop_alone(), 2000..2000 + PROGRAMS, 60);
    // The generator is of no use if one verdict hardly occurs, and the loop of none if it does not end.
    assert!(tally.safe > PROGRAMS / 5 && tally.violated > PROGRAMS / 5 && tally.refined > PROGRAMS / 5);
    assert!(tally.late.is_empty(), "programs without a verdict: {:?}", tally.late);
    let cartesian = Strategy { engine: EngineKind::Cartesian, ..the_loop_alone() };
    let tally = compare("Cartesian", &cartesian, PROGRAMS..PROGRAMS + 250, 60);
    assert!(tally.late.is_empty(), "programs without a verdict: {:?}", tally.late);
}

#[test]
fn every_preset_agrees_with_explicit_exploration() {
    const PROGRAMS: u64 = 100;
    for name in loop_presets() {
        let strategy = preset(name).unwrap().unwrap();
        let tally = compare(name, &strategy, 0..PROGRAMS, 20);
        // Strategies that enumerate abstract states may run out of time; never many.
        assert!(tally.late.len() as u64 <= PROGRAMS / 20, "{name} has no verdict on {:?}", tally.late);
    }
}

/// What no preset has: other sources, minimisation with laziness, summaries and explorations in other combinations.
const COMBINATIONS: [(&str, &str, &str, &str, &str, &str); 15] = [
    ("cutset", "allsat", "explicit", "blocks", "interpolants", "minimize"),
    ("sbe", "cubes", "boolean-program", "simulation", "interpolants", "greedy"),
    ("cutset", "allsat", "rings", "blocks", "branch-candidates", "monotone"),
    ("sbe", "allsat", "explicit", "simulation", "branch-candidates", "minimize"),
    ("sbe", "allsat", "tree", "weakest-precondition", "core-sp", "monotone"),
    ("rule", "allsat", "tree", "blocks", "core-wp", "minimize"),
    ("sbe", "allsat", "tree", "blocks", "pred-infer", "minimize"),
    ("cutset", "allsat", "rings", "simulation", "pred-infer", "minimize"),
    ("cutset", "cartesian", "rings", "blocks", "core-sp", "greedy"),
    ("minimum-cutset", "allsat", "boolean-program", "weakest-precondition", "failing-guard", "greedy"),
    ("rule", "cartesian", "explicit", "simulation", "failing-guard", "monotone"),
    ("sbe", "cartesian", "boolean-program", "blocks", "pred-infer", "minimize"),
    ("sbe", "allsat", "ic3", "blocks", "pred-infer", "minimize"),
    ("cutset", "allsat", "ic3", "simulation", "branch-candidates", "greedy"),
    ("rule", "cartesian", "ic3", "weakest-precondition", "core-sp", "monotone"),
];

#[test]
fn other_combinations_agree_with_explicit_exploration() {
    const PROGRAMS: u64 = 80;
    for (summary, engine, exploration, check, source, keep) in COMBINATIONS {
        let text = format!(
            "summary = \"{summary}\"\nengine = \"{engine}\"\nexploration = \"{exploration}\"\n\
             trace-check = \"{check}\"\nsearches = [\"cegar\"]\n\
             [refinement]\nsource = \"{source}\"\nkeep = \"{keep}\"\n"
        );
        let name = format!("{summary} {engine} {exploration} {check} {source} {keep}");
        let strategy = Strategy::from_toml(&text).expect("a strategy");
        let tally = compare(&name, &strategy, 5000..5000 + PROGRAMS, 20);
        assert!(tally.late.len() as u64 <= PROGRAMS / 20, "{name} has no verdict on {:?}", tally.late);
    }
}

/// What is read and written at addresses that are not known, and memory that is chosen as a whole: no path survives.
#[test]
fn the_loop_agrees_on_programs_with_memory() {
    const PROGRAMS: u64 = 1500;
    let tally = compare_with_memory("loop", &the_loop_alone(), 0..PROGRAMS, 60);
    assert!(tally.safe > PROGRAMS / 5 && tally.violated > PROGRAMS / 5 && tally.refined > PROGRAMS / 5);
    assert!(tally.late.is_empty(), "programs without a verdict: {:?}", tally.late);
}

#[test]
fn every_preset_agrees_on_programs_with_memory() {
    const PROGRAMS: u64 = 150;
    for name in loop_presets() {
        let mut strategy = preset(name).unwrap().unwrap();
        strategy.searches.retain(|s| matches!(s, Search::Cegar | Search::Ic3Ia));
        let tally = compare_with_memory(name, &strategy, 7000..7000 + PROGRAMS, 20);
        assert!(tally.late.len() as u64 <= PROGRAMS / 20, "{name} has no verdict on {:?}", tally.late);
    }
}

/// Whether minima are sampled for long or a sufficient set is looked for at once: never more branches than without
/// minimisation, and fewer in sum.
#[test]
fn a_minimum_has_no_more_branches() {
    const PROGRAMS: u64 = 150;
    let named = |name: &str| preset(name).unwrap().unwrap();
    let all = compare("magic", &named("magic"), 0..PROGRAMS, 20);
    for patience in [0, 1, 10] {
        let mut strategy = named("magic-minimize");
        strategy.refinement.patience = patience;
        let least = compare("magic-minimize", &strategy, 0..PROGRAMS, 20);
        let both =
            least.branches.iter().filter_map(|(seed, &few)| Some((seed, few, *all.branches.get(seed)?)));
        let (mut few_in_sum, mut many_in_sum) = (0, 0);
        for (seed, few, many) in both {
            assert!(few <= many, "patience {patience}, seed {seed}: {few} branches instead of {many}");
            few_in_sum += few;
            many_in_sum += many;
        }
        assert!(few_in_sum < many_in_sum, "patience {patience}: {few_in_sum} of {many_in_sum} branches");
    }
}

/// To be run by hand: 5,000 programs for each preset.
#[test]
#[ignore = "takes half an hour"]
fn every_preset_agrees_on_many_programs() {
    for name in loop_presets() {
        compare(name, &preset(name).unwrap().unwrap(), 0..5000, 20);
    }
}
