//! Which cubes have a literal, as bits: what holds of all literals of a cube is found by one operation for each literal that
//! there is, not by one for each literal of each cube. Without it, OOO, set_union and BRP take 1.4 times as long
//! with cubes, the other families of `bench/paq` at most 1.3; with models none changes by more than a tenth.

use crate::clauses::Lit;
use crate::limits;
use std::sync::Arc;

/// For each literal, the cubes that have it.
pub(crate) struct Rows {
    pub lits: Vec<Lit>,
    /// Those of one literal after the other. Bits beyond the last cube are set.
    bits: Vec<u64>,
    words: usize,
    cubes: usize,
}

impl Rows {
    /// `None` if there would be too many.
    pub fn new(cubes: &[(Lit, Arc<[Lit]>)], variables: usize) -> Option<Rows> {
        let words = cubes.len().div_ceil(64);
        let mut rows = Rows { lits: Vec::new(), bits: Vec::new(), words, cubes: cubes.len() };
        let beyond = rows.beyond();
        let mut row_of = vec![usize::MAX; 2 * variables];
        for (at, (_, cube)) in cubes.iter().enumerate() {
            for &lit in cube.iter() {
                let row = &mut row_of[lit.index()];
                if *row == usize::MAX {
                    if rows.bits.len() + words > limits::CHOICE_WORDS {
                        return None;
                    }
                    *row = rows.bits.len();
                    rows.bits.resize(rows.bits.len() + words - 1, 0);
                    rows.bits.push(beyond);
                    rows.lits.push(lit);
                }
                rows.bits[*row + at / 64] |= 1 << (at % 64);
            }
        }
        Some(rows)
    }

    /// The bits of the last word that are beyond the last cube.
    fn beyond(&self) -> u64 {
        match self.cubes % 64 {
            0 => 0,
            used => u64::MAX << used,
        }
    }

    /// The bits of a row that no cube is in.
    fn no_cubes(&self) -> Vec<u64> {
        let mut bits = vec![0; self.words];
        if let Some(last) = bits.last_mut() {
            *last = self.beyond();
        }
        bits
    }

    /// The cubes that have the literal at a place.
    pub fn row(&self, at: usize) -> &[u64] {
        &self.bits[at * self.words..][..self.words]
    }

    /// The places of cubes all of whose literals are `allowed`.
    pub fn within(&self, allowed: impl Fn(Lit) -> bool) -> Vec<usize> {
        let mut out = self.no_cubes();
        for (at, _) in self.lits.iter().enumerate().filter(|(_, lit)| !allowed(**lit)) {
            out.iter_mut().zip(self.row(at)).for_each(|(out, bits)| *out |= bits);
        }
        places_left(&out)
    }

    /// Literals that are `offered` of which each cube has one, as far as possible, each the one that most cubes have that
    /// were without, or the one of lowest rank; and the cubes that have none.
    pub fn covering(
        &self,
        offered: impl Fn(Lit) -> bool,
        rank: impl Fn(Lit) -> usize,
    ) -> (Vec<Lit>, Vec<usize>) {
        let offered: Vec<usize> = (0..self.lits.len()).filter(|&at| offered(self.lits[at])).collect();
        let mut with = self.no_cubes();
        let mut taken = Vec::new();
        loop {
            let gain = |&at: &usize| -> u32 {
                self.row(at).iter().zip(&with).map(|(row, with)| (row & !with).count_ones()).sum()
            };
            let best = offered
                .iter()
                .map(|at| (gain(at), *at))
                .max_by_key(|&(gain, at)| (gain, std::cmp::Reverse(rank(self.lits[at]))));
            let Some((_, at)) = best.filter(|&(gain, _)| gain > 0) else { break };
            taken.push(self.lits[at]);
            with.iter_mut().zip(self.row(at)).for_each(|(with, row)| *with |= row);
        }
        (taken, places_left(&with))
    }
}

/// The places of bits that are not set.
fn places_left(out: &[u64]) -> Vec<usize> {
    let mut places = Vec::with_capacity(out.iter().map(|out| out.count_zeros() as usize).sum());
    for (word, out) in out.iter().enumerate() {
        let mut left = !out;
        while left != 0 {
            places.push(64 * word + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_testing::Random;

    /// Against the definition, with few cubes and with more than fit into a word.
    #[test]
    fn what_is_within_has_nothing_else() {
        let mut source = Random::new(3);
        let mut random = |n: u64| source.below(n);
        for count in [1, 8, 63, 64, 65, 128, 150] {
            let mut some = |of: u64| -> Vec<Lit> {
                let lits = (1..9).map(|var| Lit::new(var, random(2) == 0)).collect::<Vec<_>>();
                lits.into_iter().filter(|_| random(of) > 0).collect()
            };
            let cubes: Vec<(Lit, Arc<[Lit]>)> = (0..count).map(|_| (Lit::TRUE, some(2).into())).collect();
            let rows = Rows::new(&cubes, 9).expect("they are few");
            for _ in 0..20 {
                let [allowed, more] = [some(9), some(9)];
                let allowed = |lit: Lit| allowed.contains(&lit) || more.contains(&lit);
                let expected = (0..count).filter(|&at| cubes[at].1.iter().all(|&lit| allowed(lit)));
                assert_eq!(rows.within(allowed), expected.collect::<Vec<_>>());
                let (taken, left) = rows.covering(allowed, |lit| lit.index());
                let without = (0..count).filter(|&at| !cubes[at].1.iter().any(|&lit| allowed(lit)));
                assert_eq!(left, without.collect::<Vec<_>>());
                assert!(taken.iter().all(|&lit| allowed(lit)));
                let covered = |at: usize| cubes[at].1.iter().any(|lit| taken.contains(lit));
                assert!((0..count).all(|at| covered(at) != left.contains(&at)));
            }
        }
    }
}
