//! Loop cutsets: [SUM] section 3.

use crate::automaton::{Location, Program};

/// The locations on some path from the entry to the error location. What lies elsewhere has no part in the property.
pub fn relevant_locations(program: &Program) -> Vec<bool> {
    let forward = closure(program, program.entry(), |l| {
        program.outgoing(l).iter().map(|&e| program.edge(e).to).collect()
    });
    let backward = closure(program, program.error(), |l| {
        program.incoming(l).iter().map(|&e| program.edge(e).from).collect()
    });
    forward.iter().zip(backward).map(|(&f, b)| f && b).collect()
}

fn closure(program: &Program, from: Location, next: impl Fn(Location) -> Vec<Location>) -> Vec<bool> {
    let mut seen = vec![false; program.locations().count()];
    let mut pending = vec![from];
    while let Some(l) = pending.pop() {
        if !std::mem::replace(&mut seen[l.index()], true) {
            pending.extend(next(l));
        }
    }
    seen
}

/// The back-edge cutset: the entry, the error location and the destinations of all back-edges that a depth-first
/// search from the entry finds, among the relevant locations. Every cycle there passes through it. In order of
/// location, the entry first.
///
/// Minimal cutsets are NP-hard to find; for structured loops this one is the set of loop heads ([SUM] section 3).
pub fn back_edge_cutset(program: &Program, relevant: &[bool]) -> Vec<Location> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        OnStack,
        Done,
    }
    let mut mark = vec![Mark::New; relevant.len()];
    let mut cut = vec![false; relevant.len()];
    // The search's stack: a location and how many of its edges have been followed.
    let mut stack = vec![(program.entry(), 0)];
    mark[program.entry().index()] = Mark::OnStack;
    while let Some((l, followed)) = stack.last_mut() {
        let l = *l;
        let Some(&edge) = program.outgoing(l).get(*followed) else {
            mark[l.index()] = Mark::Done;
            stack.pop();
            continue;
        };
        *followed += 1;
        let to = program.edge(edge).to;
        if !relevant[to.index()] {
            continue;
        }
        match mark[to.index()] {
            Mark::New => {
                mark[to.index()] = Mark::OnStack;
                stack.push((to, 0));
            }
            Mark::OnStack => cut[to.index()] = true,
            Mark::Done => {}
        }
    }
    cut[program.entry().index()] = false;
    cut[program.error().index()] = false;
    let mut cutset = vec![program.entry()];
    cutset.extend(program.locations().filter(|l| cut[l.index()]));
    cutset.push(program.error());
    cutset
}
