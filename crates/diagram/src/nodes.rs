//! Diagrams that are few and small: nodes without a manager, which are never freed.

use crate::bdd::{BddVar, OutOfNodes};
use crate::isop::Functions;

/// A function, by its place among the nodes.
pub(crate) type Function = u32;

pub(crate) const FALSE: Function = 0;
pub(crate) const TRUE: Function = 1;

/// A node: the level of a variable, and the functions where it is false and where it is true.
#[derive(Clone, Copy)]
struct Node {
    level: u32,
    negative: Function,
    positive: Function,
    /// One that has the same hash; a constant has none.
    next: Function,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    And,
    Or,
    Minus,
}

/// An operation that has been done.
#[derive(Clone, Copy)]
struct Done {
    operation: Operation,
    f: Function,
    g: Function,
    result: Function,
}

/// What needs more nodes is not small.
const MAX_NODES: usize = 1 << 20;

/// Nodes of reduced ordered diagrams, the constants first.
pub(crate) struct Nodes<'a> {
    pub order: &'a [usize],
    nodes: Vec<Node>,
    /// By hash, the node that was made last, or a constant. There are as many as a power of two, and no fewer than nodes.
    latest: Vec<Function>,
    /// By hash, the operation that was done last: as many as above.
    done: Vec<Done>,
}

impl Nodes<'_> {
    /// The constants, and room for so many nodes.
    pub fn new(order: &[usize], usual: usize) -> Nodes<'_> {
        let constant = |value| Node { level: u32::MAX, negative: value, positive: value, next: FALSE };
        let mut nodes = Vec::with_capacity(usual);
        nodes.extend([constant(FALSE), constant(TRUE)]);
        let mut nodes = Nodes { order, nodes, latest: Vec::new(), done: Vec::new() };
        nodes.make_tables(usual.next_power_of_two());
        nodes
    }

    fn make_tables(&mut self, size: usize) {
        // To say that false and false is false is right, and never asked.
        let nothing = Done { operation: Operation::And, f: FALSE, g: FALSE, result: FALSE };
        self.done.clear();
        self.done.resize(size, nothing);
        self.latest.clear();
        self.latest.resize(size, FALSE);
        for place in 2..self.nodes.len() {
            let Node { level, negative, positive, .. } = self.nodes[place];
            let hash = self.hash(negative, positive, level);
            self.nodes[place].next = std::mem::replace(&mut self.latest[hash], place as Function);
        }
    }

    /// A place in the tables.
    fn hash(&self, f: Function, g: Function, more: u32) -> usize {
        let mixed = (u64::from(f) << 32 | u64::from(g)) ^ u64::from(more) << 26;
        // By the golden ratio; the upper bits depend on all.
        let mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (self.latest.len() - 1)
    }

    pub fn node(
        &mut self,
        level: u32,
        negative: Function,
        positive: Function,
    ) -> Result<Function, OutOfNodes> {
        if negative == positive {
            return Ok(negative);
        }
        let hash = self.hash(negative, positive, level);
        let mut place = self.latest[hash];
        while place > TRUE {
            let node = &self.nodes[place as usize];
            if (node.level, node.negative, node.positive) == (level, negative, positive) {
                return Ok(place);
            }
            place = node.next;
        }
        if self.nodes.len() == MAX_NODES {
            return Err(OutOfNodes);
        }
        let place = self.nodes.len() as Function;
        let next = std::mem::replace(&mut self.latest[hash], place);
        self.nodes.push(Node { level, negative, positive, next });
        if self.nodes.len() > self.latest.len() {
            self.make_tables(2 * self.latest.len());
        }
        Ok(place)
    }

    /// The union of functions, small ones with small ones.
    pub fn union(&mut self, mut functions: Vec<Function>) -> Result<Function, OutOfNodes> {
        while functions.len() > 1 {
            let pairs = functions.chunks(2).map(|pair| match *pair {
                [f, g] => self.apply(Operation::Or, f, g),
                _ => Ok(pair[0]),
            });
            functions = pairs.collect::<Result<Vec<Function>, OutOfNodes>>()?;
        }
        Ok(functions.first().copied().unwrap_or(FALSE))
    }

    /// How many minterms a function has, and the levels of the variables that matter to it.
    pub fn measure(&self, function: Function) -> (f64, Vec<u32>) {
        let mut seen = vec![false; function as usize + 1];
        seen[function as usize] = true;
        let mut matters = vec![false; self.order.len()];
        for at in (2..=function as usize).rev() {
            if !seen[at] {
                continue;
            }
            let Node { level, negative, positive, .. } = self.nodes[at];
            (seen[negative as usize], seen[positive as usize]) = (true, true);
            matters[level as usize] = true;
        }
        let below = |f: Function| self.order.len().min(self.nodes[f as usize].level as usize) as i32;
        let mut counts: Vec<f64> = vec![0.0; seen.len().max(2)];
        counts[TRUE as usize] = 1.0;
        // An argument's place is below its user's.
        for at in (2..=function as usize).filter(|&at| seen[at]) {
            let Node { level, negative, positive, .. } = self.nodes[at];
            let part = |f: Function| counts[f as usize] * 2f64.powi(below(f) - level as i32 - 1);
            counts[at] = part(negative) + part(positive);
        }
        let levels = (0..).zip(matters).filter(|(_, matters)| *matters).map(|(level, _)| level);
        (counts[function as usize] * 2f64.powi(below(function)), levels.collect())
    }

    pub fn apply(&mut self, operation: Operation, f: Function, g: Function) -> Result<Function, OutOfNodes> {
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
        let (f, g) = if operation != Minus && g < f { (g, f) } else { (f, g) };
        let done = self.done[self.hash(f, g, operation as u32)];
        if (done.operation, done.f, done.g) == (operation, f, g) {
            return Ok(done.result);
        }
        let level = self.top_level(&f).min(self.top_level(&g));
        let ((f0, f1), (g0, g1)) = (self.split_at(&f, level), self.split_at(&g, level));
        let negative = self.apply(operation, f0, g0)?;
        let positive = self.apply(operation, f1, g1)?;
        let result = self.node(level, negative, positive)?;
        // The tables may have grown.
        let hash = self.hash(f, g, operation as u32);
        self.done[hash] = Done { operation, f, g, result };
        Ok(result)
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
    use std::collections::HashMap;
    use tamis_testing::Random;

    /// Random operations against truth tables of six variables. There is hardly any room at first, and equal functions are one.
    #[test]
    fn as_truth_tables_have_it() {
        let mut source = Random::new(13);
        let mut random = |n: usize| source.below(n);
        let order = [0, 1, 2, 3, 4, 5];
        let mut nodes = Nodes::new(&order, 2);
        let mut made: Vec<(Function, u64)> = vec![(FALSE, 0), (TRUE, u64::MAX)];
        for level in 0..6 {
            let table = (0..64).filter(|index| index >> level & 1 == 1).fold(0, |table, at| table | 1 << at);
            made.push((nodes.node(level, FALSE, TRUE).unwrap(), table));
        }
        let mut known: HashMap<u64, Function> = HashMap::new();
        for _ in 0..20_000 {
            let ((f, a), (g, b)) = (made[random(made.len())], made[random(made.len())]);
            let (operation, table) = match random(3) {
                0 => (Operation::And, a & b),
                1 => (Operation::Or, a | b),
                _ => (Operation::Minus, a & !b),
            };
            let result = nodes.apply(operation, f, g).unwrap();
            assert_eq!(*known.entry(table).or_insert(result), result);
            made.push((result, table));
        }
        let tables: HashMap<Function, u64> = made.into_iter().collect();
        assert_eq!(tables.len(), tables.values().collect::<std::collections::HashSet<_>>().len());
        assert!(tables.len() > 1000);
        let counted = |(&f, &table): (&Function, &u64)| nodes.measure(f).0 == f64::from(table.count_ones());
        assert!(tables.iter().all(counted));
    }
}
