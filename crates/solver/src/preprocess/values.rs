//! Values of the caller's variables, from those of the solver's.

use super::Preprocessor;
use tamis_logic::{Model, Term, Terms, Value};

impl Preprocessor {
    /// The values of variables of the caller's store, where `value` tells those of the solver's variables.
    ///
    /// A definition may have variables that no circuit has; they are asked for as well.
    pub fn values(
        &mut self,
        original: &Terms,
        vars: &[Term],
        functions: &Model,
        value: &mut dyn FnMut(&Terms, Term) -> Value,
    ) -> Vec<Value> {
        self.terms.adopt_sorts(original);
        let own: Vec<Term> = vars.iter().map(|&var| self.terms.adopt(original, var, &[])).collect();
        let mut model = functions.clone();
        for &var in &own {
            self.evaluate(var, &mut model, value);
        }
        own.iter().map(|&var| model.get(var).cloned().unwrap_or_else(|| value(&self.terms, var))).collect()
    }

    /// Gives a variable its value, after those that its definition depends on.
    fn evaluate(&self, var: Term, model: &mut Model, value: &mut dyn FnMut(&Terms, Term) -> Value) {
        let mut pending: Vec<(Term, bool)> = vec![(var, false)];
        while let Some((var, ready)) = pending.pop() {
            if model.get(var).is_some() {
                continue;
            }
            match self.definitions.get(&var) {
                None => model.set(var, value(&self.terms, var)),
                Some(&definition) if ready => model.set(var, self.terms.eval(definition, model)),
                Some(&definition) => {
                    pending.push((var, true));
                    pending.extend(self.terms.free_vars(definition).into_iter().map(|v| (v, false)));
                }
            }
        }
    }
}
