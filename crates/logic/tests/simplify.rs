//! The simplifying constructors keep the meaning: random expressions built by them have the values that the operators
//! give on plain numbers.

mod common;

use common::mixed::{Mixed, any_value, two_bits};
use common::{Expressions, Random, random_bits};
use tamis_logic::{Sort, Term, Terms, Value};

fn constructors_keep_values(seed: u64, rounds: usize, size: usize, widest: u32) {
    let mut random = Random::new(seed);
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
                        node.shape,
                        terms.value_text(&found[i]),
                        terms.value_text(&expected[i])
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

#[test]
fn expressions_wider_than_a_machine_word() {
    constructors_keep_values(4, 2_000, 60, 300);
}

/// Equal expressions are one term, whatever the order of commutative arguments.
#[test]
fn commutative_operators_share() {
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

/// As above, over integers, reals, arrays, functions and declared sorts.
#[test]
fn expressions_of_all_sorts() {
    let mut random = Random::new(5);
    for round in 0..4_000 {
        let mut terms = Terms::new();
        let all = Mixed::random(&mut terms, &mut random, 60);
        let built = all.terms(&mut terms);
        for _ in 0..4 {
            let model = all.model(&terms, &mut random, &built);
            let expected = all.values(&terms, &built, &model);
            let found = terms.eval_all(&built, &model);
            for (i, node) in all.nodes.iter().enumerate() {
                assert_eq!(terms.sort(built[i]), node.sort, "sort of node {i} in round {round}");
                if found[i] != expected[i] {
                    let args: Vec<String> = node.args.iter().map(|&a| terms.to_smtlib(built[a])).collect();
                    let result = terms.to_smtlib(built[i]);
                    panic!(
                        "round {round}, node {i}: {:?} of {args:#?}\nbecame {result}\nwith {} instead of {}",
                        node.shape,
                        terms.value_text(&found[i]),
                        terms.value_text(&expected[i])
                    );
                }
            }
        }
    }
}

/// Arrays are equal exactly if they have the same elements, however they were made.
#[test]
fn arrays_with_few_indices_are_equal_by_their_elements() {
    let mut terms = Terms::new();
    let bits = Sort::BitVec(2);
    let sort = terms.array_sort(bits, bits);
    let mut random = Random::new(6);
    for _ in 0..2_000 {
        let mut make = || any_value(&terms, &mut random, sort);
        let (a, b) = (make(), make());
        let same = two_bits().iter().all(|i| a.as_array().select(i) == b.as_array().select(i));
        assert_eq!(a == b, same, "{a:?} and {b:?}");
    }
}

fn text_of(build: impl FnOnce(&mut Terms) -> Term) -> String {
    let mut terms = Terms::new();
    let t = build(&mut terms);
    terms.to_smtlib(t)
}

#[test]
fn sums_are_collected() {
    let text = text_of(|t| {
        let (x, y, three) = (t.var("x", Sort::Int), t.var("y", Sort::Int), t.int(3));
        let product = t.times(&[three, x]);
        let difference = t.minus(y, x);
        t.plus(&[x, product, three, difference, three])
    });
    assert_eq!(text, "(+ (* 3 x) y 6)");
}

#[test]
fn comparisons_of_integers_are_tightened() {
    // 4x - 2y < 7 is 2x - y <= 3.
    let text = text_of(|t| {
        let (x, y) = (t.var("x", Sort::Int), t.var("y", Sort::Int));
        let [two, four, seven] = [2, 4, 7].map(|n| t.int(n));
        let (a, b) = (t.times(&[four, x]), t.times(&[two, y]));
        let sum = t.minus(a, b);
        t.lt(sum, seven)
    });
    assert_eq!(text, "(<= (+ (* 2 x) (* (- 1) y)) 3)");
    // 2x = 2y + 1 has no solution.
    let text = text_of(|t| {
        let (x, y) = (t.var("x", Sort::Int), t.var("y", Sort::Int));
        let [one, two] = [1, 2].map(|n| t.int(n));
        let (a, b) = (t.times(&[two, x]), t.times(&[two, y]));
        let odd = t.plus(&[b, one]);
        t.eq(a, odd)
    });
    assert_eq!(text, "false");
}

#[test]
fn a_comparison_and_its_complement_share_their_atom() {
    let mut t = Terms::new();
    let (x, y) = (t.var("x", Sort::Int), t.var("y", Sort::Int));
    let (below, above) = (t.lt(x, y), t.le(y, x));
    assert_eq!(t.not(below), above);
}

#[test]
fn stores_are_looked_through() {
    let mut t = Terms::new();
    let sort = t.array_sort(Sort::BitVec(8), Sort::Int);
    let (a, i) = (t.var("a", sort), t.var("i", Sort::BitVec(8)));
    let (one, five, six) = (t.bits(8, 1), t.int(5), t.int(6));
    let next = t.add(i, one);
    let stored = t.store(a, i, five);
    let stored = t.store(stored, next, six);
    assert_eq!(t.select(stored, next), six);
    assert_eq!(t.select(stored, i), five);
    let there = t.select(a, i);
    assert_eq!(t.store(a, i, there), a);
    let overwritten = t.store(stored, next, five);
    let once = t.store(a, i, five);
    assert_eq!(overwritten, t.store(once, next, five));
}

/// A member before a buffer is not reached by an index that is narrower than an address and counts upward.
#[test]
fn what_a_narrow_index_does_not_reach_is_looked_through() {
    let mut t = Terms::new();
    let sort = t.array_sort(Sort::BitVec(16), Sort::BitVec(8));
    let (a, i) = (t.var("a", sort), t.var("i", Sort::BitVec(8)));
    let [before, inside, behind, buffer, five] =
        [(16, 0xfff), (16, 0x10ff), (16, 0x1100), (16, 0x1000), (8, 5)].map(|(width, n)| t.bits(width, n));
    let upward = t.zero_extend(16, i);
    let at = t.add(upward, buffer);
    let stored = t.store(a, at, five);
    for out_of_reach in [before, behind] {
        let there = t.select(a, out_of_reach);
        assert_eq!(t.select(stored, out_of_reach), there);
    }
    assert_ne!(t.select(stored, inside), t.select(a, inside));
    // A signed index reaches what is before, too.
    let either_way = t.sign_extend(16, i);
    let at = t.add(either_way, buffer);
    let stored = t.store(a, at, five);
    assert_ne!(t.select(stored, before), t.select(a, before));
}

/// A random sum or product over few variables.
fn random_polynomial(t: &mut Terms, random: &mut Random, vars: &[Term], depth: u32) -> Term {
    let width = t.width(vars[0]);
    if depth == 0 || random.below(5) == 0 {
        return if random.below(4) == 0 {
            t.bits_value(random_bits(random, width))
        } else {
            random.pick(vars)
        };
    }
    let a = random_polynomial(t, random, vars, depth - 1);
    match random.below(4) {
        0 => t.neg(a),
        1 => {
            let b = random_polynomial(t, random, vars, depth - 1);
            t.mul(a, b)
        }
        _ => {
            let b = random_polynomial(t, random, vars, depth - 1);
            t.add(a, b)
        }
    }
}

/// Equality, order and division of terms that have much in common.
#[test]
fn comparisons_of_sums_and_products() {
    let mut random = Random::new(7);
    let mut decided = 0;
    for _ in 0..6_000 {
        let mut t = Terms::new();
        let width = random.pick(&[1, 2, 3, 8, 32, 70]);
        let vars: Vec<Term> = ["x", "y", "z"].iter().map(|name| t.var(name, Sort::BitVec(width))).collect();
        let depth = 1 + random.below(4);
        let a = random_polynomial(&mut t, &mut random, &vars, depth);
        let mut b = random_polynomial(&mut t, &mut random, &vars, depth);
        if random.below(3) == 0 {
            // (a + b)·b is a·b + b·b.
            let (sum, ab, bb) = (t.add(a, b), t.mul(a, b), t.mul(b, b));
            let product = t.mul(sum, b);
            let expanded = t.add(ab, bb);
            let equal = t.eq(product, expanded);
            decided += u32::from(t.is_true(equal));
            b = random.pick(&[product, expanded]);
        }
        let (quotient, remainder) = (t.udiv(a, b), t.urem(a, b));
        let (wide_a, wide_b) = (t.zero_extend(width + 5, a), t.zero_extend(width + 5, b));
        let wide = [t.udiv(wide_a, wide_b), t.urem(wide_a, wide_b)];
        let built = [t.eq(a, b), t.ult(remainder, b), t.ult(b, remainder), t.eq(quotient, a), t.ult(a, b)];
        for _ in 0..6 {
            let model = vars.iter().map(|&var| (var, Value::Bits(random_bits(&mut random, width)))).collect();
            let values = t.eval_all(&[a, b, quotient, remainder], &model);
            let [a, b, quotient, remainder] = [0, 1, 2, 3].map(|i| values[i].as_bits());
            let (wide_a, wide_b) = (a.zero_extend(width + 5), b.zero_extend(width + 5));
            let found = t.eval_all(&wide, &model);
            assert_eq!(*found[0].as_bits(), wide_a.udiv(&wide_b), "{}", t.to_smtlib(wide[0]));
            assert_eq!(*found[1].as_bits(), wide_a.urem(&wide_b), "{}", t.to_smtlib(wide[1]));
            let expected = [a == b, remainder.ult(b), b.ult(remainder), quotient == a, a.ult(b)];
            let found = t.eval_all(&built, &model);
            for i in 0..expected.len() {
                assert_eq!(found[i].as_bool(), expected[i], "{}", t.to_smtlib(built[i]));
            }
        }
    }
    assert!(decided > 500, "{decided} products were recognised");
}
