//! The proof forest: why the nodes of a class are equal.
//!
//! Every merge adds one edge, between the two nodes that it was asked to merge, labelled with its reason. So the edges
//! form a tree on each class, and between two equal nodes there is exactly one path. It consists of edges that were
//! there when the two became equal, and stays the same however much is merged later: an explanation along it never
//! uses what came after the fact it explains, without any time stamps.

use super::Node;
use crate::Literal;

/// Why two nodes were merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    /// A literal says so.
    Asserted(Literal),
    /// Another theory says so: where the literals from which it concluded that begin and end in the list of them.
    External(u32, u32),
    /// Both are applications of one function, or both equalities, and their arguments are equal in order, or crosswise
    /// if `crossed`. The order must be recorded: when all four are equal, both readings hold, but
    /// only one of them was the reason.
    Congruence { crossed: bool },
    /// One is an equality with equal sides, the other is truth.
    Reflexivity,
    /// One is an equality whose sides equal distinct values, the other is falsity.
    Distinctness,
}

#[derive(Clone, Copy)]
struct Edge {
    to: Node,
    reason: Reason,
}

/// Trees over the classes. Which node is the root means nothing.
#[derive(Default)]
pub(super) struct Forest {
    edges: Vec<Option<Edge>>,
    /// Within one explanation, leads towards the root over edges that are explained already: a union-find structure
    /// of its own, as in the paper, so that no edge is explained or walked twice.
    explained: Vec<Node>,
    /// The nodes whose `explained` is not themselves.
    touched: Vec<Node>,
    /// The search for a common ancestor that last came along.
    visited: Vec<u64>,
    search: u64,
}

impl Forest {
    /// A tree of its own for a new node.
    pub(super) fn add(&mut self, node: Node) {
        self.edges.push(None);
        self.explained.push(node);
        self.visited.push(0);
    }

    /// Adds an edge between two trees. That of `from` is turned to have `from` as its root: it should be the smaller.
    pub(super) fn link(&mut self, from: Node, to: Node, reason: Reason) {
        let (mut node, mut edge) = (from, Some(Edge { to, reason }));
        while let Some(new) = edge {
            edge = self.edges[node.index()].replace(new);
            if let Some(old) = &mut edge {
                std::mem::swap(&mut node, &mut old.to);
            }
        }
    }

    /// Removes the edge between two nodes, whichever way it has been turned since.
    pub(super) fn cut(&mut self, a: Node, b: Node) {
        let end = if self.edges[a.index()].is_some_and(|edge| edge.to == b) { a } else { b };
        self.edges[end.index()] = None;
    }

    /// Calls `explain` with each edge on the path between two nodes of one tree that was not explained before in this
    /// explanation.
    pub(super) fn walk(&mut self, a: Node, b: Node, mut explain: impl FnMut(Node, Node, Reason)) {
        let meet = self.common_ancestor(a, b);
        for start in [a, b] {
            let mut node = self.highest(start);
            while node != meet {
                let Some(edge) = self.edges[node.index()] else { break };
                explain(node, edge.to, edge.reason);
                self.explained[node.index()] = edge.to;
                self.touched.push(node);
                node = self.highest(edge.to);
            }
        }
    }

    /// Ends an explanation.
    pub(super) fn finish(&mut self) {
        for node in self.touched.drain(..) {
            self.explained[node.index()] = node;
        }
    }

    /// The last node on the way to the root that explained edges lead to.
    fn highest(&mut self, node: Node) -> Node {
        let mut top = node;
        while self.explained[top.index()] != top {
            top = self.explained[top.index()];
        }
        let mut at = node;
        while at != top {
            at = std::mem::replace(&mut self.explained[at.index()], top);
        }
        top
    }

    /// Where the ways of two nodes to the root meet. Both are climbed in turns, so the cost is that of the longer way to
    /// the meeting point, not to the root.
    fn common_ancestor(&mut self, a: Node, b: Node) -> Node {
        self.search += 1;
        let mut climbers = [Some(a), Some(b)];
        loop {
            assert!(climbers.iter().any(Option::is_some), "only equal nodes have an explanation");
            for climber in &mut climbers {
                let Some(node) = *climber else { continue };
                let node = self.highest(node);
                if std::mem::replace(&mut self.visited[node.index()], self.search) == self.search {
                    return node;
                }
                *climber = self.edges[node.index()].map(|edge| edge.to);
            }
        }
    }
}
