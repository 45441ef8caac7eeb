//! The model of an accepted assignment.

use super::arrays::Contents;
use super::combine::Val;
use super::table::{Application, EntryId, Head, Kind};
use super::theories::Theories;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use tamis_logic::{FunctionTable, Model, Sort, SortName, Term, Terms, Value};
use tamis_theories::euf::Node;

/// What the theories knew when they accepted an assignment: afterwards they are backtracked.
pub(crate) struct Snapshot {
    vals: Vec<Val>,
    contents: Contents,
    /// The class of each entry that is an array or of a declared sort.
    classes: FxHashMap<EntryId, Node>,
    /// Classes that are values of a declared sort.
    fixed: FxHashMap<Node, Value>,
}

impl Snapshot {
    pub(super) fn new(theories: &Theories, vals: Vec<Val>, contents: Contents) -> Snapshot {
        let mut classes = FxHashMap::default();
        for (id, entry) in theories.table.iter() {
            if matches!(entry.kind, Kind::Plain | Kind::Array) {
                classes.insert(id, theories.euf.representative(entry.node));
            }
        }
        let mut fixed = FxHashMap::default();
        for (value, &node) in &theories.values {
            if matches!(value, Value::Uninterpreted { .. }) {
                fixed.insert(theories.euf.representative(node), value.clone());
            }
        }
        Snapshot { vals, contents, classes, fixed }
    }
}

/// Values of all entries.
pub(crate) struct Concrete {
    values: Vec<Value>,
}

impl Concrete {
    /// The values that the last accepted assignment gives.
    pub fn new(theories: &Theories, terms: &Terms) -> Option<Concrete> {
        let snapshot = theories.snapshot.as_ref()?;
        let mut builder = Builder {
            theories,
            terms,
            snapshot,
            elements: FxHashMap::default(),
            used: snapshot.fixed.values().cloned().collect(),
            next: FxHashMap::default(),
        };
        let mut values: Vec<Option<Value>> = vec![None; theories.table.entries.len()];
        // Arrays after what they consist of.
        let mut order: Vec<(u32, EntryId)> =
            theories.table.iter().map(|(id, entry)| (depth(terms, entry.sort), id)).collect();
        order.sort_unstable();
        for (_, id) in order {
            values[id.index()] = Some(builder.value(id, &values));
        }
        Some(Concrete { values: values.into_iter().flatten().collect() })
    }

    /// The value of a term that was in the table when the model was found.
    pub fn term(&self, theories: &Theories, t: Term) -> Option<&Value> {
        theories.table.by_term.get(&t).and_then(|id| self.values.get(id.index()))
    }

    /// Gives the functions their tables.
    pub fn set_functions(&self, theories: &Theories, terms: &Terms, model: &mut Model) {
        let mut tables = FxHashMap::default();
        for Application { head, args, result } in &theories.table.applications {
            let Head::Function(f) = *head else { continue };
            let default = || FunctionTable::new(terms.default_value(terms.signature(f).1));
            let args = args.iter().map(|a| self.values[a.index()].clone()).collect();
            tables.entry(f).or_insert_with(default).set(args, self.values[result.index()].clone());
        }
        for (f, table) in tables {
            model.set_function(f, table);
        }
    }
}

fn depth(terms: &Terms, sort: Sort) -> u32 {
    let mut deepest = 0;
    let mut pending = vec![(sort, 0)];
    while let Some((sort, depth)) = pending.pop() {
        deepest = deepest.max(depth);
        if let Some((index, element)) = terms.array_parts(sort) {
            pending.extend([(index, depth + 1), (element, depth + 1)]);
        }
    }
    deepest
}

struct Builder<'a> {
    theories: &'a Theories,
    terms: &'a Terms,
    snapshot: &'a Snapshot,
    /// The values of classes.
    elements: FxHashMap<(Node, Sort), Value>,
    used: FxHashSet<Value>,
    next: FxHashMap<SortName, u32>,
}

impl Builder<'_> {
    fn value(&mut self, id: EntryId, values: &[Option<Value>]) -> Value {
        let class = match &self.snapshot.vals[id.index()] {
            Val::Known(value) => return value.clone(),
            Val::Class(class) => *class,
        };
        let sort = self.theories.table.get(id).sort;
        if let Some(known) = self.elements.get(&(class, sort)) {
            return known.clone();
        }
        let value = match sort {
            Sort::Uninterpreted(name) => self.element(class, name),
            _ => self.array(class, sort, values),
        };
        self.elements.insert((class, sort), value.clone());
        value
    }

    /// An element of a declared sort that no other class has.
    fn element(&mut self, class: Node, sort: SortName) -> Value {
        if let Some(fixed) = self.snapshot.fixed.get(&class) {
            return fixed.clone();
        }
        let next = self.next.entry(sort).or_default();
        loop {
            let value = Value::Uninterpreted { sort, index: *next };
            *next += 1;
            if !self.used.contains(&value) {
                return value;
            }
        }
    }

    fn array(&self, class: Node, sort: Sort, values: &[Option<Value>]) -> Value {
        let known = |id: EntryId| values[id.index()].clone();
        let element = self.terms.array_parts(sort).map_or(Sort::Bool, |(_, element)| element);
        let default =
            self.default(class).and_then(known).unwrap_or_else(|| self.terms.default_value(element));
        let mut array = self.terms.constant_array(sort, default);
        for cell in self.snapshot.contents.cells.iter().filter(|cell| cell.class == class) {
            if let (Some(index), Some(element)) = (known(cell.index), known(cell.element)) {
                array.store(index, element);
            }
        }
        Value::Array(Arc::new(array))
    }

    /// The entry that arrays of the component of `class` have where nothing else is said.
    fn default(&self, class: Node) -> Option<EntryId> {
        let component = self.snapshot.contents.component(class);
        let of = |array: &EntryId| {
            let class = self.snapshot.classes.get(array);
            class.is_some_and(|&class| self.snapshot.contents.component(class) == component)
        };
        let table = &self.theories.table;
        table.applications_of(Head::Default).find(|a| of(&a.args[0])).map(|a| a.result)
    }
}
