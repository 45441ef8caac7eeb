//! Many small questions about one circuit: what IC3 asks, thousands of times in a second.
//!
//! A search by clause learning in the style of MiniSat (Eén, Sörensson, *An Extensible SAT-solver*, SAT 2003), with two
//! things that such questions want and a general solver lacks (Su et al., *Deeply Optimizing the SAT Solver
//! for the IC3 Algorithm*, CAV 2025):
//!
//! - Variables are gates, and a question is about the *cone* of the gates that it names, of asserted clauses, and no others.
//!   Only these are decided and propagated. A gate outside has the value that its inputs give it, so an assignment to the
//!   cone that violates no clause can be extended to all gates. What follows without any assumption is propagated
//!   everywhere, since it is never undone.
//! - A question may bring a clause that holds for it alone. One variable guards that clause in all questions: what is
//!   learned from the clause has the guard in it and goes when the question is done.
//!
//! CaDiCaL answers single hard questions faster; it needs longer to start and to say `Sat` about thousands of variables
//! than most of these questions take.

mod analyze;
mod clauses;
mod order;
mod propagate;

use crate::budget::{Budget, Stop};
use crate::circuit::{Circuit, Lit};
use crate::cnf::gate_clauses;
use crate::solver::Answer;
use clauses::{ClauseRef, Clauses, Watch};
use order::Order;
use std::sync::Arc;

/// Conflicts after which a search starts over, times a number of the sequence of Luby, Sinclair and Zuckerman.
const RESTART_UNIT: u64 = 100;
/// Conflicts between two looks at the clock.
const CONFLICTS_BETWEEN_POLLS: u64 = 256;
/// Questions between two looks at the clock.
const QUESTIONS_BETWEEN_POLLS: u64 = 64;
/// Learned clauses that are kept at first; each time there are more, half go and this grows by a tenth.
const LEARNED_AT_FIRST: usize = 4000;
/// Dropped clauses that may take room.
const MAX_GARBAGE: usize = 4000;

/// What a gate depends on directly, for all gates of a circuit.
struct Inputs {
    starts: Vec<u32>,
    gates: Vec<u32>,
}

impl Inputs {
    fn new(circuit: &Circuit) -> Inputs {
        let mut inputs = Inputs { starts: vec![0], gates: Vec::new() };
        for gate in 0..circuit.len() {
            circuit.for_each_input(gate, |lit| inputs.gates.push(lit.gate() as u32));
            inputs.starts.push(inputs.gates.len() as u32);
        }
        inputs
    }

    fn of(&self, gate: usize) -> &[u32] {
        match self.starts.get(gate + 1) {
            Some(&end) => &self.gates[self.starts[gate] as usize..end as usize],
            None => &[],
        }
    }
}

/// An incremental solver for questions about a circuit. See the module's head.
#[derive(Clone)]
pub struct ConeSolver {
    inputs: Arc<Inputs>,
    budget: Budget,
    clauses: Clauses,
    /// By literal: the clauses to look at when it becomes false.
    watches: Vec<Vec<Watch>>,
    /// By literal: 1 if it is true, -1 if it is false, 0 if it is open.
    values: Vec<i8>,
    levels: Vec<u32>,
    reasons: Vec<ClauseRef>,
    phases: Vec<bool>,
    trail: Vec<Lit>,
    /// Where each level starts in the trail.
    starts: Vec<usize>,
    /// The leaves of the cone: gates without inputs.
    leaves: Vec<u32>,
    /// So many of the leaves are assigned, for certain, when each level starts, and now.
    assigned_leaves: Vec<usize>,
    leaf: usize,
    propagated: usize,
    order: Order,
    /// By gate: the question whose cone it was in last.
    cone: Vec<u32>,
    question: u32,
    /// Gates that are in every cone.
    lasting: Vec<u32>,
    is_lasting: Vec<bool>,
    /// Guards the clause of a question.
    guard: Lit,
    /// Clauses that have the guard in them.
    guarded: Vec<ClauseRef>,
    learned: usize,
    max_learned: usize,
    /// How many dropped clauses still take room.
    garbage: usize,
    /// By literal: the last question in which it was an assumption that failed.
    failed: Vec<u32>,
    seen: Vec<bool>,
    /// Whether the clauses contradict each other.
    contradiction: bool,
    conflicts: u64,
}

impl ConeSolver {
    /// A solver for questions about a circuit, as it is now.
    pub fn new(circuit: &Circuit, budget: &Budget) -> ConeSolver {
        let gates = circuit.len();
        // One variable more, which is the guard.
        let variables = gates + 1;
        let mut solver = ConeSolver {
            inputs: Arc::new(Inputs::new(circuit)),
            budget: budget.clone(),
            clauses: Clauses::default(),
            watches: vec![Vec::new(); 2 * variables],
            values: vec![0; 2 * variables],
            levels: vec![0; variables],
            reasons: vec![ClauseRef::NONE; variables],
            phases: vec![false; variables],
            trail: Vec::new(),
            starts: Vec::new(),
            leaves: Vec::new(),
            assigned_leaves: Vec::new(),
            leaf: 0,
            propagated: 0,
            order: Order::new(variables),
            cone: vec![0; variables],
            question: 0,
            lasting: Vec::new(),
            is_lasting: vec![false; variables],
            guard: Lit::output(gates),
            guarded: Vec::new(),
            learned: 0,
            max_learned: LEARNED_AT_FIRST,
            garbage: 0,
            failed: vec![0; 2 * variables],
            seen: vec![false; variables],
            contradiction: false,
            conflicts: 0,
        };
        for gate in 0..gates {
            gate_clauses(circuit, gate, |clause| {
                solver.attach(clause, false);
            });
        }
        solver.assign(Lit::TRUE, ClauseRef::NONE);
        solver
    }

    /// Asserts a clause for good.
    pub fn assert(&mut self, clause: &[Lit]) {
        self.reset();
        for lit in clause {
            self.make_lasting(lit.gate());
        }
        if clause.iter().any(|&lit| self.value_of(lit) > 0) {
            return;
        }
        let open: Vec<Lit> = clause.iter().copied().filter(|&lit| self.value_of(lit) == 0).collect();
        match open[..] {
            [] => self.contradiction = true,
            [unit] => {
                self.assign(unit, ClauseRef::NONE);
                self.contradiction |= self.propagate().is_some();
            }
            _ => {
                self.attach(&open, false);
            }
        }
    }

    /// Whether there is an assignment in which the assumptions hold and one of `clause` does, unless that is empty.
    pub fn solve(&mut self, assumptions: &[Lit], clause: &[Lit]) -> Result<Answer, Stop> {
        self.question += 1;
        if u64::from(self.question).is_multiple_of(QUESTIONS_BETWEEN_POLLS) {
            self.budget.check()?;
        } else {
            self.budget.check_flags()?;
        }
        self.reset();
        self.drop_guarded();
        if self.contradiction || self.propagate().is_some() {
            self.contradiction = true;
            return Ok(Answer::Unsat);
        }
        self.collect();
        self.enter_cone(assumptions.iter().chain(clause));
        let guarded = !clause.is_empty() && !clause.iter().any(|&lit| self.value_of(lit) > 0);
        if guarded {
            let open = clause.iter().copied().filter(|&lit| self.value_of(lit) == 0);
            let clause: Vec<Lit> = open.chain([!self.guard]).collect();
            if clause.len() == 1 {
                return Ok(Answer::Unsat);
            }
            let clause = self.attach(&clause, false);
            self.guarded.push(clause);
        }
        let mut assumed: Vec<Lit> = Vec::with_capacity(assumptions.len() + 1);
        assumed.extend(guarded.then_some(self.guard));
        assumed.extend_from_slice(assumptions);
        self.search(&assumed)
    }

    fn search(&mut self, assumed: &[Lit]) -> Result<Answer, Stop> {
        let (mut restarts, mut until_restart) = (1, RESTART_UNIT);
        loop {
            if let Some(conflict) = self.propagate() {
                self.conflicts += 1;
                if self.conflicts.is_multiple_of(CONFLICTS_BETWEEN_POLLS) {
                    self.budget.check()?;
                }
                if self.starts.is_empty() {
                    self.contradiction = true;
                    return Ok(Answer::Unsat);
                }
                if !self.learn(conflict) {
                    return Ok(Answer::Unsat);
                }
                until_restart = until_restart.saturating_sub(1);
                continue;
            }
            if until_restart == 0 && self.starts.len() > assumed.len() {
                restarts += 1;
                until_restart = RESTART_UNIT * luby(restarts);
                self.backtrack(assumed.len());
                continue;
            }
            let decision = loop {
                match assumed.get(self.starts.len()) {
                    Some(&lit) if self.value_of(lit) > 0 => self.open_level(),
                    Some(&lit) if self.value_of(lit) < 0 => {
                        self.explain_failure(lit);
                        return Ok(Answer::Unsat);
                    }
                    Some(&lit) => break lit,
                    None => match self.next_decision() {
                        Some(lit) => break lit,
                        None => return Ok(Answer::Sat),
                    },
                }
            };
            self.open_level();
            self.assign(decision, ClauseRef::NONE);
        }
    }

    fn open_level(&mut self) {
        self.starts.push(self.trail.len());
        self.assigned_leaves.push(self.leaf);
    }

    /// The gate to decide next: one that was in conflicts, or else a leaf. When all leaves of the cone are assigned, so
    /// are its other gates.
    fn next_decision(&mut self) -> Option<Lit> {
        while let Some(gate) = self.order.pop() {
            if self.value_of(Lit::output(gate)) == 0 {
                return Some(Lit::output(gate).flip_if(!self.phases[gate]));
            }
        }
        while let Some(&gate) = self.leaves.get(self.leaf) {
            let (gate, lit) = (gate as usize, Lit::output(gate as usize));
            if self.value_of(lit) == 0 {
                return Some(lit.flip_if(!self.phases[gate]));
            }
            self.leaf += 1;
        }
        None
    }

    /// The value of a literal in the assignment that the last question found; `None` if the question is not about it.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.value_of(lit) {
            0 => None,
            value => Some(value > 0),
        }
    }

    /// After [`Answer::Unsat`]: whether an assumption is among those that cannot hold together.
    pub fn failed(&self, lit: Lit) -> bool {
        self.failed[lit.index()] == self.question
    }

    /// How many conflicts there have been.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// Makes the cone of some literals, and of what is asserted, the one to search in.
    fn enter_cone<'a>(&mut self, roots: impl Iterator<Item = &'a Lit>) {
        let question = self.question;
        self.order.clear();
        self.leaves.clear();
        self.leaf = 0;
        self.cone[self.guard.gate()] = question;
        let mut pending: Vec<u32> = Vec::new();
        for &gate in &self.lasting {
            self.cone[gate as usize] = question;
            if self.inputs.of(gate as usize).is_empty() {
                self.leaves.push(gate);
            }
        }
        for gate in roots.map(|lit| lit.gate()) {
            if self.cone[gate] != question {
                self.cone[gate] = question;
                pending.push(gate as u32);
            }
        }
        while let Some(gate) = pending.pop() {
            let inputs = self.inputs.of(gate as usize);
            if inputs.is_empty() {
                self.leaves.push(gate);
            }
            for &input in inputs {
                if self.cone[input as usize] != question {
                    self.cone[input as usize] = question;
                    pending.push(input);
                }
            }
        }
    }

    /// Puts a gate's cone into that of every question.
    fn make_lasting(&mut self, gate: usize) {
        let mut pending = vec![gate as u32];
        while let Some(gate) = pending.pop() {
            if !std::mem::replace(&mut self.is_lasting[gate as usize], true) {
                self.lasting.push(gate);
                pending.extend_from_slice(self.inputs.of(gate as usize));
            }
        }
    }
}

/// The sequence 1, 1, 2, 1, 1, 2, 4, … from its first place on.
fn luby(mut place: u64) -> u64 {
    loop {
        let bits = 64 - place.leading_zeros();
        if place == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        place -= (1 << (bits - 1)) - 1;
    }
}

#[cfg(test)]
mod tests;
