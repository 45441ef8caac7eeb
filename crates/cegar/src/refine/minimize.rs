//! The last line of *Sample-and-Eliminate*: a minimum set that eliminates every spurious path so far. [MIN] section 3,
//! Fig. 5.
//!
//! The paper samples with a minimum at every iteration. Where short paths are spurious for many reasons, minima of one
//! size can take hundreds of samples to tell apart, each of which rules out little more than itself. So after
//! [`patience`](crate::RefinementStrategy::patience) minima of one size the set is only added to, as monotone refinement
//! does, though by what eliminates the most paths, until it proves the property: that is a sufficient set. From there on
//! the samples are minima among its subsets, less what no path so far needs, until one proves the property too. What
//! comes out is a minimum of all branches if patience lasts, and otherwise of a sufficient set.
//!
//! With lazy abstraction the paths are those of the tree, parts of which may still be abstracted by predicates that
//! have since been exchanged for others. That is sound, and a path that comes back through such a part meets the
//! predicates of now when it is built again.

use super::proposal::CandidateId;
use super::pseudo_boolean::minimum;
use super::{Proposal, Refinement, Refuted};
use crate::cegar::Run;
use crate::strategy::Keep;
use crate::system::System;
use std::collections::BTreeSet;
use tamis_logic::Term;
use tamis_paq::Interrupted;

/// How far the minimisation is.
#[derive(Default)]
pub(super) enum Phase {
    /// A minimum of all candidates at each iteration.
    #[default]
    Sampling,
    /// Candidates are added until the property is proved.
    Growing,
    /// Subsets of a sufficient set.
    Shrinking(Sufficient),
}

/// A set with which the property was proved.
pub(super) struct Sufficient {
    set: BTreeSet<CandidateId>,
    /// The invariants that it gave.
    proof: Vec<Term>,
    /// Members without which it would not do.
    needed: BTreeSet<CandidateId>,
    /// How many minima of its subsets did not do.
    failed_minima: usize,
    /// How many abstract states may have been seen when the search for smaller ones ends.
    until: usize,
}

/// After so many minima of a sufficient set's subsets that do not do, its members are tried one by one.
const MAX_FAILED_MINIMA: usize = 8;

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
        if let Phase::Shrinking(sufficient) = &mut self.phase {
            if run.work > sufficient.until || run.budget.is_half_spent() {
                return Ok(Kept::Enough);
            }
            sufficient.failed_minima += 1;
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
        match &self.phase {
            Phase::Sampling => {
                let Some(chosen) = self.minimum_within(run, None)? else { return Ok(Kept::No) };
                self.samples = if chosen.len() > self.chosen.len() { 0 } else { self.samples + 1 };
                self.chosen = chosen;
                if self.samples >= self.strategy.patience {
                    self.phase = Phase::Growing;
                }
            }
            Phase::Growing => self.grow(tau),
            Phase::Shrinking(sufficient) => {
                let set = sufficient.set.clone();
                // No subset of the sufficient set need be among those that were found.
                if !self.seen[tau].eliminating.iter().any(|known| known.is_subset(&set)) {
                    if !self.eliminates(run, &refuted.path, &set)? {
                        return Ok(Kept::Enough);
                    }
                    let needed = self.needed(run, &refuted.path, set.clone())?;
                    self.remember(refuted, needed);
                }
                if !self.shrink(run)? {
                    return Ok(Kept::Enough);
                }
            }
        }
        Ok(Kept::Yes)
    }

    /// Takes note of a proof with the predicates in use. Gives the proof back if it is the last, and otherwise changes
    /// the predicates so that there are fewer.
    pub fn proved(
        &mut self,
        run: &mut Run<'_, S>,
        proof: Vec<Term>,
    ) -> Result<Option<Vec<Term>>, Interrupted> {
        if self.strategy.keep != Keep::Minimize {
            return Ok(Some(proof));
        }
        let (needed, failed_minima, until) = match &mut self.phase {
            Phase::Sampling | Phase::Growing => (BTreeSet::new(), 0, run.work + run.work / 2),
            Phase::Shrinking(last) => (std::mem::take(&mut last.needed), last.failed_minima, last.until),
        };
        let set = self.chosen.clone();
        self.phase = Phase::Shrinking(Sufficient { set, proof, needed, failed_minima, until });
        if !run.budget.is_half_spent() && self.shrink(run)? {
            self.apply(run)?;
            return Ok(None);
        }
        Ok(self.best_proof(run))
    }

    /// The proof with the fewest predicates, if there is one; it is theirs that are in use again.
    pub fn best_proof(&mut self, run: &mut Run<'_, S>) -> Option<Vec<Term>> {
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

    /// Chooses a proper subset of the sufficient set that eliminates all paths; `false` if there is none left to try.
    /// At first that is a minimum; if minima keep failing it is the set without one of its members, since a member
    /// without which the set does not do is needed in every subset too.
    fn shrink(&mut self, run: &mut Run<'_, S>) -> Result<bool, Interrupted> {
        let Phase::Shrinking(Sufficient { set, needed, failed_minima, .. }) = &self.phase else {
            return Ok(false);
        };
        let set = set.clone();
        if *failed_minima < MAX_FAILED_MINIMA {
            let Some(least) = self.minimum_within(run, Some(&set))? else { return Ok(false) };
            let least = self.reduce(run, least)?;
            let smaller = least.len() < set.len();
            self.chosen = least;
            return Ok(smaller);
        }
        for id in set.difference(&needed.clone()) {
            let mut without = set.clone();
            without.remove(id);
            if self.eliminates_all(run, &without)? {
                self.chosen = without;
                return Ok(true);
            }
            if let Phase::Shrinking(sufficient) = &mut self.phase {
                sufficient.needed.insert(*id);
            }
        }
        Ok(false)
    }

    /// A smallest set, among those known, that eliminates all paths, of the members of `within` only.
    fn minimum_within(
        &self,
        run: &Run<'_, S>,
        within: Option<&BTreeSet<CandidateId>>,
    ) -> Result<Option<BTreeSet<CandidateId>>, Interrupted> {
        let inside = |set: &&BTreeSet<CandidateId>| within.is_none_or(|within| set.is_subset(within));
        let eliminating: Vec<Vec<&BTreeSet<CandidateId>>> =
            self.seen.iter().map(|seen| seen.eliminating.iter().filter(inside).collect()).collect();
        Ok(minimum(run.budget, &eliminating)?)
    }
}
