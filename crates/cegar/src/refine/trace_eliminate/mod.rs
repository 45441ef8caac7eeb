//! *TraceEliminate*: do predicates eliminate a trace? \[MIN\] section 2.4, Fig. 4.
//!
//! The paper computes the abstract states along the trace: [`TraceImages`]. Where very many sets of the same candidates are
//! asked about, relations over all of them answer for each: [`TraceRelations`]. With an exact abstraction one
//! satisfiability question answers as well: [`TraceAgreement`]. All three agree where all can be asked, and [`Eliminator`]
//! asks the one that is likely to be the fastest.

mod agreement;
mod images;
mod relations;

use super::path::Path;
use super::proposal::{CandidateId, Pool};
use crate::cegar::Run;
use agreement::TraceAgreement;
use images::TraceImages;
use relations::TraceRelations;
use std::collections::BTreeSet;
use tamis_logic::{Model, Term};
use tamis_paq::Interrupted;
use tamis_system::System;

/// A way to decide whether predicates eliminate a trace.
pub trait TraceEliminate<S: System> {
    /// Whether the abstract model with the predicates of `chosen` has no trace along `path`.
    fn eliminates(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        pool: &Pool,
        chosen: &BTreeSet<CandidateId>,
    ) -> Result<bool, Interrupted> {
        Ok(self.eliminating(run, path, pool, chosen)?.is_some())
    }

    /// Those of `chosen` by which the abstract model has no trace along `path`, if it has none; all of them where it is
    /// not known which.
    fn eliminating(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        pool: &Pool,
        chosen: &BTreeSet<CandidateId>,
    ) -> Result<Option<BTreeSet<CandidateId>>, Interrupted>;
}

/// All three ways, each for what it is best at.
pub struct Eliminator<S: System> {
    agreement: TraceAgreement<S>,
    /// For sets of candidates that very many sets are of.
    relations: Option<TraceRelations<S>>,
    /// For few candidates, and for engines that are not exact.
    images: TraceImages<S>,
}

/// Of at most so many candidates the states along a path are computed: their images recur from path to path, while the
/// formula of a path and all that it says of a candidate is about that path alone.
const FEW_CANDIDATES: usize = 2;

impl<S: System> Default for Eliminator<S> {
    fn default() -> Eliminator<S> {
        Eliminator { agreement: TraceAgreement::default(), relations: None, images: TraceImages::default() }
    }
}

impl<S: System> TraceEliminate<S> for Eliminator<S> {
    fn eliminating(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        pool: &Pool,
        chosen: &BTreeSet<CandidateId>,
    ) -> Result<Option<BTreeSet<CandidateId>>, Interrupted> {
        if !run.engine().is_exact() || chosen.len() <= FEW_CANDIDATES {
            return self.images.eliminating(run, path, pool, chosen);
        }
        if let Some(relations) = self.relations.as_mut().filter(|relations| relations.knows(chosen)) {
            match relations.eliminating(run, path, pool, chosen) {
                Ok(eliminating) => return Ok(eliminating),
                Err(_) => relations.give_up(),
            }
        }
        self.agreement.eliminating(run, path, pool, chosen)
    }
}

impl<S: System> Eliminator<S> {
    /// A trace along `path` that the exact abstract model with the predicates of `chosen` has, if it has one: for each
    /// cut that is asked about, the values of state variables where the segment before it ends.
    pub fn ends(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        pool: &Pool,
        chosen: &BTreeSet<CandidateId>,
        asked: &[(usize, &[Term])],
    ) -> Result<Option<Vec<Model>>, Interrupted> {
        self.agreement.ends(run, path, pool, chosen, asked)
    }

    /// Whether it is practical to ask about many sets of the candidates that it has been prepared for.
    pub fn is_prepared(&self) -> bool {
        self.relations.as_ref().is_some_and(|relations| !relations.has_given_up())
    }

    /// Takes note that many sets of the candidates in `universe` are going to be asked about.
    pub fn prepare(&mut self, pool: &Pool, universe: &BTreeSet<CandidateId>) {
        if !self.relations.as_ref().is_some_and(|relations| relations.is_for(universe)) {
            self.relations = Some(TraceRelations::new(pool, universe));
        }
    }

    /// Forgets what was computed with an engine that is no longer used.
    pub fn forget(&mut self) {
        self.images.forget();
    }
}

#[cfg(test)]
mod tests;
