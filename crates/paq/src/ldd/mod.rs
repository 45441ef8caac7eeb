//! Exact abstraction by linear decision diagrams: \[SUM\] section 4.3.
//!
//! The query `∃V, B. φ ∧ ⋀ (b_p ⇔ p)` is solved by quantifier elimination: what is left is a BDD over the `b_p`. The
//! cost follows the size of diagrams, not the number of minterms. The paper eliminates the control variables early,
//! in topological order, and the numeric ones at the end. Here all variables are eliminated as early as possible:
//!
//! 1. Terms come first, since they share what diagrams multiply: variables that an equation defines are replaced (`define`), and,
//!    where that helps, control variables by the conditions under which their locations are reached and φ-variables by
//!    if-then-else over them, from the end of the fragment to its start (`gate`).
//! 2. Machine integers are read as integers in their range, wrap-around as cases (`paq::linear`).
//! 3. Each conjunct and each predicate becomes a diagram (`build`); atoms with an if-then-else are split as weakest
//!    preconditions are.
//! 4. Numbers are eliminated from those diagrams, the cheapest first, each with a budget of steps that grows from round
//!    to round (`schedule`): one by Fourier–Motzkin elimination on the diagram (`diagram::linear`, `eliminate`), or all of a
//!    connected group by a walk along the paths that the theory allows (`project`). The first makes new atoms and forgets one variable
//!    after the other; the second makes none and decides integers exactly. Which is better depends on the query. Both
//!    prune by the simplex method of `theories`. An elimination that is not exact over the integers is put off as long as
//!    the other may still succeed, and what is approximated in the end is said in the answer.
//!
//! How the ways to a location become a value is done in several forms (`gate::Joining`), since each is sometimes large
//! where the others are small (`attempt`). Two take turns that grow: the ways stay as they are, one diagram for each location, and
//! control variables are eliminated from diagrams, as the paper does; or they become values first. Where neither comes
//! to an exact answer, the values are made with the conditions of the ways themselves.
//!
//! A predicate and the same predicate after the edge are neighbours in the order of the answer's diagram
//! (`paq::order`): apart, each pair that stays equal would double it.

mod answer;
mod attempt;
mod bounds;
mod build;
mod engine;
mod gate;
mod schedule;

pub use engine::Ldd;
pub use gate::Joining;

use crate::Predicate;
use crate::limits;
use std::fmt;
use tamis_diagram::linear;
use tamis_diagram::{Bdd, Diagrams, OutOfNodes};
use tamis_logic::{Term, Terms};
use tamis_solver::{Budget, Stop};

/// The order of labels in the diagrams (\[SUM\] section 5, LDD and LDD2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Improved when diagrams grow.
    #[default]
    Dynamic,
    /// That of first appearance in the query.
    Static,
}

/// How to solve a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The order of labels.
    pub order: Order,
    /// How many nodes of linear decision diagrams there may be; each takes about 40 bytes.
    pub max_nodes: usize,
    /// How what joins at a location becomes a value; several are tried if it is not said.
    pub joining: Option<Joining>,
}

impl Default for Options {
    fn default() -> Options {
        Options { order: Order::Dynamic, max_nodes: 1 << 23, joining: None }
    }
}

/// A query: `G_P(⋀ formula ∧ ⋀ assumptions)`.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Conjuncts of the formula.
    pub formula: &'a [Term],
    /// More conjuncts.
    pub assumptions: &'a [Term],
    /// The predicates, which may be any formulas.
    pub predicates: &'a [Predicate],
}

/// The answer to a query.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Implied by the formula.
    pub result: Bdd,
    /// Whether it is the strongest such combination of predicates.
    pub exact: bool,
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// This term has no reading in linear arithmetic.
    NotLinear(Term),
    /// The diagrams outgrew their limit.
    OutOfNodes,
    /// A limit of the run.
    Stopped(Stop),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NotLinear(_) => f.write_str("not a formula of linear arithmetic"),
            Failure::OutOfNodes => linear::Failure::OutOfNodes.fmt(f),
            Failure::Stopped(stop) => stop.fmt(f),
        }
    }
}

impl std::error::Error for Failure {}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Stopped(stop)
    }
}

impl From<OutOfNodes> for Failure {
    fn from(_: OutOfNodes) -> Failure {
        Failure::OutOfNodes
    }
}

impl From<linear::Failure> for Failure {
    fn from(failure: linear::Failure) -> Failure {
        match failure {
            linear::Failure::OutOfNodes => Failure::OutOfNodes,
            linear::Failure::Interrupted => Failure::Stopped(Stop::Cancelled),
        }
    }
}

/// Solves a query over Booleans, integers and reals, or over machine integers, which are read as integers.
///
/// ```
/// use tamis_diagram::Diagrams;
/// use tamis_logic::{Sort, Terms};
/// use tamis_paq::{Predicate, ldd};
/// use tamis_solver::Budget;
/// // P = {x < 3, x = 5}, φ = x > 3: the strongest combination is ¬(x < 3).
/// let (mut terms, mut diagrams) = (Terms::new(), Diagrams::new(1 << 16));
/// let x = terms.var("x", Sort::Int);
/// let (three, five) = (terms.int(3), terms.int(5));
/// let (below, equal, above) = (terms.lt(x, three), terms.eq(x, five), terms.lt(three, x));
/// let p = [below, equal].map(|formula| Predicate { formula, var: diagrams.new_var().unwrap() });
/// let query = ldd::Query { formula: &[above], assumptions: &[], predicates: &p };
/// let options = ldd::Options::default();
/// let answer = ldd::solve(&mut terms, &query, &mut diagrams, &options, &Budget::unlimited()).unwrap();
/// assert!(answer.exact);
/// assert_eq!(answer.result, diagrams.literal(p[0].var, false));
/// ```
pub fn solve(
    terms: &mut Terms,
    query: &Query<'_>,
    diagrams: &mut Diagrams,
    options: &Options,
    budget: &Budget,
) -> Result<Answer, Failure> {
    std::thread::scope(|scope| {
        let run = || attempt::solve(terms, query, diagrams, options, budget);
        match std::thread::Builder::new().stack_size(limits::ENGINE_STACK).spawn_scoped(scope, run) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => Err(Failure::Stopped(Stop::Memory)),
        }
    })
}
