//! Values of variables.

use super::Simplex;
use super::bounds::Bound;
use crate::arith::{Delta, Rational};

impl Simplex {
    /// Values that satisfy what is asserted, after a [`check`](crate::Theory::check) that found it consistent. The value of
    /// a variable is at its number; the numbers between belong to linear forms.
    pub fn model(&self) -> Vec<Rational> {
        let epsilon = self.epsilon();
        self.variables.iter().map(|variable| variable.value.concrete(&epsilon)).collect()
    }

    /// Gives the names of forms the values that these have.
    pub(super) fn follow_definitions(&mut self) {
        for (var, form) in &self.definitions {
            let terms = form.terms().iter();
            let value = terms.fold(Delta::ZERO, |sum, (term, c)| &sum + &self.var(*term).value.scale(c));
            self.variables[var.index()].value = value;
        }
    }

    /// A value of δ that keeps all variables between their bounds.
    fn epsilon(&self) -> Rational {
        if self.variables.iter().all(|variable| variable.value.infinitesimal.is_zero()) {
            return Rational::ONE;
        }
        let above = |value: &Delta, bound: &Option<Bound>| bound.as_ref().map(|bound| value - &bound.value);
        let below = |value: &Delta, bound: &Option<Bound>| bound.as_ref().map(|bound| &bound.value - value);
        Delta::concretise(self.variables.iter().flat_map(|variable| {
            [above(&variable.value, &variable.lower), below(&variable.value, &variable.upper)]
                .into_iter()
                .flatten()
        }))
    }
}
