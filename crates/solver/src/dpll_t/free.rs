//! Free predicates: important literals that stand for a bound which nothing else depends on.
//!
//! In a predicate abstraction query most predicates occur in `b ↔ p` and nowhere else ([SMT §3]). Whatever truth values such
//! predicates have, the Boolean part of a model stays one; only arithmetic has a say.

use super::table::{Head, Kind, Meaning};
use crate::circuit::{Gate, Lit};
use crate::solver::Solver;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_theories::{Atom, Literal};

/// The free predicates of an enumeration.
#[derive(Default)]
pub(crate) struct Free {
    /// Whether there are numbers alone, so that arithmetic can look after equalities too.
    pub numeric: bool,
    /// For each important literal the bound, or the equality of numbers, that it is equal to and that nothing else depends
    /// on, if there is one; none at all without arithmetic.
    pub bounds: Vec<Option<Literal>>,
    /// The gates of these literals, of the bounds, and of what is equal to them.
    pub gates: FxHashSet<usize>,
}

/// Where gates are used.
pub(super) struct Uses {
    /// How often the output of a gate occurs in an assertion or as an input of a gate in use.
    pub(super) count: Vec<u32>,
    /// Literals that assertions make equal to the output of a gate.
    pub(super) equal: FxHashMap<usize, Vec<Lit>>,
}

impl Solver {
    /// Which of the important literals are free.
    pub(crate) fn free_predicates(&self, important: &[Lit], assumed: &[Lit]) -> Free {
        // Arrays depend on which numbers differ, also where no literal that the Boolean part needs says so.
        let arrays = self.theories.table.applications.iter().any(|a| !matches!(a.head, Head::Function(_)));
        if !self.theories.has_bounds() || arrays {
            return Free::default();
        }
        let uses = self.uses(important, assumed);
        let mut atoms: FxHashMap<usize, (Atom, Meaning)> = FxHashMap::default();
        for (number, atom) in self.theories.atoms.iter().enumerate() {
            atoms.insert(atom.lit.gate(), (Atom(number as u32), atom.meaning));
        }
        let places = atoms.iter().map(|(&gate, &(atom, _))| (gate, atom)).collect();
        let defined = self.definitions(&uses, &places);
        let by_bounds = |&(&gate, &(_, meaning)): &(&usize, &(Atom, Meaning))| {
            meaning != Meaning::Equality || defined.contains_key(&gate)
        };
        let numeric = self.theories.is_numeric() && atoms.iter().all(|atom| by_bounds(&atom));
        let mut free = Free { numeric, ..Free::default() };
        let defined = if numeric { &defined } else { &FxHashMap::default() };
        for &lit in important {
            let found = self.free_bound(lit, &uses, &atoms, defined);
            free.bounds.push(found.as_ref().map(|(bound, _)| *bound));
            free.gates.extend(found.into_iter().flat_map(|(_, gates)| gates));
        }
        free
    }

    /// Follows the equalities that assertions make from a literal on, up to the one bound among them. With the gates that
    /// it came by.
    fn free_bound(
        &self,
        lit: Lit,
        uses: &Uses,
        atoms: &FxHashMap<usize, (Atom, Meaning)>,
        defined: &FxHashMap<usize, Lit>,
    ) -> Option<(Literal, FxHashSet<usize>)> {
        let mut bound = None;
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let mut pending = vec![lit];
        while let Some(lit) = pending.pop() {
            if !seen.insert(lit.gate()) {
                continue;
            }
            let equal = uses.equal.get(&lit.gate()).map_or(&[][..], |equal| equal);
            // Every equality is two clauses.
            if self.blaster.circuit.gate(lit.gate()) != Gate::Input
                || uses.count[lit.gate()] as usize != 2 * equal.len()
            {
                return None;
            }
            if let Some(&(atom, meaning)) = atoms.get(&lit.gate()) {
                let positive = self.theories.atoms[atom.0 as usize].lit == lit;
                let is_equality = meaning == Meaning::Equality && defined.contains_key(&lit.gate());
                if !(is_equality || meaning == Meaning::Bound)
                    || bound.replace(Literal::new(atom, positive)).is_some()
                {
                    return None;
                }
            }
            let definition = atoms.get(&lit.gate()).and_then(|_| defined.get(&lit.gate()));
            let others = equal.iter().filter(|&by| Some(by) != definition);
            pending.extend(others.map(|&other| other.flip_if(lit.is_complement())));
        }
        bound.map(|bound| (bound, seen))
    }

    pub(super) fn uses(&self, important: &[Lit], assumed: &[Lit]) -> Uses {
        let circuit = &self.blaster.circuit;
        let mut uses = Uses { count: vec![0; circuit.len()], equal: FxHashMap::default() };
        let mut pending: Vec<usize> = important.iter().map(|lit| lit.gate()).collect();
        let mut binary: FxHashSet<(Lit, Lit)> = FxHashSet::default();
        for clause in self.asserted.clauses() {
            for lit in clause {
                uses.count[lit.gate()] += 1;
                pending.push(lit.gate());
            }
            if let &[a, b] = clause
                && binary.insert((a.min(b), a.max(b)))
                && binary.contains(&((!a).min(!b), (!a).max(!b)))
            {
                // a is the negation of b.
                uses.equal.entry(a.gate()).or_default().push((!b).flip_if(a.is_complement()));
                uses.equal.entry(b.gate()).or_default().push((!a).flip_if(b.is_complement()));
            }
        }
        let in_terms = self.theories.table.entries.iter().flat_map(|entry| match &entry.kind {
            Kind::Word(word) => &word[..],
            Kind::Truth(lit) => std::slice::from_ref(lit),
            _ => &[],
        });
        for lit in assumed.iter().chain(in_terms) {
            uses.count[lit.gate()] += 1;
            pending.push(lit.gate());
        }
        let mut seen = vec![false; circuit.len()];
        while let Some(gate) = pending.pop() {
            if !std::mem::replace(&mut seen[gate], true) {
                circuit.for_each_input(gate, |lit| {
                    uses.count[lit.gate()] += 1;
                    pending.push(lit.gate());
                });
            }
        }
        uses
    }
}
