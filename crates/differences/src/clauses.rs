//! Literals, clauses, and where they are watched.

use crate::lists::Lists;

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Lit(u32);

impl Lit {
    /// Variable 0 is true.
    pub const TRUE: Lit = Lit(0);
    pub const FALSE: Lit = Lit(1);

    pub fn new(var: u32, positive: bool) -> Lit {
        Lit(var << 1 | u32::from(!positive))
    }

    pub fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    pub fn var(self) -> u32 {
        self.0 >> 1
    }

    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// The literal, or its negation.
    pub fn flip_if(self, flip: bool) -> Lit {
        Lit(self.0 ^ u32::from(flip))
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// Why a literal is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reason {
    /// It was decided, or is a fact.
    None,
    /// A clause of two, the other of which is false.
    Binary(Lit),
    /// This clause, in which it stands first.
    Clause(u32),
}

/// A clause in which a literal's falsehood has to be noticed.
#[derive(Clone, Copy)]
pub(crate) struct Watch {
    /// If this holds there is nothing to do.
    pub blocker: Lit,
    /// The clause's number.
    pub clause: u32,
}

/// Clauses of two, and of three or more literals, the first two of which are watched.
///
/// Literals lie in one piece of memory, each clause's after three words about it: a search that looks at millions of clauses
/// waits for memory most of the time. A clause's number is the place of its first literal. What is dropped leaves its place
/// to a clause of the same length.
#[derive(Default)]
pub(crate) struct Clauses {
    memory: Vec<Lit>,
    /// By length, places that are free.
    free: Vec<Vec<u32>>,
    /// By the literal that becomes false, the longer clauses that watch it.
    pub watches: Lists<Watch>,
    /// By the literal that becomes false, what follows by a clause of two.
    pub implied: Lists<Lit>,
    /// The numbers of learned clauses.
    pub learned: Vec<u32>,
    /// Clauses of two that hold while something is blocked, and longer ones that block.
    pub passing: Vec<(Lit, Lit)>,
    pub blocking: Vec<u32>,
    ended: Vec<u32>,
}

/// The words before a clause: how many levels its literals were on when it was learned, 0 if it was not; when it was last of
/// use; its length.
const SPREAD: usize = 3;
const USED: usize = 2;
const LENGTH: usize = 1;
/// The spread of a clause that has been dropped.
const DROPPED: u32 = u32::MAX;

impl Clauses {
    /// No clauses yet, and room for those of so many literals.
    pub fn with_capacity(lits: usize) -> Clauses {
        Clauses {
            memory: Vec::with_capacity(8 * lits),
            watches: Lists::with_capacity(lits, 8 * lits),
            implied: Lists::with_capacity(lits, 4 * lits),
            ..Clauses::default()
        }
    }

    pub fn lits(&self, clause: u32) -> &[Lit] {
        let at = clause as usize;
        &self.memory[at..at + self.memory[at - LENGTH].0 as usize]
    }

    pub fn lits_mut(&mut self, clause: u32) -> &mut [Lit] {
        let at = clause as usize;
        let length = self.memory[at - LENGTH].0 as usize;
        &mut self.memory[at..at + length]
    }

    pub fn spread(&self, clause: u32) -> u32 {
        self.memory[clause as usize - SPREAD].0
    }

    pub fn used(&self, clause: u32) -> u32 {
        self.memory[clause as usize - USED].0
    }

    pub fn set_used(&mut self, clause: u32, used: u32) {
        self.memory[clause as usize - USED].0 = used;
    }

    /// Adds a clause of two.
    pub fn add_binary(&mut self, a: Lit, b: Lit) {
        self.implied.push(a.index(), b);
        self.implied.push(b.index(), a);
    }

    /// Adds that a literal implies others, to be noticed when it becomes true and not when one of them becomes false.
    pub fn add_implications(&mut self, lit: Lit, others: &[Lit]) {
        self.implied.extend((!lit).index(), others);
    }

    /// Adds a clause of three or more; `spread` is 0 if it is to stay.
    pub fn add(&mut self, lits: &[Lit], spread: u32, used: u32) -> u32 {
        let head = [Lit(spread), Lit(used), Lit(lits.len() as u32)];
        let number = match self.free.get_mut(lits.len()).and_then(Vec::pop) {
            Some(number) => {
                let at = number as usize;
                self.memory[at - head.len()..at].copy_from_slice(&head);
                self.memory[at..at + lits.len()].copy_from_slice(lits);
                number
            }
            None => {
                self.memory.extend_from_slice(&head);
                let number = self.memory.len() as u32;
                self.memory.extend_from_slice(lits);
                number
            }
        };
        self.watches.push(lits[0].index(), Watch { blocker: lits[1], clause: number });
        self.watches.push(lits[1].index(), Watch { blocker: lits[0], clause: number });
        if spread > 0 {
            self.learned.push(number);
        }
        number
    }

    /// Drops the learned clauses that are not `kept`.
    pub fn drop_learned(&mut self, mut kept: impl FnMut(&Clauses, u32) -> bool) {
        let mut dropped = std::mem::take(&mut self.ended);
        for number in std::mem::take(&mut self.learned) {
            let list = if kept(self, number) { &mut self.learned } else { &mut dropped };
            list.push(number);
        }
        if dropped.is_empty() {
            return;
        }
        for &number in &dropped {
            self.memory[number as usize - SPREAD].0 = DROPPED;
        }
        let memory = &self.memory;
        let stays = |watch: &Watch| memory[watch.clause as usize - SPREAD].0 != DROPPED;
        self.watches.retain_all(stays);
        for number in dropped {
            let length = self.memory[number as usize - LENGTH].0 as usize;
            if self.free.len() <= length {
                self.free.resize_with(length + 1, Vec::new);
            }
            self.free[length].push(number);
        }
    }

    /// Drops all clauses that have `lit`.
    pub fn drop_passing(&mut self, lit: Lit) {
        self.ended = std::mem::take(&mut self.blocking);
        self.drop_learned(|clauses, number| !clauses.lits(number).contains(&lit));
        for (a, b) in std::mem::take(&mut self.passing) {
            debug_assert!(a == lit || b == lit);
            for (at, other) in [(a, b), (b, a)] {
                self.implied.retain(at.index(), |&implied| implied != other);
            }
        }
    }
}
