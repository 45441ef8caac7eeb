//! Truth tables, sixty-four entries in a word, and as few cubes: an irredundant sum of products.
//!
//! ## References
//! - S. Minato. *Fast Generation of Irredundant Sum-of-Products Forms from Binary Decision Diagrams*. SASIMI 1992.

/// A word has the values of so many inputs.
const IN_WORD: usize = 6;

/// In a word, where an input is true.
const INPUTS: [u64; IN_WORD] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// A function of some inputs. The bits of an index are their values; what a word has room for beyond that is said again.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Table {
    inputs: usize,
    words: Vec<u64>,
}

/// Places of inputs, and their values.
type Cube = Vec<(usize, bool)>;

impl Table {
    pub fn constant(inputs: usize, value: bool) -> Table {
        let word = if value { u64::MAX } else { 0 };
        Table { inputs, words: vec![word; 1 << inputs.saturating_sub(IN_WORD)] }
    }

    /// Where one of these cubes is.
    pub fn union(inputs: usize, cubes: &[Cube]) -> Table {
        let mut union = Table::constant(inputs, false);
        cubes.iter().for_each(|cube| union.or_cube(cube.iter().copied()));
        union
    }

    /// Makes it true where all these inputs have these values.
    pub fn or_cube(&mut self, cube: impl Iterator<Item = (usize, bool)>) {
        let mut inside = u64::MAX;
        // Of the inputs that say which word it is.
        let (mut fixed, mut values) = (0, 0);
        for (input, value) in cube {
            if let Some(&mask) = INPUTS.get(input) {
                inside &= if value { mask } else { !mask };
                continue;
            }
            let bit = 1 << (input - IN_WORD);
            if fixed & bit != 0 && (values & bit != 0) != value {
                return;
            }
            fixed |= bit;
            values |= if value { bit } else { 0 };
        }
        let free = (self.words.len() - 1) & !fixed;
        let mut other = 0usize;
        loop {
            self.words[values | other] |= inside;
            // The next one of the sets of free bits.
            other = other.wrapping_sub(free) & free;
            if other == 0 {
                return;
            }
        }
    }

    /// Makes an entry true.
    pub fn insert(&mut self, index: usize) {
        let mut at = index % 64;
        while at < 64 {
            self.words[index / 64] |= 1 << at;
            at += 1 << self.inputs.min(IN_WORD);
        }
    }

    pub fn and(&mut self, other: &Table) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    pub fn or_not(&mut self, other: &Table) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= !other);
    }

    /// Whether it is true everywhere.
    pub fn is_true(&self) -> bool {
        self.words.iter().all(|&word| word == u64::MAX)
    }

    /// Cubes whose union it is.
    pub fn cover(&self) -> Vec<Cube> {
        self.cover_up_to(self)
    }

    /// Cubes whose union is true wherever this table is, and nowhere where `most` is not.
    pub fn cover_up_to(&self, most: &Table) -> Vec<Cube> {
        let mut cubes = Vec::new();
        cover_words(&self.words, &most.words, self.inputs, &mut cubes);
        cubes
    }
}

/// Adds cubes whose union is true wherever `least` is, and nowhere where `most` is not. Returns the union.
fn cover_words(least: &[u64], most: &[u64], inputs: usize, cubes: &mut Vec<Cube>) -> Vec<u64> {
    if let (&[least], &[most]) = (least, most) {
        return vec![cover_word(least, most, inputs.min(IN_WORD), cubes)];
    }
    if least.iter().all(|&word| word == 0) {
        return least.to_vec();
    }
    if most.iter().all(|&word| word == u64::MAX) {
        cubes.push(Vec::new());
        return most.to_vec();
    }
    let (input, half) = (inputs - 1, least.len() / 2);
    let ((least_no, least_yes), (most_no, most_yes)) = (least.split_at(half), most.split_at(half));
    let mut branch = |value: bool, least: &[u64], most: &[u64], other: &[u64]| {
        let only: Vec<u64> = least.iter().zip(other).map(|(here, there)| here & !there).collect();
        let start = cubes.len();
        let union = cover_words(&only, most, input, cubes);
        cubes[start..].iter_mut().for_each(|cube| cube.push((input, value)));
        union
    };
    let no = branch(false, least_no, most_no, most_yes);
    let yes = branch(true, least_yes, most_yes, most_no);
    let rest: Vec<u64> = (0..half).map(|at| least_no[at] & !no[at] | least_yes[at] & !yes[at]).collect();
    let both: Vec<u64> = most_no.iter().zip(most_yes).map(|(no, yes)| no & yes).collect();
    let rest = cover_words(&rest, &both, input, cubes);
    no.into_iter().chain(yes).zip(rest.iter().cycle()).map(|(branch, rest)| branch | rest).collect()
}

/// The same for one word.
fn cover_word(least: u64, most: u64, inputs: usize, cubes: &mut Vec<Cube>) -> u64 {
    if least == 0 {
        return 0;
    }
    if most == u64::MAX {
        cubes.push(Vec::new());
        return u64::MAX;
    }
    // The tables differ, so there is an input.
    let input = inputs - 1;
    let (width, yes) = (1 << input, INPUTS[input]);
    // What a function is where the input has a value, said for both values.
    let restricted = |word: u64, value: bool| match value {
        true => word & yes | (word & yes) >> width,
        false => word & !yes | (word & !yes) << width,
    };
    let [least_no, least_yes] = [false, true].map(|value| restricted(least, value));
    let [most_no, most_yes] = [false, true].map(|value| restricted(most, value));
    let mut branch = |value: bool, least: u64, most: u64, other: u64| {
        let start = cubes.len();
        let union = cover_word(least & !other, most, input, cubes);
        cubes[start..].iter_mut().for_each(|cube| cube.push((input, value)));
        union
    };
    let no = branch(false, least_no, most_no, most_yes);
    let there = branch(true, least_yes, most_yes, most_no);
    let rest = cover_word(least_no & !no | least_yes & !there, most_no & most_yes, input, cubes);
    no & !yes | there & yes | rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_testing::Random;

    fn table(inputs: usize, holds: impl Fn(usize) -> bool) -> Table {
        let mut table = Table::constant(inputs, false);
        (0..1 << inputs).filter(|&index| holds(index)).for_each(|index| table.insert(index));
        table
    }

    fn is_in(cube: &[(usize, bool)], index: usize) -> bool {
        cube.iter().all(|&(input, value)| (index >> input & 1 == 1) == value)
    }

    /// The union of the cover is the function, and without any of its cubes it is not.
    fn is_irredundant(function: &Table) {
        let cubes = function.cover();
        assert_eq!(&Table::union(function.inputs, &cubes), function);
        for left_out in 0..cubes.len() {
            let mut others = cubes.clone();
            others.remove(left_out);
            assert_ne!(&Table::union(function.inputs, &others), function);
        }
    }

    #[test]
    fn all_functions_of_three_inputs() {
        (0u32..256).for_each(|function| is_irredundant(&table(3, |index| function >> index & 1 == 1)));
    }

    /// Of up to nine inputs, against their definitions; what may be true is used where it helps.
    #[test]
    fn random_functions() {
        let mut source = Random::new(5);
        let mut random = |n: u64| source.below(n);
        for inputs in (0..10).cycle().take(300) {
            let cubes: Vec<Cube> = (0..1 + random(5))
                .map(|_| {
                    (0..inputs)
                        .filter_map(|input| match random(4) {
                            0 => Some((input, false)),
                            1 => Some((input, true)),
                            _ => None,
                        })
                        .collect()
                })
                .collect();
            let union = table(inputs, |index| cubes.iter().any(|cube| is_in(cube, index)));
            assert_eq!(Table::union(inputs, &cubes), union);
            assert_eq!(
                union.is_true(),
                (0..1 << inputs).all(|index| cubes.iter().any(|cube| is_in(cube, index)))
            );
            is_irredundant(&union);
            let open: Vec<bool> = (0..1 << inputs).map(|_| random(3) == 0).collect();
            let most = table(inputs, |index| open[index] || cubes.iter().any(|cube| is_in(cube, index)));
            let between = Table::union(inputs, &union.cover_up_to(&most));
            let (mut least, mut largest) = (union.clone(), between.clone());
            least.and(&between);
            largest.and(&most);
            assert_eq!((least, largest), (union, between));
        }
    }
}
