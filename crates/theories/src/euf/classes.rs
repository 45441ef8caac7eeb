//! The partition of the nodes into classes.

use super::Node;

/// Classes with eager representatives: every node knows its representative, so looking it up is one read, and a merge
/// renames the lighter class. Undoing a merge renames it back.
#[derive(Default)]
pub(super) struct Classes {
    representative: Vec<Node>,
    /// The members of a class form a ring. Exchanging the successors of two nodes joins their rings, and exchanging
    /// them again splits them.
    next: Vec<Node>,
    /// For a representative: how many members the class has plus how many terms have an argument in it. This is the
    /// work of renaming it.
    weight: Vec<u32>,
    /// For a representative: the value in the class.
    value: Vec<Option<Node>>,
}

impl Classes {
    /// A class of its own for a new node.
    pub(super) fn add(&mut self, node: Node, is_value: bool) {
        self.representative.push(node);
        self.next.push(node);
        self.weight.push(1);
        self.value.push(is_value.then_some(node));
    }

    pub(super) fn find(&self, node: Node) -> Node {
        self.representative[node.index()]
    }

    pub(super) fn same(&self, a: Node, b: Node) -> bool {
        self.find(a) == self.find(b)
    }

    /// The value in the class of a node.
    pub(super) fn value(&self, node: Node) -> Option<Node> {
        self.value[self.find(node).index()]
    }

    pub(super) fn weight(&self, node: Node) -> u32 {
        self.weight[self.find(node).index()]
    }

    pub(super) fn gain_parent(&mut self, node: Node) {
        let class = self.find(node);
        self.weight[class.index()] += 1;
    }

    pub(super) fn lose_parent(&mut self, node: Node) {
        let class = self.find(node);
        self.weight[class.index()] -= 1;
    }

    pub(super) fn members(&self, node: Node) -> Members<'_> {
        Members { classes: self, first: node, next: Some(node) }
    }

    /// The member after `node` in the ring of its class.
    pub(super) fn successor(&self, node: Node) -> Node {
        self.next[node.index()]
    }

    /// Merges the class of the representative `small` into that of `big`, but leaves the rings apart until they are
    /// [spliced](Classes::splice), so that each class can still be walked by itself.
    pub(super) fn join(&mut self, small: Node, big: Node) {
        let (s, b) = (small.index(), big.index());
        self.weight[b] += self.weight[s];
        self.value[b] = self.value[b].or(self.value[s]);
        self.rename(small, big);
    }

    /// Joins the rings of two nodes that have different ones, or splits them again.
    pub(super) fn splice(&mut self, a: Node, b: Node) {
        self.next.swap(a.index(), b.index());
    }

    /// Undoes the latest join that is not undone yet, which was of these two, spliced. Two classes never have the same
    /// value, so if they agree, the bigger got it from the smaller.
    pub(super) fn split(&mut self, small: Node, big: Node) {
        let (s, b) = (small.index(), big.index());
        self.splice(small, big);
        self.weight[b] -= self.weight[s];
        if self.value[b] == self.value[s] {
            self.value[b] = None;
        }
        self.rename(small, small);
    }

    /// Gives all members of the ring of `start` the representative `to`.
    fn rename(&mut self, start: Node, to: Node) {
        let mut member = start;
        loop {
            self.representative[member.index()] = to;
            member = self.next[member.index()];
            if member == start {
                break;
            }
        }
    }
}

/// The members of a class.
pub(super) struct Members<'a> {
    classes: &'a Classes,
    first: Node,
    next: Option<Node>,
}

impl Iterator for Members<'_> {
    type Item = Node;

    fn next(&mut self) -> Option<Node> {
        let node = self.next?;
        self.next = Some(self.classes.successor(node)).filter(|&next| next != self.first);
        Some(node)
    }
}
