//! Greedy predicate minimisation: \[MIN\] Fig. 6.

use super::proposal::CandidateId;
use super::{Proposal, Refinement, Refuted};
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
