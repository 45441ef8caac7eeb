//! What the loop tells while it runs.

use tamis_diagram::Bdd;

/// Counts of a run.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// How many abstractions were explored.
    pub iterations: usize,
    /// Predicates over all points.
    pub predicates: usize,
    /// The most predicates at one point.
    pub predicates_at_a_point: usize,
    /// Images of regions computed.
    pub images: usize,
    /// The work of the solvers that abstract and that find abstract counterexamples.
    pub solver: tamis_solver::Stats,
    /// Points of the system.
    pub points: usize,
    /// Steps of the system.
    pub steps: usize,
    /// The length in steps of the longest abstract counterexample.
    pub longest_trace: usize,
}

/// Watches a run.
pub trait Observer {
    /// An image was computed.
    fn image(&mut self, region: &Bdd, predicates: usize);
    /// An abstraction has been explored.
    fn iteration(&mut self, statistics: &Statistics);
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn image(&mut self, _: &Bdd, _: usize) {}
    fn iteration(&mut self, _: &Statistics) {}
}
