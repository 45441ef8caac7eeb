//! The search: unit propagation, bounds on differences, and conflicts that are learned from ([SMT §2.2]).

use crate::Effort;
use crate::choice::Choice;
use crate::clauses::{Clauses, Lit, Reason, Watch};
use crate::graph::{Graph, Vertex};
use crate::limits;
use crate::lists::Lists;

/// An atom `x - y ≤ bound`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Atom {
    pub x: Vertex,
    pub y: Vertex,
    pub bound: i64,
}

/// How a variable was assigned last.
#[derive(Clone, Copy)]
pub(crate) struct Assigned {
    pub level: u32,
    pub reason: Reason,
    pub value: bool,
}

/// What was there when a level began.
#[derive(Clone, Copy)]
struct Start {
    trail: usize,
    edges: usize,
    frontier: Frontier,
}

/// How far the trail has been looked through for literals that are still to be justified.
#[derive(Clone, Copy, Default)]
pub(crate) struct Frontier {
    at: usize,
    clause: usize,
}

/// The state of the search.
#[derive(Default)]
pub(crate) struct Search {
    pub clauses: Clauses,
    pub graph: Graph,
    /// The atom of each variable, if it has one.
    atoms: Vec<Option<Atom>>,
    /// By literal: 1 if it is true, -1 if it is false.
    pub(crate) values: Vec<i8>,
    pub(crate) assigned: Vec<Assigned>,
    /// How often a variable was in conflicts, recent ones counting more.
    pub(crate) activity: Vec<f64>,
    pub(crate) bump: f64,
    /// By literal: clauses that have to be satisfied when it is true, each with a literal that did so last.
    pub needs: Lists<Watch>,
    pub choices: Vec<Choice>,
    pub(crate) trail: Vec<Lit>,
    starts: Vec<Start>,
    /// How much of the trail has been propagated, and told to the graph.
    propagated: usize,
    told: usize,
    frontier: Frontier,
    pub(crate) seen: Vec<bool>,
    pub learned: Vec<Lit>,
    pub(crate) conflict: Vec<Lit>,
    /// Numbers that are needed for a while, kept for their memory.
    pub(crate) buffer: Vec<u32>,
    /// The facts contradict each other.
    pub refuted: bool,
    pub conflicts: u64,
    pub decisions: u64,
    pub propagations: u64,
    pub(crate) limit: usize,
}

impl Search {
    pub fn new() -> Search {
        let mut search = Search {
            clauses: Clauses::with_capacity(2 * limits::VARIABLES_AT_START),
            atoms: Vec::with_capacity(limits::VARIABLES_AT_START),
            values: Vec::with_capacity(2 * limits::VARIABLES_AT_START),
            assigned: Vec::with_capacity(limits::VARIABLES_AT_START),
            activity: Vec::with_capacity(limits::VARIABLES_AT_START),
            needs: Lists::with_capacity(2 * limits::VARIABLES_AT_START, 4 * limits::VARIABLES_AT_START),
            trail: Vec::with_capacity(limits::VARIABLES_AT_START),
            seen: Vec::with_capacity(limits::VARIABLES_AT_START),
            bump: 1.0,
            limit: 4000,
            ..Search::default()
        };
        let constant = search.variable();
        search.assign(Lit::new(constant, true), Reason::None);
        search
    }

    pub fn variable(&mut self) -> u32 {
        let variable = self.assigned.len() as u32;
        self.assigned.push(Assigned { level: 0, reason: Reason::None, value: false });
        self.activity.push(0.0);
        self.atoms.push(None);
        self.seen.push(false);
        for _ in 0..2 {
            self.values.push(0);
            self.clauses.watches.add();
            self.clauses.implied.add();
            self.needs.add();
        }
        variable
    }

    pub fn variables(&self) -> usize {
        self.assigned.len()
    }

    pub fn atom(&self, variable: u32) -> Option<Atom> {
        self.atoms[variable as usize]
    }

    pub fn set_atom(&mut self, variable: u32, atom: Atom) {
        self.atoms[variable as usize] = Some(atom);
    }

    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.values[lit.index()] {
            0 => None,
            value => Some(value > 0),
        }
    }

    pub(crate) fn is_true(&self, lit: Lit) -> bool {
        self.values[lit.index()] > 0
    }

    pub(crate) fn is_false(&self, lit: Lit) -> bool {
        self.values[lit.index()] < 0
    }

    pub fn level(&self) -> usize {
        self.starts.len()
    }

    pub fn level_of(&self, lit: Lit) -> usize {
        self.assigned[lit.var() as usize].level as usize
    }

    /// The value to try first.
    pub fn preferred(&self, lit: Lit) -> Lit {
        Lit::new(lit.var(), self.assigned[lit.var() as usize].value)
    }

    #[inline]
    pub(crate) fn assign(&mut self, lit: Lit, reason: Reason) {
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.assigned[lit.var() as usize] =
            Assigned { level: self.starts.len() as u32, reason, value: lit.is_positive() };
        self.trail.push(lit);
    }

    /// Opens a level, with a decision if there is one.
    pub fn decide(&mut self, lit: Option<Lit>) {
        let start = Start { trail: self.trail.len(), edges: self.graph.len(), frontier: self.frontier };
        self.starts.push(start);
        if let Some(lit) = lit {
            self.decisions += 1;
            self.assign(lit, Reason::None);
        }
    }

    /// Goes back to a level.
    pub fn backtrack(&mut self, level: usize) {
        let Some(&start) = self.starts.get(level) else { return };
        self.starts.truncate(level);
        for lit in self.trail.drain(start.trail..) {
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
        }
        self.graph.truncate(start.edges);
        self.propagated = start.trail;
        self.told = start.trail;
        self.frontier = start.frontier;
    }

    /// Adds a clause for good, at level 0. Returns its number if it has more than two literals that are open.
    pub fn add_clause(&mut self, lits: &[Lit]) -> Option<u32> {
        debug_assert_eq!(self.level(), 0);
        let mut clause = std::mem::take(&mut self.learned);
        clause.clear();
        clause.extend(lits.iter().copied().filter(|&lit| !self.is_false(lit)));
        clause.sort_unstable();
        clause.dedup();
        let tautology = clause.windows(2).any(|pair| pair[0] == !pair[1]);
        let mut number = None;
        if !tautology && !clause.iter().any(|&lit| self.is_true(lit)) {
            match clause[..] {
                [] => self.refuted = true,
                [unit] => self.assign(unit, Reason::None),
                [a, b] => self.clauses.add_binary(a, b),
                _ => number = Some(self.clauses.add(&clause, 0, 0)),
            }
        }
        self.learned = clause;
        number
    }

    /// As [`add_clause`](Search::add_clause), for a clause of which more than propagation has to see to that it is satisfied
    /// while `lit` is true.
    pub fn add_need(&mut self, lit: Lit, lits: &[Lit]) {
        match self.add_clause(lits) {
            Some(clause) => self.needs.push(lit.index(), Watch { blocker: lits[0], clause }),
            None => {
                let mut open = lits.iter().copied().filter(|&l| self.value(l).is_none());
                let (first, second, third) = (open.next(), open.next(), open.next());
                let (Some(a), Some(b), None) = (first, second, third) else { return };
                // Of two literals without `lit`, propagation does not choose one.
                if ![a, b].contains(&!lit) && !lits.iter().any(|&l| self.is_true(l)) {
                    let clause = self.clauses.add(&[a, b], 0, 0);
                    self.needs.push(lit.index(), Watch { blocker: a, clause });
                }
            }
        }
    }

    /// Propagates until nothing follows any more. A conflict is left in `conflict`: literals that are all false.
    pub fn propagate(&mut self) -> bool {
        loop {
            if !self.propagate_clauses() {
                return false;
            }
            while self.told < self.trail.len() {
                let lit = self.trail[self.told];
                self.told += 1;
                let Some(Atom { x, y, bound }) = self.atoms[lit.var() as usize] else { continue };
                let result = if lit.is_positive() {
                    self.graph.assert(x, y, bound, lit)
                } else {
                    self.graph.assert(y, x, -bound - 1, lit)
                };
                if let Err(cycle) = result {
                    self.conflict.clear();
                    self.conflict.extend(cycle.into_iter().map(|lit| !lit));
                    self.keep_lemma();
                    return false;
                }
            }
            if self.propagated == self.trail.len() {
                return true;
            }
        }
    }

    /// Makes a clause of a conflict of bounds or choices, so that it is not met again soon.
    pub fn keep_lemma(&mut self) {
        let mut lemma = self.conflict.clone();
        if lemma.len() > limits::LEMMA_LENGTH {
            return;
        }
        lemma.sort_unstable_by_key(|&lit| std::cmp::Reverse(self.level_of(lit)));
        match lemma[..] {
            [] | [_] => {}
            [a, b] => self.clauses.add_binary(a, b),
            _ => drop(self.clauses.add(&lemma, 2, self.conflicts as u32)),
        }
    }

    fn propagate_clauses(&mut self) -> bool {
        while self.propagated < self.trail.len() {
            let falsified = !self.trail[self.propagated];
            self.propagated += 1;
            self.propagations += 1;
            if !self.propagate_binary(falsified) || !self.propagate_longer(falsified) {
                return false;
            }
        }
        true
    }

    /// What follows from clauses of two when a literal is false.
    fn propagate_binary(&mut self, falsified: Lit) -> bool {
        for place in self.clauses.implied.places(falsified.index()) {
            let lit = self.clauses.implied.at(place);
            match self.values[lit.index()] {
                0 => self.assign(lit, Reason::Binary(falsified)),
                value if value > 0 => {}
                _ => {
                    self.set_conflict(&[lit, falsified]);
                    return false;
                }
            }
        }
        true
    }

    /// The same for longer clauses.
    fn propagate_longer(&mut self, falsified: Lit) -> bool {
        let places = self.clauses.watches.places(falsified.index());
        let mut kept = places.start;
        let mut at = places.start;
        let mut fine = true;
        while at < places.end {
            let watch = self.clauses.watches.at(at);
            at += 1;
            if self.values[watch.blocker.index()] > 0 {
                self.clauses.watches.set(kept, watch);
                kept += 1;
                continue;
            }
            let lits = self.clauses.lits_mut(watch.clause);
            if lits[0] == falsified {
                lits.swap(0, 1);
            }
            let first = lits[0];
            let new = Watch { blocker: first, clause: watch.clause };
            if first != watch.blocker && self.values[first.index()] > 0 {
                self.clauses.watches.set(kept, new);
                kept += 1;
                continue;
            }
            let values = &self.values;
            if let Some(other) = lits[2..].iter().position(|lit| values[lit.index()] >= 0) {
                lits.swap(1, 2 + other);
                let watched = lits[1];
                self.clauses.watches.push(watched.index(), new);
                continue;
            }
            fine = self.values[first.index()] == 0;
            if !fine {
                self.conflict.clear();
                self.conflict.extend_from_slice(lits);
            }
            self.clauses.watches.set(kept, new);
            kept += 1;
            self.clauses.set_used(watch.clause, self.conflicts as u32);
            if !fine {
                break;
            }
            self.assign(first, Reason::Clause(watch.clause));
        }
        self.clauses.watches.drop_between(falsified.index(), kept, at);
        fine
    }

    /// The next literal to decide so that a clause is satisfied that has to be.
    pub fn unjustified(&mut self) -> Option<Lit> {
        while let Some(&lit) = self.trail.get(self.frontier.at) {
            let places = self.needs.places(lit.index());
            while self.frontier.clause < places.len() {
                let place = places.start + self.frontier.clause;
                let need = self.needs.at(place);
                if self.values[need.blocker.index()] <= 0 {
                    let lits = self.clauses.lits(need.clause);
                    match lits.iter().find(|lit| self.values[lit.index()] > 0) {
                        Some(&blocker) => self.needs.set(place, Watch { blocker, ..need }),
                        None => return self.choice(lits),
                    }
                }
                self.frontier.clause += 1;
            }
            self.frontier = Frontier { at: self.frontier.at + 1, clause: 0 };
        }
        None
    }

    /// Of open literals the one that was true last, or else the one that mattered most.
    fn choice(&self, lits: &[Lit]) -> Option<Lit> {
        let open = || lits.iter().copied().filter(|&lit| self.values[lit.index()] == 0);
        let last = |lit: &Lit| self.assigned[lit.var() as usize].value == lit.is_positive();
        open().find(last).or_else(|| {
            let activity = |lit: &Lit| self.activity[lit.var() as usize];
            open().reduce(|a, b| if activity(&b) > activity(&a) { b } else { a })
        })
    }

    /// Forgets, at level 0, all clauses that have `passing`.
    pub fn drop_passing(&mut self, passing: Lit) {
        debug_assert_eq!(self.level(), 0);
        self.clauses.drop_passing(passing);
        self.frontier = Frontier::default();
    }

    /// What this search took so far.
    pub fn effort(&self) -> Effort {
        let &Search { conflicts, decisions, propagations, .. } = self;
        Effort { searches: 0, models: 0, conflicts, decisions, propagations }
    }

    /// Begins anew at level 0.
    pub fn restart(&mut self) {
        self.backtrack(0);
        self.frontier = Frontier::default();
    }
}
