//! Conjuncts of the abstract relation that refinement adds: \[CTL\] section 4.2.
//!
//! Where a relation is not exact, an abstract counterexample may take a transition that no execution takes. The literals
//! in the proof of that are a pair of cubes, before and after the step, that no execution leads from and to, and the relation
//! is refined by the implication that excludes them. With the same predicates there are finitely many, so this ends.

use super::Abstraction;
use rustc_hash::FxHashMap;
use tamis_diagram::{Bdd, BddVar};
use tamis_logic::{Term, Terms};
use tamis_paq::{Interrupted, Predicate};
use tamis_solver::Answer;
use tamis_system::{Point, StepId, System};

/// Values of predicates.
type Literals = Vec<(BddVar, bool)>;

/// A transition that no execution takes: values before and values after the step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excluded {
    /// The step.
    pub step: StepId,
    /// Before it.
    pub before: Literals,
    /// After it.
    pub after: Literals,
}

/// What has been excluded so far.
#[derive(Default)]
pub(super) struct Exclusions {
    of: FxHashMap<StepId, Vec<Excluded>>,
}

impl<S: System> Abstraction<'_, S> {
    /// Excludes a transition from the abstract relation from now on.
    pub(crate) fn exclude(&mut self, transition: Excluded) {
        self.exclusions.of.entry(transition.step).or_default().push(transition);
    }

    /// How many transitions of a step have been excluded.
    pub fn excluded(&self, step: StepId) -> usize {
        self.exclusions.of.get(&step).map_or(0, Vec::len)
    }

    /// The conjuncts of a step's relation that exclude transitions. One over a predicate that is no longer in use, and that
    /// nothing in use stands for, is left out.
    pub(super) fn exclusion_parts(&mut self, step: StepId) -> Result<Vec<Bdd>, Interrupted> {
        let ends = self.system.steps()[step.index()];
        let transitions = self.exclusions.of.get(&step).cloned().unwrap_or_default();
        let mut parts = Vec::with_capacity(transitions.len());
        for Excluded { before, after, .. } in transitions {
            let mut cube = Some(self.diagrams.tru());
            for (point, literals, primed) in [(ends.from, before, false), (ends.to, after, true)] {
                for (var, value) in literals {
                    let meaning = if self.predicates.at(point).iter().any(|p| p.var == var) {
                        Some(self.diagrams.var(var))
                    } else {
                        self.definition(var)
                    };
                    cube = match (cube, meaning) {
                        (Some(cube), Some(meaning)) => {
                            let meaning = if primed { self.prime(&meaning, point)? } else { meaning };
                            let literal = if value { meaning } else { self.diagrams.not(&meaning) };
                            Some(self.diagrams.and(&cube, &literal)?)
                        }
                        _ => None,
                    };
                }
            }
            parts.extend(cube.map(|cube| self.diagrams.not(&cube)));
        }
        Ok(parts)
    }

    /// A function of the state at a point, of the state there after a step.
    pub(crate) fn prime(&mut self, f: &Bdd, point: Point) -> Result<Bdd, Interrupted> {
        let vars: Vec<BddVar> = self.predicates.at(point).iter().map(|p| p.var).collect();
        let mut pairs = Vec::with_capacity(vars.len());
        for var in vars {
            pairs.push((var, self.primed(var)?));
        }
        Ok(self.diagrams.rename(f, &pairs)?)
    }

    /// If no execution of `step` leads from a state with the values `before` to one with the values `after`, some of them for
    /// which that is so, and none too many.
    pub fn refute(
        &mut self,
        terms: &mut Terms,
        step: StepId,
        before: &[(BddVar, bool)],
        after: &[(BddVar, bool)],
    ) -> Result<Option<Excluded>, Interrupted> {
        let signed = |terms: &mut Terms, formula: Term, value: bool| {
            if value { formula } else { terms.not(formula) }
        };
        let targets: Vec<Predicate> =
            after.iter().map(|&(var, _)| Predicate { formula: self.predicates.formula(var), var }).collect();
        let read = self.prepare(terms, step, &targets);
        let mut assumed: Vec<(Term, (BddVar, bool), bool)> = Vec::new();
        for &(var, value) in before {
            assumed.push((signed(terms, self.predicates.formula(var), value), (var, value), false));
        }
        for (p, &(var, value)) in read.iter().zip(after) {
            assumed.push((signed(terms, p.formula, value), (var, value), true));
        }
        let assumptions: Vec<Term> = assumed.iter().map(|&(formula, ..)| formula).collect();
        let solver = self.step_solver(step);
        if solver.check(terms, &assumptions)? == Answer::Sat {
            return Ok(None);
        }
        let core = solver.core().to_vec();
        let mut core = solver.minimize_core(terms, &core)?;
        let mut excluded = Excluded { step, before: Vec::new(), after: Vec::new() };
        // A predicate that the step leaves alone is one formula before and after it: one literal is enough.
        for (formula, literal, is_after) in assumed {
            if let Some(at) = core.iter().position(|&c| c == formula) {
                core.remove(at);
                (if is_after { &mut excluded.after } else { &mut excluded.before }).push(literal);
            }
        }
        Ok(Some(excluded))
    }
}
