//! Cubes of latches, and which latches matter.

use std::ops::Deref;
use tamis_solver::Lit;

/// A conjunction of literals of latches, in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Cube {
    lits: Box<[Lit]>,
    /// A bit for each literal, so that most cubes that are no part of another are known at once.
    signature: u64,
}

impl Cube {
    /// Whether a literal is in it.
    pub fn contains(&self, lit: Lit) -> bool {
        self.lits.binary_search(&lit).is_ok()
    }

    /// Whether all its literals are in another cube, so that it has all the other's states.
    pub fn is_part_of(&self, other: &Cube) -> bool {
        if self.signature & !other.signature != 0 || self.len() > other.len() {
            return false;
        }
        let mut rest = other.iter();
        self.iter().all(|lit| rest.any(|other| other == lit))
    }

    /// The cube without a literal.
    pub fn without(&self, lit: Lit) -> Cube {
        self.iter().copied().filter(|&l| l != lit).collect()
    }
}

impl Deref for Cube {
    type Target = [Lit];

    fn deref(&self) -> &[Lit] {
        &self.lits
    }
}

impl FromIterator<Lit> for Cube {
    fn from_iter<I: IntoIterator<Item = Lit>>(lits: I) -> Cube {
        let mut lits: Vec<Lit> = lits.into_iter().collect();
        lits.sort_unstable();
        lits.dedup();
        let bit = |lit: &Lit| 1 << ((2 * lit.gate() + usize::from(lit.is_complement())) % 64);
        Cube { signature: lits.iter().map(bit).fold(0, |s: u64, b: u64| s | b), lits: lits.into() }
    }
}

/// How often latches were in clauses, recent ones counting more.
pub(super) struct Activity {
    values: Vec<f64>,
    bump: f64,
}

const GROWTH: f64 = 1.0 / 0.99;
const TOO_LARGE: f64 = 1e100;

impl Activity {
    pub fn new(gates: usize) -> Activity {
        Activity { values: vec![0.0; gates], bump: 1.0 }
    }

    pub fn bump(&mut self, cube: &Cube) {
        for lit in cube.iter() {
            self.values[lit.gate()] += self.bump;
        }
        self.bump *= GROWTH;
        if self.bump > TOO_LARGE {
            self.values.iter_mut().for_each(|v| *v /= TOO_LARGE);
            self.bump = 1.0;
        }
    }

    pub fn compare(&self, a: Lit, b: Lit) -> std::cmp::Ordering {
        self.values[a.gate()].total_cmp(&self.values[b.gate()])
    }

    pub fn sort_ascending(&self, lits: &mut [Lit]) {
        lits.sort_by(|&a, &b| self.compare(a, b));
    }

    pub fn sort_descending(&self, lits: &mut [Lit]) {
        lits.sort_by(|&a, &b| self.compare(b, a));
    }
}
