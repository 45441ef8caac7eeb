//! When a condition holds in each of `k` rounds: said of the first and the last alone, and exactly, so that no wrap-around
//! in between is missed.
//!
//! A sum of variables that move goes along a line, modulo 2^width. As long as the exact line, in more bits, ends within the
//! numbers of the width, so does all between its ends, and the modular sum is the exact one. Of two such lines the one is
//! below the other all the way if it is at both ends. Two sums that are different are so as long as their difference, as a number
//! from 0 to 2^width, stays strictly between the two.

use super::motion::COUNT_BITS;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use tamis_logic::{Bits, Op, Sort, Term, Terms};

/// Of larger conditions nothing is said.
pub(super) const MAX_SIZE: usize = 2_000;

/// So many terms are looked at for one condition.
pub(super) const PATIENCE: usize = 2_000;

/// What moves.
pub(super) struct Throughout<'a> {
    /// What is added to a variable in each round.
    pub moving: &'a FxHashMap<Term, Term>,
    /// Variables that change in other ways.
    pub beyond: FxHashSet<Term>,
    /// The number of the last round; the first has 0.
    pub last: Term,
    /// How many more terms are looked at: sums of sums have many paths through them.
    pub patience: Cell<usize>,
}

/// Where a sum is in the first round and in the last, as signed numbers of enough bits.
struct Line {
    first: Term,
    last: Term,
}

impl Throughout<'_> {
    /// A condition before the first round that implies a condition before each round. `None` if there is none to be seen.
    pub fn holds(&self, terms: &mut Terms, condition: Term) -> Option<Term> {
        if terms.size(condition) > MAX_SIZE {
            return None;
        }
        self.patience.set(PATIENCE);
        self.holds_as(terms, condition, true)
    }

    /// The same of a condition or its complement.
    fn holds_as(&self, terms: &mut Terms, t: Term, positive: bool) -> Option<Term> {
        if self.is_fixed(terms, t) {
            return Some(if positive { t } else { terms.not(t) });
        }
        let args = terms.args(t).to_vec();
        match terms.op(t) {
            Op::Not => return self.holds_as(terms, args[0], !positive),
            op @ (Op::And | Op::Or) => {
                let parts = args.iter().map(|&arg| self.holds_as(terms, arg, positive));
                if (op == Op::And) == positive {
                    let parts: Option<Vec<Term>> = parts.collect();
                    return parts.map(|parts| terms.and(&parts));
                }
                // One of them throughout: more than is needed.
                let parts: Vec<Term> = parts.flatten().collect();
                return (!parts.is_empty()).then(|| terms.or(&parts));
            }
            Op::Ite => {
                let mut ways = Vec::new();
                for (branch, chosen) in [(args[1], true), (args[2], false)] {
                    if let Some(condition) = self.holds_as(terms, args[0], chosen)
                        && let Some(branch) = self.holds_as(terms, branch, positive)
                    {
                        ways.push(terms.and2(condition, branch));
                    }
                }
                return (!ways.is_empty()).then(|| terms.or(&ways));
            }
            op @ (Op::Ult | Op::Slt) => {
                if let Some(ordered) = self.ordered(terms, args[0], args[1], op == Op::Slt, positive) {
                    return Some(ordered);
                }
            }
            Op::Eq if !positive && matches!(terms.sort(args[0]), Sort::BitVec(_)) => {
                if let Some(apart) = self.apart(terms, args[0], args[1]) {
                    return Some(apart);
                }
            }
            Op::Eq if matches!(terms.sort(args[0]), Sort::BitVec(_)) => {
                let mut because = vec![t];
                let steps = [args[0], args[1]].map(|side| self.step(terms, side, &mut because));
                if let [Some(a), Some(b)] = steps
                    && a == b
                {
                    return Some(terms.and(&because));
                }
            }
            _ => {}
        }
        let mut because = Vec::new();
        if !self.is_frozen(terms, t, &mut because) {
            return None;
        }
        because.push(if positive { t } else { terms.not(t) });
        Some(terms.and(&because))
    }

    /// `a < b` all the way, or `b <= a`.
    fn ordered(&self, terms: &mut Terms, a: Term, b: Term, signed: bool, less: bool) -> Option<Term> {
        let mut because = Vec::new();
        let a = self.line(terms, a, signed, &mut because)?;
        let b = self.line(terms, b, signed, &mut because)?;
        for (a, b) in [(a.first, b.first), (a.last, b.last)] {
            let (a, b) = same_width(terms, a, b);
            let below = terms.slt(a, b);
            because.push(if less { below } else { terms.not(below) });
        }
        Some(terms.and(&because))
    }

    /// `a != b` all the way.
    fn apart(&self, terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
        let difference = terms.sub(a, b);
        // A difference has no sign: it may as well be the other one that is met in wrapping around.
        let mut because = Vec::new();
        let Line { first, last } = self.line(terms, difference, false, &mut because)?;
        let zero = terms.bits(terms.width(first), 0);
        for end in [first, last] {
            because.push(terms.slt(zero, end));
        }
        Some(terms.and(&because))
    }

    /// Where a term is in the first and in the last round, if it goes along a line between, and under which conditions.
    fn line(&self, terms: &mut Terms, t: Term, signed: bool, because: &mut Vec<Term>) -> Option<Line> {
        let width = terms.width(t);
        let wide = width + COUNT_BITS + 2;
        if self.is_frozen(terms, t, because) {
            let value = terms.resize(wide, signed, t);
            return Some(Line { first: value, last: value });
        }
        match terms.op(t) {
            Op::ZeroExtend => {
                let inner = terms.args(t)[0];
                return self.line(terms, inner, false, because);
            }
            Op::SignExtend => {
                let inner = terms.args(t)[0];
                let line = self.line(terms, inner, true, because)?;
                if !signed {
                    let zero = terms.bits(terms.width(line.first), 0);
                    for end in [line.first, line.last] {
                        because.push(terms.sle(zero, end));
                    }
                }
                return Some(line);
            }
            _ => {}
        }
        let step = self.step(terms, t, because)?;
        let first = terms.resize(wide, signed, t);
        let (step, rounds) = (terms.sign_extend(wide, step), terms.zero_extend(wide, self.last));
        let way = terms.mul(rounds, step);
        let last = terms.add(first, way);
        let low = terms.extract(width - 1, 0, last);
        let again = terms.resize(wide, signed, low);
        because.push(terms.eq(again, last));
        Some(Line { first, last })
    }

    /// What a round adds to a term, modulo 2^width, if that is the same in each round, under the conditions that are added.
    pub fn step(&self, terms: &mut Terms, t: Term, because: &mut Vec<Term>) -> Option<Term> {
        let Sort::BitVec(width) = terms.sort(t) else { return None };
        self.patience.set(self.patience.get().checked_sub(1)?);
        if self.is_fixed(terms, t) {
            return Some(terms.bits(width, 0));
        }
        let args = terms.args(t).to_vec();
        match terms.op(t) {
            Op::Var(_) => self.moving.get(&t).copied(),
            Op::Add => {
                let (a, b) = (self.step(terms, args[0], because)?, self.step(terms, args[1], because)?);
                Some(terms.add(a, b))
            }
            // The complement is -x - 1.
            Op::Neg | Op::BvNot => {
                let step = self.step(terms, args[0], because)?;
                Some(terms.neg(step))
            }
            Op::Mul => {
                let (factor, moves) =
                    if self.is_fixed(terms, args[0]) { (args[0], args[1]) } else { (args[1], args[0]) };
                if !self.is_fixed(terms, factor) {
                    return None;
                }
                let step = self.step(terms, moves, because)?;
                Some(terms.mul(factor, step))
            }
            Op::Shl if self.is_fixed(terms, args[1]) => {
                let step = self.step(terms, args[0], because)?;
                Some(terms.shl(step, args[1]))
            }
            Op::Extract { high, low: 0 } => {
                let step = self.step(terms, args[0], because)?;
                Some(terms.extract(high, 0, step))
            }
            // As long as the number does not wrap around, more bits of it are as many more.
            op @ (Op::ZeroExtend | Op::SignExtend) => {
                let step = self.step(terms, args[0], because)?;
                self.line(terms, args[0], op == Op::SignExtend, because)?;
                Some(terms.sign_extend(width, step))
            }
            _ => None,
        }
    }

    /// Whether nothing that a term reads changes.
    fn is_fixed(&self, terms: &Terms, t: Term) -> bool {
        !terms.free_vars(t).iter().any(|v| self.moving.contains_key(v) || self.beyond.contains(v))
    }

    /// Whether a term has the same value in each round, under the conditions that are added: low bits of what moves by multiples
    /// of a power of two, or a remainder of what moves by multiples of the divisor.
    fn is_frozen(&self, terms: &mut Terms, t: Term, because: &mut Vec<Term>) -> bool {
        if self.is_fixed(terms, t) {
            return true;
        }
        let args = terms.args(t).to_vec();
        let Some(left) = self.patience.get().checked_sub(1) else { return false };
        self.patience.set(left);
        if args.is_empty() {
            return false;
        }
        match terms.op(t) {
            Op::Extract { high, .. } if self.free_bits(terms, args[0]) > high => return true,
            Op::BvAnd if terms.bits_constant(args[1]).is_some() => {
                let free = self.free_bits(terms, args[0]);
                let within = |mask: Bits| (free..mask.width()).all(|i| !mask.bit(i));
                if terms.bits_constant(args[1]).is_some_and(within) {
                    return true;
                }
            }
            op @ (Op::Urem | Op::Srem) => {
                if let Some(remains) = self.remainder(terms, args[0], args[1], op == Op::Srem) {
                    because.extend(remains);
                    return true;
                }
            }
            _ => {}
        }
        let before = because.len();
        let all = args.iter().all(|&arg| self.is_frozen(terms, arg, because));
        if !all {
            because.truncate(before);
        }
        all
    }

    /// How many low bits of a term no round changes.
    fn free_bits(&self, terms: &mut Terms, t: Term) -> u32 {
        // Only where that needs no conditions.
        let mut because = Vec::new();
        let step = self.step(terms, t, &mut because).and_then(|step| terms.bits_constant(step));
        step.filter(|_| because.is_empty())
            .map_or(0, |step| (0..step.width()).take_while(|&i| !step.bit(i)).count() as u32)
    }

    /// When the remainder by a constant stays the same: each round adds a multiple of it, and there is no wrap-around.
    fn remainder(&self, terms: &mut Terms, t: Term, by: Term, signed: bool) -> Option<Vec<Term>> {
        let mut because = Vec::new();
        let step = self.step(terms, t, &mut because)?;
        let (step, by) = (terms.bits_constant(step)?, terms.bits_constant(by)?);
        if by.is_zero() || !step.srem(&by).is_zero() || by.is_negative() {
            return None;
        }
        let Line { first, last } = self.line(terms, t, signed, &mut because)?;
        let zero = terms.bits(terms.width(first), 0);
        let signs = [first, last].map(|end| terms.slt(end, zero));
        because.push(terms.eq(signs[0], signs[1]));
        Some(because)
    }
}

fn same_width(terms: &mut Terms, a: Term, b: Term) -> (Term, Term) {
    let width = terms.width(a).max(terms.width(b));
    (terms.sign_extend(width, a), terms.sign_extend(width, b))
}
