//! What to do about an unknown.

use crate::limits::INTERRUPTED;

/// The loops at which the search kept adding predicates, the busiest first, as the end of a line.
pub fn busy_loops(loops: &[String]) -> String {
    match loops.split_first() {
        None => String::new(),
        Some((first, [])) => format!("; the loop at {first} kept being refined"),
        Some((first, others)) => {
            format!("; the loop at {first} kept being refined, and so did {}", others.join(", "))
        }
    }
}

/// What to try when the search ended for a reason.
pub fn remedy(reason: &str) -> &'static str {
    if reason == INTERRUPTED {
        "--stats tells what it took, --trace-iterations shows the predicates"
    } else if reason.starts_with("timeout") {
        "try a larger --timeout; --stats tells what it took, --trace-iterations shows the predicates"
    } else if reason.starts_with("memory limit") {
        "try a larger --memory; --stats tells what it took, --trace-iterations shows the predicates"
    } else if reason.starts_with("decision diagrams") {
        "try --abstraction cartesian, or a preset with more max-nodes"
    } else {
        "try another --preset; --stats tells what it took, --trace-iterations shows the predicates"
    }
}
