//! How few candidates can do? A lower bound, and the sets that meet it.
//!
//! [MIN] section 3.2 derives σ from the sets that eliminate each path, which takes as many attempts as there are
//! combinations. The same minimum follows from sets that do not: more predicates eliminate no less, so a set that fails
//! on a path can be widened until no further member lets it fail, and what eliminates all paths has one of the members
//! that are left out. Those are clauses over the candidates. A smallest set with a member in each is no larger than a
//! minimum, and if it eliminates all paths it is one; otherwise the path that it fails on gives the next clause.

use super::proposal::CandidateId;
use super::pseudo_boolean::minimum;
use super::{Path, Refinement};
use crate::cegar::Run;
use crate::system::System;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use tamis_paq::Interrupted;

/// What every set that eliminates the paths so far has a member of.
#[derive(Default)]
pub(super) struct Bound {
    /// The candidates that there are to choose from.
    pub universe: BTreeSet<CandidateId>,
    /// Of each, a sufficient set has a member.
    clauses: Vec<BTreeSet<CandidateId>>,
    /// How many sets of the size of the last one there were.
    samples: usize,
    size: usize,
    /// How many members a sufficient set has at least.
    pub at_least: usize,
}

impl Bound {
    /// Without a clause.
    pub fn new(universe: BTreeSet<CandidateId>) -> Bound {
        Bound { universe, ..Bound::default() }
    }

    /// Counts a set of a size; `false` if there have been too many of it.
    fn sample(&mut self, size: usize, patience: usize) -> bool {
        self.samples = if size > self.size { 1 } else { self.samples + 1 };
        self.size = size;
        self.samples <= patience
    }

    /// The candidates, those first that occur in the most clauses.
    fn by_frequency(&self, candidates: impl Iterator<Item = CandidateId>) -> Vec<CandidateId> {
        let mut frequency: FxHashMap<CandidateId, usize> = FxHashMap::default();
        self.clauses.iter().flatten().for_each(|&id| *frequency.entry(id).or_default() += 1);
        let mut ordered: Vec<CandidateId> = candidates.collect();
        ordered.sort_by_key(|id| (Reverse(frequency.get(id).copied().unwrap_or(0)), *id));
        ordered
    }
}

impl<S: System> Refinement<S> {
    /// A smallest set of the bound's universe that eliminates all paths so far, if it has fewer than `below` members and
    /// patience lasts.
    pub(super) fn least(
        &mut self,
        run: &mut Run<'_, S>,
        bound: &mut Bound,
        below: usize,
    ) -> Result<Option<BTreeSet<CandidateId>>, Interrupted> {
        while !run.budget.is_half_spent() {
            run.budget.check()?;
            let clauses: Vec<Vec<BTreeSet<CandidateId>>> =
                bound.clauses.iter().map(|c| c.iter().map(|&id| BTreeSet::from([id])).collect()).collect();
            let clauses: Vec<Vec<&BTreeSet<CandidateId>>> =
                clauses.iter().map(|clause| clause.iter().collect()).collect();
            let Some(least) = minimum(run.budget, &clauses)? else { return Ok(None) };
            bound.at_least = least.len();
            if least.len() >= below {
                return Ok(None);
            }
            // What is found against a path rules out the more sets, the less it has in common with what was found
            // against those before it.
            let known = bound.clauses.len();
            let mut more = least.clone();
            for tau in (0..self.seen.len()).rev() {
                if run.budget.is_half_spent() {
                    return Ok(None);
                }
                if !self.eliminates_seen(run, tau, &more)? {
                    let path = self.seen[tau].path.clone();
                    let clause = self.clause(run, bound, &path, &more)?;
                    more.extend(clause);
                }
            }
            if bound.clauses.len() == known {
                return Ok(bound.sample(least.len(), self.strategy.patience).then_some(least));
            }
        }
        Ok(None)
    }

    /// Adds to `set`, which fails on a path, what makes it eliminate the path, and the path to the bound; `false` if the
    /// whole universe fails.
    pub(super) fn extend(
        &mut self,
        run: &mut Run<'_, S>,
        bound: &mut Bound,
        path: &Path<S::Edge>,
        set: &mut BTreeSet<CandidateId>,
    ) -> Result<bool, Interrupted> {
        let clause = self.clause(run, bound, path, set)?;
        let Some(&first) = clause.first() else { return Ok(false) };
        for &id in &clause {
            set.insert(id);
            if self.eliminates(run, path, set)? {
                return Ok(true);
            }
            set.remove(&id);
        }
        // Any member of the clause does with all that is not in it.
        let mut wide: BTreeSet<CandidateId> =
            bound.universe.iter().copied().filter(|id| !clause.contains(id)).collect();
        wide.insert(first);
        let eliminating = self.trace_eliminate.eliminating(run, path, &self.pool, &wide)?;
        set.extend(eliminating.unwrap_or(wide));
        Ok(true)
    }

    /// Widens `set`, which fails on a path, to a set that nothing can be added to; what is not in it is the clause.
    fn clause(
        &mut self,
        run: &mut Run<'_, S>,
        bound: &mut Bound,
        path: &Path<S::Edge>,
        set: &BTreeSet<CandidateId>,
    ) -> Result<Vec<CandidateId>, Interrupted> {
        let mut failing = set.clone();
        let others = bound.by_frequency(bound.universe.difference(set).copied());
        let mut clause = Vec::new();
        // Most of them can be added together.
        let mut pending: Vec<&[CandidateId]> = vec![&others];
        while let Some(some) = pending.pop() {
            let with: BTreeSet<CandidateId> = failing.iter().chain(some).copied().collect();
            if !self.eliminates(run, path, &with)? {
                failing = with;
            } else if let [one] = some {
                clause.push(*one);
            } else {
                let (first, second) = some.split_at(some.len() / 2);
                pending.extend([second, first]);
            }
        }
        bound.clauses.push(clause.iter().copied().collect());
        Ok(bound.by_frequency(clause.into_iter()))
    }
}
