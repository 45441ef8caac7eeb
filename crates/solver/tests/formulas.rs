//! Answers on random formulas: models are evaluated before they are believed, the absence of models is checked by
//! trying all of them, and both are compared with another solver if there is one.

mod common;

use common::{Generator, Random, all_models, random_bits, small_generator};
use std::io::Write;
use std::process::Command;
use tamis_logic::{Sort, Term, Terms, Value};
use tamis_solver::{Answer, Budget, Cube, Solver};
use tamis_testing::z3;

/// The model of the last answer makes all of `formulas` true.
fn model_holds(solver: &mut Solver, terms: &Terms, formulas: &[Term]) {
    let vars = terms.free_vars_of(formulas);
    let model = solver.model(terms, &vars);
    for &formula in formulas {
        assert_eq!(terms.eval(formula, &model), Value::Bool(true), "{}", terms.to_smtlib(formula));
        assert_eq!(solver.value(terms, formula), Value::Bool(true), "{}", terms.to_smtlib(formula));
    }
}

#[test]
fn answers_agree_with_trying_all_models() {
    let mut random = Random::new(10);
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..400 {
        let mut terms = Terms::new();
        let mut generator = small_generator(&mut terms, &mut random);
        let formulas: Vec<Term> = (0..3).map(|_| generator.formula(4)).collect();
        let vars = generator.vars();
        let holds: Vec<bool> = all_models(&terms, &vars)
            .iter()
            .map(|model| terms.eval_all(&formulas, model).iter().all(|v| v.as_bool()))
            .collect();
        let expected = if holds.contains(&true) { Answer::Sat } else { Answer::Unsat };

        // All asserted, all assumed, and the first asserted under an activation that is assumed.
        let activation = terms.var("activation", Sort::Bool);
        let mut asserted = Solver::new(&Budget::unlimited());
        formulas.iter().for_each(|&f| asserted.assert(&terms, f));
        let mut assumed = Solver::new(&Budget::unlimited());
        let mut guarded = Solver::new(&Budget::unlimited());
        guarded.assert_under(&terms, activation, formulas[0]);
        let under = [activation, formulas[1], formulas[2]];

        assert_eq!(asserted.check(&terms, &[]), Ok(expected));
        assert_eq!(assumed.check(&terms, &formulas), Ok(expected));
        assert_eq!(guarded.check(&terms, &under), Ok(expected));
        if expected == Answer::Sat {
            sat += 1;
            model_holds(&mut asserted, &terms, &formulas);
            model_holds(&mut assumed, &terms, &formulas);
            model_holds(&mut guarded, &terms, &formulas);
        } else {
            unsat += 1;
        }
    }
    assert!(sat > 50 && unsat > 50, "{sat} satisfiable and {unsat} unsatisfiable formulas test too little");
}

/// One solver that grows, asked again and again, knows no less and no more than new ones.
#[test]
fn many_checks_of_one_solver() {
    let mut random = Random::new(11);
    for _ in 0..20 {
        let mut terms = Terms::new();
        let mut solver = Solver::new(&Budget::unlimited());
        let mut asserted = Vec::new();
        for step in 0..40 {
            let mut generator = small_generator(&mut terms, &mut random);
            // Disjunctions leave the whole satisfiable for longer.
            let disjuncts: Vec<Term> = (0..3).map(|_| generator.formula(3)).collect();
            let assumptions: Vec<Term> = (0..2).map(|_| generator.formula(3)).collect();
            if step % 4 == 0 {
                let formula = terms.or(&disjuncts);
                solver.assert(&terms, formula);
                asserted.push(formula);
            }
            let all: Vec<Term> = asserted.iter().chain(&assumptions).copied().collect();
            let mut fresh = Solver::new(&Budget::unlimited());
            let expected = fresh.check(&terms, &all);
            assert_eq!(solver.check(&terms, &assumptions), expected);
            if expected == Ok(Answer::Sat) {
                model_holds(&mut solver, &terms, &all);
            } else {
                let core: Vec<Term> = asserted.iter().chain(solver.core()).copied().collect();
                assert_eq!(fresh.check(&terms, &core), Ok(Answer::Unsat));
            }
        }
    }
}

/// A solver drops the circuits of old questions when they crowd it: answers, assertions, retired activations and
/// enumerations are as if it had not.
#[test]
fn thousands_of_different_questions() {
    let mut random = Random::new(13);
    let mut t = Terms::new();
    let (x, y) = (t.var("x", Sort::BitVec(32)), t.var("y", Sort::BitVec(32)));
    let mut solver = Solver::new(&Budget::unlimited());
    let sum = t.add(x, y);
    let limit = t.bits(32, 1 << 20);
    let asserted = [t.ult(sum, limit), t.ult(x, limit)];
    asserted.iter().for_each(|&f| solver.assert(&t, f));
    let retired = t.var("retired", Sort::Bool);
    let (no, not_retired) = (t.eq(x, sum), t.not(retired));
    solver.assert_under(&t, retired, no);
    solver.assert(&t, not_retired);
    let current = t.var("current", Sort::Bool);
    let above = t.ult(limit, y);
    solver.assert_under(&t, current, above);
    let mut most = 0;
    for round in 0..300 {
        let (a, b) = (random_bits(&mut random, 32), random_bits(&mut random, 21));
        let (a, b) = (t.bits_value(a), t.bits_value(b));
        let b = t.zero_extend(32, b);
        let product = t.mul(y, a);
        let assumptions = [t.ult(product, limit), t.ult(x, b), t.slt(b, sum), current];
        let assumptions = &assumptions[..3 + round % 2];
        let all = [&asserted[..], &[not_retired, above][..1 + round % 2], assumptions].concat();
        let expected = Solver::new(&Budget::unlimited()).check(&t, &all);
        assert_eq!(solver.check(&t, assumptions), expected);
        if expected == Ok(Answer::Sat) {
            model_holds(&mut solver, &t, &all);
        }
        if round % 50 == 7 {
            let small = t.ult(y, limit);
            let mut models = Vec::new();
            let done = solver.enumerate(&t, &[], &[current, small], &mut |model| {
                models.push((model[0], model[1]));
                Cube::Minterm
            });
            models.sort_unstable();
            assert_eq!(models, [(false, false), (false, true), (true, false)]);
            assert_eq!(done.map(|d| d.models), Ok(3));
        }
        most = most.max(solver.stats().variables);
    }
    let now = solver.stats().variables;
    assert!(now < most && most < 100_000, "{now} variables at the end, at most {most}: nothing was dropped");
}

/// A model stays as it was while formulas are added, even formulas that it does not satisfy.
#[test]
fn a_model_outlives_assertions() {
    let mut t = Terms::new();
    let (x, y) = (t.var("x", Sort::BitVec(8)), t.var("y", Sort::BitVec(8)));
    let seven = t.bits(8, 7);
    let is_seven = t.eq(x, seven);
    let sum = t.add(x, y);
    let product = t.mul(x, sum);
    let mut solver = Solver::new(&Budget::unlimited());
    solver.assert(&t, is_seven);
    assert_eq!(solver.check(&t, &[]), Ok(Answer::Sat));
    let big = t.ult(seven, product);
    solver.assert(&t, big);
    assert_eq!(solver.value(&t, x).as_bits().unsigned(), 7);
    assert_eq!(solver.value(&t, y).as_bits().unsigned(), 0);
    assert_eq!(solver.value(&t, product).as_bits().unsigned(), 49);
    assert_eq!(solver.value(&t, big), Value::Bool(true));
}

#[test]
fn constants_as_assertions_and_assumptions() {
    let mut t = Terms::new();
    let (yes, no) = (t.tru(), t.fals());
    let p = t.var("p", Sort::Bool);
    let mut solver = Solver::new(&Budget::unlimited());
    solver.assert(&t, yes);
    assert_eq!(solver.check(&t, &[yes, p]), Ok(Answer::Sat));
    assert_eq!(solver.value(&t, p), Value::Bool(true));
    assert_eq!(solver.check(&t, &[p, no]), Ok(Answer::Unsat));
    assert_eq!(solver.core(), [no]);
    solver.assert_under(&t, p, no);
    assert_eq!(solver.check(&t, &[]), Ok(Answer::Sat));
    assert_eq!(solver.value(&t, p), Value::Bool(false));
    assert_eq!(solver.check(&t, &[p, yes]), Ok(Answer::Unsat));
    assert_eq!(solver.core(), [p]);
    solver.assert(&t, no);
    assert_eq!(solver.check(&t, &[p]), Ok(Answer::Unsat));
    assert_eq!(solver.core(), []);
}

#[test]
fn answers_agree_with_z3() {
    let Some(z3) = z3() else { return };
    let mut random = Random::new(12);
    let mut scripts = String::new();
    let mut answers = Vec::new();
    for _ in 0..300 {
        let mut terms = Terms::new();
        let widths = random.pick(&[[8, 8, 16], [12, 5, 7], [16, 1, 32], [24, 9, 9]]);
        let vectors =
            widths.iter().enumerate().map(|(i, &w)| terms.var(&format!("v{i}_{w}"), Sort::BitVec(w)));
        let vectors: Vec<Term> = vectors.collect();
        let bools = vec![terms.var("p", Sort::Bool), terms.var("q", Sort::Bool)];
        let mut generator = Generator { terms: &mut terms, random: &mut random, vectors, bools, widest: 16 };
        let formulas: Vec<Term> = (0..4).map(|_| generator.formula(3)).collect();
        let mut solver = Solver::new(&Budget::unlimited());
        let answer = solver.check(&terms, &formulas).unwrap();
        if answer == Answer::Sat {
            model_holds(&mut solver, &terms, &formulas);
        }
        answers.push(if answer == Answer::Sat { "sat" } else { "unsat" });
        scripts.push_str(&terms.to_smtlib_script(&formulas));
        scripts.push_str("(reset)\n");
    }
    let path = std::env::temp_dir().join(format!("tamis-formulas-{}.smt2", std::process::id()));
    std::fs::File::create(&path).unwrap().write_all(scripts.as_bytes()).unwrap();
    let out = Command::new(z3).arg(&path).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    let out = String::from_utf8(out.stdout).unwrap();
    assert_eq!(out.lines().collect::<Vec<_>>(), answers);
    let unsat = answers.iter().filter(|&&a| a == "unsat").count();
    assert!((30..270).contains(&unsat), "{unsat} of 300 unsatisfiable: too one-sided");
}
