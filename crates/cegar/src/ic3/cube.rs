//! Cubes, and which of their variables matter. Literals are of latches here, and of predicates where states are abstract
//! ([`explore::ic3`](crate::explore)).

use std::ops::Deref;
use tamis_solver::Lit;

/// What a cube is made of: a variable with a value.
pub(crate) trait Literal: Copy + Ord {
    /// The number of its variable.
    fn variable(self) -> usize;

    /// Whether the variable has to be false.
    fn is_negative(self) -> bool;
}

impl Literal for Lit {
    fn variable(self) -> usize {
        self.gate()
    }

    fn is_negative(self) -> bool {
        self.is_complement()
    }
}

/// A conjunction of literals, in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cube<L = Lit> {
    lits: Box<[L]>,
    /// A bit for each literal, so that most cubes that are no part of another are known at once.
    signature: u64,
}

impl<L: Literal> Cube<L> {
    /// Whether a literal is in it.
    pub fn contains(&self, lit: L) -> bool {
        self.lits.binary_search(&lit).is_ok()
    }

    /// Whether all its literals are in another cube, so that it has all the other's states.
    pub fn is_part_of(&self, other: &Cube<L>) -> bool {
        if self.signature & !other.signature != 0 || self.len() > other.len() {
            return false;
        }
        let mut rest = other.iter();
        self.iter().all(|lit| rest.any(|other| other == lit))
    }

    /// The cube without a literal.
    pub fn without(&self, lit: L) -> Cube<L> {
        self.iter().copied().filter(|&l| l != lit).collect()
    }
}

impl<L> Deref for Cube<L> {
    type Target = [L];

    fn deref(&self) -> &[L] {
        &self.lits
    }
}

impl<L: Literal> FromIterator<L> for Cube<L> {
    fn from_iter<I: IntoIterator<Item = L>>(lits: I) -> Cube<L> {
        let mut lits: Vec<L> = lits.into_iter().collect();
        lits.sort_unstable();
        lits.dedup();
        let bit = |lit: &L| 1 << ((2 * lit.variable() + usize::from(lit.is_negative())) % 64);
        Cube { signature: lits.iter().map(bit).fold(0, |s: u64, b: u64| s | b), lits: lits.into() }
    }
}

/// How often variables were in clauses, recent ones counting more.
pub(crate) struct Activity {
    values: Vec<f64>,
    bump: f64,
}

const GROWTH: f64 = 1.0 / 0.99;
const TOO_LARGE: f64 = 1e100;

impl Activity {
    pub fn new(variables: usize) -> Activity {
        Activity { values: vec![0.0; variables], bump: 1.0 }
    }

    /// Makes room for so many variables.
    pub fn grow(&mut self, variables: usize) {
        self.values.resize(variables.max(self.values.len()), 0.0);
    }

    pub fn bump<L: Literal>(&mut self, cube: &Cube<L>) {
        for lit in cube.iter() {
            self.values[lit.variable()] += self.bump;
        }
        self.bump *= GROWTH;
        if self.bump > TOO_LARGE {
            self.values.iter_mut().for_each(|v| *v /= TOO_LARGE);
            self.bump = 1.0;
        }
    }

    pub fn compare<L: Literal>(&self, a: L, b: L) -> std::cmp::Ordering {
        self.values[a.variable()].total_cmp(&self.values[b.variable()])
    }

    pub fn sort_ascending<L: Literal>(&self, lits: &mut [L]) {
        lits.sort_by(|&a, &b| self.compare(a, b));
    }

    pub fn sort_descending<L: Literal>(&self, lits: &mut [L]) {
        lits.sort_by(|&a, &b| self.compare(b, a));
    }
}
