//! Concrete executions.

use tamis_logic::{Model, Term, Value};

/// An edge of an execution.
#[derive(Clone, PartialEq, Debug)]
pub struct Taken<E> {
    /// The edge.
    pub edge: E,
    /// What was chosen there: the term of each variable or input, and its value. A clock cycle chooses all inputs.
    pub chosen: Vec<(Term, Value)>,
}

/// An execution of a step or of several.
pub type Execution<E> = Vec<Taken<E>>;

/// A concrete counterexample.
#[derive(Clone, Debug)]
pub struct ConcreteTrace<E> {
    /// The values of the state variables at the start.
    pub initial: Model,
    /// The execution from there to the error.
    pub execution: Execution<E>,
}
