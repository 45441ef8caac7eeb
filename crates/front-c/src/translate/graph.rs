//! The automaton while it is being made.
//!
//! A jump is not an edge: the place it leaves and the place it goes to become one (union-find), so structured
//! control flow costs no `assume true` edges.

use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::Term;
use tamis_program::{Builder, Command, Event, FrameId, Location, Mark, Program, Source, Var};

/// A control location before merging.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node(u32);

struct Edge {
    from: Node,
    to: Node,
    command: Command,
    source: Source,
    event: Event,
    marks: Vec<Mark>,
}

/// Nodes and edges.
pub(super) struct Graph {
    /// The guard of an edge that does nothing.
    always: Term,
    parents: Vec<u32>,
    frames: Vec<FrameId>,
    edges: Vec<Edge>,
    /// Whether control comes to a node, by an edge or a jump.
    reached: Vec<bool>,
}

impl Graph {
    pub(super) fn new(always: Term) -> Graph {
        Graph { always, parents: Vec::new(), frames: Vec::new(), edges: Vec::new(), reached: Vec::new() }
    }

    /// The guard of an edge that does nothing.
    pub(super) fn always(&self) -> Term {
        self.always
    }

    pub(super) fn node(&mut self, frame: FrameId) -> Node {
        self.parents.push(self.parents.len() as u32);
        self.frames.push(frame);
        self.reached.push(false);
        Node(self.parents.len() as u32 - 1)
    }

    pub(super) fn edge(
        &mut self,
        from: Node,
        to: Node,
        command: Command,
        source: Source,
        event: Event,
        marks: Vec<Mark>,
    ) {
        self.reached[to.0 as usize] = true;
        self.edges.push(Edge { from, to, command, source, event, marks });
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

    /// The value that a variable has ever after its only assignment, as it was assigned: nothing that it was computed
    /// from changes behind that.
    pub(super) fn lasting_value(&mut self, var: Var, is_part: impl Fn(Term, Var) -> bool) -> Option<Term> {
        let writes = |command: &Command| match command {
            Command::Assign(v, _) | Command::Havoc(v, _) => Some(*v),
            _ => None,
        };
        let mut only = None;
        for (index, edge) in self.edges.iter().enumerate().filter(|(_, e)| writes(&e.command) == Some(var)) {
            match edge.command {
                Command::Assign(_, value) if only.is_none() => only = Some((index, value)),
                _ => return None,
            }
        }
        let (index, value) = only?;
        let ends: Vec<(u32, u32)> = (0..self.edges.len())
            .map(|i| (self.edges[i].from, self.edges[i].to))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|(from, to)| (self.find(from).0, self.find(to).0))
            .collect();
        let mut outgoing: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (i, &(from, _)) in ends.iter().enumerate() {
            outgoing.entry(from).or_default().push(i);
        }
        let mut seen: FxHashSet<u32> = [ends[index].1].into_iter().collect();
        let mut work = vec![ends[index].1];
        while let Some(node) = work.pop() {
            for &i in outgoing.get(&node).into_iter().flatten() {
                if writes(&self.edges[i].command).is_some_and(|v| is_part(value, v)) {
                    return None;
                }
                if seen.insert(ends[i].1) {
                    work.push(ends[i].1);
                }
            }
        }
        Some(value)
    }

    /// The variables that commands write.
    pub(super) fn written(&self) -> FxHashSet<Var> {
        let var = |edge: &Edge| match edge.command {
            Command::Assign(var, _) | Command::Havoc(var, _) => Some(var),
            Command::Assume(_) => None,
        };
        self.edges.iter().filter_map(var).collect()
    }

    /// The terms of commands and marks.
    pub(super) fn terms(&self) -> Vec<Term> {
        let term = |edge: &Edge| match edge.command {
            Command::Assign(_, term) | Command::Assume(term) => Some(term),
            Command::Havoc(..) => None,
        };
        let marked = self.edges.iter().flat_map(|edge| edge.marks.iter().map(|mark| mark.when));
        self.edges.iter().filter_map(term).chain(marked).collect()
    }

    /// Changes marks; those are kept for which the answer is yes.
    pub(super) fn for_marks(&mut self, mut change: impl FnMut(&mut Mark) -> bool) {
        for edge in &mut self.edges {
            edge.marks.retain_mut(&mut change);
        }
    }

    /// Replaces every command by others, one after another, and the conditions of marks.
    pub(super) fn rewrite(&mut self, mut rewrite: impl FnMut(&Command, &mut [Mark]) -> Vec<Command>) {
        for mut edge in std::mem::take(&mut self.edges) {
            let mut commands = rewrite(&edge.command, &mut edge.marks);
            // The last one keeps the end and what the edge means to a reader.
            edge.command = match commands.pop() {
                Some(last) => last,
                None => Command::Assume(self.always),
            };
            for command in commands {
                let frame = self.frames[edge.from.0 as usize];
                let between = self.node(frame);
                let source = edge.source;
                // The marks are about the state before the first of them.
                let marks = std::mem::take(&mut edge.marks);
                self.edge(edge.from, between, command, source, Event::Step, marks);
                edge.from = between;
            }
            self.edges.push(edge);
        }
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
                let id = builder.edge(from, to, edge.command, edge.source, edge.event);
                edge.marks.into_iter().for_each(|mark| builder.mark(id, mark));
            }
        }
        builder.finish(locations[&entry.0], locations[&error.0])
    }
}
