//! Is an abstract counterexample real?

mod blocks;
mod simulation;
mod weakest_precondition;

pub use blocks::Blocks;
pub use simulation::Simulation;
pub use weakest_precondition::WeakestPrecondition;

use crate::cegar::Run;
use crate::explore::AbstractTrace;
use crate::strategy::TraceCheckKind;
use tamis_paq::Interrupted;
use tamis_solver::Budget;
use tamis_system::{ConcreteTrace, GuardId, System};

/// What trying a counterexample on the system gave.
pub enum Checked<E> {
    /// An execution along its steps.
    Real(ConcreteTrace<E>),
    /// There is none.
    Spurious(Spurious),
}

/// Why a counterexample is spurious, as far as the check tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spurious {
    /// The step that cannot be executed after, or before, the others.
    pub step: Option<usize>,
    /// The guard, in the path of the trace's executions, that cannot hold.
    pub guard: Option<GuardId>,
}

/// A way to try an abstract counterexample on the system.
pub trait TraceCheck<S: System> {
    /// Tries the trace.
    fn check(
        &mut self,
        run: &mut Run<'_, S>,
        trace: &AbstractTrace<S::Edge>,
    ) -> Result<Checked<S::Edge>, Interrupted>;
}

/// The check of the given kind.
pub fn trace_check<'a, S: System>(
    kind: TraceCheckKind,
    system: &'a S,
    budget: &Budget,
) -> Box<dyn TraceCheck<S> + 'a> {
    let blocks = Blocks::new(system, budget);
    match kind {
        TraceCheckKind::WeakestPrecondition => Box::new(WeakestPrecondition::new(blocks)),
        TraceCheckKind::Simulation => Box::new(Simulation::new(blocks)),
        TraceCheckKind::Blocks => Box::new(blocks),
    }
}
