//! Simplifying constructors of the bit-vector operators.
//!
//! A constant argument of a commutative operator stands last. Every rule is tried by the fuzzer in
//! `tests/simplify.rs`, which compares the built term with the operators applied to plain values.

use crate::bits::Bits;
use crate::eval::apply;
use crate::op::Op;
use crate::simplify_bool::sorted;
use crate::sort::Sort;
use crate::store::{Term, Terms};
use crate::value::Value;

impl Terms {
    /// `op(args)` when every argument is a constant.
    pub(crate) fn fold(&mut self, op: Op, sort: Sort, args: &[Term]) -> Option<Term> {
        let values: Vec<&Value> = args.iter().map(|&a| self.stored_constant(a)).collect::<Option<_>>()?;
        let value = apply(op, sort, &values);
        Some(self.value(value))
    }

    pub(crate) fn same_width(&self, a: Term, b: Term) -> u32 {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "bit-vectors of two widths");
        width
    }

    /// A binary operator without rules of its own beyond constant folding.
    fn binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        self.fold(op, sort, &[a, b]).unwrap_or_else(|| self.intern(op, sort, &[a, b]))
    }

    /// The arguments of a commutative operator: a constant last, otherwise by id.
    pub(crate) fn commuted(&self, a: Term, b: Term) -> [Term; 2] {
        match (self.is_constant(a), self.is_constant(b)) {
            (true, false) => [b, a],
            (false, true) => [a, b],
            _ => sorted(a, b),
        }
    }

    /// Both arguments of `t`, if it is a term with operator `op` whose second argument is a constant.
    pub(crate) fn with_constant(&self, op: Op, t: Term) -> Option<(Term, Bits)> {
        if self.op(t) != op {
            return None;
        }
        let args = self.args(t);
        Some((args[0], self.bits_constant(args[1])?))
    }

    /// `bvneg`.
    pub fn neg(&mut self, a: Term) -> Term {
        let sort = self.sort(a);
        if let Some(folded) = self.fold(Op::Neg, sort, &[a]) {
            return folded;
        }
        match self.op(a) {
            Op::Neg => self.args(a)[0],
            // -(x + c) = -x + -c keeps constants outermost.
            Op::Add if self.with_constant(Op::Add, a).is_some() => {
                let [x, c] = [self.args(a)[0], self.args(a)[1]];
                let (minus_x, minus_c) = (self.neg(x), self.neg(c));
                self.add(minus_x, minus_c)
            }
            _ => self.intern(Op::Neg, sort, &[a]),
        }
    }

    /// `bvadd`.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let [a, b] = self.commuted(a, b);
        if let Some(c) = self.bits_constant(b) {
            if c.is_zero() {
                return a;
            }
            if let Some((x, d)) = self.with_constant(Op::Add, a) {
                let sum = self.bits_value(c.add(&d));
                return self.add(x, sum);
            }
            if let Some(lifted) = self.lift_into_ite(Op::Add, a, b) {
                return lifted;
            }
        } else {
            // (x + c) + y = (x + y) + c
            for (sum, other) in [(a, b), (b, a)] {
                if let Some((x, c)) = self.with_constant(Op::Add, sum) {
                    let inner = self.add(x, other);
                    let c = self.bits_value(c);
                    return self.add(inner, c);
                }
            }
            // x·c + x·d
            let ((x, c), (y, d)) = (self.as_multiple(a), self.as_multiple(b));
            if x == y {
                let sum = self.bits_value(c.add(&d));
                return self.mul(x, sum);
            }
            // x + -x, and (x + -y) + y
            if self.opposite(a, b) {
                return self.bits(width, 0);
            }
            for (x, y) in [(a, b), (b, a)] {
                if let (Op::Add, &[l, r]) = (self.op(x), self.args(x)) {
                    if self.opposite(l, y) {
                        return r;
                    }
                    if self.opposite(r, y) {
                        return l;
                    }
                }
            }
        }
        self.binary(Op::Add, a, b)
    }

    /// A term as a constant multiple of another.
    fn as_multiple(&self, t: Term) -> (Term, Bits) {
        self.with_constant(Op::Mul, t).unwrap_or_else(|| (t, Bits::one(self.width(t))))
    }

    /// Whether one term is the negative of the other by its form.
    fn opposite(&self, a: Term, b: Term) -> bool {
        let negates = |x: Term, y: Term| self.op(x) == Op::Neg && self.args(x)[0] == y;
        negates(a, b) || negates(b, a)
    }

    /// `bvmul`.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        self.same_width(a, b);
        let [a, b] = self.commuted(a, b);
        if let Some(c) = self.bits_constant(b) {
            if c.is_zero() {
                return b;
            }
            if c.is_one() {
                return a;
            }
            if c.is_ones() {
                return self.neg(a);
            }
            if let Some((x, d)) = self.with_constant(Op::Mul, a) {
                let product = self.bits_value(c.mul(&d));
                return self.mul(x, product);
            }
        }
        self.binary(Op::Mul, a, b)
    }

    /// `bvudiv`.
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        match self.bits_constant(b).and_then(|c| c.power_of_two()) {
            Some(k) => {
                let k = self.bits(width, u128::from(k));
                self.lshr(a, k)
            }
            None => match self.narrow_operands(a, b) {
                // By zero, the quotient is all ones at either width.
                Some((x, y)) => {
                    let (quotient, zero) = (self.udiv(x, y), self.bits(self.width(y), 0));
                    let (by_zero, ones) = (self.eq(y, zero), self.bits_value(Bits::ones(width)));
                    let quotient = self.zero_extend(width, quotient);
                    self.ite(by_zero, ones, quotient)
                }
                None => self.binary(Op::Udiv, a, b),
            },
        }
    }

    /// The operands before their extension by zeros, if both have been extended from one width: C divides narrow numbers
    /// as wide ones, and a divider costs the square of its width.
    fn narrow_operands(&self, a: Term, b: Term) -> Option<(Term, Term)> {
        let inner = |t: Term| (self.op(t) == Op::ZeroExtend).then(|| self.args(t)[0]);
        let (x, y) = (inner(a)?, inner(b)?);
        (self.width(x) == self.width(y)).then_some((x, y))
    }

    /// `bvurem`.
    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        match self.bits_constant(b).and_then(|c| c.power_of_two()) {
            Some(0) => self.bits(width, 0),
            Some(k) => {
                let low = self.extract(k - 1, 0, a);
                self.zero_extend(width, low)
            }
            None => match self.narrow_operands(a, b) {
                Some((x, y)) => {
                    let remainder = self.urem(x, y);
                    self.zero_extend(width, remainder)
                }
                None => self.binary(Op::Urem, a, b),
            },
        }
    }

    /// `bvsdiv`.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        self.same_width(a, b);
        match self.bits_constant(b) {
            // In one bit, 1 is also -1, and dividing by it negates: the same thing there.
            Some(c) if c.is_one() => a,
            Some(c) if c.is_ones() => self.neg(a),
            _ => self.binary(Op::Sdiv, a, b),
        }
    }

    /// `bvsrem`.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        match self.bits_constant(b) {
            Some(c) if c.is_one() || c.is_ones() => self.bits(width, 0),
            _ => self.binary(Op::Srem, a, b),
        }
    }

    /// `bvnot`.
    pub fn bv_not(&mut self, a: Term) -> Term {
        let sort = self.sort(a);
        match self.op(a) {
            Op::BvNot => self.args(a)[0],
            _ => self.fold(Op::BvNot, sort, &[a]).unwrap_or_else(|| self.intern(Op::BvNot, sort, &[a])),
        }
    }

    /// `bvand`.
    pub fn bv_and(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let [a, b] = self.commuted(a, b);
        if a == b {
            return a;
        }
        if self.complementary(a, b) {
            return self.bits(width, 0);
        }
        if let Some(c) = self.bits_constant(b) {
            if c.is_zero() {
                return b;
            }
            if c.is_ones() {
                return a;
            }
            if let Some((x, d)) = self.with_constant(Op::BvAnd, a) {
                let both = self.bits_value(c.and(&d));
                return self.bv_and(x, both);
            }
            // A mask of low ones is a cut.
            let ones = c.trailing_ones();
            if (1..width).contains(&ones) && c == Bits::ones(ones).zero_extend(width) {
                let low = self.extract(ones - 1, 0, a);
                return self.zero_extend(width, low);
            }
            if let Some(lifted) = self.lift_into_ite(Op::BvAnd, a, b) {
                return lifted;
            }
        }
        self.binary(Op::BvAnd, a, b)
    }

    /// `bvor`.
    pub fn bv_or(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let [a, b] = self.commuted(a, b);
        if a == b {
            return a;
        }
        if self.complementary(a, b) {
            return self.bits_value(Bits::ones(width));
        }
        if let Some(c) = self.bits_constant(b) {
            if c.is_zero() {
                return a;
            }
            if c.is_ones() {
                return b;
            }
            if let Some((x, d)) = self.with_constant(Op::BvOr, a) {
                let both = self.bits_value(c.or(&d));
                return self.bv_or(x, both);
            }
        }
        self.binary(Op::BvOr, a, b)
    }

    /// `bvxor`.
    pub fn bv_xor(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let [a, b] = self.commuted(a, b);
        if a == b {
            return self.bits(width, 0);
        }
        if let Some(c) = self.bits_constant(b) {
            if c.is_zero() {
                return a;
            }
            if c.is_ones() {
                return self.bv_not(a);
            }
            if let Some((x, d)) = self.with_constant(Op::BvXor, a) {
                let both = self.bits_value(c.xor(&d));
                return self.bv_xor(x, both);
            }
        }
        self.binary(Op::BvXor, a, b)
    }

    fn complementary(&self, a: Term, b: Term) -> bool {
        let negates = |x: Term, y: Term| self.op(x) == Op::BvNot && self.args(x)[0] == y;
        negates(a, b) || negates(b, a)
    }

    /// `bvshl`.
    pub fn shl(&mut self, a: Term, by: Term) -> Term {
        self.shift(Op::Shl, a, by)
    }

    /// `bvlshr`.
    pub fn lshr(&mut self, a: Term, by: Term) -> Term {
        self.shift(Op::Lshr, a, by)
    }

    /// `bvashr`.
    pub fn ashr(&mut self, a: Term, by: Term) -> Term {
        self.shift(Op::Ashr, a, by)
    }

    fn shift(&mut self, op: Op, a: Term, by: Term) -> Term {
        let width = self.same_width(a, by);
        if let Some(c) = self.bits_constant(by) {
            if c.is_zero() {
                return a;
            }
            match (op, c.amount()) {
                (Op::Ashr, amount) => {
                    let high = self.extract(width - 1, amount.unwrap_or(width - 1), a);
                    return self.sign_extend(width, high);
                }
                (_, None) => return self.bits(width, 0),
                (Op::Lshr, Some(amount)) => {
                    let high = self.extract(width - 1, amount, a);
                    return self.zero_extend(width, high);
                }
                _ => {}
            }
        }
        self.binary(op, a, by)
    }
}
