//! The parts that a predicate is a Boolean combination of, seen through words.
//!
//! Where images are computed, one predicate for a large formula is better than ten for its parts. IC3 computes none: its clauses
//! are made of literals, and small ones can be dropped or kept one by one. So a formula is taken apart as far as it is a
//! combination: through words of one bit, which hardware has for truth values, and through choices between words, as
//! weakest preconditions make them: `(if c then x else y) = z` is about `c`, `x = z` and `y = z`.

use super::eliminate::positive;
use rustc_hash::FxHashSet;
use tamis_logic::{Op, Sort, Term, Terms};

/// A formula with more parts than this is left whole.
const MAX_PARTS: usize = 200;

/// The smallest parts of a formula that it is a combination of; the formula itself if they are many.
pub fn leaves(terms: &mut Terms, formula: Term) -> Vec<Term> {
    let (mut pending, mut seen, mut found) = (vec![formula], FxHashSet::default(), Vec::new());
    while let Some(t) = pending.pop() {
        if terms.constant(t).is_some() || !seen.insert(t) {
            continue;
        }
        if seen.len() > MAX_PARTS {
            return vec![positive(terms, formula)];
        }
        let parts = parts(terms, t);
        if parts.is_empty() {
            found.push(leaf(terms, t));
        }
        pending.extend(parts);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// A leaf in the form that it has wherever it is met: that a bit is set and that it is not are one predicate.
fn leaf(terms: &mut Terms, t: Term) -> Term {
    let t = positive(terms, t);
    let of_bits = |&side: &Term| terms.sort(side) == Sort::BitVec(1);
    match (terms.op(t), terms.args(t)) {
        (Op::Eq, &[a, b]) if of_bits(&a) && terms.is_constant(b) => {
            let set = is_set(terms, a);
            positive(terms, set)
        }
        (Op::Eq, &[a, b]) if of_bits(&a) && terms.is_constant(a) => {
            let set = is_set(terms, b);
            positive(terms, set)
        }
        _ => t,
    }
}

/// What a formula is a combination of; nothing if it is a leaf.
fn parts(terms: &mut Terms, t: Term) -> Vec<Term> {
    if terms.is_connective(t) {
        return terms.args(t).to_vec();
    }
    let op = terms.op(t);
    let (Op::Eq | Op::Ult | Op::Slt, &[a, b]) = (op, terms.args(t)) else { return Vec::new() };
    if op == Op::Eq && terms.sort(a) == Sort::BitVec(1) {
        let word = match (terms.is_constant(a), terms.is_constant(b)) {
            (true, _) => b,
            (_, true) => a,
            _ => return vec![is_set(terms, a), is_set(terms, b)],
        };
        return parts_of_bit(terms, word);
    }
    let compared = |terms: &mut Terms, a: Term, b: Term| match op {
        Op::Eq => terms.eq(a, b),
        Op::Ult => terms.ult(a, b),
        _ => terms.slt(a, b),
    };
    for (choice, is_left) in [(a, true), (b, false)] {
        if let (Op::Ite, &[condition, x, y]) = (terms.op(choice), terms.args(choice)) {
            let mut either = |x: Term| if is_left { compared(terms, x, b) } else { compared(terms, a, x) };
            return vec![condition, either(x), either(y)];
        }
    }
    Vec::new()
}

/// What a word of one bit is a combination of; nothing if it is a leaf.
fn parts_of_bit(terms: &mut Terms, word: Term) -> Vec<Term> {
    let args = terms.args(word).to_vec();
    match terms.op(word) {
        Op::BvNot | Op::BvAnd | Op::BvOr | Op::BvXor | Op::Add => {
            args.into_iter().map(|bit| is_set(terms, bit)).collect()
        }
        Op::Ite => vec![args[0], is_set(terms, args[1]), is_set(terms, args[2])],
        _ => Vec::new(),
    }
}

fn is_set(terms: &mut Terms, bit: Term) -> Term {
    let one = terms.bits(1, 1);
    terms.eq(bit, one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_bit_and_choices_are_taken_apart() {
        let mut t = Terms::new();
        let [a, b] = ["a", "b"].map(|name| t.var(name, Sort::BitVec(1)));
        let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::BitVec(8)));
        let five = t.bits(8, 5);
        let not_b = t.bv_not(b);
        let [is_a, is_b] = [a, b].map(|bit| is_set(&mut t, bit)).map(|set| positive(&t, set));
        let both = t.bv_and(a, not_b);
        let whole = is_set(&mut t, both);
        let mut expected = vec![is_a, is_b];
        expected.sort_unstable();
        assert_eq!(leaves(&mut t, whole), expected);

        let choice = t.ite(whole, x, y);
        let below = t.ult(choice, five);
        expected.extend([t.ult(x, five), t.ult(y, five)]);
        expected.sort_unstable();
        assert_eq!(leaves(&mut t, below), expected);
    }

    #[test]
    fn a_leaf_is_its_own_part() {
        let mut t = Terms::new();
        let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::BitVec(8)));
        let less = t.slt(x, y);
        let not = t.not(less);
        assert_eq!(leaves(&mut t, not), [less]);
    }
}
