//! IC3, or property-directed reachability, over bits.
//!
//! Bradley, *SAT-Based Model Checking without Unrolling*, VMCAI 2011, in the form of Eén, Mishchenko, Brayton, *Efficient
//! Implementation of Property Directed Reachability*, FMCAD 2011. Frame `F_i` over-approximates the states that are reached
//! in at most `i` steps, as clauses; a clause of `F_{i+1}` is one of `F_i`. A state from which the error is reached is blocked
//! by clauses that hold a step later ([`Ic3::block`]), or leads back to a first state: then there is an execution. Where two
//! frames become the same, they are an inductive invariant.
//!
//! | part | module |
//! | --- | --- |
//! | a system as one relation, over terms and over bits | `transition`, `machine` |
//! | gates as literals | `innards` |
//! | cubes, frames, their solvers | `cube`, `frames` |
//! | states that are to be blocked | `obligations` |
//! | fewer literals in a clause, with counterexamples to generalisation | `generalise` |
//! | fewer literals in a predecessor | `lift` |
//! | clauses to later frames | `propagate` |
//! | invariants and executions | `result` |
//!
//! The queries are small and many: each frame has a [`ConeSolver`] of its own, with the step's circuit made once.

pub(crate) mod cube;
mod frames;
pub(crate) mod generalise;
mod innards;
mod lift;
pub(crate) mod machine;
pub(crate) mod obligations;
mod propagate;
mod result;
pub(crate) mod transition;

use crate::Outcome;
use crate::bounded::{BoundedSearch, Deeper};
use cube::{Activity, Cube};
use frames::Frames;
use generalise::Effort;
use machine::Machine;
use obligations::{Obligation, ObligationId, Obligations};
use tamis_logic::Terms;
use tamis_paq::Interrupted;
use tamis_solver::{Answer, Budget, ConeSolver, Lit, Stop};
use tamis_system::{Point, Step, System};
use transition::Transition;

/// A state that could not be blocked for good after so many tries is left alone.
const MAX_TRIES: usize = 20;

/// Checks whether the error of a system is reached, but for steps [straight](straight_to_the_error) there, with gates as literals if
/// `innards`.
///
/// # Errors
/// [`Stop::Unsupported`] if the system is not one of bits, or of too many.
pub(crate) fn ic3<S: System>(
    terms: &mut Terms,
    system: &S,
    innards: bool,
    budget: &Budget,
    counts: &mut Ic3Counts,
) -> Result<Outcome<S::Edge>, Interrupted> {
    let transition = Transition::new(terms, system);
    let mut machine = Machine::new(terms, &transition, budget)?;
    if innards {
        machine = machine.with_innards();
    }
    let mut ic3 = Ic3::new(&machine, budget);
    let verdict = ic3.check();
    *counts = ic3.counts();
    Ok(match verdict? {
        Verdict::Safe(clauses) => Outcome::Safe(result::invariants(terms, &transition, &machine, &clauses)),
        Verdict::Unsafe { start, cycles } => {
            let first = machine.model(terms, |lit| start.contains(&lit));
            let cycles: Vec<_> =
                cycles.iter().map(|set| machine.model(terms, |lit| set.contains(&lit))).collect();
            Outcome::Unsafe(transition.execute(terms, &first, &cycles)?)
        }
    })
}

/// Whether steps lead from the initial point to the error: these are not in the relation.
pub(crate) fn has_straight_steps<S: System>(system: &S) -> bool {
    system.steps().iter().any(|s: &Step| s.from == Point::INITIAL && s.to == system.error())
}

/// The answer, if steps from the initial point to the error say it: these have no state in between, and are not in the relation.
pub(crate) fn straight_to_the_error<S: System>(
    terms: &mut Terms,
    system: &S,
    budget: &Budget,
) -> Result<Option<Outcome<S::Edge>>, Stop> {
    if !has_straight_steps(system) {
        return Ok(None);
    }
    Ok(match BoundedSearch::new(terms, system, budget).deepen(terms)? {
        Deeper::Found(trace) => Some(Outcome::Unsafe(trace)),
        Deeper::Exhausted => Some(Outcome::Exhausted(1)),
        Deeper::Nothing => None,
    })
}

/// What IC3 did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ic3Counts {
    /// Bits of the state that the error depends on.
    pub latches: usize,
    /// Gates of the circuit of a step.
    pub gates: usize,
    /// Frames.
    pub frames: usize,
    /// Clauses in the frames at the end.
    pub clauses: usize,
    /// States that were to be blocked.
    pub obligations: usize,
    /// Questions about steps.
    pub questions: u64,
}

/// What was found out of a machine.
enum Verdict {
    /// Cubes whose complements are inductive and exclude the error.
    Safe(Vec<Cube>),
    /// The inputs that are set when a first state is chosen, and in each cycle.
    Unsafe { start: Vec<Lit>, cycles: Vec<Vec<Lit>> },
}

/// The state of the algorithm.
struct Ic3<'a> {
    machine: &'a Machine,
    frames: Frames,
    obligations: Obligations,
    /// Decides whether a cube has a first state in it.
    first: ConeSolver,
    /// The first value of each latch by its gate, if first states are a cube.
    first_values: Option<Vec<Option<bool>>>,
    /// Knows steps, but nothing of frames: for `lift`.
    lift: ConeSolver,
    /// The value of a latch after a step, by its gate.
    next: Vec<Lit>,
    /// By gate, how far from the inputs it is.
    levels: Vec<u32>,
    activity: Activity,
    questions: u64,
}

impl<'a> Ic3<'a> {
    fn new(machine: &'a Machine, budget: &Budget) -> Ic3<'a> {
        let lift = ConeSolver::new(&machine.circuit, budget);
        let mut steps = lift.clone();
        machine.constraints.iter().for_each(|&c| steps.assert(&[c]));
        let [mut first, mut from_first] = [lift.clone(), steps.clone()];
        for solver in [&mut first, &mut from_first] {
            machine.first_constraints.iter().for_each(|&c| solver.assert(&[c]));
            for latch in machine.latches.iter().filter(|latch| latch.bit.is_some()) {
                solver.assert(&[!latch.now, latch.first]);
                solver.assert(&[latch.now, !latch.first]);
            }
        }
        let mut next = vec![Lit::TRUE; machine.circuit.len()];
        for latch in &machine.latches {
            next[latch.now.gate()] = latch.next;
        }
        // Where an error's constraints are not those of a step, its frames must not know these.
        let errors = if machine.constraints.iter().all(|c| machine.bad.contains(c)) {
            None
        } else {
            Some(lift.clone())
        };
        Ic3 {
            machine,
            frames: Frames::new(from_first, steps, errors),
            obligations: Obligations::default(),
            first,
            first_values: first_cube(machine),
            lift,
            next,
            levels: innards::levels(&machine.circuit),
            activity: Activity::new(machine.circuit.len()),
            questions: 0,
        }
    }

    fn counts(&self) -> Ic3Counts {
        Ic3Counts {
            latches: self.machine.latches.len(),
            gates: self.machine.circuit.len(),
            frames: self.frames.last(),
            clauses: self.frames.cubes.iter().map(Vec::len).sum(),
            obligations: self.obligations.len(),
            questions: self.questions,
        }
    }

    fn check(&mut self) -> Result<Verdict, Stop> {
        if let Answer::Sat = self.first.solve(&self.machine.bad, &[])? {
            let is_set = |lit: &Lit| self.first.value(*lit) == Some(true);
            let set: Vec<Lit> = self.machine.inputs().filter(is_set).collect();
            return Ok(Verdict::Unsafe { start: set.clone(), cycles: vec![set] });
        }
        loop {
            self.frames.extend();
            if let Some(verdict) = self.propagate()? {
                return Ok(verdict);
            }
            loop {
                if let Some(start) = self.block()? {
                    return self.execution(start);
                }
                match self.bad_cube()? {
                    Some((cube, inputs)) => {
                        let frame = self.frames.last();
                        if let Some(start) = self.oblige(Obligation {
                            frame,
                            cube,
                            out: inputs,
                            next: None,
                            depth: 0,
                            tries: 0,
                        })? {
                            return self.execution(start);
                        }
                    }
                    None => break,
                }
            }
        }
    }

    /// Blocks cubes in their frames, by clauses or by blocking their predecessors first; one that has a first state in it,
    /// if there is one.
    fn block(&mut self) -> Result<Option<ObligationId>, Stop> {
        while let Some(id) = self.obligations.pop(self.frames.last()) {
            let Obligation { frame, cube, depth, .. } = &self.obligations[id];
            let (frame, depth) = (*frame, *depth);
            if let Some(blocked) = self.frames.blocked_by(frame, cube) {
                self.obligations.put_off(id, blocked + 1);
                continue;
            }
            let cube = cube.clone();
            let tries = self.obligations.note_try(id);
            // The error itself finds the way here again, when other states on it are blocked.
            if self.obligations[id].tries > MAX_TRIES {
                continue;
            }
            if self.is_inductive(frame, &cube, true)? {
                let core = self.core(frame, &cube)?;
                let reached = self.generalise_and_add(frame, core, Effort::after(tries))?;
                self.obligations.put_off(id, reached + 1);
            } else {
                let (cube, inputs) = self.predecessor(frame, &cube)?;
                self.obligations.put_back(id);
                let next = Some(id);
                let before =
                    Obligation { frame: frame - 1, cube, out: inputs, next, depth: depth + 1, tries: 0 };
                if let Some(start) = self.oblige(before)? {
                    return Ok(Some(start));
                }
            }
        }
        Ok(None)
    }

    /// A new obligation; its id if it has a first state in it.
    fn oblige(&mut self, obligation: Obligation) -> Result<Option<ObligationId>, Stop> {
        let is_first = self.meets_first(&obligation.cube)?;
        let id = self.obligations.push(obligation);
        Ok(is_first.then_some(id))
    }

    /// A cube of states in the last frame from which a step leads to the error.
    fn bad_cube(&mut self) -> Result<Option<(Cube, Vec<Lit>)>, Stop> {
        let last = self.frames.last();
        let bad = &self.machine.bad;
        match self.frames.errors_from(last).solve(bad, &[])? {
            Answer::Unsat => Ok(None),
            Answer::Sat => {
                let target: Vec<Lit> = bad.iter().map(|&lit| !lit).collect();
                self.lifted(Source::Error(last), target).map(Some)
            }
        }
    }

    /// Whether no step leads from frame `frame - 1`, without the cube itself if `strengthened`, into the cube.
    fn is_inductive(&mut self, frame: usize, cube: &Cube, strengthened: bool) -> Result<bool, Stop> {
        self.questions += 1;
        let mut order: Vec<Lit> = cube.to_vec();
        self.activity.sort_descending(&mut order);
        let target: Vec<Lit> = order.iter().map(|&lit| self.next_of(lit)).collect();
        let without: Vec<Lit> =
            if strengthened { cube.iter().map(|&lit| !lit).collect() } else { Vec::new() };
        Ok(self.frames.steps_from(frame - 1).solve(&target, &without)? == Answer::Unsat)
    }

    /// After a cube was found inductive: a part of it that is too, and has no first state in it.
    fn core(&mut self, frame: usize, cube: &Cube) -> Result<Cube, Stop> {
        let solver = self.frames.steps_from(frame - 1);
        let core = cube.iter().copied().filter(|&lit| {
            let next = self.next[lit.gate()].flip_if(lit.is_complement());
            solver.failed(next)
        });
        let core: Cube = core.collect();
        self.without_first(core, cube)
    }

    fn next_of(&self, lit: Lit) -> Lit {
        self.next[lit.gate()].flip_if(lit.is_complement())
    }

    /// Whether a cube has a first state in it.
    fn meets_first(&mut self, cube: &Cube) -> Result<bool, Stop> {
        if let Some(values) = &self.first_values {
            return Ok(!cube.iter().any(|lit| values[lit.gate()] == Some(lit.is_complement())));
        }
        Ok(self.first.solve(cube, &[])? == Answer::Sat)
    }

    /// The cube, or if that has a first state in it, with literals of `whole`, which has none, so that it has none either.
    fn without_first(&mut self, cube: Cube, whole: &Cube) -> Result<Cube, Stop> {
        if !self.meets_first(&cube)? {
            return Ok(cube);
        }
        if let Some(values) = &self.first_values {
            let differs = |lit: &&Lit| values[lit.gate()] == Some(lit.is_complement());
            let strongest =
                whole.iter().filter(differs).copied().max_by(|&a, &b| self.activity.compare(a, b));
            return Ok(cube.iter().copied().chain(strongest).collect());
        }
        if self.first.solve(whole, &[])? == Answer::Sat {
            return Ok(whole.clone());
        }
        Ok(whole.iter().copied().filter(|&lit| self.first.failed(lit) || cube.contains(lit)).collect())
    }
}

/// Where a state was found.
#[derive(Clone, Copy)]
enum Source {
    /// In a frame, before a step to the error.
    Error(usize),
    /// In a frame, before another step.
    Step(usize),
}

/// The first values of the latches, if first states are all those that have them.
fn first_cube(machine: &Machine) -> Option<Vec<Option<bool>>> {
    let mut values = vec![None; machine.circuit.len()];
    let mut used = vec![false; machine.circuit.len()];
    for latch in &machine.latches {
        match latch.first.as_constant() {
            Some(value) => values[latch.now.gate()] = Some(value),
            // Of a gate whose first value is open it is not known what it excludes.
            None if latch.bit.is_none() => return None,
            None => {
                let gate = latch.first.gate();
                let is_free = matches!(machine.circuit.gate(gate), tamis_solver::Gate::Input);
                if !is_free || std::mem::replace(&mut used[gate], true) {
                    return None;
                }
            }
        }
    }
    machine.first_constraints.iter().all(|c| *c == Lit::TRUE).then_some(values)
}
