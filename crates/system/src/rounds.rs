//! Many rounds of a loop at once.

use crate::point::Point;
use tamis_logic::{Term, Terms};

/// So many rounds of a loop, one after the other, each on the same path and with the same choices, as one step: what
/// [`count`](Rounds::count) stands for says how many.
///
/// The condition and the values are over the state variables before the first round, [`count`](Rounds::count), and what the
/// path chooses. Whoever has a model of the condition has an execution: the path, `count` times.
#[derive(Clone, Debug)]
pub struct Rounds<E> {
    /// Where a round begins and ends.
    pub point: Point,
    /// The edges of a round.
    pub path: Vec<E>,
    /// For each edge, what it chooses in every round: the variables, and the terms of their values.
    pub chosen: Vec<Vec<(Term, Term)>>,
    /// How many rounds, as a bit-vector.
    pub count: Term,
    /// Holds only if `count` rounds can be made. It may say less often than it could: then they are not found here.
    pub condition: Vec<Term>,
    /// The state variables that the rounds change, and their values after the last.
    pub after: Vec<(Term, Term)>,
}

/// Systems that can tell how often a loop may go the same way, and where that leads.
pub trait Accelerated {
    /// As in [`System`](crate::System).
    type State;
    /// As in [`System`](crate::System).
    type Edge;

    /// The loops of which that is known. Ends early where `stop` says so.
    fn rounds(&self, terms: &mut Terms, stop: &dyn Fn() -> bool) -> Vec<Rounds<Self::Edge>>;

    /// Gives a state variable a value.
    fn assign(&self, state: &mut Self::State, variable: Term, value: Term);
}
