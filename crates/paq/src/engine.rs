//! What an engine is given and what it gives.

use crate::Implications;
use tamis_diagram::{Bdd, BddVar, Diagrams, OutOfNodes};
use tamis_logic::{Term, Terms};
use tamis_solver::{Solver, Stop};

/// A predicate of a query: the formula, and the BDD variable that stands for it in the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// The formula.
    pub formula: Term,
    /// Its variable.
    pub var: BddVar,
}

/// Why a query was not answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interrupted {
    /// A limit of the run.
    Stopped(Stop),
    /// The diagrams outgrew their limit.
    OutOfNodes,
    /// The engine does not take such a query: the term to blame, and why.
    Unsuitable(Term, &'static str),
}

impl From<Stop> for Interrupted {
    fn from(stop: Stop) -> Interrupted {
        Interrupted::Stopped(stop)
    }
}

impl From<OutOfNodes> for Interrupted {
    fn from(_: OutOfNodes) -> Interrupted {
        Interrupted::OutOfNodes
    }
}

/// What an engine works on.
pub struct Context<'a> {
    /// The store of the terms below.
    pub terms: &'a mut Terms,
    /// Where the answer is built.
    pub diagrams: &'a mut Diagrams,
    /// Holds the formula, under the query's assumptions.
    pub solver: &'a mut Solver,
    /// The conjuncts of the formula: all that the solver holds and that the query's assumptions stand for. For engines
    /// that work on the formula itself.
    pub formula: &'a [Term],
}

/// The answer to a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Abstraction {
    /// A Boolean combination of the predicates that the formula implies.
    pub function: Bdd,
    /// Whether it is the strongest one.
    pub exact: bool,
    /// The engine that found it.
    pub engine: &'static str,
}

/// A way to solve predicate abstraction queries.
pub trait Engine: Send + Sync {
    /// What the engine is called.
    fn name(&self) -> &'static str;

    /// A Boolean combination of `predicates` that is implied by what the solver holds together with `assumptions`,
    /// which is the formula of the context: the strongest one if the engine [is exact](Engine::is_exact).
    fn abstraction(
        &self,
        context: &mut Context<'_>,
        assumptions: &[Term],
        predicates: &[Predicate],
    ) -> Result<Abstraction, Interrupted>;

    /// Whether every answer is `G_P(φ)` itself and not only implied by it.
    fn is_exact(&self) -> bool;

    /// The limits within which the engine looks for the relation of a step, if it is one that distinguishes predicates
    /// before the step from those after it.
    fn implications(&self) -> Option<Implications> {
        None
    }
}
