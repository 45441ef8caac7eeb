//! Linear forms.

use crate::arith::{Rational, Var};

/// A sum `Σ aᵢ·xᵢ`, by ascending variable, without zero coefficients.
///
/// ```
/// use tamis_theories::arith::{LinearForm, Rational, Var};
/// let form = LinearForm::from([(Var(1), 2), (Var(0), 1), (Var(1), -2)]);
/// assert_eq!(form, LinearForm::from(Var(0)));
/// assert_eq!(form.evaluate(|_| Rational::from(7)), Rational::from(7));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct LinearForm {
    terms: Vec<(Var, Rational)>,
}

impl LinearForm {
    /// The form 0.
    pub fn new() -> LinearForm {
        LinearForm::default()
    }

    /// Adds `coefficient · var`.
    pub fn add(&mut self, coefficient: &Rational, var: Var) {
        match self.terms.binary_search_by_key(&var, |term| term.0) {
            Ok(at) => {
                self.terms[at].1 += coefficient;
                if self.terms[at].1.is_zero() {
                    self.terms.remove(at);
                }
            }
            Err(_) if coefficient.is_zero() => {}
            Err(at) => self.terms.insert(at, (var, coefficient.clone())),
        }
    }

    /// The terms.
    pub fn terms(&self) -> &[(Var, Rational)] {
        &self.terms
    }

    /// The coefficient of a variable that is in the form.
    pub fn coefficient(&self, var: Var) -> Option<&Rational> {
        self.terms.binary_search_by_key(&var, |term| term.0).ok().map(|at| &self.terms[at].1)
    }

    /// The form with `by` in place of `var`.
    pub(in crate::arith) fn replace(&self, var: Var, by: &LinearForm) -> LinearForm {
        let Some(factor) = self.coefficient(var) else { return self.clone() };
        let others = self.terms.iter().filter(|(other, _)| *other != var).cloned();
        let mut replaced = LinearForm { terms: others.collect() };
        for (other, coefficient) in &by.terms {
            replaced.add(&(factor * coefficient), *other);
        }
        replaced
    }

    /// The value of the form under values of its variables.
    pub fn evaluate(&self, value: impl Fn(Var) -> Rational) -> Rational {
        self.terms.iter().fold(Rational::ZERO, |sum, (var, coefficient)| sum + coefficient * value(*var))
    }

    /// The factor, and the form that it multiplies: with integer coefficients that have no common divisor, the first of
    /// them positive. None for the form 0.
    pub(in crate::arith) fn normalised(&self) -> Option<(Rational, LinearForm)> {
        let (_, first) = self.terms.first()?;
        let mut factor = self.terms.iter().fold(Rational::ZERO, |gcd, (_, coefficient)| gcd.gcd(coefficient));
        if first.is_negative() {
            factor = -factor;
        }
        let terms = self.terms.iter().map(|(var, coefficient)| (*var, coefficient / &factor)).collect();
        Some((factor, LinearForm { terms }))
    }
}

impl From<Var> for LinearForm {
    fn from(var: Var) -> Self {
        LinearForm { terms: vec![(var, Rational::ONE)] }
    }
}

impl FromIterator<(Var, Rational)> for LinearForm {
    fn from_iter<I: IntoIterator<Item = (Var, Rational)>>(terms: I) -> Self {
        let mut form = LinearForm::new();
        for (var, coefficient) in terms {
            form.add(&coefficient, var);
        }
        form
    }
}

impl<const N: usize> From<[(Var, i64); N]> for LinearForm {
    fn from(terms: [(Var, i64); N]) -> Self {
        terms.into_iter().map(|(var, coefficient)| (var, Rational::from(coefficient))).collect()
    }
}
