//! Predecessors with fewer literals. A cube of predecessors must not have an abstract state in it from which the step does not lead
//! on: otherwise a counterexample may be none of the abstract system, and no new predicates refute it.
//!
//! Two ways keep that. With all that the step chooses as it was, an unsat core says which predicates suffice for the step
//! to be taken and to end where it did, as [over bits](crate::ic3); each state of the cube then takes it. Where predicates
//! do not determine that, those go that share no variable, directly or through others, with what the step requires or with
//! where it leads: they can have any values that states have. Facts in use share variables too, since states have to fulfil them.

use super::{Ic3, StateCube, Valued};
use crate::cegar::Run;
use crate::refine::bit;
use rustc_hash::FxHashSet;
use tamis_logic::{Op, Sort, Term, Value};
use tamis_paq::Interrupted;
use tamis_solver::Answer;
use tamis_system::{Point, StepId, System};

/// With more bits chosen in a step than this, what predicates determine is not asked for.
const MAX_BITS: usize = 2000;

impl<S: System> Ic3<S> {
    /// After a step was found to lead into a cube: abstract states from which it does.
    pub(super) fn predecessor(
        &mut self,
        run: &mut Run<'_, S>,
        step: StepId,
        cube: &StateCube,
    ) -> Result<StateCube, Interrupted> {
        let target = self.steps.target(run, step, cube);
        let from = run.abstraction.system.steps()[step.index()].from;
        let predicates = run.abstraction.predicates.at(from).clone();
        let asked = self.steps.solver(step);
        let mut state = Vec::with_capacity(predicates.len());
        for p in predicates.iter() {
            let value = asked.solver.value(run.terms, p.formula).as_bool();
            state.push(Valued { var: p.var, value });
        }
        let mut related: FxHashSet<Term> = asked.support.iter().copied().collect();
        for lit in cube.iter() {
            related.extend(asked.after(run, lit.var).variables.iter().copied());
        }
        match self.determining(run, step, &state, &target, &related)? {
            Some(needed) => Ok(needed),
            None => Ok(self.related(run, from, state, related)),
        }
    }

    /// The predicates that determine, with all that is chosen as it was, that the step leads to its target.
    fn determining(
        &mut self,
        run: &mut Run<'_, S>,
        step: StepId,
        state: &[Valued],
        target: &[Term],
        variables: &FxHashSet<Term>,
    ) -> Result<Option<StateCube>, Interrupted> {
        let asked = self.steps.solver(step);
        let mut literals = Vec::new();
        for &v in variables.iter().filter(|v| !self.state.contains(v)) {
            match asked.solver.value(run.terms, v) {
                Value::Bool(value) => literals.push(if value { v } else { run.terms.not(v) }),
                Value::Bits(value) if literals.len() + value.width() as usize <= MAX_BITS => {
                    let bits = (0..value.width()).map(|i| bit(run.terms, v, i, value.bit(i)));
                    literals.extend(bits);
                }
                _ => return Ok(None),
            }
        }
        for lit in state {
            let formula = run.abstraction.predicates.formula(lit.var);
            literals.push(lit.of(run.terms, formula));
        }
        let mut fails = Vec::new();
        for &condition in asked.formula.constraints.iter().chain(target) {
            fails.push(run.terms.not(condition));
        }
        let (fails, question) = (run.terms.or(&fails), run.terms.fresh("question", Sort::Bool));
        let solver = asked.lifting(run.budget);
        solver.assert_under(run.terms, question, fails);
        literals.push(question);
        let answer = solver.check(run.terms, &literals)?;
        let done = run.terms.not(question);
        solver.assert(run.terms, done);
        if answer == Answer::Sat {
            return Ok(None);
        }
        let core: FxHashSet<Term> = solver.core().iter().copied().collect();
        let said = &literals[literals.len() - 1 - state.len()..];
        Ok(Some(
            state.iter().zip(said).filter(|(_, said)| core.contains(said)).map(|(&lit, _)| lit).collect(),
        ))
    }

    /// The literals that share variables with some, directly or through others.
    fn related(
        &mut self,
        run: &mut Run<'_, S>,
        from: Point,
        state: Vec<Valued>,
        mut variables: FxHashSet<Term>,
    ) -> StateCube {
        let fact = run.abstraction.facts.as_ref().map(|facts| facts[from]);
        let mut linked: Vec<Vec<Term>> = match fact {
            Some(fact) if run.terms.op(fact) == Op::And => {
                run.terms.args(fact).to_vec().into_iter().map(|part| run.terms.free_vars(part)).collect()
            }
            Some(fact) => vec![run.terms.free_vars(fact)],
            None => Vec::new(),
        };
        let (mut rest, mut kept) = (state, Vec::new());
        loop {
            while let Some(near) = linked.iter().position(|link| link.iter().any(|v| variables.contains(v))) {
                variables.extend(linked.swap_remove(near));
            }
            let is_near = |lit: &Valued| {
                let of_predicate = self
                    .variables
                    .entry(lit.var)
                    .or_insert_with(|| run.terms.free_vars(run.abstraction.predicates.formula(lit.var)));
                of_predicate.iter().any(|v| variables.contains(v))
            };
            let (near, far): (Vec<Valued>, Vec<Valued>) = rest.into_iter().partition(is_near);
            if near.is_empty() {
                return kept.into_iter().collect();
            }
            near.iter().for_each(|lit| variables.extend(&self.variables[&lit.var]));
            kept.extend(near);
            rest = far;
        }
    }
}
