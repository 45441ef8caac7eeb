//! Executions on given values, cycle by cycle: what a counterexample is held against.
//!
//! Terms are evaluated, nothing is solved. Values that are not given are 0.

use crate::design::Design;
use std::fmt;
use tamis_logic::{Model, Term, Terms, Value};

/// What the environment chooses for a run.
#[derive(Clone, Debug, Default)]
pub struct Stimulus {
    /// The first values of registers that have none of their own.
    pub initial: Model,
    /// In each cycle the inputs, and the values that registers without a next value have after it. The last cycle is
    /// the one in which a property is violated.
    pub cycles: Vec<Model>,
}

/// A run of a design: the values of all inputs and registers in each cycle.
#[derive(Clone, Debug)]
pub struct Run {
    /// The cycles' values, from the first.
    pub cycles: Vec<Model>,
}

/// Why a run is none of the design.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotAnExecution {
    /// The cycle, from 0.
    pub cycle: usize,
    /// The constraint that does not hold in it, by its place in the design.
    pub constraint: usize,
}

impl fmt::Display for NotAnExecution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "constraint {} does not hold in cycle {}", self.constraint, self.cycle)
    }
}

impl Run {
    /// Executes a design.
    ///
    /// # Errors
    /// Where a constraint does not hold.
    pub fn new(terms: &Terms, design: &Design, stimulus: &Stimulus) -> Result<Run, NotAnExecution> {
        let given = |model: &Model, t: Term| match model.get(t) {
            Some(value) => value.clone(),
            None => terms.default_value(terms.sort(t)),
        };
        let mut state = Model::new();
        for register in &design.registers {
            let value = match register.init {
                Some(init) => terms.eval(init, &state),
                None => given(&stimulus.initial, register.signal.term),
            };
            state.set(register.signal.term, value);
        }
        let constraints: Vec<Term> = design.constraints.iter().map(|c| c.term).collect();
        let nexts: Vec<Term> = design.registers.iter().filter_map(|r| r.next).collect();
        let mut cycles: Vec<Model> = Vec::with_capacity(stimulus.cycles.len());
        for (cycle, chosen) in stimulus.cycles.iter().enumerate() {
            let mut now = state;
            design.inputs.iter().for_each(|i| now.set(i.term, given(chosen, i.term)));
            let holds = terms.eval_all(&constraints, &now);
            if let Some(constraint) = holds.iter().position(|value| !value.as_bool()) {
                return Err(NotAnExecution { cycle, constraint });
            }
            state = Model::new();
            let mut values = terms.eval_all(&nexts, &now).into_iter();
            for register in &design.registers {
                let value = match register.next {
                    Some(_) => values.next(),
                    None => None,
                };
                let term = register.signal.term;
                state.set(term, value.unwrap_or_else(|| given(chosen, term)));
            }
            cycles.push(now);
        }
        Ok(Run { cycles })
    }

    /// The value of a term in a cycle.
    pub fn value(&self, terms: &Terms, cycle: usize, term: Term) -> Value {
        terms.eval(term, &self.cycles[cycle])
    }

    /// Whether the last cycle violates a property.
    pub fn violates(&self, terms: &Terms, design: &Design, property: usize) -> bool {
        let bad = design.properties[property].term;
        self.cycles.last().is_some_and(|last| terms.eval(bad, last).as_bool())
    }
}
