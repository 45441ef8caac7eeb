//! Atoms: what they mean, and which of them follow.

use super::backtrack::Late;
use super::terms::Head;
use super::{CongruenceClosure, Node};
use crate::{Atom, Literal};
use rustc_hash::FxHashMap;

/// The atoms of the closure. Each stands for a node: it holds if the node is equal to truth.
#[derive(Default)]
pub(super) struct Atoms {
    numbers: FxHashMap<Atom, usize>,
    entries: Vec<Entry>,
    /// For each node the latest atom that stands for it.
    latest: Vec<Option<usize>>,
}

#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) atom: Atom,
    pub(super) node: Node,
    pub(super) asserted: Option<bool>,
    /// The atom before this one that stands for the same node.
    next: Option<usize>,
}

impl Atoms {
    pub(super) fn add_node(&mut self) {
        self.latest.push(None);
    }

    pub(super) fn number(&self, atom: Atom) -> Option<usize> {
        self.numbers.get(&atom).copied()
    }

    pub(super) fn get(&self, number: usize) -> Entry {
        self.entries[number]
    }

    pub(super) fn is_asserted(&self, atom: Atom) -> bool {
        self.number(atom).is_some_and(|number| self.get(number).asserted.is_some())
    }

    pub(super) fn set_asserted(&mut self, number: usize, asserted: Option<bool>) {
        self.entries[number].asserted = asserted;
    }

    fn add(&mut self, atom: Atom, node: Node) -> usize {
        let number = self.entries.len();
        let next = self.latest[node.index()].replace(number);
        self.entries.push(Entry { atom, node, asserted: None, next });
        self.numbers.insert(atom, number);
        number
    }
}

impl CongruenceClosure {
    /// Makes `atom` mean `a = b`.
    ///
    /// An atom has one meaning, which it keeps: giving it again changes nothing.
    pub fn equality(&mut self, atom: Atom, a: Node, b: Node) {
        let equality = self.make_once(Head::Equality, &[a.min(b), a.max(b)]);
        self.register(atom, equality);
    }

    /// Makes `atom` mean that `node`, which is of truth values, is true; its negation, that it is false.
    ///
    /// An atom has one meaning, which it keeps: giving it again changes nothing.
    pub fn predicate(&mut self, atom: Atom, node: Node) {
        self.register(atom, node);
    }

    fn register(&mut self, atom: Atom, node: Node) {
        if let Some(number) = self.atoms.number(atom) {
            debug_assert_eq!(self.atoms.get(number).node, node, "{atom:?} has another meaning already");
            return;
        }
        let number = self.atoms.add(atom, node);
        self.enter_late(Late::Atom(number));
        self.imply_if_known(number);
    }

    /// Whether `atom` has a meaning here.
    pub fn knows(&self, atom: Atom) -> bool {
        self.atoms.number(atom).is_some()
    }

    /// The truth value that the asserted literals give to `atom`, if it is known here and they do.
    pub fn truth_of(&self, atom: Atom) -> Option<bool> {
        let node = self.atoms.get(self.atoms.number(atom)?).node;
        self.truth_of_value(self.classes.value(node)?)
    }

    /// Whether [`propagate`](crate::Theory::propagate) gives implied literals. Without, only conflicts are found: the
    /// configuration without theory propagation of \[SMT\] section 4.3.
    pub fn set_propagation(&mut self, propagation: bool) {
        if propagation && !self.propagation {
            self.propagation = true;
            for number in 0..self.atoms.entries.len() {
                self.enter_late(Late::Atom(number));
                self.imply_if_known(number);
            }
        }
        self.propagation = propagation;
    }

    /// Notes that the atoms that stand for `node` follow, which has just become equal to `value`.
    pub(super) fn imply_atoms(&mut self, node: Node, value: Node) {
        let Some(positive) = self.truth_of_value(value).filter(|_| self.propagation) else { return };
        let mut at = self.atoms.latest[node.index()];
        while let Some(number) = at {
            let entry = self.atoms.get(number);
            if entry.asserted.is_none() {
                self.implied.put(Literal::new(entry.atom, positive));
            }
            at = entry.next;
        }
    }

    /// Notes that an atom follows, if it does.
    pub(super) fn imply_if_known(&mut self, number: usize) {
        let Entry { atom, node, asserted, .. } = self.atoms.get(number);
        if self.propagation
            && asserted.is_none()
            && let Some(positive) = self.classes.value(node).and_then(|value| self.truth_of_value(value))
        {
            self.implied.put(Literal::new(atom, positive));
        }
    }

    fn truth_of_value(&self, value: Node) -> Option<bool> {
        [false, true].into_iter().find(|&truth| self.truth(truth) == value)
    }
}
