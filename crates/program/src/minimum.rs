//! Minimum loop cutsets: the minimum feedback vertex set, which \[SUM\] section 3 names as the goal and as NP-hard.
//!
//! Contractions that lose no minimum come first (Levy and Low): a location that nothing enters or leaves is on no
//! cycle, one with a single neighbour before or after it can be bypassed, and one with an edge to itself must be cut.
//! They leave nothing of the control flow of structured loops. What they do leave is searched by branch and bound.

use crate::automaton::{Location, Program};
use crate::cutset::with_ends;
use crate::flow::Flow;
use std::collections::{BTreeMap, BTreeSet};

/// After contraction a graph with more locations is not searched.
const LARGEST: usize = 30;

/// A cutset with the fewest locations, between the entry and the error location; `None` if the loops are too many and
/// too entangled to find it.
///
/// The entry is a cutpoint in any case, so cycles through it are cut.
pub fn minimum_cutset(program: &Program, relevant: &[bool]) -> Option<Vec<Location>> {
    let mut graph = Graph::default();
    for l in program.locations().filter(|&l| relevant[l.index()] && l != program.entry()) {
        for to in program.successors(l).filter(|&to| relevant[to.index()] && to != program.entry()) {
            graph.add_edge(l, to);
        }
    }
    let mut cut = graph.contract();
    if graph.after.len() > LARGEST {
        return None;
    }
    cut.extend(graph.search(usize::MAX)?);
    let cut: BTreeSet<Location> = cut.into_iter().collect();
    Some(with_ends(program, |l| cut.contains(&l)))
}

#[derive(Clone, Default)]
struct Graph {
    after: BTreeMap<Location, BTreeSet<Location>>,
    before: BTreeMap<Location, BTreeSet<Location>>,
}

impl Graph {
    fn add_edge(&mut self, from: Location, to: Location) {
        for (l, map) in [(from, &mut self.before), (to, &mut self.after)] {
            map.entry(l).or_default();
        }
        self.after.entry(from).or_default().insert(to);
        self.before.entry(to).or_default().insert(from);
    }

    /// Takes a location out; returns what was before and after it.
    fn remove(&mut self, l: Location) -> (BTreeSet<Location>, BTreeSet<Location>) {
        let after = self.after.remove(&l).unwrap_or_default();
        let before = self.before.remove(&l).unwrap_or_default();
        for a in &after {
            if let Some(set) = self.before.get_mut(a) {
                set.remove(&l);
            }
        }
        for b in &before {
            if let Some(set) = self.after.get_mut(b) {
                set.remove(&l);
            }
        }
        (before, after)
    }

    /// Contracts as far as possible; returns the locations that were cut for it.
    fn contract(&mut self) -> Vec<Location> {
        let mut cut = Vec::new();
        let mut pending: Vec<Location> = self.after.keys().copied().collect();
        while let Some(l) = pending.pop() {
            let (Some(after), Some(before)) = (self.after.get(&l), self.before.get(&l)) else { continue };
            let on_itself = after.contains(&l);
            if !on_itself && after.len() > 1 && before.len() > 1 {
                continue;
            }
            let (before, after) = self.remove(l);
            if on_itself {
                cut.push(l);
            } else {
                for &b in &before {
                    for &a in &after {
                        self.add_edge(b, a);
                    }
                }
            }
            pending.extend(before.into_iter().chain(after).filter(|&n| n != l));
        }
        cut
    }

    /// A smallest cutset with fewer locations than `bound`, if there is one. The graph is contracted.
    fn search(&self, bound: usize) -> Option<Vec<Location>> {
        if self.after.is_empty() {
            return (bound > 0).then(Vec::new);
        }
        if bound <= 1 {
            return None;
        }
        let busiest = |l: &&Location| self.after[*l].len() * self.before[*l].len();
        let &l = self.after.keys().max_by_key(busiest)?;
        // Either the busiest location is cut, or it is not and can be bypassed.
        let mut with = self.clone();
        with.remove(l);
        let found = with.finish(bound - 1).map(|mut cut| {
            cut.push(l);
            cut
        });
        let bound = found.as_ref().map_or(bound, Vec::len);
        let mut without = self.clone();
        let (before, after) = without.remove(l);
        for &b in &before {
            for &a in &after {
                without.add_edge(b, a);
            }
        }
        without.finish(bound).or(found)
    }

    fn finish(mut self, bound: usize) -> Option<Vec<Location>> {
        let mut cut = self.contract();
        let left = bound.checked_sub(cut.len())?;
        cut.extend(self.search(left)?);
        Some(cut)
    }
}
