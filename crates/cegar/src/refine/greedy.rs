//! Greedy predicate minimisation: [MIN] Fig. 6.

use super::proposal::CandidateId;
use super::{Proposal, Refinement, Refuted, Seen};
use crate::cegar::Run;
use std::collections::BTreeSet;
use tamis_paq::Interrupted;
use tamis_system::System;

impl<S: System> Refinement<S> {
    /// Adds the proposal and then drops what is not needed.
    pub(super) fn keep_greedily(
        &mut self,
        run: &mut Run<'_, S>,
        refuted: &Refuted<'_, S::Edge>,
        proposal: &Proposal,
    ) -> Result<bool, Interrupted> {
        let Some(sufficient) = self.sufficient(run, &refuted.path, proposal)? else { return Ok(false) };
        self.remember(refuted, sufficient.clone());
        self.chosen = self.reduce(run, sufficient)?;
        Ok(true)
    }

    /// The procedure of Fig. 6: drops a candidate without which every spurious path so far is still eliminated, and
    /// starts again in another random order, until there is none.
    pub(super) fn reduce(
        &mut self,
        run: &mut Run<'_, S>,
        mut p: BTreeSet<CandidateId>,
    ) -> Result<BTreeSet<CandidateId>, Interrupted> {
        'LOOP: loop {
            let mut order: Vec<CandidateId> = p.iter().copied().collect();
            self.shuffle(&mut order);
            for p_i in order {
                let mut x = p.clone();
                x.remove(&p_i);
                if self.eliminates_all(run, &x)? {
                    p = x;
                    continue 'LOOP;
                }
            }
            return Ok(p);
        }
    }

    /// Puts a path into `T`, with a set that eliminates it.
    pub(super) fn remember(&mut self, refuted: &Refuted<'_, S::Edge>, eliminating: BTreeSet<CandidateId>) {
        match self.seen.iter_mut().find(|seen| seen.path == refuted.path) {
            Some(seen) if seen.eliminating.contains(&eliminating) => {}
            Some(seen) => seen.eliminating.push(eliminating),
            None => self.seen.push(Seen {
                path: refuted.path.clone(),
                eliminating: vec![eliminating],
                failing: Vec::new(),
            }),
        }
    }

    pub(super) fn eliminates_all(
        &mut self,
        run: &mut Run<'_, S>,
        x: &BTreeSet<CandidateId>,
    ) -> Result<bool, Interrupted> {
        // The latest first: what is dropped is most often needed for what was just seen.
        for tau in (0..self.seen.len()).rev() {
            if !self.eliminates_seen(run, tau, x)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether `x` eliminates a path of `T`. More predicates eliminate no less, so supersets and subsets of what has
    /// been tried need not be.
    pub(super) fn eliminates_seen(
        &mut self,
        run: &mut Run<'_, S>,
        tau: usize,
        x: &BTreeSet<CandidateId>,
    ) -> Result<bool, Interrupted> {
        let seen = &self.seen[tau];
        if seen.eliminating.iter().any(|set| set.is_subset(x)) {
            return Ok(true);
        }
        if seen.failing.iter().any(|set| x.is_subset(set)) {
            return Ok(false);
        }
        let eliminating = self.trace_eliminate.eliminating(run, &seen.path, &self.pool, x)?;
        let seen = &mut self.seen[tau];
        let eliminated = eliminating.is_some();
        match eliminating {
            Some(set) => seen.eliminating.push(set),
            None if seen.failing.len() < MAX_FAILING => seen.failing.push(x.clone()),
            None => {}
        }
        Ok(eliminated)
    }

    fn shuffle(&mut self, order: &mut [CandidateId]) {
        for i in (1..order.len()).rev() {
            self.random ^= self.random >> 12;
            self.random ^= self.random << 25;
            self.random ^= self.random >> 27;
            let j = (self.random.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % (i + 1);
            order.swap(i, j);
        }
    }
}

/// The most sets remembered, for one path, that do not eliminate it.
const MAX_FAILING: usize = 256;
