//! Control flow edge by edge, for searches that follow executions in the order of the program.

use std::ops::Range;
use tamis_logic::Term;

/// What an edge does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// A state variable gets a value, which is over the state before.
    Assign(Term, Term),
    /// A state variable gets any value.
    Choose(Term),
    /// Execution passes only where a condition holds.
    Assume(Term),
}

/// An edge out of a place.
#[derive(Clone, Copy, Debug)]
pub struct Passage<E> {
    /// The edge.
    pub edge: E,
    /// The place that it leads to.
    pub to: usize,
}

/// The control flow of a system, as places and edges between them. The places are numbered in an order in which each comes after
/// those that lead to it, but for edges that close a loop; the places of a loop have numbers without gaps, and a loop in it too:
/// a weak topological order (F. Bourdoncle, *Efficient Chaotic Iteration Strategies with Widenings*, FMPA 1993).
///
/// Executions start at place 0. Only places are told of that lead to the error, the greatest of them.
pub trait ControlFlow {
    /// As of the system.
    type Edge;

    /// How many places there are. The last is the error.
    fn places(&self) -> usize;

    /// The innermost loop that a place is in, as the numbers of the loop's places; the loops around it come after it.
    fn loops_at(&self, place: usize) -> &[Range<usize>];

    /// Whether a place begins an activation of a function that is active already. So deep as a program is expanded, executions seldom
    /// go, and it is worth to know whether any does.
    fn begins_recursion(&self, place: usize) -> bool;

    /// The edges out of a place.
    fn passages(&self, place: usize) -> &[Passage<Self::Edge>];

    /// What an edge does.
    fn effect(&self, edge: Self::Edge) -> Effect;
}
