//! The simplifying constructors keep the meaning: random expressions built by them have the values that the operators
//! give on plain numbers.

mod common;

use common::{Expressions, Random};
use tamis_logic::Terms;

fn constructors_keep_values(seed: u64, rounds: usize, size: usize, widest: u32) {
    let mut random = Random(seed);
    let mut expressions = 0;
    for round in 0..rounds {
        let all = Expressions::random(&mut random, size, widest);
        let mut terms = Terms::new();
        let built = all.terms(&mut terms);
        for _ in 0..4 {
            let vars = all.assignment(&mut random);
            let expected = all.values(&vars);
            let found = terms.eval_all(&built, &all.model(&built, &vars));
            for (i, node) in all.nodes.iter().enumerate() {
                assert_eq!(terms.sort(built[i]), node.sort, "sort of node {i} in round {round}");
                if found[i] != expected[i] {
                    let args: Vec<String> = node.args.iter().map(|&a| terms.to_smtlib(built[a])).collect();
                    let result = terms.to_smtlib(built[i]);
                    panic!(
                        "round {round}, node {i}: {:?} of {args:#?}\nbecame {result}\nwith {} instead of {} for {vars:?}",
                        node.shape, found[i], expected[i]
                    );
                }
            }
        }
        expressions += all.nodes.len();
    }
    assert!(expressions > 80_000);
}

#[test]
fn narrow_expressions() {
    constructors_keep_values(1, 4_000, 40, 4);
}

#[test]
fn usual_expressions() {
    constructors_keep_values(2, 4_000, 40, 64);
}

#[test]
fn wide_expressions() {
    constructors_keep_values(3, 2_000, 60, 128);
}

/// Equal expressions are one term, whatever the order of commutative arguments.
#[test]
fn commutative_operators_share() {
    use tamis_logic::Sort;
    let mut t = Terms::new();
    let (x, y) = (t.var("x", Sort::BitVec(8)), t.var("y", Sort::BitVec(8)));
    let (p, q) = (t.var("p", Sort::Bool), t.var("q", Sort::Bool));
    assert_eq!(t.add(x, y), t.add(y, x));
    assert_eq!(t.mul(x, y), t.mul(y, x));
    assert_eq!(t.eq(x, y), t.eq(y, x));
    assert_eq!(t.bv_and(x, y), t.bv_and(y, x));
    assert_eq!(t.bv_or(x, y), t.bv_or(y, x));
    assert_eq!(t.bv_xor(x, y), t.bv_xor(y, x));
    assert_eq!(t.and2(p, q), t.and2(q, p));
    assert_eq!(t.or2(p, q), t.or2(q, p));
    assert_eq!(t.eq(p, q), t.eq(q, p));
}
