//! Addition, multiplication and division.

use super::{FloatFormat, Parts, Rounded};
use crate::{Term, Terms};

impl Terms {
    /// `-a`: the other sign, of what is no number as well.
    pub fn float_neg(&mut self, format: FloatFormat, a: Term) -> Term {
        let sign = self.bits(format.width(), 1 << (format.width() - 1));
        self.bv_xor(a, sign)
    }

    /// `a + b`
    pub fn float_add(&mut self, format: FloatFormat, a: Term, b: Term) -> Rounded {
        let high = format.width() - 2;
        let (left, right) = (self.extract(high, 0, a), self.extract(high, 0, b));
        let less = self.ult(left, right);
        let (large, small) = (self.ite(less, b, a), self.ite(less, a, b));
        let (x, y) = (self.float_parts(format, large), self.float_parts(format, small));
        // One bit in front for the carry, three behind: with these, what is shifted out need only be known not to be 0.
        let width = format.precision() + 4;
        let widened = |t: &mut Terms, significand: Term| {
            let zeros = t.bits(3, 0);
            let longer = t.concat(significand, zeros);
            t.resize(width, false, longer)
        };
        let (above, below) = (widened(self, x.significand), widened(self, y.significand));
        let distance = self.sub(x.exponent, y.exponent);
        let below = self.float_shifted(below, distance);
        let same = self.eq(x.sign, y.sign);
        let (sum, difference) = (self.add(above, below), self.sub(above, below));
        let sum = self.ite(same, sum, difference);
        let one = self.bits(format.wide(), 1);
        let exponent = self.add(x.exponent, one);
        let (significand, exponent) = self.float_normalised(sum, exponent);
        let rounded = self.float_rounded(format, x.sign, exponent, significand);
        let some = self.nonzero(sum);
        let negative = self.and2(x.sign, y.sign);
        let zero = self.float_zero(format, negative);
        let finite = self.ite(some, rounded, zero);
        // The larger one is infinite if any is.
        let value = self.ite(x.infinite, large, finite);
        let opposite = self.not(same);
        let infinities = self.and(&[x.infinite, y.infinite, opposite]);
        Rounded { value, nan: self.or(&[x.nan, y.nan, infinities]) }
    }

    /// `a - b`
    pub fn float_sub(&mut self, format: FloatFormat, a: Term, b: Term) -> Rounded {
        let negated = self.float_neg(format, b);
        self.float_add(format, a, negated)
    }

    /// `a * b`
    pub fn float_mul(&mut self, format: FloatFormat, a: Term, b: Term) -> Rounded {
        let (x, y) = (self.float_parts(format, a), self.float_parts(format, b));
        let (sign, width) = (self.xor(x.sign, y.sign), 2 * format.precision());
        let (left, left_exponent) = self.float_normalised(x.significand, x.exponent);
        let (right, right_exponent) = self.float_normalised(y.significand, y.exponent);
        let (left, right) = (self.resize(width, false, left), self.resize(width, false, right));
        let product = self.mul(left, right);
        let exponent = self.add(left_exponent, right_exponent);
        let bias = self.bits(format.wide(), format.bias() - 1);
        let exponent = self.sub(exponent, bias);
        let finite = self.float_of_quotient(format, sign, exponent, product);
        let zero = self.or2(x.zero, y.zero);
        let infinite = self.or2(x.infinite, y.infinite);
        let nan = self.and2(zero, infinite);
        self.float_special(format, [x, y], sign, finite, [zero, infinite, nan])
    }

    /// `a / b`
    pub fn float_div(&mut self, format: FloatFormat, a: Term, b: Term) -> Rounded {
        let (x, y) = (self.float_parts(format, a), self.float_parts(format, b));
        let precision = format.precision();
        let (sign, width) = (self.xor(x.sign, y.sign), 2 * precision + 2);
        let (left, left_exponent) = self.float_normalised(x.significand, x.exponent);
        let (right, right_exponent) = self.float_normalised(y.significand, y.exponent);
        let zeros = self.bits(precision + 2, 0);
        let dividend = self.concat(left, zeros);
        let divisor = self.resize(width, false, right);
        let (quotient, rest) = (self.udiv(dividend, divisor), self.urem(dividend, divisor));
        // Both have their highest bit: the quotient has that of `precision + 2`, or the one below.
        let quotient = self.extract(precision + 2, 0, quotient);
        let rest = self.nonzero(rest);
        let rest = self.bool_to_bits(1, rest);
        let significand = self.concat(quotient, rest);
        let exponent = self.sub(left_exponent, right_exponent);
        let bias = self.bits(format.wide(), format.bias());
        let exponent = self.add(exponent, bias);
        let finite = self.float_of_quotient(format, sign, exponent, significand);
        let zero = self.or2(x.zero, y.infinite);
        let infinite = self.or2(x.infinite, y.zero);
        let nan = self.and2(zero, infinite);
        self.float_special(format, [x, y], sign, finite, [zero, infinite, nan])
    }

    /// A number of which one of the two highest bits is 1.
    fn float_of_quotient(
        &mut self,
        format: FloatFormat,
        sign: Term,
        exponent: Term,
        significand: Term,
    ) -> Term {
        let width = self.width(significand);
        let high = self.extract(width - 1, width - 1, significand);
        let high = self.nonzero(high);
        let one = self.bits(width, 1);
        let shifted = self.shl(significand, one);
        let significand = self.ite(high, significand, shifted);
        let one = self.bits(format.wide(), 1);
        let lower = self.sub(exponent, one);
        let exponent = self.ite(high, exponent, lower);
        self.float_rounded(format, sign, exponent, significand)
    }

    /// A result of operands that may be zero, infinite or no number.
    fn float_special(
        &mut self,
        format: FloatFormat,
        operands: [Parts; 2],
        sign: Term,
        finite: Term,
        [zero, infinite, nan]: [Term; 3],
    ) -> Rounded {
        let (nothing, infinity) = (self.float_zero(format, sign), self.float_infinity(format, sign));
        let value = self.ite(zero, nothing, finite);
        let value = self.ite(infinite, infinity, value);
        Rounded { value, nan: self.or(&[operands[0].nan, operands[1].nan, nan]) }
    }
}
