//! IEEE 754 numbers as bit-vectors: what a processor computes, rounded to the nearest, ties to even.
//!
//! A number is the bit-vector that memory has: sign, exponent, fraction. The operations are generic in the format, so that tests can
//! hold all numbers of small formats against exact rational arithmetic. Which of the bit patterns that are no number an
//! operation gives is not said: processors and compilers differ in it.
//!
//! The ways of the circuits are the textbook ones (Muller et al., Handbook of Floating-Point Arithmetic, ch. 8): align, add,
//! normalise, round; rounding is one addition to exponent and fraction together, whose carry makes the next power of two, the
//! least normal number, or infinity.

mod arith;
mod convert;
mod round;

use crate::{Term, Terms};

/// A binary format with an implicit leading bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatFormat {
    /// How many bits the exponent has.
    pub exponent: u32,
    /// How many bits the fraction has.
    pub fraction: u32,
}

/// The result of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Rounded {
    /// The number; any bits where there is none.
    pub value: Term,
    /// Whether there is no number.
    pub nan: Term,
}

impl FloatFormat {
    /// C's `float`.
    pub const SINGLE: FloatFormat = FloatFormat { exponent: 8, fraction: 23 };
    /// C's `double`.
    pub const DOUBLE: FloatFormat = FloatFormat { exponent: 11, fraction: 52 };

    /// How many bits a number has.
    pub fn width(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// How many bits a significand has, the leading one included.
    fn precision(self) -> u32 {
        self.fraction + 1
    }

    fn bias(self) -> u128 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The width in which exponents are computed: wide enough for all sums of exponents and numbers of bits.
    fn wide(self) -> u32 {
        self.exponent + 10
    }

    /// The bits of infinity.
    fn infinity(self) -> u128 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    /// The bits that make any others no number: an exponent of ones and the highest bit of the fraction.
    pub fn quiet(self) -> u128 {
        self.infinity() | 1 << (self.fraction - 1)
    }

    /// The bits of 1.
    pub fn one(self) -> u128 {
        self.bias() << self.fraction
    }
}

/// A number taken apart.
#[derive(Clone, Copy)]
struct Parts {
    sign: Term,
    /// The exponent as it is stored, but that of the least normal numbers for those below them; `wide` bits.
    exponent: Term,
    /// With its leading bit, which is 0 below the normal numbers.
    significand: Term,
    nan: Term,
    infinite: Term,
    zero: Term,
}

impl Terms {
    fn float_parts(&mut self, format: FloatFormat, a: Term) -> Parts {
        let FloatFormat { exponent, fraction } = format;
        let top = self.extract(exponent + fraction, exponent + fraction, a);
        let sign = self.nonzero(top);
        let stored = self.extract(exponent + fraction - 1, fraction, a);
        let rest = self.extract(fraction - 1, 0, a);
        let ones = self.bits(exponent, (1 << exponent) - 1);
        let special = self.eq(stored, ones);
        let normal = self.nonzero(stored);
        let some = self.nonzero(rest);
        let none = self.not(some);
        let nan = self.and2(special, some);
        let infinite = self.and2(special, none);
        let below = self.not(normal);
        let zero = self.and2(below, none);
        let one = self.bits(exponent, 1);
        let effective = self.ite(normal, stored, one);
        let leading = self.bool_to_bits(1, normal);
        Parts {
            sign,
            exponent: self.resize(format.wide(), false, effective),
            significand: self.concat(leading, rest),
            nan,
            infinite,
            zero,
        }
    }

    /// Whether two numbers are equal, as `==` of C has it.
    pub fn float_eq(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        let (x, y) = (self.float_parts(format, a), self.float_parts(format, b));
        let same = self.eq(a, b);
        let zeros = self.and2(x.zero, y.zero);
        let equal = self.or2(same, zeros);
        let ordered = self.float_ordered(x, y);
        self.and2(ordered, equal)
    }

    /// Whether one number is below another.
    pub fn float_lt(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        let (x, y) = (self.float_parts(format, a), self.float_parts(format, b));
        let high = format.width() - 2;
        let (left, right) = (self.extract(high, 0, a), self.extract(high, 0, b));
        let (below, above) = (self.ult(left, right), self.ult(right, left));
        let zeros = self.and2(x.zero, y.zero);
        let apart = self.not(zeros);
        // Of two with different signs the negative one is below, unless both are zero.
        let positive = self.not(y.sign);
        let of_positive = self.and2(positive, below);
        let of_negative = self.ite(y.sign, above, apart);
        let less = self.ite(x.sign, of_negative, of_positive);
        let ordered = self.float_ordered(x, y);
        self.and2(ordered, less)
    }

    /// Whether one number is not above another.
    pub fn float_le(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        let (less, equal) = (self.float_lt(format, a, b), self.float_eq(format, a, b));
        self.or2(less, equal)
    }

    fn float_ordered(&mut self, x: Parts, y: Parts) -> Term {
        let none = self.or2(x.nan, y.nan);
        self.not(none)
    }

    /// Zero with a sign.
    fn float_zero(&mut self, format: FloatFormat, sign: Term) -> Term {
        let magnitude = self.bits(format.width() - 1, 0);
        self.float_signed(sign, magnitude)
    }

    fn float_infinity(&mut self, format: FloatFormat, sign: Term) -> Term {
        let magnitude = self.bits(format.width() - 1, format.infinity());
        self.float_signed(sign, magnitude)
    }

    fn float_signed(&mut self, sign: Term, magnitude: Term) -> Term {
        let sign = self.bool_to_bits(1, sign);
        self.concat(sign, magnitude)
    }
}
