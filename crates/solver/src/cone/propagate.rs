//! Assignments and what follows from them.

use super::ConeSolver;
use super::clauses::ClauseRef;
use crate::circuit::Lit;

impl ConeSolver {
    pub(super) fn value_of(&self, lit: Lit) -> i8 {
        self.values[lit.index()]
    }

    pub(super) fn assign(&mut self, lit: Lit, reason: ClauseRef) {
        debug_assert_eq!(self.value_of(lit), 0);
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        let gate = lit.gate();
        self.levels[gate] = self.starts.len() as u32;
        self.reasons[gate] = reason;
        self.trail.push(lit);
    }

    /// Takes back all assignments above a level.
    pub(super) fn backtrack(&mut self, level: usize) {
        let Some(&start) = self.starts.get(level) else { return };
        for i in (start..self.trail.len()).rev() {
            self.order.insert_if_touched(self.trail[i].gate());
        }
        self.take_back(level);
    }

    /// Takes back all assignments but those for good, at the end of a search.
    pub(super) fn reset(&mut self) {
        self.take_back(0);
        // What was learned for good may have made the question's clause impossible. Nothing follows from that.
        if self.value_of(self.guard) < 0 {
            self.values[self.guard.index()] = 0;
            self.values[(!self.guard).index()] = 0;
            self.propagated = self.trail.len() - 1;
            self.trail.retain(|&lit| lit != !self.guard);
        }
    }

    fn take_back(&mut self, level: usize) {
        let Some(&start) = self.starts.get(level) else { return };
        for lit in self.trail.drain(start..) {
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            self.phases[lit.gate()] = !lit.is_complement();
        }
        self.starts.truncate(level);
        self.leaf = self.assigned_leaves[level];
        self.assigned_leaves.truncate(level);
        self.propagated = start;
    }

    /// Whether a literal that follows is assigned: beyond the cone only what follows for good.
    fn concerns(&self, lit: Lit) -> bool {
        self.starts.is_empty() || self.cone[lit.gate()] == self.question
    }

    /// Unit propagation; a clause all of whose literals are false, if there is one.
    pub(super) fn propagate(&mut self) -> Option<ClauseRef> {
        while let Some(&lit) = self.trail.get(self.propagated) {
            self.propagated += 1;
            let falsified = !lit;
            let mut list = std::mem::take(&mut self.watches[falsified.index()]);
            let conflict = self.visit(falsified, &mut list);
            self.watches[falsified.index()] = list;
            if conflict.is_some() {
                self.propagated = self.trail.len();
                return conflict;
            }
        }
        None
    }

    fn visit(&mut self, falsified: Lit, list: &mut Vec<super::Watch>) -> Option<ClauseRef> {
        let (mut read, mut kept) = (0, 0);
        let mut conflict = None;
        'clauses: while read < list.len() {
            let mut watch = list[read];
            read += 1;
            let blocked = self.value_of(watch.blocker);
            // What is open and not in the cone stays so: the clause is of no use in this question. Most are not.
            if blocked == 0 && !self.concerns(watch.blocker) {
                list[kept] = watch;
                kept += 1;
                continue;
            }
            if blocked <= 0 && !watch.is_binary() {
                let values = &self.values;
                let lits = self.clauses.lits_mut(watch.clause());
                if lits[0] == falsified {
                    lits.swap(0, 1);
                }
                let first = lits[0];
                watch.blocker = first;
                if values[first.index()] <= 0 {
                    for i in 2..lits.len() {
                        if values[lits[i].index()] >= 0 {
                            lits.swap(1, i);
                            let watched = lits[1];
                            self.watches[watched.index()].push(watch);
                            continue 'clauses;
                        }
                    }
                }
            }
            list[kept] = watch;
            kept += 1;
            match self.value_of(watch.blocker) {
                1.. => {}
                0 => {
                    if self.concerns(watch.blocker) {
                        self.assign(watch.blocker, watch.clause());
                    }
                }
                _ => {
                    conflict = Some(watch.clause());
                    break;
                }
            }
        }
        list.copy_within(read.., kept);
        list.truncate(kept + list.len() - read);
        conflict
    }
}
