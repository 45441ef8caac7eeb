//! Literals, clauses, and where they are watched.

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Lit(u32);

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
pub(super) enum Reason {
    /// It was decided, or is a fact.
    None,
    /// A clause of two, the other of which is false.
    Binary(Lit),
    /// The clause with this number, in which it stands first.
    Clause(u32),
}

/// A clause of three or more literals, the first two of which are watched.
pub(super) struct Clause {
    pub lits: Box<[Lit]>,
    /// How many levels its literals were on when it was learned; 0 if it was not.
    pub spread: u32,
    /// When it was last of use.
    pub used: u32,
}

/// A place where a literal's falsehood has to be noticed.
#[derive(Clone, Copy)]
pub(super) struct Watch {
    /// If this holds there is nothing to do; of a clause of two, the other literal.
    pub blocker: Lit,
    /// The clause's number; [`BINARY`] for one of two.
    pub clause: u32,
}

pub(super) const BINARY: u32 = u32::MAX;

/// All clauses.
#[derive(Default)]
pub(super) struct Clauses {
    pub all: Vec<Option<Clause>>,
    free: Vec<u32>,
    /// By the literal that becomes false.
    pub watches: Vec<Vec<Watch>>,
    /// The numbers of learned clauses.
    pub learned: Vec<u32>,
    /// Clauses of two that hold while something is blocked, and longer ones that block.
    pub passing: Vec<(Lit, Lit)>,
    pub blocking: Vec<u32>,
    ended: Vec<u32>,
}

impl Clauses {
    pub fn lits(&self, clause: u32) -> &[Lit] {
        self.all[clause as usize].as_ref().map_or(&[], |clause| &clause.lits)
    }

    /// Adds a clause of two.
    pub fn add_binary(&mut self, a: Lit, b: Lit) {
        self.watches[a.index()].push(Watch { blocker: b, clause: BINARY });
        self.watches[b.index()].push(Watch { blocker: a, clause: BINARY });
    }

    /// Adds that `a` implies `b`, to be noticed when `a` becomes true and not when `b` becomes false.
    pub fn add_implication(&mut self, a: Lit, b: Lit) {
        self.watches[(!a).index()].push(Watch { blocker: b, clause: BINARY });
    }

    /// Adds a clause of three or more; `spread` is 0 if it is to stay.
    pub fn add(&mut self, lits: &[Lit], spread: u32, used: u32) -> u32 {
        let clause = Clause { lits: lits.into(), spread, used };
        let number = match self.free.pop() {
            Some(number) => {
                self.all[number as usize] = Some(clause);
                number
            }
            None => {
                self.all.push(Some(clause));
                self.all.len() as u32 - 1
            }
        };
        self.watches[lits[0].index()].push(Watch { blocker: lits[1], clause: number });
        self.watches[lits[1].index()].push(Watch { blocker: lits[0], clause: number });
        if spread > 0 {
            self.learned.push(number);
        }
        number
    }

    /// Drops the learned clauses that are not `kept`.
    pub fn drop_learned(&mut self, mut kept: impl FnMut(u32, &Clause) -> bool) {
        let mut dropped = false;
        for number in std::mem::take(&mut self.ended) {
            self.all[number as usize] = None;
            self.free.push(number);
            dropped = true;
        }
        let learned = std::mem::take(&mut self.learned);
        for number in learned {
            let stays = self.all[number as usize].as_ref().is_some_and(|clause| kept(number, clause));
            if stays {
                self.learned.push(number);
            } else {
                self.all[number as usize] = None;
                self.free.push(number);
                dropped = true;
            }
        }
        if dropped {
            let all = &self.all;
            for watches in &mut self.watches {
                watches.retain(|watch| watch.clause == BINARY || all[watch.clause as usize].is_some());
            }
        }
    }

    /// Drops all clauses that have `lit`.
    pub fn drop_passing(&mut self, lit: Lit) {
        self.ended = std::mem::take(&mut self.blocking);
        self.drop_learned(|_, clause| !clause.lits.contains(&lit));
        for (a, b) in std::mem::take(&mut self.passing) {
            debug_assert!(a == lit || b == lit);
            for (at, other) in [(a, b), (b, a)] {
                self.watches[at.index()].retain(|watch| watch.clause != BINARY || watch.blocker != other);
            }
        }
    }
}
