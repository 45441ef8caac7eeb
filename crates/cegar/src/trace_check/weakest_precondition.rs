//! `TC`: \[MIN\] section 2.3, Fig. 3.

use super::{AbstractTrace, Blocks, Checked, Spurious, TraceCheck};
use crate::cegar::Run;
use tamis_logic::{Term, Terms};
use tamis_paq::Interrupted;
use tamis_solver::{Answer, Budget, Solver, Stop};
use tamis_system::{StepId, System};

/// Goes through the trace backward, with the weakest condition `X` under which its rest can be executed.
///
/// The paper's statements are blocks here. `X := WP(X, s_i)` is `X` read in the state after the block; what the block
/// itself requires, `c` or `¬c` in the paper, are the constraints of its formula. Values for a trace that is valid
/// come from a search along its steps.
pub struct WeakestPrecondition<'a, S: System> {
    blocks: Blocks<'a, S>,
}

impl<'a, S: System> WeakestPrecondition<'a, S> {
    /// A check that takes values from `blocks`.
    pub fn new(blocks: Blocks<'a, S>) -> WeakestPrecondition<'a, S> {
        WeakestPrecondition { blocks }
    }
}

impl<S: System> TraceCheck<S> for WeakestPrecondition<'_, S> {
    fn check(
        &mut self,
        run: &mut Run<'_, S>,
        trace: &AbstractTrace<S::Edge>,
    ) -> Result<Checked<S::Edge>, Interrupted> {
        if let Some(step) = refuted_at(run.terms, run.abstraction.system, run.budget, &trace.steps)? {
            return Ok(Checked::Spurious(Spurious { step: Some(step), guard: None }));
        }
        self.blocks.check(run, trace)
    }
}

/// The step at which `X` becomes FALSE: from there on the sequence cannot be executed from any state. `None` if it is
/// valid.
fn refuted_at<S: System>(
    terms: &mut Terms,
    system: &S,
    budget: &Budget,
    steps: &[StepId],
) -> Result<Option<usize>, Stop> {
    let mut x: Vec<Term> = Vec::new();
    for (i, &s) in steps.iter().enumerate().rev() {
        let mut formula = system.encode(terms, s, &system.symbolic());
        let mut before = formula.constraints.clone();
        for &conjunct in &x {
            before.push(system.read(terms, &mut formula.post, conjunct));
        }
        x = before;
        let mut solver = Solver::new(budget);
        for &conjunct in &x {
            solver.assert(terms, conjunct);
        }
        if let Answer::Unsat = solver.check(terms, &[])? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}
