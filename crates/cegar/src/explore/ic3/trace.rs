//! Abstract counterexamples.

use super::{AbstractTrace, Ic3, ObligationId, Valued};
use crate::cegar::Run;
use tamis_diagram::BddVar;
use tamis_logic::Term;
use tamis_paq::Interrupted;
use tamis_solver::Answer;
use tamis_system::{StepId, System};

/// The values of predicates.
type Valuation = Vec<(BddVar, bool)>;

impl<S: System> Ic3<S> {
    /// The abstract counterexample that starts with a step into an obligation, from there on along the obligations. All
    /// predicates have values on it, and so many executions of single steps as it has steps agree on them.
    pub(super) fn trace(
        &mut self,
        run: &mut Run<'_, S>,
        mut step: StepId,
        mut to: ObligationId,
    ) -> Result<AbstractTrace<S::Edge>, Interrupted> {
        let mut trace = AbstractTrace::empty();
        let mut before = Valuation::new();
        loop {
            let from = run.abstraction.system.steps()[step.index()].from;
            let (path, after) = self.execute(run, step, &before, to)?;
            trace.steps.push(step);
            trace.paths.push(path);
            trace.states.push(std::mem::replace(&mut before, after));
            trace.precisions.push(run.abstraction.predicates.at(from).clone());
            let obligation = &self.obligations[to];
            match (obligation.out.step, obligation.next) {
                (Some(next_step), Some(next)) => (step, to) = (next_step, next),
                _ => return Ok(trace),
            }
        }
    }

    /// A path of an execution of `step` from an abstract state into an obligation, and the abstract state that it ends in.
    fn execute(
        &mut self,
        run: &mut Run<'_, S>,
        step: StepId,
        before: &Valuation,
        to: ObligationId,
    ) -> Result<(Vec<S::Edge>, Valuation), Interrupted> {
        let system = run.abstraction.system;
        let mut assumptions = self.steps.target(run, step, &self.obligations[to].cube);
        assumptions.extend(self.steps.facts(run, step));
        for &(var, value) in before {
            let formula = run.abstraction.predicates.formula(var);
            assumptions.push(Valued { var, value }.of(run.terms, formula));
        }
        let at_end = run.abstraction.predicates.at(system.steps()[step.index()].to).clone();
        let asked = self.steps.solver(step);
        let ends: Vec<(BddVar, Term)> =
            at_end.iter().map(|p| (p.var, asked.after(run, p.var).formula)).collect();
        let answer = asked.solver.check(run.terms, &assumptions)?;
        assert_eq!(answer, Answer::Sat, "a step leads from every state of a cube into the next one");
        let after = ends.iter().map(|&(var, t)| (var, asked.solver.value(run.terms, t).as_bool())).collect();
        let path = match system.only_path(step) {
            Some(path) => path,
            None => {
                let model = asked.solver.model(run.terms, &asked.model_variables);
                let execution = system.execution(run.terms, step, &asked.formula, &model);
                let execution = execution.expect("a model of a step's formula describes an execution");
                execution.into_iter().map(|taken| taken.edge).collect()
            }
        };
        Ok((path, after))
    }
}
