//! Frames: at each point, the cubes that are blocked up to a frame and not further.

use super::StateCube;
use tamis_system::Point;

pub(super) struct Frames {
    /// By point and frame. The first frame is that of no steps, at which nothing but the initial point is reached.
    cubes: Vec<Vec<Vec<StateCube>>>,
    /// The earliest frame that got a cube since the last propagation.
    pub earliest: usize,
}

impl Frames {
    /// The frame of no steps, and one of all states.
    pub fn new(points: usize) -> Frames {
        Frames { cubes: vec![vec![Vec::new(); 2]; points], earliest: 1 }
    }

    /// The number of the last frame.
    pub fn last(&self) -> usize {
        self.cubes[0].len() - 1
    }

    /// Adds a frame of all states.
    pub fn extend(&mut self) {
        self.cubes.iter_mut().for_each(|frames| frames.push(Vec::new()));
    }

    /// The cubes that are blocked at a point up to a frame and not further.
    pub fn at(&self, point: Point, frame: usize) -> &[StateCube] {
        &self.cubes[point.index()][frame]
    }

    /// The cubes that are blocked at a point in a later frame.
    pub fn after(&self, point: Point, frame: usize) -> impl Iterator<Item = &StateCube> {
        self.cubes[point.index()][frame + 1..].iter().flatten()
    }

    /// Whether nothing is blocked up to a frame and not further.
    pub fn is_empty(&self, frame: usize) -> bool {
        self.cubes.iter().all(|frames| frames[frame].is_empty())
    }

    /// How many cubes are blocked.
    pub fn len(&self) -> usize {
        self.cubes.iter().flatten().map(Vec::len).sum()
    }

    /// The last frame in which a cube is known to be blocked, if that is `frame` or a later one.
    pub fn blocked_by(&self, point: Point, frame: usize, cube: &StateCube) -> Option<usize> {
        let frames = &self.cubes[point.index()];
        (frame..frames.len()).rev().find(|&f| frames[f].iter().any(|c| c.is_part_of(cube)))
    }

    /// Blocks a cube up to a frame.
    pub fn add(&mut self, point: Point, frame: usize, cube: StateCube) {
        let frames = &mut self.cubes[point.index()];
        // A cube that this one is a part of is blocked where this one is.
        frames[1..=frame].iter_mut().for_each(|cubes| cubes.retain(|c| !cube.is_part_of(c)));
        frames[frame].push(cube);
        self.earliest = self.earliest.min(frame);
    }
}
