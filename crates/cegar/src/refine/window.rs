//! The traditional refinement where the abstract relation is not exact: predicates from the part of a counterexample that no
//! execution follows.
//!
//! Every transition of the counterexample is one of an execution, but not all of them are one after the other. So there is a
//! *window*: times `i` to `j` such that no execution passes the abstract states `ce_i … ce_j`, and that is short. Before its last
//! step there are states that executions through the window reach (*deadends*), and others in the same abstract state from
//! which it goes on. Predicates are to tell the two apart: for one deadend after the other a cube around it is found that
//! excludes all of the other kind, made of weakest preconditions as far as these are over the state
//! ([`Rest`](super::separate::Rest)). At least one literal of a cube is no predicate of the model yet, since with all those
//! that are the two agree.
//!
//! Predicates of a short window are about few cycles, while those of an unsat core of the whole path are about all cycles to
//! the error: for a counter that is a counterexample of sixty cycles, and sixty predicates.

use super::eliminate::positive;
use super::proposal::Located;
use super::separate::Rest;
use crate::cegar::Run;
use crate::explore::AbstractTrace;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Model, Sort, Term, Terms};
use tamis_paq::Interrupted;
use tamis_solver::{Answer, Budget, Solver};
use tamis_system::{GuardId, Guards, StepId, System};

/// Windows of at most so many steps are looked for everywhere in a counterexample; their solvers are kept. Longer ones are
/// looked for by bisection.
const SHORT: usize = 3;

/// So many deadends are excluded at a time: what is left comes back in a counterexample.
const MAX_DEADENDS: usize = 3;

/// A formula over a state, its value, and the time in the window.
type Timed = (usize, Term, bool);

/// Literals of abstract states and what steps require, which no execution has together.
type Needed = (Vec<Timed>, FxHashSet<GuardId>);

/// Why a window is one.
struct Core {
    /// When it starts.
    start: usize,
    /// Its steps.
    steps: Vec<StepId>,
    /// The literals of abstract states that are needed.
    literals: Vec<Timed>,
    /// What is needed of what the steps require, by step and number.
    guards: FxHashSet<GuardId>,
}

/// The solvers of short windows.
pub struct Windows<S: System> {
    unrolled: FxHashMap<Vec<StepId>, Unrolled<S>>,
    /// That of a longer window.
    long: Option<Unrolled<S>>,
}

impl<S: System> Default for Windows<S> {
    fn default() -> Windows<S> {
        Windows { unrolled: FxHashMap::default(), long: None }
    }
}

/// Steps one after the other, from any state.
struct Unrolled<S: System> {
    solver: Solver,
    /// The state before each step, and after the last one.
    states: Vec<S::State>,
    guards: Vec<(GuardId, Term)>,
    read: FxHashMap<(usize, Term), Term>,
}

impl<S: System> Unrolled<S> {
    fn new(terms: &mut Terms, system: &S, steps: &[StepId], budget: &Budget) -> Unrolled<S> {
        let mut states = vec![system.symbolic()];
        let mut guards = Vec::new();
        for (time, &step) in steps.iter().enumerate() {
            let path = system.only_path(step).unwrap_or_default();
            let followed = system.follow(terms, &path, &states[time]);
            let timed = |&(id, guard): &(GuardId, Term)| (GuardId { edge: time, index: id.index }, guard);
            guards.extend(followed.condition.guards.iter().map(timed));
            states.push(followed.post);
        }
        Unrolled { solver: Solver::new(budget), states, guards, read: FxHashMap::default() }
    }

    /// A formula over the state at a time.
    fn read(&mut self, terms: &mut Terms, system: &S, time: usize, formula: Term) -> Term {
        let state = &mut self.states[time];
        *self.read.entry((time, formula)).or_insert_with(|| system.read(terms, state, formula))
    }

    /// The states at the end of executions that have these literals.
    fn models(&mut self, terms: &mut Terms, system: &S, literals: &[Timed]) -> Deadends {
        let activation = terms.fresh("window", Sort::Bool);
        let mut assumptions = vec![activation];
        for &(time, formula, value) in literals {
            let read = self.read(terms, system, time, formula);
            assumptions.push(if value { read } else { terms.not(read) });
        }
        assumptions.extend(self.guards.iter().map(|&(_, guard)| guard));
        Deadends { assumptions, activation }
    }

    /// Why no execution has these literals, if none has.
    fn core(
        &mut self,
        terms: &mut Terms,
        system: &S,
        literals: &[Timed],
    ) -> Result<Option<Needed>, Interrupted> {
        let mut said: Vec<(Term, Timed)> = Vec::with_capacity(literals.len());
        for &(time, formula, value) in literals {
            let read = self.read(terms, system, time, formula);
            said.push((if value { read } else { terms.not(read) }, (time, formula, value)));
        }
        let formulas = said.iter().map(|&(formula, _)| formula);
        let mut assumptions: Vec<Term> = formulas.chain(self.guards.iter().map(|&(_, g)| g)).collect();
        if self.solver.check(terms, &assumptions)? == Answer::Sat {
            return Ok(None);
        }
        let reported: FxHashSet<Term> = self.solver.core().iter().copied().collect();
        assumptions.retain(|a| reported.contains(a));
        let core: FxHashSet<Term> = self.solver.minimize_core(terms, &assumptions)?.into_iter().collect();
        let needed =
            said.into_iter().filter(|(formula, _)| core.contains(formula)).map(|(_, literal)| literal);
        let guards = self.guards.iter().filter(|(_, guard)| core.contains(guard)).map(|&(id, _)| id);
        Ok(Some((needed.collect(), guards.collect())))
    }
}

impl<S: System> Windows<S> {
    /// Predicates that eliminate a short window of the trace; none if executions follow it.
    pub fn predicates(
        &mut self,
        run: &mut Run<'_, S>,
        trace: &AbstractTrace<S::Edge>,
    ) -> Result<Vec<Located>, Interrupted> {
        let Some(core) = self.find(run, trace)? else { return Ok(Vec::new()) };
        let system = run.abstraction.system;
        let last = core.steps.len() - 1;
        let point = system.steps()[core.steps[last].index()].from;
        let condition = core.rest(run.terms, system, last);
        let mut rest = Rest::new(run.terms, run.budget, &condition, |_, _| true);
        rest.prefer(run.terms, run.abstraction.predicates.at(point).iter().map(|p| p.formula));
        let before: Vec<Timed> = literals(run, trace, core.start, core.start + last);
        let prefix = self.unrolled(run, &core.steps[..last]);
        let mut deadends = prefix.models(run.terms, system, &before);
        let mut located = Vec::new();
        for _ in 0..MAX_DEADENDS {
            run.budget.check()?;
            let state = deadends.next(run.terms, system, prefix, last, &rest.variables)?;
            let Some(state) = state else { break };
            let Some(cube) = rest.exclude(run.terms, &state)? else { break };
            deadends.exclude(run.terms, system, prefix, last, &cube);
            located.extend(cube.iter().map(|&l| (point, positive(run.terms, l))));
        }
        Ok(located)
    }

    /// Steps one after the other; those of short windows are kept.
    fn unrolled(&mut self, run: &mut Run<'_, S>, steps: &[StepId]) -> &mut Unrolled<S> {
        if steps.len() > SHORT {
            self.long = None;
        }
        let mut make = || Unrolled::new(run.terms, run.abstraction.system, steps, run.budget);
        match steps.len() {
            0..=SHORT => self.unrolled.entry(steps.to_vec()).or_insert_with(make),
            _ => self.long.insert(make()),
        }
    }

    /// The last of the shortest windows, or one that is found by bisection.
    fn find(
        &mut self,
        run: &mut Run<'_, S>,
        trace: &AbstractTrace<S::Edge>,
    ) -> Result<Option<Core>, Interrupted> {
        let all = trace.steps.len();
        for length in 2..=SHORT.min(all) {
            for start in (0..=all - length).rev() {
                if let Some(core) = self.core(run, trace, start, length)? {
                    return Ok(Some(core));
                }
            }
        }
        // The shortest beginning that no execution follows, and of that the shortest end.
        let (mut low, mut high) = (SHORT, all);
        let mut found = None;
        while low < high {
            let middle = (low + high) / 2;
            match self.core(run, trace, 0, middle)? {
                Some(core) => (high, found) = (middle, Some(core)),
                None => low = middle + 1,
            }
        }
        if found.is_none() {
            found = self.core(run, trace, 0, high)?;
        }
        if found.is_none() {
            return Ok(None);
        }
        let (mut low, mut start) = (0, high - SHORT);
        while low < start {
            let middle = (low + start).div_ceil(2);
            match self.core(run, trace, middle, high - middle)? {
                Some(core) => (low, found) = (middle, Some(core)),
                None => start = middle - 1,
            }
        }
        Ok(found)
    }

    /// Why no execution follows so many steps of a trace.
    fn core(
        &mut self,
        run: &mut Run<'_, S>,
        trace: &AbstractTrace<S::Edge>,
        start: usize,
        length: usize,
    ) -> Result<Option<Core>, Interrupted> {
        run.budget.check()?;
        let steps = trace.steps[start..start + length].to_vec();
        let end = (start + length).min(trace.steps.len() - 1);
        let literals = literals(run, trace, start, end);
        let system = run.abstraction.system;
        let unrolled = self.unrolled(run, &steps);
        let core = unrolled.core(run.terms, system, &literals)?;
        Ok(core.map(|(literals, guards)| Core { start, steps, literals, guards }))
    }
}

/// The values of predicates in use from one time of a trace to another.
fn literals<S: System>(
    run: &Run<'_, S>,
    trace: &AbstractTrace<S::Edge>,
    start: usize,
    end: usize,
) -> Vec<Timed> {
    let mut literals = Vec::new();
    for time in start..=end {
        for (var, value) in super::relation::in_use(run, trace, time) {
            literals.push((time - start, run.abstraction.predicates.formula(var), value));
        }
    }
    literals
}

/// Deadends that have not been excluded yet.
struct Deadends {
    assumptions: Vec<Term>,
    activation: Term,
}

impl Deadends {
    /// The values of variables in one of them.
    fn next<S: System>(
        &mut self,
        terms: &mut Terms,
        system: &S,
        prefix: &mut Unrolled<S>,
        time: usize,
        variables: &[Term],
    ) -> Result<Option<Model>, Interrupted> {
        let read: Vec<Term> = variables.iter().map(|&v| prefix.read(terms, system, time, v)).collect();
        if prefix.solver.check(terms, &self.assumptions)? == Answer::Unsat {
            return Ok(None);
        }
        let value = |(&v, t): (&Term, Term)| (v, prefix.solver.value(terms, t));
        Ok(Some(variables.iter().zip(read).map(value).collect()))
    }

    /// Excludes those in a cube.
    fn exclude<S: System>(
        &mut self,
        terms: &mut Terms,
        system: &S,
        prefix: &mut Unrolled<S>,
        time: usize,
        cube: &[Term],
    ) {
        let literals: Vec<Term> = cube.iter().map(|&l| prefix.read(terms, system, time, l)).collect();
        let cube = terms.and(&literals);
        let outside = terms.not(cube);
        prefix.solver.assert_under(terms, self.activation, outside);
    }
}

impl Core {
    /// What is required from a time inside the window on, over the state then.
    fn rest<S: System>(&self, terms: &mut Terms, system: &S, from: usize) -> Guards {
        let mut rest = Guards::default();
        let mut state = system.symbolic();
        for (time, &step) in self.steps.iter().enumerate().skip(from) {
            let path = system.only_path(step).unwrap_or_default();
            let followed = system.follow(terms, &path, &state);
            let is_needed =
                |&(id, _): &(GuardId, Term)| self.guards.contains(&GuardId { edge: time, index: id.index });
            rest.guards.extend(followed.condition.guards.iter().copied().filter(is_needed));
            rest.inputs.extend(followed.condition.inputs);
            state = followed.post;
            for &(_, formula, value) in self.literals.iter().filter(|&&(at, ..)| at == time + 1) {
                let read = system.read(terms, &mut state, formula);
                let said = if value { read } else { terms.not(read) };
                rest.guards.push((GuardId { edge: time, index: usize::MAX }, said));
            }
        }
        rest
    }
}
