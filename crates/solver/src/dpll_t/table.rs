//! The terms that theories know.

use crate::circuit::Lit;
use crate::word::Word;
use rustc_hash::FxHashMap;
use tamis_logic::{FunctionId, Sort, Term};
use tamis_theories::arith::{LinearForm, Rational};
use tamis_theories::euf::Node;

/// An entry of the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct EntryId(pub u32);

impl EntryId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// `form + constant`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Number {
    pub form: LinearForm,
    pub constant: Rational,
}

impl Number {
    pub fn add(&mut self, factor: &Rational, other: &Number) {
        for (var, coefficient) in other.form.terms() {
            self.form.add(&(factor * coefficient), *var);
        }
        self.constant += &(factor * &other.constant);
    }

    /// `self - other`.
    pub fn minus(&self, other: &Number) -> Number {
        let mut difference = self.clone();
        difference.add(&Rational::from(-1), other);
        difference
    }
}

/// What other theories than equality know of an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Nothing: an element of a declared sort.
    Plain,
    /// A truth value; the congruence closure knows it as a predicate.
    Truth(Lit),
    /// A bit-vector.
    Word(Word),
    /// A number.
    Number(Number),
    /// An array.
    Array,
}

/// A term.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub node: Node,
    pub sort: Sort,
    pub kind: Kind,
    /// Whether it is an argument or the result of an application.
    pub shared: bool,
}

/// What is applied in an application.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Head {
    Function(FunctionId),
    Select,
    Store,
    ConstArray(Sort),
    /// The element that an array has at the indices that no store in the formula writes: see `arrays`.
    Default,
}

/// An application and its result.
#[derive(Clone, Debug)]
pub(crate) struct Application {
    pub head: Head,
    pub args: Vec<EntryId>,
    pub result: EntryId,
}

/// The table.
#[derive(Default)]
pub(crate) struct Table {
    pub entries: Vec<Entry>,
    pub by_term: FxHashMap<Term, EntryId>,
    pub applications: Vec<Application>,
    by_application: FxHashMap<(Head, Vec<EntryId>), EntryId>,
    /// For stores and constant arrays, the application that they are.
    array_terms: FxHashMap<EntryId, usize>,
    heads: FxHashMap<Head, u32>,
    /// Index and element sort of the array sorts in use.
    pub array_sorts: FxHashMap<Sort, (Sort, Sort)>,
}

impl Table {
    pub fn get(&self, id: EntryId) -> &Entry {
        &self.entries[id.index()]
    }

    pub fn node(&self, id: EntryId) -> Node {
        self.get(id).node
    }

    pub fn add(&mut self, node: Node, sort: Sort, kind: Kind) -> EntryId {
        self.entries.push(Entry { node, sort, kind, shared: false });
        EntryId(self.entries.len() as u32 - 1)
    }

    pub fn application(&self, head: Head, args: &[EntryId]) -> Option<EntryId> {
        self.by_application.get(&(head, args.to_vec())).copied()
    }

    pub fn add_application(&mut self, head: Head, args: Vec<EntryId>, result: EntryId) {
        if matches!(head, Head::Store | Head::ConstArray(_)) {
            self.array_terms.insert(result, self.applications.len());
        }
        for id in args.iter().chain([&result]) {
            self.entries[id.index()].shared = true;
        }
        self.by_application.insert((head, args.clone()), result);
        self.applications.push(Application { head, args, result });
    }

    /// The number by which the congruence closure knows `head`.
    pub fn head_number(&mut self, head: Head) -> u32 {
        let next = self.heads.len() as u32;
        *self.heads.entry(head).or_insert(next)
    }

    /// The application that an entry is, if it is a store or a constant array.
    pub fn array_term(&self, id: EntryId) -> Option<&Application> {
        self.array_terms.get(&id).map(|&at| &self.applications[at])
    }

    /// All entries with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (EntryId, &Entry)> {
        self.entries.iter().enumerate().map(|(i, entry)| (EntryId(i as u32), entry))
    }

    /// The applications of `head`.
    pub fn applications_of(&self, head: Head) -> impl Iterator<Item = &Application> {
        self.applications.iter().filter(move |a| a.head == head)
    }
}

/// What an atom means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    /// An equality or a predicate of the congruence closure.
    Equality,
    /// A bound of arithmetic.
    Bound,
    /// If it holds the first two nodes are equal, otherwise the first and the third: an if-then-else.
    Choice(Node, Node, Node),
    /// No theory knows it, but its value is looked at.
    Switch,
}

/// An atom: an input of the circuit that the theories give a meaning to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtomEntry {
    pub lit: Lit,
    pub meaning: Meaning,
}
