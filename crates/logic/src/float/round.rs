//! From a significand of any length to the nearest number.

use super::FloatFormat;
use crate::{Term, Terms};

impl Terms {
    /// A significand shifted until its highest bit is 1, and the exponent of that bit. Of 0, anything.
    pub(super) fn float_normalised(&mut self, mut significand: Term, mut exponent: Term) -> (Term, Term) {
        let (width, wide) = (self.width(significand), self.width(exponent));
        let mut step = width.next_power_of_two() / 2;
        while step > 0 {
            if step < width {
                let high = self.extract(width - 1, width - step, significand);
                let some = self.nonzero(high);
                let amount = self.bits(width, u128::from(step));
                let shifted = self.shl(significand, amount);
                significand = self.ite(some, significand, shifted);
                let amount = self.bits(wide, u128::from(step));
                let lower = self.sub(exponent, amount);
                exponent = self.ite(some, exponent, lower);
            }
            step /= 2;
        }
        (significand, exponent)
    }

    /// Shifts to the right; the lowest bit of the result is 1 as well where a 1 was shifted out. Of the amount, which is not
    /// negative, a width is all that matters.
    pub(super) fn float_shifted(&mut self, value: Term, amount: Term) -> Term {
        let width = self.width(value);
        let common = self.width(amount).max(32);
        let amount = self.resize(common, false, amount);
        let limit = self.bits(common, u128::from(width));
        let beyond = self.ult(limit, amount);
        let amount = self.ite(beyond, limit, amount);
        let amount = self.resize(width, false, amount);
        let shifted = self.lshr(value, amount);
        let back = self.shl(shifted, amount);
        let lost = self.ne(back, value);
        let lost = self.bool_to_bits(width, lost);
        self.bv_or(shifted, lost)
    }

    /// The number nearest to a significand whose highest bit is 1 and has the (biased) exponent, and whose lowest bit may stand
    /// for more that is not 0.
    pub(super) fn float_rounded(
        &mut self,
        format: FloatFormat,
        sign: Term,
        exponent: Term,
        mut significand: Term,
    ) -> Term {
        let (precision, wide) = (format.precision(), self.width(exponent));
        let short = (precision + 2).saturating_sub(self.width(significand));
        if short > 0 {
            let zeros = self.bits(short, 0);
            significand = self.concat(significand, zeros);
        }
        let width = self.width(significand);
        // Below the normal numbers the exponent is fixed, and the significand has zeros in front.
        let (zero, one) = (self.bits(wide, 0), self.bits(wide, 1));
        let below = self.slt(exponent, one);
        let distance = self.sub(one, exponent);
        let distance = self.ite(below, distance, zero);
        let significand = self.float_shifted(significand, distance);
        let field = self.ite(below, zero, exponent);

        let kept = self.extract(width - 1, width - precision, significand);
        let half = self.extract(width - precision - 1, width - precision - 1, significand);
        let rest = self.extract(width - precision - 2, 0, significand);
        let odd = self.extract(0, 0, kept);
        let (half, rest, odd) = (self.nonzero(half), self.nonzero(rest), self.nonzero(odd));
        let more = self.or2(rest, odd);
        let up = self.and2(half, more);

        let fraction = self.extract(format.fraction - 1, 0, kept);
        let whole = self.concat(field, fraction);
        let up = self.bool_to_bits(wide + format.fraction, up);
        let whole = self.add(whole, up);
        let infinity = self.bits(wide + format.fraction, format.infinity());
        let finite = self.ult(whole, infinity);
        let whole = self.ite(finite, whole, infinity);
        let magnitude = self.extract(format.width() - 2, 0, whole);
        self.float_signed(sign, magnitude)
    }
}
