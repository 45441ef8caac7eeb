//! Linear expressions, and the one form in which each linear inequality is kept.

use dashu_int::ops::{Abs, Gcd};
use tamis_logic::{IBig, RBig, UBig};

/// A numeric variable of a [`LinearDiagrams`](super::LinearDiagrams), by order of creation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NumVar(pub(super) u32);

/// What a numeric variable ranges over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Domain {
    /// The integers.
    Integer,
    /// The real numbers.
    Real,
}

/// `Σ cᵢ·xᵢ + c` with exact coefficients.
///
/// ```
/// use tamis_diagram::linear::{Domain, Expression, LinearDiagrams};
/// let mut d = LinearDiagrams::new(1000);
/// let x = d.new_number(Domain::Integer);
/// let twice = Expression::var(x).plus(&Expression::var(x));
/// assert_eq!(twice.coefficient(x), 2.into());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Expression {
    /// Ordered by variable, no coefficient 0.
    pub(super) terms: Vec<(NumVar, RBig)>,
    pub(super) constant: RBig,
}

impl Expression {
    /// A number.
    pub fn constant(number: impl Into<RBig>) -> Expression {
        Expression { terms: Vec::new(), constant: number.into() }
    }

    /// A variable.
    pub fn var(x: NumVar) -> Expression {
        Expression { terms: vec![(x, RBig::ONE)], constant: RBig::ZERO }
    }

    /// The coefficient of `x`, 0 if it does not occur.
    pub fn coefficient(&self, x: NumVar) -> RBig {
        match self.terms.binary_search_by_key(&x, |term| term.0) {
            Ok(at) => self.terms[at].1.clone(),
            Err(_) => RBig::ZERO,
        }
    }

    /// The variables, in order of creation.
    pub fn vars(&self) -> impl Iterator<Item = NumVar> + '_ {
        self.terms.iter().map(|term| term.0)
    }

    /// The sum.
    pub fn plus(&self, other: &Expression) -> Expression {
        self.plus_multiple(&RBig::ONE, other)
    }

    /// The difference.
    pub fn minus(&self, other: &Expression) -> Expression {
        self.plus_multiple(&RBig::from(-1), other)
    }

    /// This expression times a number.
    pub fn times(&self, by: &RBig) -> Expression {
        Expression::default().plus_multiple(by, self)
    }

    /// `self + by·other`.
    pub fn plus_multiple(&self, by: &RBig, other: &Expression) -> Expression {
        if by.is_zero() {
            return self.clone();
        }
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let first = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(l), None) => l.0,
                (None, Some(r)) => r.0,
                (Some(l), Some(r)) => l.0.min(r.0),
            };
            let from_left = left.next_if(|term| term.0 == first).map(|term| term.1.clone());
            let from_right = right.next_if(|term| term.0 == first).map(|term| by * &term.1);
            let sum = match (from_left, from_right) {
                (Some(l), Some(r)) => l + r,
                (l, r) => l.or(r).unwrap_or(RBig::ZERO),
            };
            if !sum.is_zero() {
                terms.push((first, sum));
            }
        }
        Expression { terms, constant: &self.constant + by * &other.constant }
    }

    /// This expression with `x` replaced by `value`.
    pub(super) fn substitute(&self, x: NumVar, value: &Expression) -> Expression {
        let c = self.coefficient(x);
        self.without(x).plus_multiple(&c, value)
    }

    /// This expression without its multiple of `x`.
    pub(super) fn without(&self, x: NumVar) -> Expression {
        let terms = self.terms.iter().filter(|term| term.0 != x).cloned().collect();
        Expression { terms, constant: self.constant.clone() }
    }
}

/// The homogeneous part of an inequality: integer coefficients without a common factor, the first one positive.
pub(super) type Form = Box<[(NumVar, IBig)]>;

/// An upper bound of a form: `t ≤ value`, or `t < value` if it is strict. In order of strength, the strongest first.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Bound {
    pub value: RBig,
    pub strict: bool,
}

impl Ord for Bound {
    fn cmp(&self, other: &Bound) -> std::cmp::Ordering {
        self.value.cmp(&other.value).then(other.strict.cmp(&self.strict))
    }
}

impl PartialOrd for Bound {
    fn partial_cmp(&self, other: &Bound) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// An inequality in normal form.
pub(super) enum Normal {
    /// It has no variables.
    Constant(bool),
    /// `form` is within the bound, or is not if `negated`.
    Atom { form: Form, bound: Bound, negated: bool },
}

/// `expression ≤ 0`, or `< 0` if `strict`. If all variables are integers (`integral`) the bound is an integer and
/// not strict, rounded to the strongest one that is equivalent.
pub(super) fn normalize(expression: &Expression, strict: bool, integral: bool) -> Normal {
    let Some((_, first)) = expression.terms.first() else {
        let zero = RBig::ZERO;
        return Normal::Constant(if strict {
            expression.constant < zero
        } else {
            expression.constant <= zero
        });
    };
    let mut numerators = UBig::ZERO;
    let mut denominators = UBig::ONE;
    for (_, c) in &expression.terms {
        numerators = (&numerators).gcd(&c.numerator().clone().abs().into_parts().1);
        let common = (&denominators).gcd(c.denominator());
        denominators = denominators / common * c.denominator();
    }
    let negated = *first < RBig::ZERO;
    let positive = RBig::from_parts(IBig::from(denominators), numerators);
    let scale = if negated { -positive } else { positive };
    let form = expression.terms.iter().map(|(x, c)| (*x, (c * &scale).numerator().clone())).collect();
    // form ≤ value, or, if the sign was turned, form ≥ value: the complement of form < value.
    let value = -(&expression.constant * &scale);
    let bound = match (integral, strict != negated) {
        (false, strict) => Bound { value, strict },
        (true, false) => Bound { value: value.floor().into(), strict: false },
        (true, true) => Bound { value: (value.ceil() - IBig::ONE).into(), strict: false },
    };
    Normal::Atom { form, bound, negated }
}
