//! CaDiCaL, configured and kept within its contract.
//!
//! The binding panics where CaDiCaL would abort; everything that could bring it there goes through this module.

use crate::budget::{Budget, Stop};
use crate::solver::Answer;
use cadical_sys::{CaDiCal, ExternalPropagator, ProofTracer, Status, Terminator};
use std::cell::OnceCell;

/// A variable or its negation, as in DIMACS.
pub(crate) type SatLit = i32;

/// The SAT solver.
pub(crate) struct Sat {
    /// Made when it is first needed: many a solver never searches, or elsewhere.
    made: OnceCell<CaDiCal>,
    options: Options,
    budget: Budget,
    variables: i32,
    /// What the last search found, as long as CaDiCaL can be asked about it.
    phase: Phase,
    /// How many variables there were in the last search.
    searched: i32,
    /// The values of the variables, copied when the model would be lost by a change to the clauses.
    saved_model: Option<Vec<bool>>,
    /// The failed assumptions, where CaDiCaL cannot be asked any more.
    saved_failed: Option<Vec<SatLit>>,
}

/// The version of the SAT solver.
pub fn sat_solver_version() -> String {
    CaDiCal::version()
}

/// What CaDiCaL is made for.
#[derive(Clone, Copy)]
struct Options {
    enumerates: bool,
    arithmetic: bool,
    seed: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// No search yet, or one that was stopped.
    Open,
    /// CaDiCaL holds a model.
    Model,
    /// The last search found a model, which is in `saved_model` now.
    SavedModel,
    /// CaDiCaL knows the failed assumptions.
    Failed,
}

/// Stops a search when its budget is exhausted. CaDiCaL asks every few steps; clock and memory are looked at less
/// often than the flags.
struct Watchdog {
    budget: Budget,
    calls: u32,
}

impl Terminator for Watchdog {
    fn terminated(&mut self) -> bool {
        const CLOCK_EVERY: u32 = 16;
        self.calls = self.calls.wrapping_add(1);
        let answer = if self.calls.is_multiple_of(CLOCK_EVERY) {
            self.budget.check()
        } else {
            self.budget.check_flags()
        };
        answer.is_err()
    }
}

impl Sat {
    /// A solver without clauses, for enumerations or for single questions, with arithmetic or without.
    pub fn new(budget: &Budget, enumerates: bool, arithmetic: bool, seed: u32) -> Sat {
        Sat {
            made: OnceCell::new(),
            options: Options { enumerates, arithmetic, seed },
            budget: budget.clone(),
            variables: 0,
            phase: Phase::Open,
            searched: 0,
            saved_model: None,
            saved_failed: None,
        }
    }

    /// A solver without clauses whose proof is told to `tracer`. Nothing is simplified but by resolution, so that every
    /// step is one, and a search that meets more than `conflicts` of them is stopped as if the budget were exhausted.
    pub fn traced(budget: &Budget, tracer: impl ProofTracer + 'static, conflicts: i32) -> Sat {
        let mut cadical = CaDiCal::new();
        cadical.configure("plain");
        cadical.set("factor", 0);
        cadical.set("lucky", 0);
        cadical.connect_proof_tracer1(tracer, true, false);
        cadical.connect_terminator(Watchdog { budget: budget.clone(), calls: 0 });
        cadical.limit("conflicts", conflicts);
        Sat { made: OnceCell::from(cadical), ..Sat::new(budget, false, false, 0) }
    }

    fn cadical(&self) -> &CaDiCal {
        self.made.get_or_init(|| {
            let Options { enumerates, arithmetic, seed } = self.options;
            let mut cadical = CaDiCal::new();
            // Bounded variable addition takes variable numbers for itself; ours are counted here.
            cadical.set("factor", 0);
            // Every model found is extended over what elimination removed, and an enumeration finds thousands. A single
            // hard question is answered several times faster with elimination than without.
            cadical.set("elim", i32::from(!enumerates));
            // Lucky assignments are looked for at every call, over all clauses: that is for single questions, too.
            cadical.set("lucky", i32::from(!enumerates));
            // CaDiCaL takes seeds up to 2·10^9.
            cadical.set("seed", i32::try_from(seed % 2_000_000_001).unwrap_or(0));
            // Simplification is scheduled by conflicts, and every model is one: where arithmetic does the work there is
            // little to simplify, and that again and again.
            cadical.set("inprocessing", i32::from(!(enumerates && arithmetic)));
            cadical.connect_terminator(Watchdog { budget: self.budget.clone(), calls: 0 });
            cadical
        })
    }

    fn cadical_mut(&mut self) -> &mut CaDiCal {
        self.cadical();
        self.made.get_mut().expect("`cadical` makes it")
    }

    /// Another solver with the same clauses, and nothing learned in common but units.
    pub fn copy(&mut self) -> Sat {
        let mut cadical = self.cadical_mut().clone();
        cadical.connect_terminator(Watchdog { budget: self.budget.clone(), calls: 0 });
        Sat {
            made: OnceCell::from(cadical),
            options: self.options,
            budget: self.budget.clone(),
            variables: self.variables,
            phase: Phase::Open,
            searched: 0,
            saved_model: None,
            saved_failed: None,
        }
    }

    pub fn variables(&self) -> u64 {
        self.variables as u64
    }

    /// A variable that no clause has yet.
    pub fn fresh(&mut self) -> SatLit {
        let next = self.variables.checked_add(1).filter(|&v| v < i32::MAX);
        self.variables = next.expect("memory ends before 2^31 - 1 variables are made");
        self.variables
    }

    pub fn clause(&mut self, lits: &[SatLit]) {
        self.keep_model();
        self.cadical_mut().clause6(lits);
    }

    /// Called before anything that makes CaDiCaL forget its model.
    pub fn keep_model(&mut self) {
        if self.phase == Phase::Model {
            let values = (1..=self.searched).map(|v| self.cadical_mut().val(v) > 0).collect();
            self.saved_model = Some(values);
            self.phase = Phase::SavedModel;
        } else if self.phase == Phase::Failed {
            self.phase = Phase::Open;
        }
    }

    /// A search whose answer is kept when the propagator is disconnected, which may change CaDiCaL's state.
    pub fn solve_and_keep(&mut self, assumptions: &[SatLit]) -> Result<Answer, Stop> {
        let answer = self.solve(assumptions);
        match answer {
            Ok(Answer::Sat) => self.keep_model(),
            Ok(Answer::Unsat) => {
                let failed =
                    assumptions.iter().copied().filter(|&lit| self.cadical_mut().failed(lit)).collect();
                self.saved_failed = Some(failed);
            }
            Err(_) => {}
        }
        answer
    }

    /// The answer of the last search is not asked about any more.
    pub fn forget(&mut self) {
        self.phase = Phase::Open;
        self.saved_model = None;
        self.saved_failed = None;
    }

    /// Whether a search has had the variable: if it was not frozen then, it may be eliminated.
    pub fn was_searched(&self, variable: SatLit) -> bool {
        variable <= self.searched
    }

    /// Keeps a variable from being eliminated, for good.
    pub fn freeze(&mut self, variable: SatLit) {
        self.keep_model();
        self.cadical_mut().freeze(variable);
    }

    /// Runs `search` with an external propagator connected that observes `observed`, variables that are frozen or
    /// new. The propagator has been dropped when this returns or unwinds.
    pub fn with_propagator<T>(
        &mut self,
        propagator: impl ExternalPropagator + 'static,
        observed: &[SatLit],
        search: impl FnOnce(&mut Sat) -> T,
    ) -> T {
        struct Disconnect<'a>(&'a mut Sat);
        impl Drop for Disconnect<'_> {
            fn drop(&mut self) {
                self.0.cadical_mut().disconnect_external_propagator();
            }
        }
        self.forget();
        let connected = Disconnect(self);
        connected.0.cadical_mut().connect_external_propagator(propagator);
        for &variable in observed {
            connected.0.cadical_mut().add_observed_var(variable);
        }
        search(connected.0)
    }

    pub fn solve(&mut self, assumptions: &[SatLit]) -> Result<Answer, Stop> {
        self.forget();
        self.budget.check()?;
        self.searched = self.variables;
        for &lit in assumptions {
            self.cadical_mut().assume(lit);
        }
        match self.cadical_mut().solve() {
            Status::SATISFIABLE => {
                self.phase = Phase::Model;
                Ok(Answer::Sat)
            }
            Status::UNSATISFIABLE => {
                self.phase = Phase::Failed;
                Ok(Answer::Unsat)
            }
            Status::UNKNOWN => Err(self.budget.check().err().unwrap_or(Stop::Cancelled)),
        }
    }

    /// The literals over `variables` that hold for good.
    pub fn fixed(&self, variables: &[SatLit]) -> Vec<SatLit> {
        let fixed = |&v: &SatLit| match self.cadical().fixed(v) {
            0 => None,
            sign => Some(v * sign.signum()),
        };
        variables.iter().filter_map(fixed).collect()
    }

    /// Whether the last search found a model.
    pub fn has_model(&self) -> bool {
        matches!(self.phase, Phase::Model | Phase::SavedModel)
    }

    /// The value of a literal in the last model; `None` for variables younger than it.
    pub fn value(&mut self, lit: SatLit) -> Option<bool> {
        let variable = lit.abs();
        if !self.has_model() || variable > self.searched {
            return None;
        }
        let value = match &self.saved_model {
            Some(values) => values[variable as usize - 1],
            None => self.cadical_mut().val(variable) > 0,
        };
        Some(value == (lit > 0))
    }

    /// Whether an assumption of the last search is among those that made it fail.
    pub fn failed(&mut self, lit: SatLit) -> bool {
        match &self.saved_failed {
            Some(failed) => failed.contains(&lit),
            None => self.phase == Phase::Failed && self.cadical_mut().failed(lit),
        }
    }

    pub fn statistic(&self, name: &str) -> u64 {
        self.made.get().map_or(0, |cadical| cadical.get_statistic_value(name).max(0) as u64)
    }
}
