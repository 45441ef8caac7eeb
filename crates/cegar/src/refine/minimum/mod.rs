//! *Sample-and-Eliminate*: \[MIN\] section 3, Fig. 5.
//!
//! The figure's loop is the one of all strategies, [`Run::iterate`](crate::cegar::Run). Line by line:
//!
//! | Fig. 5 | here |
//! | --- | --- |
//! | `T := ∅`, `P := ∅` | [`Refinement::new`] |
//! | if `MC(A(Π, P), φ)` is TRUE return TRUE | the exploration; then [`Refinement::proved`], which may ask for fewer |
//! | if `TC(τ)` is TRUE return FALSE | the trace check |
//! | if `P` is the set of all branches return UNKNOWN | never: what branches do not eliminate, other predicates do |
//! | `T := T ∪ {τ}` | `add_trace`, with the first step of section 3.2 ([`combinations`]) |
//! | `P :=` minimal set of branches that eliminates all of `T` | `minimal_set`, the second and third step ([`pseudo_boolean`]) |
//!
//! The paper samples with a minimum at every iteration. Where short paths are spurious for many reasons, minima of one
//! size can take hundreds of samples to tell apart, each of which rules out little more than itself. So after
//! [`patience`](crate::RefinementStrategy::patience) minima of one size the set is only added to, as monotone refinement
//! does, though by what eliminates the most paths, until it proves the property: that is a sufficient set. From there on
//! smaller ones are looked for ([`shrink`]).
//!
//! With lazy abstraction the paths are those of the tree, parts of which may still be abstracted by predicates that
//! have since been exchanged for others. That is sound, and a path that comes back through such a part meets the
//! predicates of now when it is built again.

mod bound;
mod combinations;
mod pseudo_boolean;
mod shrink;

pub use combinations::CombinationCounts;

use super::proposal::CandidateId;
use super::{Proposal, Refinement, Refuted};
use crate::cegar::Run;
use crate::strategy::Source;
use pseudo_boolean::minimum;
use shrink::Sufficient;
use std::collections::BTreeSet;
use tamis_paq::Interrupted;
use tamis_system::System;

/// How far the minimisation is.
#[derive(Default)]
pub enum Phase {
    /// A minimum of all candidates at each iteration.
    #[default]
    Sampling,
    /// Candidates are added until the property is proved.
    Growing,
    /// Sets smaller than a sufficient one.
    Shrinking(Sufficient),
}

/// What is kept after a trace.
pub enum Kept {
    /// The choice eliminates it.
    Yes,
    /// Nothing does that was proposed.
    No,
    /// No more attempts are made to do with less.
    Enough,
}

impl<S: System> Refinement<S> {
    /// The end of an iteration of Fig. 5: chooses a set that eliminates the trace of `refuted` and all before it.
    pub(super) fn sample_and_eliminate(
        &mut self,
        run: &mut Run<'_, S>,
        refuted: &Refuted<'_, S::Edge>,
        proposal: &Proposal,
    ) -> Result<Kept, Interrupted> {
        self.phase = match std::mem::take(&mut self.phase) {
            Phase::Shrinking(sufficient) => return self.keep_smaller(run, refuted, sufficient),
            earlier => earlier,
        };
        // T := T ∪ {τ}
        let Some(tau) = self.add_trace(run, refuted, proposal)? else { return Ok(Kept::No) };
        // P := minimal set of branches that eliminates all elements of T
        match self.phase {
            Phase::Sampling => {
                let Some(p) = self.minimal_set(run)? else { return Ok(Kept::No) };
                self.sample(p);
            }
            Phase::Growing | Phase::Shrinking(_) => self.grow(tau),
        }
        Ok(Kept::Yes)
    }

    /// Adds a trace to `T`, with sets `s(τ, i)` that eliminate it; `None` if there are none.
    fn add_trace(
        &mut self,
        run: &mut Run<'_, S>,
        refuted: &Refuted<'_, S::Edge>,
        proposal: &Proposal,
    ) -> Result<Option<usize>, Interrupted> {
        if matches!(self.strategy.source, Source::PredInfer) {
            let branches = self.all_branches(run).into_iter().collect();
            self.trace_eliminate.prepare(&self.pool, &branches);
        }
        let known = self.seen.iter().position(|seen| seen.path == refuted.path);
        if known.is_some_and(|tau| !self.seen[tau].eliminating.is_empty()) {
            return Ok(known);
        }
        let sets = self.eliminating_sets(run, refuted, proposal)?;
        if sets.is_empty() {
            return Ok(None);
        }
        sets.into_iter().for_each(|set| self.remember(refuted, set));
        Ok(Some(known.unwrap_or(self.seen.len() - 1)))
    }

    /// A smallest set, among those known, that eliminates all of `T`: the smallest assignment of σ.
    fn minimal_set(&self, run: &Run<'_, S>) -> Result<Option<BTreeSet<CandidateId>>, Interrupted> {
        let eliminating: Vec<Vec<&BTreeSet<CandidateId>>> =
            self.seen.iter().map(|seen| seen.eliminating.iter().collect()).collect();
        Ok(minimum(run.budget, &eliminating)?)
    }

    /// Takes a minimum, and counts how many of one size there have been.
    fn sample(&mut self, p: BTreeSet<CandidateId>) {
        self.samples = if p.len() > self.chosen.len() { 0 } else { self.samples + 1 };
        self.chosen = p;
        if self.samples >= self.strategy.patience {
            self.phase = Phase::Growing;
        }
    }

    /// Adds the set, of those that eliminate a trace, that adds the fewest. Of several it is the first: those that the
    /// end of the path is about come first.
    fn grow(&mut self, tau: usize) {
        let new = |set: &&BTreeSet<CandidateId>| set.difference(&self.chosen).count();
        let best = self.seen[tau].eliminating.iter().min_by_key(new).cloned();
        self.chosen.extend(best.unwrap_or_default());
    }
}
