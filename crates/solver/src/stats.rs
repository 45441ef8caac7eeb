//! What a solver counts.

use std::time::Duration;

/// Counters of one solver, from its making on.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Searches started.
    pub solves: u64,
    /// Models found, those of enumerations included.
    pub models: u64,
    /// Conflicts met.
    pub conflicts: u64,
    /// Decisions made.
    pub decisions: u64,
    /// Literals propagated.
    pub propagations: u64,
    /// Clauses made from terms.
    pub clauses: u64,
    /// Variables in them.
    pub variables: u64,
    /// Lemmas about arrays that models have violated.
    pub lemmas: u64,
    /// Time in searches.
    pub time: Duration,
}

impl Stats {
    /// Adds the counters of another solver.
    pub fn add(&mut self, other: &Stats) {
        self.solves += other.solves;
        self.models += other.models;
        self.conflicts += other.conflicts;
        self.decisions += other.decisions;
        self.propagations += other.propagations;
        self.clauses += other.clauses;
        self.variables += other.variables;
        self.lemmas += other.lemmas;
        self.time += other.time;
    }
}
