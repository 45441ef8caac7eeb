//! Explanations: the asserted literals from which something follows.

use super::closure::Merge;
use super::proof::Reason;
use super::terms::Head;
use super::{CongruenceClosure, Node};
use crate::{Conflict, Literal};

/// What an explanation still has to account for.
#[derive(Default)]
struct Work {
    /// Merges, each for the reason it has.
    edges: Vec<Merge>,
    /// Equal nodes.
    pairs: Vec<(Node, Node)>,
}

impl CongruenceClosure {
    /// Appends asserted literals from which `a = b` follows, all asserted before the two became equal.
    ///
    /// # Panics
    ///
    /// If the two are not [the same](CongruenceClosure::same).
    pub fn explain_equality(&mut self, a: Node, b: Node, reasons: &mut Vec<Literal>) {
        self.explain_all(Work { pairs: vec![(a, b)], edges: vec![] }, reasons);
    }

    /// Appends asserted literals from which `a ≠ b` follows. They are asserted now; there may be a reason that is older.
    ///
    /// # Panics
    ///
    /// If the two are not known to be [disequal](CongruenceClosure::disequal).
    pub fn explain_disequality(&mut self, a: Node, b: Node, reasons: &mut Vec<Literal>) {
        let mut work = Work::default();
        if self.distinct_values(a, b) {
            self.values_of(a, b, &mut work);
        } else {
            let equality = self.false_equality(a, b).expect("only disequal nodes have an explanation");
            let is_straight = self.same(a, self.terms.sides(equality).0);
            self.why_false(equality, if is_straight { (a, b) } else { (b, a) }, &mut work);
        }
        self.explain_all(work, reasons);
    }

    /// Appends asserted literals from which it follows that the node of an atom has a truth value.
    pub(super) fn explain_truth(&mut self, node: Node, positive: bool, reasons: &mut Vec<Literal>) {
        let mut work = Work::default();
        self.why_value(node, self.truth(positive), &mut work);
        self.explain_all(work, reasons);
    }

    /// Records the conflict of a merge of two nodes that equal distinct values.
    pub(super) fn conflict_of(&mut self, merge: Merge, value_a: Node, value_b: Node) {
        let mut work = Work { edges: vec![merge], pairs: vec![] };
        self.why_value(merge.a, value_a, &mut work);
        self.why_value(merge.b, value_b, &mut work);
        let mut reasons = Vec::new();
        self.explain_all(work, &mut reasons);
        self.conflict = Some((self.levels.len(), Conflict(reasons)));
    }

    /// What explains that a node equals a value. The path between the two does, but for equalities there are shorter
    /// ways.
    fn why_value(&mut self, node: Node, value: Node, work: &mut Work) {
        if self.terms.head(node) != Head::Equality {
            work.pairs.push((node, value));
        } else if value == self.truth(true) {
            work.pairs.push(self.terms.sides(node));
        } else {
            self.why_false(node, self.terms.sides(node), work);
        }
    }

    /// What explains that an equality is false; `sides` are equal to its sides, in this order.
    ///
    /// The path from an equality to falsity leads over congruent equalities to one that was asserted, or has distinct
    /// values for sides. Explaining step by step would bring in the equality of the sides to those of all equalities on
    /// the way; only those of the last matter.
    fn why_false(&mut self, equality: Node, (a, b): (Node, Node), work: &mut Work) {
        let falsity = self.truth(false);
        let (mut last, mut is_crossed) = (None, false);
        self.proof.walk(equality, falsity, |a, b, reason| match reason {
            Reason::Congruence { crossed } => is_crossed ^= crossed,
            _ => last = Some(Merge { a, b, reason }),
        });
        self.proof.finish();
        match last {
            Some(edge) if edge.reason != Reason::Distinctness => {
                let (c, d) = self.terms.sides(self.equality_of(edge.a, edge.b));
                work.pairs.extend(if is_crossed { [(a, d), (b, c)] } else { [(a, c), (b, d)] });
                work.edges.push(edge);
            }
            _ => self.values_of(a, b, work),
        }
    }

    /// Asks why two nodes equal the values that they equal. A class has one value, and keeps it: this is the one that it
    /// had when that was first used.
    fn values_of(&self, a: Node, b: Node, work: &mut Work) {
        work.pairs.extend([a, b].iter().filter_map(|&node| Some((node, self.classes.value(node)?))));
    }

    /// The procedure `Explain` of *Proof-producing congruence closure*, with what is still to be explained in a list
    /// instead of on the stack. What it appends is sorted and without repetitions.
    fn explain_all(&mut self, mut work: Work, reasons: &mut Vec<Literal>) {
        let before = reasons.len();
        loop {
            while let Some(edge) = work.edges.pop() {
                self.explain_edge(edge, &mut work, reasons);
            }
            let Some((a, b)) = work.pairs.pop() else { break };
            self.proof.walk(a, b, |a, b, reason| work.edges.push(Merge { a, b, reason }));
        }
        self.proof.finish();
        let mut found = reasons.split_off(before);
        found.sort_unstable();
        found.dedup();
        reasons.append(&mut found);
    }

    /// Reduces the reason of one merge to literals and equalities that are to be explained in turn.
    fn explain_edge(&self, Merge { a, b, reason }: Merge, work: &mut Work, reasons: &mut Vec<Literal>) {
        match reason {
            Reason::Asserted(literal) => reasons.push(literal),
            Reason::External(start, end) => {
                reasons.extend_from_slice(&self.external[start as usize..end as usize]);
            }
            Reason::Congruence { crossed: false } => {
                let arguments = self.terms.arguments(a).iter().copied();
                work.pairs.extend(arguments.zip(self.terms.arguments(b).iter().copied()));
            }
            Reason::Congruence { crossed: true } => {
                let ((a, b), (c, d)) = (self.terms.sides(a), self.terms.sides(b));
                work.pairs.extend([(a, d), (b, c)]);
            }
            Reason::Reflexivity => work.pairs.push(self.terms.sides(self.equality_of(a, b))),
            Reason::Distinctness => {
                let (a, b) = self.terms.sides(self.equality_of(a, b));
                self.values_of(a, b, work);
            }
        }
    }

    /// The one of two merged nodes that is an equality, where the other is a truth value.
    fn equality_of(&self, a: Node, b: Node) -> Node {
        if self.terms.head(a) == Head::Equality { a } else { b }
    }
}
