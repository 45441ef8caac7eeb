//! Every operator's circuit gives exactly the evaluator's value.

mod common;

use common::{Binary, RELATIONS, Random, VECTOR_OPS, random_bits};
use tamis_logic::{Bits, Model, Sort, Term, Terms, Value};
use tamis_solver::{Answer, Budget, Solver};

/// With the variables fixed to `values` by assumptions, `t` has its value in `Terms::eval` and no other.
fn agrees(solver: &mut Solver, terms: &mut Terms, what: &str, t: Term, values: &[(Term, Bits)]) {
    let mut model = Model::new();
    let mut fixed = Vec::new();
    for (var, bits) in values {
        model.set(*var, Value::Bits(bits.clone()));
        let constant = terms.bits_value(bits.clone());
        fixed.push(terms.eq(*var, constant));
    }
    let expected = terms.eval(t, &model);
    assert_eq!(solver.check(terms, &fixed), Ok(Answer::Sat), "{what} of {values:?}");
    assert_eq!(solver.value(terms, t), expected, "{what} of {values:?}");
    let constant = terms.value(expected.clone());
    let (same, other) = (terms.eq(t, constant), terms.ne(t, constant));
    fixed.push(same);
    assert_eq!(solver.check(terms, &fixed), Ok(Answer::Sat), "{what} of {values:?}");
    assert_eq!(solver.value(terms, t), expected, "{what} of {values:?}");
    fixed.pop();
    fixed.push(other);
    assert_eq!(solver.check(terms, &fixed), Ok(Answer::Unsat), "{what} of {values:?}");
}

fn check_width(width: u32, ops: &[(&str, Binary)], random: &mut Random, rounds: usize) {
    let mut terms = Terms::new();
    let (x, y) = (terms.var("x", Sort::BitVec(width)), terms.var("y", Sort::BitVec(width)));
    for &(name, op) in ops {
        let mut solver = Solver::new(&Budget::unlimited());
        let what = format!("{name} at width {width}");
        let t = op(&mut terms, x, y);
        let used = t_used_twice(&mut terms, t);
        solver.assert(&terms, used);
        for _ in 0..rounds {
            let values = [(x, random_bits(random, width)), (y, random_bits(random, width))];
            agrees(&mut solver, &mut terms, &what, t, &values);
            let constant = random_bits(random, width);
            let constant_term = terms.bits_value(constant.clone());
            let left = op(&mut terms, constant_term, y);
            let right = op(&mut terms, x, constant_term);
            agrees(
                &mut solver,
                &mut terms,
                &format!("{what}, constant {constant} on the left"),
                left,
                &values,
            );
            agrees(
                &mut solver,
                &mut terms,
                &format!("{what}, constant {constant} on the right"),
                right,
                &values,
            );
        }
    }
}

/// A formula that is always true and has `t` in it.
fn t_used_twice(terms: &mut Terms, t: Term) -> Term {
    let p = terms.var("p", Sort::Bool);
    let zero = terms.value(terms.default_value(terms.sort(t)));
    let is_zero = terms.eq(t, zero);
    let not_zero = terms.not(is_zero);
    let (a, b) = (terms.or2(p, is_zero), terms.not(p));
    terms.or(&[a, b, not_zero])
}

#[test]
fn operators_up_to_64_bits() {
    let mut random = Random::new(1);
    for width in 1..=64 {
        let rounds = if width <= 32 { 3 } else { 1 };
        check_width(width, &VECTOR_OPS, &mut random, rounds);
        check_width(width, &RELATIONS, &mut random, 3);
    }
}

#[test]
fn operators_up_to_128_bits() {
    let mut random = Random::new(2);
    for width in [65, 96, 100, 127, 128] {
        check_width(width, &VECTOR_OPS, &mut random, 1);
        check_width(width, &RELATIONS, &mut random, 2);
    }
}

#[test]
fn all_values_up_to_three_bits() {
    for width in 1..=3 {
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", Sort::BitVec(width)), terms.var("y", Sort::BitVec(width)));
        for (name, op) in VECTOR_OPS.into_iter().chain(RELATIONS) {
            let mut solver = Solver::new(&Budget::unlimited());
            let t = op(&mut terms, x, y);
            for (a, b) in (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))) {
                let values = [(x, Bits::new(width, a)), (y, Bits::new(width, b))];
                agrees(&mut solver, &mut terms, name, t, &values);
            }
        }
    }
}

#[test]
fn structure_and_unary_operators() {
    let mut random = Random::new(3);
    for _ in 0..200 {
        let width = 1 + random.below(64) as u32;
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", Sort::BitVec(width)), terms.var("y", Sort::BitVec(width)));
        let low = random.below(width as usize) as u32;
        let high = low + random.below((width - low) as usize) as u32;
        let wider = width + random.below((128 - width) as usize + 1) as u32;
        let cond = terms.ult(x, y);
        let cases = [
            ("neg", terms.neg(x)),
            ("not", terms.bv_not(x)),
            ("concat", terms.concat(x, y)),
            ("extract", terms.extract(high, low, x)),
            ("zero_extend", terms.zero_extend(wider, x)),
            ("sign_extend", terms.sign_extend(wider, x)),
            ("ite", terms.ite(cond, x, y)),
        ];
        let mut solver = Solver::new(&Budget::unlimited());
        for (name, t) in cases {
            let values = [(x, random_bits(&mut random, width)), (y, random_bits(&mut random, width))];
            agrees(&mut solver, &mut terms, name, t, &values);
        }
    }
}

/// The division circuits satisfy the algebraic definition for all values, not only for those tried above.
#[test]
fn division_by_its_definition() {
    let mut t = Terms::new();
    let width = 6;
    let (x, y) = (t.var("x", Sort::BitVec(width)), t.var("y", Sort::BitVec(width)));
    let (q, r) = (t.udiv(x, y), t.urem(x, y));
    let product = t.mul(q, y);
    let back = t.add(product, r);
    let same = t.eq(back, x);
    let zero = t.bits(width, 0);
    let by_zero = t.eq(y, zero);
    let below = t.ult(r, y);
    let proper = t.or2(by_zero, below);
    let claim = t.and2(same, proper);
    let refuted = t.not(claim);
    let mut solver = Solver::new(&Budget::unlimited());
    assert_eq!(solver.check(&t, &[refuted]), Ok(Answer::Unsat));
}
