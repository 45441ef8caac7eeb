//! Is an abstract counterexample real? [SMC] section 4.3, over whole blocks.

use crate::reach::AbstractTrace;
use crate::system::{Execution, System};
use tamis_logic::{Model, Terms};
use tamis_solver::{Answer, Budget, Solver, Stop};

/// A concrete counterexample.
#[derive(Clone, Debug)]
pub struct ConcreteTrace<E> {
    /// The values of the state variables at the start.
    pub initial: Model,
    /// The execution from there to the error.
    pub execution: Execution<E>,
}

/// Looks for an execution along the steps of `trace`, on any path through them. The formula of the steps is built from
/// one symbolic state, so that what is constant along the trace is constant in the formula.
pub fn concretize<S: System>(
    terms: &mut Terms,
    system: &S,
    budget: &Budget,
    trace: &AbstractTrace<S::Edge>,
) -> Result<Option<ConcreteTrace<S::Edge>>, Stop> {
    let mut solver = Solver::new(budget);
    let mut state = system.symbolic();
    let mut formulas = Vec::new();
    for &step in &trace.steps {
        budget.check()?;
        let formula = system.encode(terms, step, &state);
        for &c in &formula.constraints {
            solver.assert(terms, c);
        }
        state = formula.post.clone();
        formulas.push(formula);
    }
    if let Answer::Unsat = solver.check(terms, &[])? {
        return Ok(None);
    }
    let mut execution = Vec::new();
    for (&step, formula) in trace.steps.iter().zip(&formulas) {
        let variables = system.model_variables(terms, formula);
        let model = solver.model(terms, &variables);
        match system.execution(terms, step, formula, &model) {
            Some(part) => execution.extend(part),
            None => return Ok(None),
        }
    }
    let initial = solver.model(terms, &system.state_variables());
    Ok(Some(ConcreteTrace { initial, execution }))
}
