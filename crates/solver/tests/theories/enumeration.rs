//! Enumeration against one question for each minterm.

use super::generate::{Generator, LOGICS, Logic, Random};
use std::collections::BTreeSet;
use tamis_logic::{Sort, Term, Terms};
use tamis_solver::{Answer, Budget, Cube, Enumeration, Solver, Strategy};

fn by_questions(t: &mut Terms, formulas: &[Term], important: &[Term]) -> BTreeSet<Vec<bool>> {
    let mut found = BTreeSet::new();
    for number in 0..1 << important.len() {
        let minterm: Vec<bool> = (0..important.len()).map(|i| number >> i & 1 == 1).collect();
        let mut question = formulas.to_vec();
        for (&p, &value) in important.iter().zip(&minterm) {
            question.push(if value { p } else { t.not(p) });
        }
        if Solver::new(&Budget::unlimited()).check(t, &question) == Ok(Answer::Sat) {
            found.insert(minterm);
        }
    }
    found
}

#[test]
fn every_projected_model_exactly_once_in_every_logic() {
    let mut models = 0;
    for logic in LOGICS {
        let mut random = Random::new(77);
        for round in 0..12 {
            let mut t = Terms::new();
            let mut generator = Generator::new(&mut t, &mut random, logic);
            let formulas: Vec<Term> = (0..2).map(|_| generator.formula(3)).collect();
            let important: Vec<Term> = (0..4).map(|_| generator.atom(2)).collect();
            let expected = by_questions(&mut t, &formulas, &important);
            for strategy in [Strategy::InSearch, Strategy::Naive, Strategy::BlackBox] {
                let mut solver = Solver::new(&Budget::unlimited());
                solver.assert(&t, formulas[0]);
                let before = solver.check(&t, &formulas[1..]);
                let mut found = BTreeSet::new();
                let done = solver.enumerate_by(strategy, &t, &formulas[1..], &important, &mut |model| {
                    assert!(found.insert(model.to_vec()), "found twice");
                    Cube::Minterm
                });
                assert_eq!(found, expected, "{logic:?}, {strategy:?}, round {round}");
                let count = expected.len() as u64;
                assert_eq!(done, Ok(Enumeration { models: count, duplicates: 0, complete: true }));
                assert_eq!(solver.check(&t, &formulas[1..]), before, "after {logic:?}, {strategy:?}");
            }
            models += expected.len();
        }
    }
    assert!(models > 300, "{models} models test too little");
}

/// The logics of predicate abstraction queries, and their neighbours.
const ABSTRACTIONS: [Logic; 9] = [
    Logic::Idl,
    Logic::Rdl,
    Logic::Lia,
    Logic::Lra,
    Logic::Uf,
    Logic::UfLia,
    Logic::AufLia,
    Logic::Abv,
    Logic::UfBv,
];

/// The minterms over `important` that are satisfiable, by questions to one solver: those that begin like a part that is
/// not satisfiable are not asked about.
fn by_extension(t: &mut Terms, formulas: &[Term], important: &[Term]) -> BTreeSet<Vec<bool>> {
    let mut solver = Solver::new(&Budget::unlimited());
    formulas.iter().for_each(|&formula| solver.assert(t, formula));
    let mut level = vec![Vec::new()];
    for (at, &p) in important.iter().enumerate() {
        let mut next: Vec<Vec<bool>> = Vec::new();
        for part in level {
            for value in [false, true] {
                let mut longer: Vec<bool> = part.clone();
                longer.push(value);
                let mut assumed: Vec<Term> = Vec::new();
                for (&q, &value) in important[..at].iter().chain([&p]).zip(&longer) {
                    assumed.push(if value { q } else { t.not(q) });
                }
                if solver.check(t, &assumed) == Ok(Answer::Sat) {
                    next.push(longer);
                }
            }
        }
        level = next;
    }
    level.into_iter().collect()
}

/// A query as in [SMT §3]: a formula, and Booleans that stand for predicates. Some predicates are in the formula too, some
/// Booleans are of a whole formula, and some stand for the same predicate.
fn abstraction(t: &mut Terms, random: &mut Random, logic: Logic, count: usize) -> (Vec<Term>, Vec<Term>) {
    let mut generator = Generator::new(t, random, logic);
    let mut formulas: Vec<Term> = (0..2).map(|_| generator.formula(2)).collect();
    let mut important = Vec::new();
    let mut last = formulas[0];
    for at in 0..count {
        let predicate = match generator.random.below(12) {
            0 => generator.formula(2),
            1 => last,
            _ => generator.atom(1),
        };
        last = predicate;
        if generator.random.below(8) == 0 {
            important.push(predicate);
            continue;
        }
        let boolean = generator.t.var(&format!("b{at}"), Sort::Bool);
        formulas.push(generator.t.eq(boolean, predicate));
        important.push(boolean);
    }
    (formulas, important)
}

/// Up to 14 Booleans, in every setting.
#[test]
fn abstractions_agree_with_questions_about_every_minterm() {
    let mut models = 0;
    for logic in ABSTRACTIONS {
        let mut random = Random::new(11);
        for round in 0..5 {
            let mut t = Terms::new();
            let count = 6 + 2 * round;
            let (formulas, important) = abstraction(&mut t, &mut random, logic, count);
            let expected = by_extension(&mut t, &formulas, &important);
            for (strategy, propagation) in
                [(Strategy::InSearch, true), (Strategy::InSearch, false), (Strategy::Naive, true)]
            {
                let mut solver = Solver::new(&Budget::unlimited());
                solver.set_theory_propagation(propagation);
                formulas.iter().for_each(|&formula| solver.assert(&t, formula));
                let mut found = BTreeSet::new();
                let done = solver.enumerate_by(strategy, &t, &[], &important, &mut |model| {
                    assert!(found.insert(model.to_vec()), "found twice");
                    Cube::Minterm
                });
                assert_eq!(found, expected, "{logic:?}, {strategy:?}, {propagation}, round {round}");
                let count = expected.len() as u64;
                assert_eq!(done, Ok(Enumeration { models: count, duplicates: 0, complete: true }));
            }
            models += expected.len();
        }
    }
    assert!(models > 3_000, "{models} models test too little");
}

/// A transition as in [SMT §4]: guarded commands over integers and their next values, and predicates over the next values,
/// or over both. Predicates occur nowhere else, so that arithmetic goes through their combinations.
fn transition(t: &mut Terms, random: &mut Random, functions: bool, count: usize) -> (Vec<Term>, Vec<Term>) {
    let f = t.declare_function("f", &[Sort::Int], Sort::Int);
    let g = t.declare_function("g", &[Sort::Int, Sort::Int], Sort::Int);
    let now: Vec<Term> = (0..3).map(|i| t.var(&format!("x{i}"), Sort::Int)).collect();
    let next: Vec<Term> = (0..3).map(|i| t.var(&format!("y{i}"), Sort::Int)).collect();
    let term = |t: &mut Terms, random: &mut Random, vars: &[Term]| {
        let (x, y) = (random.pick(vars), random.pick(vars));
        match random.below(if functions { 6 } else { 1 }) {
            1 => t.apply(f, &[x]),
            2 => t.apply(g, &[x, y]),
            _ => x,
        }
    };
    let predicate = |t: &mut Terms, random: &mut Random, vars: &[Term]| {
        let (x, y) = (term(t, random, vars), term(t, random, vars));
        let shift = t.int(random.below(7) as i64 - 3);
        let right = t.plus(&[y, shift]);
        match random.below(6) {
            0 => t.eq(x, right),
            1 => t.le(x, shift),
            2 if functions => {
                let sum = t.plus(&[x, x, y]);
                t.le(sum, shift)
            }
            _ => t.le(x, right),
        }
    };
    let mut commands = Vec::new();
    for _ in 0..3 {
        let mut parts = vec![predicate(t, random, &now)];
        for &to in &next {
            let (from, shift) = (term(t, random, &now), t.int(random.below(3) as i64 - 1));
            let value = t.plus(&[from, shift]);
            parts.push(t.eq(to, value));
        }
        commands.push(t.and(&parts));
    }
    let mut formulas = vec![t.or(&commands)];
    for _ in 0..2 {
        let parts: Vec<Term> = (0..2).map(|_| predicate(t, random, &now)).collect();
        formulas.push(t.or(&parts));
    }
    let image = random.coin();
    let mut important = Vec::new();
    for i in 0..count {
        let boolean = t.var(&format!("b{i}"), Sort::Bool);
        let about = if image || i % 2 == 0 { &next } else { &now };
        let stands_for = predicate(t, random, about);
        formulas.push(t.eq(boolean, stands_for));
        important.push(boolean);
    }
    (formulas, important)
}

#[test]
fn transitions_agree_with_questions_about_every_minterm() {
    let mut models = 0;
    for functions in [false, true] {
        let mut random = Random::new(17);
        for round in 0..12 {
            let mut t = Terms::new();
            let (formulas, important) = transition(&mut t, &mut random, functions, 6 + round % 9);
            let expected = by_extension(&mut t, &formulas, &important);
            let mut solver = Solver::new(&Budget::unlimited());
            formulas.iter().for_each(|&formula| solver.assert(&t, formula));
            // Twice: the first time leaves nothing that the second depends on.
            for _ in 0..2 {
                let mut found = BTreeSet::new();
                let done = solver.enumerate(&t, &[], &important, &mut |model| {
                    assert!(found.insert(model.to_vec()), "found twice");
                    Cube::Minterm
                });
                assert_eq!(found, expected, "functions {functions}, round {round}");
                assert_eq!(done.map(|d| (d.models, d.complete)), Ok((expected.len() as u64, true)));
            }
            models += expected.len();
        }
    }
    assert!(models > 3_000, "{models} models test too little");
}

/// Whatever cubes the caller blocks, from whatever model on: what is given is a model in no cube before, and at the end
/// every model is in a cube.
#[test]
fn cubes_cover_abstractions() {
    for logic in ABSTRACTIONS {
        let mut random = Random::new(12);
        for round in 0..4 {
            let mut t = Terms::new();
            let (formulas, important) = abstraction(&mut t, &mut random, logic, 8);
            let expected = by_extension(&mut t, &formulas, &important);
            let mut solver = Solver::new(&Budget::unlimited());
            formulas.iter().for_each(|&formula| solver.assert(&t, formula));
            let mut cubes: Vec<Vec<(usize, bool)>> = Vec::new();
            let covered = |cubes: &[Vec<(usize, bool)>], model: &[bool]| {
                cubes.iter().any(|cube| cube.iter().all(|&(i, value)| model[i] == value))
            };
            let minterms = random.below(20);
            let done = solver.enumerate(&t, &[], &important, &mut |model| {
                assert!(expected.contains(model), "{logic:?}, round {round}: not a model");
                assert!(!covered(&cubes, model), "{logic:?}, round {round}: in a cube that is blocked");
                let all = cubes.len() < minterms;
                let kept: Vec<usize> = (0..model.len()).filter(|_| all || random.below(4) > 0).collect();
                cubes.push(kept.iter().map(|&i| (i, model[i])).collect());
                if all { Cube::Minterm } else { Cube::Positions(kept) }
            });
            assert_eq!(done.map(|d| (d.models, d.complete)), Ok((cubes.len() as u64, true)));
            assert!(expected.iter().all(|model| covered(&cubes, model)), "{logic:?}, round {round}");
        }
    }
}

/// An enumeration that ends early gives no more, blocks nothing, and can be begun again.
#[test]
fn an_abstraction_can_end_early() {
    for logic in ABSTRACTIONS {
        let mut random = Random::new(13);
        let mut t = Terms::new();
        let (formulas, important) = abstraction(&mut t, &mut random, logic, 8);
        let mut solver = Solver::new(&Budget::unlimited());
        formulas.iter().for_each(|&formula| solver.assert(&t, formula));
        let all = solver.enumerate(&t, &[], &important, &mut |_| Cube::Minterm).unwrap();
        for wanted in [1, 2, 5] {
            let mut given = 0;
            let done = solver.enumerate(&t, &[], &important, &mut |_| {
                given += 1;
                if given == wanted { Cube::Enough } else { Cube::Minterm }
            });
            let expected = all.models.min(wanted);
            assert_eq!(done.map(|d| (d.models, d.complete)), Ok((expected, all.models < wanted)));
        }
        assert_eq!(solver.enumerate(&t, &[], &important, &mut |_| Cube::Minterm), Ok(all));
    }
}

/// Every core of every logic is unsatisfiable for a solver that knows nothing else; minimised ones are minimal.
#[test]
fn cores_of_every_logic_are_solved_again() {
    let mut cores = 0;
    for logic in LOGICS.into_iter().filter(|&logic| logic != Logic::Lira) {
        let mut random = Random::new(14);
        for _ in 0..25 {
            let mut t = Terms::new();
            let mut generator = Generator::new(&mut t, &mut random, logic);
            let formulas: Vec<Term> = (0..7).map(|_| generator.formula(2)).collect();
            let mut solver = Solver::new(&Budget::unlimited());
            solver.assert(&t, formulas[0]);
            if solver.check(&t, &formulas[1..]) != Ok(Answer::Unsat) {
                continue;
            }
            cores += 1;
            let core = solver.core().to_vec();
            let satisfiable = |part: &[Term]| {
                let mut fresh = Solver::new(&Budget::unlimited());
                fresh.assert(&t, formulas[0]);
                fresh.check(&t, part) == Ok(Answer::Sat)
            };
            assert!(!satisfiable(&core), "{logic:?}");
            let minimal = solver.minimize_core(&t, &core).unwrap();
            assert!(!satisfiable(&minimal), "{logic:?}");
            for at in 0..minimal.len() {
                let without = [&minimal[..at], &minimal[at + 1..]].concat();
                assert!(satisfiable(&without), "{logic:?}: not minimal");
            }
        }
    }
    assert!(cores > 80, "{cores} cores test too little");
}
