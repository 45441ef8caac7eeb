//! The cone of influence: what a property depends on.

use crate::design::Design;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Term, Terms};

impl Design {
    /// The part of the design that a property depends on, with that property alone: the registers and inputs that it and
    /// the constraints read, and what these registers' first and next values read. Violations of the one are violations
    /// of the other. All constraints stay: one that cannot be fulfilled rules out every violation.
    pub fn cone(&self, terms: &Terms, property: usize) -> Design {
        let property = &self.properties[property];
        Design { properties: vec![property.clone()], ..self.part(terms, &[property.term]) }
    }

    /// The part of the design that a liveness property depends on, with that property and the fairness conditions alone.
    /// Where the one has an execution without an end that violates it, so has the other.
    pub fn cone_of_justice(&self, terms: &Terms, justice: usize) -> Design {
        let justice = &self.justice[justice];
        let mut roots = justice.conditions.clone();
        roots.extend(self.fairness.iter().map(|c| c.term));
        let part = self.part(terms, &roots);
        Design { justice: vec![justice.clone()], fairness: self.fairness.clone(), ..part }
    }

    /// What terms and the constraints depend on, without a property.
    fn part(&self, terms: &Terms, read: &[Term]) -> Design {
        let roots = self.constraints.iter().map(|c| c.term).chain(read.iter().copied()).collect();
        let needed = self.support(terms, roots);
        let is_needed = |term: Term| needed.contains(&term);
        Design {
            inputs: self.inputs.iter().filter(|i| is_needed(i.term)).cloned().collect(),
            registers: self.registers.iter().filter(|r| is_needed(r.signal.term)).cloned().collect(),
            constraints: self.constraints.clone(),
            branches: self
                .branches
                .iter()
                .filter(|b| terms.free_vars(b.term).into_iter().all(is_needed))
                .cloned()
                .collect(),
            ..Design::default()
        }
    }

    /// The variables that terms depend on, in this cycle or through the registers in any.
    fn support(&self, terms: &Terms, mut roots: Vec<Term>) -> FxHashSet<Term> {
        let registers: FxHashMap<Term, usize> = self.state().zip(0..).collect();
        let mut found = FxHashSet::default();
        // Terms are shared, so what one round has walked through is not walked through again in the next.
        let mut walked = FxHashSet::default();
        while !roots.is_empty() {
            let new = terms.post_order_until(&roots, |t| walked.contains(&t));
            roots.clear();
            for t in new {
                if !walked.insert(t) || !terms.is_var(t) || !found.insert(t) {
                    continue;
                }
                if let Some(&r) = registers.get(&t) {
                    let register = &self.registers[r];
                    roots.extend(register.init.into_iter().chain(register.next));
                }
            }
        }
        found
    }
}
