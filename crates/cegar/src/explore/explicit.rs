//! Explicit abstract states: [MIN] section 2.1, "The states and transitions of the abstract model".
//!
//! A state is a point `s` with a valuation `V` of the predicates there. There is a transition over a step unless the
//! solver proves that there is none between the concrete states, `Γ_s₁(V₁)` and `Γ_s₂(V₂)`: unless they are not
//! *admissible*. The paper asks the prover about every pair of valuations; here one query a state and step enumerates
//! the valuations that are admissible. Its steps are single statements, where a branch's condition and its target's
//! valuation are each compared with the source alone; ours are blocks, whose whole relation is considered, which can
//! only exclude more.

use super::{AbstractTrace, Exploration, error_point, outgoing};
use crate::cegar::Run;
use crate::system::{Point, StepId, System};
use rustc_hash::FxHashSet;
use tamis_diagram::{Bdd, BddVar};
use tamis_paq::Interrupted;

type StateId = usize;
type Valuation = Vec<(BddVar, bool)>;

struct State {
    point: Point,
    valuation: Valuation,
    from: Option<(StateId, StepId)>,
}

/// The states reached, breadth first.
pub struct Explicit {
    states: Vec<State>,
    known: FxHashSet<(Point, Valuation)>,
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
            known: FxHashSet::default(),
            expanded: 0,
            outgoing: outgoing(system),
            error: error_point(system),
        };
        explicit.start();
        explicit
    }

    fn start(&mut self) {
        self.states.clear();
        self.known.clear();
        self.expanded = 0;
        self.reach(Point(0), Vec::new(), None);
    }

    fn reach(&mut self, point: Point, valuation: Valuation, from: Option<(StateId, StepId)>) {
        if self.known.insert((point, valuation.clone())) {
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
        trace.paths.push(run.path(step, &self.states[state].valuation, None)?);
        loop {
            let State { point, valuation, from } = &self.states[state];
            let precision = run.abstraction.predicates.at(*point).clone();
            trace.states.push(valuation.clone());
            trace.precisions.push(precision.clone());
            let Some((before, step)) = *from else { break };
            trace.steps.push(step);
            trace.paths.push(run.path(step, &self.states[before].valuation, Some((&precision, valuation)))?);
            state = before;
        }
        Ok(trace.reversed())
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
        let changed = trace.first_outdated(run, start).is_some() || run.engine_changed();
        self.start();
        changed
    }

    fn restart(&mut self, _: &Run<'_, S>) {
        self.start();
    }

    fn reached(&self, run: &Run<'_, S>) -> Result<Vec<Bdd>, Interrupted> {
        let diagrams = &run.abstraction.diagrams;
        let mut reached = vec![diagrams.fals(); run.abstraction.system.points()];
        for (i, region) in reached.iter_mut().enumerate() {
            let here = self.states.iter().filter(|s| s.point.index() == i);
            let cubes: Vec<Valuation> = here.map(|s| s.valuation.clone()).collect();
            *region = diagrams.union_of_cubes(&cubes)?;
        }
        Ok(reached)
    }

    fn states(&self) -> usize {
        self.states.len()
    }
}
