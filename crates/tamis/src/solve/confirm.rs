//! Combinations of an enumeration are confirmed before they are printed.
//!
//! The enumeration projects assignments on some formulas and has no models to evaluate. Another solver, which has nothing
//! in common with the enumerating one but the assertions, looks for a model with the values of a combination, and that
//! model is evaluated. This takes a search for each combination, which would undo what enumeration inside one search
//! gains; so by default it is done for the first combinations and then for every so many.

use tamis_logic::{Term, Terms};
use tamis_solver::{Answer, Budget, Solver, Stop};

/// So many combinations are confirmed at first, and one of so many later.
const SAMPLE: u64 = 64;

/// Confirms combinations of one enumeration.
pub struct Confirm {
    solver: Solver,
    asserted: Vec<Term>,
    all: bool,
    seen: u64,
    /// The variables, once a combination has been seen: all have the same.
    vars: Vec<Term>,
}

/// Why a combination is not printed.
pub enum Doubt {
    Stopped(Stop),
    /// It is none, or the model found for it is none.
    Wrong,
}

impl Confirm {
    /// For an enumeration of models of `asserted`; `all` combinations, or some.
    pub fn new(terms: &Terms, budget: &Budget, asserted: Vec<Term>, all: bool) -> Confirm {
        let mut solver = Solver::new(budget);
        solver.leave_evaluation();
        for &formula in &asserted {
            solver.assert(terms, formula);
        }
        Confirm { solver, asserted, all, seen: 0, vars: Vec::new() }
    }

    /// Whether there is a model that makes all of `combination` true.
    pub fn combination(
        &mut self,
        terms: &Terms,
        combination: impl FnOnce() -> Vec<Term>,
    ) -> Result<(), Doubt> {
        self.seen += 1;
        if !self.all && self.seen > SAMPLE && !self.seen.is_multiple_of(SAMPLE) {
            return Ok(());
        }
        let combination = combination();
        match self.solver.check(terms, &combination) {
            Ok(Answer::Sat) => {}
            Ok(Answer::Unsat) => return Err(Doubt::Wrong),
            Err(stop) => return Err(Doubt::Stopped(stop)),
        }
        let formulas: Vec<Term> = self.asserted.iter().chain(&combination).copied().collect();
        if self.vars.is_empty() {
            self.vars = terms.free_vars_of(&formulas);
        }
        let model = self.solver.model(terms, &self.vars);
        let holds = terms.eval_all(&formulas, &model).iter().all(|value| value.as_bool());
        if holds { Ok(()) } else { Err(Doubt::Wrong) }
    }
}
