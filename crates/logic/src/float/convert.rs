//! Between formats, and from and to integers.

use super::{FloatFormat, Rounded};
use crate::{Term, Terms};

impl Terms {
    /// A number in another format.
    pub fn float_to_float(&mut self, from: FloatFormat, to: FloatFormat, a: Term) -> Rounded {
        let x = self.float_parts(from, a);
        let wide = from.wide().max(to.wide());
        let exponent = self.resize(wide, false, x.exponent);
        let (significand, exponent) = self.float_normalised(x.significand, exponent);
        let (added, taken) = (self.bits(wide, to.bias()), self.bits(wide, from.bias()));
        let exponent = self.add(exponent, added);
        let exponent = self.sub(exponent, taken);
        let finite = self.float_rounded(to, x.sign, exponent, significand);
        let (zero, infinity) = (self.float_zero(to, x.sign), self.float_infinity(to, x.sign));
        let value = self.ite(x.zero, zero, finite);
        Rounded { value: self.ite(x.infinite, infinity, value), nan: x.nan }
    }

    /// An integer as the nearest number.
    pub fn float_from_bits(&mut self, format: FloatFormat, signed: bool, a: Term) -> Term {
        let width = self.width(a);
        let no = self.fals();
        let sign = if signed {
            let top = self.extract(width - 1, width - 1, a);
            self.nonzero(top)
        } else {
            no
        };
        let negated = self.neg(a);
        let magnitude = self.ite(sign, negated, a);
        let exponent = self.bits(format.wide(), format.bias() + u128::from(width) - 1);
        let (significand, exponent) = self.float_normalised(magnitude, exponent);
        let rounded = self.float_rounded(format, sign, exponent, significand);
        let some = self.nonzero(a);
        let zero = self.float_zero(format, no);
        self.ite(some, rounded, zero)
    }

    /// A number without its fraction as an integer, and whether it fits.
    pub fn float_to_bits(&mut self, format: FloatFormat, signed: bool, width: u32, a: Term) -> (Term, Term) {
        let x = self.float_parts(format, a);
        let (wide, precision) = (format.wide(), format.precision());
        let bias = self.bits(wide, format.bias());
        let power = self.sub(x.exponent, bias);
        let zero = self.bits(wide, 0);
        let fraction = self.slt(power, zero);
        let limit = self.bits(wide, u128::from(width));
        let small = self.slt(power, limit);
        // All bits before the point, which is `precision - 1` bits from the right.
        let common = precision + width;
        let amount = self.ite(small, power, zero);
        let amount = self.ite(fraction, zero, amount);
        let amount = self.resize(common, false, amount);
        let significand = self.resize(common, false, x.significand);
        let shifted = self.shl(significand, amount);
        let whole = self.extract(common - 1, precision - 1, shifted);
        let none = self.bits(width + 1, 0);
        let whole = self.ite(fraction, none, whole);
        let low = self.extract(width - 1, 0, whole);
        let negated = self.neg(low);
        let value = self.ite(x.sign, negated, low);
        let fits = if signed {
            let least = self.bits(width + 1, 1 << (width - 1));
            let (below, least) = (self.ult(whole, least), self.ule(whole, least));
            self.ite(x.sign, least, below)
        } else {
            let is_zero = self.eq(whole, none);
            let negative = self.not(x.sign);
            self.or2(negative, is_zero)
        };
        let special = self.or2(x.nan, x.infinite);
        let number = self.not(special);
        (value, self.and(&[number, small, fits]))
    }
}
