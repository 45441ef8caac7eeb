//! What to do about an unknown.

/// The loops at which the search kept adding predicates.
pub fn busy_loops(loops: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some((first, others)) = loops.split_first() {
        lines.push(format!("the loop at {first} kept being refined"));
        lines.extend(others.iter().map(|place| format!("  so did the one at {place}")));
    }
    lines
}

/// What to try when the search ended for a reason.
pub fn remedy(reason: &str) -> &'static str {
    if reason.starts_with("timeout") {
        "try a larger --timeout; --trace-iterations shows the predicates"
    } else if reason.starts_with("memory limit") {
        "try a larger --memory; --trace-iterations shows the predicates"
    } else if reason.starts_with("decision diagrams") {
        "try --abstraction cartesian, or a preset with more max-nodes"
    } else {
        "try another --preset; --trace-iterations shows the predicates"
    }
}
