//! Terms to entries of the table.

use super::table::{EntryId, Head, Kind, Meaning};
use crate::blast::has_bits;
use crate::budget::Stop;
use crate::circuit::Lit;
use crate::encoding::Encoding;
use crate::preprocess::is_of_bits;
use tamis_logic::{Op, Sort, Term, Terms, Value};
use tamis_theories::arith::{self, LinearForm, Rational};
use tamis_theories::euf::Node;

impl Encoding {
    /// Makes the bits of `roots`, and gives a meaning to what other theories have a say in.
    pub(crate) fn blast(&mut self, terms: &Terms, roots: &[Term]) -> Result<(), Stop> {
        self.blaster.blast(terms, roots, &self.budget)?;
        while let Some(&t) = self.blaster.foreign.get(self.theories.registered) {
            self.theories.registered += 1;
            self.budget.check_flags()?;
            if self.blaster.bit_arrays && self.has_bit_arrays(terms, t) {
                self.hand_over_arrays();
            }
            self.register(terms, t)?;
        }
        self.stopped.map_or(Ok(()), Err)
    }

    /// Whether a foreign term is about arrays that `bit_arrays` decides otherwise.
    fn has_bit_arrays(&self, terms: &Terms, t: Term) -> bool {
        let order = terms.post_order_until(&[t], |part| part != t && self.blaster.is_circuit(terms, part));
        order.into_iter().any(|part| !self.blaster.is_circuit(terms, part) && is_of_bits(terms, part))
    }

    /// Gives a meaning to the bits of a foreign term.
    fn register(&mut self, terms: &Terms, t: Term) -> Result<(), Stop> {
        let args = terms.args(t);
        match terms.op(t) {
            Op::Eq => {
                let (a, b) = (self.entry(terms, args[0])?, self.entry(terms, args[1])?);
                let lit = self.blaster.lit(terms, t);
                self.equality_at(a, b, lit);
            }
            Op::Le => {
                let (a, b) = (self.entry(terms, args[0])?, self.entry(terms, args[1])?);
                let difference = self.number(a).minus(&self.number(b));
                let lit = self.blaster.lit(terms, t);
                self.at_most_zero_at(&difference, lit);
            }
            Op::IsInt => {
                let a = self.entry(terms, args[0])?;
                let floor = self.quotient(a, Rational::ONE);
                let whole = self.number(a).minus(&floor);
                let is_whole = self.at_most_zero(&whole);
                let lit = self.blaster.lit(terms, t);
                self.define(lit, is_whole);
            }
            _ => {
                self.entry(terms, t)?;
            }
        }
        Ok(())
    }

    /// The entry of a term of any sort.
    fn entry(&mut self, terms: &Terms, root: Term) -> Result<EntryId, Stop> {
        if let Some(&id) = self.theories.table.by_term.get(&root) {
            return Ok(id);
        }
        let known =
            |t: Term| self.theories.table.by_term.contains_key(&t) || self.blaster.is_circuit(terms, t);
        let order = terms.post_order_until(&[root], known);
        for t in order {
            if !self.blaster.is_circuit(terms, t) || t == root {
                self.entry_of(terms, t)?;
            }
        }
        Ok(self.theories.table.by_term[&root])
    }

    /// The entry of a term whose parts have one, unless they are circuits.
    fn entry_of(&mut self, terms: &Terms, t: Term) -> Result<EntryId, Stop> {
        if let Some(&id) = self.theories.table.by_term.get(&t) {
            return Ok(id);
        }
        let sort = terms.sort(t);
        self.note_sort(terms, sort);
        let id = match terms.op(t) {
            _ if self.blaster.is_circuit(terms, t) => self.circuit_entry(terms, t)?,
            Op::Apply(f) => self.application_of(terms, t, Head::Function(f))?,
            Op::Select => self.application_of(terms, t, Head::Select)?,
            Op::Store => {
                let id = self.application_of(terms, t, Head::Store)?;
                self.store_axioms(id);
                id
            }
            Op::ConstArray => {
                let id = self.application_of(terms, t, Head::ConstArray(sort))?;
                self.constant_array_axioms(id);
                id
            }
            Op::Ite if sort.is_arithmetic() => self.choose_number(terms, t)?,
            Op::Ite => self.choose(terms, t)?,
            Op::Var(_) => self.fresh_entry(sort),
            Op::Const(_) if !sort.is_arithmetic() => {
                let value = terms.constant(t).unwrap_or(Value::Bool(false));
                let node = self.value_node(value);
                self.theories.table.add(node, sort, Kind::Plain)
            }
            _ => self.number_entry(terms, t)?,
        };
        self.theories.table.by_term.insert(t, id);
        Ok(id)
    }

    fn arguments(&mut self, terms: &Terms, t: Term) -> Result<Vec<EntryId>, Stop> {
        terms.args(t).iter().map(|&a| self.entry_of(terms, a)).collect()
    }

    fn application_of(&mut self, terms: &Terms, t: Term, head: Head) -> Result<EntryId, Stop> {
        let args = self.arguments(terms, t)?;
        let sort = terms.sort(t);
        if !has_bits(sort) {
            return Ok(self.apply(head, &args, sort));
        }
        self.blaster.blast(terms, &[t], &self.budget)?;
        let bits = self.blaster.bits(terms, t).to_vec();
        if let Some(known) = self.theories.table.application(head, &args) {
            self.equal_bits(known, &bits);
            return Ok(known);
        }
        let node = self.application_node(head, &args);
        let kind = match sort {
            Sort::Bool => {
                let atom = self.theories.atom(bits[0], Meaning::Equality);
                self.theories.euf.predicate(atom, node);
                Kind::Truth(bits[0])
            }
            _ => Kind::Word(bits),
        };
        let id = self.theories.table.add(node, sort, kind);
        self.theories.table.add_application(head, args, id);
        Ok(id)
    }

    fn application_node(&mut self, head: Head, args: &[EntryId]) -> Node {
        let number = self.theories.table.head_number(head);
        let nodes: Vec<Node> = args.iter().map(|&a| self.theories.table.node(a)).collect();
        self.theories.euf.apply(number, &nodes)
    }

    /// The entry of `head` at `args`, found or made.
    pub(super) fn apply(&mut self, head: Head, args: &[EntryId], sort: Sort) -> EntryId {
        if let Some(known) = self.theories.table.application(head, args) {
            return known;
        }
        let node = self.application_node(head, args);
        let kind = self.fresh_kind(node, sort);
        let id = self.theories.table.add(node, sort, kind);
        self.theories.table.add_application(head, args.to_vec(), id);
        id
    }

    /// The entry of `head` at `args`, which is `result` by definition.
    pub(super) fn apply_as(&mut self, head: Head, args: &[EntryId], result: EntryId) {
        let known = self.theories.table.application(head, args);
        let node = self.application_node(head, args);
        let as_result = self.theories.table.node(result);
        // Nothing is asserted between searches, and so nothing contradicts.
        let _ = self.theories.euf.assert_equality(node, as_result, &[]);
        match known {
            Some(known) => self.equal_elsewhere(known, result),
            None => {
                let entry = self.theories.table.get(result).clone();
                let id = self.theories.table.add(node, entry.sort, entry.kind);
                self.theories.table.add_application(head, args.to_vec(), id);
            }
        }
    }

    /// A fresh entry of `sort`.
    pub(super) fn fresh_entry(&mut self, sort: Sort) -> EntryId {
        let node = self.theories.euf.constant();
        let kind = self.fresh_kind(node, sort);
        self.theories.table.add(node, sort, kind)
    }

    fn fresh_kind(&mut self, node: Node, sort: Sort) -> Kind {
        match sort {
            Sort::Bool => {
                let lit = self.blaster.circuit.input();
                let atom = self.theories.atom(lit, Meaning::Equality);
                self.theories.euf.predicate(atom, node);
                Kind::Truth(lit)
            }
            Sort::BitVec(width) => Kind::Word((0..width).map(|_| self.blaster.circuit.input()).collect()),
            Sort::Int | Sort::Real => Kind::Number(self.fresh_number(sort)),
            Sort::Array(_) => Kind::Array,
            Sort::Uninterpreted(_) => Kind::Plain,
        }
    }

    /// The entry of a term that is known by its bits.
    fn circuit_entry(&mut self, terms: &Terms, t: Term) -> Result<EntryId, Stop> {
        self.blaster.blast(terms, &[t], &self.budget)?;
        let bits = self.blaster.bits(terms, t).to_vec();
        let sort = terms.sort(t);
        let table = &mut self.theories.table;
        if sort == Sort::Bool {
            if let Some(truth) = bits[0].as_constant() {
                let node = self.theories.euf.truth(truth);
                return Ok(table.add(node, sort, Kind::Truth(bits[0])));
            }
            let node = self.theories.euf.constant();
            let lit = self.blaster.circuit.input();
            let atom = self.theories.atom(lit, Meaning::Equality);
            self.theories.euf.predicate(atom, node);
            self.define(lit, bits[0]);
            return Ok(self.theories.table.add(node, sort, Kind::Truth(bits[0])));
        }
        let constants: Option<Vec<bool>> = bits.iter().map(|bit| bit.as_constant()).collect();
        let node = match constants {
            Some(value) => self.value_node(Value::Bits(tamis_logic::Bits::from_bits(&value))),
            None => self.theories.euf.constant(),
        };
        Ok(self.theories.table.add(node, sort, Kind::Word(bits)))
    }

    /// The node of a value: different values are different nodes, known to be distinct.
    pub(super) fn value_node(&mut self, value: Value) -> Node {
        let theories = &mut self.theories;
        let tag = theories.values.len() as u64;
        *theories.values.entry(value).or_insert_with(|| theories.euf.value(tag))
    }

    /// An if-then-else over arrays or a declared sort.
    fn choose(&mut self, terms: &Terms, t: Term) -> Result<EntryId, Stop> {
        let args = terms.args(t);
        let condition = self.condition(terms, args[0])?;
        let (a, b) = (self.entry_of(terms, args[1])?, self.entry_of(terms, args[2])?);
        match condition.as_constant() {
            Some(true) => return Ok(a),
            Some(false) => return Ok(b),
            None => {}
        }
        let id = self.fresh_entry(terms.sort(t));
        let [t, a, b] = [id, a, b].map(|id| self.theories.table.node(id));
        let lit = self.blaster.circuit.input();
        self.theories.atom(lit, Meaning::Choice(t, a, b));
        self.define(lit, condition);
        Ok(id)
    }

    pub(super) fn condition(&mut self, terms: &Terms, t: Term) -> Result<Lit, Stop> {
        self.blaster.blast(terms, &[t], &self.budget)?;
        Ok(self.blaster.lit(terms, t))
    }

    /// `lit ⇔ meaning`.
    pub(super) fn define(&mut self, lit: Lit, meaning: Lit) {
        self.add_clause(&[!lit, meaning]);
        self.add_clause(&[lit, !meaning]);
    }

    fn note_sort(&mut self, terms: &Terms, sort: Sort) {
        let mut pending = vec![sort];
        while let Some(sort) = pending.pop() {
            let Some((index, element)) = terms.array_parts(sort) else { continue };
            if self.theories.table.array_sorts.insert(sort, (index, element)).is_none() {
                pending.extend([index, element]);
            }
        }
    }

    /// A fresh variable of arithmetic.
    pub(super) fn fresh_number(&mut self, sort: Sort) -> super::table::Number {
        let arith_sort = if sort == Sort::Int { arith::Sort::Int } else { arith::Sort::Real };
        let var = self.theories.arith.variable(arith_sort);
        if sort == Sort::Int {
            self.theories.integers.insert(var);
        }
        super::table::Number { form: LinearForm::from(var), constant: Rational::ZERO }
    }
}
