//! What a fact says about a variable: solved forms.

use super::Preprocessor;
use crate::limits;
use tamis_logic::{Bits, Op, Sort, Term};

impl Preprocessor {
    /// Whether a term is a variable that may be replaced. Numbers are left to arithmetic, which eliminates by itself.
    pub(super) fn is_free(&self, t: Term) -> bool {
        let sort = matches!(self.terms.sort(t), Sort::Bool | Sort::BitVec(_) | Sort::Array(_));
        sort && self.terms.is_var(t) && !self.used.contains(&t) && !self.definitions.contains_key(&t)
    }

    /// A variable and the term that a fact says it is. The term may have the variable in it.
    pub(super) fn solved(&mut self, fact: Term) -> Option<(Term, Term)> {
        let args = self.terms.args(fact);
        match self.terms.op(fact) {
            Op::Var(_) if self.is_free(fact) => Some((fact, self.terms.tru())),
            Op::Not => {
                let atom = args[0];
                if self.is_free(atom) {
                    return Some((atom, self.terms.fals()));
                }
                let &[a, b] = self.terms.args(atom) else { return None };
                if self.terms.op(atom) != Op::Eq || self.terms.sort(a) != Sort::Bool {
                    return None;
                }
                let (x, other) = [(a, b), (b, a)].into_iter().find(|&(x, _)| self.is_free(x))?;
                Some((x, self.terms.not(other)))
            }
            Op::Eq => {
                let [a, b] = [args[0], args[1]];
                self.isolate(a, b).or_else(|| self.isolate(b, a))
            }
            _ => None,
        }
    }

    /// Solves `side = other` for a variable of `side`, undoing operators that can be undone whatever the values are.
    fn isolate(&mut self, mut side: Term, mut other: Term) -> Option<(Term, Term)> {
        for _ in 0..limits::OPERATORS_UNDONE {
            if self.is_free(side) {
                return Some((side, other));
            }
            let args = self.terms.args(side).to_vec();
            (side, other) = match self.terms.op(side) {
                Op::Neg => (args[0], self.terms.neg(other)),
                Op::BvNot => (args[0], self.terms.bv_not(other)),
                op @ (Op::Add | Op::BvXor) => {
                    let (x, rest) =
                        if self.leads_to_free(args[0]) { (args[0], args[1]) } else { (args[1], args[0]) };
                    let without = if op == Op::Add {
                        self.terms.sub(other, rest)
                    } else {
                        self.terms.bv_xor(other, rest)
                    };
                    (x, without)
                }
                Op::Mul => {
                    let inverse = inverse(&self.terms.bits_constant(args[1])?)?;
                    let inverse = self.terms.bits_value(inverse);
                    (args[0], self.terms.mul(other, inverse))
                }
                Op::Extract { high, low } if self.is_free(args[0]) => {
                    return Some((args[0], self.around(args[0], high, low, other)));
                }
                _ => return None,
            };
        }
        None
    }

    /// Whether undoing operators leads to a variable that may be replaced.
    fn leads_to_free(&self, mut t: Term) -> bool {
        for _ in 0..limits::OPERATORS_UNDONE {
            if self.is_free(t) {
                return true;
            }
            let args = self.terms.args(t);
            t = match self.terms.op(t) {
                Op::Neg | Op::BvNot | Op::Extract { .. } => args[0],
                Op::Add | Op::BvXor if self.is_free(args[1]) => return true,
                Op::Add | Op::BvXor => args[0],
                Op::Mul if self.terms.bits_constant(args[1]).is_some_and(|c| c.bit(0)) => args[0],
                _ => return false,
            };
        }
        false
    }

    /// `x` whose bits `high` to `low` are `slice`: what is around them gets new variables.
    fn around(&mut self, x: Term, high: u32, low: u32, slice: Term) -> Term {
        let width = self.terms.width(x);
        let mut whole = slice;
        if low > 0 {
            let below = self.hidden(Sort::BitVec(low));
            whole = self.terms.concat(whole, below);
        }
        if high + 1 < width {
            let above = self.hidden(Sort::BitVec(width - 1 - high));
            whole = self.terms.concat(above, whole);
        }
        whole
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
    use tamis_logic::Bits;

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
