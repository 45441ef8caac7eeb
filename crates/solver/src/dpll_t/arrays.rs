//! Arrays, by instances of their axioms that a complete assignment violates.
//!
//! Every class of arrays has elements at the indices it is read at. Elements spread along stores, both ways, to all
//! indices but the one that is written; where two different ones meet, the read-over-write axiom is instantiated on
//! both ways there. The same for an element that differs from that of an array with one element everywhere.
//!
//! Arrays that are connected by stores and equalities agree at every index that no store writes. If there are more
//! indices than stores, there is such an index, and what they have there is a function `default` of the array, with
//! `default(store(a, i, v)) = default(a)` and `default(const(v)) = v`. Otherwise the indices are few, and arrays with one
//! element everywhere are read at all of them.
//!
//! ## References
//! - L. de Moura, N. Bjørner. *Generalized, Efficient Array Decision Procedures*. FMCAD 2009.

use super::combine::Val;
use super::requests::Request;
use super::table::{Application, EntryId, Head};
use super::theories::Theories;
use crate::budget::Stop;
use crate::encoding::Encoding;
use crate::limits;
use rustc_hash::FxHashMap;
use tamis_logic::{Bits, Sort, Value};
use tamis_theories::euf::Node;

/// What an array has at an index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub class: Node,
    pub index: EntryId,
    pub element: EntryId,
    /// The cell that this one was spread from, and the store that connects them.
    from: Option<(usize, EntryId)>,
}

/// The elements of all arrays.
pub(super) struct Contents {
    pub cells: Vec<Cell>,
    /// The classes of arrays that stores connect, each under one of them.
    pub components: FxHashMap<Node, Node>,
}

struct Spread<'a> {
    theories: &'a Theories,
    vals: &'a [Val],
    cells: Vec<Cell>,
    places: FxHashMap<(Node, &'a Val), usize>,
    requests: Vec<Request>,
}

impl<'a> Spread<'a> {
    fn class(&self, id: EntryId) -> Node {
        self.theories.euf.representative(self.theories.table.node(id))
    }

    fn val(&self, id: EntryId) -> &'a Val {
        &self.vals[id.index()]
    }

    /// Enters a cell; one that is there already has the same element, or axioms are violated.
    fn put(&mut self, cell: Cell) {
        match self.places.get(&(cell.class, self.val(cell.index))) {
            None => {
                self.places.insert((cell.class, self.val(cell.index)), self.cells.len());
                self.cells.push(cell);
            }
            Some(&at) => {
                let other = self.cells[at];
                if self.val(other.element) != self.val(cell.element) {
                    self.blame(cell);
                    self.blame(other);
                    let same = |a, b| self.class(a) == self.class(b);
                    if !same(cell.index, other.index) {
                        self.requests.push(Request::Equal(cell.index, other.index));
                    }
                }
            }
        }
    }

    /// Asks for the axioms that brought an element where it is.
    fn blame(&mut self, mut cell: Cell) {
        while let Some((at, store)) = cell.from {
            self.requests.push(Request::ReadOverWrite { store, index: cell.index });
            cell = self.cells[at];
        }
    }
}

impl Contents {
    /// The elements that the arrays have in an assignment, or what it violates.
    pub fn new(theories: &Theories, vals: &[Val]) -> Result<Contents, Vec<Request>> {
        let table = &theories.table;
        let mut spread =
            Spread { theories, vals, cells: Vec::new(), places: FxHashMap::default(), requests: Vec::new() };
        for read in table.applications_of(Head::Select) {
            let class = spread.class(read.args[0]);
            spread.put(Cell { class, index: read.args[1], element: read.result, from: None });
        }
        let mut stores: FxHashMap<Node, Vec<(Node, &Application)>> = FxHashMap::default();
        let mut components: FxHashMap<Node, Node> = FxHashMap::default();
        for store in table.applications_of(Head::Store) {
            let (after, before) = (spread.class(store.result), spread.class(store.args[0]));
            if after != before {
                stores.entry(after).or_default().push((before, store));
                stores.entry(before).or_default().push((after, store));
                join(&mut components, after, before);
            }
        }
        let mut next = 0;
        while next < spread.cells.len() {
            let cell = spread.cells[next];
            for &(other, store) in stores.get(&cell.class).into_iter().flatten() {
                if spread.val(store.args[1]) != spread.val(cell.index) {
                    spread.put(Cell { class: other, from: Some((next, store.result)), ..cell });
                }
            }
            next += 1;
        }
        let constant = |a: &&Application| matches!(a.head, Head::ConstArray(_));
        for array in table.applications.iter().filter(constant) {
            let class = spread.class(array.result);
            for at in 0..spread.cells.len() {
                let cell = spread.cells[at];
                if cell.class == class && spread.val(cell.element) != spread.val(array.args[0]) {
                    spread.blame(cell);
                    spread.requests.push(Request::ReadConstant { array: array.result, index: cell.index });
                }
            }
        }
        if spread.requests.is_empty() {
            let cells = spread.cells;
            Ok(Contents { cells, components })
        } else {
            Err(spread.requests)
        }
    }

    /// The component of a class.
    pub fn component(&self, class: Node) -> Node {
        root(&self.components, class)
    }
}

fn root(components: &FxHashMap<Node, Node>, mut class: Node) -> Node {
    while let Some(&next) = components.get(&class) {
        class = next;
    }
    class
}

fn join(components: &mut FxHashMap<Node, Node>, a: Node, b: Node) {
    let (a, b) = (root(components, a), root(components, b));
    if a != b {
        components.insert(a, b);
    }
}

impl Encoding {
    /// What holds of every store: it has the element that was written.
    pub(super) fn store_axioms(&mut self, store: EntryId) {
        let Some(args) = self.theories.table.array_term(store).map(|a| a.args.clone()) else { return };
        self.apply_as(Head::Select, &[store, args[1]], args[2]);
        let sort = self.theories.table.get(store).sort;
        if self.theories.constant_sorts.contains(&sort) {
            self.default_of_store(store, args[0]);
            self.check_indices(sort);
        }
    }

    /// What holds of an array with one element everywhere.
    pub(super) fn constant_array_axioms(&mut self, array: EntryId) {
        let Some(args) = self.theories.table.array_term(array).map(|a| a.args.clone()) else { return };
        let sort = self.theories.table.get(array).sort;
        let (index, _) = self.theories.table.array_sorts[&sort];
        let narrow = match index {
            Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
            Sort::BitVec(width) if width <= limits::NARROW_INDEX_BITS => {
                Some((0..1u128 << width).map(|n| Value::Bits(Bits::new(width, n))).collect())
            }
            // These may be few, and a formula can say so: K(1) with one store equals K(2) where there is one index only.
            // How many there are is not looked at.
            Sort::Array(_) | Sort::Uninterpreted(_) => {
                self.theories.incomplete = true;
                return;
            }
            _ => None,
        };
        if let Some(values) = narrow {
            for value in values {
                let index = self.constant_entry(index, value);
                self.apply_as(Head::Select, &[array, index], args[0]);
            }
            return;
        }
        self.apply_as(Head::Default, &[array], args[0]);
        if self.theories.constant_sorts.insert(sort) {
            let stores: Vec<Application> =
                self.theories.table.applications_of(Head::Store).cloned().collect();
            for store in stores {
                if self.theories.table.get(store.result).sort == sort {
                    self.default_of_store(store.result, store.args[0]);
                }
            }
        }
        self.check_indices(sort);
    }

    /// Defaults are for sorts with more indices than there are stores: otherwise nothing can be said any more.
    fn check_indices(&mut self, sort: Sort) {
        let (index, _) = self.theories.table.array_sorts[&sort];
        let Some(width) = index.width().filter(|&width| width < 32) else { return };
        let table = &self.theories.table;
        let stores = table.applications_of(Head::Store).filter(|s| table.get(s.result).sort == sort).count();
        if stores >= 1 << width {
            self.stopped.get_or_insert(Stop::Unsupported);
        }
    }

    fn default_of_store(&mut self, store: EntryId, before: EntryId) {
        let sort = self.theories.table.get(store).sort;
        let (_, element) = self.theories.table.array_sorts[&sort];
        let default = self.apply(Head::Default, &[before], element);
        self.apply_as(Head::Default, &[store], default);
    }
}
