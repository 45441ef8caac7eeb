//! What a run took, for `--stats`.

use crate::limits::peak_memory;
use serde::Serialize;
use std::time::{Duration, Instant};
use tamis_cegar::{Search, Statistics};
use tamis_solver::resident_memory;

/// The times of a run's phases.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    pub front_end: Duration,
    pub search: Duration,
    pub evidence: Duration,
}

/// A part of a run, of which the time is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    FrontEnd,
    Search,
    Evidence,
}

impl Times {
    /// Adds to the time of a part.
    pub fn add(&mut self, part: Part, time: Duration) {
        *match part {
            Part::FrontEnd => &mut self.front_end,
            Part::Search => &mut self.search,
            Part::Evidence => &mut self.evidence,
        } += time;
    }
}

/// What a run took.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    pub counts: Statistics,
    pub times: Times,
    pub total: Duration,
    /// The most that there was, in bytes.
    pub memory: u64,
}

/// A number and what it counts.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Number {
    Count(u64),
    Seconds(f64),
}

impl Numbers {
    /// The same, with what was taken in all.
    pub fn at_end(self, start: Instant) -> Numbers {
        let memory = peak_memory().or_else(resident_memory).unwrap_or(0);
        Numbers { total: start.elapsed(), memory, ..self }
    }

    /// All numbers, by their names.
    pub fn rows(&self) -> Vec<(&'static str, Number)> {
        let s = &self.counts;
        let count = |n: usize| Number::Count(n as u64);
        let seconds = |d: Duration| Number::Seconds((d.as_secs_f64() * 1e3).round() / 1e3);
        let mut rows = vec![
            ("cutpoints", count(s.points)),
            ("blocks", count(s.steps)),
            ("iterations", count(s.iterations)),
            ("predicates", count(s.predicates)),
            ("different predicates", count(s.expressions)),
            ("branches that predicates come from", count(s.branches)),
            ("branches that a proof takes, at least", count(s.branches_at_least)),
            ("predicates at a cutpoint, at most", count(s.predicates_at_a_point)),
            ("combinations of predicates tried", count(s.combinations.tried)),
            ("largest combination tried", count(s.combinations.largest_tried)),
            ("eliminating combinations", count(s.combinations.eliminating)),
            ("largest eliminating combination", count(s.combinations.largest_eliminating)),
            ("images and relations", count(s.images)),
            ("abstract states or sets of them", count(s.states)),
            ("abstract states enumerated", Number::Count(s.solver.models)),
            ("longest counterexample, in blocks", count(s.longest_trace)),
            ("bounded search, in blocks", count(s.bounded_depth)),
            ("facts shown", count(s.facts)),
            ("solver calls", Number::Count(s.solver.solves)),
            ("solver conflicts", Number::Count(s.solver.conflicts)),
            ("solver time", seconds(s.solver.time)),
            ("front end time", seconds(self.times.front_end)),
            ("search time", seconds(self.times.search)),
            ("evidence time", seconds(self.times.evidence)),
            ("total time", seconds(self.total)),
            ("memory", Number::Count(self.memory / 1_000_000)),
        ];
        rows.extend(s.worked.iter().map(|&(search, time)| (work_of(search), seconds(time))));
        rows
    }

    /// Prints the statistics to stderr.
    pub fn print(&self, interrupted: bool) {
        eprintln!("statistics{}:", if interrupted { " so far" } else { "" });
        if let Some(winner) = self.counts.winner {
            eprintln!("  {:<36} {winner:>12}", "answer found by");
        }
        for (name, value) in self.rows() {
            let value = match value {
                Number::Count(n) if name == "memory" => format!("{n} MB"),
                Number::Count(n) => n.to_string(),
                Number::Seconds(s) => format!("{s:.3} s"),
            };
            eprintln!("  {name:<36} {value:>12}");
        }
    }
}

/// The name of the time for which a search has worked.
fn work_of(search: Search) -> &'static str {
    match search {
        Search::Cegar => "work of cegar",
        Search::Bounded => "work of bounded",
        Search::Unwind => "work of unwind",
        Search::KInduction => "work of k-induction",
        Search::Invariants => "work of invariants",
        Search::Ic3 => "work of ic3",
        Search::Ic3Ia => "work of ic3-ia",
        Search::Ic3Innards => "work of ic3-innards",
        Search::Walks => "work of walks",
    }
}
