//! A proof about executions says little if constraints leave none.

use super::Proof;
use super::cycles::{constraints, next, reset};
use std::fmt;
use tamis_design::Design;
use tamis_logic::Terms;
use tamis_solver::{Answer, Budget, Solver, Stop};

/// So many cycles are looked at. Constraints that contradict each other mostly do so in the first cycles.
const LOOKED_AT: usize = 16;

/// In which way a proof says less than it seems to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Vacuity {
    /// No first cycle fulfils the constraints.
    NoExecution,
    /// No execution goes on after so many cycles.
    Ends(usize),
}

impl fmt::Display for Vacuity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Vacuity::NoExecution => {
                write!(f, "there is no execution: no first cycle fulfils the constraints")
            }
            Vacuity::Ends(1) => write!(f, "no execution has a second cycle: the constraints exclude it"),
            Vacuity::Ends(cycles) => {
                write!(f, "no execution has more than {cycles} cycles: the constraints exclude it")
            }
        }
    }
}

/// Looks for executions of some cycles, within a budget.
pub fn vacuity(terms: &mut Terms, design: &Design, proof: &Proof, budget: &Budget) -> Option<Vacuity> {
    if design.constraints.is_empty() {
        return None;
    }
    let most = if let Proof::Exhaustion(cycles) = proof { *cycles } else { LOOKED_AT };
    longest(terms, design, most, budget).ok()?.map(|cycles| match cycles {
        0 => Vacuity::NoExecution,
        cycles => Vacuity::Ends(cycles),
    })
}

/// How many cycles executions have at most, if that is less than so many.
fn longest(terms: &mut Terms, design: &Design, most: usize, budget: &Budget) -> Result<Option<usize>, Stop> {
    let mut solver = Solver::new(budget);
    let mut now = reset(terms, design);
    for cycle in 0..=most {
        budget.check()?;
        let allowed = constraints(terms, design, &now);
        solver.assert(terms, allowed);
        if solver.check(terms, &[])? == Answer::Unsat {
            return Ok(Some(cycle));
        }
        now = next(terms, design, &now);
    }
    Ok(None)
}
