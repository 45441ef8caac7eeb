//! Random walks over single states: a search for violations behind many steps.
//!
//! A bounded search has a copy of the step for each step of an execution, and what it asks gets harder with each. Here there is one
//! copy, and the state before it is fixed to a state that is known to be reached. Then a step is mostly propagation: thousands
//! of steps take no longer than a few of a bounded search. What is lost is that states are tried one by one.
//!
//! From a state the solver chooses a next one, under a few *wishes* that are picked at random: that a choice of one bit falls in a certain
//! way, which is mostly a branch that a program takes; that a gate has a certain value, which may be a condition; that a bit of the
//! state changes. What the inputs are then is left to the solver. Wishes that cannot be fulfilled are dropped. A walk goes on as long as it meets
//! states that have not been met, up to a length, and the next one starts at one of the states that were left least often. Most walks are
//! short, every other one is twice as long, every fourth one four times, and so on.
//!
//! The system is [one relation over bits](crate::ic3), as far as the error depends on it. Only the states are kept; when one has
//! a step to the error, the way there is asked for once more.

use crate::Outcome;
use crate::ic3::machine::Machine;
use crate::ic3::transition::Transition;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use tamis_logic::{Sort, Terms};
use tamis_paq::Interrupted;
use tamis_solver::{Answer, Budget, ConeSolver, Lit, Stop};
use tamis_system::System;

/// So many wishes at most.
const WISHES: usize = 3;

/// Wishes that cannot be fulfilled together are dropped so many times before all are.
const DROPPED: usize = 3;

/// A state is left so many times for states that have been met before, before a walk ends there.
const TRIES: usize = 4;

/// The length of a short walk.
const SHORT: usize = 16;

/// So many states are picked, and a walk starts at the one that was left least.
const PICKED: usize = 8;

/// After so many walks that met nothing new it is no use to walk on.
const IN_VAIN: usize = 400;

/// States are kept up to so many bytes in all.
const MOST_BYTES: usize = 256 << 20;

/// Walks until the error is found, but for steps [straight](crate::ic3::straight_to_the_error) there.
///
/// # Errors
/// [`Stop::Unsupported`] if the system is not one of bits, [`Stop::Memory`] if too many states have been met.
pub(crate) fn walks<S: System>(
    terms: &mut Terms,
    system: &S,
    budget: &Budget,
) -> Result<Outcome<S::Edge>, Interrupted> {
    let transition = Transition::new(terms, system);
    let machine = Machine::new(terms, &transition, budget)?;
    let mut walks = Walks::new(terms, &machine, budget);
    let Some((start, cycles)) = walks.find()? else {
        return Err(Interrupted::Unsuitable(terms.tru(), "walks meet no more states"));
    };
    let first = machine.model(terms, |lit| start.contains(&lit));
    let cycles: Vec<_> = cycles.iter().map(|set| machine.model(terms, |lit| set.contains(&lit))).collect();
    Ok(Outcome::Unsafe(transition.execute(terms, &first, &cycles)?))
}

/// The inputs of the machine that are set.
type Choices = FxHashSet<Lit>;

/// A state that was met.
struct Met {
    /// The values of the latches.
    state: Arc<[bool]>,
    /// The one before; none of a first state.
    from: Option<usize>,
    /// How often it has been left.
    left: usize,
    /// Whether it is known that no step leads from here to the error.
    passed: bool,
}

struct Walks<'a> {
    machine: &'a Machine,
    /// First states.
    first: ConeSolver,
    /// Steps.
    steps: ConeSolver,
    /// Steps to the error.
    errors: ConeSolver,
    /// Choices of one bit.
    branches: Vec<Lit>,
    /// By gate, the latch whose value it is.
    latch_of: Vec<Option<usize>>,
    met: Vec<Met>,
    known: FxHashSet<Arc<[bool]>>,
    random: Random,
}

impl<'a> Walks<'a> {
    fn new(terms: &Terms, machine: &'a Machine, budget: &Budget) -> Walks<'a> {
        let errors = ConeSolver::new(&machine.circuit, budget);
        let [mut first, mut steps] = [errors.clone(), errors.clone()];
        machine.first_constraints.iter().for_each(|&c| first.assert(&[c]));
        machine.constraints.iter().for_each(|&c| steps.assert(&[c]));
        let mut latch_of = vec![None; machine.circuit.len()];
        for (i, latch) in machine.latches.iter().enumerate() {
            latch_of[latch.now.gate()] = Some(i);
        }
        let branches = machine.choices().filter(|&(v, _)| terms.sort(v) == Sort::Bool);
        Walks {
            machine,
            first,
            steps,
            errors,
            branches: branches.map(|(_, lit)| lit).collect(),
            latch_of,
            met: Vec::new(),
            known: FxHashSet::default(),
            random: Random(1),
        }
    }

    /// The choices of an execution to the error: of its first step, and of the others.
    fn find(&mut self) -> Result<Option<(Choices, Vec<Choices>)>, Stop> {
        let most = (MOST_BYTES / (2 * self.machine.latches.len() + 64)).max(1 << 10);
        let mut in_vain = 0;
        for walk in 1_u32.. {
            let before = self.met.len();
            let mut at = if before == 0 || self.random.below(4) == 0 { self.begin()? } else { None };
            at = at.or_else(|| self.start());
            for _ in 0..SHORT << walk.trailing_zeros().min(16) {
                let Some(here) = at else { break };
                if self.met.len() > most {
                    return Err(Stop::Memory);
                }
                if self.fails(here)? {
                    return self.way(here).map(Some);
                }
                at = self.leave(here)?;
            }
            in_vain = if self.met.len() > before { 0 } else { in_vain + 1 };
            if in_vain > IN_VAIN {
                break;
            }
        }
        Ok(None)
    }

    /// A first state that has not been met, if one is found soon.
    fn begin(&mut self) -> Result<Option<usize>, Stop> {
        for _ in 0..TRIES {
            let wishes = self.wishes(None);
            if !fulfil(&mut self.first, &[], wishes)? {
                return Ok(None);
            }
            let state = self.state_after(None);
            if let Some(here) = self.note(state, None) {
                return Ok(Some(here));
            }
        }
        Ok(None)
    }

    /// One of the states that were left least, of some that are picked at random.
    fn start(&mut self) -> Option<usize> {
        if self.met.is_empty() {
            return None;
        }
        let picked: Vec<usize> = (0..PICKED).map(|_| self.random.below(self.met.len())).collect();
        picked.into_iter().min_by_key(|&i| self.met[i].left)
    }

    /// Goes on to a state that has not been met, if that is found soon.
    fn leave(&mut self, here: usize) -> Result<Option<usize>, Stop> {
        let state = self.met[here].state.clone();
        let fixed = self.fixed(&state);
        for _ in 0..TRIES {
            self.met[here].left += 1;
            let wishes = self.wishes(Some(&state));
            if !fulfil(&mut self.steps, &fixed, wishes)? {
                return Ok(None);
            }
            let next = self.state_after(Some(&state));
            if let Some(there) = self.note(next, Some(here)) {
                return Ok(Some(there));
            }
        }
        Ok(None)
    }

    /// Whether there is a step to the error from a state.
    fn fails(&mut self, here: usize) -> Result<bool, Stop> {
        if self.met[here].passed {
            return Ok(false);
        }
        let mut assumed = self.fixed(&self.met[here].state);
        assumed.extend(&self.machine.bad);
        self.met[here].passed = self.errors.solve(&assumed, &[])? == Answer::Unsat;
        Ok(!self.met[here].passed)
    }

    fn fixed(&self, state: &[bool]) -> Vec<Lit> {
        self.machine.latches.iter().zip(state).map(|(latch, &value)| latch.now.flip_if(!value)).collect()
    }

    /// Wishes for a step from a state, or for a first one.
    fn wishes(&mut self, state: Option<&[bool]>) -> Vec<Lit> {
        let Walks { machine, branches, random, .. } = self;
        let mut wishes = Vec::new();
        for _ in 0..random.below(WISHES + 1) {
            match (random.below(4), state) {
                (0, Some(state)) if !state.is_empty() => {
                    let i = random.below(state.len());
                    wishes.push(machine.latches[i].next.flip_if(state[i]));
                }
                (1 | 2, _) if !branches.is_empty() => wishes.push(branches[random.below(branches.len())]),
                _ => {
                    let gate = Lit::output(random.below(machine.circuit.len()));
                    wishes.push(gate.flip_if(random.below(4) == 0));
                }
            }
        }
        wishes
    }

    /// The state that the model of the last question leads to from a state, or begins with, by simulation. What the model leaves
    /// open may be anything: all zeros, or bits at random.
    fn state_after(&mut self, state: Option<&[bool]>) -> Arc<[bool]> {
        let Walks { machine, first, steps, latch_of, random, .. } = self;
        let solver = if state.is_some() { steps } else { first };
        let zeros = random.below(2) == 0;
        let gates = machine.circuit.simulate(|lit| match (latch_of[lit.gate()], state) {
            (Some(i), Some(state)) => Some(state[i]),
            _ => solver.value(lit).or_else(|| Some(!zeros && random.below(2) == 0)),
        });
        let value = |lit: Lit| gates[lit.gate()] != Some(lit.is_complement());
        let latches = machine.latches.iter();
        latches.map(|latch| value(if state.is_some() { latch.next } else { latch.first })).collect()
    }

    /// Remembers a state, if it has not been met before.
    fn note(&mut self, state: Arc<[bool]>, from: Option<usize>) -> Option<usize> {
        if !self.known.insert(state.clone()) {
            return None;
        }
        self.met.push(Met { state, from, left: 0, passed: false });
        Some(self.met.len() - 1)
    }

    /// The choices on the way to a state, and from there to the error.
    fn way(&mut self, last: usize) -> Result<(Choices, Vec<Choices>), Stop> {
        let mut cycles = vec![set(self.machine, &self.errors)];
        let mut at = last;
        while let Some(from) = self.met[at].from {
            let mut assumed = self.fixed(&self.met[from].state);
            let after = self.machine.latches.iter().zip(self.met[at].state.iter());
            assumed.extend(after.map(|(latch, &value)| latch.next.flip_if(!value)));
            if self.steps.solve(&assumed, &[])? == Answer::Unsat {
                return Err(Stop::Unsupported);
            }
            cycles.push(set(self.machine, &self.steps));
            at = from;
        }
        cycles.reverse();
        let begins = self.machine.latches.iter().zip(self.met[at].state.iter());
        let assumed: Vec<Lit> = begins.map(|(latch, &value)| latch.first.flip_if(!value)).collect();
        if self.first.solve(&assumed, &[])? == Answer::Unsat {
            return Err(Stop::Unsupported);
        }
        Ok((set(self.machine, &self.first), cycles))
    }
}

/// The inputs that are set in the model of the last question.
fn set(machine: &Machine, solver: &ConeSolver) -> Choices {
    machine.inputs().filter(|&lit| solver.value(lit) == Some(true)).collect()
}

/// Asks for a model with as many of the wishes as go together; whether there is one at all.
fn fulfil(solver: &mut ConeSolver, fixed: &[Lit], mut wishes: Vec<Lit>) -> Result<bool, Stop> {
    let mut dropped = 0;
    loop {
        let assumed: Vec<Lit> = fixed.iter().chain(&wishes).copied().collect();
        if solver.solve(&assumed, &[])? == Answer::Sat {
            return Ok(true);
        }
        if wishes.is_empty() {
            return Ok(false);
        }
        dropped += 1;
        match wishes.iter().position(|&wish| solver.failed(wish)) {
            Some(place) if dropped < DROPPED => drop(wishes.remove(place)),
            _ => wishes.clear(),
        }
    }
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}
