//! The loop itself.

use crate::Outcome;
use crate::abstraction::{Abstraction, Partition, Precision, Valuation, Witness};
use crate::explore::{AbstractTrace, Explicit, Exploration, exploration};
use crate::facts::{Board, Seen};
use crate::hybrid::Hybrid;
use crate::progress::{Iteration, Observer, Statistics};
use crate::refine::{Refined, Refinement};
use crate::strategy::{ExplorationKind, Strategy};
use crate::trace_check::{Checked, Spurious, TraceCheck, trace_check};
use tamis_diagram::{Bdd, BddVar, Diagrams};
use tamis_logic::Terms;
use tamis_paq::{AllSat, Engine, Interrupted};
use tamis_solver::Budget;
use tamis_system::{Invariants, Point, StepId, System};

/// A path that has come back so often, through parts that a lazy exploration keeps, is not refuted again by starting anew.
const MAX_RETURNS: usize = 8;

/// What all parts of the loop share.
pub struct Run<'a, S: System> {
    /// The terms.
    pub terms: &'a mut Terms,
    /// The abstract system.
    pub abstraction: Abstraction<'a, S>,
    /// The limits.
    pub budget: &'a Budget,
    engine: Box<dyn Engine>,
    observer: &'a mut dyn Observer,
    /// Where other searches tell of facts, if there are any.
    pub(crate) board: Option<&'a Board>,
    seen: Seen,
    /// Facts that have not excluded a trace yet.
    unused_facts: Option<Invariants>,
    uses_facts: bool,
    statistics: Statistics,
    /// The abstract states of all explorations so far.
    pub(crate) work: usize,
    /// Whether each step is one path, as a cycle of a design is.
    pub(crate) steps_are_cycles: bool,
    /// Whether there is an abstract relation for each step.
    has_relation: bool,
}

impl<'a, S: System> Run<'a, S> {
    /// A run before its first iteration.
    pub fn new(
        terms: &'a mut Terms,
        system: &'a S,
        strategy: &Strategy,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
    ) -> Run<'a, S> {
        let statistics =
            Statistics { points: system.points(), steps: system.steps().len(), ..Statistics::default() };
        let mut abstraction = Abstraction::new(system, budget, strategy.max_nodes);
        if strategy.exploration == ExplorationKind::BooleanProgram {
            abstraction.hybrid = strategy.hybrid.as_ref().and_then(|hybrid| Hybrid::new(system, hybrid));
        }
        Run {
            terms,
            abstraction,
            budget,
            engine: strategy.engine(),
            observer,
            board: None,
            seen: Seen::default(),
            unused_facts: None,
            uses_facts: false,
            statistics,
            work: 0,
            steps_are_cycles: system.registers().is_some()
                && (0..system.steps().len() as u32).all(|i| system.only_path(StepId(i)).is_some()),
            has_relation: strategy.exploration == ExplorationKind::BooleanProgram,
        }
    }

    /// Whether a relation that is not exact is refined itself, rather than that an exact engine takes over.
    pub fn refines_relation(&self) -> bool {
        self.has_relation && self.steps_are_cycles && !self.engine.is_exact()
    }

    /// Counterexample-guided abstraction refinement: \[SMC\] section 2.2.
    pub fn cegar(&mut self, strategy: &Strategy) -> Result<Outcome<S::Edge>, Interrupted> {
        let system = self.abstraction.system;
        let mut exploration = exploration(strategy.exploration, self);
        let mut trace_check = trace_check(strategy.trace_check, system, self.budget);
        let mut refinement = Refinement::new(system, strategy.refinement.clone());
        if strategy.exploration == ExplorationKind::Ic3 {
            refinement = refinement.with_fine_predicates();
        }
        refinement.start(self)?;
        let result = self.iterate(&mut exploration, trace_check.as_mut(), &mut refinement);
        // A proof for which fewer predicates were being looked for is a proof.
        let outcome = result.or_else(|limit| refinement.best_proof(self).map(Outcome::Safe).ok_or(limit));
        self.note(&refinement);
        outcome
    }

    fn iterate(
        &mut self,
        exploration: &mut Box<dyn Exploration<S> + 'a>,
        trace_check: &mut dyn TraceCheck<S>,
        refinement: &mut Refinement<S>,
    ) -> Result<Outcome<S::Edge>, Interrupted> {
        loop {
            let Some(trace) = exploration.explore(self)? else {
                self.explored(exploration.as_ref(), None);
                let proof = exploration.invariants(self)?;
                if let Some(proof) = refinement.proved(self, proof)? {
                    return Ok(Outcome::Safe(proof));
                }
                exploration.restart(self);
                continue;
            };
            let spurious = match trace_check.check(self, &trace)? {
                Checked::Real(execution) => return Ok(Outcome::Unsafe(execution)),
                Checked::Spurious(why) => why,
            };
            self.take_note_of_facts(&trace)?;
            let returns = refinement.refuted_before(self, &trace);
            self.explored(exploration.as_ref(), Some((&trace, &spurious, returns)));
            let mut refined = refinement.refine(self, &trace, &spurious)?;
            // What is left of coarser predicates may let a path through that those of now eliminate.
            let mut anew = returns > 0;
            // What an engine that is not exact keeps finding, or does not see eliminated, an exact one will not.
            let fails = match refined {
                Refined::Not => true,
                Refined::Trace => false,
                _ => returns > 1,
            };
            if fails && !self.refines_relation() && self.make_exact() {
                refinement.engine_changed();
                refined = refinement.refine(self, &trace, &spurious)?;
                anew = true;
            }
            match refined {
                Refined::Proved(proof) => return Ok(Outcome::Safe(proof)),
                Refined::Relation => exploration.restart(self),
                Refined::Trace if exploration.refined(self, &trace, 0) => {}
                Refined::Trace => exploration.restart(self),
                Refined::From(_) if anew && returns < MAX_RETURNS => exploration.restart(self),
                Refined::From(start) if exploration.refined(self, &trace, start) => {}
                Refined::From(_) if self.make_exact() => {
                    refinement.engine_changed();
                    exploration.restart(self);
                }
                // The predicates of now eliminate the path: it can only come from what is left of older ones.
                Refined::From(_) if returns < MAX_RETURNS => exploration.restart(self),
                Refined::From(_) | Refined::Not => self.take_no_chances(exploration, refinement),
            }
            self.note(refinement);
        }
    }

    /// Uses facts of other searches from the first spurious trace on that they exclude: where they do not help, they would make
    /// images slower.
    fn take_note_of_facts(&mut self, trace: &AbstractTrace<S::Edge>) -> Result<(), Interrupted> {
        let news = self.board.and_then(|board| board.news(self.terms, &mut self.seen));
        if news.is_some() && self.uses_facts {
            self.abstraction.facts = news;
        } else if news.is_some() {
            self.unused_facts = news;
        }
        if self.uses_facts || self.unused_facts.is_none() {
            return Ok(());
        }
        self.abstraction.facts = self.unused_facts.take();
        for (m, &step) in trace.steps.iter().enumerate() {
            let before = self.abstraction.diagrams.cube(&trace.states[m])?;
            let after = match (trace.states.get(m + 1), trace.precisions.get(m + 1)) {
                (Some(values), Some(precision)) => within(precision, values),
                _ => Vec::new(),
            };
            if !self.abstraction.is_possible(self.terms, step, &before, &after)? {
                self.uses_facts = true;
                return Ok(());
            }
        }
        self.unused_facts = self.abstraction.facts.take();
        Ok(())
    }

    /// A path keeps returning, though the predicates in use eliminate it, or nothing is found against it. What could let it
    /// through is taken away, one after the other: an engine that is not exact, the exchange of predicates for others,
    /// and at last all that explorations other than that of single states know and combine.
    fn take_no_chances(
        &mut self,
        exploration: &mut Box<dyn Exploration<S> + 'a>,
        refinement: &mut Refinement<S>,
    ) {
        if self.make_exact() {
            refinement.engine_changed();
        } else if !refinement.only_add() {
            self.abstraction.hybrid = None;
            self.has_relation = false;
            *exploration = Box::new(Explicit::new(self));
        }
        exploration.restart(self);
    }

    fn note(&mut self, refinement: &Refinement<S>) {
        self.statistics.branches = refinement.branches();
        self.statistics.branches_at_least = refinement.at_least();
        self.statistics.combinations = refinement.combinations();
    }

    /// The engine that solves the queries.
    pub fn engine(&self) -> &dyn Engine {
        self.engine.as_ref()
    }

    /// Lets an exact engine take over; `false` if it is exact already.
    pub fn make_exact(&mut self) -> bool {
        if self.engine.is_exact() {
            return false;
        }
        self.engine = Box::new(AllSat);
        true
    }

    /// [`Abstraction::image`] by the engine.
    pub fn image(&mut self, step: StepId, region: &Bdd, known: &Bdd) -> Result<Bdd, Interrupted> {
        let image = self.abstraction.image(self.terms, self.engine.as_ref(), step, region, known)?;
        self.observer.image(&image);
        Ok(image)
    }

    /// [`Abstraction::local_image`] by the engine.
    pub fn local_image(&mut self, step: StepId, region: &Bdd) -> Result<Bdd, Interrupted> {
        let image = self.abstraction.local_image(self.terms, self.engine.as_ref(), step, region)?;
        self.observer.image(&image);
        Ok(image)
    }

    /// [`Abstraction::successors`] by the engine.
    pub fn successors(&mut self, step: StepId, before: &[bool]) -> Result<Vec<Valuation>, Interrupted> {
        self.abstraction.successors(self.terms, self.engine.as_ref(), step, before)
    }

    /// [`Abstraction::partition`] by the engine.
    pub fn partition(&mut self, step: StepId) -> Result<Partition, Interrupted> {
        let relation = self.abstraction.partition(self.terms, self.engine.as_ref(), step)?;
        relation.parts().iter().for_each(|part| self.observer.image(part));
        Ok(relation)
    }

    /// An execution of `step` from `before` to a state with these values of the predicates in `precision`: a region
    /// knows the predicates of its time only. An abstraction that is not exact holds states that no execution reaches:
    /// then any execution into the region will do, and if there is none either, any execution of the step.
    pub fn arrival(
        &mut self,
        step: StepId,
        before: &Bdd,
        precision: &Precision,
        values: &[(BddVar, bool)],
    ) -> Result<Witness<S::Edge>, Interrupted> {
        let target = within(precision, values);
        match self.abstraction.witness(self.terms, step, before, &target)? {
            Some(witness) => Ok(witness),
            None => self.departure(step, before),
        }
    }

    /// A path of an execution of `step` from a state with the values `before`, and to one with the values `after` of the
    /// predicates in a precision, as far as there is one; see [`arrival`](Run::arrival).
    pub fn path(
        &mut self,
        step: StepId,
        before: &[(BddVar, bool)],
        after: Option<(&Precision, &[(BddVar, bool)])>,
    ) -> Result<Vec<S::Edge>, Interrupted> {
        if let Some(path) = self.abstraction.system.only_path(step) {
            return Ok(path);
        }
        let before = self.abstraction.diagrams.cube(before)?;
        let witness = match after {
            Some((precision, values)) => self.arrival(step, &before, precision, values)?,
            None => self.departure(step, &before)?,
        };
        Ok(witness.path)
    }

    /// An execution of `step` from `before`, or else from anywhere.
    fn departure(&mut self, step: StepId, before: &Bdd) -> Result<Witness<S::Edge>, Interrupted> {
        let anywhere = self.abstraction.diagrams.tru();
        for region in [before, &anywhere] {
            if let Some(witness) = self.abstraction.witness(self.terms, step, region, &[])? {
                return Ok(witness);
            }
        }
        unreachable!("a trace has only steps that can be executed: the abstraction of others is empty")
    }

    /// What a query needs.
    pub(crate) fn query_parts(&mut self) -> (&dyn Engine, &mut Terms, &mut Diagrams) {
        (self.engine.as_ref(), self.terms, &mut self.abstraction.diagrams)
    }

    /// Regions at the points as formulas.
    pub fn invariants(&mut self, regions: &[Bdd]) -> Result<Invariants, Interrupted> {
        let mut invariants = Vec::with_capacity(regions.len());
        for (point, region) in regions.iter().enumerate() {
            let formula = self.abstraction.readable(self.terms, region)?;
            // Images were computed with the facts, so that regions are inductive together with them.
            let fact = self.abstraction.facts.as_ref().map(|facts| facts[Point(point as u32)]);
            invariants.push(fact.map_or(formula, |fact| self.terms.and2(formula, fact)));
        }
        Ok(invariants.into_iter().collect())
    }

    /// Counts an iteration and tells the observer.
    fn explored(
        &mut self,
        exploration: &dyn Exploration<S>,
        counterexample: Option<(&AbstractTrace<S::Edge>, &Spurious, usize)>,
    ) {
        self.statistics.iterations += 1;
        self.statistics.states = exploration.states();
        self.work += self.statistics.states;
        let length = counterexample.map_or(0, |(trace, ..)| trace.steps.len());
        self.statistics.longest_trace = self.statistics.longest_trace.max(length);
        self.count();
        let iteration = Iteration::new(self.terms, &self.abstraction, counterexample);
        self.observer.iteration(self.terms, &self.statistics, &iteration);
    }

    fn count(&mut self) {
        let abstraction = &self.abstraction;
        let points = (0..self.statistics.points as u32).map(Point);
        self.statistics.solver = abstraction.solver_stats();
        self.statistics.images = abstraction.images();
        self.statistics.predicates = abstraction.predicates.count();
        self.statistics.expressions = abstraction.predicates.distinct();
        self.statistics.predicates_at_a_point =
            points.map(|p| abstraction.predicates.at(p).len()).max().unwrap_or(0);
    }

    /// What the run took.
    pub fn statistics(mut self) -> Statistics {
        self.count();
        self.statistics
    }
}

/// The values of predicates in a precision.
fn within(precision: &Precision, values: &[(BddVar, bool)]) -> Vec<(BddVar, bool)> {
    let known = |var: BddVar| precision.iter().any(|p| p.var == var);
    values.iter().copied().filter(|&(var, _)| known(var)).collect()
}
