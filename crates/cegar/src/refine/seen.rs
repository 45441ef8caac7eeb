//! `T`: the spurious paths seen so far, and the sets that eliminate them.

use super::path::Path;
use super::proposal::CandidateId;
use super::trace_eliminate::TraceEliminate;
use super::{Refinement, Refuted};
use crate::cegar::Run;
use std::collections::BTreeSet;
use tamis_paq::Interrupted;
use tamis_system::System;

/// A spurious path, and what is known of the sets that eliminate it.
pub struct Seen<E> {
    pub path: Path<E>,
    /// `s(τ, i)`: sets that do.
    pub eliminating: Vec<BTreeSet<CandidateId>>,
    /// Sets that do not.
    pub failing: Vec<BTreeSet<CandidateId>>,
}

/// The most sets remembered, for one path, that do not eliminate it.
const MAX_FAILING: usize = 256;

impl<S: System> Refinement<S> {
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

    /// Whether `x` eliminates every path of `T`.
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
}
