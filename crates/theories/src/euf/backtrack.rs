//! Levels, and what has to be done to come back to one.

use super::outbox::Mark;
use super::{CongruenceClosure, Node};

/// What changed, so that it can be changed back.
#[derive(Clone, Copy, Debug)]
pub(super) enum Undo {
    /// The class of `small` was renamed after `big`, by an edge between `a` and `b`.
    Merge { small: Node, big: Node, a: Node, b: Node },
    /// The atom with this number was asserted.
    Asserted(usize),
    /// The term became a parent of the classes of its arguments.
    Parent(Node),
}

/// Something that was made above level 0. It stays, but its effects on the state are undone with the level, and
/// have to be brought about again in the state of the level below.
#[derive(Clone, Copy, Debug)]
pub(super) enum Late {
    /// A term with arguments.
    Node(Node),
    /// The atom with this number.
    Atom(usize),
}

/// Where everything was when a level was opened.
pub(super) struct Level {
    trail: usize,
    signatures: usize,
    external: usize,
    implied: Mark,
}

impl CongruenceClosure {
    pub(super) fn open_level(&mut self) {
        self.levels.push(Level {
            trail: self.trail.len(),
            signatures: self.signatures.len(),
            external: self.external.len(),
            implied: self.implied.mark(),
        });
    }

    pub(super) fn close_levels(&mut self, levels: usize) {
        let target = self.levels.len().saturating_sub(levels);
        let Some(level) = self.levels.drain(target..).next() else { return };
        self.pending.clear();
        for undo in self.trail.drain(level.trail..).rev() {
            match undo {
                Undo::Merge { small, big, a, b } => {
                    self.classes.split(small, big);
                    self.proof.cut(a, b);
                }
                Undo::Asserted(number) => self.atoms.set_asserted(number, None),
                Undo::Parent(node) => {
                    self.terms
                        .arguments(node)
                        .iter()
                        .for_each(|&argument| self.classes.lose_parent(argument));
                }
            }
        }
        self.signatures.truncate(level.signatures);
        self.external.truncate(level.external);
        self.implied.restore(level.implied);
        self.conflict.take_if(|(at, _)| *at > target);
        self.renew_late(target);
    }

    /// Remembers how to undo what was done. At level 0 nothing ever is.
    pub(super) fn record(&mut self, undo: Undo) {
        if !self.levels.is_empty() {
            self.trail.push(undo);
        }
    }

    /// Remembers what has to be entered anew when the present level is closed.
    pub(super) fn enter_late(&mut self, late: Late) {
        if !self.levels.is_empty() {
            self.late.push((self.levels.len(), late));
        }
    }

    /// Enters anew what was entered only above level `target`. The levels in the list never decrease, so this is its
    /// end; it is entered in the order in which it was made.
    ///
    /// No conflict can come of it: no literal that is still asserted mentions these terms, and each of them is congruent
    /// to the terms of one class at most.
    fn renew_late(&mut self, target: usize) {
        let start = self.late.partition_point(|&(level, _)| level <= target);
        for at in start..self.late.len() {
            let late = self.late[at].1;
            self.late[at].0 = target;
            match late {
                Late::Node(node) => self.attach(node),
                Late::Atom(number) => self.imply_if_known(number),
            }
        }
        if target == 0 {
            self.late.clear();
        }
        self.close();
    }

    /// Enters a term that the state knows nothing of: a new one, or one whose level was closed.
    pub(super) fn attach(&mut self, node: Node) {
        self.terms.arguments(node).iter().for_each(|&argument| self.classes.gain_parent(argument));
        self.record(Undo::Parent(node));
        self.enter(node);
    }
}
