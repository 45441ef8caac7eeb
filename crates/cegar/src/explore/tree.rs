//! Lazy abstraction with an abstract reachability tree, as BLAST does it (\[SMC\] section 4.4).
//!
//! A node is a region at a point, reached from its parent by a step. A node whose region is inside that of an older,
//! uncovered node at the same point is *covered* and not expanded. A spurious counterexample is a way down the tree;
//! the first node on it that lacks a predicate is below the *pivot*, whose subtree is forgotten and built again with
//! the predicates of now, while the rest of the tree stays. What a forgotten node covered is looked at again.

use super::{AbstractTrace, Exploration, outgoing};
use crate::abstraction::Precision;
use crate::cegar::Run;
use std::collections::VecDeque;
use tamis_diagram::Bdd;
use tamis_paq::Interrupted;
use tamis_system::{Invariants, Point, StepId, System};

type NodeId = usize;

struct Node {
    /// The parent and the step from it; `None` at the root.
    from: Option<(NodeId, StepId)>,
    point: Point,
    region: Bdd,
    precision: Precision,
    covered_by: Option<NodeId>,
    alive: bool,
}

/// The tree.
pub struct Tree {
    nodes: Vec<Node>,
    /// Nodes to be expanded or covered.
    pending: VecDeque<NodeId>,
    /// The living nodes at each point.
    at: Vec<Vec<NodeId>>,
    outgoing: Vec<Vec<StepId>>,
    error: Point,
    /// The nodes on the way to the counterexample found last, the root first.
    way: Vec<NodeId>,
}

impl Tree {
    /// The root alone.
    pub fn new<S: System>(run: &Run<'_, S>) -> Tree {
        let system = run.abstraction.system;
        let root = Node {
            from: None,
            point: Point(0),
            region: run.abstraction.diagrams.tru(),
            precision: run.abstraction.predicates.at(Point(0)).clone(),
            covered_by: None,
            alive: true,
        };
        let mut at = vec![Vec::new(); system.points()];
        at[0].push(0);
        Tree {
            nodes: vec![root],
            pending: VecDeque::from([0]),
            at,
            outgoing: outgoing(system),
            error: system.error(),
            way: Vec::new(),
        }
    }

    /// An uncovered node that contains this one and is older: covering cannot go round in a circle.
    fn coverer<S: System>(&self, run: &Run<'_, S>, node: NodeId) -> Option<NodeId> {
        let Node { point, region, .. } = &self.nodes[node];
        let covers = |&other: &NodeId| {
            let candidate = &self.nodes[other];
            other < node
                && candidate.covered_by.is_none()
                && run.abstraction.diagrams.is_subset(region, &candidate.region)
        };
        self.at[point.index()].iter().copied().find(covers)
    }

    fn expand<S: System>(
        &mut self,
        run: &mut Run<'_, S>,
        node: NodeId,
    ) -> Result<Option<AbstractTrace<S::Edge>>, Interrupted> {
        let Node { point, region, .. } = &self.nodes[node];
        let (point, region) = (*point, region.clone());
        for i in 0..self.outgoing[point.index()].len() {
            let step = self.outgoing[point.index()][i];
            run.budget.check()?;
            let to = run.abstraction.system.steps()[step.index()].to;
            if to == self.error {
                if let Some(last) = run.abstraction.error_witness(run.terms, step, &region)? {
                    return self.back_trace(run, node, step, last).map(Some);
                }
                continue;
            }
            let image = run.local_image(step, &region)?;
            if !image.is_false() {
                let precision = run.abstraction.predicates.at(to).clone();
                let child = self.nodes.len();
                let from = Some((node, step));
                self.nodes.push(Node {
                    from,
                    point: to,
                    region: image,
                    precision,
                    covered_by: None,
                    alive: true,
                });
                self.at[to.index()].push(child);
                self.pending.push_back(child);
            }
        }
        Ok(None)
    }

    fn back_trace<S: System>(
        &mut self,
        run: &mut Run<'_, S>,
        mut node: NodeId,
        step: StepId,
        last: crate::abstraction::Witness<S::Edge>,
    ) -> Result<AbstractTrace<S::Edge>, Interrupted> {
        let mut trace = AbstractTrace::empty();
        trace.steps.push(step);
        trace.paths.push(last.path);
        let mut source = last.source;
        self.way = vec![node];
        while let Some((parent, step)) = self.nodes[node].from {
            let precision = self.nodes[node].precision.clone();
            let witness = run.arrival(step, &self.nodes[parent].region, &precision, &source)?;
            trace.precisions.push(precision);
            trace.steps.push(step);
            trace.paths.push(witness.path);
            trace.states.push(std::mem::replace(&mut source, witness.source));
            node = parent;
            self.way.push(node);
        }
        trace.precisions.push(self.nodes[node].precision.clone());
        trace.states.push(source);
        self.way.reverse();
        Ok(trace.reversed())
    }

    /// Forgets what is below `pivot`, which is expanded again. Ids grow from parents to children, so one pass finds
    /// the subtree.
    fn prune(&mut self, pivot: NodeId, nothing: &Bdd) {
        let mut pruned = Vec::new();
        for id in pivot + 1..self.nodes.len() {
            let below =
                self.nodes[id].from.is_some_and(|(parent, _)| parent == pivot || !self.nodes[parent].alive);
            if self.nodes[id].alive && below {
                self.nodes[id].alive = false;
                self.nodes[id].region = nothing.clone();
                pruned.push(id);
            }
        }
        let nodes = &mut self.nodes;
        self.pending.retain(|&id| nodes[id].alive);
        for living in &mut self.at {
            living.retain(|&id| nodes[id].alive);
        }
        for id in self.at.iter().flatten().copied() {
            if nodes[id].covered_by.is_some_and(|by| pruned.binary_search(&by).is_ok()) {
                nodes[id].covered_by = None;
                self.pending.push_back(id);
            }
        }
        while self.nodes.last().is_some_and(|n| !n.alive) {
            self.nodes.pop();
        }
        self.pending.push_front(pivot);
    }
}

impl<S: System> Exploration<S> for Tree {
    fn explore(&mut self, run: &mut Run<'_, S>) -> Result<Option<AbstractTrace<S::Edge>>, Interrupted> {
        while let Some(node) = self.pending.pop_front() {
            self.nodes[node].covered_by = self.coverer(run, node);
            if self.nodes[node].covered_by.is_some() {
                continue;
            }
            if let Some(trace) = self.expand(run, node)? {
                return Ok(Some(trace));
            }
            run.abstraction.diagrams.maybe_reorder();
        }
        Ok(None)
    }

    fn refined(&mut self, run: &mut Run<'_, S>, trace: &AbstractTrace<S::Edge>, start: usize) -> bool {
        let outdated = trace.first_outdated(run, start);
        if let Some(m) = outdated {
            let nothing = run.abstraction.diagrams.fals();
            self.prune(self.way[m - 1], &nothing);
        }
        outdated.is_some()
    }

    fn restart(&mut self, run: &Run<'_, S>) {
        *self = Tree::new(run);
    }

    fn invariants(&self, run: &mut Run<'_, S>) -> Result<Invariants, Interrupted> {
        let union = |nodes: &Vec<NodeId>| {
            let mut union = run.abstraction.diagrams.fals();
            for &id in nodes {
                union = run.abstraction.diagrams.or(&union, &self.nodes[id].region)?;
            }
            Ok(union)
        };
        let reached: Vec<Bdd> = self.at.iter().map(union).collect::<Result<_, Interrupted>>()?;
        run.invariants(&reached)
    }

    fn states(&self) -> usize {
        self.at.iter().map(Vec::len).sum()
    }
}
