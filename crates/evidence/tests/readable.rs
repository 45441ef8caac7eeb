//! What is told of a formula is the same formula.

use tamis_evidence::{Ranged, readable};
use tamis_logic::{Sort, Term, Terms};
use tamis_solver::{Answer, Budget, Solver};
use tamis_testing::Random;

fn same(terms: &mut Terms, a: Term, b: Term) -> bool {
    let mut solver = Solver::new(&Budget::unlimited());
    let (not_a, not_b) = (terms.not(a), terms.not(b));
    let (left, right) = (terms.and2(a, not_b), terms.and2(b, not_a));
    let differ = terms.or2(left, right);
    solver.assert(terms, differ);
    solver.check(terms, &[]) == Ok(Answer::Unsat)
}

/// A bit of a value is set, or not.
fn bit(terms: &mut Terms, value: Term, index: u32, set: bool) -> Term {
    let (bit, wanted) = (terms.extract(index, index, value), terms.bits(1, u128::from(set)));
    terms.eq(bit, wanted)
}

#[test]
fn bits_become_a_range() {
    let mut terms = Terms::new();
    let head = terms.var("head", Sort::BitVec(8));
    // Below 5, as IC3 says it: no high bit, and not 4 together with 1 or 2.
    let mut clauses: Vec<Term> = (3..8).map(|index| bit(&mut terms, head, index, false)).collect();
    for low in [0, 1] {
        let either = [bit(&mut terms, head, 2, false), bit(&mut terms, head, low, false)];
        clauses.push(terms.or(&either));
    }
    let formula = terms.and(&clauses);
    let values = [Ranged { value: head, signed: false }];
    let told = readable(&mut terms, formula, &values, &Budget::unlimited()).expect("no limit");
    let five = terms.bits(8, 5);
    assert_eq!(told, terms.ult(head, five), "{}", terms.to_smtlib(told));
    // Signed, it has a lower end too.
    let values = [Ranged { value: head, signed: true }];
    let told = readable(&mut terms, formula, &values, &Budget::unlimited()).expect("no limit");
    let zero = terms.bits(8, 0);
    let (negative, below) = (terms.slt(head, zero), terms.slt(head, five));
    let least = terms.not(negative);
    assert_eq!(told, terms.and2(least, below), "{}", terms.to_smtlib(told));
}

#[test]
fn what_other_parts_say_is_not_said_again() {
    let mut terms = Terms::new();
    let [i, n] = ["i", "n"].map(|name| terms.var(name, Sort::BitVec(32)));
    let (less, four) = (terms.ult(i, n), terms.bits(32, 4));
    let (first, second) = (terms.ult(i, four), terms.eq(n, four));
    let not_second = terms.not(second);
    // i < n && (n == 4 && i < 4 || n != 4): the disjunction says nothing.
    let both = terms.and2(second, first);
    let either = terms.or2(both, not_second);
    let formula = terms.and2(less, either);
    let told = readable(&mut terms, formula, &[], &Budget::unlimited()).expect("no limit");
    assert_eq!(told, less, "{}", terms.to_smtlib(told));
}

/// Random formulas over two values of five bits: what is told is equivalent, and never longer than what was given.
#[test]
fn random_formulas_keep_their_meaning() {
    let mut random = Random::new(11);
    for round in 0..60 {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(5));
        let y = terms.var("y", Sort::BitVec(5));
        let mut literal = |terms: &mut Terms| {
            let value = if random.below(2) == 0 { x } else { y };
            let constant = terms.bits(5, random.below(32) as u128);
            let literal = match random.below(5) {
                0 | 1 => {
                    let (index, set) = (random.below(5) as u32, random.below(2) == 0);
                    bit(terms, value, index, set)
                }
                2 => terms.ult(value, constant),
                3 => terms.slt(x, y),
                _ => terms.eq(value, constant),
            };
            if random.below(3) == 0 { terms.not(literal) } else { literal }
        };
        let mut clauses = Vec::new();
        for _ in 0..4 {
            let members: Vec<Term> = (0..3)
                .map(|_| {
                    let (a, b) = (literal(&mut terms), literal(&mut terms));
                    terms.and2(a, b)
                })
                .collect();
            clauses.push(terms.or(&members));
        }
        let formula = terms.and(&clauses);
        let values = [Ranged { value: x, signed: round % 2 == 0 }, Ranged { value: y, signed: false }];
        let told = readable(&mut terms, formula, &values, &Budget::unlimited()).expect("no limit");
        assert!(same(&mut terms, formula, told), "{}\n{}", terms.to_smtlib(formula), terms.to_smtlib(told));
    }
}
