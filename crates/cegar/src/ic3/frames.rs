//! Frames: each keeps the cubes that are blocked up to it and not further, and has a solver that knows these and those of
//! all later frames.

use super::cube::Cube;
use tamis_solver::ConeSolver;

/// A solver is made anew when it has this many clauses more than twice those that count.
const MAX_SUPERFLUOUS: usize = 1000;

pub(super) struct Frames {
    /// The cubes that are blocked up to each frame. The first frame is that of first states, which has none.
    pub cubes: Vec<Vec<Cube>>,
    /// Steps from a frame.
    solvers: Vec<Steps>,
    /// Steps to the error from the last frame, if their constraints are not those of other steps.
    errors: Option<(ConeSolver, ConeSolver)>,
    /// Knows steps only.
    plain: ConeSolver,
    /// The earliest frame that got a cube since the last propagation.
    pub earliest: usize,
}

struct Steps {
    solver: ConeSolver,
    clauses: usize,
}

impl Frames {
    /// The frame of first states; `steps` is a solver that knows steps only, `errors` one that knows nothing, if that is
    /// another.
    pub fn new(first: ConeSolver, steps: ConeSolver, errors: Option<ConeSolver>) -> Frames {
        Frames {
            cubes: vec![Vec::new()],
            solvers: vec![Steps { solver: first, clauses: 0 }],
            errors: errors.map(|e| (e.clone(), e)),
            plain: steps,
            earliest: 1,
        }
    }

    /// The number of the last frame.
    pub fn last(&self) -> usize {
        self.cubes.len() - 1
    }

    /// Adds a frame of all states.
    pub fn extend(&mut self) {
        self.cubes.push(Vec::new());
        self.solvers.push(Steps { solver: self.plain.clone(), clauses: 0 });
        if let Some((last, plain)) = &mut self.errors {
            *last = plain.clone();
        }
    }

    /// A solver for steps from a frame.
    pub fn steps_from(&mut self, frame: usize) -> &mut ConeSolver {
        &mut self.solvers[frame].solver
    }

    /// A solver for steps to the error from the last frame.
    pub fn errors_from(&mut self, frame: usize) -> &mut ConeSolver {
        match &mut self.errors {
            Some((last, _)) => last,
            None => &mut self.solvers[frame].solver,
        }
    }

    /// The last frame in which a cube is known to be blocked, if that is `frame` or a later one.
    pub fn blocked_by(&self, frame: usize, cube: &Cube) -> Option<usize> {
        (frame..self.cubes.len()).rev().find(|&f| self.cubes[f].iter().any(|c| c.is_part_of(cube)))
    }

    /// Blocks a cube up to a frame.
    pub fn add(&mut self, frame: usize, cube: Cube) {
        let clause: Vec<_> = cube.iter().map(|&lit| !lit).collect();
        for f in 1..=frame {
            // A cube that is a part of this one is blocked where this one is.
            self.cubes[f].retain(|c| !cube.is_part_of(c));
            self.solvers[f].solver.assert(&clause);
            self.solvers[f].clauses += 1;
        }
        if let Some((last, _)) = self.errors.as_mut().filter(|_| frame + 1 == self.cubes.len()) {
            last.assert(&clause);
        }
        self.cubes[frame].push(cube);
        self.earliest = self.earliest.min(frame);
    }

    /// Blocks the cube, which is blocked up to the frame before, in a frame too.
    pub fn advance(&mut self, frame: usize, cube: Cube) {
        let clause: Vec<_> = cube.iter().map(|&lit| !lit).collect();
        self.cubes[frame - 1].retain(|c| *c != cube);
        self.cubes[frame].retain(|c| !cube.is_part_of(c));
        self.solvers[frame].solver.assert(&clause);
        self.solvers[frame].clauses += 1;
        if let Some((last, _)) = self.errors.as_mut().filter(|_| frame + 1 == self.cubes.len()) {
            last.assert(&clause);
        }
        self.cubes[frame].push(cube);
    }

    /// Makes solvers anew that have too many clauses which later ones made superfluous.
    pub fn tidy(&mut self) {
        let mut count = 0;
        for f in (1..self.cubes.len()).rev() {
            count += self.cubes[f].len();
            if self.solvers[f].clauses > 2 * count + MAX_SUPERFLUOUS {
                let mut solver = self.plain.clone();
                for cube in self.cubes[f..].iter().flatten() {
                    solver.assert(&cube.iter().map(|&lit| !lit).collect::<Vec<_>>());
                }
                self.solvers[f] = Steps { solver, clauses: count };
            }
        }
    }
}
