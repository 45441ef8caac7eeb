//! Over which numbers differences are constrained.

use std::fmt;

use crate::arith::{Delta, Rational};

/// The numbers that variables range over, and the weights that bounds on differences become.
pub trait Domain {
    /// The constant of an atom.
    type Constant: Clone + fmt::Debug;
    /// The weight of an edge, a sum of weights along a path, or a value of the potential.
    type Weight: Clone + Ord + Default + fmt::Debug;

    /// `a + b`.
    fn add(a: &Self::Weight, b: &Self::Weight) -> Self::Weight;
    /// `a - b`.
    fn sub(a: &Self::Weight, b: &Self::Weight) -> Self::Weight;
    /// The bound on `x - y` when `x - y ≤ c` holds.
    fn holds(c: &Self::Constant) -> Self::Weight;
    /// The bound on `y - x` when `x - y ≤ c` does not hold.
    fn fails(c: &Self::Constant) -> Self::Weight;
    /// Values of the domain for a potential, where none of the `slacks` of the constraints may become negative.
    fn concrete(potential: &[Self::Weight], slacks: impl Iterator<Item = Self::Weight>) -> Vec<Rational>;
}

/// The integers. Constants are machine words; sums of them along a path are wider and cannot overflow, for there are
/// fewer than 2³² variables.
#[derive(Clone, Copy, Debug)]
pub struct Integers;

impl Domain for Integers {
    type Constant = i64;
    type Weight = i128;

    fn add(a: &i128, b: &i128) -> i128 {
        a + b
    }

    fn sub(a: &i128, b: &i128) -> i128 {
        a - b
    }

    fn holds(c: &i64) -> i128 {
        (*c).into()
    }

    fn fails(c: &i64) -> i128 {
        -i128::from(*c) - 1
    }

    fn concrete(potential: &[i128], _slacks: impl Iterator<Item = i128>) -> Vec<Rational> {
        potential.iter().map(|&value| Rational::from(value)).collect()
    }
}

/// The reals, where the negation of `x - y ≤ c` is the strict `y - x < -c`.
#[derive(Clone, Copy, Debug)]
pub struct Reals;

impl Domain for Reals {
    type Constant = Rational;
    type Weight = Delta;

    fn add(a: &Delta, b: &Delta) -> Delta {
        a + b
    }

    fn sub(a: &Delta, b: &Delta) -> Delta {
        a - b
    }

    fn holds(c: &Rational) -> Delta {
        c.clone().into()
    }

    fn fails(c: &Rational) -> Delta {
        Delta::from(-c).below()
    }

    fn concrete(potential: &[Delta], slacks: impl Iterator<Item = Delta>) -> Vec<Rational> {
        let epsilon = Delta::concretise(slacks);
        potential.iter().map(|value| value.concrete(&epsilon)).collect()
    }
}
