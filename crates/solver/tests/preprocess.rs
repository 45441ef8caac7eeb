//! What preprocessing replaces comes back in models, and nothing that can be taken back is used for it.

mod common;

use common::{Generator, Random, all_models};
use tamis_logic::{Model, Sort, Term, Terms, Value};
use tamis_solver::{Answer, Budget, Cube, Solver};

/// The model of the last answer, which makes `formulas` true.
fn model_of(solver: &mut Solver, terms: &Terms, formulas: &[Term]) -> Model {
    let model = solver.model(terms, &terms.free_vars_of(formulas));
    for &formula in formulas {
        assert!(terms.eval(formula, &model).as_bool(), "{}", terms.to_smtlib(formula));
        assert!(solver.value(terms, formula).as_bool(), "{}", terms.to_smtlib(formula));
    }
    model
}

/// Equations of every kind that is solved for a variable, chained, with the values that follow from them.
#[test]
fn solved_forms_have_their_values_in_models() {
    let mut t = Terms::new();
    let vars: Vec<Term> = (0..9).map(|i| t.var(&format!("v{i}"), Sort::BitVec(8))).collect();
    let [c5, c7, c9] = [5, 7, 9].map(|n| t.bits(8, n));
    let mut facts = Vec::new();
    let sum = t.add(vars[1], c5);
    facts.push(t.eq(sum, vars[0]));
    let product = t.mul(vars[2], c7);
    facts.push(t.eq(product, vars[1]));
    let flipped = t.bv_xor(vars[3], vars[2]);
    facts.push(t.eq(flipped, c9));
    let minus = t.neg(vars[4]);
    facts.push(t.eq(minus, vars[3]));
    let low = t.extract(3, 0, vars[5]);
    let high = t.extract(7, 4, vars[4]);
    facts.push(t.eq(low, high));
    let wide = t.zero_extend(16, vars[6]);
    let both = t.concat(vars[7], vars[5]);
    facts.push(t.eq(wide, both));
    let p = t.var("p", Sort::Bool);
    let below = t.ult(vars[6], c9);
    facts.push(t.ne(p, below));
    facts.push(t.not(p));
    let q = t.var("q", Sort::Bool);
    let (a, b) = (t.eq(vars[8], c5), t.eq(vars[8], vars[6]));
    let not_q = t.not(q);
    let (then, otherwise) = (t.and2(q, a), t.and2(not_q, b));
    facts.push(t.or2(then, otherwise));
    for rotated in 0..facts.len() {
        facts.rotate_left(1);
        let mut solver = Solver::new(&Budget::unlimited());
        facts.iter().for_each(|&f| solver.assert(&t, f));
        assert_eq!(solver.check(&t, &[]), Ok(Answer::Sat), "from fact {rotated} on");
        let model = model_of(&mut solver, &t, &facts);
        assert_eq!(model.get(vars[7]), Some(&Value::Bits(tamis_logic::Bits::new(8, 0))));
        // What is assumed about variables that are replaced counts, and is blamed.
        let zero = t.bits(8, 0);
        let large = t.ne(vars[7], zero);
        assert_eq!(solver.check(&t, &[q, large]), Ok(Answer::Unsat));
        assert_eq!(solver.core(), [large]);
    }
}

/// A definition under an activation is none where the activation is not assumed.
#[test]
fn what_can_be_taken_back_defines_nothing() {
    let mut t = Terms::new();
    let x = t.var("x", Sort::BitVec(8));
    let (on, off) = (t.var("on", Sort::Bool), t.bits(8, 3));
    let is_three = t.eq(x, off);
    let is_not = t.not(is_three);
    let mut solver = Solver::new(&Budget::unlimited());
    solver.assert_under(&t, on, is_three);
    assert_eq!(solver.check(&t, &[on]), Ok(Answer::Sat));
    assert_eq!(solver.value(&t, x).as_bits().unsigned(), 3);
    assert_eq!(solver.check(&t, &[is_not]), Ok(Answer::Sat));
    assert_eq!(solver.check(&t, &[on, is_not]), Ok(Answer::Unsat));
    let retired = t.not(on);
    solver.assert(&t, retired);
    solver.assert(&t, is_not);
    assert_eq!(solver.check(&t, &[]), Ok(Answer::Sat));
    assert_ne!(solver.value(&t, x).as_bits().unsigned(), 3);
}

/// Batches of assertions, some of which define variables that earlier questions have or have not used: answers, models
/// and enumerations are those of all models tried.
#[test]
fn batches_of_definitions_agree_with_trying_all_models() {
    let mut random = Random::new(77);
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..150 {
        let mut t = Terms::new();
        let mut solver = Solver::new(&Budget::unlimited());
        let mut asserted: Vec<Term> = Vec::new();
        let vectors: Vec<Term> =
            [2, 2, 3].iter().enumerate().map(|(i, &w)| t.var(&format!("v{i}"), Sort::BitVec(w))).collect();
        let bools = vec![t.var("p", Sort::Bool)];
        for _ in 0..4 {
            let (vectors, bools) = (vectors.clone(), bools.clone());
            let mut generator = Generator { terms: &mut t, random: &mut random, vectors, bools, widest: 4 };
            let vars = generator.vars();
            let assumption = generator.formula(2);
            let (important, other) = (generator.formula(2), generator.formula(1));
            let definition = generator.vector(2, 2);
            for _ in 0..2 {
                let candidates: Vec<Term> =
                    vars.iter().copied().filter(|&v| t.sort(v) == t.sort(definition)).collect();
                let fact = match random.below(3) {
                    0 if !candidates.is_empty() => {
                        let var = random.pick(&candidates);
                        t.eq(var, definition)
                    }
                    1 => t.or2(other, important),
                    _ => other,
                };
                solver.assert(&t, fact);
                asserted.push(fact);
            }
            let all: Vec<Term> = asserted.iter().chain([&assumption]).copied().collect();
            let models: Vec<Model> = all_models(&t, &vars)
                .into_iter()
                .filter(|model| t.eval_all(&all, model).iter().all(Value::as_bool))
                .collect();
            let answer = solver.check(&t, &[assumption]);
            if models.is_empty() {
                unsat += 1;
                assert_eq!(answer, Ok(Answer::Unsat));
            } else {
                sat += 1;
                assert_eq!(answer, Ok(Answer::Sat));
                model_of(&mut solver, &t, &all);
            }
            let wanted = [important, assumption, other];
            let mut expected: Vec<Vec<bool>> = models
                .iter()
                .map(|model| t.eval_all(&wanted, model).iter().map(Value::as_bool).collect())
                .collect();
            expected.sort();
            expected.dedup();
            let mut found: Vec<Vec<bool>> = Vec::new();
            let done = solver.enumerate(&t, &[assumption], &wanted, &mut |values| {
                found.push(values.to_vec());
                Cube::Minterm
            });
            assert!(done.is_ok_and(|done| done.complete));
            found.sort();
            assert_eq!(found, expected);
        }
    }
    assert!(sat > 100 && unsat > 50, "{sat} satisfiable and {unsat} unsatisfiable questions test too little");
}
