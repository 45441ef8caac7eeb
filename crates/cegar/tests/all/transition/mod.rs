//! Word-level transition systems as [`System`]s, and a check of what the loop says of them.

use tamis_logic::{Model, Substitution, Term, Terms};
use tamis_solver::{Answer, Budget, Solver};
use tamis_system::{
    BranchId, Branching, Execution, Followed, Formula, GuardId, Guards, Invariants, Point, Step, StepId,
    System, Taken,
};

/// A transition system: registers, inputs, and what holds in each cycle.
pub struct Transition {
    pub registers: Vec<Register>,
    pub inputs: Vec<Term>,
    pub constraints: Vec<Term>,
    pub bad: Term,
    /// Conditions in the next values, where predicates may be looked for.
    pub branches: Vec<Term>,
}

pub struct Register {
    pub var: Term,
    pub init: Term,
    pub next: Term,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cycle {
    Reset,
    Next,
    Bad,
}

const CYCLES: [Cycle; 3] = [Cycle::Reset, Cycle::Next, Cycle::Bad];
const RUNNING: Point = Point(1);
const STEPS: [Step; 3] = [
    Step { from: Point::INITIAL, to: RUNNING },
    Step { from: RUNNING, to: RUNNING },
    Step { from: RUNNING, to: Point(2) },
];

/// What each input is in a cycle.
type Inputs = Vec<(Term, Term)>;

impl Transition {
    /// One cycle: its conditions, its inputs and the state after it.
    fn cycle(
        &self,
        terms: &mut Terms,
        cycle: Cycle,
        pre: &Substitution,
    ) -> (Vec<Term>, Inputs, Substitution) {
        let value = |terms: &mut Terms, t, values: &Substitution| terms.substitute(t, values);
        if cycle == Cycle::Reset {
            return (Vec::new(), Vec::new(), self.registers.iter().map(|r| (r.var, r.init)).collect());
        }
        let inputs: Inputs =
            self.inputs.iter().map(|&input| (input, terms.fresh("input", terms.sort(input)))).collect();
        let mut values = pre.clone();
        inputs.iter().for_each(|&(input, now)| values.insert(input, now));
        let bad = (cycle == Cycle::Bad).then_some(self.bad);
        let conditions = self.constraints.iter().copied().chain(bad);
        let conditions = conditions.map(|c| value(terms, c, &values)).collect();
        let post = match cycle {
            Cycle::Next => self.registers.iter().map(|r| (r.var, value(terms, r.next, &values))).collect(),
            _ => pre.clone(),
        };
        (conditions, inputs, post)
    }
}

impl System for Transition {
    type State = Substitution;
    type Decode = Inputs;
    type Edge = Cycle;

    fn points(&self) -> usize {
        3
    }

    fn steps(&self) -> &[Step] {
        &STEPS
    }

    fn state_variables(&self) -> Vec<Term> {
        self.registers.iter().map(|r| r.var).collect()
    }

    fn symbolic(&self) -> Substitution {
        self.registers.iter().map(|r| (r.var, r.var)).collect()
    }

    fn read(&self, terms: &mut Terms, state: &mut Substitution, t: Term) -> Term {
        terms.substitute(t, state)
    }

    fn encode(&self, terms: &mut Terms, step: StepId, pre: &Substitution) -> Formula<Substitution, Inputs> {
        let (constraints, decode, post) = self.cycle(terms, CYCLES[step.index()], pre);
        Formula { constraints, post, decode }
    }

    fn model_variables(&self, _: &Terms, formula: &Formula<Substitution, Inputs>) -> Vec<Term> {
        formula.decode.iter().map(|&(_, now)| now).collect()
    }

    fn execution(
        &self,
        terms: &Terms,
        step: StepId,
        formula: &Formula<Substitution, Inputs>,
        model: &Model,
    ) -> Option<Execution<Cycle>> {
        let chosen = formula.decode.iter().map(|&(input, now)| (input, terms.eval(now, model))).collect();
        Some(vec![Taken { edge: CYCLES[step.index()], chosen }])
    }

    fn only_path(&self, step: StepId) -> Option<Vec<Cycle>> {
        Some(vec![CYCLES[step.index()]])
    }

    fn follow(&self, terms: &mut Terms, path: &[Cycle], pre: &Substitution) -> Followed<Substitution> {
        let mut followed = Followed { condition: Guards::default(), post: pre.clone() };
        for (edge, &cycle) in path.iter().enumerate() {
            let (conditions, inputs, post) = self.cycle(terms, cycle, &followed.post);
            let numbered = conditions.into_iter().enumerate().filter(|&(_, c)| !terms.is_true(c));
            followed.condition.guards.extend(numbered.map(|(index, c)| (GuardId { edge, index }, c)));
            followed.condition.inputs.extend(inputs.into_iter().map(|(_, now)| now));
            followed.post = post;
        }
        followed
    }

    fn merge(
        &self,
        terms: &mut Terms,
        _: Point,
        states: &mut [(Term, Substitution)],
    ) -> (Substitution, Vec<Term>) {
        let mut merged = self.symbolic();
        for r in &self.registers {
            let mut values = states.iter().map(|(condition, s)| (*condition, s.get(r.var).unwrap_or(r.var)));
            let (_, mut choice) = values.next().expect("a state to merge");
            for (condition, value) in values {
                choice = terms.ite(condition, value, choice);
            }
            merged.insert(r.var, choice);
        }
        (merged, Vec::new())
    }

    fn branching(&self) -> Option<&dyn Branching<Edge = Cycle>> {
        if self.branches.is_empty() { None } else { Some(self) }
    }

    fn describe(&self, _: &Terms, cycle: Cycle) -> String {
        format!("{cycle:?}")
    }
}

impl Branching for Transition {
    type Edge = Cycle;

    fn branches(&self) -> usize {
        self.branches.len()
    }

    fn branches_of(&self, cycle: Cycle) -> Vec<BranchId> {
        let all = if cycle == Cycle::Next { self.branches.len() } else { 0 };
        (0..all as u32).map(BranchId).collect()
    }

    fn part_of(&self, _: BranchId) -> usize {
        0
    }

    fn pred_infer(&self, _: &mut Terms, branch: BranchId, _: usize) -> Vec<(Point, Term)> {
        vec![(RUNNING, self.branches[branch.index()])]
    }
}

impl Transition {
    /// Whether invariants are a proof: they hold after the reset, cycles keep them, and they exclude what is bad.
    pub fn is_proof(&self, terms: &mut Terms, invariants: &Invariants) -> bool {
        let safe = terms.is_false(invariants[self.error()]);
        safe && STEPS.iter().enumerate().all(|(i, step)| {
            let mut solver = Solver::new(&Budget::unlimited());
            let mut formula = self.encode(terms, StepId(i as u32), &self.symbolic());
            let after = self.read(terms, &mut formula.post, invariants[step.to]);
            let broken = terms.not(after);
            solver.assert(terms, invariants[step.from]);
            solver.assert(terms, broken);
            formula.constraints.iter().for_each(|&c| solver.assert(terms, c));
            solver.check(terms, &[]) == Ok(Answer::Unsat)
        })
    }

    /// Whether an execution is one, by evaluation: it starts with a reset and ends where something is bad.
    pub fn is_violation(&self, terms: &Terms, execution: &Execution<Cycle>) -> bool {
        let mut state = Model::new();
        for (i, Taken { edge, chosen }) in execution.iter().enumerate() {
            chosen.iter().for_each(|(input, value)| state.set(*input, value.clone()));
            let holds = |&c: &Term| terms.eval(c, &state).as_bool();
            let ok = match edge {
                Cycle::Reset => i == 0,
                Cycle::Next => i > 0 && self.constraints.iter().all(holds),
                Cycle::Bad => self.constraints.iter().chain([&self.bad]).all(holds),
            };
            if !ok {
                return false;
            }
            let next = |r: &Register| if *edge == Cycle::Reset { r.init } else { r.next };
            let values: Vec<_> = self.registers.iter().map(|r| terms.eval(next(r), &state)).collect();
            self.registers.iter().zip(values).for_each(|(r, value)| state.set(r.var, value));
        }
        execution.last().is_some_and(|last| last.edge == Cycle::Bad)
    }
}
