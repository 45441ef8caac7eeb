//! What an equation says that a variable is.
//!
//! `x = t` says it outright. An equation also does where `x` stands under operators that can be undone whatever the values
//! are: over bit-vectors negation, complement, sum, exclusive or and product with an odd constant; over numbers linear
//! forms, where an integer has the coefficient 1 or -1. The formulas `x` and `¬x` are equations of a `Bool`, and so is
//! `¬(x = t)`.
//!
//! What is done with the answer is the caller's: whether the variable may be replaced, whether the term may have it inside.

use crate::{Bits, Op, RBig, Sort, Term, Terms};
use rustc_hash::FxHashSet;

/// How many operators are undone around one variable, which bounds the work for long sums.
const OPERATORS_UNDONE: u32 = 16;

impl Terms {
    /// The conjuncts of formulas, in their order, each once and none that is true.
    pub fn conjuncts(&self, formulas: &[Term]) -> Vec<Term> {
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        let mut pending: Vec<Term> = formulas.iter().rev().copied().collect();
        while let Some(t) = pending.pop() {
            if self.op(t) == Op::And {
                pending.extend(self.args(t).iter().rev());
            } else if !self.is_true(t) && seen.insert(t) {
                found.push(t);
            }
        }
        found
    }

    /// A side of an equation that is `wanted`, and the other side.
    pub fn side(&self, equation: Term, wanted: impl Fn(Term) -> bool) -> Option<(Term, Term)> {
        let &[a, b] = self.args(equation) else { return None };
        let sides = [(a, b), (b, a)];
        sides.into_iter().find(|&(x, _)| self.op(equation) == Op::Eq && wanted(x))
    }

    /// A term that is `wanted`, and the term that it is if the fact holds, which may have it inside.
    ///
    /// ```
    /// use tamis_logic::{Sort, Terms};
    /// let mut t = Terms::new();
    /// let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::BitVec(8)));
    /// let three = t.bits(8, 3);
    /// let (thrice, y_less_3) = (t.mul(x, three), t.sub(y, three));
    /// let sum = t.add(thrice, three);
    /// let fact = t.eq(sum, y);
    /// let (var, value) = t.solve(fact, |_, t| t == x).unwrap();
    /// let inverse = t.bits(8, 171);
    /// assert_eq!((var, value), (x, t.mul(y_less_3, inverse)));
    /// ```
    pub fn solve(&mut self, fact: Term, wanted: impl Fn(&Terms, Term) -> bool) -> Option<(Term, Term)> {
        self.solved(fact, &wanted, true).pop()
    }

    /// All variables that a fact determines, each with the term that it is then, which does not have it. The latest
    /// variable comes last.
    pub fn solutions(&mut self, fact: Term) -> Vec<(Term, Term)> {
        let mut found = self.solved(fact, &Terms::is_var, false);
        found.retain(|&(x, value)| !self.free_vars(value).contains(&x));
        found.sort_unstable();
        found
    }

    /// What is `wanted` of a fact, with its values; the first will do if `first` is set.
    fn solved(
        &mut self,
        fact: Term,
        wanted: &dyn Fn(&Terms, Term) -> bool,
        first: bool,
    ) -> Vec<(Term, Term)> {
        let (atom, holds) = match self.op(fact) {
            Op::Not => (self.args(fact)[0], false),
            _ => (fact, true),
        };
        if wanted(self, atom) {
            return vec![(atom, self.bool(holds))];
        }
        let (Op::Eq, &[a, b]) = (self.op(atom), self.args(atom)) else { return Vec::new() };
        match self.sort(a) {
            sort if !holds && sort != Sort::Bool => Vec::new(),
            Sort::Int | Sort::Real => self.solved_sum(a, b, wanted),
            _ => {
                let mut found = Vec::new();
                for (x, other) in [(a, b), (b, a)] {
                    if !first || found.is_empty() {
                        found.extend(self.isolated(x, other, wanted));
                    }
                }
                if !holds {
                    found.iter_mut().for_each(|(_, value)| *value = self.not(*value));
                }
                found
            }
        }
    }

    /// Solves `side = other` for something `wanted` in `side`.
    fn isolated(
        &mut self,
        mut side: Term,
        mut other: Term,
        wanted: &dyn Fn(&Terms, Term) -> bool,
    ) -> Option<(Term, Term)> {
        for _ in 0..OPERATORS_UNDONE {
            if wanted(self, side) {
                return Some((side, other));
            }
            let args = self.args(side).to_vec();
            (side, other) = match self.op(side) {
                Op::Neg => (args[0], self.neg(other)),
                Op::BvNot => (args[0], self.bv_not(other)),
                op @ (Op::Add | Op::BvXor) => {
                    let left = self.leads_to(args[0], wanted);
                    let (x, rest) = if left { (args[0], args[1]) } else { (args[1], args[0]) };
                    let add = op == Op::Add;
                    (x, if add { self.sub(other, rest) } else { self.bv_xor(other, rest) })
                }
                Op::Mul => {
                    let inverse = inverse(&self.bits_constant(args[1])?)?;
                    let inverse = self.bits_value(inverse);
                    (args[0], self.mul(other, inverse))
                }
                _ => return None,
            };
        }
        None
    }

    /// Whether undoing operators leads to something `wanted`.
    fn leads_to(&self, mut t: Term, wanted: &dyn Fn(&Terms, Term) -> bool) -> bool {
        for _ in 0..OPERATORS_UNDONE {
            if wanted(self, t) {
                return true;
            }
            let args = self.args(t);
            t = match self.op(t) {
                Op::Neg | Op::BvNot => args[0],
                Op::Add | Op::BvXor if wanted(self, args[1]) => return true,
                Op::Add | Op::BvXor => args[0],
                Op::Mul if self.bits_constant(args[1]).is_some_and(|c| c.bit(0)) => args[0],
                _ => return false,
            };
        }
        false
    }

    /// Solves `a = b`, over numbers, for everything `wanted` in it.
    fn solved_sum(&mut self, a: Term, b: Term, wanted: &dyn Fn(&Terms, Term) -> bool) -> Vec<(Term, Term)> {
        let difference = self.minus(a, b);
        let form = self.linear(difference);
        let unit = |c: &RBig| c.is_one() || (-c).is_one();
        let mut found = Vec::new();
        for (&x, c) in &form.terms {
            if wanted(self, x) && (self.sort(x) == Sort::Real || unit(c)) {
                // c·x + rest = 0.
                let own = self.multiple(c.clone(), x);
                let rest = self.minus(difference, own);
                found.push((x, self.multiple(-RBig::ONE / c, rest)));
            }
        }
        found
    }
}

/// The number whose product with `odd` is 1, modulo 2^width: each step of Newton's iteration doubles the number of low
/// bits that are right, three at first.
fn inverse(odd: &Bits) -> Option<Bits> {
    if !odd.bit(0) {
        return None;
    }
    let width = odd.width();
    let two = Bits::one(width).add(&Bits::one(width));
    let mut inverse = odd.clone();
    let mut right = 3;
    while right < width {
        inverse = inverse.mul(&two.sub(&odd.mul(&inverse)));
        right *= 2;
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::inverse;
    use crate::Bits;

    #[test]
    fn inverses_of_odd_numbers() {
        for width in [1, 2, 3, 7, 8, 13, 64, 100] {
            for n in [1, 3, 5, 77, 0x1234_5677, u128::MAX] {
                let odd = Bits::new(width, n);
                let inverse = inverse(&odd).expect("odd");
                assert_eq!(odd.mul(&inverse), Bits::one(width), "{n} at {width} bits");
            }
            assert_eq!(inverse(&Bits::new(width, 0)), None);
        }
    }
}
