//! Loop cutsets: \[SUM\] section 3.

use crate::automaton::{Location, Program};
use crate::flow::{depth_first, on_a_way};

/// The locations on some path from the entry to the error location. What lies elsewhere has no part in the property.
pub fn relevant_locations(program: &Program) -> Vec<bool> {
    on_a_way(program)
}

/// The back-edge cutset: the entry, the error location and the destinations of all back-edges that a depth-first
/// search from the entry finds, among the relevant locations. Every cycle there passes through it. In order of
/// location, the entry first.
///
/// Minimal cutsets are NP-hard to find; for structured loops this one is the set of loop heads (\[SUM\] section 3).
pub fn back_edge_cutset(program: &Program, relevant: &[bool]) -> Vec<Location> {
    let search = depth_first(program, |l| relevant[l.index()]);
    with_ends(program, |l| search.is_back_edge_target[l.index()])
}

/// The locations that `inner` accepts, between the entry and the error location.
pub(crate) fn with_ends(program: &Program, inner: impl Fn(Location) -> bool) -> Vec<Location> {
    let (entry, error) = (program.entry(), program.error());
    let mut cutset = vec![entry];
    cutset.extend(program.locations().filter(|&l| l != entry && l != error && inner(l)));
    cutset.push(error);
    cutset
}
