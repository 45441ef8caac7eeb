//! Simplifying constructors of the orders and of equality between bit-vectors.

use crate::bits::Bits;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, Terms};

impl Terms {
    /// `bvult`.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b {
            return self.fals();
        }
        if let Some(c) = self.bits_constant(b) {
            if c.is_zero() {
                return self.fals();
            }
            if c.is_one() {
                let zero = self.bits(width, 0);
                return self.eq(a, zero);
            }
            if c.is_ones() {
                return self.ne(a, b);
            }
        }
        if let Some(c) = self.bits_constant(a) {
            if c.is_ones() {
                return self.fals();
            }
            if c.is_zero() {
                return self.nonzero(b);
            }
        }
        // A remainder is below its divisor, unless that is 0: then it is the dividend.
        if self.op(a) == Op::Urem && self.args(a)[1] == b {
            return self.nonzero(b);
        }
        if self.op(b) == Op::Urem && self.args(b)[1] == a {
            let (zero, dividend) = (self.bits(width, 0), self.args(b)[0]);
            let (by_zero, more) = (self.eq(a, zero), self.ne(dividend, zero));
            return self.and2(by_zero, more);
        }
        self.compare(Op::Ult, a, b)
    }

    /// `bvslt`.
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b {
            return self.fals();
        }
        if let Some(c) = self.bits_constant(b) {
            if c == Bits::min_signed(width) {
                return self.fals();
            }
            if c == Bits::max_signed(width) {
                return self.ne(a, b);
            }
        }
        if let Some(c) = self.bits_constant(a) {
            if c == Bits::max_signed(width) {
                return self.fals();
            }
            if c == Bits::min_signed(width) {
                return self.ne(a, b);
            }
        }
        self.compare(Op::Slt, a, b)
    }

    fn order(&mut self, op: Op, a: Term, b: Term) -> Term {
        if op == Op::Slt { self.slt(a, b) } else { self.ult(a, b) }
    }

    /// The rules that both orders share.
    fn compare(&mut self, op: Op, a: Term, b: Term) -> Term {
        if let Some(folded) = self.fold(op, Sort::Bool, &[a, b]) {
            return folded;
        }
        // c < b with c constant is ¬(b < c+1), since c is not the greatest: bounds from either side share an atom.
        if let Some(c) = self.bits_constant(a) {
            let next = self.bits_value(c.add(&Bits::one(c.width())));
            let below = self.order(op, b, next);
            return self.not(below);
        }
        if let Some(lifted) = self.lift_into_ite(op, a, b) {
            return lifted;
        }
        if let Some(narrowed) = self.compare_extended(op, a, b) {
            return narrowed;
        }
        self.intern(op, Sort::Bool, &[a, b])
    }

    /// A comparison of an extended term with another or with a constant, at the width before the extension. Sign
    /// extension keeps both orders; zero extension keeps the unsigned one and turns the signed one into it.
    fn compare_extended(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let ext @ (Op::SignExtend | Op::ZeroExtend) = self.op(a) else { return None };
        let x = self.args(a)[0];
        let narrow_op = if ext == Op::ZeroExtend { Op::Ult } else { op };
        if self.op(b) == ext {
            let y = self.args(b)[0];
            return (self.width(x) == self.width(y)).then(|| self.order(narrow_op, x, y));
        }
        let c = self.bits_constant(b)?;
        if let Some(y) = narrowed(ext, self.width(x), &c) {
            let y = self.bits_value(y);
            return Some(self.order(narrow_op, x, y));
        }
        // A constant outside the range of the extension is above or below all of it.
        match (ext, op) {
            (Op::ZeroExtend, Op::Ult) => Some(self.tru()),
            (_, Op::Slt) => Some(self.bool(!c.is_negative())),
            _ => None,
        }
    }

    /// Equality of bit-vectors; neither the same term nor two constants.
    pub(crate) fn eq_bv(&mut self, a: Term, b: Term) -> Term {
        let [a, b] = self.commuted(a, b);
        if let Some(c) = self.bits_constant(b) {
            if let Some(simpler) = self.eq_constant(a, c) {
                return simpler;
            }
        } else if let (x, y, true) = self.cancel_common_addend(a, b) {
            return self.eq(x, y);
        } else if self.op(a) == self.op(b) && matches!(self.op(a), Op::ZeroExtend | Op::SignExtend) {
            let (x, y) = (self.args(a)[0], self.args(b)[0]);
            if self.width(x) == self.width(y) {
                return self.eq(x, y);
            }
        }
        match self.eq_polynomials(a, b) {
            Some(simpler) => simpler,
            None => self.intern(Op::Eq, Sort::Bool, &[a, b]),
        }
    }

    /// `x + c = y + d` as `x = y + (d - c)`; the flag says whether anything changed.
    fn cancel_common_addend(&mut self, a: Term, b: Term) -> (Term, Term, bool) {
        match (self.with_constant(Op::Add, a), self.with_constant(Op::Add, b)) {
            (Some((x, c)), Some((y, d))) => {
                let difference = self.bits_value(d.sub(&c));
                let y = self.add(y, difference);
                (x, y, true)
            }
            _ => (a, b, false),
        }
    }

    /// `a = c` in simpler terms.
    fn eq_constant(&mut self, a: Term, c: Bits) -> Option<Term> {
        let (a, c) = match self.undo(a, c.clone()) {
            Ok(undone) if undone.0 == a => (a, c),
            Ok((inner, c)) => {
                let c = self.bits_value(c);
                return Some(self.eq(inner, c));
            }
            Err(OutOfRange) => return Some(self.fals()),
        };
        let args = self.args(a);
        match self.op(a) {
            Op::Ite => {
                let c = self.bits_value(c);
                self.lift_into_ite(Op::Eq, a, c)
            }
            Op::Concat => Some(self.eq_parts(a, c)),
            // x & d = c is false when c has a bit that d has not.
            Op::BvAnd => {
                let d = self.bits_constant(args[1])?;
                (!c.and(&d.not()).is_zero()).then(|| self.fals())
            }
            Op::BvOr => {
                let d = self.bits_constant(args[1])?;
                (!d.and(&c.not()).is_zero()).then(|| self.fals())
            }
            // Of one bit there are two values: both ways share their atom.
            _ if c.width() == 1 && c.is_one() => {
                let zero = self.bits(1, 0);
                Some(self.ne(a, zero))
            }
            _ => None,
        }
    }

    /// Undoes operators that can be undone: `a = c` is `x = d` for the result `(x, d)`.
    pub(crate) fn undo(&self, mut a: Term, mut c: Bits) -> Result<(Term, Bits), OutOfRange> {
        loop {
            let args = self.args(a);
            let second = args.get(1).and_then(|&b| self.bits_constant(b));
            c = match (self.op(a), second) {
                (Op::Add, Some(d)) => c.sub(&d),
                (Op::BvXor, Some(d)) => c.xor(&d),
                (Op::Neg, _) => c.neg(),
                (Op::BvNot, _) => c.not(),
                (ext @ (Op::ZeroExtend | Op::SignExtend), _) => {
                    narrowed(ext, self.width(args[0]), &c).ok_or(OutOfRange)?
                }
                _ => return Ok((a, c)),
            };
            a = args[0];
        }
    }

    /// A concatenation equals a constant if its parts equal the constant's.
    fn eq_parts(&mut self, concat: Term, c: Bits) -> Term {
        let mut pending = vec![(concat, c)];
        let mut parts = Vec::new();
        while let Some((a, c)) = pending.pop() {
            let Ok((a, c)) = self.undo(a, c) else { return self.fals() };
            if self.op(a) == Op::Concat {
                let [high, low] = [self.args(a)[0], self.args(a)[1]];
                let split = self.width(low);
                pending.push((high, c.extract(c.width() - 1, split)));
                pending.push((low, c.extract(split - 1, 0)));
            } else {
                let c = self.bits_value(c);
                parts.push(self.eq(a, c));
            }
        }
        self.and(&parts)
    }

    /// `op(ite, constant)` as an if-then-else between simpler terms, when a branch is a constant. C writes conditions
    /// as the numbers 1 and 0 and compares them with 0 again: this is what undoes it.
    pub(crate) fn lift_into_ite(&mut self, op: Op, ite: Term, constant: Term) -> Option<Term> {
        if !self.is_constant(constant) || !self.is_small_ite(ite) {
            return None;
        }
        let [cond, x, y] = [self.args(ite)[0], self.args(ite)[1], self.args(ite)[2]];
        let mut branch = |t: Term| match op {
            Op::Eq => self.eq(t, constant),
            Op::Add => self.add(t, constant),
            Op::BvAnd => self.bv_and(t, constant),
            Op::Ult => self.ult(t, constant),
            Op::Slt => self.slt(t, constant),
            _ => self.le(t, constant),
        };
        let (x, y) = (branch(x), branch(y));
        Some(self.ite(cond, x, y))
    }
}

/// A constant that the operator cannot give.
pub(crate) struct OutOfRange;

/// The constant of `width` bits that extends to `c`, if there is one.
fn narrowed(ext: Op, width: u32, c: &Bits) -> Option<Bits> {
    let low = c.extract(width - 1, 0);
    let again = if ext == Op::ZeroExtend { low.zero_extend(c.width()) } else { low.sign_extend(c.width()) };
    (again == *c).then_some(low)
}
