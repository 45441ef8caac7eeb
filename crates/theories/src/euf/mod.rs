//! Equality with uninterpreted functions: congruence closure that explains itself, backtracks and propagates.
//!
//! The procedure is the one that the DPLL(T) solver of \[SMT\] section 2.2 rests on: Nieuwenhuis and Oliveras,
//! *Proof-producing congruence closure* (RTA 2005) and *Fast congruence closure and extensions* (Information and
//! Computation 205, 2007). Classes are merged from a queue; a table of signatures (function and representatives of
//! the arguments) finds congruent terms; a proof forest explains why two terms are equal.
//!
//! What differs from the papers:
//!
//! - Functions have any number of arguments; the papers curry them into one binary function. Currying makes every
//!   signature a pair, but costs a node for each argument of each term, and those nodes show up in classes, use
//!   lists and explanations. The functions of programs (select, store, a handful of operators) have few arguments.
//! - An equality that an atom stands for is a term too, as it is in Simplify. Congruence between equalities then does
//!   all the work on disequalities: `a ≠ b` puts the term `a = b` into the class of falsity, and everything congruent
//!   to it follows. An equality is in the class of truth when its sides are in one class, and in the class of falsity
//!   also when its sides are in the classes of distinct values. A disequality is contradicted when truth and falsity
//!   would be merged. Atoms are touched only when the class of one of their sides, or their own, changes.
//! - Terms and atoms can be made at any level and stay. Those made above level 0 are entered anew, under the
//!   representatives of then, whenever their level is closed.
//!
//! Of the literals that follow, all positive equalities and predicates are propagated, and all negative ones for which
//! the two classes are known to be disequal, through an asserted disequality or through values. Disequalities that
//! follow only because their contrary would merge something far away (`f(a) ≠ f(b)` implies `a ≠ b`) are not looked for;
//! they surface as conflicts.
//!
//! The domain of a predicate is not closed here: from `p ≠ q` and `p` with Boolean `p` and `q` nothing follows.
//! Equalities between Booleans are connectives, and belong to the search.

mod atoms;
mod backtrack;
mod classes;
mod closure;
mod combination;
mod explain;
mod outbox;
mod proof;
mod table;
mod terms;
mod theory;

use crate::{Conflict, Literal};
use atoms::Atoms;
use backtrack::{Late, Level, Undo};
use classes::Classes;
use closure::Merge;
use outbox::Outbox;
use proof::Forest;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use table::Table;
use terms::{Head, Terms};

/// A ground term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Node(u32);

impl Node {
    /// A number of the node: small, and different for each node of one closure. Not all numbers are nodes that the
    /// caller made, because equalities are nodes too.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The finest congruence that contains the asserted equalities, and what contradicts the asserted disequalities.
///
/// ```
/// use tamis_theories::euf::CongruenceClosure;
/// use tamis_theories::{Atom, Conflict, Literal, Theory};
///
/// // The example of \[SMT\] section 2.2: b = d, f(b) = d and f(d) = a imply a = b.
/// let mut euf = CongruenceClosure::new();
/// let (a, b, d) = (euf.constant(), euf.constant(), euf.constant());
/// let (fb, fd) = (euf.apply(0, &[b]), euf.apply(0, &[d]));
/// for (atom, (left, right)) in [(b, d), (fb, d), (fd, a), (a, b)].into_iter().enumerate() {
///     euf.equality(Atom(atom as u32), left, right);
/// }
/// let mut implied = Vec::new();
/// for atom in 0..3 {
///     euf.push();
///     euf.assert(Literal::new(Atom(atom), true))?;
///     euf.propagate(&mut implied)?;
/// }
/// assert_eq!(implied, [Literal::new(Atom(3), true)]);
///
/// let mut reasons = Vec::new();
/// euf.explain(implied[0], &mut reasons);
/// assert_eq!(reasons, [0, 1, 2].map(|atom| Literal::new(Atom(atom), true)));
///
/// euf.pop(1);
/// assert!(!euf.same(a, b));
/// # Ok::<(), Conflict>(())
/// ```
pub struct CongruenceClosure {
    terms: Terms,
    values: FxHashMap<u64, Node>,
    classes: Classes,
    proof: Forest,
    /// Applications and equalities by head and representatives of the arguments.
    signatures: Table,
    /// Merges that are still to be made. Empty whenever the caller has control, unless there is a conflict.
    pending: VecDeque<Merge>,
    atoms: Atoms,
    implied: Outbox<Literal>,
    propagation: bool,
    /// Literals from which other theories concluded equalities.
    external: Vec<Literal>,
    trail: Vec<Undo>,
    levels: Vec<Level>,
    /// What was made above level 0, with the lowest level that it has been entered at.
    late: Vec<(usize, Late)>,
    /// The level at which there is a conflict, and the conflict.
    conflict: Option<(usize, Conflict)>,
}

impl Default for CongruenceClosure {
    fn default() -> CongruenceClosure {
        CongruenceClosure::new()
    }
}

impl CongruenceClosure {
    /// The closure of nothing. It has two nodes, truth and falsity.
    pub fn new() -> CongruenceClosure {
        let mut closure = CongruenceClosure {
            terms: Terms::default(),
            values: FxHashMap::default(),
            classes: Classes::default(),
            proof: Forest::default(),
            signatures: Table::default(),
            pending: VecDeque::new(),
            atoms: Atoms::default(),
            implied: Outbox::new(),
            propagation: true,
            external: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            late: Vec::new(),
            conflict: None,
        };
        for _ in [false, true] {
            closure.make(Head::Value, &[]);
        }
        closure
    }

    /// A fresh constant.
    pub fn constant(&mut self) -> Node {
        self.make(Head::Constant, &[])
    }

    /// The application of a function. The same function to the same arguments is the same node; applications of one
    /// number to different numbers of arguments are of different functions.
    pub fn apply(&mut self, function: u32, arguments: &[Node]) -> Node {
        self.make_once(Head::Apply(function), arguments)
    }

    /// The value that the caller knows by `tag`. Values with different tags are distinct, and distinct from truth and
    /// falsity. Only the identity of the tag matters: it need not have anything to do with the value.
    pub fn value(&mut self, tag: u64) -> Node {
        if let Some(&node) = self.values.get(&tag) {
            return node;
        }
        let node = self.make(Head::Value, &[]);
        self.values.insert(tag, node);
        node
    }

    /// The truth values.
    pub fn truth(&self, value: bool) -> Node {
        Node(u32::from(value))
    }

    /// Whether two nodes are equal in the closure.
    pub fn same(&self, a: Node, b: Node) -> bool {
        self.classes.same(a, b)
    }

    /// The node that stands for all that are equal to `node`, until the next merge or backtracking.
    pub fn representative(&self, node: Node) -> Node {
        let representative = self.classes.find(node);
        match self.terms.head(representative) {
            // Among nodes of the caller, equalities are only in the classes of the truth values.
            Head::Equality => self.classes.value(representative).unwrap_or(representative),
            _ => representative,
        }
    }

    /// All nodes equal to `node`, itself the first.
    pub fn class(&self, node: Node) -> impl Iterator<Item = Node> {
        self.classes.members(node).filter(|&member| self.terms.head(member) != Head::Equality)
    }

    /// The value that `node` is equal to.
    pub fn value_of(&self, node: Node) -> Option<Node> {
        self.classes.value(node)
    }

    /// Whether two nodes are known to be disequal: they equal the two sides of an asserted disequality, or distinct
    /// values.
    pub fn disequal(&self, a: Node, b: Node) -> bool {
        self.distinct_values(a, b) || self.false_equality(a, b).is_some()
    }

    fn make_once(&mut self, head: Head, arguments: &[Node]) -> Node {
        self.terms.find(head, arguments).unwrap_or_else(|| self.make(head, arguments))
    }

    fn make(&mut self, head: Head, arguments: &[Node]) -> Node {
        let node = self.terms.make(head, arguments);
        self.classes.add(node, head == Head::Value);
        self.proof.add(node);
        self.atoms.add_node();
        if !arguments.is_empty() {
            self.enter_late(Late::Node(node));
            self.attach(node);
            self.close();
        }
        node
    }
}
