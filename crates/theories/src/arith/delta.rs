//! Numbers with an infinitesimal part, for strict bounds over the reals.

use std::fmt;
use std::ops::{Add, Neg, Sub};

use super::Rational;

/// `real + infinitesimal · δ`, where δ is positive and smaller than every positive real: `x < 3` is `x ≤ 3 - δ`
/// (Dutertre and de Moura, *A Fast Linear-Arithmetic Solver for DPLL(T)*, section 5). The order is lexicographic.
///
/// ```
/// use tamis_theories::arith::{Delta, Rational};
/// let three = Delta::from(Rational::from(3));
/// assert!(three.below() < three && three.below() > Delta::from(Rational::from(2)));
/// assert_eq!(three.below().floor(), Rational::from(2));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Delta {
    /// The real part.
    pub real: Rational,
    /// How many times δ.
    pub infinitesimal: Rational,
}

impl Delta {
    /// 0.
    pub const ZERO: Delta = Delta { real: Rational::ZERO, infinitesimal: Rational::ZERO };

    /// The number less δ.
    pub fn below(&self) -> Delta {
        Delta { real: self.real.clone(), infinitesimal: &self.infinitesimal - Rational::ONE }
    }

    /// The number plus δ.
    pub fn above(&self) -> Delta {
        Delta { real: self.real.clone(), infinitesimal: &self.infinitesimal + Rational::ONE }
    }

    /// The number `factor` times.
    pub fn scale(&self, factor: &Rational) -> Delta {
        let infinitesimal =
            if self.infinitesimal.is_zero() { Rational::ZERO } else { &self.infinitesimal * factor };
        Delta { real: &self.real * factor, infinitesimal }
    }

    /// Whether it is less than 0.
    pub fn is_negative(&self) -> bool {
        self.real.is_negative() || (self.real.is_zero() && self.infinitesimal.is_negative())
    }

    /// Whether it is an integer.
    pub fn is_integer(&self) -> bool {
        self.real.is_integer() && self.infinitesimal.is_zero()
    }

    /// The greatest integer that is not greater.
    pub fn floor(&self) -> Rational {
        let floor = self.real.floor();
        if self.real.is_integer() && self.infinitesimal.is_negative() { floor - Rational::ONE } else { floor }
    }

    /// The least integer that is not less.
    pub fn ceil(&self) -> Rational {
        -(-self).floor()
    }

    /// The value when δ is `epsilon`.
    pub fn concrete(&self, epsilon: &Rational) -> Rational {
        if self.infinitesimal.is_zero() {
            self.real.clone()
        } else {
            &self.real + &self.infinitesimal * epsilon
        }
    }

    /// A positive value of δ, at most 1, that makes none of the `distances` negative. They must not be negative as
    /// numbers with δ.
    pub fn concretise(distances: impl Iterator<Item = Delta>) -> Rational {
        let mut epsilon = Rational::ONE;
        for Delta { real, infinitesimal } in distances {
            if infinitesimal.is_negative() {
                let limit = real / -infinitesimal;
                if limit < epsilon {
                    epsilon = limit;
                }
            }
        }
        epsilon
    }
}

impl From<Rational> for Delta {
    fn from(real: Rational) -> Self {
        Delta { real, infinitesimal: Rational::ZERO }
    }
}

impl Neg for &Delta {
    type Output = Delta;

    fn neg(self) -> Delta {
        Delta { real: -&self.real, infinitesimal: -&self.infinitesimal }
    }
}

impl Add for &Delta {
    type Output = Delta;

    fn add(self, other: &Delta) -> Delta {
        Delta { real: &self.real + &other.real, infinitesimal: &self.infinitesimal + &other.infinitesimal }
    }
}

impl Sub for &Delta {
    type Output = Delta;

    fn sub(self, other: &Delta) -> Delta {
        Delta { real: &self.real - &other.real, infinitesimal: &self.infinitesimal - &other.infinitesimal }
    }
}

impl fmt::Debug for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.infinitesimal.is_zero() {
            write!(f, "{}", self.real)
        } else {
            write!(f, "{} + {}δ", self.real, self.infinitesimal)
        }
    }
}
