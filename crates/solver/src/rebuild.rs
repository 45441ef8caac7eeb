//! Starting over without what only past questions needed.
//!
//! An answer `Sat` is an assignment to every variable, those of long forgotten assumptions included: a solver that is
//! asked thousands of different small questions spends its time on circuits that nobody asks about any more. When
//! these outweigh the assertions, the SAT solver is replaced by a new one with the assertions alone. What was learned
//! is lost, so a solver that had to work for its answers is left as it is; and so is one whose every question is large,
//! which would only have to encode it again.

use crate::circuit::Lit;
use crate::cnf::Encoder;
use crate::encoding::Encoding;
use crate::limits;
use crate::sat::Sat;
use crate::solver::Solver;
use crate::stats::Stats;
use rustc_hash::FxHashSet;

/// The clauses that were asserted, over the circuit.
#[derive(Default)]
pub(crate) struct Asserted {
    lits: Vec<Lit>,
    /// Where each clause ends in `lits`.
    ends: Vec<usize>,
    /// How many SAT variables are there because of assertions.
    pub variables: u64,
    /// How many were there because of questions when the last one was asked.
    questions: u64,
    /// The most that a single question has brought.
    largest: u64,
    /// Counters of the SAT solvers that were replaced.
    pub before: Stats,
}

impl Asserted {
    pub fn push(&mut self, clause: &[Lit]) {
        self.lits.extend_from_slice(clause);
        self.ends.push(self.lits.len());
    }

    pub fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.lits[start..end])
    }

    /// Drops the clauses that a unit clause makes true: what was asserted under an activation that has been retired
    /// since.
    fn simplify(&mut self) {
        let units: FxHashSet<Lit> = self.clauses().filter(|c| c.len() == 1).map(|c| c[0]).collect();
        let mut kept = Asserted { before: std::mem::take(&mut self.before), ..Asserted::default() };
        for clause in self.clauses() {
            if clause.len() == 1 || !clause.iter().any(|lit| units.contains(lit)) {
                kept.push(clause);
            }
        }
        *self = kept;
    }
}

impl Encoding {
    /// Whether most variables of the SAT solver are there for past questions.
    pub(crate) fn is_crowded(&mut self) -> bool {
        let questions = self.sat.variables() - self.asserted.variables;
        let asserted = &mut self.asserted;
        asserted.largest = asserted.largest.max(questions - asserted.questions);
        asserted.questions = questions;
        let crowded = questions > limits::VARIABLES_TO_REBUILD
            && questions > 2 * asserted.variables
            && questions > 4 * asserted.largest;
        crowded && self.sat.statistic("conflicts") < questions
    }

    /// Replaces the SAT solver by one that knows the assertions alone. `before` is what the old ones took.
    fn rebuild(&mut self, before: Stats) {
        self.asserted.before = before;
        self.asserted.simplify();
        self.sat = Sat::new(&self.budget, self.enumerates, self.theories.has_bounds(), self.seed);
        self.encoder = Encoder::new();
        self.proxies.clear();
        self.frozen.clear();
        self.arrays.forget_clauses();
        for clause in self.asserted.clauses() {
            self.encoder.clause(&self.blaster.circuit, &mut self.sat, clause);
        }
        self.asserted.variables = self.sat.variables();
    }
}

impl Solver {
    /// Replaces the SAT solver if most of its variables are there for past questions.
    pub(crate) fn rebuild_if_crowded(&mut self) {
        if self.encoding.is_crowded() {
            self.rebuild();
        }
    }

    /// Makes the SAT solver one for enumerations: the first enumeration does, for good.
    pub(crate) fn prepare_to_enumerate(&mut self) {
        if !self.encoding.enumerates {
            self.encoding.enumerates = true;
            self.rebuild();
        }
    }

    pub(crate) fn rebuild(&mut self) {
        let &Stats { conflicts, decisions, propagations, clauses, .. } = &self.stats;
        self.encoding.rebuild(Stats { conflicts, decisions, propagations, clauses, ..Stats::default() });
    }
}
