//! Clauses of gates [Tseitin 1968], each gate's once, and only for gates that some clause needs.

use crate::budget::{Budget, Stop};
use crate::circuit::{Circuit, Gate, Lit};
use crate::limits;
use crate::sat::{Sat, SatLit};

/// Which gates have a variable and clauses already.
pub(crate) struct Encoder {
    /// The variable of each gate, 0 for none.
    variables: Vec<SatLit>,
    pending: Vec<usize>,
    pub clauses: u64,
}

impl Encoder {
    pub fn new() -> Encoder {
        Encoder { variables: Vec::new(), pending: Vec::new(), clauses: 0 }
    }

    /// The SAT literal of `lit`, if it has one. Constants never have.
    pub fn known(&self, lit: Lit) -> Option<SatLit> {
        match self.variables.get(lit.gate()) {
            None | Some(0) => None,
            Some(&variable) => Some(if lit.is_complement() { -variable } else { variable }),
        }
    }

    /// The SAT literal of `lit`, which is not a constant. The clauses of the gates it depends on are added by the next
    /// [`flush`](Encoder::flush).
    pub fn literal(&mut self, circuit: &Circuit, sat: &mut Sat, lit: Lit) -> SatLit {
        debug_assert!(lit.as_constant().is_none(), "constants are simplified away before clauses are made");
        if self.variables.len() < circuit.len() {
            self.variables.resize(circuit.len(), 0);
        }
        if self.variables[lit.gate()] == 0 {
            self.number_cone(circuit, sat, lit.gate());
        }
        let variable = self.variables[lit.gate()];
        if lit.is_complement() { -variable } else { variable }
    }

    /// Gives variables to `root` and to all it depends on, inputs before outputs, and queues their clauses.
    fn number_cone(&mut self, circuit: &Circuit, sat: &mut Sat, root: usize) {
        let start = self.pending.len();
        self.pending.push(root);
        self.variables[root] = QUEUED;
        let mut next = start;
        while next < self.pending.len() {
            let gate = self.pending[next];
            next += 1;
            circuit.for_each_input(gate, |lit| {
                if self.variables[lit.gate()] == 0 {
                    self.variables[lit.gate()] = QUEUED;
                    self.pending.push(lit.gate());
                }
            });
        }
        self.pending[start..].sort_unstable();
        for &gate in &self.pending[start..] {
            self.variables[gate] = sat.fresh();
        }
    }

    /// Adds the clauses of all gates that have a variable. To be called before each search; if it is stopped, the next
    /// call goes on where it was.
    pub fn flush(&mut self, circuit: &Circuit, sat: &mut Sat, budget: &Budget) -> Result<(), Stop> {
        let mut encoded = 0;
        while let Some(gate) = self.pending.pop() {
            self.encode(circuit, sat, gate);
            encoded += 1;
            if encoded % limits::GATES_BETWEEN_POLLS == 0 {
                budget.check()?;
            }
        }
        Ok(())
    }

    /// Adds the clause `lits`, simplified by the constants in it.
    pub fn clause(&mut self, circuit: &Circuit, sat: &mut Sat, lits: &[Lit]) {
        if lits.contains(&Lit::TRUE) {
            return;
        }
        let clause: Vec<SatLit> = lits
            .iter()
            .filter(|&&lit| lit != Lit::FALSE)
            .map(|&lit| self.literal(circuit, sat, lit))
            .collect();
        self.add(sat, &clause);
    }

    pub fn add(&mut self, sat: &mut Sat, clause: &[SatLit]) {
        self.clauses += 1;
        sat.clause(clause);
    }

    fn encode(&mut self, circuit: &Circuit, sat: &mut Sat, gate: usize) {
        gate_clauses(circuit, gate, |clause| {
            let literal = |lit: &Lit| self.known(*lit).expect("a gate's inputs are numbered with it");
            let clause: Vec<SatLit> = clause.iter().map(literal).collect();
            self.add(sat, &clause);
        });
    }
}

/// Calls `add` with each clause of a gate.
pub(crate) fn gate_clauses(circuit: &Circuit, gate: usize, mut add: impl FnMut(&[Lit])) {
    let out = Lit::output(gate);
    let mut add_all = |clauses: &[&[Lit]]| clauses.iter().for_each(|clause| add(clause));
    match circuit.gate(gate) {
        Gate::True | Gate::Input => {}
        Gate::And(a, b) => add_all(&[&[!out, a], &[!out, b], &[out, !a, !b]]),
        Gate::AndMany { first, count } => {
            let inputs = circuit.inputs(first, count);
            inputs.iter().for_each(|&input| add_all(&[&[!out, input]]));
            let long: Vec<Lit> = std::iter::once(out).chain(inputs.iter().map(|&input| !input)).collect();
            add_all(&[&long]);
        }
        Gate::Xor(a, b) => add_all(&[&[!out, a, b], &[!out, !a, !b], &[out, !a, b], &[out, a, !b]]),
        Gate::Xor3(a, b, c) => {
            for (x, y) in [(b, c), (!b, !c)] {
                // Where b and c agree the output is a, where they differ it is not.
                add_all(&[&[!out, a, x, y], &[out, !a, x, y]]);
                add_all(&[&[!out, !a, x, !y], &[out, a, x, !y]]);
            }
        }
        Gate::Majority(a, b, c) => {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                add_all(&[&[!out, x, y], &[out, !x, !y]]);
            }
        }
        Gate::Ite(c, a, b) => {
            add_all(&[&[!out, !c, a], &[out, !c, !a], &[!out, c, b], &[out, c, !b]]);
            // Implied by these, but not found by unit propagation.
            add_all(&[&[!out, a, b], &[out, !a, !b]]);
        }
    }
}

/// Instead of a variable while a cone is being numbered.
const QUEUED: SatLit = -1;
