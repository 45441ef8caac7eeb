//! Invariants over terms, and executions.

use super::cube::Cube;
use super::machine::{Bit, Machine};
use super::obligations::ObligationId;
use super::transition::Transition;
use super::{Ic3, Verdict};
use rustc_hash::FxHashMap;
use tamis_logic::{Sort, Term, Terms};
use tamis_solver::{Answer, Lit, Stop};
use tamis_system::{Invariants, System};

/// The invariant whose clauses are the complements of cubes, and that stuck bits are stuck.
pub(super) fn invariants<S: System>(
    terms: &mut Terms,
    transition: &Transition<'_, S>,
    machine: &Machine,
    cubes: &[Cube],
) -> Invariants {
    let latches: FxHashMap<usize, Bit> = machine.latches.iter().map(|l| (l.now.gate(), l.bit)).collect();
    transition.invariants(terms, |terms, number| {
        let is = |terms: &mut Terms, bit: Bit, value: bool| {
            let holds = match transition.is_number(bit.variable) {
                true => terms.bool(number(bit.index as u32)),
                false => bit_term(terms, transition.state[bit.variable], bit.index),
            };
            if value { holds } else { terms.not(holds) }
        };
        let mut conjuncts = Vec::new();
        for &(bit, value) in &machine.stuck {
            conjuncts.push(is(terms, bit, value));
        }
        for cube in cubes {
            let mut clause = Vec::new();
            for lit in cube.iter() {
                clause.push(is(terms, latches[&lit.gate()], lit.is_complement()));
            }
            conjuncts.push(terms.or(&clause));
        }
        terms.and(&conjuncts)
    })
}

/// Whether a bit of a variable is set.
fn bit_term(terms: &mut Terms, variable: Term, index: usize) -> Term {
    let (word, index) = match terms.array_parts(terms.sort(variable)) {
        Some((at, element)) => {
            let width = element.width().unwrap_or(1) as usize;
            let place = match at {
                Sort::BitVec(width_of_index) => terms.bits(width_of_index, (index / width) as u128),
                _ => terms.bool(index / width == 1),
            };
            (terms.select(variable, place), index % width)
        }
        None => (variable, index),
    };
    if terms.sort(word) == Sort::Bool {
        return word;
    }
    let (bit, one) = (terms.extract(index as u32, index as u32, word), terms.bits(1, 1));
    terms.eq(bit, one)
}

impl Ic3<'_> {
    /// The execution from an obligation that has a first state in it.
    pub(super) fn execution(&mut self, from: ObligationId) -> Result<Verdict, Stop> {
        let cube = self.obligations[from].cube.clone();
        if self.first.solve(&cube, &[])? == Answer::Unsat {
            return Err(Stop::Unsupported);
        }
        let is_set = |lit: &Lit| self.first.value(*lit) == Some(true);
        let start: Vec<Lit> = self.machine.inputs().filter(is_set).collect();
        let mut cycles = Vec::new();
        let mut at = Some(from);
        while let Some(id) = at {
            cycles.push(self.obligations[id].out.clone());
            at = self.obligations[id].next;
        }
        Ok(Verdict::Unsafe { start, cycles })
    }
}
