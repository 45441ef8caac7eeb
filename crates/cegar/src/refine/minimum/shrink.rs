//! Smaller sets than one that suffices, when the property has been proved.
//!
//! A smallest set that eliminates all paths is added to, as long as it stays smaller than the sufficient one, and then a
//! smallest one is looked for again, now that more paths are known: the [`bound`](super::bound) rises, the sufficient set
//! becomes smaller, and where they meet the sufficient set is a minimum of all branches.

use super::bound::Bound;
use super::{Kept, Phase};
use crate::cegar::Run;
use crate::refine::proposal::CandidateId;
use crate::refine::{Refinement, Refuted, Seen};
use crate::strategy::Keep;
use std::collections::BTreeSet;
use tamis_paq::Interrupted;
use tamis_system::{Invariants, System};

/// A set with which the property was proved.
pub struct Sufficient {
    set: BTreeSet<CandidateId>,
    /// The invariants that it gave.
    proof: Invariants,
    /// What smaller ones have members of.
    bound: Bound,
    /// Whether those are no longer of the first sufficient set only.
    is_wide: bool,
}

impl<S: System> Refinement<S> {
    /// Chooses a set that eliminates the path of `refuted` and all before it, and is smaller than a sufficient one.
    pub(super) fn keep_smaller(
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
}
