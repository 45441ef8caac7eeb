//! What a complete assignment needs that is not there, and its making between two searches.

use super::table::{EntryId, Head, Kind, Meaning, Number};
use super::theories::Range;
use crate::budget::Stop;
use crate::circuit::Lit;
use crate::encoding::Encoding;
use crate::limits;
use crate::sat::SatLit;
use tamis_logic::{Sort, Value};
use tamis_theories::arith::{LinearForm, Rational, Split, Var};

/// Something to be made.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    /// An atom for the equality of two entries.
    Equal(EntryId, EntryId),
    /// What integers need: see [`Split`].
    Split(Split),
    /// An atom for `form ≤ at`, of integers.
    Branch { form: LinearForm, at: Rational },
    /// Integers between limits: see [`Range`]; `wider` ones, or the same for variables that are new.
    Range { wider: bool },
    /// A store has what the array before it has at this index, or this is the index it writes.
    ReadOverWrite { store: EntryId, index: EntryId },
    /// An array with one element everywhere has it at this index.
    ReadConstant { array: EntryId, index: EntryId },
}

impl Encoding {
    /// Makes what the last search needs to go on.
    pub(crate) fn grant_requests(&mut self) -> Result<(), Stop> {
        self.budget.check()?;
        let requests = std::mem::take(&mut self.theories.requests);
        if requests.is_empty() {
            // A theory was stopped, though the budget is not exhausted.
            return Ok(());
        }
        let size = |encoding: &Encoding| {
            let theories = &encoding.theories;
            (theories.atoms.len(), theories.equalities.len(), theories.instances.len())
        };
        let before = size(self);
        for request in requests {
            match request {
                Request::Equal(a, b) => {
                    self.equality(a, b);
                }
                Request::Split(split) => self.split(split),
                Request::Branch { form, at } => {
                    self.at_most_zero(&Number { form, constant: -at });
                }
                Request::Range { wider } => self.set_range(wider),
                Request::ReadOverWrite { store, index } => self.read_over_write(store, index),
                Request::ReadConstant { array, index } => self.read_constant(array, index),
            }
        }
        assert_ne!(before, size(self), "the theories asked for what they had: the search would not end");
        Ok(())
    }

    fn split(&mut self, split: Split) {
        match split {
            // One side or the other: an atom alone makes the search decide.
            Split::Branch { var, at } => {
                self.at_most_zero(&Number { form: LinearForm::from(var), constant: -at });
            }
            Split::Cut { form, bound, reasons } => {
                // bound - form ≤ 0
                let mut number = Number { form: LinearForm::new(), constant: bound };
                number.add(&Rational::from(-1), &Number { form, constant: Rational::ZERO });
                let mut clause: Vec<Lit> = vec![self.at_most_zero(&number)];
                for reason in reasons {
                    clause.push(self.theories.atoms[reason.atom.0 as usize].lit.flip_if(reason.positive));
                }
                self.add_clause(&clause);
            }
        }
    }

    fn set_range(&mut self, wider: bool) {
        let (limit, known) = match &self.theories.range {
            Some(range) if !wider => (range.limit.clone(), Some((range.switch, range.vars))),
            Some(range) => (&range.limit * Rational::from(limits::RANGE_GROWTH), None),
            None => (Rational::from(limits::RANGE_GROWTH), None),
        };
        let (switch, from) = known.unwrap_or_else(|| {
            let lit = self.blaster.circuit.input();
            (self.theories.atom(lit, Meaning::Switch), 0)
        });
        let lit = self.theories.atoms[switch.0 as usize].lit;
        let vars: Vec<Var> = self.theories.integers.iter().copied().collect();
        for &var in &vars[from..] {
            for sign in [1, -1] {
                let form = LinearForm::from([(var, sign)]);
                let within = self.at_most_zero(&Number { form, constant: -&limit });
                self.add_clause(&[!lit, within]);
            }
        }
        self.theories.range = Some(Range { switch, limit, vars: vars.len() });
    }

    fn read_over_write(&mut self, store: EntryId, index: EntryId) {
        if !self.theories.instances.insert((store, index)) {
            return;
        }
        let found = self.theories.table.array_term(store);
        let Some((before, written)) = found.map(|a| (a.args[0], a.args[1])) else { return };
        let sort = self.theories.table.get(store).sort;
        let (_, element) = self.theories.table.array_sorts[&sort];
        let after = self.apply(Head::Select, &[store, index], element);
        let before = self.apply(Head::Select, &[before, index], element);
        let (same_index, same_element) = (self.equality(written, index), self.equality(after, before));
        self.add_clause(&[same_index, same_element]);
    }

    fn read_constant(&mut self, array: EntryId, index: EntryId) {
        if !self.theories.instances.insert((array, index)) {
            return;
        }
        let found = self.theories.table.array_term(array);
        let Some(element) = found.map(|a| a.args[0]) else { return };
        self.apply_as(Head::Select, &[array, index], element);
    }

    /// The entry of a value of sort `Bool` or a bit-vector sort.
    pub(super) fn constant_entry(&mut self, sort: Sort, value: Value) -> EntryId {
        if let Some(&known) = self.theories.constants.get(&value) {
            return known;
        }
        let (node, kind) = match &value {
            Value::Bool(truth) => (self.theories.euf.truth(*truth), Kind::Truth(Lit::constant(*truth))),
            other => {
                let bits = other.as_bits().clone();
                let word = (0..bits.width()).map(|i| Lit::constant(bits.bit(i))).collect();
                (self.value_node(value.clone()), Kind::Word(word))
            }
        };
        let id = self.theories.table.add(node, sort, kind);
        self.theories.constants.insert(value, id);
        id
    }

    /// The literal of an atom that a search can observe: the atom's own, frozen, or one that is equal to it. An atom may be
    /// older than its meaning, as where arrays are handed over to their theory; searches that did not observe it may
    /// have eliminated it by then.
    pub(crate) fn observable(&mut self, lit: Lit) -> SatLit {
        let literal = self.literal(lit);
        if self.frozen.contains(&literal) {
            return literal;
        }
        if self.sat.was_searched(literal.abs()) {
            return self.proxy(literal);
        }
        self.frozen.insert(literal);
        self.sat.freeze(literal.abs());
        literal
    }

    /// The variables of the SAT solver that the theories observe, frozen.
    pub(crate) fn connect_theories(&mut self) -> Vec<i32> {
        let mut observed = Vec::new();
        let atoms: Vec<Lit> = self.theories.atoms.iter().map(|atom| atom.lit).collect();
        let mut sat_of = Vec::with_capacity(atoms.len());
        for lit in atoms {
            sat_of.push(self.observable(lit));
        }
        observed.extend(sat_of.iter().map(|lit| lit.abs()));
        let mut words = rustc_hash::FxHashMap::default();
        for at in 0..self.theories.table.entries.len() {
            let Kind::Word(word) = &self.theories.table.entries[at].kind else { continue };
            let mut bits = Vec::with_capacity(word.len());
            for bit in word.clone() {
                bits.push(match bit.as_constant() {
                    Some(constant) => Err(constant),
                    None => {
                        let literal = self.literal(bit);
                        let proxy = self.proxy(literal);
                        observed.push(proxy.abs());
                        Ok(proxy)
                    }
                });
            }
            words.insert(EntryId(at as u32), bits);
        }
        observed.sort_unstable();
        observed.dedup();
        self.theories.connect(sat_of, words, observed.clone());
        observed
    }
}
