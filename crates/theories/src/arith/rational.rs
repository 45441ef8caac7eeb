//! Exact rational numbers.

use std::cmp::Ordering;
use std::fmt;
use std::num::NonZeroI64;
use std::str::FromStr;

use dashu_int::IBig;
use dashu_int::ops::{DivRemEuclid, Gcd};

/// An exact rational number.
///
/// Nearly all numbers that a tableau or a graph sees are small: they are kept as two machine words and computed with
/// 128-bit intermediates. What does not fit becomes a pair of big integers, and becomes small again when it can, so
/// that a number has one representation only and equality is structural.
///
/// ```
/// use tamis_theories::arith::Rational;
/// let third = Rational::ratio(2, 6).unwrap();
/// assert_eq!(third, "1/3".parse().unwrap());
/// let huge = Rational::from(i64::MAX) * Rational::from(i64::MAX);
/// assert_eq!(&huge * &third / &huge, third);
/// assert_eq!((&third - Rational::from(1)).floor(), Rational::from(-1));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(pub(super) Repr);

/// In lowest terms, with a positive denominator; `Small` whenever both parts fit.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Repr {
    Small(i64, NonZeroI64),
    Big(Box<(IBig, IBig)>),
}

pub(super) const ONE: NonZeroI64 = match NonZeroI64::new(1) {
    Some(one) => one,
    None => NonZeroI64::MAX,
};

impl Rational {
    /// 0.
    pub const ZERO: Rational = Rational(Repr::Small(0, ONE));
    /// 1.
    pub const ONE: Rational = Rational(Repr::Small(1, ONE));

    /// `numerator / denominator`, unless the denominator is 0.
    pub fn ratio(numerator: i64, denominator: i64) -> Option<Rational> {
        match denominator.cmp(&0) {
            Ordering::Equal => None,
            Ordering::Greater => Some(Rational::reduced(numerator.into(), denominator.into())),
            Ordering::Less => Some(Rational::reduced(-i128::from(numerator), -i128::from(denominator))),
        }
    }

    /// `numerator / denominator` of any size, unless the denominator is 0.
    pub fn big_ratio(numerator: IBig, denominator: IBig) -> Option<Rational> {
        if denominator == IBig::ZERO { None } else { Some(Rational::from_big(numerator, denominator)) }
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0, _))
    }

    /// Whether it is greater than 0.
    pub fn is_positive(&self) -> bool {
        match &self.0 {
            Repr::Small(n, _) => *n > 0,
            Repr::Big(big) => big.0 > IBig::ZERO,
        }
    }

    /// Whether it is less than 0.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(n, _) => *n < 0,
            Repr::Big(big) => big.0 < IBig::ZERO,
        }
    }

    /// Whether it is an integer.
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small(_, d) => *d == ONE,
            Repr::Big(big) => big.1 == IBig::ONE,
        }
    }

    /// Whether its parts are machine words.
    pub fn is_small(&self) -> bool {
        matches!(self.0, Repr::Small(..))
    }

    /// The numerator in lowest terms; it carries the sign.
    pub fn numerator(&self) -> IBig {
        self.parts().0
    }

    /// The denominator in lowest terms, positive.
    pub fn denominator(&self) -> IBig {
        self.parts().1
    }

    /// The number as a machine integer, if it is one.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(n, d) if *d == ONE => Some(*n),
            _ => None,
        }
    }

    /// The greatest integer that is not greater.
    pub fn floor(&self) -> Rational {
        match &self.0 {
            Repr::Small(n, d) => Rational::from(n.div_euclid(d.get())),
            Repr::Big(big) => Rational::from((&big.0).div_rem_euclid(&big.1).0),
        }
    }

    /// The least integer that is not less.
    pub fn ceil(&self) -> Rational {
        -(-self).floor()
    }

    /// The distance to the floor, in [0, 1).
    pub fn fract(&self) -> Rational {
        self - self.floor()
    }

    /// The absolute value.
    pub fn abs(&self) -> Rational {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The greatest number, not negative, of which both are integer multiples: the greatest common divisor, for fractions
    /// too.
    pub(super) fn gcd(&self, other: &Rational) -> Rational {
        if let (Repr::Small(a, ONE), Repr::Small(b, ONE)) = (&self.0, &other.0) {
            return Rational::from(i128::from(gcd64(a.unsigned_abs(), b.unsigned_abs())));
        }
        // One of them is not 0, and so the divisor is defined.
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        if b == IBig::ONE && d == IBig::ONE {
            return Rational::from(IBig::from(a.gcd(c)));
        }
        let common = IBig::from((a * &d).gcd(c * &b));
        Rational::from_big(common, b * d)
    }

    pub(super) fn parts(&self) -> (IBig, IBig) {
        match &self.0 {
            Repr::Small(n, d) => (IBig::from(*n), IBig::from(d.get())),
            Repr::Big(big) => (big.0.clone(), big.1.clone()),
        }
    }

    /// `n / d` for `d > 0`, both well inside 128 bits.
    pub(super) fn reduced(n: i128, d: i128) -> Rational {
        let g = gcd128(n.unsigned_abs(), d.unsigned_abs());
        if g == 1 { Rational::lowest(n, d) } else { Rational::lowest(n / g as i128, d / g as i128) }
    }

    /// `n / d` for `d > 0` without common divisor.
    pub(super) fn lowest(n: i128, d: i128) -> Rational {
        match (i64::try_from(n), i64::try_from(d).ok().and_then(NonZeroI64::new)) {
            (Ok(n), Some(d)) => Rational(Repr::Small(n, d)),
            _ => Rational(Repr::Big(Box::new((IBig::from(n), IBig::from(d))))),
        }
    }

    /// `n / d` for `d ≠ 0`.
    pub(super) fn from_big(n: IBig, d: IBig) -> Rational {
        if d == IBig::ONE {
            return Rational::from(n);
        }
        let (n, d) = if d < IBig::ZERO { (-n, -d) } else { (n, d) };
        let g = IBig::from((&n).gcd(&d));
        let (n, d) = if g == IBig::ONE { (n, d) } else { (n / &g, d / &g) };
        match (i64::try_from(&n), i64::try_from(&d).ok().and_then(NonZeroI64::new)) {
            (Ok(n), Some(d)) => Rational(Repr::Small(n, d)),
            _ => Rational(Repr::Big(Box::new((n, d)))),
        }
    }
}

/// The greatest common divisor, by halving: no division on the way.
pub(super) fn gcd64(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    loop {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
        if b == 0 {
            return a << shift;
        }
    }
}

fn gcd128(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return gcd64(a, b).into();
        }
        (a, b) = (b, a % b);
    }
    a
}

impl Default for Rational {
    fn default() -> Self {
        Rational::ZERO
    }
}

impl From<i32> for Rational {
    fn from(n: i32) -> Self {
        Rational::from(i64::from(n))
    }
}

impl From<i64> for Rational {
    fn from(n: i64) -> Self {
        Rational(Repr::Small(n, ONE))
    }
}

impl From<i128> for Rational {
    fn from(n: i128) -> Self {
        Rational::lowest(n, 1)
    }
}

impl From<IBig> for Rational {
    fn from(n: IBig) -> Self {
        match i64::try_from(&n) {
            Ok(n) => Rational::from(n),
            Err(_) => Rational(Repr::Big(Box::new((n, IBig::ONE)))),
        }
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        if let (Repr::Small(a, b), Repr::Small(c, d)) = (&self.0, &other.0) {
            if b == d {
                return a.cmp(c);
            }
            return (i128::from(*a) * i128::from(d.get())).cmp(&(i128::from(*c) * i128::from(b.get())));
        }
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        (a * d).cmp(&(c * b))
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, d) = self.parts();
        if d == IBig::ONE { write!(f, "{n}") } else { write!(f, "{n}/{d}") }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a rational number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseRationalError;

impl fmt::Display for ParseRationalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an integer or a fraction of two integers, the second not zero")
    }
}

impl std::error::Error for ParseRationalError {}

impl FromStr for Rational {
    type Err = ParseRationalError;

    /// Reads `-12` or `3/4`, decimal, of any size.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (n, d) = text.split_once('/').unwrap_or((text, "1"));
        let integer = |text: &str| IBig::from_str(text).map_err(|_| ParseRationalError);
        Rational::big_ratio(integer(n)?, integer(d)?).ok_or(ParseRationalError)
    }
}
