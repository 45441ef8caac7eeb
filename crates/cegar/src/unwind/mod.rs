//! Unwinding: all executions are followed together, edge by edge, in the order of the program.
//!
//! Where paths part, each goes on with its condition; where they meet, the conditions are joined, and values become choices
//! among those that the paths bring ([`Path::join`]). A loop is followed round by round until no execution is left in it, and
//! only then what comes after it, so that at a place there is one state, as far as the places before it have been left for
//! good. This is how CBMC goes through a program (E. Clarke, D. Kroening, F. Lerda, *A Tool for Checking ANSI-C Programs*,
//! TACAS 2004), without its bound: what constants decide is decided at once, elements of arrays included ([`Environment`]),
//! and where a loop may have been left, the solver is asked whether executions are still in it; so it is before a function is
//! entered once more that is active already, since recursion is expanded far deeper than most executions go. Often an execution
//! that is known from an earlier question is there, and need only be followed.
//!
//! A loop that need not end is given up after some rounds, and the rounds grow from one [phase](Rounds) to the next. If none
//! is given up, all executions have ended: the proof says at which returns to a loop there were none left, and is checked by
//! following executions once more (`evidence::exhaust`).

mod unwinder;

pub(crate) use unwinder::Rounds;

use crate::Outcome;
use tamis_logic::Terms;
use tamis_paq::Interrupted;
use tamis_solver::{Budget, Stop};
use tamis_system::System;
use unwinder::{Unwinder, Unwound};

/// An unwinding beside other searches, which need memory too, ends when it has made this many terms or clauses.
const MAX_TERMS: usize = 5_000_000;
const MAX_CLAUSES: u64 = 8_000_000;

/// Unwinds a system, in phases with more rounds each, or with `most` rounds alone.
pub(crate) fn unwind<S: System>(
    terms: &mut Terms,
    system: &S,
    most: Option<usize>,
    budget: &Budget,
    told: &mut dyn FnMut(usize),
) -> Result<Outcome<S::Edge>, Interrupted> {
    let Some(flow) = system.control_flow() else { return Err(Stop::Unsupported.into()) };
    let mut rounds = most.map_or(Rounds::FIRST, Rounds::exactly);
    loop {
        let unwinder = Unwinder::new(terms, flow, rounds, budget);
        match unwinder.run(terms, &system.state_variables())? {
            Unwound::Violated(trace) => return Ok(Outcome::Unsafe(trace)),
            Unwound::Ended(returns) => return Ok(Outcome::Unwound(returns)),
            Unwound::GivenUp => {}
        }
        if let Some(most) = most {
            return Ok(Outcome::Bounded(most));
        }
        told(rounds.undecided);
        rounds = rounds.more();
    }
}
