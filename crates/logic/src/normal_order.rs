//! Sums, conjunctions of bits and greatest elements, whatever order they were made in, as the same term.
//!
//! A program that adds up an array, reorders it and adds it up again has two sums of the same numbers. To a solver on bits these
//! are two chains of adders, and that they are equal is beyond it from a dozen numbers on. Here chains are taken apart, and put
//! together again in the order of their operands' ids:
//!
//! - sums with constant factors, also through truncation, and through choices between sums with a common part:
//!   `ite c (s + a) (s + b)` is `s + ite c a b`, and a choice between constants is a multiple of `ite c 1 0`;
//! - `bvand`, `bvor`, `bvxor`;
//! - choices of the lesser or the greater of two terms.
//!
//! All constructors could do that, but where a chain is used at each of its lengths, as states of a loop are, each would be
//! put together anew. So it is done once, of a question as a whole, and kept where the question becomes smaller.

use crate::bits::Bits;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// So many operands are looked at in all, counted each time.
const MOST_OPERANDS: usize = 2_000_000;

/// So deep sums within truncated sums are looked at.
const MOST_NESTED: usize = 4;

/// So many nodes of two choices are compared.
const MOST_COMPARED: usize = 64;

impl Terms {
    /// A formula with its chains in order, if it is smaller then, and else itself.
    ///
    /// ```
    /// use tamis_logic::{Sort, Terms};
    /// let mut t = Terms::new();
    /// let [x, y, z] = ["x", "y", "z"].map(|name| t.var(name, Sort::BitVec(32)));
    /// let (xy, zy) = (t.add(x, y), t.add(z, y));
    /// let (one, other) = (t.add(xy, z), t.add(zy, x));
    /// let three = t.bits(32, 3);
    /// let (one, other) = (t.sdiv(one, three), t.sdiv(other, three));
    /// let equal = t.eq(one, other);
    /// assert!(!t.is_true(equal));
    /// let equal = t.in_normal_order(equal);
    /// assert!(t.is_true(equal));
    /// ```
    pub fn in_normal_order(&mut self, formula: Term) -> Term {
        let ordered =
            NormalOrder { terms: self, done: FxHashMap::default(), left: MOST_OPERANDS }.of(formula);
        match ordered {
            Some(ordered) if self.size(ordered) < self.size(formula) => ordered,
            _ => formula,
        }
    }
}

/// A sum of multiples of terms.
#[derive(Default)]
struct Sum {
    factors: BTreeMap<Term, Bits>,
}

impl Sum {
    fn add(&mut self, t: Term, times: &Bits) {
        let sum = match self.factors.get(&t) {
            Some(before) => before.add(times),
            None => times.clone(),
        };
        if sum.is_zero() {
            self.factors.remove(&t);
        } else {
            self.factors.insert(t, sum);
        }
    }
}

/// What a term is put together from.
enum Chain {
    /// Multiples of terms.
    Sum(Sum),
    /// Equal sums: one less the other.
    Equal(Sum),
    /// An operator for which neither order nor grouping matters.
    Operator(Op, Vec<Term>),
    /// The least or the greatest.
    Extreme(Extreme, BTreeSet<Term>),
    /// The term itself, over its arguments.
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Extreme {
    greatest: bool,
    order: Op,
}

struct NormalOrder<'a> {
    terms: &'a mut Terms,
    done: FxHashMap<Term, Term>,
    /// So many operands may still be looked at.
    left: usize,
}

impl NormalOrder<'_> {
    /// The term in order; `None` if that takes too long.
    fn of(mut self, root: Term) -> Option<Term> {
        let mut chains: FxHashMap<Term, Chain> = FxHashMap::default();
        let mut pending = vec![root];
        while let Some(&t) = pending.last() {
            if self.done.contains_key(&t) {
                pending.pop();
                continue;
            }
            let chain = match chains.remove(&t) {
                Some(chain) => chain,
                None => {
                    let chain = self.chain(t)?;
                    let operands = self.operands(t, &chain);
                    let open = operands.into_iter().filter(|o| !self.done.contains_key(o));
                    let before = pending.len();
                    pending.extend(open);
                    if pending.len() > before {
                        chains.insert(t, chain);
                        continue;
                    }
                    chain
                }
            };
            pending.pop();
            let new = self.built(t, chain);
            self.done.insert(t, new);
        }
        self.done.get(&root).copied()
    }

    fn operands(&self, t: Term, chain: &Chain) -> Vec<Term> {
        match chain {
            Chain::Sum(sum) | Chain::Equal(sum) => sum.factors.keys().copied().collect(),
            Chain::Operator(_, operands) => operands.clone(),
            Chain::Extreme(_, operands) => operands.iter().copied().collect(),
            Chain::Other => self.terms.args(t).to_vec(),
        }
    }

    fn take(&mut self, count: usize) -> Option<()> {
        self.left = self.left.checked_sub(count)?;
        Some(())
    }

    fn chain(&mut self, t: Term) -> Option<Chain> {
        let args = self.terms.args(t).to_vec();
        match self.terms.op(t) {
            Op::BvAnd | Op::BvOr | Op::BvXor => return self.operator(t),
            Op::Eq if matches!(self.terms.sort(args[0]), Sort::BitVec(_)) => {
                let [a, b] = [args[0], args[1]];
                if self.is_sum(a) || self.is_sum(b) {
                    let one = Bits::one(self.terms.width(a));
                    let start = BTreeMap::from([(a, one.clone()), (b, one.neg())]);
                    return Some(Chain::Equal(self.sum(start, 0)?));
                }
            }
            Op::Ite if let Some((kind, ..)) = self.extreme(t) => {
                let (mut open, mut operands) = (BTreeSet::from([t]), BTreeSet::new());
                while let Some(next) = open.pop_last() {
                    self.take(1)?;
                    match self.extreme(next) {
                        Some((k, a, b)) if k == kind => open.extend([a, b]),
                        _ => {
                            operands.insert(next);
                        }
                    }
                }
                return Some(Chain::Extreme(kind, operands));
            }
            _ => {}
        }
        if self.is_sum(t) {
            let one = Bits::one(self.terms.width(t));
            let sum = self.sum(BTreeMap::from([(t, one.clone())]), 0)?;
            let is_itself = sum.factors.len() == 1 && sum.factors.get(&t) == Some(&one);
            if !is_itself {
                return Some(Chain::Sum(sum));
            }
        }
        Some(Chain::Other)
    }

    fn operator(&mut self, t: Term) -> Option<Chain> {
        let op = self.terms.op(t);
        // Whether an operand is there an odd number of times: only that matters to `bvxor`.
        let (mut open, mut operands) = (BTreeMap::from([(t, true)]), Vec::new());
        while let Some((next, odd)) = open.pop_last() {
            self.take(1)?;
            if self.terms.op(next) == op {
                for &arg in self.terms.args(next) {
                    let before = open.entry(arg).or_insert(false);
                    *before ^= odd;
                }
            } else if odd || op != Op::BvXor {
                operands.push(next);
            }
        }
        Some(Chain::Operator(op, operands))
    }

    /// Whether a term may be a sum of several.
    fn is_sum(&self, t: Term) -> bool {
        match self.terms.op(t) {
            Op::Add | Op::Neg | Op::Mul => true,
            Op::Ite => matches!(self.terms.sort(t), Sort::BitVec(_)) && self.extreme(t).is_none(),
            Op::Extract { low: 0, .. } => {
                matches!(self.terms.op(self.terms.args(t)[0]), Op::Add | Op::Neg | Op::Mul | Op::Ite)
            }
            _ => false,
        }
    }

    /// Takes multiples of terms apart. What uses a term has a larger id, so that each term is met once, with all its uses.
    fn sum(&mut self, mut open: BTreeMap<Term, Bits>, nested: usize) -> Option<Sum> {
        let mut sum = Sum::default();
        while let Some((t, times)) = open.pop_last() {
            self.take(1)?;
            if times.is_zero() {
                continue;
            }
            let mut push = |t: Term, times: Bits| match open.get_mut(&t) {
                Some(before) => *before = before.add(&times),
                None => {
                    open.insert(t, times);
                }
            };
            let args = self.terms.args(t).to_vec();
            match self.terms.op(t) {
                Op::Add => args.iter().for_each(|&a| push(a, times.clone())),
                Op::Neg => push(args[0], times.neg()),
                Op::Mul if let Some(c) = self.terms.bits_constant(args[1]) => push(args[0], times.mul(&c)),
                Op::Ite if self.extreme(t).is_none() => {
                    let [condition, a, b] = [args[0], args[1], args[2]];
                    match self.common(a, b) {
                        Some((base, a, b)) => {
                            push(base, times.clone());
                            self.choice(&mut sum, condition, a, b, &times);
                        }
                        None => self.choice(&mut sum, condition, a, b, &times),
                    }
                }
                Op::Extract { high, low: 0 } if nested < MOST_NESTED && self.is_sum(t) => {
                    let one = Bits::one(self.terms.width(args[0]));
                    let inner = self.sum(BTreeMap::from([(args[0], one)]), nested + 1)?;
                    for (part, c) in inner.factors {
                        let part = self.terms.extract(high, 0, part);
                        sum.add(part, &times.mul(&c.extract(high, 0)));
                    }
                }
                _ => sum.add(t, &times),
            }
        }
        Some(sum)
    }

    /// Adds a multiple of a choice; of one between constants, a multiple of that between 1 and 0.
    fn choice(&mut self, sum: &mut Sum, condition: Term, a: Term, b: Term, times: &Bits) {
        let (x, y) = (self.terms.bits_constant(a), self.terms.bits_constant(b));
        let (Some(x), Some(y)) = (x, y) else {
            let choice = self.terms.ite(condition, a, b);
            return sum.add(choice, times);
        };
        let one = self.terms.bits_value(Bits::one(x.width()));
        let zero = self.terms.bits(x.width(), 0);
        let choice = self.terms.ite(condition, one, zero);
        sum.add(choice, &times.mul(&x.sub(&y)));
        sum.add(one, &times.mul(&y));
    }

    /// What two terms are sums of, both with the first as a summand.
    fn common(&mut self, a: Term, b: Term) -> Option<(Term, Term, Term)> {
        let parts = |terms: &Terms, t: Term| -> Vec<(Term, Option<Term>)> {
            match (terms.op(t), terms.args(t)) {
                (Op::Add, &[x, y]) => vec![(t, None), (x, Some(y)), (y, Some(x))],
                _ => vec![(t, None)],
            }
        };
        let zero = self.terms.bits(self.terms.width(a), 0);
        for (base, rest) in parts(self.terms, a) {
            for (other, left) in parts(self.terms, b) {
                if base == other && !self.terms.is_constant(base) {
                    return Some((base, rest.unwrap_or(zero), left.unwrap_or(zero)));
                }
            }
        }
        // Both are the same choice between constants, but for a constant.
        if self.terms.is_constant(a) {
            return None;
        }
        let difference = self.difference(a, b, &mut 0)?;
        let difference = self.terms.bits_value(difference);
        Some((b, difference, zero))
    }

    /// By which constant a term is larger than another, where both are choices on the same conditions.
    fn difference(&self, a: Term, b: Term, nodes: &mut usize) -> Option<Bits> {
        *nodes += 1;
        if a == b {
            return Some(Bits::new(self.terms.width(a), 0));
        }
        if let (Some(x), Some(y)) = (self.terms.bits_constant(a), self.terms.bits_constant(b)) {
            return Some(x.sub(&y));
        }
        let (&[c, x, y], &[d, v, w]) = (self.terms.args(a), self.terms.args(b)) else { return None };
        let both = self.terms.op(a) == Op::Ite && self.terms.op(b) == Op::Ite;
        if !both || c != d || *nodes > MOST_COMPARED {
            return None;
        }
        let one = self.difference(x, v, nodes)?;
        (self.difference(y, w, nodes)? == one).then_some(one)
    }

    /// The two terms of which a term is the lesser or the greater.
    fn extreme(&self, t: Term) -> Option<(Extreme, Term, Term)> {
        let (Op::Ite, &[condition, one, other]) = (self.terms.op(t), self.terms.args(t)) else { return None };
        let order @ (Op::Slt | Op::Ult) = self.terms.op(condition) else { return None };
        let [x, y] = [self.terms.args(condition)[0], self.terms.args(condition)[1]];
        let kind = |greatest: bool| Some((Extreme { greatest, order }, one, other));
        // x < y
        if self.is_told_wider(order, x, one) && self.is_least_above(order, y, other) {
            return kind(false);
        }
        if self.is_told_wider(order, x, other) && self.is_least_above(order, y, one) {
            return kind(true);
        }
        None
    }

    /// Whether `wide` is `t` in more bits.
    fn is_told_wider(&self, order: Op, t: Term, wide: Term) -> bool {
        let extension = if order == Op::Slt { Op::SignExtend } else { Op::ZeroExtend };
        if t == wide || self.terms.op(wide) == extension && self.terms.args(wide)[0] == t {
            return true;
        }
        match (self.terms.bits_constant(t), self.terms.bits_constant(wide)) {
            (Some(c), Some(d)) if order == Op::Slt => c.sign_extend(d.width()) == d,
            (Some(c), Some(d)) => c.zero_extend(d.width()) == d,
            _ => false,
        }
    }

    /// Whether `x < bound` decides between `x` and `t`: `t` is the bound, or the number before it.
    fn is_least_above(&self, order: Op, bound: Term, t: Term) -> bool {
        if self.is_told_wider(order, bound, t) {
            return true;
        }
        let (Some(c), Some(d)) = (self.terms.bits_constant(bound), self.terms.bits_constant(t)) else {
            return false;
        };
        let is_first = if order == Op::Slt { c == Bits::min_signed(c.width()) } else { c.is_zero() };
        let before = c.sub(&Bits::one(c.width()));
        let before =
            if order == Op::Slt { before.sign_extend(d.width()) } else { before.zero_extend(d.width()) };
        !is_first && before == d
    }

    fn built(&mut self, t: Term, chain: Chain) -> Term {
        let done = |this: &Self, t: Term| this.done[&t];
        match chain {
            Chain::Sum(sum) => {
                let sum = self.ordered(sum);
                self.total(self.terms.width(t), sum.factors)
            }
            Chain::Equal(difference) => {
                let width = self.terms.width(self.terms.args(t)[0]);
                let difference = self.ordered(difference);
                // Coefficients that are closer to 0 from below go to the other side.
                let (right, left): (BTreeMap<Term, Bits>, BTreeMap<Term, Bits>) =
                    difference.factors.into_iter().partition(|(_, c)| c.is_negative());
                let left = self.total(width, left);
                let right = self.total(width, right.into_iter().map(|(t, c)| (t, c.neg())).collect());
                self.terms.eq(left, right)
            }
            Chain::Operator(op, operands) => {
                let mut operands: Vec<Term> = operands.into_iter().map(|o| done(self, o)).collect();
                operands.sort_unstable();
                let build = match op {
                    Op::BvAnd => Terms::bv_and,
                    Op::BvOr => Terms::bv_or,
                    _ => Terms::bv_xor,
                };
                let width = self.terms.width(t);
                let start = if op == Op::BvAnd { Bits::ones(width) } else { Bits::new(width, 0) };
                let start = self.terms.bits_value(start);
                operands.into_iter().fold(start, |all, next| build(self.terms, all, next))
            }
            Chain::Extreme(kind, operands) => {
                let operands: BTreeSet<Term> = operands.into_iter().map(|o| done(self, o)).collect();
                let greater = |terms: &mut Terms, a: Term, b: Term| {
                    let less = if kind.order == Op::Slt { terms.slt(a, b) } else { terms.ult(a, b) };
                    if kind.greatest { terms.ite(less, b, a) } else { terms.ite(less, a, b) }
                };
                let mut operands = operands.into_iter();
                let first = operands.next().unwrap_or(t);
                operands.fold(first, |all, next| greater(self.terms, all, next))
            }
            Chain::Other => {
                let args: Vec<Term> = self.terms.args(t).iter().map(|a| self.done[a]).collect();
                if args == self.terms.args(t) { t } else { self.terms.rebuild(t, &args) }
            }
        }
    }

    /// A sum of what its terms have become.
    fn ordered(&self, sum: Sum) -> Sum {
        let mut ordered = Sum::default();
        for (t, times) in sum.factors {
            ordered.add(self.done[&t], &times);
        }
        ordered
    }

    fn total(&mut self, width: u32, factors: BTreeMap<Term, Bits>) -> Term {
        let mut constant = Bits::new(width, 0);
        let mut total = self.terms.bits(width, 0);
        for (t, times) in factors {
            if let Some(c) = self.terms.bits_constant(t) {
                constant = constant.add(&c.mul(&times));
                continue;
            }
            let times = self.terms.bits_value(times);
            let multiple = self.terms.mul(t, times);
            total = self.terms.add(total, multiple);
        }
        let constant = self.terms.bits_value(constant);
        self.terms.add(total, constant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Model, Value};
    use tamis_testing::Random;

    /// Random terms of `width` bits over some variables: mostly chains.
    fn terms(t: &mut Terms, random: &mut Random, width: u32, count: usize) -> Vec<Term> {
        let mut all: Vec<Term> = (0..4).map(|i| t.var(&format!("x{i}"), Sort::BitVec(width))).collect();
        while all.len() < count {
            let [a, b] = [(); 2].map(|()| all[random.below(all.len() as u64) as usize]);
            let constant = t.bits(width, u128::from(random.below(1u64 << width)));
            let c = if random.below(3) == 0 { constant } else { b };
            let condition = match random.below(3) {
                0 => t.slt(a, c),
                1 => t.ult(a, c),
                _ => t.eq(a, c),
            };
            let new = match random.below(11) {
                0..3 => t.add(a, c),
                3 => t.neg(a),
                4 => t.mul(a, constant),
                5 => t.bv_and(a, c),
                6 => t.bv_xor(a, c),
                7 => {
                    let (x, y) = (t.add(a, constant), t.add(a, b));
                    t.ite(condition, x, y)
                }
                8 => t.ite(condition, a, c),
                9 => t.ite(condition, c, a),
                _ => {
                    let (x, y) = (t.sign_extend(width + 3, a), t.zero_extend(width + 3, b));
                    let sum = t.add(x, y);
                    t.extract(width - 1, 0, sum)
                }
            };
            all.push(new);
        }
        all
    }

    #[test]
    fn order_keeps_values() {
        let mut random = Random::new(17);
        for _ in 0..1_500 {
            let (mut t, width) = (Terms::new(), 2 + random.below(4) as u32);
            let all = terms(&mut t, &mut random, width, 24);
            let (a, b) = (all[all.len() - 1], all[all.len() - 2]);
            for root in [a, t.eq(a, b)] {
                let order = NormalOrder { terms: &mut t, done: FxHashMap::default(), left: MOST_OPERANDS };
                let ordered = order.of(root).expect("few operands");
                for _ in 0..8 {
                    let mut model = Model::default();
                    for &x in &all[..4] {
                        let value = Bits::new(width, u128::from(random.below(1u64 << width)));
                        model.set(x, Value::Bits(value));
                    }
                    assert_eq!(t.eval(root, &model), t.eval(ordered, &model), "{}", t.to_smtlib(root));
                }
            }
        }
    }

    #[test]
    fn permuted_chains_are_equal() {
        let mut random = Random::new(3);
        for count in [12, 300] {
            let mut t = Terms::new();
            let zero = t.bits(64, 0);
            let elements: Vec<Term> = (0..count).map(|i| t.var(&format!("x{i}"), Sort::BitVec(32))).collect();
            let mut permuted = elements.clone();
            for i in (1..permuted.len()).rev() {
                permuted.swap(i, random.below(i as u64 + 1) as usize);
            }
            let folds: [fn(&mut Terms, Term, Term) -> Term; 5] = [
                |t, s, x| t.add(s, x),
                |t, s, x| t.bv_or(s, x),
                |t, s, x| {
                    let less = t.slt(s, x);
                    t.ite(less, x, s)
                },
                |t, s, x| {
                    let less = t.slt(x, s);
                    t.ite(less, x, s)
                },
                |t, s, x| {
                    let one = t.bits(64, 1);
                    let (more, odd) = (t.add(s, one), t.extract(0, 0, x));
                    let odd = t.nonzero(odd);
                    t.ite(odd, more, s)
                },
            ];
            for (n, fold) in folds.iter().enumerate() {
                let [one, other] = [&elements, &permuted].map(|all| {
                    let mut result = zero;
                    for &x in all {
                        let wide = t.sign_extend(64, x);
                        result = fold(&mut t, result, wide);
                    }
                    t.extract(31, 0, result)
                });
                let equal = t.eq(one, other);
                let ordered = t.in_normal_order(equal);
                assert!(t.is_true(ordered), "chain {n} of {count}: {}", t.to_smtlib(ordered));
            }
        }
    }
}
