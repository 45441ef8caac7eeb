//! Arithmetic on rational numbers: the fast paths, and big numbers beyond.
//!
//! With parts below 2⁶³ in magnitude, a cross product stays below 2¹²⁶ and the sum of two below 2¹²⁷, so that no
//! 128-bit intermediate overflows.

use std::num::NonZeroI64;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use dashu_int::IBig;

use super::rational::{ONE, Rational, Repr, gcd64};

impl Neg for &Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        match &self.0 {
            Repr::Small(n, d) => match n.checked_neg() {
                Some(n) => Rational(Repr::Small(n, *d)),
                None => Rational::lowest(-i128::from(*n), d.get().into()),
            },
            Repr::Big(big) => Rational::from_big(-&big.0, big.1.clone()),
        }
    }
}

impl Neg for Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        -&self
    }
}

impl Add for &Rational {
    type Output = Rational;

    fn add(self, other: &Rational) -> Rational {
        if let (Repr::Small(a, b), Repr::Small(c, d)) = (&self.0, &other.0) {
            let (n, m) = (i128::from(*a), i128::from(*c));
            return match (*b, *d) {
                (ONE, ONE) => Rational::lowest(n + m, 1),
                (b, d) if b == d => Rational::reduced(n + m, b.get().into()),
                (b, d) => {
                    let (b, d) = (i128::from(b.get()), i128::from(d.get()));
                    Rational::reduced(n * d + m * b, b * d)
                }
            };
        }
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        Rational::from_big(a * &d + c * &b, b * d)
    }
}

impl Sub for &Rational {
    type Output = Rational;

    fn sub(self, other: &Rational) -> Rational {
        self + &-other
    }
}

impl Mul for &Rational {
    type Output = Rational;

    fn mul(self, other: &Rational) -> Rational {
        if let (Repr::Small(a, b), Repr::Small(c, d)) = (&self.0, &other.0) {
            if *b == ONE && *d == ONE {
                return Rational::lowest(i128::from(*a) * i128::from(*c), 1);
            }
            // Cancelling crosswise first leaves a product in lowest terms.
            let ((a, d), (c, b)) = (cancel(*a, *d), cancel(*c, *b));
            return Rational::lowest(a * c, b * d);
        }
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        Rational::from_big(a * c, b * d)
    }
}

fn cancel(n: i64, d: NonZeroI64) -> (i128, i128) {
    let g = i128::from(gcd64(n.unsigned_abs(), d.get().unsigned_abs()));
    (i128::from(n) / g, i128::from(d.get()) / g)
}

impl Rational {
    /// The inverse, unless it is 0.
    pub fn recip(&self) -> Option<Rational> {
        match &self.0 {
            Repr::Small(0, _) => None,
            Repr::Small(n, d) if *n > 0 => Some(Rational::lowest(d.get().into(), (*n).into())),
            Repr::Small(n, d) => Some(Rational::lowest(-i128::from(d.get()), -i128::from(*n))),
            Repr::Big(big) => Some(Rational::from_big(big.1.clone(), big.0.clone())),
        }
    }
}

impl Div for &Rational {
    type Output = Rational;

    /// # Panics
    /// If `other` is 0, as division of machine integers does.
    fn div(self, other: &Rational) -> Rational {
        if let (Repr::Small(a, ONE), Repr::Small(b, ONE)) = (&self.0, &other.0)
            && a.checked_rem(*b) == Some(0)
        {
            return Rational::from(a / b);
        }
        self * &other.recip().expect("division by zero")
    }
}

macro_rules! by_value {
    ($($operation:ident $method:ident),*) => {$(
        impl $operation for Rational {
            type Output = Rational;

            fn $method(self, other: Rational) -> Rational {
                $operation::$method(&self, &other)
            }
        }

        impl $operation<&Rational> for Rational {
            type Output = Rational;

            fn $method(self, other: &Rational) -> Rational {
                $operation::$method(&self, other)
            }
        }

        impl $operation<Rational> for &Rational {
            type Output = Rational;

            fn $method(self, other: Rational) -> Rational {
                $operation::$method(self, &other)
            }
        }
    )*};
}

by_value!(Add add, Sub sub, Mul mul, Div div);

impl AddAssign<&Rational> for Rational {
    fn add_assign(&mut self, other: &Rational) {
        *self = &*self + other;
    }
}

impl SubAssign<&Rational> for Rational {
    fn sub_assign(&mut self, other: &Rational) {
        *self = &*self - other;
    }
}

impl From<Rational> for (IBig, IBig) {
    /// Numerator and denominator.
    fn from(number: Rational) -> (IBig, IBig) {
        number.parts()
    }
}
