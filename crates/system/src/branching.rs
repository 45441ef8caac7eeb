//! Branches, for the sources of predicates that look there.

use crate::point::Point;
use tamis_logic::{Term, Terms};

/// A place where a condition decides how a system goes on. By its place among the system's branches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BranchId(pub u32);

impl BranchId {
    /// The branch as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The branches of a system, in whose conditions refinement may look for predicates (\[MIN\], \[CTL\] section 4). All else
/// does without.
pub trait Branching {
    /// The smallest piece of an execution.
    type Edge;

    /// How many branches there are.
    fn branches(&self) -> usize;

    /// The branches that an edge decides: one that it is a way out of, or all that a clock cycle passes.
    fn branches_of(&self, edge: Self::Edge) -> Vec<BranchId>;

    /// The part of the system that a branch lies in: \[MIN\] section 3.2 combines branches of one part only.
    fn part_of(&self, branch: BranchId) -> usize;

    /// *PredInfer* [MIN Fig. 2] for a single branch: its condition and the condition's weakest preconditions, at most
    /// `limit` at a point. That of several branches is the union.
    fn pred_infer(&self, terms: &mut Terms, branch: BranchId, limit: usize) -> Vec<(Point, Term)>;
}
