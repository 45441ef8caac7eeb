//! Systems of thousands of variables.

use tamis_theories::arith::{Difference, Integers, LinearForm, Rational, Relation, Simplex, Sort, Var};
use tamis_theories::{Atom, Check, Literal, Theory};

fn holds(atom: u32) -> Literal {
    Literal::new(Atom(atom), true)
}

/// `x₀ < x₁ < … < xₙ` and then `xₙ ≤ x₀ + n - 1`.
#[test]
fn a_long_chain_of_differences_closes_to_a_cycle() {
    differences(2_000, true);
    differences(50_000, false);
}

fn differences(length: u32, propagation: bool) {
    let mut theory = Difference::<Integers>::new();
    theory.set_propagation(propagation);
    let vars: Vec<Var> = (0..=length).map(|_| theory.variable()).collect();
    for i in 0..length {
        theory.difference(Atom(i), vars[i as usize], vars[i as usize + 1], -1);
    }
    theory.difference(Atom(length), vars[length as usize], vars[0], i64::from(length) - 1);
    theory.difference(Atom(length + 1), vars[length as usize], vars[0], i64::from(length));
    let mut implied = Vec::new();
    // The even edges first: no two of them meet.
    for i in (0..length).step_by(2).chain((1..length).step_by(2)) {
        theory.push();
        theory.assert(holds(i)).unwrap();
        if i % 1000 == 1 {
            theory.propagate(&mut implied).unwrap();
        }
    }
    theory.propagate(&mut implied).unwrap();
    if propagation {
        assert_eq!(implied, [!holds(length)]);
        let mut reasons = Vec::new();
        theory.explain(!holds(length), &mut reasons);
        assert_eq!(reasons.len(), length as usize);
    }
    let model = theory.model();
    assert!(model.windows(2).all(|pair| pair[0] < pair[1]));
    theory.assert(holds(length + 1)).unwrap();
    assert_eq!(theory.assert(holds(length)).unwrap_err().0.len(), length as usize + 1);
    theory.pop(length as usize);
    theory.assert(holds(length)).unwrap();
    assert_eq!(theory.check(), Check::Consistent);
}

#[test]
fn a_long_chain_of_rows_closes_to_a_conflict() {
    const N: u32 = 1500;
    let mut theory = Simplex::new();
    let vars: Vec<Var> = (0..=N).map(|_| theory.variable(Sort::Int)).collect();
    for i in 0..N {
        let form = LinearForm::from([(vars[i as usize + 1], 1), (vars[i as usize], -1)]);
        theory.bound(Atom(i), &form, Relation::Ge, Rational::ONE);
    }
    theory.bound(Atom(N), &LinearForm::from(vars[0]), Relation::Ge, Rational::ZERO);
    theory.bound(Atom(N + 1), &LinearForm::from(vars[N as usize]), Relation::Le, Rational::from(N as i32));
    theory.bound(Atom(N + 2), &LinearForm::from(vars[N as usize]), Relation::Lt, Rational::from(N as i32));
    for i in 0..=N + 1 {
        theory.assert(holds(i)).unwrap();
    }
    assert_eq!(theory.check(), Check::Consistent);
    let model = theory.model();
    assert_eq!(model[vars[7].0 as usize], Rational::from(7));
    theory.push();
    theory.assert(holds(N + 2)).unwrap();
    let Check::Conflict(conflict) = theory.check() else { panic!("the chain does not fit") };
    assert_eq!(conflict.0.len(), N as usize + 2);
    theory.pop(1);
    assert_eq!(theory.check(), Check::Consistent);
}
