//! Invariants over terms, and executions.

use super::cube::Cube;
use super::machine::{Bit, Machine};
use super::obligations::ObligationId;
use super::transition::Transition;
use super::{Ic3, Verdict};
use rustc_hash::FxHashMap;
use tamis_logic::{Sort, Term, Terms};
use tamis_solver::{Answer, Circuit, Gate, Lit, Stop};
use tamis_system::{Invariants, System};

/// The invariant whose clauses are the complements of cubes, and that stuck bits are stuck.
pub(super) fn invariants<S: System>(
    terms: &mut Terms,
    transition: &Transition<'_, S>,
    machine: &Machine,
    cubes: &[Cube],
) -> Invariants {
    let latches = machine.latches.iter().filter_map(|l| Some((l.now.gate(), l.bit?)));
    let latches: FxHashMap<usize, Bit> = latches.collect();
    let gates = machine.circuit.cone(cubes.iter().flat_map(|cube| cube.iter().copied()));
    transition.invariants(terms, |terms, number| {
        let is_set = |terms: &mut Terms, bit: Bit| match transition.is_number(bit.variable) {
            true => terms.bool(number(bit.index as u32)),
            false => bit_term(terms, transition.state[bit.variable], bit.index),
        };
        let mut values: FxHashMap<usize, Term> = FxHashMap::default();
        for &gate in &gates {
            let value = match latches.get(&gate) {
                Some(&bit) => is_set(terms, bit),
                None => gate_term(terms, &machine.circuit, gate, &values),
            };
            values.insert(gate, value);
        }
        let mut conjuncts = Vec::new();
        for &(bit, value) in &machine.stuck {
            let holds = is_set(terms, bit);
            conjuncts.push(if value { holds } else { terms.not(holds) });
        }
        for cube in cubes {
            let clause: Vec<Term> = cube.iter().map(|&lit| lit_term(terms, &values, !lit)).collect();
            conjuncts.push(terms.or(&clause));
        }
        terms.and(&conjuncts)
    })
}

fn lit_term(terms: &mut Terms, values: &FxHashMap<usize, Term>, lit: Lit) -> Term {
    let value = values[&lit.gate()];
    if lit.is_complement() { terms.not(value) } else { value }
}

/// A gate's output, of those of its inputs.
fn gate_term(terms: &mut Terms, circuit: &Circuit, gate: usize, values: &FxHashMap<usize, Term>) -> Term {
    let mut inputs = Vec::new();
    circuit.for_each_input(gate, |lit| inputs.push(lit));
    let inputs: Vec<Term> = inputs.into_iter().map(|lit| lit_term(terms, values, lit)).collect();
    match (circuit.gate(gate), &inputs[..]) {
        (Gate::Xor(..), &[a, b]) => terms.xor(a, b),
        (Gate::Xor3(..), &[a, b, c]) => {
            let two = terms.xor(a, b);
            terms.xor(two, c)
        }
        (Gate::Majority(..), &[a, b, c]) => {
            let (both, some) = (terms.and2(a, b), terms.or2(a, b));
            terms.ite(c, some, both)
        }
        (Gate::Ite(..), &[c, a, b]) => terms.ite(c, a, b),
        // Conjunctions; the constant is one of nothing, and an input that is no latch is in no cube.
        (_, inputs) => terms.and(inputs),
    }
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
