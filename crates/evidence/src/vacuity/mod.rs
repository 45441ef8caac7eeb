//! Proofs that say less than they seem to: nothing can be violated, an assumption excludes every execution that could, or
//! a loop before the check never ends.
//!
//! Such a proof is right, and yet most likely not what was meant. What is told here has been shown: by the control flow alone,
//! or by a solver from the proof's invariants. What cannot be shown within the budget is not told.

mod assumptions;
mod endless;
mod passage;

use crate::certify::connected;
use crate::place::Place;
use std::fmt;
use tamis_logic::{Term, Terms};
use tamis_program::{Command, EdgeId, Location, Program, Simplified};
use tamis_solver::{Budget, Stop};

/// A way in which a proof is vacuous.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Vacuity {
    /// Control flow leads from the start to no violation: there is no check, or only such that translation has found true.
    NoViolation,
    /// No execution passes the assumption. Every way to a violation passes such assumptions, or there is none at all.
    Assumption(Place),
    /// No execution leaves the loop, so none ends and none comes to a check after it.
    Endless(Place),
}

impl fmt::Display for Vacuity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Vacuity::NoViolation => {
                write!(f, "main comes to no check of the property, or only to checks that hold trivially")
            }
            Vacuity::Assumption(at) => {
                write!(f, "no execution passes the assumption at {at}: what comes after it is not checked")
            }
            Vacuity::Endless(at) => {
                write!(
                    f,
                    "no execution leaves the loop at {at}: main never returns, and what comes after is not checked"
                )
            }
        }
    }
}

/// In which ways a proof is vacuous.
///
/// The invariants are of the simplified program, and [certified](crate::certify()); a proof by other means has none.
///
/// ```
/// use tamis_evidence::{Vacuity, vacuity};
/// use tamis_front_c::{Options, translate_source};
/// use tamis_logic::Terms;
/// use tamis_program::simplify;
/// use tamis_solver::Budget;
/// let text = "extern void reach_error(void); extern void __VERIFIER_assume(int); extern int __VERIFIER_nondet_int(void);
///     int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
///         __VERIFIER_assume(x > y && y > x);
///         if (x == 7) reach_error(); return 0; }";
/// let mut terms = Terms::new();
/// let program = translate_source("none.i", text, &Options::default(), &mut terms)?;
/// let simplified = simplify(&program, &mut terms);
/// let found = vacuity(&mut terms, &program, &simplified, &[], &Budget::unlimited());
/// assert!(found.iter().any(|v| matches!(v, Vacuity::Assumption(place) if place.line == 3)));
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn vacuity(
    terms: &mut Terms,
    original: &Program,
    simplified: &Simplified,
    invariants: &[(Location, Term)],
    budget: &Budget,
) -> Vec<Vacuity> {
    let blocked = |e: EdgeId| matches!(original.edge(e).command, Command::Assume(g) if terms.is_false(g));
    let reached = reached(original, &blocked);
    if !reached[original.error().index()] {
        let mut found = vec![Vacuity::NoViolation];
        found.extend(assumptions::never_true(terms, original).into_iter().map(Vacuity::Assumption));
        found.extend(endless::without_end(original, &reached, &blocked).map(Vacuity::Endless));
        return found;
    }
    let stopped = |_: Stop| Vec::new();
    let simplified_away = !self::reached(&simplified.program, &|_| false)[simplified.program.error().index()];
    let assumptions = if simplified_away {
        assumptions::propagated(terms, original)
    } else {
        assumptions::contradictory(terms, original, simplified, invariants, budget).unwrap_or_else(stopped)
    };
    let mut found: Vec<Vacuity> = assumptions.into_iter().map(Vacuity::Assumption).collect();
    let endless = endless::never_left(terms, original, budget).unwrap_or_else(stopped);
    found.extend(endless.into_iter().map(Vacuity::Endless));
    found
}

/// The locations that control flow leads to from the entry, over edges that are not `removed`.
fn reached(program: &Program, removed: &dyn Fn(EdgeId) -> bool) -> Vec<bool> {
    let next = |l: Location| -> Vec<Location> {
        program.outgoing(l).iter().filter(|&&e| !removed(e)).map(|&e| program.edge(e).to).collect()
    };
    connected(program, program.entry(), &next)
}
