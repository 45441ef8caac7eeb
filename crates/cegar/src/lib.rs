//! The loop: counterexample-guided abstraction refinement.
//!
//! [`check`] explores an abstraction of a [`System`] by predicates, tests the abstract counterexample that it finds
//! against the system, and refines the predicates where the counterexample is spurious (\[SMC\] section 2.2, Fig. 1).
//! It serves whatever implements [`System`]: programs over their summaries, transition systems as well.
//!
//! How each step is done is a matter of the [`Strategy`]: plain data, of which the presets are the papers' own.
//!
//! | part | module | choices |
//! | --- | --- | --- |
//! | exploration | `explore` | `Explicit` (valuations one by one), `BooleanProgram` (a relation for each step), `Tree` (lazy, with covering and a pivot), `Rings` (lazy, all that waits at a point goes on together), `Ic3` (clauses over predicates, no images) |
//! | trace check | `trace_check` | `WeakestPrecondition`, `Simulation`, `Blocks` |
//! | where predicates come from | `refine` | branches, the failing guard, unsat cores by weakest preconditions or strongest postconditions, candidate branch conditions |
//! | what is kept | `refine` | everything; greedily; a minimum |
//!
//! [`Abstraction`] answers queries about a step: its image of a region and its relation, over the predicates that the step
//! is about, and an execution from one abstract state to another. Answers are kept, bounded in number, and hold as long as
//! the predicates at the step's ends do. Predicates can be taken out of use; regions that were computed with them keep
//! their meaning, since a predicate's BDD variable is its own for good.
//!
//! Beside the loop other searches may work on the same steps (`portfolio`), each on a thread of its own, in turns (`turns`): a bounded search for
//! executions, which may take many rounds of loops at once (`bounded`), unwinding in the order of the program (`unwind`), k-induction (`k_induction`), IC3 over bits (`ic3`), random walks over single states (`walks`), the loop once more with IC3 over predicates
//! (`explore::ic3`), and invariants that are guessed and checked (`facts`), which the loop and k-induction may use. Whoever knows the
//! answer first cancels the
//! others through their budget; who gives up lets the others go on. Where the bounded search finds that no execution goes on, all
//! have been seen: that is a proof too ([`Outcome::Exhausted`]).
//!
//! \[SMC\]: *Grand Challenge: Model Check Software*; \[SUM\]: *Efficient Predicate Abstraction of Program Summaries*;
//! \[MIN\]: *Predicate Abstraction with Minimum Predicates*; \[CTL\]: *High Level Verification of Control Intensive Systems
//! Using Predicate Abstraction*.

mod abstraction;
mod bounded;
mod cegar;
mod explore;
mod facts;
mod hybrid;
mod ic3;
mod k_induction;
mod portfolio;
mod presets;
mod progress;
mod refine;
mod strategy;
mod trace_check;
mod turns;
mod unwind;
mod walks;

pub use abstraction::{Abstraction, Partition};
pub use bounded::{BoundedSearch, Deeper};
pub use hybrid::{ControlReport, CorrelationKind, Fate};
pub use ic3::Ic3Counts;
pub use k_induction::KInduction;
pub use presets::{preset, preset_names};
pub use progress::{Iteration, Observer, Silent, SpuriousTrace, Statistics, TraceStep};
pub use refine::CombinationCounts;
pub use strategy::{
    EngineKind, ExplorationKind, FactSource, HybridStrategy, Interpolation, Keep, Literals, PresetError,
    RefinementStrategy, Search, Source, Strategy, TraceCheckKind,
};

use cegar::Run;
use facts::Board;
use tamis_logic::Terms;
use tamis_paq::Interrupted;
use tamis_solver::Budget;
use tamis_system::{ConcreteTrace, Invariants, System};

/// What the loop found out.
#[derive(Clone, Debug)]
pub enum Outcome<E> {
    /// The error point cannot be reached: inductive invariants.
    Safe(Invariants),
    /// The error point cannot be reached: every execution ends within so many steps, and none there.
    Exhausted(usize),
    /// The error point cannot be reached: every execution was followed in the order of the program, and ends.
    Unwound(Returns),
    /// No execution that passes loops so often each time that it comes to them reaches the error point. There are others.
    Bounded(usize),
    /// The error point cannot be reached: a proof by induction over so many steps, for formalisms that can check it.
    KInductive(KInduction),
    /// An execution that reaches the error point.
    Unsafe(ConcreteTrace<E>),
    /// The search was stopped, by a limit or since it needs more than it may have. Nothing else stops it: every spurious
    /// counterexample is eliminated.
    Unknown(Interrupted),
}

impl<E> Outcome<E> {
    /// Whether it says if the error point can be reached.
    pub(crate) fn is_answer(&self) -> bool {
        !matches!(self, Outcome::Unknown(_) | Outcome::Bounded(_))
    }
}

/// Where executions that are followed in the order of the program leave loops. Each time that paths have come back to where a loop
/// starts, and none is left elsewhere in it, that is a return; they are counted from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Returns {
    /// The returns with which no execution comes back, in order.
    pub last: Vec<usize>,
    /// How many returns there are.
    pub count: usize,
}

/// Checks whether the error point of `system` can be reached.
///
/// ```
/// use tamis_cegar::{Outcome, Silent, Strategy, check};
/// use tamis_logic::Terms;
/// use tamis_program::{Builder, Command, Event, IntType, ProgramSystem, Source};
/// use tamis_solver::Budget;
/// // x = 1; if (x != 1) error
/// let (mut terms, mut b) = (Terms::new(), Builder::new());
/// let (file, main) = (b.file("f.c"), b.frame("main", None));
/// let at = Source { file, line: 1, column: 1 };
/// let x = b.variable(&mut terms, "x", IntType { bits: 32, signed: true }, None);
/// let [start, test, error] = std::array::from_fn(|_| b.location(main));
/// let one = terms.bits(32, 1);
/// let differs = terms.ne(b.term(x), one);
/// b.edge(start, test, Command::Assign(x, one), at, Event::Step);
/// b.edge(test, error, Command::Assume(differs), at, Event::Branch(true));
/// let program = b.finish(start, error);
/// let system = ProgramSystem::new(&terms, &program);
/// let budget = Budget::unlimited();
/// let (outcome, _) = check(&mut terms, &system, &Strategy::default(), &budget, &mut Silent);
/// assert!(matches!(outcome, Outcome::Safe(_)));
/// ```
pub fn check<S: System + Sync>(
    terms: &mut Terms,
    system: &S,
    strategy: &Strategy,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome<S::Edge>, Statistics)
where
    S::Edge: Send,
{
    portfolio::race(terms, system, strategy, budget, observer)
}

fn refine_until_decided<S: System>(
    terms: &mut Terms,
    system: &S,
    strategy: &Strategy,
    budget: &Budget,
    (observer, board): (&mut dyn Observer, &Board),
) -> (Outcome<S::Edge>, Statistics) {
    let mut run = Run::new(terms, system, strategy, budget, observer);
    run.board = Some(board);
    let outcome = run.cegar(strategy).unwrap_or_else(Outcome::Unknown);
    (outcome, run.statistics())
}
