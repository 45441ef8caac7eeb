//! The relation of a step by implications of few literals, for each predicate after it: \[CTL\] section 2.2, Eq. 7.

use super::Abstraction;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_diagram::{Bdd, BddVar};
use tamis_logic::{Term, Terms};
use tamis_paq::{Ends, Implications, Interrupted, Predicate};
use tamis_system::{StepId, System};

/// Relations that are known: for a step and predicates after it, with which predicates before it.
pub(super) type Implied = FxHashMap<(StepId, Vec<BddVar>), (FxHashSet<BddVar>, Bdd)>;

impl<S: System> Abstraction<'_, S> {
    /// The implications between the predicates in use before `step` and `targets` after it, one part for each target where
    /// an implication has no more; and what those before it exclude among themselves.
    pub(super) fn implied_parts(
        &mut self,
        terms: &mut Terms,
        limits: Implications,
        step: StepId,
        targets: &[Predicate],
    ) -> Result<Vec<Bdd>, Interrupted> {
        let from = self.system.steps()[step.index()].from;
        let sources = self.predicates.at(from).clone();
        let groups: Vec<Vec<Predicate>> = match limits.after {
            0 => vec![Vec::new()],
            1 => targets.iter().map(|&t| vec![t]).chain([Vec::new()]).collect(),
            _ => vec![targets.to_vec()],
        };
        let mut parts = Vec::with_capacity(groups.len());
        for group in groups {
            self.budget.check()?;
            parts.push(self.implied(terms, limits, step, &sources, &group)?);
        }
        Ok(parts)
    }

    fn implied(
        &mut self,
        terms: &mut Terms,
        limits: Implications,
        step: StepId,
        sources: &[Predicate],
        targets: &[Predicate],
    ) -> Result<Bdd, Interrupted> {
        let key = (step, targets.iter().map(|p| p.var).collect::<Vec<_>>());
        let (known_with, known) = match self.implied.get(&key) {
            Some((with, known)) if with.iter().all(|v| sources.iter().any(|p| p.var == *v)) => {
                (Some(with.clone()), known.clone())
            }
            _ => (None, self.diagrams.tru()),
        };
        if known_with.as_ref().is_some_and(|with| with.len() == sources.len()) {
            return Ok(known);
        }
        let mut after = self.prepare(terms, step, targets);
        let depends: Vec<FxHashSet<Term>> =
            after.iter().map(|p| self.reads(terms, step, p.formula)).collect();
        for p in &mut after {
            p.var = self.primed(p.var)?;
        }
        let related: Vec<Vec<bool>> = sources
            .iter()
            .map(|p| {
                let variables = terms.free_vars(p.formula);
                depends.iter().map(|d| variables.iter().any(|v| d.contains(v))).collect()
            })
            .collect();
        let is_known = |i: usize| known_with.as_ref().is_some_and(|with| with.contains(&sources[i].var));
        let ends = Ends {
            before: sources,
            after: &after,
            known: &known,
            is_new_before: &|i| !is_known(i),
            is_new_after: &|_| known_with.is_none(),
            related: &|i, j| j.is_none_or(|j| related[i][j]),
        };
        self.images += 1;
        let truth = terms.tru();
        let function =
            self.under(terms, step, (truth, None), |context, query| limits.relation(context, query, &ends))?;
        self.implied.insert(key, (sources.iter().map(|p| p.var).collect(), function.clone()));
        Ok(function)
    }

    /// The variables that a formula over the state after a step depends on, through what the step requires as well.
    fn reads(&self, terms: &Terms, step: StepId, formula: Term) -> FxHashSet<Term> {
        let mut reads: FxHashSet<Term> = terms.free_vars(formula).into_iter().collect();
        let mut open: Vec<Vec<Term>> = self.constraints(step).iter().map(|&c| terms.free_vars(c)).collect();
        loop {
            let before = open.len();
            open.retain(|variables| {
                let connected = variables.iter().any(|v| reads.contains(v));
                if connected {
                    reads.extend(variables);
                }
                !connected
            });
            if open.len() == before {
                return reads;
            }
        }
    }
}
