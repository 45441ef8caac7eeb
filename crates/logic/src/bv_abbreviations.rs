//! The operators of SMT-LIB's bit-vectors that are abbreviations of others.

use crate::bits::Bits;
use crate::store::{Term, Terms};

impl Terms {
    /// `bvnand`.
    pub fn bv_nand(&mut self, a: Term, b: Term) -> Term {
        let and = self.bv_and(a, b);
        self.bv_not(and)
    }

    /// `bvnor`.
    pub fn bv_nor(&mut self, a: Term, b: Term) -> Term {
        let or = self.bv_or(a, b);
        self.bv_not(or)
    }

    /// `bvxnor`.
    pub fn bv_xnor(&mut self, a: Term, b: Term) -> Term {
        let xor = self.bv_xor(a, b);
        self.bv_not(xor)
    }

    /// `bvcomp`: one bit that says whether two bit-vectors are equal.
    pub fn bv_comp(&mut self, a: Term, b: Term) -> Term {
        let eq = self.eq(a, b);
        self.bool_to_bits(1, eq)
    }

    /// `bvugt`.
    pub fn ugt(&mut self, a: Term, b: Term) -> Term {
        self.ult(b, a)
    }

    /// `bvuge`.
    pub fn uge(&mut self, a: Term, b: Term) -> Term {
        self.ule(b, a)
    }

    /// `bvsgt`.
    pub fn sgt(&mut self, a: Term, b: Term) -> Term {
        self.slt(b, a)
    }

    /// `bvsge`.
    pub fn sge(&mut self, a: Term, b: Term) -> Term {
        self.sle(b, a)
    }

    /// `bvsmod`: the remainder with the sign of the divisor.
    pub fn smod(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let (Some(x), Some(y)) = (self.bits_constant(a), self.bits_constant(b)) {
            return self.bits_value(x.smod(&y));
        }
        let remainder = self.srem(a, b);
        let zero = self.bits(width, 0);
        let (is_zero, by_zero) = (self.eq(remainder, zero), self.eq(b, zero));
        let (sign, sign_b) = (self.slt(remainder, zero), self.slt(b, zero));
        let same_sign = self.eq(sign, sign_b);
        let as_is = self.or(&[is_zero, by_zero, same_sign]);
        let moved = self.add(remainder, b);
        self.ite(as_is, remainder, moved)
    }

    /// `(_ rotate_left by)`.
    pub fn rotate_left(&mut self, by: u64, a: Term) -> Term {
        let width = self.width(a);
        let by = (by % u64::from(width)) as u32;
        if by == 0 {
            return a;
        }
        let (low, high) = (self.extract(width - by - 1, 0, a), self.extract(width - 1, width - by, a));
        self.concat(low, high)
    }

    /// `(_ rotate_right by)`.
    pub fn rotate_right(&mut self, by: u64, a: Term) -> Term {
        let width = u64::from(self.width(a));
        self.rotate_left(width - by % width, a)
    }

    /// `(_ repeat times)`, at least once.
    pub fn repeat(&mut self, times: u32, a: Term) -> Term {
        assert!(times > 0, "a term repeated no times");
        // By doubling: one by one, the parts would be as large as the square of the whole.
        let bits = u32::BITS - times.leading_zeros();
        (0..bits - 1).rev().fold(a, |repeated, bit| {
            let twice = self.concat(repeated, repeated);
            if times >> bit & 1 == 1 { self.concat(twice, a) } else { twice }
        })
    }

    /// `bvredor`: one bit, the disjunction of all.
    pub fn bv_redor(&mut self, a: Term) -> Term {
        let some = self.nonzero(a);
        self.bool_to_bits(1, some)
    }

    /// `bvredxor`: one bit, whether an odd number of them is 1. Halves are joined, so that there are few terms.
    pub fn bv_redxor(&mut self, a: Term) -> Term {
        let (mut rest, mut parity) = (a, self.bits(1, 0));
        while self.width(rest) > 1 {
            let width = self.width(rest);
            if width % 2 == 1 {
                let top = self.extract(width - 1, width - 1, rest);
                parity = self.bv_xor(parity, top);
            }
            let half = width / 2;
            let (high, low) = (self.extract(2 * half - 1, half, rest), self.extract(half - 1, 0, rest));
            rest = self.bv_xor(high, low);
        }
        self.bv_xor(parity, rest)
    }

    /// `bvredand`: one bit, the conjunction of all.
    pub fn bv_redand(&mut self, a: Term) -> Term {
        let ones = self.bits_value(Bits::ones(self.width(a)));
        self.bv_comp(a, ones)
    }

    /// `bvnego`: whether the negation overflows.
    pub fn nego(&mut self, a: Term) -> Term {
        let min = self.bits_value(Bits::min_signed(self.width(a)));
        self.eq(a, min)
    }

    /// `bvuaddo`: whether the sum overflows, unsigned.
    pub fn uaddo(&mut self, a: Term, b: Term) -> Term {
        let sum = self.add(a, b);
        self.ult(sum, a)
    }

    /// `bvsaddo`: whether the sum overflows, signed: it has another sign than both addends.
    pub fn saddo(&mut self, a: Term, b: Term) -> Term {
        let sum = self.add(a, b);
        let [sign_a, sign_b, sign] = [a, b, sum].map(|t| self.sign(t));
        let same = self.eq(sign_a, sign_b);
        let other = self.ne(sign, sign_a);
        self.and2(same, other)
    }

    /// `bvusubo`: whether the difference is below zero, unsigned.
    pub fn usubo(&mut self, a: Term, b: Term) -> Term {
        self.ult(a, b)
    }

    /// `bvssubo`: whether the difference overflows, signed.
    pub fn ssubo(&mut self, a: Term, b: Term) -> Term {
        let difference = self.sub(a, b);
        let [sign_a, sign_b, sign] = [a, b, difference].map(|t| self.sign(t));
        let unlike = self.ne(sign_a, sign_b);
        let other = self.ne(sign, sign_a);
        self.and2(unlike, other)
    }

    /// `bvumulo`: whether the product overflows, unsigned.
    pub fn umulo(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let [x, y] = [a, b].map(|t| self.zero_extend(2 * width, t));
        let product = self.mul(x, y);
        let high = self.extract(2 * width - 1, width, product);
        self.nonzero(high)
    }

    /// `bvsmulo`: whether the product overflows, signed.
    pub fn smulo(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let [x, y] = [a, b].map(|t| self.sign_extend(2 * width, t));
        let product = self.mul(x, y);
        let low = self.extract(width - 1, 0, product);
        let again = self.sign_extend(2 * width, low);
        self.ne(product, again)
    }

    /// `bvsdivo`: whether the quotient overflows, signed: the least value divided by -1.
    pub fn sdivo(&mut self, a: Term, b: Term) -> Term {
        self.same_width(a, b);
        let least = self.nego(a);
        let minus_one = self.bits_value(Bits::ones(self.width(b)));
        let by_minus_one = self.eq(b, minus_one);
        self.and2(least, by_minus_one)
    }

    /// Whether the sign bit is set.
    fn sign(&mut self, a: Term) -> Term {
        let zero = self.bits(self.width(a), 0);
        self.slt(a, zero)
    }
}
