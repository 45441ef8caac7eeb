//! What a complete assignment violates between the theories: model-based combination.
//!
//! Every theory has a model of its own by now. Two things can be wrong where they meet: entries that the congruence
//! closure has merged differ in the model of another theory, or two applications have arguments with the same values
//! and results with different ones. In either case equalities are missing that the search has to decide; only these
//! are asked for.
//!
//! Only arguments and results of applications can be wrong: all other equalities that the closure knows were asserted,
//! and then every theory was told.
//!
//! ## References
//! - L. de Moura, N. Bjørner. *Model-based Theory Combination*. 2008.

use super::requests::Request;
use super::snapshot::Snapshot;
use super::table::{EntryId, Head, Kind};
use super::theories::Theories;
use super::{arrays, numbers};
use crate::sat::SatLit;
use rustc_hash::FxHashMap;
use tamis_logic::{Bits, Sort, Value};
use tamis_theories::euf::Node;

/// The value of an entry in a complete assignment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Val {
    Known(Value),
    /// An element of a declared sort or an array: different classes are different elements.
    Class(Node),
}

impl Theories {
    /// Asks for what the assignment violates, or takes its model.
    pub(super) fn combine(&mut self, value: &dyn Fn(SatLit) -> bool) {
        let vals = self.vals(value);
        self.compare_classes(&vals);
        self.compare_applications(&vals);
        self.separate_arrays();
        if !self.requests.is_empty() {
            return;
        }
        let contents = arrays::Contents::new(self, &vals);
        match contents {
            Ok(contents) if self.wants_model => self.snapshot = Some(Snapshot::new(self, vals, contents)),
            Ok(_) => {}
            Err(requests) => self.requests = requests,
        }
    }

    /// The values of entries: of all if a model is wanted, else of those that are arguments or results of applications.
    /// The others are elements of their own then, which nobody asks for.
    fn vals(&self, value: &dyn Fn(SatLit) -> bool) -> Vec<Val> {
        let numbers = self.arith.model();
        let truth = self.euf.truth(true);
        let val = |(id, entry): (EntryId, &super::table::Entry)| match &entry.kind {
            _ if !entry.shared && !self.wants_model => Val::Class(entry.node),
            Kind::Plain | Kind::Array => Val::Class(self.euf.representative(entry.node)),
            Kind::Truth(_) => Val::Known(Value::Bool(self.euf.same(entry.node, truth))),
            Kind::Word(_) => {
                let bit = |bit: &Result<SatLit, bool>| bit.map_or_else(|constant| constant, value);
                let bits: Vec<bool> = self.word(id).iter().map(bit).collect();
                Val::Known(Value::Bits(Bits::from_bits(&bits)))
            }
            Kind::Number(number) => {
                let sum = number.form.evaluate(|var| numbers[var.0 as usize].clone()) + &number.constant;
                Val::Known(numbers::value(entry.sort, &sum))
            }
        };
        self.table.iter().map(val).collect()
    }

    /// Results in one class with different values.
    fn compare_classes(&mut self, vals: &[Val]) {
        let mut first: FxHashMap<(Node, Sort), EntryId> = FxHashMap::default();
        for id in self.table.applications.iter().map(|application| application.result) {
            let entry = self.table.get(id);
            let class = self.euf.representative(entry.node);
            let other = *first.entry((class, entry.sort)).or_insert(id);
            if vals[other.index()] != vals[id.index()] {
                self.requests.push(Request::Equal(other, id));
            }
        }
    }

    /// Applications that have arguments with the same values, and different results.
    fn compare_applications(&mut self, vals: &[Val]) {
        let mut first: FxHashMap<(Head, Vec<&Val>), usize> = FxHashMap::default();
        for (at, application) in self.table.applications.iter().enumerate() {
            if !matches!(application.head, Head::Function(_) | Head::Select) {
                continue;
            }
            let args = application.args.iter().map(|a| &vals[a.index()]).collect();
            let other = *first.entry((application.head, args)).or_insert(at);
            let other = &self.table.applications[other];
            if vals[other.result.index()] == vals[application.result.index()] {
                continue;
            }
            for (&a, &b) in other.args.iter().zip(&application.args) {
                if !self.euf.same(self.table.node(a), self.table.node(b)) {
                    self.requests.push(Request::Equal(a, b));
                }
            }
        }
    }

    /// Arrays as arguments and as indices have to be known to be equal or to differ: two classes may turn out to be
    /// the same array.
    fn separate_arrays(&mut self) {
        let mut places: FxHashMap<(Head, usize, Sort), Vec<EntryId>> = FxHashMap::default();
        for application in &self.table.applications {
            for (place, &arg) in application.args.iter().enumerate() {
                let counts = match application.head {
                    Head::Function(_) => true,
                    Head::Select | Head::Store => place == 1,
                    _ => false,
                };
                let entry = self.table.get(arg);
                if counts && entry.kind == Kind::Array {
                    let head = if place == 1 && application.head == Head::Store {
                        Head::Select
                    } else {
                        application.head
                    };
                    places.entry((head, place, entry.sort)).or_default().push(arg);
                }
            }
        }
        for args in places.values_mut() {
            args.sort_unstable();
            args.dedup();
            for (i, &a) in args.iter().enumerate() {
                for &b in &args[i + 1..] {
                    let merged = self.euf.same(self.table.node(a), self.table.node(b));
                    if !merged && !self.equalities.contains_key(&(a, b)) {
                        self.requests.push(Request::Equal(a, b));
                    }
                }
            }
        }
    }
}
