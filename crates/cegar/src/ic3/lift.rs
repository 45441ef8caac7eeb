//! Predecessors with fewer literals: what of a state matters for its step, by an unsat core (Chockler, Ivrii, Matsliah, Moran,
//! Nevo, *Incremental Formal Verification of Hardware*, FMCAD 2011).
//!
//! With the inputs as they are, the state cannot fail to fulfil the conditions of the step and to reach where it leads. The
//! core of that is the part of the state that is needed: each of its states takes the step, with the same inputs.

use super::cube::Cube;
use super::{Ic3, Source};
use std::cmp::Reverse;
use tamis_solver::{Answer, Lit, Stop};

/// How often a part of the state is asked for a smaller part, each time with what was needed last looked at first.
const ROUNDS: usize = 2;

impl Ic3<'_> {
    /// After a query of [`Ic3::is_inductive`] that failed: states in the frame before that lead into the cube, and the inputs
    /// that are set in that step.
    pub(super) fn predecessor(&mut self, frame: usize, cube: &Cube) -> Result<(Cube, Vec<Lit>), Stop> {
        let constraints = self.machine.constraints.iter().map(|&c| !c);
        let target = constraints.chain(cube.iter().map(|&lit| !self.next_of(lit))).collect();
        self.lifted(Source::Step(frame - 1), target)
    }

    /// The state that a solver found, without what is not needed to keep all of `target` false, and the inputs that are set.
    pub(super) fn lifted(&mut self, source: Source, target: Vec<Lit>) -> Result<(Cube, Vec<Lit>), Stop> {
        let solver = match source {
            Source::Error(frame) => self.frames.errors_from(frame),
            Source::Step(frame) => self.frames.steps_from(frame),
        };
        let as_it_is = |lit: Lit| solver.value(lit).map(|value| lit.flip_if(!value));
        let mut inputs: Vec<Lit> = self.machine.inputs().filter_map(as_it_is).collect();
        let mut state: Vec<Lit> = self.machine.latches.iter().filter_map(|l| as_it_is(l.now)).collect();
        // Gates far from the inputs say most.
        self.activity.sort_descending(&mut state);
        state.sort_by_key(|lit| Reverse(self.levels[lit.gate()]));
        for _ in 0..ROUNDS {
            let before = state.len();
            let assumed = [&inputs[..], &state[..]].concat();
            if let Answer::Unsat = self.lift.solve(&assumed, &target)? {
                state.retain(|&lit| self.lift.failed(lit));
            }
            if state.len() == before {
                break;
            }
            state.reverse();
        }
        inputs.retain(|lit| !lit.is_complement());
        Ok((state.into_iter().collect(), inputs))
    }
}
