//! Values of the caller's variables, from those of the solver's.

use super::Preprocessor;
use rustc_hash::FxHashSet;
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
        let mut ready: Vec<(Term, Term)> = Vec::new();
        let mut waiting: FxHashSet<Term> = FxHashSet::default();
        for (var, definition) in self.in_order(&own) {
            let Some(definition) = definition else {
                model.set(var, value(&self.terms, var));
                continue;
            };
            // Those that do not depend on each other are evaluated together.
            if self.parts[&definition].iter().any(|part| waiting.contains(part)) {
                self.evaluate(&mut ready, &mut model);
                waiting.clear();
            }
            ready.push((var, definition));
            waiting.insert(var);
        }
        self.evaluate(&mut ready, &mut model);
        own.iter().map(|&var| model.get(var).cloned().unwrap_or_else(|| value(&self.terms, var))).collect()
    }

    /// Variables and all that their definitions depend on, in which each comes after those of its definition.
    fn in_order(&mut self, vars: &[Term]) -> Vec<(Term, Option<Term>)> {
        let mut order = Vec::new();
        let mut done: FxHashSet<Term> = FxHashSet::default();
        let mut pending: Vec<(Term, bool)> = vars.iter().rev().map(|&var| (var, false)).collect();
        while let Some((var, ready)) = pending.pop() {
            let definition = self.definitions.get(&var).copied();
            match definition {
                Some(definition) if !ready => {
                    if !done.contains(&var) {
                        let terms = &self.terms;
                        let parts =
                            self.parts.entry(definition).or_insert_with(|| terms.free_vars(definition));
                        pending.push((var, true));
                        pending.extend(
                            parts.iter().filter(|part| !done.contains(part)).map(|&part| (part, false)),
                        );
                    }
                }
                _ => {
                    if done.insert(var) {
                        order.push((var, definition));
                    }
                }
            }
        }
        order
    }

    fn evaluate(&self, ready: &mut Vec<(Term, Term)>, model: &mut Model) {
        let definitions: Vec<Term> = ready.iter().map(|&(_, definition)| definition).collect();
        let values = self.terms.eval_all(&definitions, model);
        for ((var, _), value) in ready.drain(..).zip(values) {
            model.set(var, value);
        }
    }
}
