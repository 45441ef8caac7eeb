//! The ground terms, hash-consed.

use super::Node;
use super::table::Table;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// What stands at the head of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Head {
    /// Nothing is known of it, and it is equal to nothing else by itself.
    Constant,
    /// A value: distinct from every other value.
    Value,
    /// The application of a function.
    Apply(u32),
    /// The equality of its two arguments, a term like any other: it is congruent to the equalities between the same
    /// two classes, in either order, and it is in the class of a truth value as soon as that follows.
    Equality,
}

/// All terms that were ever made; none is ever forgotten.
#[derive(Default)]
pub(super) struct Terms {
    heads: Vec<Head>,
    /// Where the arguments of each node end; they begin where those of the node before it end.
    ends: Vec<u32>,
    arguments: Vec<Node>,
    /// For each node the nodes that it is an argument of. Kept per node, not per class, so that a merge need not
    /// concatenate them and nodes made above a level need no care when the merges of that level are undone.
    parents: Vec<Vec<Node>>,
    /// Applications and equalities by head and arguments.
    made: Table,
}

impl Terms {
    pub(super) fn len(&self) -> usize {
        self.heads.len()
    }

    pub(super) fn head(&self, node: Node) -> Head {
        self.heads[node.index()]
    }

    pub(super) fn arguments(&self, node: Node) -> &[Node] {
        let start = if node.index() == 0 { 0 } else { self.ends[node.index() - 1] as usize };
        &self.arguments[start..self.ends[node.index()] as usize]
    }

    /// The two sides of an equality.
    pub(super) fn sides(&self, equality: Node) -> (Node, Node) {
        let sides = self.arguments(equality);
        (sides[0], sides[1])
    }

    pub(super) fn parents(&self, node: Node) -> &[Node] {
        &self.parents[node.index()]
    }

    /// The application or equality that was made before with this head and these arguments.
    pub(super) fn find(&self, head: Head, arguments: &[Node]) -> Option<Node> {
        self.made.find(hash(head, arguments.iter().copied()), |node| {
            self.head(node) == head && self.arguments(node) == arguments
        })
    }

    /// A new node.
    pub(super) fn make(&mut self, head: Head, arguments: &[Node]) -> Node {
        let node = Node(u32::try_from(self.len()).expect("fewer than 2^32 nodes"));
        self.heads.push(head);
        self.arguments.extend_from_slice(arguments);
        self.ends.push(u32::try_from(self.arguments.len()).expect("fewer than 2^32 arguments"));
        self.parents.push(Vec::new());
        for argument in arguments {
            let parents = &mut self.parents[argument.index()];
            if parents.last() != Some(&node) {
                parents.push(node);
            }
        }
        if !matches!(head, Head::Constant | Head::Value) {
            self.made.insert(hash(head, arguments.iter().copied()), node);
        }
        node
    }
}

/// The hash of a head and arguments, or of the representatives of arguments.
pub(super) fn hash(head: Head, arguments: impl Iterator<Item = Node>) -> u64 {
    let mut hasher = FxHasher::default();
    head.hash(&mut hasher);
    for argument in arguments {
        hasher.write_u32(argument.0);
    }
    hasher.finish()
}
