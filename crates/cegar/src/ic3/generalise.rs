//! Fewer literals in a cube that is to be blocked, so that more states are: Bradley's minimal inductive clauses, and
//! counterexamples to generalisation.
//!
//! Hassan, Bradley, Somenzi, *Better Generalization in IC3*, FMCAD 2013, section III: where a smaller cube fails to be
//! inductive because of a predecessor, that predecessor may itself be blocked (`MAX_CTGS` of them); else the cube is joined with
//! it (`down`).

use super::Ic3;
use super::cube::Cube;
use tamis_solver::{Lit, Stop};

/// How many predecessors may be blocked for one literal.
const MAX_CTGS: usize = 3;
/// How deep blocking a predecessor may itself ask for others to be blocked.
const MAX_CTG_DEPTH: usize = 1;

impl Ic3<'_> {
    /// Makes a cube that is inductive at a frame smaller, and blocks it up to the last frame where it is; which that is.
    pub(super) fn generalise_and_add(&mut self, frame: usize, cube: Cube) -> Result<usize, Stop> {
        let cube = self.mic(frame, cube, 0)?;
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
    fn mic(&mut self, frame: usize, mut cube: Cube, depth: usize) -> Result<Cube, Stop> {
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
            match self.down(frame, cube.without(lit), &needed, depth)? {
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
        depth: usize,
    ) -> Result<Option<Cube>, Stop> {
        let mut ctgs = 0;
        loop {
            if self.meets_first(&cube)? {
                return Ok(None);
            }
            if self.is_inductive(frame, &cube, true)? {
                return self.core(frame, &cube).map(Some);
            }
            if depth > MAX_CTG_DEPTH {
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
                let smaller = self.mic(at, core, depth + 1)?;
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
