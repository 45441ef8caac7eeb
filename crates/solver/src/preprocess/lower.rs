//! Operators that are expressed by others before circuits are made.
//!
//! - A read of an array that was written is a choice between what was written and a read of the array before: in the end
//!   only variables are read. The conditions `i = j` of one pair of indices are one term, and a read of one array at one
//!   index is made once, so this costs the number of writes times the number of indices read, at most.
//! - Signed division is unsigned division of absolute values, as SMT-LIB defines it, so that `bvsdiv` by a power of two
//!   is a shift, and a divider is shared with what a script says in terms of `bvudiv`.

use super::Preprocessor;
use crate::blast::has_bits;
use crate::limits;
use rustc_hash::FxHashMap;
use tamis_logic::{Op, Term, Terms};

/// Terms as they become circuits.
#[derive(Default)]
pub(crate) struct Lowering {
    /// Whether there is anything to be expressed otherwise.
    pub active: bool,
    memo: FxHashMap<Term, Term>,
    pub reads: Reads,
}

impl Lowering {
    /// What a term has become.
    pub fn find(&self, t: Term) -> Term {
        self.memo.get(&t).copied().unwrap_or(t)
    }
}

/// Reads of arrays in terms of reads of variables.
#[derive(Default)]
pub struct Reads {
    /// The elements of arrays at indices.
    elements: FxHashMap<(Term, Term), Term>,
}

impl Reads {
    /// Terms that read array variables only, and not what has been written to them.
    pub fn over_variables(&mut self, terms: &mut Terms, roots: &[Term]) -> Vec<Term> {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut args = Vec::new();
        for t in terms.post_order(roots) {
            args.clear();
            args.extend(terms.args(t).iter().map(|a| done[a]));
            let new = match terms.op(t) {
                Op::Select => self.read(terms, args[0], args[1]),
                _ if args == terms.args(t) => t,
                _ => terms.rebuild(t, &args),
            };
            done.insert(t, new);
        }
        roots.iter().map(|t| done[t]).collect()
    }

    /// The element of `array` at `index`, in terms of reads of variables.
    pub fn read(&mut self, terms: &mut Terms, array: Term, index: Term) -> Term {
        // The arrays on the way to what is known, each after those that it was made from.
        let mut way = Vec::new();
        let mut pending = vec![array];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(at) = pending.pop() {
            if self.elements.contains_key(&(at, index)) || !seen.insert(at) {
                continue;
            }
            way.push(at);
            let args = terms.args(at);
            match terms.op(at) {
                Op::Store if args[1] != index => pending.push(args[0]),
                Op::Ite => pending.extend_from_slice(&args[1..]),
                _ => {}
            }
        }
        way.sort_unstable();
        for at in way {
            let args = terms.args(at).to_vec();
            let known = |array: Term| self.elements.get(&(array, index)).copied();
            let many = self.elements.len() > limits::READS_OVER_WRITES;
            let element = match terms.op(at) {
                Op::Store if args[1] == index => args[2],
                Op::Store if !many => match known(args[0]) {
                    Some(before) => {
                        let there = terms.eq(args[1], index);
                        terms.ite(there, args[2], before)
                    }
                    None => terms.select(at, index),
                },
                Op::Ite if !many => match (known(args[1]), known(args[2])) {
                    (Some(a), Some(b)) => terms.ite(args[0], a, b),
                    _ => terms.select(at, index),
                },
                _ => terms.select(at, index),
            };
            self.elements.insert((at, index), element);
        }
        self.elements[&(array, index)]
    }
}

/// Whether an operator is expressed by others.
pub(super) fn is_lowered(op: Op) -> bool {
    matches!(op, Op::Select | Op::Sdiv | Op::Srem)
}

impl Preprocessor {
    pub(super) fn lower(&mut self, roots: &[Term]) -> Vec<Term> {
        if !self.lowering.active {
            return roots.to_vec();
        }
        let order = self.terms.post_order_until(roots, |t| self.lowering.memo.contains_key(&t));
        let mut args = Vec::new();
        for t in order {
            if self.lowering.memo.contains_key(&t) {
                continue;
            }
            args.clear();
            args.extend(self.terms.args(t).iter().map(|a| self.lowering.memo[a]));
            let new = match self.terms.op(t) {
                Op::Select if self.is_of_bits(args[0]) => {
                    self.lowering.reads.read(&mut self.terms, args[0], args[1])
                }
                Op::Sdiv => self.divide_signed(args[0], args[1]),
                Op::Srem => self.remainder_signed(args[0], args[1]),
                _ if args == self.terms.args(t) => t,
                _ => self.terms.rebuild(t, &args),
            };
            self.lowering.memo.insert(t, new);
        }
        roots.iter().map(|t| self.lowering.memo[t]).collect()
    }

    /// Whether an array has bit-vectors or truth values as indices and elements.
    fn is_of_bits(&self, array: Term) -> bool {
        is_of_bits(&self.terms, array)
    }

    fn is_negative(&mut self, t: Term) -> Term {
        let top = self.terms.width(t) - 1;
        let sign = self.terms.extract(top, top, t);
        self.terms.nonzero(sign)
    }

    fn absolute(&mut self, t: Term) -> Term {
        let (negative, minus) = (self.is_negative(t), self.terms.neg(t));
        self.terms.ite(negative, minus, t)
    }

    fn negate_if(&mut self, condition: Term, t: Term) -> Term {
        let minus = self.terms.neg(t);
        self.terms.ite(condition, minus, t)
    }

    fn divide_signed(&mut self, a: Term, b: Term) -> Term {
        if self.has_cases(Op::Udiv, a, b) {
            return self.by_cases(a, b, |t, x, y, [negative_x, negative_y]| {
                let quotient = t.udiv(x, y);
                if negative_x != negative_y { t.neg(quotient) } else { quotient }
            });
        }
        let (negative_a, negative_b) = (self.is_negative(a), self.is_negative(b));
        let (x, y) = (self.absolute(a), self.absolute(b));
        let quotient = self.terms.udiv(x, y);
        let differ = self.terms.xor(negative_a, negative_b);
        self.negate_if(differ, quotient)
    }

    fn remainder_signed(&mut self, a: Term, b: Term) -> Term {
        if self.has_cases(Op::Urem, a, b) {
            return self.by_cases(a, b, |t, x, y, [negative_x, _]| {
                let remainder = t.urem(x, y);
                if negative_x { t.neg(remainder) } else { remainder }
            });
        }
        let negative = self.is_negative(a);
        let (x, y) = (self.absolute(a), self.absolute(b));
        let remainder = self.terms.urem(x, y);
        self.negate_if(negative, remainder)
    }

    /// Whether the unsigned operator is applied to both operands with most combinations of their signs already: then four
    /// dividers that are there anyway are better than a fifth.
    fn has_cases(&mut self, op: Op, a: Term, b: Term) -> bool {
        let (minus_a, minus_b) = (self.terms.neg(a), self.terms.neg(b));
        let combinations = [(a, b), (minus_a, b), (a, minus_b), (minus_a, minus_b)];
        combinations.into_iter().filter(|&(x, y)| self.terms.find(op, &[x, y]).is_some()).count() >= 3
    }

    /// SMT-LIB's definition of the signed operators: a case for each combination of signs.
    fn by_cases(
        &mut self,
        a: Term,
        b: Term,
        mut case: impl FnMut(&mut Terms, Term, Term, [bool; 2]) -> Term,
    ) -> Term {
        let (negative_a, negative_b) = (self.is_negative(a), self.is_negative(b));
        let (minus_a, minus_b) = (self.terms.neg(a), self.terms.neg(b));
        let terms = &mut self.terms;
        let [not_a, not_b] = [negative_a, negative_b].map(|t| terms.not(t));
        let conditions =
            [[not_a, not_b], [negative_a, not_b], [not_a, negative_b]].map(|both| terms.and(&both));
        let values = [
            case(terms, a, b, [false, false]),
            case(terms, minus_a, b, [true, false]),
            case(terms, a, minus_b, [false, true]),
        ];
        let mut result = case(terms, minus_a, minus_b, [true, true]);
        for (condition, value) in conditions.into_iter().zip(values).rev() {
            result = terms.ite(condition, value, result);
        }
        result
    }
}

/// Whether an array has bit-vectors or truth values as indices and elements.
pub(crate) fn is_of_bits(terms: &Terms, array: Term) -> bool {
    terms.array_parts(terms.sort(array)).is_some_and(|(i, e)| has_bits(i) && has_bits(e))
}
