//! Merging of trivial edges.
//!
//! An edge that does nothing is joined with its neighbours, a step from a location to itself that changes nothing is
//! left out, and edges between the same two locations that together can always be passed become one that does
//! nothing. Loop heads stay, so that invariants are told where the user wrote the loop.

use super::draft::Draft;
use crate::automaton::{Command, EdgeId, Event, Location};
use crate::flow::{Flow, depth_first};
use rustc_hash::FxHashMap;
use tamis_logic::{Term, Terms};

/// Merges until nothing is left to merge.
pub(crate) fn merge(draft: &mut Draft<'_>, terms: &mut Terms) {
    let is_loop_head = depth_first(draft, |_| true).is_back_edge_target;
    let mut queued = vec![true; draft.location_bound()];
    let mut pending: Vec<Location> = draft.all_locations().collect();
    while let Some(l) = pending.pop() {
        queued[l.index()] = false;
        let mut touched = Vec::new();
        if drop_idle_loops(draft, l) | join_branches(draft, terms, l) {
            touched.push(l);
            touched.extend(draft.successors(l));
        }
        if let Some(skip) = sole_skip(draft, terms, l) {
            let to = draft.edge(skip).to;
            if l != draft.entry() && !is_loop_head[l.index()] {
                bypass(draft, l, skip, &mut touched);
            } else if draft.incoming(to).len() == 1 && to != draft.error() {
                absorb(draft, l, skip, &mut touched);
            }
        }
        // A location with one edge into it is of interest to where that starts.
        for i in 0..touched.len() {
            if draft.incoming(touched[i]).len() == 1 {
                touched.extend(draft.predecessors(touched[i]));
            }
        }
        for next in touched {
            if !std::mem::replace(&mut queued[next.index()], true) {
                pending.push(next);
            }
        }
    }
}

/// The only edge out of a location, if it does nothing and leads elsewhere. The edge that violates the property stays:
/// it is what a reader looks for.
fn sole_skip(draft: &Draft<'_>, terms: &Terms, l: Location) -> Option<EdgeId> {
    let &[skip] = draft.outgoing(l) else { return None };
    let edge = draft.edge(skip);
    let stays = edge.to == l || matches!(edge.event, Event::Violation(_));
    (!stays && draft.is_skip(terms, skip)).then_some(skip)
}

/// Edges into `l` go on where its skip leads.
fn bypass(draft: &mut Draft<'_>, l: Location, skip: EdgeId, touched: &mut Vec<Location>) {
    let to = draft.edge(skip).to;
    let after = draft.data(skip).trail;
    for e in draft.redirect_all(l, to) {
        let before = draft.data(e).trail;
        let trail = draft.trails.then(before, after);
        draft.set_trail(e, trail);
        touched.push(draft.edge(e).from);
    }
    draft.remove(skip);
    touched.push(to);
}

/// Edges out of the location that the skip leads to, and nothing else does, start at `l`.
fn absorb(draft: &mut Draft<'_>, l: Location, skip: EdgeId, touched: &mut Vec<Location>) {
    let to = draft.edge(skip).to;
    let before = draft.data(skip).trail;
    draft.remove(skip);
    for e in draft.outgoing(to).to_vec() {
        let after = draft.data(e).trail;
        let trail = draft.trails.then(before, after);
        draft.set_trail(e, trail);
        draft.start_at(e, l);
        touched.push(draft.edge(e).to);
    }
    touched.push(l);
}

/// A step from a location to itself that changes nothing adds no execution that matters.
fn drop_idle_loops(draft: &mut Draft<'_>, l: Location) -> bool {
    let idle = |e: &&EdgeId| {
        let edge = draft.edge(**e);
        edge.to == l && matches!(edge.command, Command::Assume(_))
    };
    let idle: Vec<EdgeId> = draft.outgoing(l).iter().filter(idle).copied().collect();
    for &e in &idle {
        draft.remove(e);
    }
    !idle.is_empty()
}

/// Guards between the same two locations of which one always holds become none: CHOICE of \[SUM\] section 3, where its
/// result is trivial.
fn join_branches(draft: &mut Draft<'_>, terms: &mut Terms, l: Location) -> bool {
    if draft.outgoing(l).len() < 2 {
        return false;
    }
    let mut by_end: FxHashMap<Location, Vec<(EdgeId, Term)>> = FxHashMap::default();
    let mut ends = Vec::new();
    for &e in draft.outgoing(l) {
        let edge = draft.edge(e);
        if let (Command::Assume(guard), false) = (&edge.command, matches!(edge.event, Event::Violation(_))) {
            let here = by_end.entry(edge.to).or_default();
            if here.is_empty() {
                ends.push(edge.to);
            }
            here.push((e, *guard));
        }
    }
    let mut joined = false;
    for end in ends {
        let edges = &by_end[&end];
        let guards: Vec<Term> = edges.iter().map(|&(_, guard)| guard).collect();
        let some = terms.or(&guards);
        if edges.len() < 2 || !terms.is_true(some) {
            continue;
        }
        let first = edges[0].0;
        let ways = edges.iter().map(|&(e, _)| draft.data(e).trail).collect();
        let trail = draft.trails.either(ways);
        let skip = Command::Assume(terms.tru());
        draft.set_trail(first, trail);
        draft.set_command(first, skip);
        draft.set_event(first, Event::Step);
        for &(e, _) in &edges[1..] {
            draft.remove(e);
        }
        joined = true;
    }
    joined
}
