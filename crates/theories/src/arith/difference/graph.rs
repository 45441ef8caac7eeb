//! The constraint graph, its potential, and the search for negative cycles.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Domain;
use crate::arith::Var;
use crate::arith::stop::Watch;
use crate::theory::Literal;

/// `to - from ≤ weight`, because of a literal.
#[derive(Clone, Debug)]
pub(super) struct Edge<W> {
    pub(super) from: Var,
    pub(super) to: Var,
    pub(super) weight: W,
    pub(super) literal: Literal,
}

/// Which way edges are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Forward,
    Backward,
}

/// What adding an edge came to.
pub(super) enum Added {
    /// The edge is in the graph, and the potential fits it.
    Feasible,
    /// The edge closes a negative cycle, of these literals, and was not added.
    Cycle(Vec<Literal>),
    /// The search was stopped, and the edge was not added.
    Stopped,
}

/// The active edges in the order of their assertion, with a potential π: `π(from) + weight - π(to) ≥ 0` for every one.
///
/// A potential of more edges is one of fewer, so that backtracking leaves it alone (Cotton and Maler, *Fast and Flexible
/// Difference Constraint Propagation for DPLL(T)*, section 3). It is also a model.
#[derive(Clone, Debug)]
pub(super) struct Graph<D: Domain> {
    pub(super) edges: Vec<Edge<D::Weight>>,
    pub(super) outgoing: Vec<Vec<u32>>,
    pub(super) incoming: Vec<Vec<u32>>,
    pub(super) potential: Vec<D::Weight>,
    /// How far below 0 the slack at a node is, and the edge it comes from, none for the new edge; of nodes touched in the
    /// present search.
    gamma: Vec<Option<(D::Weight, Option<u32>)>>,
    settled: Vec<bool>,
    heap: BinaryHeap<(Reverse<D::Weight>, Var)>,
}

impl<D: Domain> Graph<D> {
    pub(super) fn new() -> Self {
        Graph {
            edges: Vec::new(),
            outgoing: Vec::new(),
            incoming: Vec::new(),
            potential: Vec::new(),
            gamma: Vec::new(),
            settled: Vec::new(),
            heap: BinaryHeap::new(),
        }
    }

    pub(super) fn add_node(&mut self) -> Var {
        let node = Var(u32::try_from(self.potential.len()).expect("fewer than 2^32 variables"));
        self.outgoing.push(Vec::new());
        self.incoming.push(Vec::new());
        self.potential.push(D::Weight::default());
        self.gamma.push(None);
        self.settled.push(false);
        node
    }

    /// `π(from) + weight - π(to)`.
    pub(super) fn slack(&self, edge: &Edge<D::Weight>) -> D::Weight {
        let reached = D::add(&self.potential[edge.from.index()], &edge.weight);
        D::sub(&reached, &self.potential[edge.to.index()])
    }

    /// Adds an edge and repairs the potential, or finds the negative cycle that prevents it.
    pub(super) fn add(&mut self, edge: Edge<D::Weight>, watch: &Watch) -> Added {
        let zero = D::Weight::default();
        if edge.from == edge.to {
            // Nothing to remember: it either always holds or never.
            return if edge.weight < zero { Added::Cycle(vec![edge.literal]) } else { Added::Feasible };
        }
        if self.slack(&edge) < zero {
            // Either end may be the one that few others depend on: try both, ever longer.
            let mut budget = 16;
            loop {
                let outcome = self
                    .repair(&edge, Direction::Backward, budget, watch)
                    .or_else(|| self.repair(&edge, Direction::Forward, 2 * budget, watch));
                match outcome {
                    None => budget *= 4,
                    Some(Added::Feasible) => break,
                    Some(outcome) => return outcome,
                }
            }
        }
        let index = self.edges.len() as u32;
        self.outgoing[edge.from.index()].push(index);
        self.incoming[edge.to.index()].push(index);
        self.edges.push(edge);
        Added::Feasible
    }

    /// Forgets the latest edges.
    pub(super) fn truncate(&mut self, edges: usize) {
        while self.edges.len() > edges {
            if let Some(edge) = self.edges.pop() {
                self.outgoing[edge.from.index()].pop();
                self.incoming[edge.to.index()].pop();
            }
        }
    }

    /// Forward: lowers the potential from `edge.to` on until it fits (Cotton and Maler, section 3.1), always at the node that
    /// must sink deepest. That node is then settled, for the slacks of the other edges are not negative. If the wave comes
    /// back to `edge.from` it would go round for ever. Backward: the same in mirror image, raising from `edge.from` on.
    ///
    /// None, and nothing changed, if more than `budget` edges would have to be looked at.
    fn repair(
        &mut self,
        edge: &Edge<D::Weight>,
        direction: Direction,
        mut budget: usize,
        watch: &Watch,
    ) -> Option<Added> {
        let zero = D::Weight::default();
        let (start, goal) = match direction {
            Direction::Forward => (edge.to, edge.from),
            Direction::Backward => (edge.from, edge.to),
        };
        let mut touched = vec![start];
        let mut moved: Vec<(Var, D::Weight)> = Vec::new();
        let slack = self.slack(edge);
        self.gamma[start.index()] = Some((slack.clone(), None));
        self.heap.push((Reverse(slack), start));
        let mut outcome = Some(Added::Feasible);
        'wave: while let Some((Reverse(depth), node)) = self.heap.pop() {
            if self.settled[node.index()] {
                continue;
            }
            if watch.stops() {
                outcome = Some(Added::Stopped);
                break;
            }
            self.settled[node.index()] = true;
            let potential = &mut self.potential[node.index()];
            let (fitting, steps) = match direction {
                Direction::Forward => (D::add(potential, &depth), &self.outgoing[node.index()]),
                Direction::Backward => (D::sub(potential, &depth), &self.incoming[node.index()]),
            };
            moved.push((node, std::mem::replace(potential, fitting)));
            budget = budget.saturating_sub(1 + steps.len());
            if budget == 0 {
                outcome = None;
                break;
            }
            for &step in steps {
                let next = &self.edges[step as usize];
                let target = if direction == Direction::Forward { next.to } else { next.from };
                if self.settled[target.index()] {
                    continue;
                }
                let slack = self.slack(next);
                if slack >= zero {
                    continue;
                }
                match &mut self.gamma[target.index()] {
                    Some((known, _)) if *known <= slack => continue,
                    Some(known) => *known = (slack.clone(), Some(step)),
                    unknown => {
                        touched.push(target);
                        *unknown = Some((slack.clone(), Some(step)));
                    }
                }
                if target == goal {
                    outcome = Some(Added::Cycle(self.cycle(edge, goal, direction)));
                    break 'wave;
                }
                self.heap.push((Reverse(slack), target));
            }
        }
        self.heap.clear();
        if !matches!(outcome, Some(Added::Feasible)) {
            for (node, value) in moved {
                self.potential[node.index()] = value;
            }
        }
        for node in touched {
            self.gamma[node.index()] = None;
            self.settled[node.index()] = false;
        }
        outcome
    }

    /// The literals of the cycle that `edge` closes, followed back from where the search ended.
    fn cycle(&self, edge: &Edge<D::Weight>, goal: Var, direction: Direction) -> Vec<Literal> {
        let mut literals = vec![edge.literal];
        let mut node = goal;
        while let Some((_, Some(step))) = &self.gamma[node.index()] {
            let step = &self.edges[*step as usize];
            literals.push(step.literal);
            node = if direction == Direction::Forward { step.from } else { step.to };
        }
        literals
    }
}
