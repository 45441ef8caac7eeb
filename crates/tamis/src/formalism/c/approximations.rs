//! Violations of the automaton that pass what is only approximated: they are told of, and not believed.

use super::of_replay;
use crate::check::counterexample::Counterexample;
use crate::check::report::Report;
use crate::refusal::one_line;
use crate::verdict::ExitStatus;
use std::path::PathBuf;
use tamis_evidence::Replay;
use tamis_program::{Command, EdgeId, Havoc, Program};

/// What is known of a property when a violation passes approximations.
pub fn report(property: &str, program: &Program, replay: &Replay, files: &[PathBuf]) -> Report {
    let edges = &replay.approximated;
    let reason = edges.first().map(|&edge| reason(program, edge)).unwrap_or_default();
    Report {
        approximations: edges.iter().map(|&edge| cause(program, edge).to_owned()).collect(),
        counterexample: Some(Counterexample::Lines(of_replay::rows(program, replay, files))),
        advice: advice(program, edges),
        ..Report::unknown(property, one_line(&reason), ExitStatus::Unknown)
    }
}

/// Why a counterexample that passes an over-approximation is not believed.
fn reason(program: &Program, edge: EdgeId) -> String {
    let source = program.edge(edge).source;
    format!("approximated: {}, {}:{}", cause(program, edge), program.file(source.file), source.line)
}

/// What is approximated at an edge.
pub fn cause(program: &Program, edge: EdgeId) -> &str {
    match &program.edge(edge).command {
        Command::Havoc(_, why) => why.approximation(),
        _ => None,
    }
    .unwrap_or("an unmodelled value")
}

/// What the approximations on an execution are, and what helps.
fn advice(program: &Program, edges: &[EdgeId]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for &id in edges {
        let source = program.edge(id).source;
        let place = format!("{}:{}", program.file(source.file), source.line);
        let line = format!("  {place}: {}", cause(program, id));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    if lines.len() > MAX_LISTED {
        let more = lines.len() - MAX_LISTED;
        lines.truncate(MAX_LISTED);
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
const MAX_LISTED: usize = 5;
