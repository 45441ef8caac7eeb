//! Fewer literals in a cube that is to be blocked, so that more states are: Bradley's minimal inductive clauses, and
//! counterexamples to generalisation.
//!
//! Hassan, Bradley, Somenzi, *Better Generalization in IC3*, FMCAD 2013, section III: where a smaller cube fails to be
//! inductive because of a predecessor, that predecessor may itself be blocked (`MAX_CTGS` of them); else the cube is joined with
//! it (`down`). Deviations: the predecessor is lifted before it is blocked, and the effort depends on how often it has been tried
//! to block the way to the error (Su, Yang, Ci, *Extended CTG Generalization and Dynamic Adjustment of Generalization
//! Strategies in IC3*, 2025).

use super::Ic3;
use super::cube::Cube;
use tamis_solver::{Lit, Stop};

/// How many predecessors may be blocked for one literal.
pub(crate) const MAX_CTGS: usize = 3;
/// After so many tries predecessors are blocked. In sum over seven designs 12 s; with 3 or 5 tries 15 s, with 10 tries 20 s:
/// then some violations are found several times sooner, and proofs later.
const TRIES_BEFORE_EFFORT: usize = 1;

/// What is done about a cube that is not inductive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Nothing: another literal is tried.
    Drop,
    /// Its predecessors are blocked, or joined with it.
    Predecessors,
}

impl Effort {
    /// The effort for a state whose way to the error has been tried so often to be blocked.
    pub fn after(tries: usize) -> Effort {
        if tries < TRIES_BEFORE_EFFORT { Effort::Drop } else { Effort::Predecessors }
    }
}

impl Ic3<'_> {
    /// Makes a cube that is inductive at a frame smaller, and blocks it up to the last frame where it is; which that is.
    pub(super) fn generalise_and_add(
        &mut self,
        frame: usize,
        cube: Cube,
        effort: Effort,
    ) -> Result<usize, Stop> {
        let cube = self.mic(frame, cube, effort)?;
        self.activity.bump(&cube);
        let (frame, cube) = self.push_up(frame, cube)?;
        self.frames.add(frame, cube);
        Ok(frame)
    }

    /// The last frame at which a cube is inductive, which it is at `frame`.
    fn push_up(&mut self, mut frame: usize, mut cube: Cube) -> Result<(usize, Cube), Stop> {
        while frame < self.frames.last() && self.is_inductive(frame + 1, &cube, true)? {
            frame += 1;
            cube = self.core(frame, &cube)?;
        }
        Ok((frame, cube))
    }

    /// A part of the cube, of which no literal can be left out as far as has been tried.
    fn mic(&mut self, frame: usize, mut cube: Cube, effort: Effort) -> Result<Cube, Stop> {
        let mut order: Vec<Lit> = cube.to_vec();
        self.activity.sort_ascending(&mut order);
        // What a clause of the frame before needed is likely to be needed again, a step later.
        if let Some(parent) = self.frames.cubes[frame - 1].iter().find(|c| c.is_part_of(&cube)) {
            order.sort_by_key(|&lit| parent.contains(lit));
        }
        let mut needed: Vec<Lit> = Vec::new();
        for lit in order {
            if cube.len() == 1 {
                break;
            }
            if !cube.contains(lit) {
                continue;
            }
            match self.down(frame, cube.without(lit), &needed, effort)? {
                Some(smaller) => cube = smaller,
                None => needed.push(lit),
            }
        }
        Ok(cube)
    }

    /// A part of the cube that is inductive, if one is found.
    fn down(
        &mut self,
        frame: usize,
        mut cube: Cube,
        needed: &[Lit],
        effort: Effort,
    ) -> Result<Option<Cube>, Stop> {
        let mut ctgs = 0;
        loop {
            if self.meets_first(&cube)? {
                return Ok(None);
            }
            if self.is_inductive(frame, &cube, true)? {
                return self.core(frame, &cube).map(Some);
            }
            if effort == Effort::Drop {
                return Ok(None);
            }
            let solver = self.frames.steps_from(frame - 1);
            let joined: Cube = cube.iter().copied().filter(|&lit| solver.value(lit) == Some(true)).collect();
            let (ctg, _) = self.predecessor(frame, &cube)?;
            if ctgs < MAX_CTGS
                && frame > 1
                && !self.meets_first(&ctg)?
                && self.is_inductive(frame - 1, &ctg, true)?
            {
                ctgs += 1;
                let core = self.core(frame - 1, &ctg)?;
                let (at, core) = self.push_up(frame - 1, core)?;
                let smaller = self.mic(at, core, Effort::Drop)?;
                self.frames.add(at, smaller);
                continue;
            }
            ctgs = 0;
            if joined.len() == cube.len() || needed.iter().any(|&lit| !joined.contains(lit)) {
                return Ok(None);
            }
            cube = joined;
        }
    }
}
