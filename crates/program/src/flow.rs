//! What graph algorithms need of an automaton, finished or under simplification.

use crate::automaton::{Edge, EdgeId, Location, Program, Var};
use tamis_logic::Term;

/// A control-flow graph with commands on its edges.
pub(crate) trait Flow {
    fn entry(&self) -> Location;
    fn error(&self) -> Location;
    /// One more than the greatest index of a location.
    fn location_bound(&self) -> usize;
    fn edges_out(&self, l: Location) -> &[EdgeId];
    fn edges_in(&self, l: Location) -> &[EdgeId];
    fn edge_data(&self, e: EdgeId) -> &Edge;
    fn variable_bound(&self) -> usize;
    fn variable_of(&self, term: Term) -> Option<Var>;

    fn all_locations(&self) -> impl DoubleEndedIterator<Item = Location> {
        (0..self.location_bound() as u32).map(Location)
    }

    fn successors(&self, l: Location) -> impl Iterator<Item = Location> {
        self.edges_out(l).iter().map(|&e| self.edge_data(e).to)
    }

    fn predecessors(&self, l: Location) -> impl Iterator<Item = Location> {
        self.edges_in(l).iter().map(|&e| self.edge_data(e).from)
    }
}

impl Flow for Program {
    fn entry(&self) -> Location {
        self.entry()
    }

    fn error(&self) -> Location {
        self.error()
    }

    fn location_bound(&self) -> usize {
        self.locations().count()
    }

    fn edges_out(&self, l: Location) -> &[EdgeId] {
        self.outgoing(l)
    }

    fn edges_in(&self, l: Location) -> &[EdgeId] {
        self.incoming(l)
    }

    fn edge_data(&self, e: EdgeId) -> &Edge {
        self.edge(e)
    }

    fn variable_bound(&self) -> usize {
        self.variables().len()
    }

    fn variable_of(&self, term: Term) -> Option<Var> {
        self.var_of(term)
    }
}

/// A depth-first search from the entry.
pub(crate) struct DepthFirst {
    /// The locations found, each after all that the search found from it later: in reverse postorder.
    pub order: Vec<Location>,
    /// For each location, whether an edge leads to it from one that the search was below it for: a back-edge.
    pub is_back_edge_target: Vec<bool>,
    /// The back-edges.
    pub back_edges: Vec<EdgeId>,
}

/// Searches `flow` depth-first from the entry, among the locations that `within` accepts.
pub(crate) fn depth_first(flow: &impl Flow, within: impl Fn(Location) -> bool) -> DepthFirst {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        OnStack,
        Done,
    }
    let count = flow.location_bound();
    let mut mark = vec![Mark::New; count];
    let mut found =
        DepthFirst { order: Vec::new(), is_back_edge_target: vec![false; count], back_edges: Vec::new() };
    // The search's stack: a location and how many of its edges have been followed.
    let mut stack = vec![(flow.entry(), 0)];
    mark[flow.entry().index()] = Mark::OnStack;
    while let Some((l, followed)) = stack.last_mut() {
        let l = *l;
        let Some(&edge) = flow.edges_out(l).get(*followed) else {
            mark[l.index()] = Mark::Done;
            found.order.push(l);
            stack.pop();
            continue;
        };
        *followed += 1;
        let to = flow.edge_data(edge).to;
        if !within(to) {
            continue;
        }
        match mark[to.index()] {
            Mark::New => {
                mark[to.index()] = Mark::OnStack;
                stack.push((to, 0));
            }
            Mark::OnStack => {
                found.is_back_edge_target[to.index()] = true;
                found.back_edges.push(edge);
            }
            Mark::Done => {}
        }
    }
    found.order.reverse();
    found
}

/// The locations on some path from the entry to the error location.
pub(crate) fn on_a_way(flow: &impl Flow) -> Vec<bool> {
    let forward = closure(flow, flow.entry(), |l, pending| pending.extend(flow.successors(l)));
    let backward = closure(flow, flow.error(), |l, pending| pending.extend(flow.predecessors(l)));
    forward.iter().zip(backward).map(|(&f, b)| f && b).collect()
}

fn closure(flow: &impl Flow, from: Location, next: impl Fn(Location, &mut Vec<Location>)) -> Vec<bool> {
    let mut seen = vec![false; flow.location_bound()];
    let mut pending = vec![from];
    while let Some(l) = pending.pop() {
        if !std::mem::replace(&mut seen[l.index()], true) {
            next(l, &mut pending);
        }
    }
    seen
}
