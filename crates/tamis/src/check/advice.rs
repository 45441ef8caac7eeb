//! What to do about an unknown.

use tamis_program::{Command, Havoc, Program};

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

/// What the approximations on an execution are, and what helps.
pub fn approximations(program: &Program, edges: &[tamis_program::EdgeId]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for &id in edges {
        let edge = program.edge(id);
        let Command::Havoc(_, Havoc::Approximated(what)) = &edge.command else { continue };
        let place = format!("{}:{}", program.file(edge.source.file), edge.source.line);
        let line = format!("  {place}: {what}");
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    if lines.len() > MOST {
        let more = lines.len() - MOST;
        lines.truncate(MOST);
        lines.push(format!("  and {more} more"));
    }
    lines.insert(0, "the execution above may not be real: it passes what is only approximated".to_owned());
    let undefined = edges.iter().find_map(|&id| match &program.edge(id).command {
        Command::Havoc(_, Havoc::Approximated(what)) => what.strip_prefix("call of undefined function "),
        _ => None,
    });
    if let Some(function) = undefined {
        lines.push(format!(
            "give a definition of {function}: as another file, or as one that returns a __VERIFIER_nondet_ value"
        ));
    }
    lines
}

/// More are not listed.
const MOST: usize = 5;
