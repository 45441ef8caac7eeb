//! The automaton that is made, and where in it the walk is.

use super::graph::{Graph, Node};
use tamis_program::{Command, Event, Mark, Source};

/// Where the next edge goes from.
pub(super) struct Cursor {
    pub(super) graph: Graph,
    /// The node that the walk is at, or nothing where control cannot be.
    pub(super) here: Option<Node>,
    /// The node of a violation.
    pub(super) error: Node,
    /// The undefined behaviour that what is computed here can run into, for the next edge.
    pub(super) marks: Vec<Mark>,
    /// The place of the last edge.
    last_source: Source,
}

impl Cursor {
    pub(super) fn new(graph: Graph, here: Node, error: Node, source: Source) -> Cursor {
        Cursor { graph, here: Some(here), error, marks: Vec::new(), last_source: source }
    }

    /// An edge from here, if control can be here; the walk stays.
    pub(super) fn edge(&mut self, to: Node, command: Command, source: Source, event: Event) {
        if let Some(from) = self.here {
            self.last_source = source;
            self.graph.edge(from, to, command, source, event, self.marks.clone());
        }
    }

    /// Follows an edge that was made from here.
    pub(super) fn follow(&mut self, to: Node) {
        self.marks.clear();
        if self.here.is_some() {
            self.here = Some(to);
        }
    }

    /// Goes on at another place: here is that place from now on.
    pub(super) fn jump(&mut self, to: Node) {
        let marks = std::mem::take(&mut self.marks);
        if let Some(from) = self.here.take() {
            if marks.is_empty() {
                self.graph.merge(from, to);
            } else {
                // What was computed on this way says nothing of others that come here.
                let nothing = Command::Assume(self.graph.always());
                self.graph.edge(from, to, nothing, self.last_source, Event::Step, marks);
            }
        }
    }

    /// Goes on at a place, if anything led to it.
    pub(super) fn resume(&mut self, at: Node) {
        self.marks.clear();
        self.here = self.graph.is_reached(at).then_some(at);
    }

    /// Goes on at a place that others may have jumped to.
    pub(super) fn join(&mut self, at: Node) {
        self.jump(at);
        self.resume(at);
    }

    /// Goes on at a place that others may jump to later.
    pub(super) fn land(&mut self, at: Node) {
        self.jump(at);
        self.here = Some(at);
    }
}
