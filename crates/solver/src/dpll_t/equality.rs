//! Equalities between entries.

use super::table::{EntryId, Head, Kind, Meaning};
use crate::circuit::Lit;
use crate::encoding::Encoding;

impl Encoding {
    /// The literal of `a = b`, known to every theory that knows both.
    pub(super) fn equality(&mut self, a: EntryId, b: EntryId) -> Lit {
        let key = (a.min(b), a.max(b));
        if a == b {
            return Lit::TRUE;
        }
        if let Some(&known) = self.theories.equalities.get(&key) {
            return known;
        }
        let lit = self.blaster.circuit.input();
        self.new_equality(a, b, lit)
    }

    /// Makes `lit`, an input without meaning, mean `a = b`.
    pub(super) fn equality_at(&mut self, a: EntryId, b: EntryId, lit: Lit) {
        let known = self.theories.equalities.contains_key(&(a.min(b), a.max(b)));
        let meaning = if known || a == b { self.equality(a, b) } else { self.new_equality(a, b, lit) };
        if meaning != lit {
            self.define(lit, meaning);
        }
    }

    /// Makes `lit` mean `a = b`, which has no literal yet; or gives another literal that does.
    fn new_equality(&mut self, a: EntryId, b: EntryId, lit: Lit) -> Lit {
        let lit = self.equality_by_kind(a, b, lit);
        self.theories.equalities.insert((a.min(b), a.max(b)), lit);
        lit
    }

    fn equality_by_kind(&mut self, a: EntryId, b: EntryId, lit: Lit) -> Lit {
        let (left, right) = (self.theories.table.get(a).clone(), self.theories.table.get(b).clone());
        let elsewhere = match (&left.kind, &right.kind) {
            (Kind::Word(x), Kind::Word(y)) => self.blaster.circuit.equal(x, y),
            (Kind::Number(x), Kind::Number(y)) => {
                let (below, above) = (self.at_most_zero(&x.minus(y)), self.at_most_zero(&y.minus(x)));
                self.blaster.circuit.and(below, above)
            }
            (Kind::Truth(x), Kind::Truth(y)) => return self.blaster.circuit.xnor(*x, *y),
            _ => lit,
        };
        match elsewhere.as_constant() {
            Some(true) => {
                // Nothing is asserted between searches, and so nothing contradicts.
                let _ = self.theories.euf.assert_equality(left.node, right.node, &[]);
                return elsewhere;
            }
            Some(false) => {}
            None if elsewhere == lit => {}
            None => self.define(lit, elsewhere),
        }
        if elsewhere == Lit::FALSE {
            self.add_clause(&[!lit]);
        }
        let atom = self.theories.atom(lit, Meaning::Equality);
        self.theories.euf.equality(atom, left.node, right.node);
        if left.kind == Kind::Array {
            self.theories.equalities.insert((a.min(b), a.max(b)), lit);
            self.witness(a, b, lit);
        }
        lit
    }

    /// Extensionality: arrays that are not equal differ at some index.
    fn witness(&mut self, a: EntryId, b: EntryId, equal: Lit) {
        let sort = self.theories.table.get(a).sort;
        let (index, element) = self.theories.table.array_sorts[&sort];
        let index = self.fresh_entry(index);
        let left = self.apply(Head::Select, &[a, index], element);
        let right = self.apply(Head::Select, &[b, index], element);
        let same = self.equality(left, right);
        self.add_clause(&[equal, !same]);
    }

    /// Tells the theories beside the congruence closure that two entries are equal.
    pub(super) fn equal_elsewhere(&mut self, a: EntryId, b: EntryId) {
        if a != b && !matches!(self.theories.table.get(a).kind, Kind::Plain | Kind::Array) {
            let same = self.equality(a, b);
            self.add_clause(&[same]);
        }
    }

    /// Says that an entry has these bits.
    pub(super) fn equal_bits(&mut self, id: EntryId, bits: &[Lit]) {
        let word = match &self.theories.table.get(id).kind {
            Kind::Word(word) => word.clone(),
            Kind::Truth(lit) => vec![*lit],
            other => unreachable!("{other:?} has no bits"),
        };
        for (&x, &y) in word.iter().zip(bits) {
            self.define(y, x);
        }
    }
}
