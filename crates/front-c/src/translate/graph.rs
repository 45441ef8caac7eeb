//! The automaton while it is being made.
//!
//! A jump is not an edge: the place it leaves and the place it goes to become one (union-find), so structured
//! control flow costs no `assume true` edges.

use rustc_hash::FxHashMap;
use tamis_program::{Builder, Command, Event, FrameId, Location, Program, Source};

/// A control location before merging.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node(u32);

struct Edge {
    from: Node,
    to: Node,
    command: Command,
    source: Source,
    event: Event,
}

/// Nodes and edges.
#[derive(Default)]
pub(super) struct Graph {
    parents: Vec<u32>,
    frames: Vec<FrameId>,
    edges: Vec<Edge>,
    /// Whether control comes to a node, by an edge or a jump.
    reached: Vec<bool>,
}

impl Graph {
    pub(super) fn node(&mut self, frame: FrameId) -> Node {
        self.parents.push(self.parents.len() as u32);
        self.frames.push(frame);
        self.reached.push(false);
        Node(self.parents.len() as u32 - 1)
    }

    pub(super) fn edge(&mut self, from: Node, to: Node, command: Command, source: Source, event: Event) {
        self.reached[to.0 as usize] = true;
        self.edges.push(Edge { from, to, command, source, event });
    }

    /// Whether anything has led to a node so far.
    pub(super) fn is_reached(&self, node: Node) -> bool {
        self.reached[node.0 as usize]
    }

    pub(super) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Makes `from` the same place as `to`. Nothing may leave `from` by itself, now or later.
    pub(super) fn merge(&mut self, from: Node, to: Node) {
        self.reached[to.0 as usize] = true;
        let (from, to) = (self.find(from), self.find(to));
        self.parents[from.0 as usize] = to.0;
    }

    fn find(&mut self, node: Node) -> Node {
        let mut at = node.0;
        while self.parents[at as usize] != at {
            let up = self.parents[at as usize];
            self.parents[at as usize] = self.parents[up as usize];
            at = up;
        }
        Node(at)
    }

    /// The program of what `entry` reaches.
    pub(super) fn finish(mut self, mut builder: Builder, entry: Node, error: Node) -> Program {
        let mut edges = std::mem::take(&mut self.edges);
        for edge in &mut edges {
            (edge.from, edge.to) = (self.find(edge.from), self.find(edge.to));
        }
        let (entry, error) = (self.find(entry), self.find(error));
        let mut outgoing: Vec<Vec<u32>> = vec![Vec::new(); self.parents.len()];
        for (i, edge) in edges.iter().enumerate() {
            outgoing[edge.from.0 as usize].push(i as u32);
        }
        let mut reached = vec![false; self.parents.len()];
        let mut work = vec![entry];
        reached[entry.0 as usize] = true;
        while let Some(node) = work.pop() {
            for &i in &outgoing[node.0 as usize] {
                let to = edges[i as usize].to;
                if !std::mem::replace(&mut reached[to.0 as usize], true) {
                    work.push(to);
                }
            }
        }
        reached[error.0 as usize] = true;
        let mut locations: FxHashMap<u32, Location> = FxHashMap::default();
        for (i, &frame) in self.frames.iter().enumerate() {
            if reached[i] {
                locations.insert(i as u32, builder.location(frame));
            }
        }
        for edge in edges {
            if let (true, Some(&from), Some(&to)) =
                (reached[edge.from.0 as usize], locations.get(&edge.from.0), locations.get(&edge.to.0))
            {
                builder.edge(from, to, edge.command, edge.source, edge.event);
            }
        }
        builder.finish(locations[&entry.0], locations[&error.0])
    }
}
