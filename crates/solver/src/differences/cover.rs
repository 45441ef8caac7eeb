//! Truth tables as few cubes: an irredundant sum of products.
//!
//! ## References
//! - S. Minato. *Fast Generation of Irredundant Sum-of-Products Forms from Binary Decision Diagrams*. SASIMI 1992.

/// Cubes, each a list of places and values, whose union a table is: at `1 << n` truth values of `n` inputs, the bits of an
/// index being their values.
pub(super) fn cover(table: &[bool]) -> Vec<Vec<(usize, bool)>> {
    cover_between(table, table)
}

/// As [`cover`], for any table that is true wherever `least` is, and nowhere where `most` is not.
pub(super) fn cover_between(least: &[bool], most: &[bool]) -> Vec<Vec<(usize, bool)>> {
    let inputs = least.len().ilog2() as usize;
    let mut cubes = Vec::new();
    between(least, most, inputs, &mut cubes);
    cubes
}

/// Adds cubes whose union is true wherever `least` is, and nowhere where `most` is not. Returns the union.
fn between(least: &[bool], most: &[bool], inputs: usize, cubes: &mut Vec<Vec<(usize, bool)>>) -> Vec<bool> {
    if !least.contains(&true) {
        return vec![false; least.len()];
    }
    if !most.contains(&false) {
        cubes.push(Vec::new());
        return vec![true; least.len()];
    }
    // The tables differ, so there is an input.
    let (input, half) = (inputs - 1, least.len() / 2);
    let (least_no, least_yes) = least.split_at(half);
    let (most_no, most_yes) = most.split_at(half);
    let mut branches = Vec::with_capacity(2);
    for (value, least, most, other) in
        [(false, least_no, most_no, most_yes), (true, least_yes, most_yes, most_no)]
    {
        let only: Vec<bool> = least.iter().zip(other).map(|(&here, &there)| here && !there).collect();
        let start = cubes.len();
        branches.push(between(&only, most, input, cubes));
        cubes[start..].iter_mut().for_each(|cube| cube.push((input, value)));
    }
    let rest: Vec<bool> =
        (0..half).map(|at| least_no[at] && !branches[0][at] || least_yes[at] && !branches[1][at]).collect();
    let both: Vec<bool> = most_no.iter().zip(most_yes).map(|(&no, &yes)| no && yes).collect();
    let rest = between(&rest, &both, input, cubes);
    branches.concat().into_iter().zip(rest.iter().cycle()).map(|(branch, &rest)| branch || rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All functions of three inputs: the union is the function, and without any of its cubes it is not.
    #[test]
    fn covers_are_exact_and_irredundant() {
        for function in 0u32..256 {
            let table: Vec<bool> = (0..8).map(|at| function >> at & 1 == 1).collect();
            let cubes = cover(&table);
            let holds =
                |cube: &[(usize, bool)], at: usize| cube.iter().all(|&(i, v)| (at >> i & 1 == 1) == v);
            let union = |left_out: usize| -> Vec<bool> {
                let others = || cubes.iter().enumerate().filter(move |(i, _)| *i != left_out);
                (0..8).map(|at| others().any(|(_, cube)| holds(cube, at))).collect()
            };
            assert_eq!(union(usize::MAX), table);
            assert!((0..cubes.len()).all(|cube| union(cube) != table));
        }
    }
}
