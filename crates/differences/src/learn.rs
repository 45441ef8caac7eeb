//! Conflicts: what is learned from them, and what is forgotten again. The blocking clause of a model is one of them
//! ([SMT §3.1]).

use crate::clauses::{Clauses, Lit, Reason};
use crate::search::Search;

impl Search {
    /// Takes literals that are all false for a conflict.
    pub fn set_conflict(&mut self, lits: &[Lit]) {
        self.conflict.clear();
        self.conflict.extend_from_slice(lits);
    }

    /// Learns from the conflict and goes back; `false` if nothing is left. Clauses that have `passing` can be dropped with it.
    pub fn resolve(&mut self, passing: Lit) -> bool {
        self.conflicts += 1;
        let top = self.conflict.iter().map(|&lit| self.level_of(lit)).max().unwrap_or(0);
        if top == 0 {
            self.refuted = true;
            return false;
        }
        self.backtrack(top);
        self.analyze();
        let back = self.learned[1..].iter().map(|&lit| self.level_of(lit)).max().unwrap_or(0);
        self.backtrack(back);
        let learned = std::mem::take(&mut self.learned);
        let asserted = learned[0];
        let reason = match learned[..] {
            [_] => Reason::None,
            [a, b] => {
                self.clauses.add_binary(a, b);
                if learned.contains(&passing) {
                    self.clauses.passing.push((a, b));
                }
                Reason::Binary(b)
            }
            _ => {
                let spread = self.spread(&learned);
                Reason::Clause(self.clauses.add(&learned, spread, self.conflicts as u32))
            }
        };
        self.assign(asserted, reason);
        self.learned = learned;
        self.bump *= 1.0 / 0.95;
        if self.bump > 1e100 {
            self.activity.iter_mut().for_each(|activity| *activity *= 1e-100);
            self.bump *= 1e-100;
        }
        if self.clauses.learned.len() > self.limit {
            self.reduce();
        }
        true
    }

    fn spread(&mut self, lits: &[Lit]) -> u32 {
        let levels = &mut self.buffer;
        levels.clear();
        levels.extend(lits.iter().map(|lit| self.assigned[lit.var() as usize].level));
        levels.sort_unstable();
        levels.dedup();
        levels.len() as u32
    }

    /// The clause of the first unique implication point, the literal that it asserts first and the latest other one second.
    fn analyze(&mut self) {
        let level = self.level();
        let mut learned = std::mem::take(&mut self.learned);
        learned.clear();
        learned.push(Lit::TRUE);
        let mut marked = std::mem::take(&mut self.buffer);
        marked.clear();
        let mut open = 0;
        let mut at = self.trail.len();
        let mut lits = std::mem::take(&mut self.conflict);
        loop {
            for &lit in &lits {
                let var = lit.var() as usize;
                if self.seen[var] || self.assigned[var].level == 0 {
                    continue;
                }
                self.seen[var] = true;
                marked.push(lit.var());
                self.activity[var] += self.bump;
                if self.assigned[var].level as usize == level {
                    open += 1;
                } else {
                    learned.push(lit);
                }
            }
            let lit = loop {
                at -= 1;
                if self.seen[self.trail[at].var() as usize] {
                    break self.trail[at];
                }
            };
            open -= 1;
            if open == 0 {
                learned[0] = !lit;
                break;
            }
            lits.clear();
            self.extend_with_reason(lit, &mut lits);
        }
        self.conflict = lits;
        // What follows from the others is left out.
        let mut kept = 1;
        for i in 1..learned.len() {
            if !self.is_redundant(!learned[i]) {
                learned[kept] = learned[i];
                kept += 1;
            }
        }
        learned.truncate(kept);
        marked.iter().for_each(|&var| self.seen[var as usize] = false);
        self.buffer = marked;
        if let Some(second) = (1..learned.len()).max_by_key(|&i| self.level_of(learned[i])) {
            learned.swap(1, second);
        }
        self.learned = learned;
    }

    /// Whether all that a true literal follows from has been seen, or is a fact.
    fn is_redundant(&self, lit: Lit) -> bool {
        let known =
            |other: &Lit| self.seen[other.var() as usize] || self.assigned[other.var() as usize].level == 0;
        match self.assigned[lit.var() as usize].reason {
            Reason::None => false,
            Reason::Binary(other) => known(&other),
            Reason::Clause(clause) => self.clauses.lits(clause)[1..].iter().all(known),
        }
    }

    fn extend_with_reason(&self, lit: Lit, lits: &mut Vec<Lit>) {
        match self.assigned[lit.var() as usize].reason {
            Reason::None => {}
            Reason::Binary(other) => lits.push(other),
            Reason::Clause(clause) => lits.extend_from_slice(&self.clauses.lits(clause)[1..]),
        }
    }

    /// Drops the half of the learned clauses that has been of least use.
    fn reduce(&mut self) {
        let worth = |clauses: &Clauses, number: u32| (clauses.spread(number) <= 2, clauses.used(number));
        let mut order: Vec<(bool, u32)> =
            self.clauses.learned.iter().map(|&number| worth(&self.clauses, number)).collect();
        let middle = order.len() / 2;
        let (_, &mut limit, _) = order.select_nth_unstable(middle);
        let (values, assigned) = (&self.values, &self.assigned);
        self.clauses.drop_learned(|clauses, number| {
            let first = clauses.lits(number)[0];
            let is_reason =
                values[first.index()] > 0 && assigned[first.var() as usize].reason == Reason::Clause(number);
            is_reason || worth(clauses, number) >= limit
        });
        self.limit += self.limit / 10;
    }
}

/// Blocking what has been found, for the time of an enumeration.
impl Search {
    /// Adds a clause whose literals are all false, until [`drop_passing`](Search::drop_passing).
    pub fn block(&mut self, lits: &[Lit]) {
        let mut clause = lits.to_vec();
        clause.sort_unstable();
        clause.dedup();
        clause.sort_by_key(|&lit| std::cmp::Reverse(self.level_of(lit)));
        self.add_passing(&clause);
    }

    /// As [`block`](Search::block), as long as the clause is of use.
    pub fn block_for_now(&mut self, lits: &[Lit]) {
        let mut clause = lits.to_vec();
        clause.retain(|&lit| self.level_of(lit) > 0);
        clause.sort_unstable();
        clause.dedup();
        clause.sort_by_key(|&lit| std::cmp::Reverse(self.level_of(lit)));
        if clause.len() > 2 {
            self.clauses.add(&clause, clause.len() as u32, self.conflicts as u32);
        }
    }

    /// Adds a clause of three or more, the first two of which are watched as they are, until
    /// [`drop_passing`](Search::drop_passing).
    pub fn block_as_it_is(&mut self, lits: &[Lit]) -> u32 {
        let number = self.clauses.add(lits, 0, 0);
        self.clauses.blocking.push(number);
        number
    }

    /// Adds a clause at level 0, until [`drop_passing`](Search::drop_passing). Its first literal is open.
    pub fn block_from_start(&mut self, lits: &[Lit]) {
        debug_assert_eq!(self.level(), 0);
        let mut clause: Vec<Lit> = lits.iter().copied().filter(|&lit| !self.is_false(lit)).collect();
        clause.sort_unstable();
        clause.dedup();
        let tautology = clause.windows(2).any(|pair| pair[0] == !pair[1]);
        if !tautology && !clause.iter().any(|&lit| self.is_true(lit)) {
            self.add_passing(&clause);
        }
    }

    /// As [`block`](Search::block), for literals that are in order: open ones first, and then the latest.
    pub fn add_passing(&mut self, clause: &[Lit]) {
        match *clause {
            // The activation alone: nothing is left.
            [] => self.refuted = true,
            [unit] if self.level() == 0 => self.assign(unit, Reason::None),
            [_] => {}
            [a, b] => {
                self.clauses.add_binary(a, b);
                self.clauses.passing.push((a, b));
            }
            _ => {
                let number = self.clauses.add(clause, 0, 0);
                self.clauses.blocking.push(number);
            }
        }
    }
}
