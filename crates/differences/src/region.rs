//! Disjunctions of cubes, made shorter by what bounds exclude.
//!
//! A set of abstract states often has hundreds of cubes only because comparisons depend on each other: no cube has `x = y`,
//! `y = z` and `x ≠ z`. Combinations that bounds exclude are "don't care": they may be added to a cube. With them, a set of
//! a thousand cubes becomes one of a hundred. Without it, DLX takes 2.7 times as long with cubes and 1.2 times
//! with models; the other families of `bench/paq` do not change.

use crate::Formulas;
use crate::blocks::Blocks;
use crate::clauses::Lit;
use crate::enumerate::Literals;
use crate::feasible::{Closure, Comparison, feasible};
use crate::limits;
use crate::table::Table;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

impl Formulas {
    /// A clause with fewer literals that says the same, of cubes that have been united.
    pub(crate) fn shortened(&mut self, clause: &[Lit]) -> Option<Vec<Lit>> {
        if clause.len() < limits::CUBES_OF_CHOICE {
            return None;
        }
        let mut cubes: Vec<Arc<[Lit]>> = clause.iter().map(|&lit| self.cube_of(lit)).collect();
        let mut is_new = vec![true; self.search.variables()];
        let all = cubes.iter().flat_map(|cube| cube.iter()).map(|lit| lit.var());
        let mut vars: Vec<u32> = all.filter(|&var| std::mem::take(&mut is_new[var as usize])).collect();
        vars.sort_unstable();
        let compared = |&var: &u32| {
            let lit = Lit::new(var, true);
            let open = self.search.value(lit).is_none();
            self.comparison(lit).filter(|_| open).map(|comparison| (var, comparison))
        };
        let compared: Vec<(u32, Comparison)> = vars.iter().filter_map(compared).collect();
        let edges: Vec<_> = compared.iter().map(|(_, comparison)| (comparison.x, comparison.y)).collect();
        let mut shorter = false;
        let mut blocks = Blocks::default();
        blocks.find(self.search.graph.vertices(), &edges, 0..edges.len());
        for block in blocks.iter() {
            if (2..=limits::COMPARISONS_OF_BLOCK).contains(&block.len()) {
                let members: Vec<(u32, Comparison)> = block.iter().map(|&edge| compared[edge]).collect();
                shorter |= unite(&mut cubes, &members);
            }
        }
        shorter.then(|| cubes.iter().map(|cube| self.and(cube.to_vec())).collect())
    }
}

/// Unites cubes that are the same but for some comparisons, if there are many such.
fn unite(cubes: &mut Vec<Arc<[Lit]>>, members: &[(u32, Comparison)]) -> bool {
    if limits::CUBES_PER_GROUP * kinds(cubes, members) > cubes.len()
        || cubes.len() << members.len() > limits::REGION_VALUES
    {
        return false;
    }
    let place: FxHashMap<u32, usize> = members.iter().enumerate().map(|(i, &(var, _))| (var, i)).collect();
    let mut groups: Vec<(Vec<Lit>, Vec<Literals>)> = Vec::new();
    let mut known: FxHashMap<Vec<Lit>, usize> = FxHashMap::default();
    for cube in cubes.iter() {
        let (mut said, mut others) = (Literals::new(), Vec::with_capacity(cube.len()));
        for &lit in cube.iter() {
            match place.get(&lit.var()) {
                Some(&at) => said.push((at, lit.is_positive())),
                None => others.push(lit),
            }
        }
        let group = *known.entry(others).or_insert_with_key(|others| {
            groups.push((others.clone(), Vec::new()));
            groups.len() - 1
        });
        groups[group].1.push(said);
    }
    let comparisons: Vec<Comparison> = members.iter().map(|&(_, comparison)| comparison).collect();
    let ends = comparisons.iter().flat_map(|comparison| [comparison.x, comparison.y]);
    let Some(possible) = feasible(&Closure::new(&[], ends), &comparisons, &[]) else {
        return false;
    };
    let mut united: Vec<Arc<[Lit]>> = Vec::new();
    for (others, alternatives) in groups {
        let mut least = Table::union(members.len(), &alternatives);
        least.and(&possible);
        let mut most = least.clone();
        most.or_not(&possible);
        for cube in least.cover_up_to(&most) {
            let literal = |&(at, value): &(usize, bool)| Lit::new(members[at].0, value);
            let mut cube: Vec<Lit> = others.iter().copied().chain(cube.iter().map(literal)).collect();
            cube.sort_unstable();
            united.push(cube.into());
        }
    }
    // Cubes that overlap may have been fewer.
    let shorter = united.len() < cubes.len();
    if shorter {
        *cubes = united;
    }
    shorter
}

/// How many cubes are different apart from some comparisons, or a few less: most often many, and then there is nothing to do.
fn kinds(cubes: &[Arc<[Lit]>], members: &[(u32, Comparison)]) -> usize {
    let mark = |cube: &Arc<[Lit]>| {
        let mut hasher = FxHasher::default();
        let others = cube.iter().filter(|lit| members.iter().all(|(var, _)| *var != lit.var()));
        others.for_each(|lit| lit.hash(&mut hasher));
        hasher.finish()
    };
    let mut marks: Vec<u64> = cubes.iter().map(mark).collect();
    marks.sort_unstable();
    marks.dedup();
    marks.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_logic::{Sort, Terms};

    /// Of three equalities two alone never hold; what is left is everything, once for each value of `p`.
    #[test]
    fn what_is_impossible_needs_no_cubes() {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.var(name, Sort::Int));
        let p = terms.var("p", Sort::Bool);
        let atoms = [terms.eq(x, y), terms.eq(y, z), terms.eq(x, z), p];
        let mut formulas = Formulas::new();
        let mut cubes = Vec::new();
        for bits in 0u32..16 {
            if (bits & 7).count_ones() != 2 {
                let literal = |i: usize| if bits >> i & 1 == 1 { atoms[i] } else { terms.not(atoms[i]) };
                let literals = [0, 1, 2, 3].map(literal);
                let cube = terms.and(&literals);
                cubes.push(formulas.literal(&terms, cube).expect("differences"));
            }
        }
        let p = formulas.literal(&terms, p).expect("a truth value");
        let mut found = formulas.shortened(&cubes).expect("something shorter");
        found.sort_unstable();
        assert_eq!(found, [p, !p]);
    }
}
