//! Step-wise simulation: `Σ_i` of \[SMC\] section 4.3.

use super::{AbstractTrace, Blocks, Checked, Spurious, TraceCheck};
use crate::cegar::Run;
use crate::refine::Path;
use tamis_paq::Interrupted;
use tamis_system::System;

/// Goes through the trace forward: the instance `Σ_i` adds the constraints of the `i`-th step. The first that is
/// unsatisfiable names the step that fails, and the path through that step the guard.
pub struct Simulation<'a, S: System> {
    blocks: Blocks<'a, S>,
}

impl<'a, S: System> Simulation<'a, S> {
    /// A simulation over the formulas of `blocks`.
    pub fn new(blocks: Blocks<'a, S>) -> Simulation<'a, S> {
        Simulation { blocks }
    }
}

impl<S: System> TraceCheck<S> for Simulation<'_, S> {
    fn check(
        &mut self,
        run: &mut Run<'_, S>,
        trace: &AbstractTrace<S::Edge>,
    ) -> Result<Checked<S::Edge>, Interrupted> {
        let feasible = self.blocks.feasible_prefix(run.terms, &trace.steps)?;
        if feasible == trace.steps.len() {
            return self.blocks.check(run, trace);
        }
        let path = Path::new(run.abstraction.system, trace);
        let guard = path.failing_guard(run.terms, run.abstraction.system, run.budget)?;
        Ok(Checked::Spurious(Spurious { step: Some(feasible), guard }))
    }
}
