//! The first step of the minimisation: for a trace, sets of candidates that eliminate it. \[MIN\] section 3.2.
//!
//! Of the paper's five ways to cut the combinations down, four are options of the strategy: the size and number of
//! combinations, an end at the smallest size that does it, combinations within one part of the program, and of related
//! predicates. The fifth, to leave out supersets, loses nothing and is always done.

use crate::cegar::Run;
use crate::refine::proposal::{CandidateId, Origin};
use crate::refine::{Path, Proposal, Refinement, Refuted};
use crate::strategy::{RefinementStrategy, Source};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tamis_logic::Term;
use tamis_paq::Interrupted;
use tamis_system::{BranchId, Point, System};

/// What the search for combinations has done, over all traces: the columns of \[MIN\] Fig. 8 and 9.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CombinationCounts {
    /// Combinations tried.
    pub tried: usize,
    /// The size of the largest one tried: MT.
    pub largest_tried: usize,
    /// Combinations that eliminate their trace: TG.
    pub eliminating: usize,
    /// The size of the largest one of those: MG.
    pub largest_eliminating: usize,
}

impl<S: System> Refinement<S> {
    /// Sets of candidates that eliminate the path, by going through combinations in the order of their size, within the
    /// limits of the strategy. If no combination does, a subset of what is chosen and proposed does from which nothing
    /// can be left out, unless even all of it does not.
    pub(super) fn eliminating_sets(
        &mut self,
        run: &mut Run<'_, S>,
        refuted: &Refuted<'_, S::Edge>,
        proposal: &Proposal,
    ) -> Result<Vec<BTreeSet<CandidateId>>, Interrupted> {
        let candidates = self.combined(run, refuted, proposal);
        let mut search = Combinations { tried: 0, found: Vec::new() };
        let largest = self.strategy.max_size.min(candidates.len());
        for size in 1..=largest {
            self.try_size(run, &refuted.path, &candidates, size, &mut search)?;
            let stop = self.strategy.stop_at_size && !search.found.is_empty();
            if stop || search.exhausted(&self.strategy) {
                break;
            }
        }
        if !search.found.is_empty() {
            return Ok(search.found);
        }
        let Some(sufficient) = self.sufficient(run, &refuted.path, proposal)? else { return Ok(Vec::new()) };
        let needed = self.needed(run, &refuted.path, sufficient)?;
        self.counts.found(needed.len());
        Ok(vec![needed])
    }

    /// Of a set that eliminates the path, a subset that does from which nothing can be left out.
    fn needed(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        sufficient: BTreeSet<CandidateId>,
    ) -> Result<BTreeSet<CandidateId>, Interrupted> {
        let mut needed = sufficient.clone();
        for id in sufficient {
            needed.remove(&id);
            if !self.eliminates(run, path, &needed)? {
                needed.insert(id);
            }
        }
        Ok(needed)
    }

    /// The candidates that are combined: what is proposed, what has been chosen before, and all branches if branches are
    /// what is proposed; of these only such that say something at a point of the path, and if so wanted something of
    /// the data that the core is about.
    fn combined(
        &mut self,
        run: &mut Run<'_, S>,
        refuted: &Refuted<'_, S::Edge>,
        proposal: &Proposal,
    ) -> Vec<CandidateId> {
        let mut candidates = proposal.candidates.clone();
        candidates.extend(self.chosen.iter().copied());
        if proposal.one_by_one {
            candidates.extend(self.all_branches(run));
        }
        let mut once = FxHashSet::default();
        candidates.retain(|&id| once.insert(id));
        let data = self.related_data(run, refuted);
        let related = |id: &CandidateId| {
            self.pool.get(*id).predicates.iter().any(|(point, p)| {
                data.get(point).is_some_and(|data| {
                    !self.strategy.related_only || run.terms.free_vars(*p).iter().any(|v| data.contains(v))
                })
            })
        };
        candidates.retain(related);
        candidates
    }

    /// All branches as candidates if they are what the strategy takes predicates from; no more than attempts, since sets
    /// of one are tried before larger ones. Those whose predicates are all among another's are left out: where they are
    /// of use the other is.
    pub(in crate::refine) fn all_branches(&mut self, run: &mut Run<'_, S>) -> Vec<CandidateId> {
        if self.strategy.source != Source::PredInfer {
            return Vec::new();
        }
        if self.branches.is_none() {
            let Some(branching) = run.abstraction.system.branching() else { return Vec::new() };
            let branches = (0..branching.branches() as u32).map(BranchId).take(self.strategy.max_sub);
            let limit = self.strategy.inference_limit;
            let all: Vec<CandidateId> =
                branches.map(|b| self.pool.branch(run.terms, branching, b, limit)).collect();
            self.branches = Some(self.pool.dominating(&all));
        }
        let dominating = self.branches.iter().flatten();
        dominating.filter(|(id, by)| id == by).map(|&(id, _)| id).collect()
    }

    /// At each point of the path, the variables that the core's later guards read, in the state there.
    fn related_data(
        &self,
        run: &mut Run<'_, S>,
        refuted: &Refuted<'_, S::Edge>,
    ) -> FxHashMap<Point, FxHashSet<Term>> {
        let Refuted { path, core, .. } = refuted;
        let mut data: FxHashMap<Point, FxHashSet<Term>> = FxHashMap::default();
        for &(position, point) in &path.cuts {
            let rest = core.rest(run.terms, run.abstraction.system, path, position);
            let guards: Vec<Term> = rest.terms().collect();
            data.entry(point).or_default().extend(run.terms.free_vars_of(&guards));
        }
        data
    }

    /// Tries the combinations of one size, in the order of the candidates.
    fn try_size(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        candidates: &[CandidateId],
        size: usize,
        search: &mut Combinations,
    ) -> Result<(), Interrupted> {
        let mut places: Vec<usize> = (0..size).collect();
        loop {
            if search.exhausted(&self.strategy) {
                return Ok(());
            }
            let set: BTreeSet<CandidateId> = places.iter().map(|&i| candidates[i]).collect();
            // Supersets of what eliminates the path are of no use for a minimum.
            let superset = search.found.iter().any(|smaller| smaller.is_subset(&set));
            if !superset && let Some(set) = self.in_blocks(run, set) {
                search.tried += 1;
                self.counts.tried += 1;
                self.counts.largest_tried = self.counts.largest_tried.max(set.len());
                if self.eliminates(run, path, &set)? {
                    self.counts.found(set.len());
                    search.found.push(set);
                }
            }
            // The next combination in lexicographic order.
            let Some(i) = (0..size).rev().find(|&i| places[i] + size - i < candidates.len()) else {
                return Ok(());
            };
            places[i] += 1;
            for j in i + 1..size {
                places[j] = places[j - 1] + 1;
            }
        }
    }

    /// A combination, with the choice that stays in the other parts of the system; `None` if it is not of one part
    /// where it has to be.
    fn in_blocks(&self, run: &Run<'_, S>, mut set: BTreeSet<CandidateId>) -> Option<BTreeSet<CandidateId>> {
        if !self.strategy.within_blocks {
            return Some(set);
        }
        let part = |&id: &CandidateId| match self.pool.get(id).origin {
            Origin::Branch(b) => run.abstraction.system.branching().map(|branching| branching.part_of(b)),
            Origin::Located(..) => None,
        };
        let parts: BTreeSet<Option<usize>> = set.iter().map(part).collect();
        if parts.len() > 1 {
            return None;
        }
        set.extend(self.chosen.iter().filter(|id| !parts.contains(&part(id))));
        Some(set)
    }
}

struct Combinations {
    tried: usize,
    found: Vec<BTreeSet<CandidateId>>,
}

impl Combinations {
    fn exhausted(&self, strategy: &RefinementStrategy) -> bool {
        self.tried >= strategy.max_sub || self.found.len() >= strategy.max_elm
    }
}

impl CombinationCounts {
    fn found(&mut self, size: usize) {
        self.eliminating += 1;
        self.largest_eliminating = self.largest_eliminating.max(size);
    }
}
