//! A program while passes work on it.

use super::trail::{TrailId, Trails};
use crate::automaton::{Builder, Command, Edge, EdgeId, Event, Location, Program, Var};
use crate::flow::Flow;
use crate::liveness::Reads;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Term, Terms};

/// An edge of a [`Draft`].
#[derive(Clone, Debug)]
pub(crate) struct DraftEdge {
    pub edge: Edge,
    /// The original edge whose command this one has.
    pub command_of: EdgeId,
    pub trail: TrailId,
}

/// A program whose edges come and go. Locations and variables keep their ids until the end.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    pub original: &'a Program,
    pub trails: Trails,
    edges: Vec<Option<DraftEdge>>,
    outgoing: Vec<Vec<EdgeId>>,
    incoming: Vec<Vec<EdgeId>>,
}

impl<'a> Draft<'a> {
    pub fn new(original: &'a Program) -> Draft<'a> {
        let mut trails = Trails::default();
        let edges = original
            .edge_ids()
            .map(|id| {
                let edge = original.edge(id).clone();
                Some(DraftEdge { edge, command_of: id, trail: trails.edge(id) })
            })
            .collect();
        let by = |of: &dyn Fn(Location) -> &'a [EdgeId]| {
            original.locations().map(|l| of(l).to_vec()).collect::<Vec<_>>()
        };
        let outgoing = by(&|l| original.outgoing(l));
        let incoming = by(&|l| original.incoming(l));
        Draft { original, trails, edges, outgoing, incoming }
    }

    pub fn edge_ids(&self) -> Vec<EdgeId> {
        (0..self.edges.len() as u32).map(EdgeId).filter(|e| self.edges[e.index()].is_some()).collect()
    }

    pub fn data(&self, e: EdgeId) -> &DraftEdge {
        self.edges[e.index()].as_ref().expect("an edge that was not removed")
    }

    pub fn edge(&self, e: EdgeId) -> &Edge {
        &self.data(e).edge
    }

    fn data_mut(&mut self, e: EdgeId) -> &mut DraftEdge {
        self.edges[e.index()].as_mut().expect("an edge that was not removed")
    }

    pub fn outgoing(&self, l: Location) -> &[EdgeId] {
        &self.outgoing[l.index()]
    }

    pub fn incoming(&self, l: Location) -> &[EdgeId] {
        &self.incoming[l.index()]
    }

    pub fn set_command(&mut self, e: EdgeId, command: Command) {
        self.data_mut(e).edge.command = command;
    }

    pub fn set_event(&mut self, e: EdgeId, event: Event) {
        self.data_mut(e).edge.event = event;
    }

    pub fn set_trail(&mut self, e: EdgeId, trail: TrailId) {
        self.data_mut(e).trail = trail;
    }

    pub fn remove(&mut self, e: EdgeId) {
        if let Some(data) = self.edges[e.index()].take() {
            self.outgoing[data.edge.from.index()].retain(|&o| o != e);
            self.incoming[data.edge.to.index()].retain(|&i| i != e);
        }
    }

    /// Removes the edges that `keep` rejects.
    pub fn retain(&mut self, keep: impl Fn(EdgeId, &Edge) -> bool) {
        for (i, slot) in self.edges.iter_mut().enumerate() {
            if slot.as_ref().is_some_and(|data| !keep(EdgeId(i as u32), &data.edge)) {
                *slot = None;
            }
        }
        for list in self.outgoing.iter_mut().chain(&mut self.incoming) {
            list.retain(|e| self.edges[e.index()].is_some());
        }
    }

    /// Lets all edges into one location lead to another; returns them.
    pub fn redirect_all(&mut self, from: Location, to: Location) -> Vec<EdgeId> {
        let edges = std::mem::take(&mut self.incoming[from.index()]);
        for &e in &edges {
            self.data_mut(e).edge.to = to;
        }
        self.incoming[to.index()].extend(&edges);
        edges
    }

    pub fn start_at(&mut self, e: EdgeId, from: Location) {
        let old = std::mem::replace(&mut self.data_mut(e).edge.from, from);
        self.outgoing[old.index()].retain(|&o| o != e);
        self.outgoing[from.index()].push(e);
    }

    /// Whether an edge neither waits for anything nor changes anything.
    pub fn is_skip(&self, terms: &Terms, e: EdgeId) -> bool {
        matches!(self.edge(e).command, Command::Assume(g) if terms.is_true(g))
    }

    /// How much there is: edges that do something, and all edges.
    pub fn size(&self, terms: &Terms) -> usize {
        let edges = self.edge_ids();
        edges.iter().filter(|&&e| !self.is_skip(terms, e)).count() + edges.len()
    }

    /// The program as it stands now, without locations and variables that no edge uses, and for each of its edges the
    /// draft's.
    pub fn build(&self, terms: &Terms) -> (Program, Vec<DraftEdge>) {
        let mut reads = Reads::new(terms);
        let kept: Vec<DraftEdge> = self.edge_ids().into_iter().map(|e| self.data(e).clone()).collect();
        let mut used: FxHashSet<Var> = FxHashSet::default();
        let mut at: FxHashSet<Location> =
            [self.original.entry(), self.original.error()].into_iter().collect();
        for DraftEdge { edge, .. } in &kept {
            at.extend([edge.from, edge.to]);
            match &edge.command {
                Command::Assign(v, value) => {
                    used.insert(*v);
                    used.extend(reads.of(self, *value));
                }
                Command::Havoc(v, _) => {
                    used.insert(*v);
                }
                Command::Assume(guard) => used.extend(reads.of(self, *guard)),
            }
        }
        let mut builder = Builder::like(self.original);
        let mut vars: FxHashMap<Var, Var> = FxHashMap::default();
        for v in self.original.vars().filter(|v| used.contains(v)) {
            vars.insert(v, builder.existing_variable(self.original.variable(v).clone()));
        }
        let mut locations: FxHashMap<Location, Location> = FxHashMap::default();
        for l in self.all_locations().filter(|l| at.contains(l)) {
            locations.insert(l, builder.location(self.original.frame_of(l)));
        }
        for DraftEdge { edge, .. } in &kept {
            let command = match &edge.command {
                Command::Assign(v, value) => Command::Assign(vars[v], *value),
                Command::Havoc(v, why) => Command::Havoc(vars[v], why.clone()),
                Command::Assume(guard) => Command::Assume(*guard),
            };
            builder.edge(
                locations[&edge.from],
                locations[&edge.to],
                command,
                edge.source,
                edge.event.clone(),
            );
        }
        let program = builder.finish(locations[&self.original.entry()], locations[&self.original.error()]);
        (program, kept)
    }
}

impl Flow for Draft<'_> {
    fn entry(&self) -> Location {
        self.original.entry()
    }

    fn error(&self) -> Location {
        self.original.error()
    }

    fn location_bound(&self) -> usize {
        self.outgoing.len()
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
        self.original.variables().len()
    }

    fn variable_of(&self, term: Term) -> Option<Var> {
        self.original.var_of(term)
    }
}
