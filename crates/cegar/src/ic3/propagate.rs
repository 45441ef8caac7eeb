//! Clauses that hold a step later too go to the next frame. When a frame has no clause left that the next one lacks, the two
//! are the same.

use super::cube::Cube;
use super::{Ic3, Verdict};
use tamis_solver::Stop;

impl Ic3<'_> {
    /// Takes clauses as far as they hold; an invariant if there is one.
    pub(super) fn propagate(&mut self) -> Result<Option<Verdict>, Stop> {
        self.frames.tidy();
        let last = self.frames.last();
        let from = std::mem::replace(&mut self.frames.earliest, last);
        for frame in from..last {
            let mut cubes: Vec<Cube> = self.frames.cubes[frame].clone();
            cubes.sort_by_key(|c| c.len());
            for cube in cubes {
                // It may have become a part of a clause that was taken further before.
                if self.frames.cubes[frame].contains(&cube) && self.is_inductive(frame + 1, &cube, false)? {
                    self.frames.advance(frame + 1, cube);
                }
            }
            if self.frames.cubes[frame].is_empty() {
                let blocked = self.frames.cubes[frame + 1..].iter().flatten();
                return Ok(Some(Verdict::Safe(blocked.cloned().collect())));
            }
        }
        Ok(None)
    }
}
