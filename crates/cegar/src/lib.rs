//! The loop: counterexample-guided abstraction refinement.
//!
//! [`check`] explores an abstraction of a [`System`] by predicates, tests the abstract counterexample that it finds
//! against the system, and refines the predicates where the counterexample is spurious ([SMC] section 2.2, Fig. 1).
//! It serves whatever implements [`System`]: programs over their loop cutset here, transition systems as well.
//!
//! [SMC]: *Grand Challenge: Model Check Software*; [SUM]: *Efficient Predicate Abstraction of Program Summaries*;
//! [MIN]: *Predicate Abstraction with Minimum Predicates*.

mod abstraction;
mod eliminate;
mod program_system;
mod progress;
mod reach;
mod refine;
mod system;
mod trace_check;

pub use abstraction::Abstraction;
pub use program_system::ProgramSystem;
pub use progress::{Observer, Silent, Statistics};
pub use system::{Execution, Formula, Guards, Point, Step, StepId, System};
pub use trace_check::ConcreteTrace;

use eliminate::Precision;
use reach::{AbstractTrace, Exploration, RingId};
use tamis_diagram::Diagrams;
use tamis_logic::{Term, Terms};
use tamis_paq::{AllSat, Engine, Interrupted};
use tamis_solver::Budget;
use trace_check::TraceChecker;

/// What the loop found out.
#[derive(Clone, Debug)]
pub enum Outcome<E> {
    /// The error point cannot be reached: for each point, a formula over the state variables. Together they are
    /// inductive, and the error point's is false.
    Safe(Vec<Term>),
    /// An execution that reaches the error point.
    Unsafe(ConcreteTrace<E>),
    /// The loop gave up.
    Unknown(GaveUp),
}

/// Why the loop gave up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GaveUp {
    /// A limit of the run.
    Interrupted(Interrupted),
    /// A spurious counterexample gave no new predicate at any precision.
    NoNewPredicate,
}

/// How the loop works.
pub struct Configuration {
    /// Solves the predicate abstraction queries. If it is not exact, an exact one takes over when no new predicate
    /// excludes a spurious counterexample.
    pub engine: Box<dyn Engine>,
    /// The most nodes that regions may take.
    pub max_nodes: usize,
}

impl Default for Configuration {
    fn default() -> Configuration {
        Configuration { engine: Box::new(AllSat), max_nodes: Diagrams::DEFAULT_MAX_NODES }
    }
}

/// Checks whether the error point of `system` can be reached.
pub fn check<S: System>(
    terms: &mut Terms,
    system: &S,
    configuration: &Configuration,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome<S::Edge>, Statistics) {
    let mut run = Run {
        terms,
        abstraction: Abstraction::new(system, budget, configuration.max_nodes),
        engine: configuration.engine.as_ref(),
        budget,
        observer,
        statistics: Statistics {
            points: system.points(),
            steps: system.steps().len(),
            ..Statistics::default()
        },
    };
    let outcome =
        run.cegar().unwrap_or_else(|interrupted| Outcome::Unknown(GaveUp::Interrupted(interrupted)));
    run.count();
    (outcome, run.statistics)
}

struct Run<'a, S: System> {
    terms: &'a mut Terms,
    abstraction: Abstraction<'a, S>,
    engine: &'a dyn Engine,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    statistics: Statistics,
}

impl<S: System> Run<'_, S> {
    fn cegar(&mut self) -> Result<Outcome<S::Edge>, Interrupted> {
        let mut exploration = Exploration::new(&self.abstraction);
        let mut traces = TraceChecker::new(self.abstraction.system, self.budget);
        loop {
            let found = exploration.explore(
                self.terms,
                &mut self.abstraction,
                self.engine,
                self.budget,
                self.observer,
            )?;
            self.statistics.iterations += 1;
            let Some(trace) = found else {
                return Ok(Outcome::Safe(self.invariants(exploration.reached())?));
            };
            self.statistics.longest_trace = self.statistics.longest_trace.max(trace.steps.len());
            if let Some(real) = traces.concretize(self.terms, &trace.steps)? {
                return Ok(Outcome::Unsafe(real));
            }
            match self.refine(&trace)? {
                Some(pivot) => exploration.rewind(pivot),
                None => return Ok(Outcome::Unknown(GaveUp::NoNewPredicate)),
            }
            self.count();
            self.observer.iteration(&self.statistics);
        }
    }

    /// Refines, and tells the ring to go on from. Progress is guaranteed: a region on the trace is computed anew with
    /// more predicates, or the engine becomes exact, or the precision of refinement rises; when none of this is
    /// possible, there is no ring to go on from.
    fn refine(&mut self, trace: &AbstractTrace<S::Edge>) -> Result<Option<RingId>, Interrupted> {
        for precision in std::iter::successors(Some(Precision::Bounds), |p| p.higher()) {
            let start = refine::refine(self.terms, &mut self.abstraction, self.budget, trace, precision)?;
            let Some(start) = start else { return Ok(None) };
            let outdated = |m: &usize| {
                let point = self.abstraction.system.steps()[trace.steps[*m].index()].from;
                trace.precisions[*m] < self.abstraction.predicates(point).len()
            };
            if let Some(m) = (start + 1..trace.steps.len()).find(outdated) {
                return Ok(Some(trace.rings[m - 1]));
            }
            if !self.engine.is_exact() {
                self.engine = &AllSat;
                return Ok(trace.rings.first().copied());
            }
        }
        Ok(None)
    }

    fn invariants(&mut self, regions: &[tamis_diagram::Bdd]) -> Result<Vec<Term>, Interrupted> {
        let points = (0..regions.len() as u32).map(Point);
        points.zip(regions).map(|(p, region)| self.abstraction.readable(self.terms, p, region)).collect()
    }

    fn count(&mut self) {
        self.statistics.solver = self.abstraction.solver_stats();
        self.statistics.images = self.abstraction.images();
        let points = (0..self.statistics.points as u32).map(Point);
        self.statistics.predicates = self.abstraction.predicate_count();
        self.statistics.predicates_at_a_point =
            points.map(|p| self.abstraction.predicates(p).len()).max().unwrap_or(0);
    }
}
