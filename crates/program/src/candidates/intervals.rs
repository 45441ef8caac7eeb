//! Abstract interpretation of the automaton: intervals and lowest bits of variables, at all locations.
//!
//! Locations are taken in reverse postorder until nothing changes. At loop heads, what grows goes to the next number of the
//! text; two more passes make that narrower again. What comes out should hold, and is checked as any other guess.

use super::evaluate::{Environment, assume, evaluate, join};
use super::executions::numbers;
use super::range::Range;
use crate::automaton::{Command, Edge, Location, Program};
use crate::cutset::relevant_locations;
use crate::loops::back_edges;
use crate::system::ProgramSystem;
use std::collections::BTreeSet;
use tamis_logic::{Bits, Term, Terms};
use tamis_system::Point;

/// A loop head is entered so often before what grows is widened.
const BEFORE_WIDENING: u32 = 3;

/// What has been widened so often is given up.
const MOST_WIDENED: u32 = 40;

/// So many edges are followed; a larger program has no facts of this kind.
const MOST_EDGES: usize = 400_000;

/// Passes that only make narrower.
const NARROWING: usize = 2;

/// What is known of the live variables at each point.
pub(super) fn facts(
    terms: &mut Terms,
    system: &ProgramSystem<'_>,
    stop: &dyn Fn() -> bool,
) -> Vec<Vec<Term>> {
    let known = Interpretation::new(terms, system.program()).run(stop);
    let mut facts = vec![Vec::new(); system.count()];
    let Some(known) = known else { return facts };
    for (p, facts) in facts.iter_mut().enumerate() {
        let location = system.location(Point(p as u32));
        let Some(environment) = &known[location.index()] else {
            facts.push(terms.fals());
            continue;
        };
        for v in system.live_at(location).collect::<Vec<_>>() {
            if let Some(range) = environment.get(&v) {
                facts.extend(told(terms, v, range));
            }
        }
    }
    facts
}

/// A range as formulas.
fn told(terms: &mut Terms, v: Term, range: &Range) -> Vec<Term> {
    let width = range.width();
    if terms.sort(v).width() != Some(width) {
        // A truth value.
        return match range.value() {
            Some(1) => vec![v],
            Some(_) => vec![terms.not(v)],
            None => Vec::new(),
        };
    }
    if let Some(value) = range.value() {
        let value = terms.bits(width, u128::from(value));
        return vec![terms.eq(v, value)];
    }
    let mut told = Vec::new();
    let (any, signed, unsigned) = (Range::any(width), range.signed(), range.unsigned());
    let mut number = |x: i128| terms.bits_value(Bits::from_signed(width, x));
    let [low, high, least, most] = [signed.0, signed.1, unsigned.0, unsigned.1].map(&mut number);
    if signed.0 > any.signed().0 {
        told.push(terms.sle(low, v));
    }
    if signed.1 < any.signed().1 {
        told.push(terms.sle(v, high));
    }
    // What is never negative has the same bounds as an unsigned number.
    if signed.0 < 0 {
        if unsigned.0 > 0 {
            told.push(terms.ule(least, v));
        }
        if unsigned.1 < any.unsigned().1 {
            told.push(terms.ule(v, most));
        }
    }
    let (bits, value) = range.low();
    if bits > 0 {
        let low = terms.extract(bits - 1, 0, v);
        let value = terms.bits(bits, u128::from(value));
        told.push(terms.eq(low, value));
    }
    told
}

struct Interpretation<'a> {
    terms: &'a Terms,
    program: &'a Program,
    relevant: Vec<bool>,
    /// The locations in reverse postorder, and the place of each.
    order: Vec<Location>,
    places: Vec<usize>,
    is_head: Vec<bool>,
    thresholds: Vec<i128>,
    known: Vec<Option<Environment>>,
    entered: Vec<u32>,
    followed: usize,
}

impl<'a> Interpretation<'a> {
    fn new(terms: &'a Terms, program: &'a Program) -> Interpretation<'a> {
        let relevant = relevant_locations(program);
        let order = reverse_postorder(program, &relevant);
        let mut places = vec![usize::MAX; relevant.len()];
        order.iter().enumerate().for_each(|(i, l)| places[l.index()] = i);
        let mut is_head = vec![false; relevant.len()];
        back_edges(program).into_iter().for_each(|e| is_head[program.edge(e).to.index()] = true);
        let mut thresholds: Vec<i128> = vec![0];
        for number in numbers(terms, program) {
            for x in [number.signed(), number.unsigned() as i128] {
                thresholds.extend([x - 1, x, x + 1]);
            }
        }
        thresholds.sort_unstable();
        thresholds.dedup();
        let known = vec![None; relevant.len()];
        let entered = vec![0; relevant.len()];
        Interpretation {
            terms,
            program,
            relevant,
            order,
            places,
            is_head,
            thresholds,
            known,
            entered,
            followed: 0,
        }
    }

    /// What is known at each location; nothing is there where execution never is. `None` if it takes too long.
    fn run(mut self, stop: &dyn Fn() -> bool) -> Option<Vec<Option<Environment>>> {
        let entry = self.program.entry();
        self.known[entry.index()] = Some(Environment::default());
        let mut open: BTreeSet<usize> = BTreeSet::from([self.places[entry.index()]]);
        while let Some(place) = open.pop_first() {
            let l = *self.order.get(place)?;
            for &e in self.program.outgoing(l) {
                let edge = self.program.edge(e);
                if !self.relevant[edge.to.index()] {
                    continue;
                }
                self.followed += 1;
                if self.followed > MOST_EDGES || stop() {
                    return None;
                }
                if let Some(after) = self.after(edge)
                    && self.enter(edge.to, &after)
                {
                    open.insert(self.places[edge.to.index()]);
                }
            }
        }
        for _ in 0..NARROWING {
            for l in self.order.clone() {
                if stop() {
                    return None;
                }
                self.narrow(l);
            }
        }
        Some(self.known)
    }

    /// What is known after an edge; `None` if it cannot be passed.
    fn after(&self, edge: &Edge) -> Option<Environment> {
        let mut environment = self.known[edge.from.index()].clone()?;
        match edge.command {
            Command::Assign(v, value) => {
                let value = evaluate(self.terms, &environment, value);
                set(&mut environment, self.program.term(v), value);
            }
            Command::Havoc(v, _) => {
                environment.remove(&self.program.term(v));
            }
            Command::Assume(guard) => environment = assume(self.terms, environment, guard, true)?,
        }
        Some(environment)
    }

    /// Joins what arrives at a location; whether that is more than was known to arrive.
    fn enter(&mut self, l: Location, arriving: &Environment) -> bool {
        let Some(before) = &self.known[l.index()] else {
            self.known[l.index()] = Some(arriving.clone());
            return true;
        };
        let mut joined = join(before, arriving);
        if joined == *before {
            return false;
        }
        if self.is_head[l.index()] {
            self.entered[l.index()] += 1;
            if self.entered[l.index()] > MOST_WIDENED {
                joined.retain(|v, range| before.get(v) == Some(range));
            } else if self.entered[l.index()] > BEFORE_WIDENING {
                for (v, range) in &mut joined {
                    if let Some(old) = before.get(v) {
                        *range = old.widened(range, &self.thresholds);
                    }
                }
                joined.retain(|_, range| !range.is_any());
            }
        }
        self.known[l.index()] = Some(joined);
        true
    }

    /// What arrives at a location is known there, and no more.
    fn narrow(&mut self, l: Location) {
        if l == self.program.entry() || self.known[l.index()].is_none() {
            return;
        }
        let edges = self.program.incoming(l).iter().map(|&e| self.program.edge(e));
        let arriving = edges.filter(|e| self.relevant[e.from.index()]).filter_map(|e| self.after(e));
        self.known[l.index()] = arriving.reduce(|a, b| join(&a, &b));
    }
}

fn set(environment: &mut Environment, v: Term, value: Option<Range>) {
    match value.filter(|range| !range.is_any()) {
        Some(range) => environment.insert(v, range),
        None => environment.remove(&v),
    };
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
