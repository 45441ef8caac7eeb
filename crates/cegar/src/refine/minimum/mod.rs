//! The last line of *Sample-and-Eliminate*: a minimum set that eliminates every spurious path so far. [MIN] section 3,
//! Fig. 5.
//!
//! The paper samples with a minimum at every iteration. Where short paths are spurious for many reasons, minima of one
//! size can take hundreds of samples to tell apart, each of which rules out little more than itself. So after
//! [`patience`](crate::RefinementStrategy::patience) minima of one size the set is only added to, as monotone refinement
//! does, though by what eliminates the most paths, until it proves the property: that is a sufficient set. From there on
//! a smallest set that eliminates all paths is added to likewise, as long as it stays smaller than the sufficient one,
//! and then a smallest one is looked for again, now that more paths are known: the [`bound`](super::bound) rises, the
//! sufficient set becomes smaller, and where they meet the sufficient set is a minimum of all branches.
//!
//! With lazy abstraction the paths are those of the tree, parts of which may still be abstracted by predicates that
//! have since been exchanged for others. That is sound, and a path that comes back through such a part meets the
//! predicates of now when it is built again.

mod bound;
mod combinations;
mod pseudo_boolean;

pub use combinations::CombinationCounts;

use super::proposal::CandidateId;
use super::{Proposal, Refinement, Refuted, Seen};
use crate::cegar::Run;
use crate::strategy::{Keep, Source};
use bound::Bound;
use pseudo_boolean::minimum;
use std::collections::BTreeSet;
use tamis_paq::Interrupted;
use tamis_system::{Invariants, System};

/// How far the minimisation is.
#[derive(Default)]
pub(super) enum Phase {
    /// A minimum of all candidates at each iteration.
    #[default]
    Sampling,
    /// Candidates are added until the property is proved.
    Growing,
    /// Sets smaller than a sufficient one.
    Shrinking(Sufficient),
}

/// A set with which the property was proved.
pub(super) struct Sufficient {
    set: BTreeSet<CandidateId>,
    /// The invariants that it gave.
    proof: Invariants,
    /// What smaller ones have members of.
    bound: Bound,
    /// Whether those are no longer of the first sufficient set only.
    is_wide: bool,
}

/// What is kept after a trace.
pub(super) enum Kept {
    /// The choice eliminates it.
    Yes,
    /// Nothing does that was proposed.
    No,
    /// No more attempts are made to do with less.
    Enough,
}

impl<S: System> Refinement<S> {
    /// Chooses a set that eliminates the path of `refuted` and all before it.
    pub(super) fn keep_minimum(
        &mut self,
        run: &mut Run<'_, S>,
        refuted: &Refuted<'_, S::Edge>,
        proposal: &Proposal,
    ) -> Result<Kept, Interrupted> {
        self.phase = match std::mem::take(&mut self.phase) {
            Phase::Shrinking(sufficient) => return self.keep_smaller(run, refuted, sufficient),
            earlier => earlier,
        };
        if matches!(self.strategy.source, Source::PredInfer) {
            let branches = self.all_branches(run).into_iter().collect();
            self.trace_eliminate.prepare(&self.pool, &branches);
        }
        let known = self.seen.iter().position(|seen| seen.path == refuted.path);
        let tau = match known.filter(|&tau| !self.seen[tau].eliminating.is_empty()) {
            Some(tau) => tau,
            None => {
                let sets = self.eliminating_sets(run, refuted, proposal)?;
                if sets.is_empty() {
                    return Ok(Kept::No);
                }
                sets.into_iter().for_each(|set| self.remember(refuted, set));
                known.unwrap_or(self.seen.len() - 1)
            }
        };
        if matches!(self.phase, Phase::Sampling) {
            let Some(chosen) = self.minimum_of_known(run)? else { return Ok(Kept::No) };
            self.samples = if chosen.len() > self.chosen.len() { 0 } else { self.samples + 1 };
            self.chosen = chosen;
            if self.samples >= self.strategy.patience {
                self.phase = Phase::Growing;
            }
        } else {
            self.grow(tau);
        }
        Ok(Kept::Yes)
    }

    /// Chooses a set that eliminates the path of `refuted` and all before it, and is smaller than a sufficient one.
    fn keep_smaller(
        &mut self,
        run: &mut Run<'_, S>,
        refuted: &Refuted<'_, S::Edge>,
        mut sufficient: Sufficient,
    ) -> Result<Kept, Interrupted> {
        if self.seen.iter().all(|seen| seen.path != refuted.path) {
            self.seen.push(Seen { path: refuted.path.clone(), eliminating: Vec::new(), failing: Vec::new() });
        }
        let smaller = self.smaller_after(run, refuted, &mut sufficient);
        self.phase = Phase::Shrinking(sufficient);
        Ok(match smaller? {
            Some(smaller) => {
                self.chosen = smaller;
                Kept::Yes
            }
            None => Kept::Enough,
        })
    }

    fn smaller_after(
        &mut self,
        run: &mut Run<'_, S>,
        refuted: &Refuted<'_, S::Edge>,
        sufficient: &mut Sufficient,
    ) -> Result<Option<BTreeSet<CandidateId>>, Interrupted> {
        let mut chosen = self.chosen.clone();
        let eliminated = self.extend(run, &mut sufficient.bound, &refuted.path, &mut chosen)?;
        let practical = !sufficient.is_wide || self.trace_eliminate.is_prepared();
        if !eliminated || !practical || run.budget.is_half_spent() {
            return Ok(None);
        }
        if chosen.len() < sufficient.set.len() {
            return Ok(Some(chosen));
        }
        self.smaller(run, sufficient)
    }

    /// A set that eliminates all paths so far and is smaller than a sufficient one: a smallest subset of the first
    /// sufficient set, and when no subset is left to try, a smallest of all branches.
    fn smaller(
        &mut self,
        run: &mut Run<'_, S>,
        sufficient: &mut Sufficient,
    ) -> Result<Option<BTreeSet<CandidateId>>, Interrupted> {
        let below = sufficient.set.len();
        let smaller = self.least(run, &mut sufficient.bound, below)?;
        if smaller.is_some() {
            return Ok(smaller);
        }
        let universe = self.universe(run, &sufficient.set);
        if universe.is_subset(&sufficient.bound.universe) || !self.trace_eliminate.is_prepared() {
            return Ok(None);
        }
        sufficient.bound = Bound::new(universe);
        sufficient.is_wide = true;
        self.least(run, &mut sufficient.bound, below)
    }

    /// All that there is to choose from when a set is known to be sufficient.
    fn universe(
        &mut self,
        run: &mut Run<'_, S>,
        sufficient: &BTreeSet<CandidateId>,
    ) -> BTreeSet<CandidateId> {
        let mut universe: BTreeSet<CandidateId> = self.all_branches(run).into_iter().collect();
        universe.extend(sufficient);
        self.trace_eliminate.prepare(&self.pool, &universe);
        universe
    }

    /// How many branches a proof takes at least, if branches are enough for one, as far as that is known.
    pub fn at_least(&self) -> usize {
        match &self.phase {
            Phase::Shrinking(Sufficient { set, bound, .. }) if self.branches() == set.len() => {
                let mut branches = self.branches.iter().flatten().map(|(_, by)| by);
                if branches.all(|by| bound.universe.contains(by)) { bound.at_least } else { 0 }
            }
            _ => 0,
        }
    }

    /// Takes note of a proof with the predicates in use. Gives the proof back if it is the last, and otherwise changes
    /// the predicates so that there are fewer.
    pub fn proved(
        &mut self,
        run: &mut Run<'_, S>,
        proof: Invariants,
    ) -> Result<Option<Invariants>, Interrupted> {
        if self.strategy.keep != Keep::Minimize {
            return Ok(Some(proof));
        }
        let set = self.chosen.clone();
        let (bound, is_wide) = match std::mem::take(&mut self.phase) {
            Phase::Sampling | Phase::Growing => {
                self.universe(run, &set);
                (Bound::new(set.clone()), false)
            }
            Phase::Shrinking(last) => (last.bound, last.is_wide),
        };
        let mut sufficient = Sufficient { set, proof, bound, is_wide };
        let smaller = self.smaller(run, &mut sufficient);
        self.phase = Phase::Shrinking(sufficient);
        if let Some(smaller) = smaller? {
            self.chosen = smaller;
            self.apply(run)?;
            return Ok(None);
        }
        Ok(self.best_proof(run))
    }

    /// The proof with the fewest predicates, if there is one; it is theirs that are in use again.
    pub fn best_proof(&mut self, run: &mut Run<'_, S>) -> Option<Invariants> {
        let Phase::Shrinking(sufficient) = &mut self.phase else { return None };
        let proof = std::mem::take(&mut sufficient.proof);
        self.chosen = sufficient.set.clone();
        self.apply(run).ok().map(|()| proof)
    }

    /// Adds the set, of those that eliminate a path, that adds the fewest. Of several it is the first: those that the
    /// end of the path is about come first.
    fn grow(&mut self, tau: usize) {
        let new = |set: &&BTreeSet<CandidateId>| set.difference(&self.chosen).count();
        let best = self.seen[tau].eliminating.iter().min_by_key(new).cloned();
        self.chosen.extend(best.unwrap_or_default());
    }

    /// A smallest set, among those known, that eliminates all paths: the smallest assignment of σ.
    fn minimum_of_known(&self, run: &Run<'_, S>) -> Result<Option<BTreeSet<CandidateId>>, Interrupted> {
        let eliminating: Vec<Vec<&BTreeSet<CandidateId>>> =
            self.seen.iter().map(|seen| seen.eliminating.iter().collect()).collect();
        Ok(minimum(run.budget, &eliminating)?)
    }
}
