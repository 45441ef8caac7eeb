//! Explicit abstract states: \[MIN\] section 2.1, "The states and transitions of the abstract model".
//!
//! A state is a point `s` with a valuation `V` of the predicates there. There is a transition over a step unless the
//! solver proves that there is none between the concrete states, `Γ_s₁(V₁)` and `Γ_s₂(V₂)`: unless they are not
//! *admissible*. The paper asks the prover about every pair of valuations; here one query a state and step enumerates
//! the valuations that are admissible. Its steps are single statements, where a branch's condition and its target's
//! valuation are each compared with the source alone; ours are blocks, whose whole relation is considered, which can
//! only exclude more.

use super::{AbstractTrace, Exploration, outgoing};
use crate::abstraction::Valuation;
use crate::cegar::Run;
use rustc_hash::FxHashSet;
use tamis_diagram::BddVar;
use tamis_paq::Interrupted;
use tamis_system::{Invariants, Point, StepId, System};

type StateId = usize;

struct State {
    point: Point,
    valuation: Valuation,
    from: Option<(StateId, StepId)>,
}

/// The states reached, breadth first.
pub struct Explicit {
    states: Vec<State>,
    /// The valuations known at each point.
    known: Vec<FxHashSet<Valuation>>,
    /// States below this number have been expanded.
    expanded: usize,
    outgoing: Vec<Vec<StepId>>,
    error: Point,
}

impl Explicit {
    /// The initial states: those of the first point, which has no predicates ([`Refinement`](crate::refine::Refinement)
    /// gives it none, since every valuation there is initial).
    pub fn new<S: System>(run: &Run<'_, S>) -> Explicit {
        let system = run.abstraction.system;
        let mut explicit = Explicit {
            states: Vec::new(),
            known: vec![FxHashSet::default(); system.points()],
            expanded: 0,
            outgoing: outgoing(system),
            error: system.error(),
        };
        explicit.start();
        explicit
    }

    fn start(&mut self) {
        self.states.clear();
        self.known.iter_mut().for_each(FxHashSet::clear);
        self.expanded = 0;
        self.reach(Point(0), Valuation::from([]), None);
    }

    fn reach(&mut self, point: Point, valuation: Valuation, from: Option<(StateId, StepId)>) {
        if self.known[point.index()].insert(valuation.clone()) {
            self.states.push(State { point, valuation, from });
        }
    }

    fn expand<S: System>(
        &mut self,
        run: &mut Run<'_, S>,
        state: StateId,
    ) -> Result<Option<AbstractTrace<S::Edge>>, Interrupted> {
        let State { point, valuation, .. } = &self.states[state];
        let (point, valuation) = (*point, valuation.clone());
        for i in 0..self.outgoing[point.index()].len() {
            let step = self.outgoing[point.index()][i];
            run.budget.check()?;
            let to = run.abstraction.system.steps()[step.index()].to;
            // The error point has no predicates: it has a valuation if it has an admissible one.
            let successors = run.successors(step, &valuation)?;
            if to == self.error && !successors.is_empty() {
                return self.back_trace(run, state, step).map(Some);
            }
            for successor in successors {
                self.reach(to, successor, Some((state, step)));
            }
        }
        Ok(None)
    }

    fn back_trace<S: System>(
        &self,
        run: &mut Run<'_, S>,
        mut state: StateId,
        step: StepId,
    ) -> Result<AbstractTrace<S::Edge>, Interrupted> {
        let mut trace = AbstractTrace::empty();
        trace.steps.push(step);
        trace.paths.push(run.path(step, &self.literals(run, state), None)?);
        loop {
            let precision = run.abstraction.predicates.at(self.states[state].point).clone();
            let values = self.literals(run, state);
            trace.states.push(values.clone());
            trace.precisions.push(precision.clone());
            let Some((before, step)) = self.states[state].from else { break };
            trace.steps.push(step);
            trace.paths.push(run.path(step, &self.literals(run, before), Some((&precision, &values)))?);
            state = before;
        }
        Ok(trace.reversed())
    }
}

impl Explicit {
    /// The values of the predicates in a state.
    fn literals<S: System>(&self, run: &Run<'_, S>, state: StateId) -> Vec<(BddVar, bool)> {
        let State { point, valuation, .. } = &self.states[state];
        let precision = run.abstraction.predicates.at(*point);
        precision.iter().map(|p| p.var).zip(valuation.iter().copied()).collect()
    }
}

impl<S: System> Exploration<S> for Explicit {
    fn explore(&mut self, run: &mut Run<'_, S>) -> Result<Option<AbstractTrace<S::Edge>>, Interrupted> {
        while self.expanded < self.states.len() {
            if let Some(trace) = self.expand(run, self.expanded)? {
                return Ok(Some(trace));
            }
            self.expanded += 1;
        }
        Ok(None)
    }

    fn refined(&mut self, run: &mut Run<'_, S>, trace: &AbstractTrace<S::Edge>, start: usize) -> bool {
        let changed = trace.first_outdated(run, start).is_some();
        self.start();
        changed
    }

    fn restart(&mut self, _: &Run<'_, S>) {
        self.start();
    }

    fn invariants(&self, run: &mut Run<'_, S>) -> Result<Invariants, Interrupted> {
        let diagrams = &run.abstraction.diagrams;
        let mut reached = vec![diagrams.fals(); run.abstraction.system.points()];
        for (i, region) in reached.iter_mut().enumerate() {
            let here = (0..self.states.len()).filter(|&s| self.states[s].point.index() == i);
            let cubes: Vec<Vec<(BddVar, bool)>> = here.map(|s| self.literals(run, s)).collect();
            *region = diagrams.union_of_cubes(&cubes)?;
        }
        run.invariants(&reached)
    }

    fn states(&self) -> usize {
        self.states.len()
    }
}
