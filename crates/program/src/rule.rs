//! The rule summary: \[SUM\] section 3, Definition 3, after Beyer et al.
//!
//! SEQ removes a location that a single edge leads to, CHOICE makes one edge of several between the same locations.
//! Only the locations that remain are computed here: the transitions between them are the fragments that
//! [`Summary`](crate::Summary) finds. An edge is a pair of locations, so CHOICE happens by itself.

use crate::automaton::{Location, Program};
use crate::cutset::with_ends;
use crate::flow::Flow;
use std::collections::BTreeSet;

/// The locations of the rule summary among the relevant ones: the entry first, the error location last.
pub fn rule_locations(program: &Program, relevant: &[bool]) -> Vec<Location> {
    let count = relevant.len();
    let mut successors: Vec<BTreeSet<Location>> = vec![BTreeSet::new(); count];
    let mut predecessors = successors.clone();
    for l in program.locations().filter(|l| relevant[l.index()]) {
        for to in program.successors(l).filter(|to| relevant[to.index()]) {
            successors[l.index()].insert(to);
            predecessors[to.index()].insert(l);
        }
    }
    let mut removed = vec![false; count];
    let mut pending: Vec<Location> = program.locations().collect();
    while let Some(l2) = pending.pop() {
        // SEQ's conditions: one edge into ℓ₂, from another location, and a way on. The entry is entered from outside.
        let Some(&l1) = predecessors[l2.index()].first() else { continue };
        let sequential =
            predecessors[l2.index()].len() == 1 && l1 != l2 && !successors[l2.index()].is_empty();
        if !sequential || l2 == program.entry() || l2 == program.error() || removed[l2.index()] {
            continue;
        }
        removed[l2.index()] = true;
        successors[l1.index()].remove(&l2);
        for to in std::mem::take(&mut successors[l2.index()]) {
            predecessors[to.index()].remove(&l2);
            predecessors[to.index()].insert(l1);
            successors[l1.index()].insert(to);
            pending.push(to);
        }
    }
    with_ends(program, |l| relevant[l.index()] && !removed[l.index()])
}

/// The locations between which small blocks lie: those where a basic block begins. That is where edges meet, and
/// behind every branch.
pub fn basic_block_locations(program: &Program, relevant: &[bool]) -> Vec<Location> {
    let of_way = |l: &Location| relevant[l.index()];
    let begins = |l: Location| {
        let mut before = program.predecessors(l).filter(of_way);
        match (before.next(), before.next()) {
            (Some(only), None) => program.successors(only).filter(of_way).count() > 1,
            _ => true,
        }
    };
    with_ends(program, |l| relevant[l.index()] && begins(l))
}
