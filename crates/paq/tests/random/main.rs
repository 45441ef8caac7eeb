//! The engines on random queries over each theory, against one solver call for each minterm.

#![allow(clippy::unwrap_used)]

mod generate;

use generate::{RandomQuery, THEORIES, Theory, query};
use tamis_diagram::{Bdd, Diagrams};
use tamis_logic::Term;
use tamis_paq::{
    AllSat, Baseline, Cartesian, Context, Cubes, Engine, Interrupted, MaxCube, Min, Predicate, Query,
    Successive, negation, strongest, weakest,
};
use tamis_solver::{Answer, Budget, Solver, Stop};

/// A query with its diagrams.
struct Case {
    random: RandomQuery,
    diagrams: Diagrams,
    predicates: Vec<Predicate>,
}

impl Case {
    fn new(theory: Theory, seed: u64, most: u64) -> Case {
        let random = query(theory, seed, most);
        let mut diagrams = Diagrams::new(1 << 16);
        let predicates = random
            .predicates
            .iter()
            .map(|&formula| Predicate { formula, var: diagrams.new_var().unwrap() })
            .collect();
        Case { random, diagrams, predicates }
    }

    /// `G_P(φ)` by its definition; `None` where the solver gives up.
    fn brute_force(&mut self, formula: &[Term]) -> Option<Bdd> {
        let terms = &mut self.random.terms;
        let mut solver = Solver::new(&Budget::unlimited());
        formula.iter().for_each(|&conjunct| solver.assert(terms, conjunct));
        let mut minterms = Vec::new();
        for bits in 0..1u32 << self.predicates.len() {
            let value = |i: usize| bits >> i & 1 == 1;
            let mut assumed = Vec::new();
            for (i, p) in self.predicates.iter().enumerate() {
                assumed.push(if value(i) { p.formula } else { terms.not(p.formula) });
            }
            match solver.check(terms, &assumed) {
                Ok(Answer::Sat) => minterms
                    .push(self.predicates.iter().enumerate().map(|(i, p)| (p.var, value(i))).collect()),
                Ok(Answer::Unsat) => {}
                Err(Stop::Unsupported) => return None,
                Err(stop) => panic!("{stop}"),
            }
        }
        Some(self.diagrams.union_of_cubes(&minterms).unwrap())
    }

    fn ask(&mut self, engine: &dyn Engine, dual: bool) -> Option<(Bdd, bool)> {
        let budget = Budget::unlimited();
        let mut query = Query {
            terms: &mut self.random.terms,
            diagrams: &mut self.diagrams,
            formula: &self.random.formula,
            predicates: &self.predicates,
            budget: &budget,
        };
        match if dual { weakest(engine, &mut query) } else { strongest(engine, &mut query) } {
            Ok(answer) => Some((answer.function, answer.exact)),
            Err(Interrupted::Stopped(Stop::Unsupported)) => None,
            Err(why) => panic!("{why:?}"),
        }
    }
}

fn exact_engines() -> Vec<Box<dyn Engine>> {
    vec![
        Box::new(AllSat),
        Box::new(Cubes),
        Box::new(Min::default()),
        Box::new(Min { head_start: 0, ..Min::default() }),
        Box::new(Baseline::Naive),
        Box::new(Baseline::BlackBox),
        Box::new(Baseline::NoTheoryPropagation),
        Box::new(Successive { step: 2, seed: 7, ..Successive::default() }),
        Box::new(Successive { step: 3, incremental: false, ..Successive::default() }),
    ]
}

/// How many queries were answered, of which so many seeds.
fn exact_engines_agree(seeds: std::ops::Range<u64>, most: u64) {
    for theory in THEORIES {
        let mut answered = 0;
        for seed in seeds.clone() {
            let mut case = Case::new(theory, seed, most);
            let formula = case.random.formula.clone();
            let Some(expected) = case.brute_force(&formula) else { continue };
            answered += 1;
            for engine in exact_engines() {
                let Some((found, exact)) = case.ask(engine.as_ref(), false) else { continue };
                assert!(exact, "{theory:?} {seed} {}", engine.name());
                assert!(found == expected, "{theory:?}, seed {seed}: {}", engine.name());
            }
        }
        assert!(answered > (seeds.end - seeds.start) / 2, "{theory:?}: {answered}");
    }
}

#[test]
fn exact_engines_agree_with_brute_force() {
    exact_engines_agree(0..150, 6);
}

#[test]
#[ignore = "thousands of queries for each theory; for releases"]
fn exact_engines_agree_with_brute_force_on_many() {
    exact_engines_agree(1000..4000, 8);
    exact_engines_agree(4000..4200, 12);
}

#[test]
fn the_weakest_combination_is_the_dual() {
    for theory in THEORIES {
        for seed in 0..40 {
            let mut case = Case::new(theory, seed, 4);
            let (negation, meanings) =
                negation(&mut case.random.terms, &case.random.formula, &case.predicates);
            let named = std::mem::replace(&mut case.predicates, meanings);
            let dual = case.brute_force(&[negation]);
            case.predicates = named;
            let Some(dual) = dual else { continue };
            let expected = case.diagrams.not(&dual);
            for engine in [&AllSat as &dyn Engine, &Cubes] {
                let Some((found, _)) = case.ask(engine, true) else { continue };
                assert!(found == expected, "{theory:?}, seed {seed}: {}", engine.name());
            }
        }
    }
}

#[test]
fn approximations_are_implied_by_the_exact_answer() {
    let engines: [Box<dyn Engine>; 5] = [
        Box::new(Cartesian),
        Box::new(MaxCube { size: 1 }),
        Box::new(MaxCube { size: 2 }),
        Box::new(MaxCube { size: 3 }),
        Box::new(Successive { last: Some(2), ..Successive::default() }),
    ];
    for theory in THEORIES {
        for seed in 200..300 {
            let mut case = Case::new(theory, seed, 6);
            let Some((exact, _)) = case.ask(&AllSat, false) else { continue };
            for engine in &engines {
                let Some((found, is_exact)) = case.ask(engine.as_ref(), false) else { continue };
                assert!(case.diagrams.is_subset(&exact, &found), "{theory:?} {seed} {}", engine.name());
                assert!(!is_exact || found == exact, "{theory:?} {seed} {}", engine.name());
            }
        }
    }
}

/// All clauses of at most `size` literals that hold, by going through them.
fn clauses(case: &Case, exact: &Bdd, size: u32) -> Bdd {
    let (diagrams, count) = (&case.diagrams, case.predicates.len() as u32);
    let mut all = diagrams.tru();
    for code in 0..3u32.pow(count) {
        let digit = |i: u32| code / 3u32.pow(i) % 3;
        let literals: Vec<_> = (0..count)
            .filter(|&i| digit(i) < 2)
            .map(|i| (case.predicates[i as usize].var, digit(i) == 1))
            .collect();
        let outside = diagrams.cube(&literals).unwrap();
        let clause = diagrams.not(&outside);
        if literals.len() as u32 <= size && diagrams.is_subset(exact, &clause) {
            all = diagrams.and(&all, &clause).unwrap();
        }
    }
    all
}

#[test]
fn bounded_clauses_are_the_strongest_of_their_size() {
    for theory in THEORIES {
        for seed in 300..350 {
            let mut case = Case::new(theory, seed, 5);
            let Some((exact, _)) = case.ask(&AllSat, false) else { continue };
            for size in 1..4 {
                let Some((found, _)) = case.ask(&MaxCube { size }, false) else { continue };
                let expected = clauses(&case, &exact, size as u32);
                assert!(found == expected, "{theory:?}, seed {seed}, size {size}");
            }
        }
    }
}

#[test]
fn successive_approximations_decrease_to_the_exact_answer() {
    for theory in THEORIES {
        for seed in 400..450 {
            let mut case = Case::new(theory, seed, 7);
            let Some((exact, _)) = case.ask(&AllSat, false) else { continue };
            for (step, incremental) in [(1, true), (1, false), (2, true), (5, true)] {
                let mut solver = Solver::new(&Budget::unlimited());
                let RandomQuery { terms, formula, .. } = &mut case.random;
                formula.iter().for_each(|&conjunct| solver.assert(terms, conjunct));
                let (diagrams, solver) = (&mut case.diagrams, &mut solver);
                let mut context = Context { terms, diagrams, solver, formula };
                let engine = Successive { step, incremental, seed, ..Successive::default() };
                let mut chain: Vec<(usize, Bdd)> = Vec::new();
                let found = engine.approximations(&mut context, &[], &case.predicates, &mut |step| {
                    chain.push((step.size, step.function.clone()));
                    true
                });
                let found = match found {
                    Err(Interrupted::Stopped(Stop::Unsupported)) => continue,
                    found => found.unwrap(),
                };
                assert!(found.function == exact, "{theory:?}, seed {seed}");
                assert_eq!(chain.last().map(|(_, last)| last), Some(&exact));
                for pair in chain.windows(2) {
                    assert!(pair[0].0 < pair[1].0);
                    assert!(case.diagrams.is_subset(&pair[1].1, &pair[0].1), "{theory:?}, seed {seed}");
                }
            }
        }
    }
}
