//! Enumeration against trying all models.

mod common;

use common::{Random, all_models, small_generator};
use std::collections::BTreeSet;
use tamis_logic::{Sort, Term, Terms};
use tamis_solver::{Answer, Budget, Cube, Enumeration, Solver, Strategy};

const STRATEGIES: [Strategy; 3] = [Strategy::InSearch, Strategy::Naive, Strategy::BlackBox];

/// The projections on `important` of the models of `formulas`, by trying all.
fn projections(terms: &Terms, vars: &[Term], formulas: &[Term], important: &[Term]) -> BTreeSet<Vec<bool>> {
    let mut found = BTreeSet::new();
    for model in all_models(terms, vars) {
        if terms.eval_all(formulas, &model).iter().all(|v| v.as_bool()) {
            found.insert(terms.eval_all(important, &model).iter().map(|v| v.as_bool()).collect());
        }
    }
    found
}

/// A random query: asserted formula, assumptions, important terms, and the variables.
fn query(terms: &mut Terms, random: &mut Random) -> (Term, Vec<Term>, Vec<Term>, Vec<Term>) {
    let mut generator = small_generator(terms, random);
    let asserted = generator.formula(4);
    let assumptions: Vec<Term> = (0..generator.random.below(3)).map(|_| generator.formula(3)).collect();
    let important: Vec<Term> = (0..generator.random.below(7)).map(|_| generator.formula(3)).collect();
    let vars = generator.vars();
    (asserted, assumptions, important, vars)
}

#[test]
fn every_projected_model_exactly_once() {
    let mut random = Random::new(30);
    let mut models = 0;
    for round in 0..400 {
        let mut terms = Terms::new();
        let (asserted, assumptions, important, vars) = query(&mut terms, &mut random);
        let formulas = [&[asserted], &assumptions[..]].concat();
        let expected = projections(&terms, &vars, &formulas, &important);
        for strategy in STRATEGIES {
            let mut solver = Solver::new(&Budget::unlimited());
            solver.assert(&terms, asserted);
            let before = solver.check(&terms, &assumptions);
            let mut found = BTreeSet::new();
            let result = solver.enumerate_by(strategy, &terms, &assumptions, &important, &mut |model| {
                assert!(found.insert(model.to_vec()), "found twice");
                Cube::Minterm
            });
            assert_eq!(found, expected, "{strategy:?} in round {round}");
            let count = expected.len() as u64;
            assert_eq!(result, Ok(Enumeration { models: count, duplicates: 0, complete: true }));
            assert_eq!(solver.check(&terms, &assumptions), before, "{strategy:?} in round {round}");
        }
        models += expected.len();
    }
    assert!(models > 1000, "{models} models test too little");
}

/// A caller may block more than the minterm. Whatever it blocks: each model given is a projected model that lies in no
/// cube blocked before, and at the end every projected model lies in some cube.
#[test]
fn shortened_cubes_cover_all_models() {
    let mut random = Random::new(31);
    for _ in 0..300 {
        let mut terms = Terms::new();
        let (asserted, assumptions, important, vars) = query(&mut terms, &mut random);
        let formulas = [&[asserted], &assumptions[..]].concat();
        let expected = projections(&terms, &vars, &formulas, &important);
        for strategy in STRATEGIES {
            let mut solver = Solver::new(&Budget::unlimited());
            solver.assert(&terms, asserted);
            let mut cubes: Vec<Vec<(usize, bool)>> = Vec::new();
            let covers = |cubes: &[Vec<(usize, bool)>], model: &[bool]| {
                cubes.iter().any(|cube| cube.iter().all(|&(i, value)| model[i] == value))
            };
            let result = solver.enumerate_by(strategy, &terms, &assumptions, &important, &mut |model| {
                assert!(expected.contains(model), "not a model");
                assert!(!covers(&cubes, model), "in a cube that is blocked");
                let kept: Vec<usize> = (0..model.len()).filter(|_| random.below(4) > 0).collect();
                cubes.push(kept.iter().map(|&i| (i, model[i])).collect());
                Cube::Positions(kept)
            });
            assert_eq!(result.map(|r| (r.models, r.complete)), Ok((cubes.len() as u64, true)));
            assert!(expected.iter().all(|model| covers(&cubes, model)));
        }
    }
}

/// A predicate that does not matter may be left out of every cube: then the cubes partition the models, and their
/// union is exactly the projection.
#[test]
fn cubes_without_a_free_predicate_are_exact() {
    let mut random = Random::new(32);
    for _ in 0..200 {
        let mut terms = Terms::new();
        let (asserted, _, mut important, vars) = query(&mut terms, &mut random);
        let free = terms.var("free", Sort::Bool);
        let place = random.below(important.len() + 1);
        important.insert(place, free);
        let with_free = [&vars[..], &[free]].concat();
        let expected = projections(&terms, &with_free, &[asserted], &important);
        let mut solver = Solver::new(&Budget::unlimited());
        solver.assert(&terms, asserted);
        let mut union = BTreeSet::new();
        let result = solver.enumerate(&terms, &[], &important, &mut |model| {
            let mut both = model.to_vec();
            for value in [false, true] {
                both[place] = value;
                assert!(union.insert(both.clone()), "cubes overlap");
            }
            Cube::Positions((0..model.len()).filter(|&i| i != place).collect())
        });
        assert_eq!(union, expected);
        assert_eq!(result.map(|r| 2 * r.models), Ok(expected.len() as u64));
    }
}

/// Enumerations, checks and assertions in any order on one solver do not disturb each other.
#[test]
fn one_solver_for_many_enumerations() {
    let mut random = Random::new(33);
    for _ in 0..15 {
        let mut terms = Terms::new();
        let mut solver = Solver::new(&Budget::unlimited());
        let mut asserted: Vec<Term> = Vec::new();
        for step in 0..25 {
            let mut generator = small_generator(&mut terms, &mut random);
            let assumptions: Vec<Term> = (0..2).map(|_| generator.formula(2)).collect();
            let important: Vec<Term> = (0..5).map(|_| generator.formula(2)).collect();
            let disjuncts: Vec<Term> = (0..4).map(|_| generator.formula(3)).collect();
            let vars = generator.vars();
            if step % 5 == 2 {
                let formula = terms.or(&disjuncts);
                solver.assert(&terms, formula);
                asserted.push(formula);
            }
            // The widths of the variables differ from step to step; those asserted about count too.
            let all = [&asserted[..], &assumptions].concat();
            let mut vars: Vec<Term> =
                terms.free_vars_of(&[&all[..], &important].concat()).into_iter().chain(vars).collect();
            vars.sort_unstable();
            vars.dedup();
            let bits: u32 = vars.iter().map(|&v| terms.sort(v).width().unwrap_or(1)).sum();
            let mut found = BTreeSet::new();
            let strategy = STRATEGIES[step % 2];
            let result = solver.enumerate_by(strategy, &terms, &assumptions, &important, &mut |model| {
                assert!(found.insert(model.to_vec()));
                Cube::Minterm
            });
            assert_eq!(result.map(|r| r.models), Ok(found.len() as u64));
            if bits <= 11 {
                assert_eq!(found, projections(&terms, &vars, &all, &important));
            } else {
                // Too many bits to try all: a new solver must agree.
                let mut fresh = Solver::new(&Budget::unlimited());
                let mut again = BTreeSet::new();
                let naive = fresh.enumerate_by(Strategy::Naive, &terms, &all, &important, &mut |model| {
                    again.insert(model.to_vec());
                    Cube::Minterm
                });
                assert_eq!(naive.map(|r| r.models), Ok(found.len() as u64));
                assert_eq!(found, again);
            }
            let satisfiable = solver.check(&terms, &assumptions) == Ok(Answer::Sat);
            assert_eq!(satisfiable, !found.is_empty());
        }
    }
}

/// Thousands of conflicts make CaDiCaL simplify the clauses in between; terms that become important only then are
/// enumerated over as well, and a used solver finds what a new one finds.
#[test]
fn enumeration_after_much_work() {
    let mut t = Terms::new();
    let [i, j, n, s] = ["i", "j", "n", "s"].map(|name| t.var(name, Sort::BitVec(24)));
    let (sum, difference) = (t.add(s, j), t.sub(i, j));
    let product = t.mul(i, n);
    let asserted = {
        let (a, b, c) = (t.slt(i, n), t.slt(j, sum), t.ult(difference, product));
        t.and(&[a, b, c])
    };
    let words = [i, j, n, s, sum, difference, product];
    let mut predicates = Vec::new();
    for (k, &word) in words.iter().enumerate() {
        let bound = t.bits(24, 100 * k as u128 + 7);
        let next = words[(k + 1) % words.len()];
        predicates.extend([t.slt(word, bound), t.ult(word, next), t.eq(word, bound)]);
    }
    let mut used = Solver::new(&Budget::unlimited());
    used.assert(&t, asserted);
    let enumerate = |solver: &mut Solver, important: &[Term]| {
        let mut found = BTreeSet::new();
        let result = solver.enumerate(&t, &[], important, &mut |model| {
            assert!(found.insert(model.to_vec()), "found twice");
            Cube::Minterm
        });
        assert_eq!(result.map(|r| (r.models, r.complete)), Ok((found.len() as u64, true)));
        found
    };
    for start in 0..predicates.len() - 9 {
        let important = &predicates[start..start + 9];
        let mut fresh = Solver::new(&Budget::unlimited());
        fresh.assert(&t, asserted);
        assert_eq!(
            enumerate(&mut used, important),
            enumerate(&mut fresh, important),
            "from predicate {start} on"
        );
    }
    assert!(used.stats().conflicts > 5_000, "{} conflicts are not much work", used.stats().conflicts);
}

#[test]
fn no_important_terms_is_one_model_or_none() {
    let mut t = Terms::new();
    let p = t.var("p", Sort::Bool);
    let (not_p, no) = (t.not(p), t.fals());
    for strategy in STRATEGIES {
        let mut solver = Solver::new(&Budget::unlimited());
        solver.assert(&t, p);
        let mut calls = 0;
        let mut count = |assumptions: &[Term]| {
            let result = solver.enumerate_by(strategy, &t, assumptions, &[], &mut |model| {
                assert!(model.is_empty());
                calls += 1;
                Cube::Minterm
            });
            result.map(|r| (r.models, r.complete))
        };
        assert_eq!(count(&[]), Ok((1, true)));
        assert_eq!(count(&[not_p]), Ok((0, true)));
        assert_eq!(count(&[no]), Ok((0, true)));
        assert_eq!(count(&[p]), Ok((1, true)));
        assert_eq!(calls, 2);
    }
}

/// Constants, repeated terms and a term with its negation are important terms like others.
#[test]
fn degenerate_important_terms() {
    let mut t = Terms::new();
    let p = t.var("p", Sort::Bool);
    let (not_p, yes, no) = (t.not(p), t.tru(), t.fals());
    for strategy in STRATEGIES {
        let mut solver = Solver::new(&Budget::unlimited());
        let mut found = BTreeSet::new();
        let result = solver.enumerate_by(strategy, &t, &[], &[p, yes, not_p, no, p], &mut |model| {
            found.insert(model.to_vec());
            Cube::Minterm
        });
        assert_eq!(result.map(|r| r.models), Ok(2));
        let expected = [vec![false, true, true, false, false], vec![true, true, false, false, true]];
        assert_eq!(found, BTreeSet::from(expected));
    }
}

#[test]
fn enough_ends_the_enumeration() {
    let mut t = Terms::new();
    let important: Vec<Term> = (0..12).map(|i| t.var(&format!("p{i}"), Sort::Bool)).collect();
    for strategy in STRATEGIES {
        let mut solver = Solver::new(&Budget::unlimited());
        let mut left = 5;
        let result = solver.enumerate_by(strategy, &t, &[], &important, &mut |_| {
            left -= 1;
            if left == 0 { Cube::Enough } else { Cube::Minterm }
        });
        assert_eq!(result, Ok(Enumeration { models: 5, duplicates: 0, complete: false }));
        // The five are not blocked for the next one.
        let all = solver.enumerate_by(strategy, &t, &[], &important[..6], &mut |_| Cube::Minterm);
        assert_eq!(all.map(|r| r.models), Ok(64));
    }
}

#[test]
fn a_panic_in_the_callback_reaches_the_caller() {
    let mut t = Terms::new();
    let p = t.var("p", Sort::Bool);
    let mut solver = Solver::new(&Budget::unlimited());
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        solver.enumerate(&t, &[], &[p], &mut |_| panic!("on purpose"))
    }));
    let message = caught.unwrap_err();
    assert_eq!(message.downcast_ref::<&str>(), Some(&"on purpose"));
    assert_eq!(solver.check(&t, &[p]), Ok(Answer::Sat));
    let all = solver.enumerate(&t, &[], &[p], &mut |_| Cube::Minterm);
    assert_eq!(all.map(|r| r.models), Ok(2));
}
