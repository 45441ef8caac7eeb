//! What a run took, for `--stats`.

use crate::limits::resident_memory;
use std::time::Duration;
use tamis_cegar::Statistics;

/// The times of a run's phases.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    pub front_end: Duration,
    pub search: Duration,
    pub evidence: Duration,
}

/// Prints the statistics to stderr.
pub fn print(s: &Statistics, times: Times, total: Duration) {
    let seconds = |d: Duration| format!("{:.3} s", d.as_secs_f64());
    let rows = [
        ("cutpoints", s.points.to_string()),
        ("blocks", s.steps.to_string()),
        ("iterations", s.iterations.to_string()),
        ("predicates", s.predicates.to_string()),
        ("different predicates", s.expressions.to_string()),
        ("branches that predicates come from", s.branches.to_string()),
        ("predicates at a cutpoint, at most", s.predicates_at_a_point.to_string()),
        ("images and relations", s.images.to_string()),
        ("abstract states or sets of them", s.states.to_string()),
        ("abstract states enumerated", s.solver.models.to_string()),
        ("longest counterexample, in blocks", s.longest_trace.to_string()),
        ("bounded search, in blocks", s.bounded_depth.to_string()),
        ("solver calls", s.solver.solves.to_string()),
        ("solver conflicts", s.solver.conflicts.to_string()),
        ("solver time", seconds(s.solver.time)),
        ("front end time", seconds(times.front_end)),
        ("search time", seconds(times.search)),
        ("evidence time", seconds(times.evidence)),
        ("total time", seconds(total)),
        ("memory", format!("{} MB", resident_memory().unwrap_or(0) / 1_000_000)),
    ];
    eprintln!("statistics:");
    for (name, value) in rows {
        eprintln!("  {name:<36} {value:>12}");
    }
}
