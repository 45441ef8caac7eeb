//! Points and the steps between them.

/// A point at which regions are abstracted: a cutpoint of a program; before, in and after the run of a transition system.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Point(pub u32);

impl Point {
    /// Where executions start. No step ends there.
    pub const INITIAL: Point = Point(0);

    /// The point as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A loop-free piece of behaviour between two points, by its place in [`System::steps`](crate::System::steps).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StepId(pub u32);

impl StepId {
    /// The step as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A step's ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where it starts.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
}
