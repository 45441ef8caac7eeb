//! A system as one transition relation over terms: first states, steps, and when the error is reached.
//!
//! Where a system has several points between the initial one and the error, the point is part of the state: a number.
//! Where several steps are possible, inputs choose one.

use tamis_logic::{Model, Sort, Substitution, Term, Terms, Value};
use tamis_solver::Stop;
use tamis_system::{ConcreteTrace, Execution, Formula, Invariants, Point, StepId, System};

/// Steps of which one is taken.
pub(crate) struct Choice<S: System> {
    steps: Vec<Chosen<S>>,
    /// Hold together exactly of the steps' executions.
    pub constraints: Vec<Term>,
    /// The value of each state variable afterwards, the point's number last if it is one.
    pub next: Vec<Term>,
}

struct Chosen<S: System> {
    id: StepId,
    /// When it is this step that is taken.
    taken: Term,
    formula: Formula<S::State, S::Decode>,
}

/// A system as a transition relation.
pub(crate) struct Transition<'a, S: System> {
    system: &'a S,
    /// The state variables, the point's number last if there is one.
    pub state: Vec<Term>,
    numbered: bool,
    /// From the initial point. What the state variables are there is another variable for each.
    pub first: Choice<S>,
    before: Substitution,
    /// Between the points that are neither the initial one nor the error.
    pub next: Choice<S>,
    /// To the error from these points; what is next is not asked for.
    pub bad: Choice<S>,
}

impl<'a, S: System> Transition<'a, S> {
    /// The relation of a system. Steps from the initial point to the error have no state in between and are left out.
    pub fn new(terms: &mut Terms, system: &'a S) -> Transition<'a, S> {
        let (steps, error) = (system.steps(), system.error());
        let mut state = system.state_variables();
        let before = state.iter().map(|&v| (v, terms.fresh("before", terms.sort(v)))).collect();
        let inner = system.points() - 2;
        let numbered = inner > 1;
        if numbered {
            let width = inner.next_power_of_two().trailing_zeros().max(1);
            state.push(terms.fresh("point", Sort::BitVec(width)));
        }
        let choose = |terms: &mut Terms, chosen: &dyn Fn(Point, Point) -> bool| {
            let ids = (0..steps.len()).filter(|&i| chosen(steps[i].from, steps[i].to));
            let ids: Vec<StepId> = ids.map(|i| StepId(i as u32)).collect();
            Choice::new(terms, system, &state, numbered, &ids)
        };
        let mut first = choose(terms, &|from, to| from == Point::INITIAL && to != error);
        first.rename(terms, &before);
        let next = choose(terms, &|from, to| from != Point::INITIAL && to != error);
        let bad = choose(terms, &|from, to| from != Point::INITIAL && to == error);
        Transition { system, state, numbered, first, before, next, bad }
    }

    /// A formula over the state at each point. `numbers` tells the value of a bit of the point's number.
    pub fn invariants(
        &self,
        terms: &mut Terms,
        mut formula: impl FnMut(&mut Terms, &dyn Fn(u32) -> bool) -> Term,
    ) -> Invariants {
        let points = self.system.points();
        let at = |p: usize| match p {
            0 => terms.tru(),
            p if p + 1 == points => terms.fals(),
            p => formula(terms, &|bit| (p - 1) >> bit & 1 == 1),
        };
        (0..points).map(at).collect()
    }

    /// Whether a state variable is the point's number.
    pub fn is_number(&self, variable: usize) -> bool {
        self.numbered && variable + 1 == self.state.len()
    }

    /// The execution in which these values are chosen: those before the first step, and for each step its inputs'.
    /// Inputs that are not given have any.
    pub fn execute(
        &self,
        terms: &Terms,
        first: &Model,
        cycles: &[Model],
    ) -> Result<ConcreteTrace<S::Edge>, Stop> {
        let variables = self.system.state_variables();
        let mut initial = Model::new();
        for &v in &variables {
            let before = self.before.get(v).unwrap_or(v);
            initial.set(v, given(terms, first, before));
        }
        let mut execution = Vec::new();
        let mut choices = first.clone();
        initial.iter().for_each(|(v, value)| choices.set(v, value.clone()));
        let mut state = self.first.execute(terms, self.system, choices, &mut execution)?;
        for (i, cycle) in cycles.iter().enumerate() {
            let mut choices = cycle.clone();
            for (&v, value) in self.state.iter().zip(state) {
                choices.set(v, value);
            }
            let choice = if i + 1 == cycles.len() { &self.bad } else { &self.next };
            state = choice.execute(terms, self.system, choices, &mut execution)?;
        }
        Ok(ConcreteTrace { initial, execution })
    }
}

impl<S: System> Choice<S> {
    fn new(terms: &mut Terms, system: &S, state: &[Term], numbered: bool, ids: &[StepId]) -> Choice<S> {
        let number = state.last().copied().filter(|_| numbered);
        let point = |terms: &mut Terms, number: Term, p: Point| {
            let width = terms.width(number);
            terms.bits(width, u128::from(p.0 - 1))
        };
        let mut choice = Choice { steps: Vec::new(), constraints: Vec::new(), next: state.to_vec() };
        // Taken is the first step whose input is set, or else the last.
        let mut open = terms.tru();
        for (i, &id) in ids.iter().enumerate() {
            let taken = if i + 1 == ids.len() {
                open
            } else {
                let chosen = terms.fresh("chosen", Sort::Bool);
                let taken = terms.and2(open, chosen);
                let not = terms.not(chosen);
                open = terms.and2(open, not);
                taken
            };
            let formula = system.encode(terms, id, &system.symbolic());
            let ends = system.steps()[id.index()];
            let mut conditions = formula.constraints.clone();
            if let Some(number) = number.filter(|_| ends.from != Point::INITIAL) {
                let from = point(terms, number, ends.from);
                conditions.push(terms.eq(number, from));
            }
            for condition in conditions {
                choice.constraints.push(terms.implies(taken, condition));
            }
            if ends.to != system.error() {
                let mut post = formula.post.clone();
                for (k, &v) in state.iter().enumerate() {
                    let value = match number {
                        Some(number) if number == v => point(terms, number, ends.to),
                        _ => system.read(terms, &mut post, v),
                    };
                    choice.next[k] = terms.ite(taken, value, choice.next[k]);
                }
            }
            choice.steps.push(Chosen { id, taken, formula });
        }
        if ids.is_empty() {
            choice.constraints.push(terms.fals());
        }
        choice
    }

    fn rename(&mut self, terms: &mut Terms, names: &Substitution) {
        self.constraints = terms.substitute_all(&self.constraints, names);
        self.next = terms.substitute_all(&self.next, names);
    }

    /// Executes the step that was chosen: the state after it.
    fn execute(
        &self,
        terms: &Terms,
        system: &S,
        mut choices: Model,
        execution: &mut Execution<S::Edge>,
    ) -> Result<Vec<Value>, Stop> {
        let mut roots: Vec<Term> = self.steps.iter().map(|s| s.taken).collect();
        let count = roots.len();
        roots.extend_from_slice(&self.next);
        for v in terms.free_vars_of(&roots) {
            let value = given(terms, &choices, v);
            choices.set(v, value);
        }
        let mut values = terms.eval_all(&roots, &choices);
        let state = values.split_off(count);
        let taken = values.iter().position(Value::as_bool).map(|i| &self.steps[i]);
        // A step is taken: otherwise no query would have said so.
        let Some(Chosen { id, formula, .. }) = taken else { return Err(Stop::Unsupported) };
        for v in system.model_variables(terms, formula) {
            let value = given(terms, &choices, v);
            choices.set(v, value);
        }
        let part = system.execution(terms, *id, formula, &choices).ok_or(Stop::Unsupported)?;
        execution.extend(part);
        Ok(state)
    }
}

fn given(terms: &Terms, model: &Model, v: Term) -> Value {
    model.get(v).cloned().unwrap_or_else(|| terms.default_value(terms.sort(v)))
}
