//! Predicate abstraction queries.
//!
//! Given predicates `P` and a formula `φ`, a query asks for `G_P(φ)`: the strongest Boolean combination of `P` that
//! `φ` implies, as a BDD with one variable a predicate. The formula is what a [`Solver`] holds, under assumptions, so
//! one solver serves many queries and keeps what it has learned.
//!
//! The same call abstracts an edge of a summary (predicates before and after it, [SUM] section 4.2) or the image of a
//! region (the region assumed, predicates after it).
//!
//! [SUM]: *Efficient Predicate Abstraction of Program Summaries*; [SMT]: *SMT Techniques for Fast Predicate
//! Abstraction*; [SMC]: *Grand Challenge: Model Check Software*.

mod all_sat;
mod cartesian;
mod linear;

pub use all_sat::AllSat;
pub use cartesian::Cartesian;
pub use linear::{LinearReading, TwoVariables};

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
    /// Holds the formula.
    pub solver: &'a mut Solver,
}

/// A way to solve predicate abstraction queries.
pub trait Engine {
    /// A Boolean combination of `predicates` that is implied by what the solver holds together with `assumptions`:
    /// the strongest one if the engine [is exact](Engine::is_exact).
    fn abstraction(
        &self,
        context: &mut Context<'_>,
        assumptions: &[Term],
        predicates: &[Predicate],
    ) -> Result<Bdd, Interrupted>;

    /// Whether the answer is `G_P(φ)` itself and not only implied by it.
    fn is_exact(&self) -> bool;
}
