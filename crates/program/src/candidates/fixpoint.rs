//! Abstract interpretation of the automaton, over any domain.
//!
//! Locations are taken in reverse postorder until nothing changes. At loop heads, what grows is widened; two more passes make
//! that narrower again.

use super::executions::numbers;
use crate::automaton::{Edge, Location, Program};
use crate::cutset::relevant_locations;
use crate::loops::back_edges;
use std::collections::BTreeSet;
use tamis_logic::Terms;

/// A loop head is entered so often before what grows is widened.
const BEFORE_WIDENING: u32 = 3;

/// What has been widened so often is given up.
const MOST_WIDENED: u32 = 40;

/// Passes that only make narrower.
const NARROWING: usize = 2;

/// What is known of states, and what commands make of it.
pub(super) trait Domain {
    type State: Clone + PartialEq;

    /// What is known of all states.
    fn initial(&self) -> Self::State;

    /// What is known after an edge; `None` if it cannot be passed.
    fn after(&self, edge: &Edge, before: &Self::State) -> Option<Self::State>;

    /// What is known of either.
    fn join(&self, a: &Self::State, b: &Self::State) -> Self::State;

    /// What is known of `grown`, which knows less than `old`, and of what it may come to.
    fn widened(&self, old: &Self::State, grown: Self::State) -> Self::State;

    /// What is known of `old` and `grown` alike.
    fn unchanged(&self, old: &Self::State, grown: Self::State) -> Self::State;
}

/// The order in which the locations of a program are taken.
pub(super) struct Course<'a> {
    pub program: &'a Program,
    /// From where the error can be reached.
    relevant: Vec<bool>,
    /// The locations in reverse postorder, and the place of each.
    order: Vec<Location>,
    places: Vec<usize>,
    is_head: Vec<bool>,
}

impl<'a> Course<'a> {
    pub fn new(program: &'a Program) -> Course<'a> {
        let relevant = relevant_locations(program);
        let order = reverse_postorder(program, &relevant);
        let mut places = vec![usize::MAX; relevant.len()];
        order.iter().enumerate().for_each(|(i, l)| places[l.index()] = i);
        let mut is_head = vec![false; relevant.len()];
        back_edges(program).into_iter().for_each(|e| is_head[program.edge(e).to.index()] = true);
        Course { program, relevant, order, places, is_head }
    }

    /// The edges that can be on a way to the error.
    pub fn edges(&self) -> impl Iterator<Item = &'a Edge> + '_ {
        let edges = self.order.iter().flat_map(|l| self.program.outgoing(*l));
        edges.map(|&e| self.program.edge(e)).filter(|edge| self.relevant[edge.to.index()])
    }

    /// What is known at each location; nothing is there where execution never is. `None` if more than `most` edges have to be
    /// followed; those that were are taken off.
    pub fn run<D: Domain>(
        &self,
        domain: &D,
        most: &mut usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<Vec<Option<D::State>>> {
        let count = self.relevant.len();
        let mut pass = Pass { course: self, domain, known: vec![None; count], entered: vec![0; count] };
        let entry = self.program.entry();
        pass.known[entry.index()] = Some(domain.initial());
        let mut open: BTreeSet<usize> = BTreeSet::from([self.places[entry.index()]]);
        while let Some(place) = open.pop_first() {
            let l = *self.order.get(place)?;
            for &e in self.program.outgoing(l) {
                let edge = self.program.edge(e);
                if !self.relevant[edge.to.index()] {
                    continue;
                }
                *most = most.checked_sub(1)?;
                if stop() {
                    return None;
                }
                if let Some(after) = pass.after(edge)
                    && pass.enter(edge.to, after)
                {
                    open.insert(self.places[edge.to.index()]);
                }
            }
        }
        for _ in 0..NARROWING {
            for &l in &self.order {
                if stop() {
                    return None;
                }
                pass.narrow(l);
            }
        }
        Some(pass.known)
    }
}

/// What is known on the way to a fixpoint.
struct Pass<'a, D: Domain> {
    course: &'a Course<'a>,
    domain: &'a D,
    known: Vec<Option<D::State>>,
    entered: Vec<u32>,
}

impl<D: Domain> Pass<'_, D> {
    fn after(&self, edge: &Edge) -> Option<D::State> {
        self.domain.after(edge, self.known[edge.from.index()].as_ref()?)
    }

    /// Joins what arrives at a location; whether that is more than was known to arrive.
    fn enter(&mut self, l: Location, arriving: D::State) -> bool {
        let Some(before) = &self.known[l.index()] else {
            self.known[l.index()] = Some(arriving);
            return true;
        };
        let mut joined = self.domain.join(before, &arriving);
        if joined == *before {
            return false;
        }
        if self.course.is_head[l.index()] {
            self.entered[l.index()] += 1;
            if self.entered[l.index()] > MOST_WIDENED {
                joined = self.domain.unchanged(before, joined);
            } else if self.entered[l.index()] > BEFORE_WIDENING {
                joined = self.domain.widened(before, joined);
            }
        }
        self.known[l.index()] = Some(joined);
        true
    }

    /// What arrives at a location is known there, and no more.
    fn narrow(&mut self, l: Location) {
        let course = self.course;
        if l == course.program.entry() || self.known[l.index()].is_none() {
            return;
        }
        let edges = course.program.incoming(l).iter().map(|&e| course.program.edge(e));
        let arriving = edges.filter(|e| course.relevant[e.from.index()]).filter_map(|e| self.after(e));
        self.known[l.index()] = arriving.reduce(|a, b| self.domain.join(&a, &b));
    }
}

/// What widening goes to, in order: the numbers of the text, and those next to them.
pub(super) fn thresholds(terms: &Terms, program: &Program) -> Vec<i128> {
    let mut thresholds: Vec<i128> = vec![0];
    for number in numbers(terms, program) {
        for x in [number.signed(), number.unsigned() as i128] {
            thresholds.extend([x - 1, x, x + 1]);
        }
    }
    thresholds.sort_unstable();
    thresholds.dedup();
    thresholds
}

fn reverse_postorder(program: &Program, relevant: &[bool]) -> Vec<Location> {
    let mut seen = vec![false; relevant.len()];
    let mut finished = Vec::new();
    let mut open = vec![(program.entry(), 0)];
    seen[program.entry().index()] = true;
    while let Some((l, next)) = open.pop() {
        match program.outgoing(l).get(next) {
            None => finished.push(l),
            Some(&e) => {
                open.push((l, next + 1));
                let to = program.edge(e).to;
                if relevant[to.index()] && !std::mem::replace(&mut seen[to.index()], true) {
                    open.push((to, 0));
                }
            }
        }
    }
    finished.reverse();
    finished
}
