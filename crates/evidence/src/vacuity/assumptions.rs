//! Assumptions that no execution passes.

use super::passage::{Passage, Passages};
use super::reached;
use crate::certify::on_a_way_to_error;
use crate::place::Place;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use tamis_logic::{Term, Terms};
use tamis_program::{Command, EdgeId, Event, Location, Program, Simplified, run_pass};
use tamis_solver::{Budget, Stop};

/// More assumptions are not looked at.
const MAX_ASSUMPTIONS: usize = 50;

/// Functions that are assumptions where the program defines them: they end the execution if their argument is 0.
const NAMES: [&str; 2] = ["__VERIFIER_assume", "assume_abort_if_not"];

/// Whether an edge is passed by those executions that satisfy an assumption: by what it is, or by the function it is in.
fn is_assumption(program: &Program, edge: EdgeId) -> bool {
    let edge = program.edge(edge);
    let function = &program.frame(program.frame_of(edge.from)).function;
    match edge.event {
        Event::Assumption => true,
        Event::Branch(_) => NAMES.contains(&&**function),
        _ => false,
    }
}

/// Where the user made an assumption: at the call, if it is a function's.
fn place(program: &Program, edge: EdgeId) -> Place {
    let edge = program.edge(edge);
    let frame = program.frame(program.frame_of(edge.from));
    match frame.caller {
        Some((caller, source)) if NAMES.contains(&&*frame.function) => {
            Place::at(program, source, program.frame(caller).function.clone())
        }
        _ => Place::at(program, edge.source, frame.function.clone()),
    }
}

/// The places of some assumptions, each once.
fn places(program: &Program, edges: impl IntoIterator<Item = EdgeId>) -> Vec<Place> {
    let mut found: Vec<Place> = Vec::new();
    for edge in edges {
        let place = place(program, edge);
        if !found.contains(&place) {
            found.push(place);
        }
    }
    found
}

/// Assumptions that are false whatever the values are, in a program without a way to a violation, if every way to an end
/// comes to one.
pub fn never_true(terms: &Terms, program: &Program) -> Vec<Place> {
    let never = |&e: &EdgeId| {
        let edge = program.edge(e);
        edge.event == Event::Assumption && matches!(edge.command, Command::Assume(g) if terms.is_false(g))
    };
    let refuses = |l: Location| program.outgoing(l).iter().any(&never);
    let reached = reached(program, &|e| refuses(program.edge(e).from));
    let ends = |l: Location| reached[l.index()] && program.outgoing(l).is_empty();
    if program.locations().any(ends) {
        return Vec::new();
    }
    places(program, program.edge_ids().filter(never).filter(|&e| reached[program.edge(e).from.index()]))
}

/// Assumptions that the values known along the control flow contradict, if every way to a violation passes one.
pub fn propagated(terms: &mut Terms, program: &Program) -> Vec<Place> {
    let Some(feasible) = run_pass("propagate", program, terms) else { return Vec::new() };
    let left: FxHashSet<EdgeId> = feasible.program.edge_ids().map(|e| feasible.origin(e)).collect();
    let within = on_a_way_to_error(program);
    let comes_to = |l: Location| l == program.entry() || program.incoming(l).iter().any(|e| left.contains(e));
    let contradicted = |&e: &EdgeId| {
        let edge = program.edge(e);
        let on_a_way = within[edge.to.index()] && comes_to(edge.from);
        on_a_way && !left.contains(&e) && is_assumption(program, e)
    };
    let refused: FxHashSet<EdgeId> = program.edge_ids().filter(contradicted).collect();
    if reached(program, &|e| refused.contains(&e))[program.error().index()] {
        return Vec::new();
    }
    places(program, program.edge_ids().filter(|e| refused.contains(e)))
}

/// Assumptions that the invariants contradict, if every way to a violation passes one.
pub fn contradictory(
    terms: &mut Terms,
    original: &Program,
    simplified: &Simplified,
    invariants: &[(Location, Term)],
    budget: &Budget,
) -> Result<Vec<Place>, Stop> {
    let program = &simplified.program;
    let within = on_a_way_to_error(program);
    let candidates: Vec<EdgeId> = outwards(program)
        .into_iter()
        .filter(|&e| within[program.edge(e).to.index()] && is_assumption(original, simplified.origin(e)))
        .take(MAX_ASSUMPTIONS)
        .collect();
    let error = program.error().index();
    // If there is a way past all assumptions, none of them is to blame, and no solver need be asked.
    if reached(program, &|e| candidates.contains(&e))[error] {
        return Ok(Vec::new());
    }
    let truth = terms.tru();
    let mut starts: Vec<(Location, Term)> =
        invariants.iter().copied().filter(|&(l, _)| l != program.error() && within[l.index()]).collect();
    if invariants.is_empty() {
        let heads = tamis_program::back_edges(program).into_iter().map(|e| program.edge(e).to);
        for head in heads.filter(|l| within[l.index()]) {
            if !starts.iter().any(|&(l, _)| l == head) {
                starts.push((head, truth));
            }
        }
    }
    if !starts.iter().any(|&(l, _)| l == program.entry()) {
        starts.push((program.entry(), truth));
    }
    let passages = Passages { program, starts, within, budget };
    let (mut refused, mut removed) = (Vec::new(), FxHashSet::default());
    for edge in candidates {
        budget.check()?;
        // What only refused assumptions lead to need not be looked at.
        if !reached(program, &|e| removed.contains(&e))[program.edge(edge).from.index()] {
            continue;
        }
        match passages.of(terms, edge)? {
            Some(Passage::Refused) => {
                removed.insert(edge);
                refused.push(simplified.origin(edge));
            }
            Some(Passage::Unreached) => {
                removed.insert(edge);
            }
            Some(Passage::Possible) | None => {}
        }
        if !reached(program, &|e| removed.contains(&e))[error] {
            return Ok(places(original, refused));
        }
    }
    Ok(Vec::new())
}

/// The edges in the order of their distance from the entry.
fn outwards(program: &Program) -> Vec<EdgeId> {
    let mut seen = vec![false; program.locations().count()];
    let mut pending = VecDeque::from([program.entry()]);
    seen[program.entry().index()] = true;
    let mut edges = Vec::new();
    while let Some(l) = pending.pop_front() {
        for &e in program.outgoing(l) {
            edges.push(e);
            let to = program.edge(e).to;
            if !std::mem::replace(&mut seen[to.index()], true) {
                pending.push_back(to);
            }
        }
    }
    edges
}
