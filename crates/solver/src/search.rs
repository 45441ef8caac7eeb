//! Searches: with theories, or without.

use crate::budget::Stop;
use crate::dpll_t::{OnModel, Outcome, TheoryPropagator};
use crate::sat::{Sat, SatLit};
use crate::solver::{Answer, Solver};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

impl Solver {
    /// Searches, as often as the theories need new atoms.
    pub(crate) fn solve(&mut self, assumptions: &[SatLit]) -> Result<Answer, Stop> {
        self.encoding.arrays.rounds = 0;
        loop {
            let (answer, outcome) = self.search(None, assumptions, &[], None::<()>)?;
            if outcome.interrupted() {
                self.encoding.grant_requests()?;
                continue;
            }
            if answer == Answer::Sat && self.refine_arrays(None)? {
                continue;
            }
            self.stats.models += u64::from(answer == Answer::Sat);
            return Ok(answer);
        }
    }

    /// One search, counted, in the solver itself or in a copy of it. If there are models to be looked at during the
    /// search, these need the variables `observed`.
    pub(crate) fn search<M: OnModel + 'static>(
        &mut self,
        scratch: Option<&mut Sat>,
        assumptions: &[SatLit],
        observed: &[SatLit],
        on_model: Option<M>,
    ) -> Result<(Answer, Outcome), Stop> {
        let mut observed = observed.to_vec();
        let with_theories = !self.encoding.theories.is_empty();
        if with_theories {
            // A copy has the variables of the original, which were connected before it was made.
            match &scratch {
                None => observed.extend(self.encoding.connect_theories()),
                Some(_) => observed.extend_from_slice(self.encoding.theories.observed()),
            }
            observed.sort_unstable();
            observed.dedup();
        }
        if scratch.is_none() {
            self.encoding.encode_arrays(&self.front.terms);
            self.encoding.flush()?;
        }
        let start = Instant::now();
        let outcome = Outcome::default();
        let sat = scratch.unwrap_or(&mut self.encoding.sat);
        let answer = match (with_theories, on_model) {
            (false, None) => sat.solve(assumptions),
            (false, Some(on_model)) => {
                let propagator =
                    TheoryPropagator::<crate::dpll_t::Theories, M>::new(None, on_model, outcome.clone(), &[]);
                sat.with_propagator(propagator, &observed, |sat| sat.solve(assumptions))
            }
            (true, on_model) => {
                let mut theories = std::mem::take(&mut self.encoding.theories);
                theories.open(&self.encoding.budget);
                let theories = Rc::new(RefCell::new(theories));
                let fixed = sat.fixed(&observed);
                let shared = Some(theories.clone());
                let propagator = TheoryPropagator::new(shared, on_model, outcome.clone(), &fixed);
                let answer =
                    sat.with_propagator(propagator, &observed, |sat| sat.solve_and_keep(assumptions));
                self.encoding.theories = theories.take();
                self.encoding.theories.pop_all();
                answer
            }
        };
        self.stats.time += start.elapsed();
        self.stats.solves += 1;
        self.count_search();
        outcome.resume_panic();
        Ok((answer?, outcome))
    }
}
