//! A design as a [`System`]: before the reset, running, bad.
//!
//! Three steps: the reset gives every register its first value, a cycle the next ones, and a bad cycle violates the
//! property. The conditions of a cycle are its constraints, each with an identity of its own.

use crate::design::{Condition, Design};
use crate::run::Stimulus;
use tamis_logic::{Model, Substitution, Term, Terms};
use tamis_system::{
    BranchId, Branching, ConcreteTrace, Execution, Followed, Formula, GuardId, Guards, Point, Registers,
    Step, StepId, System, Taken,
};

/// A design with one of its properties.
pub struct DesignSystem<'a> {
    design: &'a Design,
    property: &'a Condition,
    /// The registers' first values in terms of registers without one.
    first: Vec<Option<Term>>,
}

/// What happens in a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cycle {
    /// Registers take their first values.
    Reset,
    /// Registers take their next values.
    Next,
    /// The property is violated.
    Bad,
}

const CYCLES: [Cycle; 3] = [Cycle::Reset, Cycle::Next, Cycle::Bad];
const BAD: Point = Point(2);
const STEPS: [Step; 3] = [
    Step { from: Point::INITIAL, to: DesignSystem::RUNNING },
    Step { from: DesignSystem::RUNNING, to: DesignSystem::RUNNING },
    Step { from: DesignSystem::RUNNING, to: BAD },
];

/// What is chosen in a step: for each input or register, the variable that stands for its value.
type Choices = Vec<(Term, Term)>;

impl<'a> DesignSystem<'a> {
    /// The point at which a cycle starts.
    pub const RUNNING: Point = Point(1);

    /// The system of a design and one of its properties.
    pub fn new(terms: &mut Terms, design: &'a Design, property: usize) -> DesignSystem<'a> {
        let mut known = Substitution::new();
        let mut first = Vec::with_capacity(design.registers.len());
        for register in &design.registers {
            let value = register.init.map(|init| terms.substitute(init, &known));
            if let Some(value) = value {
                known.insert(register.signal.term, value);
            }
            first.push(value);
        }
        DesignSystem { design, property: &design.properties[property], first }
    }

    /// The design.
    pub fn design(&self) -> &'a Design {
        self.design
    }

    /// What happens in a step.
    pub(crate) fn cycle(step: StepId) -> Cycle {
        CYCLES[step.index()]
    }

    /// The registers' first values in terms of registers without one.
    pub(crate) fn first(&self) -> &[Option<Term>] {
        &self.first
    }

    /// What violates the property.
    pub(crate) fn bad(&self) -> Term {
        self.property.term
    }

    /// The conditions of a cycle.
    pub(crate) fn conditions(&self, cycle: Cycle) -> impl Iterator<Item = &'a Condition> + use<'a> {
        let constraints: &[Condition] = if cycle == Cycle::Reset { &[] } else { &self.design.constraints };
        constraints.iter().chain((cycle == Cycle::Bad).then_some(self.property))
    }

    /// One step: its conditions, its choices and the state after it.
    fn step(
        &self,
        terms: &mut Terms,
        cycle: Cycle,
        pre: &Substitution,
    ) -> (Vec<Term>, Choices, Substitution) {
        let mut choices = Choices::new();
        let mut choose = |terms: &mut Terms, what: Term, name: &str| {
            let any = terms.fresh(name, terms.sort(what));
            choices.push((what, any));
            any
        };
        let mut values = pre.clone();
        let mut post = Substitution::new();
        if cycle == Cycle::Reset {
            for (register, first) in self.design.registers.iter().zip(&self.first) {
                if first.is_none() {
                    let any = choose(terms, register.signal.term, &register.signal.name);
                    post.insert(register.signal.term, any);
                }
            }
            let unset = post.clone();
            for (register, &first) in self.design.registers.iter().zip(&self.first) {
                if let Some(first) = first {
                    let value = terms.substitute(first, &unset);
                    post.insert(register.signal.term, value);
                }
            }
            return (Vec::new(), choices, post);
        }
        for input in &self.design.inputs {
            let any = choose(terms, input.term, &input.name);
            values.insert(input.term, any);
        }
        let mut read: Vec<Term> = self.conditions(cycle).map(|c| c.term).collect();
        let count = read.len();
        if cycle == Cycle::Next {
            read.extend(self.design.registers.iter().filter_map(|r| r.next));
        }
        let mut conditions = terms.substitute_all(&read, &values);
        let mut nexts = conditions.split_off(count).into_iter();
        if cycle == Cycle::Bad {
            return (conditions, choices, pre.clone());
        }
        for register in &self.design.registers {
            let value = match register.next.and_then(|_| nexts.next()) {
                Some(value) => value,
                None => choose(terms, register.signal.term, &register.signal.name),
            };
            post.insert(register.signal.term, value);
        }
        (conditions, choices, post)
    }

    /// A counterexample as what the environment chooses in it.
    pub fn stimulus(trace: &ConcreteTrace<Cycle>) -> Stimulus {
        let mut stimulus = Stimulus::default();
        for taken in &trace.execution {
            let chosen: Model = taken.chosen.iter().cloned().collect();
            match taken.edge {
                Cycle::Reset => stimulus.initial = chosen,
                Cycle::Next | Cycle::Bad => stimulus.cycles.push(chosen),
            }
        }
        stimulus
    }
}

impl System for DesignSystem<'_> {
    type State = Substitution;
    type Decode = Choices;
    type Edge = Cycle;

    fn points(&self) -> usize {
        BAD.index() + 1
    }

    fn steps(&self) -> &[Step] {
        &STEPS
    }

    fn state_variables(&self) -> Vec<Term> {
        self.design.state().collect()
    }

    fn symbolic(&self) -> Substitution {
        self.design.state().map(|v| (v, v)).collect()
    }

    fn read(&self, terms: &mut Terms, state: &mut Substitution, t: Term) -> Term {
        terms.substitute(t, state)
    }

    fn encode(&self, terms: &mut Terms, step: StepId, pre: &Substitution) -> Formula<Substitution, Choices> {
        let (constraints, decode, post) = self.step(terms, CYCLES[step.index()], pre);
        Formula { constraints, post, decode }
    }

    fn model_variables(&self, _: &Terms, formula: &Formula<Substitution, Choices>) -> Vec<Term> {
        formula.decode.iter().map(|&(_, now)| now).collect()
    }

    fn execution(
        &self,
        terms: &Terms,
        step: StepId,
        formula: &Formula<Substitution, Choices>,
        model: &Model,
    ) -> Option<Execution<Cycle>> {
        let chosen = formula.decode.iter().map(|&(what, now)| (what, terms.eval(now, model))).collect();
        Some(vec![Taken { edge: CYCLES[step.index()], chosen }])
    }

    fn only_path(&self, step: StepId) -> Option<Vec<Cycle>> {
        Some(vec![CYCLES[step.index()]])
    }

    fn follow(&self, terms: &mut Terms, path: &[Cycle], pre: &Substitution) -> Followed<Substitution> {
        let mut followed = Followed { condition: Guards::default(), post: pre.clone() };
        for (edge, &cycle) in path.iter().enumerate() {
            let (conditions, choices, post) = self.step(terms, cycle, &followed.post);
            let numbered = conditions.into_iter().enumerate().filter(|&(_, c)| !terms.is_true(c));
            followed.condition.guards.extend(numbered.map(|(index, c)| (GuardId { edge, index }, c)));
            followed.condition.inputs.extend(choices.into_iter().map(|(_, now)| now));
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
        for v in self.design.state() {
            let mut values = states.iter().map(|(condition, s)| (*condition, s.get(v).unwrap_or(v)));
            let Some((_, mut choice)) = values.next() else { continue };
            for (condition, value) in values {
                choice = terms.ite(condition, value, choice);
            }
            merged.insert(v, choice);
        }
        (merged, Vec::new())
    }

    fn also_fails(
        &self,
        terms: &mut Terms,
        step: StepId,
        pre: &Substitution,
        formula: &Formula<Substitution, Choices>,
    ) -> Option<Term> {
        if CYCLES[step.index()] != Cycle::Next {
            return None;
        }
        // A register that takes any next value is among the choices too, but what it is now comes from the state.
        let mut values = pre.clone();
        let is_input = |what: Term| self.design.inputs.iter().any(|i| i.term == what);
        formula
            .decode
            .iter()
            .filter(|&&(what, _)| is_input(what))
            .for_each(|&(what, now)| values.insert(what, now));
        Some(terms.substitute(self.property.term, &values))
    }

    fn certifies_k_induction(&self) -> bool {
        true
    }

    fn branching(&self) -> Option<&dyn Branching<Edge = Cycle>> {
        if self.design.branches.is_empty() { None } else { Some(self) }
    }

    fn registers(&self) -> Option<&dyn Registers> {
        Some(self)
    }

    fn describe(&self, _: &Terms, cycle: Cycle) -> String {
        match cycle {
            Cycle::Reset => "reset".to_owned(),
            Cycle::Next => "a cycle".to_owned(),
            Cycle::Bad => format!("a cycle that violates {}", self.property.name),
        }
    }

    fn describe_guard(&self, terms: &Terms, cycle: Cycle, index: usize) -> String {
        match self.conditions(cycle).nth(index) {
            Some(Condition { name, place: Some(place), .. }) => format!("{place}: {name}"),
            Some(Condition { name, place: None, .. }) => name.clone(),
            None => self.describe(terms, cycle),
        }
    }
}

/// The branches are the source's: each cycle decides all of them.
impl Branching for DesignSystem<'_> {
    type Edge = Cycle;

    fn branches(&self) -> usize {
        self.design.branches.len()
    }

    fn branches_of(&self, cycle: Cycle) -> Vec<BranchId> {
        let all = if cycle == Cycle::Next { self.design.branches.len() } else { 0 };
        (0..all as u32).map(BranchId).collect()
    }

    fn part_of(&self, _: BranchId) -> usize {
        0
    }

    /// A condition over the registers is a predicate. Of one that reads inputs, the atoms over registers alone are: inputs
    /// are chosen anew in each cycle, so that no cycle before determines the value of a condition that depends on them,
    /// and the candidates of \[CTL\] Fig. 3 and 4 are those whose values are determined. Where predicates over inputs are
    /// wanted nevertheless, [`Design::with_inputs_as_registers`] makes them part of the state.
    fn pred_infer(&self, terms: &mut Terms, branch: BranchId, limit: usize) -> Vec<(Point, Term)> {
        let condition = self.design.branches[branch.index()].term;
        let over_registers = |t: Term| {
            let variables = terms.free_vars(t);
            !variables.is_empty()
                && variables.iter().all(|v| !self.design.inputs.iter().any(|i| i.term == *v))
        };
        let mut found = if over_registers(condition) { vec![condition] } else { terms.atoms(condition) };
        found.retain(|&atom| over_registers(atom));
        found.truncate(limit);
        found.into_iter().map(|atom| (DesignSystem::RUNNING, atom)).collect()
    }
}
