//! Where formulas read and write arrays.

use crate::op::Op;
use crate::store::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many places of one array are looked at.
const MOST_SITES: usize = 40;

/// The places at which arrays are read and written. Arrays that are made from each other, or equal, are one.
#[derive(Default)]
pub(super) struct Sites {
    seen: FxHashSet<Term>,
    /// For each array one that it goes together with, up to one that stands for all.
    parents: FxHashMap<Term, Term>,
    indices: Vec<(Term, Term)>,
}

impl Sites {
    /// Takes in what formulas do.
    pub fn add(&mut self, terms: &Terms, roots: &[Term]) {
        let seen = &self.seen;
        let new = terms.post_order_until(roots, |t| seen.contains(&t));
        for t in new {
            if !self.seen.insert(t) {
                continue;
            }
            let args = terms.args(t);
            let is_array = |t: Term| terms.array_parts(terms.sort(t)).is_some();
            match terms.op(t) {
                Op::Select => self.indices.push((args[0], args[1])),
                Op::Store => {
                    self.join(t, args[0]);
                    self.indices.push((t, args[1]));
                }
                Op::Ite if is_array(t) => {
                    self.join(t, args[1]);
                    self.join(t, args[2]);
                }
                Op::Eq if is_array(args[0]) => self.join(args[0], args[1]),
                _ => {}
            }
        }
    }

    fn join(&mut self, a: Term, b: Term) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents.insert(a, b);
        }
    }

    fn root(&self, mut array: Term) -> Term {
        while let Some(&parent) = self.parents.get(&array) {
            array = parent;
        }
        array
    }

    /// The places of an array, each once.
    pub fn of(&self, terms: &Terms, array: Term) -> Vec<Term> {
        let sort = terms.sort(array);
        let root = self.root(array);
        let mut seen = FxHashSet::default();
        let of_array = self.indices.iter().filter(|&&(a, _)| terms.sort(a) == sort && self.root(a) == root);
        of_array.map(|&(_, index)| index).filter(|&index| seen.insert(index)).take(MOST_SITES).collect()
    }
}

impl Terms {
    /// The arrays that a formula reads, with the indices.
    pub fn reads(&self, formula: Term) -> Vec<(Term, Term)> {
        let parts = self.post_order(&[formula]);
        let reads = parts.into_iter().filter(|&t| self.op(t) == Op::Select);
        reads.map(|t| (self.args(t)[0], self.args(t)[1])).collect()
    }
}
