//! The closure itself: merging, and finding what is congruent.

use super::backtrack::Undo;
use super::proof::Reason;
use super::terms::{Head, hash};
use super::{CongruenceClosure, Node};

/// Two nodes that are to be merged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Merge {
    pub(super) a: Node,
    pub(super) b: Node,
    pub(super) reason: Reason,
}

impl CongruenceClosure {
    pub(super) fn enqueue(&mut self, a: Node, b: Node, reason: Reason) {
        self.pending.push_back(Merge { a, b, reason });
    }

    /// Makes the pending merges and those that follow from them, in the order in which they arise: this keeps
    /// explanations short. Stops at the first conflict.
    pub(super) fn close(&mut self) {
        while self.conflict.is_none()
            && let Some(merge) = self.pending.pop_front()
        {
            self.merge(merge);
        }
    }

    fn merge(&mut self, Merge { mut a, mut b, reason }: Merge) {
        if self.classes.same(a, b) {
            return;
        }
        if let (Some(value_a), Some(value_b)) = (self.classes.value(a), self.classes.value(b)) {
            self.conflict_of(Merge { a, b, reason }, value_a, value_b);
            return;
        }
        if self.classes.weight(a) > self.classes.weight(b) {
            std::mem::swap(&mut a, &mut b);
        }
        let (small, big) = (self.classes.find(a), self.classes.find(b));
        let (value_small, value_big) = (self.classes.value(small), self.classes.value(big));
        self.proof.link(a, b, reason);
        self.classes.join(small, big);
        self.for_each_member(small, |closure, member| {
            for at in 0..closure.terms.parents(member).len() {
                closure.enter(closure.terms.parents(member)[at]);
            }
        });
        if let Some(value) = value_big {
            self.for_each_member(small, |closure, member| closure.imply_atoms(member, value));
        }
        if let Some(value) = value_small {
            self.for_each_member(big, |closure, member| {
                closure.imply_atoms(member, value);
                closure.renew_equalities(member);
            });
        }
        self.classes.splice(small, big);
        self.record(Undo::Merge { small, big, a, b });
    }

    fn for_each_member(&mut self, start: Node, mut action: impl FnMut(&mut CongruenceClosure, Node)) {
        let mut member = start;
        loop {
            action(self, member);
            member = self.classes.successor(member);
            if member == start {
                break;
            }
        }
    }

    /// Enters a term under its present signature: finds what it is congruent to, or lets others find it.
    pub(super) fn enter(&mut self, node: Node) {
        match self.terms.head(node) {
            Head::Equality => self.enter_equality(node),
            _ => self.enter_application(node),
        }
    }

    fn enter_application(&mut self, node: Node) {
        let (terms, classes) = (&self.terms, &self.classes);
        let (head, arguments) = (terms.head(node), terms.arguments(node));
        let hash = hash(head, arguments.iter().map(|&argument| classes.find(argument)));
        let congruent = self.signatures.find(hash, |other| {
            let others = terms.arguments(other);
            terms.head(other) == head
                && others.len() == arguments.len()
                && others.iter().zip(arguments).all(|(&a, &b)| classes.same(a, b))
        });
        match congruent {
            None => self.signatures.insert(hash, node),
            Some(other) if classes.same(other, node) => {}
            Some(other) => self.enqueue(node, other, Reason::Congruence { crossed: false }),
        }
    }

    /// Equalities are commutative, and have a truth value when their sides are equal or have distinct values. In these
    /// two cases they need not be found by others, which see the same for themselves.
    fn enter_equality(&mut self, node: Node) {
        let (a, b) = self.terms.sides(node);
        if self.classes.same(a, b) {
            self.enqueue_unless_same(node, self.truth(true), Reason::Reflexivity);
        } else if self.distinct_values(a, b) {
            self.enqueue_unless_same(node, self.truth(false), Reason::Distinctness);
        } else if let Some(other) = self.congruent_equality(a, b) {
            let crossed = !self.classes.same(a, self.terms.sides(other).0);
            self.enqueue_unless_same(node, other, Reason::Congruence { crossed });
        } else {
            self.signatures.insert(self.hash_of_equality(a, b), node);
        }
    }

    /// Looks at the equalities that `member` is a side of again after its class got a value.
    fn renew_equalities(&mut self, member: Node) {
        for at in 0..self.terms.parents(member).len() {
            let parent = self.terms.parents(member)[at];
            if self.terms.head(parent) == Head::Equality {
                let (a, b) = self.terms.sides(parent);
                if self.distinct_values(a, b) {
                    self.enqueue_unless_same(parent, self.truth(false), Reason::Distinctness);
                }
            }
        }
    }

    fn enqueue_unless_same(&mut self, a: Node, b: Node, reason: Reason) {
        if !self.classes.same(a, b) {
            self.enqueue(a, b, reason);
        }
    }

    fn hash_of_equality(&self, a: Node, b: Node) -> u64 {
        let (a, b) = (self.classes.find(a), self.classes.find(b));
        hash(Head::Equality, [a.min(b), a.max(b)].into_iter())
    }

    /// An equality between the classes of two nodes, in either order.
    fn congruent_equality(&self, a: Node, b: Node) -> Option<Node> {
        let (terms, classes) = (&self.terms, &self.classes);
        self.signatures.find(self.hash_of_equality(a, b), |other| {
            terms.head(other) == Head::Equality && {
                let (c, d) = terms.sides(other);
                classes.same(a, c) && classes.same(b, d) || classes.same(a, d) && classes.same(b, c)
            }
        })
    }

    /// Whether two nodes equal distinct values.
    pub(super) fn distinct_values(&self, a: Node, b: Node) -> bool {
        match (self.classes.value(a), self.classes.value(b)) {
            (Some(a), Some(b)) => a != b,
            _ => false,
        }
    }

    /// An equality between the classes of two nodes that is known to be false.
    pub(super) fn false_equality(&self, a: Node, b: Node) -> Option<Node> {
        self.congruent_equality(a, b).filter(|&equality| self.classes.same(equality, self.truth(false)))
    }
}
