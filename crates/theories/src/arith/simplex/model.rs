//! Values, and what other theories want to know about them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Simplex;
use super::bounds::{Bound, Reason};
use crate::arith::{Delta, Rational, Var};
use crate::theory::Literal;

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

    /// A value of δ that keeps all variables between their bounds, and shared variables apart that need not be equal.
    fn epsilon(&self) -> Rational {
        if self.variables.iter().all(|variable| variable.value.infinitesimal.is_zero()) {
            return Rational::ONE;
        }
        let above = |value: &Delta, bound: &Option<Bound>| bound.as_ref().map(|bound| value - &bound.value);
        let below = |value: &Delta, bound: &Option<Bound>| bound.as_ref().map(|bound| &bound.value - value);
        let mut epsilon = Delta::concretise(self.variables.iter().flat_map(|variable| {
            [above(&variable.value, &variable.lower), below(&variable.value, &variable.upper)]
                .into_iter()
                .flatten()
        }));
        let values: FxHashSet<&Delta> = self.shared.iter().map(|var| &self.var(*var).value).collect();
        // Two different values meet at one ε only, so that some halving avoids all meetings.
        let half = Rational::ratio(1, 2).unwrap_or(Rational::ONE);
        while values.iter().map(|value| value.concrete(&epsilon)).collect::<FxHashSet<_>>().len()
            < values.len()
        {
            epsilon = epsilon * &half;
        }
        epsilon
    }

    /// Says that another theory uses the variable too.
    pub fn share(&mut self, var: Var) {
        if !std::mem::replace(&mut self.variables[var.index()].shared, true) {
            self.shared.push(var);
        }
    }

    /// The shared variables that have the same value in the present model, in groups of two and more: candidates for
    /// equalities that the search can be asked to decide (model-based combination).
    pub fn equal_in_model(&self) -> Vec<Vec<Var>> {
        // Distinct values with δ stay distinct in the model.
        let mut groups: FxHashMap<&Delta, Vec<Var>> = FxHashMap::default();
        for &var in &self.shared {
            groups.entry(&self.var(var).value).or_default().push(var);
        }
        let mut groups: Vec<Vec<Var>> = groups.into_values().filter(|group| group.len() > 1).collect();
        groups.sort_unstable();
        groups
    }

    /// The value of a variable that asserted bounds leave no choice, and the literals that do.
    pub fn fixed(&self, var: Var) -> Option<(Rational, Vec<Literal>)> {
        let (lower, upper) = self.var(var).fixed()?;
        let reasons = [lower.reason, upper.reason].map(|reason| match reason {
            Reason::Asserted(literal) => Some(literal),
            Reason::Branch(_) => None,
        });
        let mut literals: Vec<Literal> = reasons.into_iter().flatten().collect();
        literals.dedup();
        Some((lower.value.real.clone(), literals))
    }
}
