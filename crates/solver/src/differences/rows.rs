//! Which cubes have a literal, as bits: what holds of all literals of a cube is found by one operation for each literal that
//! there is, not by one for each literal of each cube.

use super::clauses::Lit;
use std::sync::Arc;

/// For each literal, the cubes that have it.
pub(super) struct Rows {
    pub lits: Vec<Lit>,
    /// Those of one literal after the other. Bits beyond the last cube are set.
    bits: Vec<u64>,
    words: usize,
    cubes: usize,
}

/// There are no more words of bits.
const MAX_WORDS: usize = 1 << 16;

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
                    if rows.bits.len() + words > MAX_WORDS {
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

    /// The cubes that have the literal at a place.
    pub fn row(&self, at: usize) -> &[u64] {
        &self.bits[at * self.words..][..self.words]
    }

    /// The places of cubes all of whose literals are `allowed`.
    pub fn within(&self, allowed: impl Fn(Lit) -> bool) -> Vec<usize> {
        let mut out = vec![0; self.words];
        out[self.words - 1] = self.beyond();
        for (at, _) in self.lits.iter().enumerate().filter(|(_, lit)| !allowed(**lit)) {
            out.iter_mut().zip(self.row(at)).for_each(|(out, bits)| *out |= bits);
        }
        let mut places = Vec::with_capacity(out.iter().map(|out| out.count_zeros() as usize).sum());
        for (word, out) in out.into_iter().enumerate() {
            let mut left = !out;
            while left != 0 {
                places.push(64 * word + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
        places
    }
}
