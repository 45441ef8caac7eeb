//! Reachability by BDDs over a Boolean program: \[SMC\] sections 4.1 and 4.2, SUMMARYPA of \[SUM\] Fig. 1.
//!
//! The Boolean program has the predicates of each point as variables and, for each step, a relation between those
//! before and those after it, held as a conjunction of parts. A relation is computed when a state from which it can be taken
//! is first reached, and stays, from iteration to iteration, as long as the predicates at both ends do and no transition of
//! it is excluded; one that is empty stays for good.

use super::{AbstractTrace, Exploration};
use crate::abstraction::{Partition, Precision};
use crate::cegar::Run;
use std::rc::Rc;
use tamis_diagram::{Bdd, BddVar};
use tamis_paq::Interrupted;
use tamis_system::{Invariants, Point, StepId, System};

struct Relation {
    from: Precision,
    to: Precision,
    exact: bool,
    /// How many transitions have been excluded from it.
    excluded: usize,
    pairs: Rc<Partition>,
}

/// What a further layer has brought.
enum Advance<E> {
    /// New states.
    New,
    /// None.
    Fixpoint,
    /// The error.
    Error(AbstractTrace<E>),
}

/// The Boolean program and the states reached in it.
pub struct BooleanProgram {
    relations: Vec<Option<Relation>>,
    /// The states reached at each point, by the number of steps that it takes to get there.
    layers: Vec<Vec<Bdd>>,
    reached: Vec<Bdd>,
    error: Point,
}

impl BooleanProgram {
    /// The program without relations, the initial states alone.
    pub fn new<S: System>(run: &Run<'_, S>) -> BooleanProgram {
        let system = run.abstraction.system;
        let mut program = BooleanProgram {
            relations: system.steps().iter().map(|_| None).collect(),
            layers: Vec::new(),
            reached: Vec::new(),
            error: system.error(),
        };
        program.start(run);
        program
    }

    fn start<S: System>(&mut self, run: &Run<'_, S>) {
        let diagrams = &run.abstraction.diagrams;
        self.reached = vec![diagrams.fals(); run.abstraction.system.points()];
        self.reached[0] = diagrams.tru();
        self.layers = vec![self.reached.clone()];
    }

    fn relation<S: System>(
        &mut self,
        run: &mut Run<'_, S>,
        step: StepId,
    ) -> Result<Rc<Partition>, Interrupted> {
        let ends = run.abstraction.system.steps()[step.index()];
        let from = run.abstraction.predicates.at(ends.from).clone();
        let to = run.abstraction.predicates.at(ends.to).clone();
        let exact = run.engine().is_exact();
        let excluded = run.abstraction.excluded(step);
        if let Some(known) = &self.relations[step.index()]
            && (known.pairs.is_false()
                || (known.from == from
                    && known.to == to
                    && known.exact == exact
                    && known.excluded == excluded))
        {
            return Ok(known.pairs.clone());
        }
        run.budget.check()?;
        let pairs = Rc::new(run.partition(step)?);
        self.relations[step.index()] = Some(Relation { from, to, exact, excluded, pairs: pairs.clone() });
        Ok(pairs)
    }

    /// The states that `step` leads to from `region`.
    fn post<S: System>(
        &mut self,
        run: &mut Run<'_, S>,
        step: StepId,
        region: &Bdd,
    ) -> Result<Bdd, Interrupted> {
        let pairs = self.relation(run, step)?;
        let ends = run.abstraction.system.steps()[step.index()];
        let before: Vec<BddVar> = run.abstraction.predicates.at(ends.from).iter().map(|p| p.var).collect();
        let after = pairs.product(&run.abstraction.diagrams, region, &before, &[])?;
        let renaming = self.priming(run, ends.to)?.iter().map(|&(v, primed)| (primed, v)).collect::<Vec<_>>();
        Ok(run.abstraction.diagrams.rename(&after, &renaming)?)
    }

    /// The variables of a point with their primed versions.
    fn priming<S: System>(
        &self,
        run: &mut Run<'_, S>,
        point: Point,
    ) -> Result<Vec<(BddVar, BddVar)>, Interrupted> {
        let precision = run.abstraction.predicates.at(point).clone();
        precision.iter().map(|p| Ok((p.var, run.abstraction.primed(p.var)?))).collect()
    }

    /// Computes the next layer, unless the error can be reached from the last one.
    fn advance<S: System>(&mut self, run: &mut Run<'_, S>) -> Result<Advance<S::Edge>, Interrupted> {
        let layer = self.layers.len() - 1;
        let mut next = vec![run.abstraction.diagrams.fals(); self.reached.len()];
        let mut new = false;
        for i in 0..self.relations.len() {
            let step = StepId(i as u32);
            let ends = run.abstraction.system.steps()[i];
            let region = self.layers[layer][ends.from.index()].clone();
            if region.is_false() || (ends.to != self.error && self.reached[ends.to.index()].is_true()) {
                continue;
            }
            if ends.to == self.error {
                let pairs = self.relation(run, step)?;
                let start = pairs.product(&run.abstraction.diagrams, &region, &[], &[])?;
                if !start.is_false() {
                    return self.back_trace(run, layer, step, start).map(Advance::Error);
                }
                continue;
            }
            let post = self.post(run, step, &region)?;
            let diagrams = &run.abstraction.diagrams;
            let unseen = diagrams.minus(&post, &self.reached[ends.to.index()])?;
            new |= !unseen.is_false();
            next[ends.to.index()] = diagrams.or(&next[ends.to.index()], &unseen)?;
        }
        for (reached, layer) in self.reached.iter_mut().zip(&next) {
            *reached = run.abstraction.diagrams.or(reached, layer)?;
        }
        self.layers.push(next);
        Ok(if new { Advance::New } else { Advance::Fixpoint })
    }

    /// From a state in `start`, from which `step` leads to the error, back through the layers.
    fn back_trace<S: System>(
        &mut self,
        run: &mut Run<'_, S>,
        mut layer: usize,
        mut step: StepId,
        start: Bdd,
    ) -> Result<AbstractTrace<S::Edge>, Interrupted> {
        let mut trace = AbstractTrace::empty();
        let mut candidates = start;
        let mut after: Option<(Vec<(BddVar, bool)>, Precision)> = None;
        loop {
            let point = run.abstraction.system.steps()[step.index()].from;
            let precision = run.abstraction.predicates.at(point).clone();
            let vars: Vec<BddVar> = precision.iter().map(|p| p.var).collect();
            let state = run.abstraction.diagrams.pick_minterm(&candidates, &vars).unwrap_or_default();
            let target = after.as_ref().map(|(target, precision)| (precision, target.as_slice()));
            trace.steps.push(step);
            trace.paths.push(run.path(step, &state, target)?);
            trace.states.push(state.clone());
            trace.precisions.push(precision.clone());
            if layer == 0 {
                return Ok(trace.reversed());
            }
            layer -= 1;
            (step, candidates) = self.predecessor(run, layer, point, &state)?;
            after = Some((state, precision));
        }
    }

    /// A step from a layer to `state` at `point`, and the states in the layer that it leads there from.
    fn predecessor<S: System>(
        &mut self,
        run: &mut Run<'_, S>,
        layer: usize,
        point: Point,
        state: &[(BddVar, bool)],
    ) -> Result<(StepId, Bdd), Interrupted> {
        let mut primed = Vec::with_capacity(state.len());
        for &(var, value) in state {
            primed.push((run.abstraction.primed(var)?, value));
        }
        let steps = run.abstraction.system.steps();
        for (i, ends) in steps.iter().enumerate().filter(|(_, ends)| ends.to == point) {
            let region = self.layers[layer][ends.from.index()].clone();
            if region.is_false() {
                continue;
            }
            let pairs = self.relation(run, StepId(i as u32))?;
            let start = pairs.product(&run.abstraction.diagrams, &region, &[], &primed)?;
            if !start.is_false() {
                return Ok((StepId(i as u32), start));
            }
        }
        unreachable!("a state of a layer has a predecessor in the layer before")
    }
}

impl<S: System> Exploration<S> for BooleanProgram {
    fn explore(&mut self, run: &mut Run<'_, S>) -> Result<Option<AbstractTrace<S::Edge>>, Interrupted> {
        loop {
            match self.advance(run)? {
                Advance::New => {}
                Advance::Fixpoint => return Ok(None),
                Advance::Error(trace) => return Ok(Some(trace)),
            }
            // Each time what operations remember is lost, which long traces through small regions cannot afford.
            if self.layers.len().is_power_of_two() {
                run.abstraction.diagrams.maybe_reorder();
            }
        }
    }

    fn refined(&mut self, run: &mut Run<'_, S>, trace: &AbstractTrace<S::Edge>, start: usize) -> bool {
        let changed = trace.first_outdated(run, start).is_some();
        self.start(run);
        changed
    }

    fn restart(&mut self, run: &Run<'_, S>) {
        self.start(run);
    }

    fn invariants(&self, run: &mut Run<'_, S>) -> Result<Invariants, Interrupted> {
        run.invariants(&self.reached)
    }

    fn states(&self) -> usize {
        self.layers.iter().flatten().filter(|region| !region.is_false()).count()
    }
}
