//! The theories as the search sees them.

use super::arithmetic::Arithmetic;
use super::requests::Request;
use super::snapshot::Snapshot;
use super::table::{AtomEntry, EntryId, Meaning, Table};
use super::{Background, Verdict};
use crate::budget::Budget;
use crate::circuit::Lit;
use crate::sat::SatLit;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;
use tamis_logic::{Sort, Value};
use tamis_theories::arith::{LinearForm, Rational, Split, Stop, Var};
use tamis_theories::euf::{CongruenceClosure, Node};
use tamis_theories::{Atom, Check, Conflict, Literal, Theory};

/// While `switch` holds, integer variables are between `-limit` and `limit`.
///
/// Branching alone need not end where variables have no bounds: it may follow a direction without integers for ever. The
/// search tries a switch with `true` first, so that small values are looked for before large ones; a range that is
/// refuted is followed by a wider one.
pub(crate) struct Range {
    pub switch: Atom,
    pub limit: Rational,
    /// How many variables are in it.
    pub vars: usize,
}

/// All theories beside bit-vectors, and the table of their terms.
#[derive(Default)]
pub(crate) struct Theories {
    pub table: Table,
    pub euf: CongruenceClosure,
    pub arith: Arithmetic,
    /// The atoms, by their number.
    pub atoms: Vec<AtomEntry>,
    /// How many of the blaster's foreign terms have been given a meaning.
    pub registered: usize,
    /// Equalities that have a literal.
    pub equalities: FxHashMap<(EntryId, EntryId), Lit>,
    /// Bounds `form ≤ constant` that have a literal.
    pub bounds: FxHashMap<(LinearForm, Rational), Lit>,
    /// Quotients of divisions by constants, and floors.
    pub quotients: FxHashMap<(EntryId, Rational), Var>,
    /// Arithmetic variables that are integers.
    pub integers: BTreeSet<Var>,
    /// How often the search was asked to branch on a variable.
    branches: FxHashMap<Var, u32>,
    /// The box that integers are looked for in first.
    pub range: Option<Range>,
    /// The nodes of values.
    pub values: FxHashMap<Value, Node>,
    /// Instances of the array axioms that have been added.
    pub instances: FxHashSet<(EntryId, EntryId)>,
    /// Array sorts in which there are arrays with one element everywhere.
    pub constant_sorts: FxHashSet<Sort>,
    /// Entries of constants that no term stands for.
    pub constants: FxHashMap<Value, EntryId>,
    /// Set when a term was replaced by an unconstrained one: what is satisfiable then may not be so.
    pub incomplete: bool,
    /// What the last complete assignment needs that is not there.
    pub requests: Vec<Request>,
    /// The model of the last accepted assignment.
    pub snapshot: Option<Snapshot>,
    /// Whether the model of an accepted assignment will be asked for.
    pub wants_model: bool,
    /// The literal of each atom in the search.
    pub(super) sat_of: Vec<SatLit>,
    /// The atom of each variable, plus 1; 0 for none.
    atom_of: Vec<u32>,
    /// The bits of words in the search, by entry; constants as they are.
    words: FxHashMap<EntryId, Vec<Result<SatLit, bool>>>,
    /// The variables of both.
    observed: Vec<SatLit>,
    /// How many levels are open.
    depth: usize,
}

impl Theories {
    /// Opens the level of a search, which is stopped with `budget`.
    pub fn open(&mut self, budget: &Budget) {
        let budget = budget.clone();
        let stop: Stop = Arc::new(move || budget.check().is_err());
        self.arith.enter();
        self.arith.set_stop(stop);
        self.requests.clear();
        self.snapshot = None;
        self.push();
    }

    /// The variables that the theories observe.
    pub fn observed(&self) -> &[SatLit] {
        &self.observed
    }

    /// Branches on differences and sums with the variable of a branch, if it has been branched on often: where
    /// variables have no bounds, their differences may have some, and branching on those ends.
    fn long_branches(&mut self, splits: &[Split]) -> Vec<Request> {
        let mut found = Vec::new();
        for split in splits {
            let Split::Branch { var, .. } = split else { continue };
            let count = self.branches.entry(*var).or_default();
            *count += 1;
            if !count.is_power_of_two() || *count < 8 {
                continue;
            }
            let values = self.arith.model();
            for &other in self.integers.iter().filter(|&other| other != var) {
                for sign in [1, -1] {
                    let form = LinearForm::from([(*var, 1), (other, sign)]);
                    let value = form.evaluate(|var| values[var.0 as usize].clone());
                    found.push(Request::Branch { form, at: value.floor() });
                }
            }
        }
        found
    }

    /// Forgets all that was asserted.
    pub fn pop_all(&mut self) {
        self.pop(self.depth);
    }

    /// Whether there is nothing to decide.
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty() && self.table.entries.is_empty()
    }

    /// Whether arithmetic takes part.
    pub fn has_bounds(&self) -> bool {
        !self.bounds.is_empty()
    }

    /// A new atom at `lit`, an input that no other atom has.
    pub fn atom(&mut self, lit: Lit, meaning: Meaning) -> Atom {
        self.atoms.push(AtomEntry { lit, meaning });
        Atom(self.atoms.len() as u32 - 1)
    }

    /// Says which variables of the SAT solver the atoms and bits are, for the searches to come.
    pub fn connect(
        &mut self,
        sat_of: Vec<SatLit>,
        words: FxHashMap<EntryId, Vec<Result<SatLit, bool>>>,
        observed: Vec<SatLit>,
    ) {
        let largest = sat_of.iter().map(|lit| lit.unsigned_abs()).max().unwrap_or(0);
        self.atom_of.clear();
        self.atom_of.resize(largest as usize + 1, 0);
        for (atom, lit) in sat_of.iter().enumerate() {
            self.atom_of[lit.unsigned_abs() as usize] = atom as u32 + 1;
        }
        self.sat_of = sat_of;
        self.words = words;
        self.observed = observed;
    }

    pub fn word(&self, id: EntryId) -> &[Result<SatLit, bool>] {
        self.words.get(&id).map_or(&[], |word| word)
    }

    /// The atom that a literal of the search is about.
    fn atom_at(&self, lit: SatLit) -> Option<(Literal, Meaning)> {
        let number = self.atom_of.get(lit.unsigned_abs() as usize)?.checked_sub(1)?;
        let positive = self.sat_of[number as usize] == lit;
        Some((Literal::new(Atom(number), positive), self.atoms[number as usize].meaning))
    }

    fn sat_literal(&self, literal: Literal) -> SatLit {
        let lit = self.sat_of[literal.atom.0 as usize];
        if literal.positive { lit } else { -lit }
    }

    fn sat_literals(&self, literals: &[Literal]) -> Vec<SatLit> {
        literals.iter().map(|&literal| self.sat_literal(literal)).collect()
    }

    fn lift(&self, result: Result<(), Conflict>) -> Result<(), Vec<SatLit>> {
        result.map_err(|conflict| self.sat_literals(&conflict.0))
    }
}

impl Background for Theories {
    fn decide_first(&self) -> &[SatLit] {
        if self.table.applications.is_empty() || !self.has_bounds() { &[] } else { &self.observed }
    }

    fn push(&mut self) {
        self.depth += 1;
        self.euf.push();
        self.arith.push();
    }

    fn pop(&mut self, levels: usize) {
        self.depth -= levels;
        self.euf.pop(levels);
        self.arith.pop(levels);
    }

    fn assert(&mut self, lit: SatLit) -> Result<(), Vec<SatLit>> {
        let Some((literal, meaning)) = self.atom_at(lit) else { return Ok(()) };
        let result = match meaning {
            Meaning::Equality => self.euf.assert(literal),
            Meaning::Bound => self.arith.assert(literal),
            Meaning::Switch => Ok(()),
            Meaning::Choice(t, a, b) => {
                let chosen = if literal.positive { a } else { b };
                self.euf.assert_equality(t, chosen, &[literal])
            }
        };
        self.lift(result)
    }

    fn propagate(&mut self, implied: &mut Vec<SatLit>) -> Result<(), Vec<SatLit>> {
        let mut found = Vec::new();
        let result = self.euf.propagate(&mut found);
        self.lift(result)?;
        let result = self.arith.propagate(&mut found);
        self.lift(result)?;
        implied.extend(self.sat_literals(&found));
        Ok(())
    }

    fn explain(&mut self, implied: SatLit, reasons: &mut Vec<SatLit>) {
        let Some((literal, meaning)) = self.atom_at(implied) else { return };
        let mut found = Vec::new();
        match meaning {
            Meaning::Bound => self.arith.explain(literal, &mut found),
            _ => self.euf.explain(literal, &mut found),
        }
        reasons.extend(self.sat_literals(&found));
    }

    fn complete(&mut self, value: &dyn Fn(SatLit) -> bool) -> Verdict {
        self.requests.clear();
        self.snapshot = None;
        match self.arith.check() {
            Check::Consistent => {}
            Check::Conflict(conflict) => {
                let clause = self.sat_literals(&conflict.0).into_iter().map(|lit| -lit).collect();
                return Verdict::Lemmas(vec![clause]);
            }
            Check::Split => {
                let splits = self.arith.take_splits();
                self.requests = self.long_branches(&splits);
                self.requests.extend(splits.into_iter().map(Request::Split));
                let inside = self.range.as_ref().is_some_and(|range| {
                    range.vars == self.integers.len() && value(self.sat_of[range.switch.0 as usize])
                });
                if !inside && !self.requests.is_empty() {
                    let entered = self.range.as_ref();
                    let left = entered.is_none_or(|range| !value(self.sat_of[range.switch.0 as usize]));
                    self.requests.push(Request::Range { wider: left });
                }
                return Verdict::Interrupt;
            }
        }
        if !self.wants_model && self.table.applications.is_empty() {
            // Entries are in one class by equalities that arithmetic and the words have been told as well.
            return Verdict::Consistent;
        }
        self.combine(value);
        if self.requests.is_empty() { Verdict::Consistent } else { Verdict::Interrupt }
    }
}
