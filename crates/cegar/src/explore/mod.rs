//! Exploration of the abstract system.

mod boolean_program;
mod explicit;
mod ic3;
mod rings;
mod tree;

pub use boolean_program::BooleanProgram;
pub use explicit::Explicit;
pub use ic3::Ic3;
pub use rings::Rings;
pub use tree::Tree;

use crate::abstraction::Precision;
use crate::cegar::Run;
use crate::strategy::ExplorationKind;
use tamis_diagram::BddVar;
use tamis_paq::Interrupted;
use tamis_system::{Invariants, StepId, System};

/// An abstract counterexample: steps from the initial point to the error point. Each has an execution of its own that
/// agrees with its neighbours on the predicates, though not on the values; what matters of it is the path.
pub struct AbstractTrace<E> {
    /// The steps.
    pub steps: Vec<StepId>,
    /// A path through each.
    pub paths: Vec<Vec<E>>,
    /// For each step, the values of predicates in the state that its execution starts in.
    pub states: Vec<Vec<(BddVar, bool)>>,
    /// For each step, with which predicates the region that it starts in was computed.
    pub precisions: Vec<Precision>,
}

impl<E> AbstractTrace<E> {
    /// A trace without steps.
    pub fn empty() -> AbstractTrace<E> {
        AbstractTrace { steps: Vec::new(), paths: Vec::new(), states: Vec::new(), precisions: Vec::new() }
    }

    /// Turns a trace that was made from its end to its start.
    pub fn reversed(mut self) -> AbstractTrace<E> {
        self.steps.reverse();
        self.paths.reverse();
        self.states.reverse();
        self.precisions.reverse();
        self
    }

    /// The first step after `start` whose start lacks a predicate that is in use there now, or if there is none, the
    /// first step before.
    pub fn first_outdated<S: System<Edge = E>>(&self, run: &Run<'_, S>, start: usize) -> Option<usize> {
        let steps = run.abstraction.system.steps();
        let outdated = |&m: &usize| {
            let point = steps[self.steps[m].index()].from;
            run.abstraction.predicates.outdated(point, &self.precisions[m])
        };
        (start + 1..self.steps.len()).chain(1..start + 1).find(outdated)
    }
}

/// A way to explore the abstract system that the predicates in use define.
pub trait Exploration<S: System> {
    /// Goes on until the error point is reached or nothing is left.
    fn explore(&mut self, run: &mut Run<'_, S>) -> Result<Option<AbstractTrace<S::Edge>>, Interrupted>;

    /// Takes note that the predicates have changed so that `trace`, which was found last, is no longer
    /// one, whatever came before the step `start` of it. `false` if, as far as this exploration can tell, it still is.
    fn refined(&mut self, run: &mut Run<'_, S>, trace: &AbstractTrace<S::Edge>, start: usize) -> bool;

    /// Starts anew, with the predicates of now.
    fn restart(&mut self, run: &Run<'_, S>);

    /// After [`explore`](Exploration::explore) found no counterexample: inductive formulas at the points.
    fn invariants(&self, run: &mut Run<'_, S>) -> Result<Invariants, Interrupted>;

    /// How many abstract states, or sets of them, are held.
    fn states(&self) -> usize;
}

/// The exploration of the given kind, before its first step.
pub fn exploration<'s, S: System + 's>(
    kind: ExplorationKind,
    run: &Run<'_, S>,
) -> Box<dyn Exploration<S> + 's> {
    match kind {
        ExplorationKind::Explicit => Box::new(Explicit::new(run)),
        ExplorationKind::BooleanProgram => Box::new(BooleanProgram::new(run)),
        ExplorationKind::Tree => Box::new(Tree::new(run)),
        ExplorationKind::Rings => Box::new(Rings::new(run)),
        ExplorationKind::Ic3 => Box::new(Ic3::new(run)),
    }
}

/// The steps out of each point, those into the error first: a counterexample ends the search.
fn outgoing<S: System>(system: &S) -> Vec<Vec<StepId>> {
    let error = system.error();
    let mut outgoing: Vec<Vec<StepId>> = vec![Vec::new(); system.points()];
    for (i, step) in system.steps().iter().enumerate() {
        outgoing[step.from.index()].push(StepId(i as u32));
    }
    for steps in &mut outgoing {
        steps.sort_by_key(|s| system.steps()[s.index()].to != error);
    }
    outgoing
}
