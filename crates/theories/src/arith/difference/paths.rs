//! Shortest paths: which atoms a new edge decides, and why an atom was decided.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::Domain;
use super::graph::{Direction, Edge, Graph};
use crate::arith::Var;
use crate::arith::stop::Watch;
use crate::theory::Literal;

/// Distances to or from one end of a new edge of the nodes for which the edge makes a difference.
#[derive(Clone, Debug)]
pub(super) struct Reach<W> {
    /// The nodes, in the order of reduced distance.
    pub(super) nodes: Vec<Var>,
    /// For every node of the graph, the distance if it is one of `nodes`.
    pub(super) distance: Vec<Option<W>>,
    best: Vec<Option<(W, bool)>>,
    touched: Vec<Var>,
}

impl<W: Clone> Reach<W> {
    pub(super) fn new() -> Self {
        Reach { nodes: Vec::new(), distance: Vec::new(), best: Vec::new(), touched: Vec::new() }
    }

    fn clear(&mut self, nodes: usize) {
        for node in self.nodes.drain(..) {
            self.distance[node.index()] = None;
        }
        self.distance.resize(nodes, None);
        for node in self.touched.drain(..) {
            self.best[node.index()] = None;
        }
        self.best.resize(nodes, None);
    }
}

/// The least cost and number of edges to a node, and the last of the edges.
type Best<W> = FxHashMap<Var, ((W, u32), Option<u32>)>;

impl<D: Domain> Graph<D> {
    /// Forward: distances from the start of edge `new` to the nodes whose every shortest path from there uses the edge.
    /// Backward: distances from such nodes to its end. Dijkstra's algorithm on the slacks, which are not negative; it
    /// ends when no node is left to which the edge leads (Cotton and Maler, section 4: *relevant* nodes).
    ///
    /// Edges that are newer than `new` do not count: of two new edges that imply the same, the second would hide the first
    /// and the first the second. Gives up, with what it found so far, after `budget` edges.
    pub(super) fn reach(
        &self,
        new: u32,
        direction: Direction,
        mut budget: usize,
        watch: &Watch,
        reach: &mut Reach<D::Weight>,
    ) {
        reach.clear(self.potential.len());
        let (source, _) = self.ends(new, direction);
        let zero = D::Weight::default();
        let mut heap = BinaryHeap::from([(Reverse((zero.clone(), false)), source)]);
        reach.best[source.index()] = Some((zero, false));
        reach.touched.push(source);
        let mut relevant_in_heap = 0;
        while let Some((Reverse((cost, relevant)), node)) = heap.pop() {
            relevant_in_heap -= usize::from(relevant);
            // A stale entry is one that a better one overtook.
            if reach.best[node.index()].as_ref() == Some(&(cost.clone(), relevant)) {
                if watch.stops() {
                    return;
                }
                if relevant && reach.distance[node.index()].is_none() {
                    let (start, end) = match direction {
                        Direction::Forward => (source, node),
                        Direction::Backward => (node, source),
                    };
                    // The slacks of a path add up to its weight and the difference of potential at its ends.
                    let weight = D::add(&cost, &self.potential[end.index()]);
                    reach.distance[node.index()] = Some(D::sub(&weight, &self.potential[start.index()]));
                    reach.nodes.push(node);
                }
                let steps = match direction {
                    Direction::Forward => &self.outgoing[node.index()],
                    Direction::Backward => &self.incoming[node.index()],
                };
                for &step in steps.iter().take_while(|&&step| step <= new) {
                    let (_, target) = self.ends(step, direction);
                    let through = relevant || step == new;
                    let next = (D::add(&cost, &self.slack(&self.edges[step as usize])), through);
                    if reach.best[target.index()].as_ref().is_none_or(|known| next < *known) {
                        reach.touched.push(target);
                        reach.best[target.index()] = Some(next.clone());
                        relevant_in_heap += usize::from(through);
                        heap.push((Reverse(next), target));
                    }
                }
                budget = budget.saturating_sub(steps.len());
            }
            if relevant_in_heap == 0 || budget == 0 {
                return;
            }
        }
    }

    fn ends(&self, edge: u32, direction: Direction) -> (Var, Var) {
        let edge = &self.edges[edge as usize];
        match direction {
            Direction::Forward => (edge.from, edge.to),
            Direction::Backward => (edge.to, edge.from),
        }
    }

    /// The literals of a shortest path from `implied.from` to `implied.to` among the `oldest` first edges, and of such
    /// paths one with the fewest edges. None if there is no path that implies the edge.
    pub(super) fn explain(&self, implied: &Edge<D::Weight>, oldest: u32) -> Option<Vec<Literal>> {
        let zero = D::Weight::default();
        let limit = self.slack(implied);
        let mut best: Best<D::Weight> = FxHashMap::default();
        best.insert(implied.from, ((zero.clone(), 0), None));
        let mut heap = BinaryHeap::from([(Reverse((zero, 0)), implied.from)]);
        while let Some((Reverse(cost), node)) = heap.pop() {
            if cost.0 > limit {
                return None;
            }
            if node == implied.to {
                return Some(self.path(&best, node));
            }
            if best.get(&node).is_some_and(|(known, _)| *known < cost) {
                continue;
            }
            for &step in self.outgoing[node.index()].iter().take_while(|&&step| step < oldest) {
                let edge = &self.edges[step as usize];
                let next = (D::add(&cost.0, &self.slack(edge)), cost.1 + 1);
                if best.get(&edge.to).is_none_or(|(known, _)| next < *known) {
                    best.insert(edge.to, (next.clone(), Some(step)));
                    heap.push((Reverse(next), edge.to));
                }
            }
        }
        None
    }

    /// The literals of the path by which a search came to `node`.
    fn path(&self, best: &Best<D::Weight>, mut node: Var) -> Vec<Literal> {
        let mut literals = Vec::new();
        while let Some((_, Some(step))) = best.get(&node) {
            let edge = &self.edges[*step as usize];
            literals.push(edge.literal);
            node = edge.from;
        }
        literals
    }
}
