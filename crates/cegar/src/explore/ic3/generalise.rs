//! Fewer literals in a cube that is to be blocked, so that more states are: as [over bits](crate::ic3::generalise), except that
//! a cube is not joined with a predecessor, which may be at another point.

use super::{Asked, Ic3, StateCube, Valued};
use crate::cegar::Run;
use crate::ic3::generalise::{Effort, MAX_CTGS};
use tamis_paq::Interrupted;
use tamis_system::{Point, System};

impl<S: System> Ic3<S> {
    /// Makes a cube that is blocked at a frame smaller, and blocks it up to the last frame where it can be; which that is.
    pub(super) fn generalise_and_add(
        &mut self,
        run: &mut Run<'_, S>,
        point: Point,
        frame: usize,
        cube: StateCube,
        effort: Effort,
    ) -> Result<usize, Interrupted> {
        let cube = self.mic(run, point, frame, cube, effort)?;
        self.activity.bump(&cube);
        let (frame, cube) = self.push_up(run, point, frame, cube)?;
        self.add(run, point, frame, cube);
        Ok(frame)
    }

    /// The last frame at which a cube is blocked, which it is at `frame`.
    fn push_up(
        &mut self,
        run: &mut Run<'_, S>,
        point: Point,
        mut frame: usize,
        mut cube: StateCube,
    ) -> Result<(usize, StateCube), Interrupted> {
        while frame < self.frames.last() {
            match self.ask(run, point, frame + 1, &cube)? {
                Asked::Blocked(core) => (frame, cube) = (frame + 1, core),
                Asked::Reached(_) => break,
            }
        }
        Ok((frame, cube))
    }

    /// A part of the cube, of which no literal can be left out as far as has been tried.
    fn mic(
        &mut self,
        run: &mut Run<'_, S>,
        point: Point,
        frame: usize,
        mut cube: StateCube,
        effort: Effort,
    ) -> Result<StateCube, Interrupted> {
        let mut order: Vec<Valued> = cube.to_vec();
        self.activity.sort_ascending(&mut order);
        // What a clause of the frame before needed is likely to be needed again, a step later.
        if let Some(parent) = self.frames.at(point, frame - 1).iter().find(|c| c.is_part_of(&cube)) {
            order.sort_by_key(|&lit| parent.contains(lit));
        }
        for lit in order {
            if cube.contains(lit)
                && let Some(smaller) = self.down(run, point, frame, &cube.without(lit), effort)?
            {
                cube = smaller;
            }
        }
        Ok(cube)
    }

    /// A part of the cube that is blocked, if one is found.
    fn down(
        &mut self,
        run: &mut Run<'_, S>,
        point: Point,
        frame: usize,
        cube: &StateCube,
        effort: Effort,
    ) -> Result<Option<StateCube>, Interrupted> {
        let mut ctgs = 0;
        loop {
            run.budget.check()?;
            let step = match self.ask(run, point, frame, cube)? {
                Asked::Blocked(core) => return Ok(Some(core)),
                Asked::Reached(step) => step,
            };
            let from = run.abstraction.system.steps()[step.index()].from;
            if effort == Effort::Drop || ctgs == MAX_CTGS || frame == 1 || from == Point::INITIAL {
                return Ok(None);
            }
            let ctg = self.predecessor(run, step, cube)?;
            let Asked::Blocked(core) = self.ask(run, from, frame - 1, &ctg)? else { return Ok(None) };
            ctgs += 1;
            let (at, core) = self.push_up(run, from, frame - 1, core)?;
            let smaller = self.mic(run, from, at, core, Effort::Drop)?;
            self.add(run, from, at, smaller);
        }
    }
}
