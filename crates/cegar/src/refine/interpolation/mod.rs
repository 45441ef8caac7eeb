//! Predicates from a proof: \[SMC\] section 4.4, where it speaks of BLAST.
//!
//! The parts of a path between its points are formulas that cannot hold together, and what one of them has in common with
//! the next is the state at the point between them ([`parts`]). So Craig interpolants between them are formulas over
//! that state: what the part before has made, as far as the proof needs it. They come from the SAT solver's proof
//! ([`tamis_solver::interpolants`]), all from one, and are over bits. From the last point to the first, predicates over
//! words are found of which a combination lies between the interpolant and what the rest of the path, with the predicates
//! found there, excludes ([`lift`]); so the combinations are a sequence of interpolants again, and an exact abstraction
//! with these predicates does not have the path.
//!
//! In the paper that BLAST follows (Henzinger, Jhala, Majumdar, McMillan: *Abstractions from Proofs*, POPL 2004) the
//! proofs are of linear arithmetic and uninterpreted functions, so that interpolants are over words from the start.
//! Here they have the bits of machine words, and the predicates that are tried first are the words' own.
//!
//! Arrays are read at finitely many indices along a path. Where these depend on the state alone, the elements there are
//! part of the state, and interpolants speak of them. A path that compares whole arrays, or one for which that is not
//! enough, has no interpolants here, and neither has one whose proof is too large: other sources are asked.

mod lift;
mod parts;
mod shapes;

pub use parts::Names;

use super::Refinement;
use super::core::strongest_postconditions;
use super::eliminate::state_predicates;
use super::path::{Core, Path};
use super::proposal::Located;
use crate::cegar::Run;
use crate::strategy::Interpolation;
use lift::{Candidates, Lifting};
use tamis_logic::Term;
use tamis_paq::Interrupted;
use tamis_solver::{Interpolated, InterpolationSystem, Stop, interpolants};
use tamis_system::System;

/// A path of more parts, after the point from which it is infeasible, has no interpolants.
const MAX_PARTS: usize = 200;

/// Whether what is found is held against what it is to be.
pub const CHECKED: bool = cfg!(any(test, debug_assertions));

impl From<Interpolation> for InterpolationSystem {
    fn from(kind: Interpolation) -> InterpolationSystem {
        match kind {
            Interpolation::McMillan => InterpolationSystem::McMillan,
            Interpolation::Dual => InterpolationSystem::Dual,
        }
    }
}

impl<S: System> Refinement<S> {
    /// Predicates of which combinations are interpolants of the path; none if there are no interpolants.
    pub(super) fn interpolants(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        core: &Core,
    ) -> Result<Vec<Located>, Interrupted> {
        let system = run.abstraction.system;
        if path.cuts.len() - core.start > MAX_PARTS {
            return Ok(Vec::new());
        }
        let parts = parts::parts(run.terms, system, &mut self.names, path, core, run.budget)?;
        let Some(parts) = parts else { return Ok(Vec::new()) };
        let groups: Vec<Vec<Term>> = parts.iter().map(|part| part.as_group(run.terms)).collect();
        let rules = self.strategy.interpolation.into();
        let found = match interpolants(run.terms, &groups, rules, run.budget) {
            Ok(Interpolated::Sequence(found)) => found,
            Ok(Interpolated::Satisfiable | Interpolated::TooLarge) | Err(Stop::Unsupported) => {
                return Ok(Vec::new());
            }
            Err(stop) => return Err(stop.into()),
        };
        if CHECKED {
            assert!(lift::is_sequence(run.terms, run.budget, &groups, &found), "no interpolants");
        }
        let postconditions = strongest_postconditions(run.terms, system, path, core);
        let mut lifting = Lifting::new(run.budget);
        let mut located = Vec::new();
        for cut in (core.start + 1..path.cuts.len()).rev() {
            run.budget.check()?;
            let (position, point) = path.cuts[cut];
            let part = &parts[cut - core.start];
            lifting.prepend(run.terms, part);
            let condition = core.rest(run.terms, system, path, position);
            let candidates = Candidates {
                in_use: run.abstraction.predicates.at(point).iter().map(|p| p.formula).collect(),
                before: state_predicates(run.terms, &condition).predicates,
                after: postconditions.iter().filter(|(at, _)| *at == point).map(|&(_, p)| p).collect(),
            };
            let interpolant = found[cut - core.start - 1];
            let place = cut - core.start;
            match lifting.lift(run.terms, &mut self.names, place, part, interpolant, &candidates)? {
                Some(predicates) => located.extend(predicates.into_iter().map(|p| (point, p))),
                None => return Ok(Vec::new()),
            }
        }
        Ok(located)
    }
}

#[cfg(test)]
mod tests;
