//! Internal signals as literals: Dureja, Gurfinkel, Ivrii, Vizel, *IC3 with Internal Signals*, FMCAD 2021.
//!
//! A gate whose value depends on latches alone is a function of the state, as a latch is: its first and its next value are those
//! of the same function of first and next values. A cube over such gates says in one literal what takes many over latches, where
//! words are compared or added.

use super::machine::{Latch, Machine};
use tamis_solver::{Circuit, Gate, Lit};

/// No gates are taken if there are more: each is copied twice, and each frame has a solver over the copies.
const MAX_GATES: usize = 50_000;

impl Machine {
    /// The machine with the gates that depend on latches alone as latches too, unless they are too many.
    pub fn with_innards(mut self) -> Machine {
        let gates = self.gates_of_state();
        if gates.len() > MAX_GATES {
            return self;
        }
        let first = self.composed(&gates, |latch| latch.first);
        let next = self.composed(&gates, |latch| latch.next);
        for ((now, first), next) in gates.into_iter().zip(first).zip(next) {
            self.latches.push(Latch { now, first, next, bit: None });
        }
        self
    }

    /// The gates that depend on latches alone and are none themselves.
    fn gates_of_state(&self) -> Vec<Lit> {
        let mut of_state = vec![false; self.circuit.len()];
        for latch in &self.latches {
            of_state[latch.now.gate()] = true;
        }
        let mut gates = Vec::new();
        for gate in 0..self.circuit.len() {
            if matches!(self.circuit.gate(gate), Gate::True | Gate::Input) {
                continue;
            }
            let mut all = true;
            self.circuit.for_each_input(gate, |lit| all &= of_state[lit.gate()]);
            if all {
                of_state[gate] = true;
                gates.push(Lit::output(gate));
            }
        }
        gates
    }

    /// The same functions as those of some gates, of other values of the latches.
    fn composed(&mut self, gates: &[Lit], value: impl Fn(&Latch) -> Lit) -> Vec<Lit> {
        let mut values = vec![None; self.circuit.len()];
        for latch in &self.latches {
            values[latch.now.gate()] = Some(value(latch));
        }
        let old = std::mem::replace(&mut self.circuit, Circuit::new());
        let copied = old.clone().copy_onto(old, gates, |_, lit| values[lit.gate()].unwrap_or(lit));
        let image = |&lit: &Lit| copied.image(lit).expect("a root is copied");
        let images = gates.iter().map(image).collect();
        self.circuit = copied.circuit;
        images
    }
}

/// The length of the longest way from a gate to an input, by gate.
pub(super) fn levels(circuit: &Circuit) -> Vec<u32> {
    let mut levels = vec![0; circuit.len()];
    for gate in 0..circuit.len() {
        let mut level = 0;
        circuit.for_each_input(gate, |lit| level = level.max(levels[lit.gate()] + 1));
        levels[gate] = level;
    }
    levels
}
