//! Clauses in one block of memory, and the lists of those that watch a literal.

use super::{ConeSolver, MAX_GARBAGE};
use crate::circuit::Lit;

/// Where a clause is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ClauseRef(u32);

impl ClauseRef {
    pub const NONE: ClauseRef = ClauseRef(u32::MAX);
}

/// A clause that watches a literal.
#[derive(Clone, Copy)]
pub(super) struct Watch {
    /// Another of the clause's literals: if it is true there is nothing to do.
    pub blocker: Lit,
    /// The clause, and whether it has two literals only.
    clause: u32,
}

const BINARY: u32 = 1 << 31;

impl Watch {
    fn new(blocker: Lit, clause: ClauseRef, binary: bool) -> Watch {
        Watch { blocker, clause: clause.0 | if binary { BINARY } else { 0 } }
    }

    pub fn clause(self) -> ClauseRef {
        ClauseRef(self.clause & !BINARY)
    }

    pub fn is_binary(self) -> bool {
        self.clause & BINARY != 0
    }
}

/// A clause's head: what is known of it beside its literals.
#[derive(Clone, Copy)]
struct Head {
    start: u32,
    length: u32,
    learned: bool,
    dropped: bool,
    /// How many levels met in the conflict that it was learned from (Audemard, Simon, IJCAI 2009).
    levels: u32,
}

/// All clauses.
#[derive(Clone, Default)]
pub(super) struct Clauses {
    heads: Vec<Head>,
    lits: Vec<Lit>,
}

impl Clauses {
    fn push(&mut self, lits: &[Lit], learned: bool) -> ClauseRef {
        let head = Head {
            start: self.lits.len() as u32,
            length: lits.len() as u32,
            learned,
            dropped: false,
            levels: lits.len() as u32,
        };
        self.lits.extend_from_slice(lits);
        self.heads.push(head);
        ClauseRef(self.heads.len() as u32 - 1)
    }

    pub fn lits(&self, clause: ClauseRef) -> &[Lit] {
        let head = &self.heads[clause.0 as usize];
        &self.lits[head.start as usize..][..head.length as usize]
    }

    pub fn lits_mut(&mut self, clause: ClauseRef) -> &mut [Lit] {
        let head = &self.heads[clause.0 as usize];
        &mut self.lits[head.start as usize..][..head.length as usize]
    }

    pub fn set_levels(&mut self, clause: ClauseRef, levels: u32) {
        self.heads[clause.0 as usize].levels = levels;
    }
}

impl ConeSolver {
    /// Adds a clause of two literals or more, watched by its first two.
    pub(super) fn attach(&mut self, lits: &[Lit], learned: bool) -> ClauseRef {
        let clause = self.clauses.push(lits, learned);
        self.watch(clause);
        self.learned += usize::from(learned);
        clause
    }

    fn watch(&mut self, clause: ClauseRef) {
        let lits = self.clauses.lits(clause);
        let (first, second, binary) = (lits[0], lits[1], lits.len() == 2);
        self.watches[first.index()].push(Watch::new(second, clause, binary));
        self.watches[second.index()].push(Watch::new(first, clause, binary));
    }

    /// Drops the clauses that were there for the last question alone, the youngest of all clauses, as far as nothing was
    /// added since.
    pub(super) fn drop_guarded(&mut self) {
        while let Some(clause) = self.guarded.pop() {
            let [first, second] = [0, 1].map(|i| self.clauses.lits(clause)[i]);
            for lit in [first, second] {
                let list = &mut self.watches[lit.index()];
                if let Some(at) = list.iter().rposition(|w| w.clause() == clause) {
                    list.swap_remove(at);
                }
            }
            let head = &mut self.clauses.heads[clause.0 as usize];
            self.learned -= usize::from(head.learned);
            head.dropped = true;
            self.garbage += 1;
            // At the end of the block the room is had back at once.
            while self.clauses.heads.last().is_some_and(|last| last.dropped) {
                let last = self.clauses.heads.pop().map_or(0, |last| last.start);
                self.clauses.lits.truncate(last as usize);
                self.garbage -= 1;
            }
        }
    }

    /// Forgets half of what was learned if that is much, and takes back the room of what was dropped. Nothing may be assigned
    /// but for good.
    pub(super) fn collect(&mut self) {
        let forgets = self.learned > self.max_learned;
        if !forgets && self.garbage <= MAX_GARBAGE {
            return;
        }
        let mut worst = u32::MAX;
        if forgets {
            let mut levels: Vec<u32> = self.learned_heads().map(|h| h.levels).collect();
            levels.sort_unstable();
            worst = levels.get(levels.len() / 2).copied().unwrap_or(0).max(MANY_LEVELS);
            self.max_learned += self.max_learned / 10;
        }
        self.garbage = 0;
        let old = std::mem::take(&mut self.clauses);
        self.watches.iter_mut().for_each(Vec::clear);
        self.learned = 0;
        for head in &old.heads {
            let lits = &old.lits[head.start as usize..][..head.length as usize];
            let forgotten = head.learned && head.levels >= worst && head.length > 2;
            if head.dropped || forgotten || lits.iter().any(|&lit| self.value_of(lit) > 0) {
                continue;
            }
            let open: Vec<Lit> = lits.iter().copied().filter(|&lit| self.value_of(lit) == 0).collect();
            debug_assert!(open.len() > 1, "what follows for good has been propagated");
            let clause = self.attach(&open, head.learned);
            self.clauses.set_levels(clause, head.levels);
        }
        for &lit in &self.trail {
            self.reasons[lit.gate()] = ClauseRef::NONE;
        }
    }

    fn learned_heads(&self) -> impl Iterator<Item = &Head> {
        self.clauses.heads.iter().filter(|h| h.learned && !h.dropped)
    }
}

/// A clause over fewer levels is never forgotten.
const MANY_LEVELS: u32 = 3;
