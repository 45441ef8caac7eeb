//! What a conflict teaches: the clause of the first unique implication point (Marques-Silva, Sakallah, ICCAD 1996), without
//! literals that the others imply.

use super::ConeSolver;
use super::clauses::ClauseRef;
use crate::circuit::Lit;

impl ConeSolver {
    /// Learns from a conflict, takes back what was assigned too early and assigns what follows. `false` if the clause of the
    /// question alone is to blame: there is no assignment, whatever the assumptions.
    pub(super) fn learn(&mut self, conflict: ClauseRef) -> bool {
        let mut clause = self.first_implication_point(conflict);
        self.minimise(&mut clause);
        for &lit in &clause {
            self.seen[lit.gate()] = false;
        }
        self.order.grow();
        if clause[0] == !self.guard && clause.len() == 1 {
            return false;
        }
        // The literal of the highest level but that of the first is watched too.
        let highest = (1..clause.len()).max_by_key(|&i| self.levels[clause[i].gate()]);
        let level = highest.map_or(0, |i| {
            clause.swap(1, i);
            self.levels[clause[1].gate()] as usize
        });
        let levels = self.count_levels(&clause);
        self.backtrack(level);
        let reason = if clause.len() > 1 {
            let learned = self.attach(&clause, true);
            self.clauses.set_levels(learned, levels);
            if clause.contains(&!self.guard) {
                self.guarded.push(learned);
            }
            learned
        } else {
            ClauseRef::NONE
        };
        self.assign(clause[0], reason);
        true
    }

    fn first_implication_point(&mut self, conflict: ClauseRef) -> Vec<Lit> {
        let now = self.starts.len() as u32;
        let mut clause = vec![Lit::TRUE];
        let (mut reason, mut at, mut open) = (conflict, self.trail.len(), 0);
        let mut resolved = None;
        loop {
            for i in 0..self.clauses.lits(reason).len() {
                let lit = self.clauses.lits(reason)[i];
                let gate = lit.gate();
                if resolved == Some(gate) || self.seen[gate] || self.levels[gate] == 0 {
                    continue;
                }
                self.seen[gate] = true;
                self.order.bump(gate);
                if self.levels[gate] == now {
                    open += 1;
                } else {
                    clause.push(lit);
                }
            }
            let lit = loop {
                at -= 1;
                if self.seen[self.trail[at].gate()] {
                    break self.trail[at];
                }
            };
            self.seen[lit.gate()] = false;
            open -= 1;
            if open == 0 {
                clause[0] = !lit;
                return clause;
            }
            resolved = Some(lit.gate());
            reason = self.reasons[lit.gate()];
        }
    }

    /// Leaves out literals whose reason consists of others in the clause.
    fn minimise(&mut self, clause: &mut Vec<Lit>) {
        let mut left_out = Vec::new();
        for &lit in &clause[1..] {
            let gate = lit.gate();
            let reason = self.reasons[gate];
            if reason == ClauseRef::NONE {
                continue;
            }
            let implied = self.clauses.lits(reason).iter().all(|other| {
                other.gate() == gate || self.seen[other.gate()] || self.levels[other.gate()] == 0
            });
            if implied {
                left_out.push(lit);
            }
        }
        // They stay marked until all have been looked at: reasons are older than what they are reasons of.
        clause.retain(|lit| !left_out.contains(lit));
        for lit in left_out {
            self.seen[lit.gate()] = false;
        }
    }

    fn count_levels(&self, clause: &[Lit]) -> u32 {
        let mut levels: Vec<u32> = clause.iter().map(|lit| self.levels[lit.gate()]).collect();
        levels.sort_unstable();
        levels.dedup();
        levels.len() as u32
    }

    /// The assumptions that make another assumption false, and that one.
    pub(super) fn explain_failure(&mut self, assumption: Lit) {
        self.blame(assumption);
        if self.levels[assumption.gate()] == 0 {
            return;
        }
        self.seen[assumption.gate()] = true;
        let first = self.starts.first().copied().unwrap_or(self.trail.len());
        for at in (first..self.trail.len()).rev() {
            let lit = self.trail[at];
            if !std::mem::replace(&mut self.seen[lit.gate()], false) {
                continue;
            }
            let reason = self.reasons[lit.gate()];
            if reason == ClauseRef::NONE {
                self.blame(lit);
                continue;
            }
            for i in 0..self.clauses.lits(reason).len() {
                let gate = self.clauses.lits(reason)[i].gate();
                if gate != lit.gate() && self.levels[gate] > 0 {
                    self.seen[gate] = true;
                }
            }
        }
    }

    fn blame(&mut self, lit: Lit) {
        self.failed[lit.index()] = self.question;
    }
}
