//! What the loop tells while it runs.

use crate::abstraction::Abstraction;
use crate::explore::AbstractTrace;
use crate::hybrid::{ControlReport, Hybrid};
use crate::ic3::Ic3Counts;
use crate::refine::CombinationCounts;
use crate::strategy::Search;
use crate::trace_check::Spurious;
use std::time::Duration;
use tamis_diagram::Bdd;
use tamis_logic::{Term, Terms};
use tamis_system::{Point, StepId, System};

/// Counts of a run.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// How many abstractions were explored.
    pub iterations: usize,
    /// Predicates over all points.
    pub predicates: usize,
    /// Different predicates, wherever they are in use: \[MIN\]'s first number.
    pub expressions: usize,
    /// The most predicates at one point.
    pub predicates_at_a_point: usize,
    /// Branches that predicates come from, where they do: \[MIN\]'s last number.
    pub branches: usize,
    /// How many branches a proof takes at least, where that has been found out: see
    /// [`Keep::Minimize`](crate::Keep::Minimize).
    pub branches_at_least: usize,
    /// The combinations of predicates that were tried where a minimum is kept.
    pub combinations: CombinationCounts,
    /// Abstract states, or sets of them, in the last exploration.
    pub states: usize,
    /// Images of regions and relations of steps computed.
    pub images: usize,
    /// The work of the solvers that abstract and that find abstract counterexamples.
    pub solver: tamis_solver::Stats,
    /// Points of the system.
    pub points: usize,
    /// Steps of the system.
    pub steps: usize,
    /// The length in steps of the longest abstract counterexample.
    pub longest_trace: usize,
    /// How many facts were shown: invariants that were guessed and checked, over all points.
    pub facts: usize,
    /// What IC3 did.
    pub ic3: Ic3Counts,
    /// The search that found the answer.
    pub winner: Option<Search>,
    /// How long each search has worked.
    pub worked: Vec<(Search, Duration)>,
    /// How many steps deep the bounded search has been.
    pub bounded_depth: usize,
}

/// An iteration of the loop, for people.
#[derive(Clone, Debug, Default)]
pub struct Iteration {
    /// The predicates in use, at each point that has some.
    pub predicates: Vec<(Point, Vec<Term>)>,
    /// What the hybrid model keeps beside predicates, if there is one.
    pub control: Option<ControlReport>,
    /// The abstract counterexample that was found.
    pub counterexample: Option<SpuriousTrace>,
}

/// A step of an abstract counterexample.
#[derive(Clone, Debug)]
pub struct TraceStep {
    /// Where it starts.
    pub point: Point,
    /// The step.
    pub step: StepId,
    /// The values of the predicates there.
    pub values: Vec<(Term, bool)>,
}

/// An abstract counterexample that is spurious.
#[derive(Clone, Debug, Default)]
pub struct SpuriousTrace {
    /// Its steps.
    pub steps: Vec<TraceStep>,
    /// How often its path has been refuted before: 0, unless a lazy exploration, or an engine that is not exact, lets it
    /// through once more.
    pub returns: usize,
    /// The step that fails, where the check names one.
    pub failing_step: Option<usize>,
    /// The guard that fails, where the check names one, as [`System::describe_guard`] shows it.
    pub failing_guard: Option<String>,
}

impl Iteration {
    pub(crate) fn new<S: System>(
        terms: &Terms,
        abstraction: &Abstraction<'_, S>,
        counterexample: Option<(&AbstractTrace<S::Edge>, &Spurious, usize)>,
    ) -> Iteration {
        let formulas = |p: Point| abstraction.predicates.at(p).iter().map(|p| p.formula).collect::<Vec<_>>();
        let points = (0..abstraction.system.points() as u32).map(Point);
        let predicates = points.map(|p| (p, formulas(p))).filter(|(_, formulas)| !formulas.is_empty());
        let counterexample = counterexample.map(|(trace, why, returns)| {
            let step = |(m, &step): (usize, &StepId)| {
                let point = abstraction.system.steps()[step.index()].from;
                let in_use = abstraction.predicates.at(point);
                let values = trace.states[m].iter().filter(|(var, _)| in_use.iter().any(|p| p.var == *var));
                let values = values.map(|&(var, value)| (abstraction.predicates.formula(var), value));
                TraceStep { point, step, values: values.collect() }
            };
            let path: Vec<S::Edge> = trace.paths.iter().flatten().copied().collect();
            let guard = why.guard.and_then(|g| path.get(g.edge).map(|&edge| (edge, g.index)));
            SpuriousTrace {
                steps: trace.steps.iter().enumerate().map(step).collect(),
                failing_step: why.step,
                returns,
                failing_guard: guard
                    .map(|(edge, index)| abstraction.system.describe_guard(terms, edge, index)),
            }
        });
        let control = abstraction.hybrid.as_ref().map(Hybrid::report);
        Iteration { predicates: predicates.collect(), control, counterexample }
    }
}

/// Watches a run.
pub trait Observer {
    /// An image, or the relation of a step, was computed.
    fn image(&mut self, region: &Bdd);
    /// An abstraction has been explored.
    fn iteration(&mut self, terms: &Terms, statistics: &Statistics, iteration: &Iteration);
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn image(&mut self, _: &Bdd) {}
    fn iteration(&mut self, _: &Terms, _: &Statistics, _: &Iteration) {}
}
