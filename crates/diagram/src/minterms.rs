//! Minterms that are few: their diagram and its prime implicants, without a manager.
//!
//! A [`Diagrams`](crate::Diagrams) has tables, locks and threads for functions of any size. To make one takes longer than to
//! find a hundred minterms. What is here is plain: sorted minterms are cut in two by one variable after the other, and
//! nodes are never freed.

use crate::bdd::{BddVar, OutOfNodes};
use crate::isop::{Functions, cover_between};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

/// A set of minterms over at most 64 variables.
///
/// ```
/// use tamis_diagram::Minterms;
/// let mut minterms = Minterms::new(3);
/// for values in [[false, true, true], [true, true, true], [true, true, false]] {
///     minterms.add(&values);
/// }
/// let cover = minterms.cover(&[0, 1, 2], 10).unwrap();
/// // The first and the second, the second and the third.
/// assert_eq!(cover.cubes.unwrap().len(), 2);
/// assert_eq!(cover.support, [0, 1, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct Minterms {
    vars: usize,
    /// A bit for each variable's value, the first one's lowest.
    found: Vec<u64>,
}

/// What a set of minterms is as a sum of products.
pub struct Cover {
    /// Prime implicants none of which can be left out: variables with their values. None if there are too many.
    pub cubes: Option<Vec<Vec<(usize, bool)>>>,
    /// The variables that matter, ascending.
    pub support: Vec<usize>,
    /// The number of minterms.
    pub minterms: usize,
}

impl Minterms {
    /// The most variables that there can be.
    pub const MAX_VARS: usize = 64;

    /// No minterms over so many variables, at most [`MAX_VARS`](Minterms::MAX_VARS).
    pub fn new(vars: usize) -> Minterms {
        debug_assert!(vars <= Minterms::MAX_VARS);
        Minterms { vars, found: Vec::new() }
    }

    /// Adds a minterm: the values of all variables.
    pub fn add(&mut self, values: &[bool]) {
        debug_assert_eq!(values.len(), self.vars);
        self.found.push(values.iter().rev().fold(0, |bits, &value| bits << 1 | u64::from(value)));
    }

    /// How often one has been added.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The minterms, each by the values of all variables, which are no longer here.
    pub fn take(&mut self) -> Vec<Vec<bool>> {
        let values = |bits: u64| (0..self.vars).map(|var| bits >> var & 1 == 1).collect();
        std::mem::take(&mut self.found).into_iter().map(values).collect()
    }

    /// The minterms as a sum of products, by the diagram in which the variables are in an `order`; of at most `limit` cubes.
    pub fn cover(&self, order: &[usize], limit: u64) -> Result<Cover, OutOfNodes> {
        // The first variable of the order is the highest bit.
        let sorted = |bits: &u64| order.iter().fold(0, |sorted, &var| sorted << 1 | bits >> var & 1);
        let mut minterms: Vec<u64> = self.found.iter().map(sorted).collect();
        minterms.sort_unstable();
        minterms.dedup();
        let mut nodes = Nodes::new(order);
        let whole = nodes.of(&minterms, 0)?;
        let mut support: Vec<usize> =
            nodes.levels(whole).iter().map(|&level| order[level as usize]).collect();
        support.sort_unstable();
        let literal = |(var, value): (BddVar, bool)| (var.index(), value);
        let cubes = cover_between(nodes, &whole, &whole, limit)?;
        let cubes = cubes.map(|cubes| cubes.into_iter().map(|cube| cube.into_iter().map(literal).collect()));
        Ok(Cover { cubes: cubes.map(Iterator::collect), support, minterms: minterms.len() })
    }
}

/// A function, by its place among the nodes.
type Function = u32;

const FALSE: Function = 0;
const TRUE: Function = 1;

/// A node: the level of a variable, and the functions where it is false and where it is true.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    level: u32,
    negative: Function,
    positive: Function,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    And,
    Or,
    Minus,
}

/// Room for so many nodes and operations is made at once.
const USUAL: usize = 448;

/// Nodes of reduced ordered diagrams, the constants first.
struct Nodes<'a> {
    order: &'a [usize],
    nodes: Vec<Node>,
    places: FxHashMap<Node, Function>,
    done: FxHashMap<(Operation, Function, Function), Function>,
}

impl Nodes<'_> {
    fn new(order: &[usize]) -> Nodes<'_> {
        let constant = |value| Node { level: u32::MAX, negative: value, positive: value };
        let nodes = vec![constant(FALSE), constant(TRUE)];
        let places = FxHashMap::with_capacity_and_hasher(USUAL, FxBuildHasher);
        let done = FxHashMap::with_capacity_and_hasher(USUAL, FxBuildHasher);
        Nodes { order, nodes, places, done }
    }

    fn node(&mut self, level: u32, negative: Function, positive: Function) -> Result<Function, OutOfNodes> {
        if negative == positive {
            return Ok(negative);
        }
        let node = Node { level, negative, positive };
        if let Some(&known) = self.places.get(&node) {
            return Ok(known);
        }
        let place = Function::try_from(self.nodes.len()).map_err(|_| OutOfNodes)?;
        self.nodes.push(node);
        self.places.insert(node, place);
        Ok(place)
    }

    /// The function of sorted minterms that agree on all variables above `level`.
    fn of(&mut self, minterms: &[u64], level: usize) -> Result<Function, OutOfNodes> {
        let below = self.order.len() - level;
        if minterms.is_empty() {
            return Ok(FALSE);
        }
        if below < 64 && minterms.len() as u64 == 1 << below {
            return Ok(TRUE);
        }
        let middle = minterms.partition_point(|bits| bits >> (below - 1) & 1 == 0);
        let negative = self.of(&minterms[..middle], level + 1)?;
        let positive = self.of(&minterms[middle..], level + 1)?;
        self.node(level as u32, negative, positive)
    }

    /// The levels of variables that matter.
    fn levels(&self, function: Function) -> FxHashSet<u32> {
        let mut seen = vec![false; self.nodes.len()];
        let (mut open, mut levels) = (vec![function], FxHashSet::default());
        while let Some(f) = open.pop() {
            if f > TRUE && !std::mem::replace(&mut seen[f as usize], true) {
                let Node { level, negative, positive } = self.nodes[f as usize];
                levels.insert(level);
                open.extend([negative, positive]);
            }
        }
        levels
    }

    fn apply(&mut self, operation: Operation, f: Function, g: Function) -> Result<Function, OutOfNodes> {
        use Operation::{And, Minus, Or};
        let known = match (operation, f, g) {
            (And, FALSE, _) | (And, _, FALSE) | (Minus, FALSE, _) | (Minus, _, TRUE) => Some(FALSE),
            (Or, TRUE, _) | (Or, _, TRUE) | (Minus, TRUE, FALSE) => Some(TRUE),
            (And, TRUE, h) | (And | Minus, h, TRUE | FALSE) | (Or, FALSE, h) | (Or, h, FALSE) => Some(h),
            (And | Or, _, _) if f == g => Some(f),
            (Minus, _, _) if f == g => Some(FALSE),
            _ => None,
        };
        if let Some(known) = known {
            return Ok(known);
        }
        let key = (operation, f, g);
        if let Some(&done) = self.done.get(&key) {
            return Ok(done);
        }
        let level = self.top_level(&f).min(self.top_level(&g));
        let ((f0, f1), (g0, g1)) = (self.split_at(&f, level), self.split_at(&g, level));
        let negative = self.apply(operation, f0, g0)?;
        let positive = self.apply(operation, f1, g1)?;
        let made = self.node(level, negative, positive)?;
        self.done.insert(key, made);
        Ok(made)
    }
}

impl Functions for Nodes<'_> {
    type Function = Function;

    fn constant(&self, value: bool) -> Function {
        if value { TRUE } else { FALSE }
    }

    fn is_constant(&self, f: &Function, value: bool) -> bool {
        *f == self.constant(value)
    }

    fn top_level(&self, f: &Function) -> u32 {
        self.nodes[*f as usize].level
    }

    fn var_at(&self, level: u32) -> BddVar {
        BddVar(self.order[level as usize] as u32)
    }

    fn split_at(&self, f: &Function, level: u32) -> (Function, Function) {
        let node = self.nodes[*f as usize];
        if node.level == level { (node.negative, node.positive) } else { (*f, *f) }
    }

    fn and(&mut self, f: &Function, g: &Function) -> Result<Function, OutOfNodes> {
        self.apply(Operation::And, *f, *g)
    }

    fn or(&mut self, f: &Function, g: &Function) -> Result<Function, OutOfNodes> {
        self.apply(Operation::Or, *f, *g)
    }

    fn minus(&mut self, f: &Function, g: &Function) -> Result<Function, OutOfNodes> {
        self.apply(Operation::Minus, *f, *g)
    }

    fn join_at(
        &mut self,
        level: u32,
        negative: &Function,
        positive: &Function,
    ) -> Result<Function, OutOfNodes> {
        self.node(level, *negative, *positive)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test fails by panicking.

    use super::*;
    use crate::{Cube, Diagrams};

    /// Random sets, with the manager's diagrams as the reference.
    #[test]
    fn as_the_manager_has_it() {
        let mut state = 7u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        for round in 0..60 {
            let count = 1 + round % 7;
            let mut diagrams = Diagrams::new(1 << 16);
            let vars: Vec<BddVar> = (0..count).map(|_| diagrams.new_var().unwrap()).collect();
            let mut order: Vec<usize> = (0..count).collect();
            (1..count).for_each(|i| order.swap(i, random(i as u64 + 1) as usize));
            let arranged: Vec<BddVar> = order.iter().map(|&var| vars[var]).collect();
            diagrams.arrange(&arranged);
            let mut minterms = Minterms::new(count);
            let mut cubes: Vec<Cube> = Vec::new();
            for _ in 0..random(1 << (count + 1)) {
                let values: Vec<bool> = (0..count).map(|_| random(2) == 1).collect();
                minterms.add(&values);
                cubes.push(vars.iter().copied().zip(values).collect());
            }
            let function = diagrams.union_of_cubes(&cubes).unwrap();
            let cover = minterms.cover(&order, u64::MAX).unwrap();
            assert_eq!(cover.minterms as f64, diagrams.minterm_count(&function, &vars));
            let support: Vec<usize> = diagrams.support(&function).iter().map(|var| var.index()).collect();
            assert_eq!(cover.support, support);
            let sorted = |cubes: Vec<Vec<(usize, bool)>>| {
                let mut cubes = cubes;
                cubes.iter_mut().for_each(|cube| cube.sort_unstable());
                cubes.sort_unstable();
                cubes
            };
            let by_index = |cube: Cube| cube.into_iter().map(|(var, value)| (var.index(), value)).collect();
            let expected = diagrams.isop(&function).unwrap().into_iter().map(by_index).collect();
            assert_eq!(sorted(cover.cubes.unwrap()), sorted(expected));
        }
    }

    #[test]
    fn all_and_none() {
        let mut minterms = Minterms::new(2);
        assert!(minterms.cover(&[1, 0], 9).unwrap().cubes.unwrap().is_empty());
        for values in [[false, false], [true, false], [false, true], [true, true]] {
            minterms.add(&values);
            minterms.add(&values);
        }
        let cover = minterms.cover(&[1, 0], 9).unwrap();
        assert_eq!((cover.minterms, cover.cubes.unwrap()), (4, vec![vec![]]));
        assert_eq!(Minterms::new(0).cover(&[], 9).unwrap().minterms, 0);
        assert!(minterms.cover(&[1, 0], 0).unwrap().cubes.is_none());
    }
}
