//! What may hold at points, for searches that guess invariants and check them.

use crate::point::Point;
use tamis_logic::{Model, Term, Terms};

/// Sources of candidates for invariants. None of them is believed: whoever uses a candidate shows first that it is preserved.
pub trait Candidates {
    /// The state variables whose values matter at a point.
    fn live(&self, point: Point) -> Vec<Term>;

    /// States that executions pass, with inputs chosen at random: for each point at most so many, as values of its
    /// [live](Candidates::live) variables. The same each time; ends early where `stop` says so.
    fn executed(&self, terms: &Terms, most: usize, stop: &dyn Fn() -> bool) -> Vec<Vec<Model>>;

    /// What abstract interpretation says of the live variables, for each point. Ends early, without anything, where `stop` says
    /// so.
    fn interpreted(&self, terms: &mut Terms, by: Domains, stop: &dyn Fn() -> bool) -> Vec<Vec<Term>>;

    /// Equations that assignments leave behind, between the live variables of each point; from at most so many assignments.
    fn assigned(&self, terms: &mut Terms, most: usize) -> Vec<Vec<Term>>;

    /// Conditions that the text checks, and their weakest preconditions, for each point at most so many. Either a condition
    /// or its complement may hold. Ends early where `stop` says so.
    fn written(&self, terms: &mut Terms, most: usize, stop: &dyn Fn() -> bool) -> Vec<Vec<Term>>;

    /// Whether arrays are live at points between the first one and the error.
    fn has_arrays(&self, terms: &Terms) -> bool;

    /// What may hold of all elements of arrays that are live at each point: formulas with
    /// [index variables](Terms::index_variable), meant for all their values, and what they rest on. Ends early where `stop` says
    /// so.
    fn elements(&self, terms: &mut Terms, which: Elements, stop: &dyn Fn() -> bool) -> Vec<Vec<Term>>;
}

/// What abstract interpretation looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Domains {
    /// Intervals and lowest bits of single variables.
    pub intervals: bool,
    /// Bounds of differences between two.
    pub zones: bool,
    /// Strides of what loops move, and the rates at which that gains on each other.
    pub rounds: bool,
}

/// Which candidates about elements of arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Elements {
    /// Whether about all that the text compares and stores, and not only about what the property takes.
    pub all: bool,
    /// Whether also what holds only if something else does.
    pub conditional: bool,
}
