//! State variables one by one, for abstractions that keep some of them as they are.

use crate::point::{Point, StepId};
use tamis_logic::Term;

/// What a step does to one state variable: `R_v` of \[CTL\] section 2.3, as a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Update {
    /// The variable `v`.
    pub variable: Term,
    /// Its value after the step, over the state variables before it and inputs; any if there is none.
    pub value: Option<Term>,
}

/// A system that runs at one point and whose steps give every state variable a value of its own: the transition systems
/// of \[CTL\] section 2.3. Variables in the terms that are no state variables are inputs, which are chosen anew in each step.
pub trait Registers {
    /// The point between the steps.
    fn running(&self) -> Point;

    /// What a step does to each state variable; nothing of interest for a step to the error.
    fn updates(&self, step: StepId) -> Vec<Update>;

    /// What a step requires of the state before it and of the inputs.
    fn conditions(&self, step: StepId) -> Vec<Term>;

    /// What the property is about: the first predicates (\[CTL\] section 2.2).
    fn property(&self) -> Term;
}
