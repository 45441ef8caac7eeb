//! The 80-bit numbers of the x87: `long double`.
//!
//! A number is a sign, an exponent of 15 bits and a significand of 64, whose highest bit is explicit. Results are
//! rounded to the nearest, ties to even.

use std::cmp::Ordering;

/// An 80-bit floating-point number, by its bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Extended {
    pub significand: u64,
    /// The sign, then the exponent plus [`BIAS`].
    pub head: u16,
}

const BIAS: i32 = 16383;
const MIN_EXPONENT: i32 = -16382;
const MAX_EXPONENT: i32 = 16383;

/// A number taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Parts {
    NaN,
    Infinite(bool),
    Zero(bool),
    /// `significand * 2^(exponent - 63)`, the highest bit of the significand set.
    Finite {
        negative: bool,
        exponent: i32,
        significand: u64,
    },
}

/// Rounds `bits * 2^(exponent - 127)`, whose highest bit is set, to some digits. Gives exponent and significand, or
/// `None` if the result is infinite. The significand is below `2^(precision - 1)` only at the lowest exponent.
fn round(mut exponent: i32, mut bits: u128, precision: u32, min: i32, max: i32) -> Option<(i32, u64)> {
    if exponent < min {
        let by = (min - exponent) as u32;
        bits = if by > 127 { 1 } else { bits >> by | u128::from(bits << (128 - by) != 0) };
        exponent = min;
    }
    let dropped = 128 - precision;
    let rest = bits << precision;
    let mut kept = (bits >> dropped) as u64;
    let half = 1u128 << 127;
    if rest > half || (rest == half && kept & 1 == 1) {
        let (next, carry) = kept.overflowing_add(1);
        kept = next;
        if carry || (precision < 64 && kept >> precision != 0) {
            kept = 1 << (precision - 1);
            exponent += 1;
        }
    }
    (exponent <= max).then_some((exponent, kept))
}

impl Extended {
    /// From two registers.
    pub fn new(low: u64, high: u64) -> Extended {
        Extended { significand: low, head: high as u16 }
    }

    /// For two registers.
    pub fn registers(self) -> (u64, u64) {
        (self.significand, self.head.into())
    }

    pub fn parts(self) -> Parts {
        let negative = self.head >> 15 != 0;
        let biased = i32::from(self.head & 0x7fff);
        if biased == 0x7fff {
            return if self.significand << 1 == 0 { Parts::Infinite(negative) } else { Parts::NaN };
        }
        if self.significand == 0 {
            return Parts::Zero(negative);
        }
        let shift = self.significand.leading_zeros();
        let exponent = biased.max(1) - BIAS - shift as i32;
        Parts::Finite { negative, exponent, significand: self.significand << shift }
    }

    fn special(negative: bool, biased: u16, significand: u64) -> Extended {
        Extended { significand, head: u16::from(negative) << 15 | biased }
    }

    fn from_parts(parts: Parts) -> Extended {
        match parts {
            Parts::NaN => Extended::special(true, 0x7fff, 3 << 62),
            Parts::Infinite(negative) => Extended::special(negative, 0x7fff, 1 << 63),
            Parts::Zero(negative) => Extended::special(negative, 0, 0),
            Parts::Finite { negative, exponent, significand } => {
                Extended::rounded(negative, exponent, u128::from(significand) << 64)
            }
        }
    }

    /// `bits * 2^(exponent - 127)`, rounded; the highest bit is set.
    fn rounded(negative: bool, exponent: i32, bits: u128) -> Extended {
        match round(exponent, bits, 64, MIN_EXPONENT, MAX_EXPONENT) {
            None => Extended::from_parts(Parts::Infinite(negative)),
            Some((exponent, significand)) => {
                let biased = if significand >> 63 == 0 { 0 } else { (exponent + BIAS) as u16 };
                Extended::special(negative, biased, significand)
            }
        }
    }

    pub fn neg(self) -> Extended {
        Extended { head: self.head ^ 0x8000, ..self }
    }

    pub fn add(self, other: Extended) -> Extended {
        let (mut a, mut b) = (self.parts(), other.parts());
        if let (Parts::Finite { exponent: x, .. }, Parts::Finite { exponent: y, .. }) = (a, b)
            && x < y
        {
            (a, b) = (b, a);
        }
        match (a, b) {
            (Parts::NaN, _) | (_, Parts::NaN) => Extended::from_parts(Parts::NaN),
            (Parts::Infinite(x), Parts::Infinite(y)) if x != y => Extended::from_parts(Parts::NaN),
            (Parts::Infinite(x), _) | (_, Parts::Infinite(x)) => Extended::from_parts(Parts::Infinite(x)),
            (Parts::Zero(x), Parts::Zero(y)) => Extended::from_parts(Parts::Zero(x && y)),
            (Parts::Zero(_), x) | (x, Parts::Zero(_)) => Extended::from_parts(x),
            (
                Parts::Finite { negative: na, exponent: ea, significand: sa },
                Parts::Finite { negative: nb, exponent: eb, significand: sb },
            ) => {
                // 62 bits below the digits keep what is shifted out; the last one stands for all further.
                let (large, small) = (u128::from(sa) << 62, u128::from(sb) << 62);
                let by = (ea - eb) as u32;
                let small = match by {
                    0 => small,
                    1..=126 => small >> by | u128::from(small << (128 - by) != 0),
                    _ => 1,
                };
                let (negative, sum) = if na == nb {
                    (na, large + small)
                } else if large >= small {
                    (na, large - small)
                } else {
                    (nb, small - large)
                };
                if sum == 0 {
                    return Extended::from_parts(Parts::Zero(false));
                }
                let zeros = sum.leading_zeros();
                Extended::rounded(negative, ea + 2 - zeros as i32, sum << zeros)
            }
        }
    }

    pub fn sub(self, other: Extended) -> Extended {
        self.add(other.neg())
    }

    pub fn mul(self, other: Extended) -> Extended {
        let sign = (self.head ^ other.head) >> 15 != 0;
        match (self.parts(), other.parts()) {
            (Parts::NaN, _) | (_, Parts::NaN) => Extended::from_parts(Parts::NaN),
            (Parts::Infinite(_), Parts::Zero(_)) | (Parts::Zero(_), Parts::Infinite(_)) => {
                Extended::from_parts(Parts::NaN)
            }
            (Parts::Infinite(_), _) | (_, Parts::Infinite(_)) => Extended::from_parts(Parts::Infinite(sign)),
            (Parts::Zero(_), _) | (_, Parts::Zero(_)) => Extended::from_parts(Parts::Zero(sign)),
            (
                Parts::Finite { exponent: ea, significand: sa, .. },
                Parts::Finite { exponent: eb, significand: sb, .. },
            ) => {
                let product = u128::from(sa) * u128::from(sb);
                let zeros = product.leading_zeros();
                Extended::rounded(sign, ea + eb + 1 - zeros as i32, product << zeros)
            }
        }
    }

    pub fn div(self, other: Extended) -> Extended {
        let sign = (self.head ^ other.head) >> 15 != 0;
        match (self.parts(), other.parts()) {
            (Parts::NaN, _) | (_, Parts::NaN) => Extended::from_parts(Parts::NaN),
            (Parts::Infinite(_), Parts::Infinite(_)) | (Parts::Zero(_), Parts::Zero(_)) => {
                Extended::from_parts(Parts::NaN)
            }
            (Parts::Infinite(_), _) | (_, Parts::Zero(_)) => Extended::from_parts(Parts::Infinite(sign)),
            (Parts::Zero(_), _) | (_, Parts::Infinite(_)) => Extended::from_parts(Parts::Zero(sign)),
            (
                Parts::Finite { exponent: ea, significand: sa, .. },
                Parts::Finite { exponent: eb, significand: sb, .. },
            ) => {
                let divisor = u128::from(sb);
                let (first, rest) = ((u128::from(sa) << 64) / divisor, (u128::from(sa) << 64) % divisor);
                let (second, rest) = ((rest << 62) / divisor, (rest << 62) % divisor);
                let quotient = first << 62 | second | u128::from(rest != 0);
                let zeros = quotient.leading_zeros();
                Extended::rounded(sign, ea - eb + 1 - zeros as i32, quotient << zeros)
            }
        }
    }

    pub fn compare(self, other: Extended) -> Option<Ordering> {
        match self.sub(other).parts() {
            // Equal infinities have no difference.
            Parts::NaN if self == other && self.parts() != Parts::NaN => Some(Ordering::Equal),
            Parts::NaN => None,
            Parts::Zero(_) => Some(Ordering::Equal),
            Parts::Infinite(negative) | Parts::Finite { negative, .. } => {
                Some(if negative { Ordering::Less } else { Ordering::Greater })
            }
        }
    }

    pub fn from_f64(value: f64) -> Extended {
        let negative = value.is_sign_negative();
        if value.is_nan() {
            return Extended::from_parts(Parts::NaN);
        }
        if value.is_infinite() {
            return Extended::from_parts(Parts::Infinite(negative));
        }
        let bits = value.to_bits();
        let (biased, fraction) = ((bits >> 52) as i32 & 0x7ff, bits & ((1 << 52) - 1));
        let significand = if biased == 0 { fraction } else { fraction | 1 << 52 };
        if significand == 0 {
            return Extended::from_parts(Parts::Zero(negative));
        }
        let zeros = significand.leading_zeros();
        let exponent = biased.max(1) - 1023 + 11 - zeros as i32;
        Extended::from_parts(Parts::Finite { negative, exponent, significand: significand << zeros })
    }

    pub fn to_f64(self) -> f64 {
        let (negative, bits) = match self.parts() {
            Parts::NaN => return f64::NAN,
            Parts::Infinite(negative) => (negative, f64::INFINITY.to_bits()),
            Parts::Zero(negative) => (negative, 0),
            Parts::Finite { negative, exponent, significand } => {
                let rounded = round(exponent, u128::from(significand) << 64, 53, -1022, 1023);
                (negative, rounded.map_or(f64::INFINITY.to_bits(), |r| encode(r, 52, 1023)))
            }
        };
        f64::from_bits(bits | u64::from(negative) << 63)
    }

    pub fn to_f32(self) -> f32 {
        let (negative, bits) = match self.parts() {
            Parts::NaN => return f32::NAN,
            Parts::Infinite(negative) => (negative, f32::INFINITY.to_bits()),
            Parts::Zero(negative) => (negative, 0),
            Parts::Finite { negative, exponent, significand } => {
                let rounded = round(exponent, u128::from(significand) << 64, 24, -126, 127);
                (negative, rounded.map_or(f32::INFINITY.to_bits(), |r| encode(r, 23, 127) as u32))
            }
        };
        f32::from_bits(bits | u32::from(negative) << 31)
    }

    /// From a sign and a magnitude.
    pub fn from_integer(negative: bool, magnitude: u128) -> Extended {
        if magnitude == 0 {
            return Extended::from_parts(Parts::Zero(false));
        }
        let zeros = magnitude.leading_zeros();
        Extended::rounded(negative, 127 - zeros as i32, magnitude << zeros)
    }

    /// Sign and magnitude of the integral part, if it has at most 128 bits.
    pub fn to_integer(self) -> Option<(bool, u128)> {
        match self.parts() {
            Parts::NaN | Parts::Infinite(_) => None,
            Parts::Zero(_) => Some((false, 0)),
            Parts::Finite { negative, exponent, significand } => Some(match exponent {
                ..0 => (negative, 0),
                0..=63 => (negative, u128::from(significand >> (63 - exponent))),
                64..=127 => (negative, u128::from(significand) << (exponent - 63)),
                _ => return None,
            }),
        }
    }
}

/// The bits of a rounded number in a format with an implicit highest bit.
fn encode((exponent, significand): (i32, u64), fraction: u32, bias: i32) -> u64 {
    if significand >> fraction == 0 {
        significand
    } else {
        ((exponent + bias) as u64) << fraction | (significand & ((1 << fraction) - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::super::inputs::Random;
    use super::*;

    /// Doubles of all sizes.
    fn doubles() -> Vec<f64> {
        let mut random = Random::new(7);
        let mut values = vec![0.0, -0.0, 1.0, -1.5, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::INFINITY];
        values.extend((0..300).map(|_| f64::from_bits(random.next())));
        values.extend((0..300).map(|_| (random.next() as i64 >> (random.next() % 60)) as f64 / 1024.0));
        values
    }

    fn same(a: f64, b: f64) -> bool {
        a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
    }

    #[test]
    fn doubles_are_kept() {
        for x in doubles() {
            assert!(same(Extended::from_f64(x).to_f64(), x), "{x:e}");
            assert!(same(Extended::from_f64(x).to_f32().into(), f64::from(x as f32)), "{x:e}");
        }
    }

    #[test]
    fn single_precision_is_exact_in_between() {
        // Products, sums and quotients of floats, rounded to 64 digits and then to 24, are those of the machine:
        // 64 >= 2 * 24 + 2.
        let floats: Vec<f32> =
            doubles().into_iter().map(|x| x as f32).filter(|x| !x.is_subnormal()).collect();
        for pair in floats.windows(2) {
            let (x, y) = (pair[0], pair[1]);
            let (a, b) = (Extended::from_f64(x.into()), Extended::from_f64(y.into()));
            for (ours, theirs) in [(a.add(b), x + y), (a.sub(b), x - y), (a.mul(b), x * y), (a.div(b), x / y)]
            {
                if !theirs.is_subnormal() {
                    assert!(same(ours.to_f32().into(), theirs.into()), "{x:e} {y:e}: {theirs:e}");
                }
            }
            assert_eq!(a.compare(b), x.partial_cmp(&y));
        }
    }

    #[test]
    fn integers() {
        for value in [0u128, 1, 3, 1 << 63, (1 << 64) - 1, 1 << 64, 1 << 127] {
            assert_eq!(Extended::from_integer(false, value).to_integer(), Some((false, value)));
        }
        // 2^64 + 1 lies between two numbers and goes to the even one.
        assert_eq!(Extended::from_integer(true, (1 << 64) + 1).to_integer(), Some((true, 1 << 64)));
        assert_eq!(Extended::from_integer(false, (1 << 64) + 3).to_integer(), Some((false, (1 << 64) + 4)));
        assert_eq!(Extended::from_f64(-2.9).to_integer(), Some((true, 2)));
        assert_eq!(Extended::from_f64(f64::NAN).to_integer(), None);
    }

    #[test]
    fn a_third_has_64_digits() {
        let one = Extended::from_f64(1.0);
        let third = one.div(Extended::from_f64(3.0));
        assert_eq!(third, Extended { significand: 0xaaaa_aaaa_aaaa_aaab, head: 0x3ffd });
        assert_eq!(third.mul(Extended::from_f64(3.0)), one);
    }
}
