//! Paths, executed symbolically: their conditions and their last states.

use tamis_logic::Term;

/// A condition on a path. An edge may have many, and each has an identity of its own: an unsat core keeps one of them
/// without the others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GuardId {
    /// The position of its edge in the path.
    pub edge: usize,
    /// Which of the edge's conditions it is. That is the same whatever comes before the edge.
    pub index: usize,
}

impl GuardId {
    /// The same condition, after `edges` more edges at the start of the path.
    pub fn after(self, edges: usize) -> GuardId {
        GuardId { edge: self.edge + edges, ..self }
    }
}

/// The condition under which a path can be executed from a state.
#[derive(Clone, Debug, Default)]
pub struct Guards {
    /// The conjuncts in the order of the path, in terms of the state before the path and of the inputs. Those that are
    /// `true` are left out, and the others keep their numbers.
    pub guards: Vec<(GuardId, Term)>,
    /// The variables that stand for values chosen along the path, existentially quantified.
    pub inputs: Vec<Term>,
}

impl Guards {
    /// The conjuncts.
    pub fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        self.guards.iter().map(|&(_, guard)| guard)
    }
}

/// A path, executed symbolically.
#[derive(Clone, Debug)]
pub struct Followed<S> {
    /// When the path can be executed, in terms of the state before it.
    pub condition: Guards,
    /// The state after it.
    pub post: S,
}
