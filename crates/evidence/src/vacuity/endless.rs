//! Loops that no execution leaves.

use super::passage::{Passage, Passages};
use super::reached;
use crate::place::Place;
use rustc_hash::FxHashSet;
use tamis_logic::Terms;
use tamis_program::{EdgeId, Location, Loop, LoopNest, Program};
use tamis_solver::{Budget, Stop};

/// The loops of programs with more edges are not looked for: nobody waits for that.
const LARGEST: usize = 20_000;

/// A loop that control flow leads to and never out of, in a program in which it leads to no end.
pub fn without_end(program: &Program, reached: &[bool], removed: &dyn Fn(EdgeId) -> bool) -> Option<Place> {
    let goes_on = |l: Location| program.outgoing(l).iter().any(|&e| !removed(e));
    if program.edges().len() > LARGEST || program.locations().any(|l| reached[l.index()] && !goes_on(l)) {
        return None;
    }
    let nest = LoopNest::new(program);
    let left = |of: &Loop| exits(program, of).into_iter().any(|e| !removed(e));
    let entered = |of: &Loop| of.heads.iter().any(|head| reached[head.index()]);
    let endless = nest.loops().iter().find(|of| of.parent.is_none() && entered(of) && !left(of));
    endless.and_then(|of| of.heads.first()).map(|&head| Place::of(program, head))
}

/// Loops out of which every way is refused whatever the values are at their heads, if every way to an end or to a
/// violation leads through them.
pub fn never_left(terms: &mut Terms, program: &Program, budget: &Budget) -> Result<Vec<Place>, Stop> {
    let mut found = Vec::new();
    if program.edges().len() > LARGEST {
        return Ok(found);
    }
    let nest = LoopNest::new(program);
    for of in nest.loops() {
        budget.check()?;
        let exits = exits(program, of);
        if of.parent.is_some() || exits.is_empty() || exits.iter().any(|&e| is_violation(program, e)) {
            continue;
        }
        let removed: FxHashSet<EdgeId> = exits.iter().copied().collect();
        let reached = reached(program, &|e| removed.contains(&e));
        let is_end = |l: Location| program.outgoing(l).is_empty();
        if program.locations().any(|l| reached[l.index()] && is_end(l)) {
            continue;
        }
        let mut within = vec![false; reached.len()];
        of.body.iter().for_each(|l| within[l.index()] = true);
        let truth = terms.tru();
        let heads: FxHashSet<Location> =
            nest.loops().iter().flat_map(|of| of.heads.iter().copied()).collect();
        let starts = of.body.iter().filter(|l| heads.contains(l)).map(|&l| (l, truth)).collect();
        let passages = Passages { program, starts, within, budget };
        let mut endless = true;
        for exit in exits {
            let passage = passages.of(terms, exit)?;
            endless &= matches!(passage, Some(Passage::Refused | Passage::Unreached));
            if !endless {
                break;
            }
        }
        if endless {
            found.extend(of.heads.first().map(|&head| Place::of(program, head)));
        }
    }
    Ok(found)
}

/// The edges out of a loop.
fn exits(program: &Program, of: &Loop) -> Vec<EdgeId> {
    let out = of.body.iter().flat_map(|&l| program.outgoing(l));
    out.copied().filter(|&e| of.body.binary_search(&program.edge(e).to).is_err()).collect()
}

/// Whether what follows an edge is nothing but the violation: then the edge is the check.
fn is_violation(program: &Program, edge: EdgeId) -> bool {
    let mut l = program.edge(edge).to;
    for _ in program.locations() {
        match program.outgoing(l) {
            _ if l == program.error() => return true,
            &[only] => l = program.edge(only).to,
            _ => return false,
        }
    }
    false
}
