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

/// All clauses: each is two words that tell of it, its length and its [`Kind`], and then its literals.
#[derive(Clone, Default)]
pub(super) struct Clauses {
    words: Vec<Lit>,
}

/// What is known of a clause beside its literals.
#[derive(Clone, Copy)]
struct Kind {
    learned: bool,
    dropped: bool,
    /// How many levels met in the conflict that it was learned from (Audemard, Simon, IJCAI 2009).
    levels: u32,
}

impl Kind {
    fn read(word: Lit) -> Kind {
        let word = word.index() as u32;
        Kind { learned: word & 1 != 0, dropped: word & 2 != 0, levels: word >> 2 }
    }

    fn word(self) -> Lit {
        Lit::from_index(u32::from(self.learned) | u32::from(self.dropped) << 1 | self.levels << 2)
    }
}

/// The words before a clause's literals.
const HEAD: usize = 2;

impl Clauses {
    fn push(&mut self, lits: &[Lit], learned: bool) -> ClauseRef {
        let clause = ClauseRef(self.words.len() as u32);
        let levels = lits.len() as u32;
        self.words.push(Lit::from_index(levels));
        self.words.push(Kind { learned, dropped: false, levels }.word());
        self.words.extend_from_slice(lits);
        clause
    }

    fn range(&self, clause: ClauseRef) -> std::ops::Range<usize> {
        let start = clause.0 as usize;
        start + HEAD..start + HEAD + self.words[start].index()
    }

    pub fn lits(&self, clause: ClauseRef) -> &[Lit] {
        &self.words[self.range(clause)]
    }

    pub fn lits_mut(&mut self, clause: ClauseRef) -> &mut [Lit] {
        let range = self.range(clause);
        &mut self.words[range]
    }

    fn kind(&self, clause: ClauseRef) -> Kind {
        Kind::read(self.words[clause.0 as usize + 1])
    }

    fn set_kind(&mut self, clause: ClauseRef, kind: Kind) {
        self.words[clause.0 as usize + 1] = kind.word();
    }

    pub fn set_levels(&mut self, clause: ClauseRef, levels: u32) {
        self.set_kind(clause, Kind { levels, ..self.kind(clause) });
    }

    /// All of them, from the oldest on.
    fn iter(&self) -> impl Iterator<Item = ClauseRef> {
        let mut start = 0;
        std::iter::from_fn(move || {
            let clause = ClauseRef(start as u32);
            let length = self.words.get(start)?.index();
            start += HEAD + length;
            Some(clause)
        })
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
            let kind = self.clauses.kind(clause);
            self.learned -= usize::from(kind.learned);
            // At the end of the block the room is had back at once.
            if self.clauses.range(clause).end == self.clauses.words.len() {
                self.clauses.words.truncate(clause.0 as usize);
            } else {
                self.clauses.set_kind(clause, Kind { dropped: true, ..kind });
                self.garbage += 1;
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
            let mut levels: Vec<u32> = self.learned_kinds().map(|k| k.levels).collect();
            levels.sort_unstable();
            worst = levels.get(levels.len() / 2).copied().unwrap_or(0).max(MANY_LEVELS);
            self.max_learned += self.max_learned / 10;
        }
        self.garbage = 0;
        let old = std::mem::take(&mut self.clauses);
        self.watches.iter_mut().for_each(Vec::clear);
        self.learned = 0;
        for clause in old.iter() {
            let (lits, kind) = (old.lits(clause), old.kind(clause));
            let is_bad = kind.learned && kind.levels >= worst && lits.len() > 2;
            if kind.dropped || is_bad || lits.iter().any(|&lit| self.value_of(lit) > 0) {
                continue;
            }
            let open: Vec<Lit> = lits.iter().copied().filter(|&lit| self.value_of(lit) == 0).collect();
            debug_assert!(open.len() > 1, "what follows for good has been propagated");
            let clause = self.attach(&open, kind.learned);
            self.clauses.set_levels(clause, kind.levels);
        }
        for &lit in &self.trail {
            self.reasons[lit.gate()] = ClauseRef::NONE;
        }
    }

    fn learned_kinds(&self) -> impl Iterator<Item = Kind> {
        self.clauses.iter().map(|c| self.clauses.kind(c)).filter(|k| k.learned && !k.dropped)
    }
}

/// A clause over fewer levels is never forgotten.
const MANY_LEVELS: u32 = 3;
