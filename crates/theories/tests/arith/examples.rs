//! Classic examples, and one of each service.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tamis_theories::arith::{
    Difference, Integers, LinearForm, Outcome, Rational, Reals, Relation, Simplex, Sort, Var,
};
use tamis_theories::{Atom, Check, Conflict, Literal, Theory};

fn holds(atom: u32) -> Literal {
    Literal::new(Atom(atom), true)
}

fn fraction(n: i64, d: i64) -> Rational {
    Rational::ratio(n, d).unwrap()
}

/// The linear program on which the textbook rule of the simplex method cycles for ever; its optimum is -5/4.
#[test]
fn beales_example_does_not_cycle() {
    let mut theory = Simplex::new();
    let [a, b, c, d] = [(); 4].map(|()| theory.variable(Sort::Real));
    let form = |terms: [(i64, i64); 4]| -> LinearForm {
        [a, b, c, d].into_iter().zip(terms).map(|(var, (n, m))| (var, fraction(n, m))).collect()
    };
    let first = form([(1, 4), (-8, 1), (-1, 1), (9, 1)]);
    let second = form([(1, 2), (-12, 1), (-1, 2), (3, 1)]);
    let objective = form([(-3, 4), (20, 1), (-1, 2), (6, 1)]);
    theory.bound(Atom(0), &first, Relation::Le, Rational::ZERO);
    theory.bound(Atom(1), &second, Relation::Le, Rational::ZERO);
    theory.bound(Atom(2), &LinearForm::from(c), Relation::Le, Rational::ONE);
    for (atom, var) in (3..).zip([a, b, c, d]) {
        theory.bound(Atom(atom), &LinearForm::from(var), Relation::Ge, Rational::ZERO);
    }
    theory.bound(Atom(7), &objective, Relation::Le, fraction(-5, 4));
    theory.bound(Atom(8), &objective, Relation::Lt, fraction(-5, 4));
    for atom in 0..8 {
        theory.assert(holds(atom)).unwrap();
    }
    assert_eq!(theory.check(), Check::Consistent);
    let model = theory.model();
    assert_eq!(objective.evaluate(|var| model[var.0 as usize].clone()), fraction(-5, 4));
    theory.assert(holds(8)).unwrap();
    assert!(matches!(theory.check(), Check::Conflict(_)));
}

/// Klee and Minty's deformed cube: the optimum of dimension n is 100ⁿ⁻¹, beyond 64 bits from n = 11 on.
#[test]
fn klee_mintys_cube_needs_big_numbers() {
    const N: usize = 14;
    let power = |base: i64, exponent: usize| {
        (0..exponent).fold(Rational::ONE, |product, _| product * Rational::from(base))
    };
    let mut theory = Simplex::new();
    let vars: Vec<Var> = (0..N).map(|_| theory.variable(Sort::Real)).collect();
    let mut objective = LinearForm::new();
    for i in 0..N {
        let mut form = LinearForm::from(vars[i]);
        for (j, &var) in vars[..i].iter().enumerate() {
            form.add(&(power(10, i - j) * Rational::from(2)), var);
        }
        theory.bound(Atom(2 * i as u32), &form, Relation::Le, power(100, i));
        theory.bound(Atom(2 * i as u32 + 1), &LinearForm::from(vars[i]), Relation::Ge, Rational::ZERO);
        objective.add(&power(10, N - 1 - i), vars[i]);
    }
    let optimum = power(100, N - 1);
    assert!(!optimum.is_small());
    theory.bound(Atom(100), &objective, Relation::Ge, optimum.clone());
    theory.bound(Atom(101), &objective, Relation::Gt, optimum.clone());
    for atom in (0..2 * N as u32).chain([100]) {
        theory.assert(holds(atom)).unwrap();
    }
    assert_eq!(theory.check(), Check::Consistent);
    assert_eq!(theory.model()[vars[N - 1].0 as usize], optimum);
    theory.assert(holds(101)).unwrap();
    assert!(matches!(theory.check(), Check::Conflict(_)));
}

/// Coefficients of Fibonacci size, where products of a pivot leave 64 bits at once.
#[test]
fn coefficients_beyond_machine_words_are_exact() {
    let (p, q) = (4_660_046_610_375_530_309, 7_540_113_804_746_346_429);
    let mut theory = Simplex::new();
    let (x, y) = (theory.variable(Sort::Int), theory.variable(Sort::Int));
    // p·x + q·y = 1 has integer solutions: neighbouring Fibonacci numbers have no common divisor.
    let form = LinearForm::from([(x, p), (y, q)]);
    theory.bound(Atom(0), &form, Relation::Le, Rational::ONE);
    theory.bound(Atom(1), &form, Relation::Ge, Rational::ONE);
    theory.bound(Atom(2), &LinearForm::from([(x, q), (y, -p)]), Relation::Le, Rational::ZERO);
    theory.bound(Atom(3), &LinearForm::from([(x, q), (y, -p)]), Relation::Ge, Rational::ZERO);
    theory.assert(holds(0)).unwrap();
    theory.assert(holds(1)).unwrap();
    // The two lines meet at x = p/(p² + q²), y = q/(p² + q²).
    theory.assert(holds(2)).unwrap();
    theory.assert(holds(3)).unwrap();
    let Check::Conflict(Conflict(literals)) = theory.check() else { panic!("no integers there") };
    assert!(!literals.is_empty());
}

#[test]
fn bounds_decide_atoms_of_the_same_form_and_of_the_same_row() {
    let mut theory = Simplex::new();
    let (x, y) = (theory.variable(Sort::Int), theory.variable(Sort::Int));
    let sum = LinearForm::from([(x, 2), (y, 2)]);
    theory.bound(Atom(0), &LinearForm::from(x), Relation::Le, Rational::from(3));
    theory.bound(Atom(1), &LinearForm::from(x), Relation::Le, Rational::from(5));
    theory.bound(Atom(2), &LinearForm::from(x), Relation::Gt, Rational::from(5));
    theory.bound(Atom(3), &sum, Relation::Ge, Rational::from(9));
    theory.bound(Atom(4), &LinearForm::from(y), Relation::Ge, Rational::from(2));
    theory.bound(Atom(5), &LinearForm::from([(x, -1), (y, -1)]), Relation::Ge, fraction(-9, 2));
    theory.push();
    theory.assert(holds(0)).unwrap();
    let mut implied = Vec::new();
    theory.propagate(&mut implied).unwrap();
    assert_eq!(implied, [holds(1), !holds(2)]);
    implied.clear();
    // 2x + 2y ≥ 9 is x + y ≥ 5 over the integers, and so y ≥ 2 and not x + y ≤ 4.
    theory.assert(holds(3)).unwrap();
    theory.propagate(&mut implied).unwrap();
    assert_eq!(implied, [!holds(5), holds(4)]);
    let mut reasons = Vec::new();
    theory.explain(holds(4), &mut reasons);
    assert_eq!(reasons, [holds(0), holds(3)]);
    reasons.clear();
    theory.explain(!holds(5), &mut reasons);
    assert_eq!(reasons, [holds(3)]);

    theory.pop(1);
    theory.set_propagation(false);
    implied.clear();
    theory.assert(holds(0)).unwrap();
    theory.assert(holds(3)).unwrap();
    theory.assert(!holds(4)).unwrap();
    assert!(theory.propagate(&mut implied).is_err(), "conflicts are found without propagation too");
    assert_eq!(implied, []);
}

#[test]
fn difference_propagation_can_be_switched_off() {
    let mut theory = Difference::<Integers>::new();
    let (x, y) = (theory.variable(), theory.variable());
    theory.difference(Atom(0), x, y, 1);
    theory.difference(Atom(1), x, y, 2);
    theory.set_propagation(false);
    theory.assert(holds(0)).unwrap();
    let mut implied = Vec::new();
    theory.propagate(&mut implied).unwrap();
    assert_eq!(implied, []);
    assert_eq!(theory.assert(!holds(1)), Err(Conflict(vec![!holds(1), holds(0)])));
}

#[test]
fn a_difference_of_a_variable_to_itself_is_a_constant() {
    let mut theory = Difference::<Reals>::new();
    let x = theory.variable();
    theory.difference(Atom(0), x, x, Rational::ZERO);
    theory.difference(Atom(1), x, x, fraction(-1, 2));
    theory.assert(holds(0)).unwrap();
    assert_eq!(theory.assert(holds(1)), Err(Conflict(vec![holds(1)])));
    theory.assert(!holds(1)).unwrap();
    assert_eq!(theory.check(), Check::Consistent);
}

#[test]
fn a_form_without_variables_is_a_constant() {
    let mut theory = Simplex::new();
    let x = theory.variable(Sort::Int);
    let zero = LinearForm::from([(x, 1), (x, -1)]);
    theory.bound(Atom(0), &zero, Relation::Lt, Rational::ZERO);
    theory.assert(!holds(0)).unwrap();
    theory.push();
    assert_eq!(theory.assert(holds(0)), Err(Conflict(vec![holds(0)])));
}

/// A search that is told to stop says so, and does not answer.
#[test]
fn searches_can_be_stopped() {
    let mut theory = Simplex::new();
    let vars: Vec<Var> = (0..12).map(|_| theory.variable(Sort::Int)).collect();
    for (i, pair) in vars.windows(2).enumerate() {
        let form = LinearForm::from([(pair[0], 3), (pair[1], 5)]);
        theory.bound(Atom(i as u32), &form, Relation::Ge, Rational::from(7 + i as i32));
        theory.assert(holds(i as u32)).unwrap();
    }
    theory.set_stop(Some(Arc::new(|| true)));
    assert_eq!(theory.check(), Check::Split);
    assert!(theory.stopped() && theory.take_splits().is_empty());
    assert_eq!(theory.solve_integers(100), Outcome::Unknown);
    theory.set_stop(None);
    assert_eq!(theory.check(), Check::Consistent);
    assert!(!theory.stopped());
}

#[test]
fn a_stopped_assertion_is_not_taken_for_consistent() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let mut theory = Difference::<Integers>::new();
    let (x, y) = (theory.variable(), theory.variable());
    theory.difference(Atom(0), x, y, -5);
    theory.set_stop(Some(Arc::new(move || counter.fetch_add(1, Ordering::Relaxed) == 0)));
    theory.push();
    theory.assert(holds(0)).unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    assert_eq!(theory.check(), Check::Split);
    assert!(theory.stopped());
    theory.pop(1);
    theory.assert(holds(0)).unwrap();
    assert_eq!(theory.check(), Check::Consistent);
    assert!(!theory.stopped());
}
