//! Linear forms: sums of terms with coefficients.

use crate::op::Op;
use crate::simplify_bool::MAX_FLAT;
use crate::sort::Sort;
use crate::store::{Term, Terms};
use crate::value::Value;
use dashu_int::ops::{Abs, Gcd};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::collections::BTreeMap;

/// `Σ cᵢ·tᵢ + c`, where the `tᵢ` are different terms of sort `Int` or `Real` that are no sums, and no `cᵢ` is 0.
///
/// The normal form of a sum term has the same shape: its arguments are ordered by the id of `tᵢ`, each is `tᵢ` or a
/// product of a constant and `tᵢ`, and a constant other than 0 stands last. The one difference is that a sum of more
/// than 32 arguments stays an argument of a sum that is built around it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Linear {
    /// The terms and their coefficients, ordered by id.
    pub terms: BTreeMap<Term, RBig>,
    /// The constant.
    pub constant: RBig,
}

impl Linear {
    pub(crate) fn add(&mut self, t: Term, coefficient: RBig) {
        let entry = self.terms.entry(t).or_default();
        *entry += coefficient;
        if entry.is_zero() {
            self.terms.remove(&t);
        }
    }

    fn scale(&mut self, by: &RBig) {
        self.constant *= by;
        for coefficient in self.terms.values_mut() {
            *coefficient *= by;
        }
    }

    /// Divides by a positive number, so that the coefficients are integers without a common factor.
    pub(crate) fn make_primitive(&mut self) {
        let mut numerators = UBig::ZERO;
        let mut denominators = UBig::ONE;
        for c in self.terms.values() {
            numerators = (&numerators).gcd(&c.numerator().clone().abs().into_parts().1);
            let common = (&denominators).gcd(c.denominator());
            denominators = denominators / common * c.denominator();
        }
        if !numerators.is_zero() {
            self.scale(&RBig::from_parts(IBig::from(denominators), numerators));
        }
    }

    /// Whether the coefficient of the first term is negative.
    pub(crate) fn leads_negative(&self) -> bool {
        self.terms.values().next().is_some_and(|c| *c < RBig::ZERO)
    }

    pub(crate) fn negate(&mut self) {
        self.scale(&RBig::from(-1));
    }
}

/// Sums of at most this many arguments are merged with the sum around them: [`MAX_FLAT`], but collecting costs more.
const MAX_SUM: usize = 32;

/// A comparison expands the sums inside its sums if no more than this many terms come of it.
const MAX_EXPANDED: usize = 1024;

impl Terms {
    /// The linear form of a term of sort `Int` or `Real`.
    ///
    /// ```
    /// use tamis_logic::{RBig, Sort, Terms};
    /// let mut t = Terms::new();
    /// let (x, one) = (t.var("x", Sort::Int), t.int(1));
    /// let sum = t.plus(&[x, one, x]);
    /// let form = t.linear(sum);
    /// assert_eq!(form.terms[&x], RBig::from(2));
    /// assert_eq!(form.constant, RBig::ONE);
    /// ```
    pub fn linear(&mut self, t: Term) -> Linear {
        let mut sum = Linear::default();
        self.add_shallow(&mut sum, RBig::ONE, t, true);
        self.expand(sum, usize::MAX).unwrap_or_default()
    }

    /// The difference of two terms, for a comparison.
    pub(crate) fn difference(&mut self, a: Term, b: Term) -> Linear {
        let mut shallow = Linear::default();
        self.add_shallow(&mut shallow, RBig::ONE, a, true);
        self.add_shallow(&mut shallow, RBig::from(-1), b, true);
        if let Some(expanded) = self.expand(shallow.clone(), MAX_EXPANDED) {
            return expanded;
        }
        // A large sum alone is expanded: there is nothing else that it has to be kept apart from.
        while let Some((&only, c)) = shallow.terms.first_key_value()
            && shallow.terms.len() == 1
            && self.op(only) == Op::Plus
        {
            let c = c.clone();
            shallow.terms.clear();
            self.add_shallow(&mut shallow, c, only, true);
        }
        shallow
    }

    /// Expands the sums inside a sum, each once and the latest first: what it contains is earlier. `None` if more than
    /// `limit` terms come of it.
    fn expand(&mut self, sum: Linear, limit: usize) -> Option<Linear> {
        let mut done = Linear { constant: sum.constant, ..Linear::default() };
        let mut pending = Linear { terms: sum.terms, ..Linear::default() };
        while let Some((t, c)) = pending.terms.pop_last() {
            if self.op(t) == Op::Plus {
                self.add_shallow(&mut pending, c, t, true);
            } else {
                done.add(t, c);
            }
            if pending.terms.len() + done.terms.len() > limit {
                return None;
            }
        }
        done.constant += pending.constant;
        Some(done)
    }

    /// Adds `c·t`, taking `t` apart if it is a sum, of any length if `long`.
    pub(crate) fn add_shallow(&mut self, sum: &mut Linear, c: RBig, t: Term, long: bool) {
        if self.op(t) == Op::Plus && (long || self.args(t).len() <= MAX_SUM) {
            for arg in self.args(t).to_vec() {
                self.add_monomial(sum, &c, arg);
            }
        } else {
            self.add_monomial(sum, &c, t);
        }
    }

    fn add_monomial(&mut self, sum: &mut Linear, c: &RBig, t: Term) {
        if let Some(number) = self.number_constant(t) {
            sum.constant += c * number;
            return;
        }
        let (coefficient, base) = self.monomial(t);
        sum.add(base, c * coefficient);
    }

    /// The coefficient of a term that is not a constant, and the rest of it.
    fn monomial(&mut self, t: Term) -> (RBig, Term) {
        if self.op(t) == Op::Times
            && let Some(c) = self.number_constant(self.args(t)[0])
        {
            let rest = match self.args(t) {
                &[_, only] => only,
                args => {
                    let factors = args[1..].to_vec();
                    self.intern(Op::Times, self.sort(t), &factors)
                }
            };
            return (c, rest);
        }
        (RBig::ONE, t)
    }

    /// The number that a constant of sort `Int` or `Real` is.
    pub fn number_constant(&self, t: Term) -> Option<RBig> {
        match self.stored_constant(t)? {
            Value::Int(n) => Some(RBig::from(n.clone())),
            Value::Real(n) => Some(n.clone()),
            _ => None,
        }
    }

    /// The sum without its constant as a term.
    pub(crate) fn sum_of(&mut self, sort: Sort, sum: &Linear) -> Term {
        self.sum_with(sort, &Linear { terms: sum.terms.clone(), constant: RBig::ZERO })
    }

    /// The sum as a term.
    pub(crate) fn sum_with(&mut self, sort: Sort, sum: &Linear) -> Term {
        let mut args: Vec<Term> = Vec::with_capacity(sum.terms.len() + 1);
        for (&t, c) in &sum.terms {
            args.push(self.scaled(sort, c.clone(), t));
        }
        if !sum.constant.is_zero() || args.is_empty() {
            args.push(self.number(sort, sum.constant.clone()));
        }
        match args[..] {
            [only] => only,
            _ => self.intern(Op::Plus, sort, &args),
        }
    }

    /// `c·t`, where `t` is no constant, not a product with a coefficient and not a short sum.
    pub(crate) fn scaled(&mut self, sort: Sort, c: RBig, t: Term) -> Term {
        if c.is_one() {
            return t;
        }
        let mut args = vec![self.number(sort, c)];
        if self.op(t) == Op::Times && self.args(t).len() <= MAX_FLAT {
            args.extend_from_slice(self.args(t));
        } else {
            args.push(t);
        }
        self.intern(Op::Times, sort, &args)
    }
}
