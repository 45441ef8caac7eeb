//! What a function looks like: size, support, values. Nothing here makes nodes.

use super::expression::NumVar;
use super::labels::{Label, Subject};
use super::manager::{BoolVar, Ldd, LinearDiagrams};
use super::nodes::{Edge, Failure, Nodes};
use crate::{Bdd, BddVar, Diagrams};
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::RBig;

/// The interrupt is polled once in so many nodes of a conversion.
const POLL_NODES: usize = 16;

impl Nodes {
    /// The nodes of a function, cofactors before the nodes they are cofactors of.
    pub fn bottom_up(&self, f: Edge) -> Vec<u32> {
        let mut seen: FxHashSet<u32> = FxHashSet::from_iter([0]);
        let mut found = Vec::new();
        let mut open = vec![f >> 1];
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                found.push(id);
                let node = &self.nodes[id as usize];
                open.extend([node.hi >> 1, node.lo >> 1]);
            }
        }
        found.sort_unstable_by_key(|&id| std::cmp::Reverse(self.rank(id << 1)));
        found
    }

    pub fn size(&self, f: Edge) -> usize {
        self.bottom_up(f).len()
    }

    /// The labels in a function.
    pub fn support(&self, f: Edge) -> FxHashSet<Label> {
        self.bottom_up(f).into_iter().map(|id| self.nodes[id as usize].label).collect()
    }
}

impl LinearDiagrams {
    /// The number of nodes of `f`, the constant not counted.
    pub fn node_count(&self, f: &Ldd) -> usize {
        self.nodes.size(f.edge)
    }

    /// The variables in `f`, Boolean and numeric, in order of creation.
    pub fn support(&self, f: &Ldd) -> (Vec<BoolVar>, Vec<NumVar>) {
        let (mut bools, mut numbers) = (Vec::new(), FxHashSet::default());
        for label in self.nodes.support(f.edge) {
            match &self.nodes.labels.blocks[self.nodes.labels.block_of[label as usize] as usize].subject {
                Subject::Bool => bools.push(BoolVar(label)),
                Subject::Form { form, .. } => numbers.extend(form.iter().map(|term| term.0)),
            }
        }
        let mut numbers: Vec<NumVar> = numbers.into_iter().collect();
        bools.sort_unstable();
        numbers.sort_unstable();
        (bools, numbers)
    }

    /// The Boolean variables in `f`, from the top of the order to the bottom.
    pub fn bools_in_order(&self, f: &Ldd) -> Vec<BoolVar> {
        let (mut bools, _) = self.support(f);
        bools.sort_unstable_by_key(|b| self.nodes.labels.rank[b.0 as usize]);
        bools
    }

    /// The value of `f` under an assignment.
    pub fn eval(&self, f: &Ldd, bools: impl Fn(BoolVar) -> bool, numbers: impl Fn(NumVar) -> RBig) -> bool {
        let mut edge = f.edge;
        while edge > 1 {
            let label = self.nodes.label(edge);
            let labels = &self.nodes.labels;
            let holds = match &labels.blocks[labels.block_of[label as usize] as usize].subject {
                Subject::Bool => bools(BoolVar(label)),
                Subject::Form { form, .. } => {
                    let bound = &labels.bounds[label as usize];
                    let value =
                        form.iter().fold(RBig::ZERO, |sum, (x, c)| sum + RBig::from(c.clone()) * numbers(*x));
                    if bound.strict { value < bound.value } else { value <= bound.value }
                }
            };
            let (hi, lo) = self.nodes.children(edge);
            edge = if holds { hi } else { lo };
        }
        edge == 0
    }

    /// A function of Boolean variables alone as a BDD. `None` if there is an atom left in it. May be interrupted as
    /// operations are, between one node and the next.
    pub fn to_bdd(
        &mut self,
        f: &Ldd,
        diagrams: &Diagrams,
        meaning: impl Fn(BoolVar) -> BddVar,
    ) -> Result<Option<Bdd>, Failure> {
        let mut done: FxHashMap<u32, Bdd> = FxHashMap::from_iter([(0, diagrams.tru())]);
        for id in self.nodes.bottom_up(f.edge) {
            if done.len().is_multiple_of(POLL_NODES)
                && self.nodes.interrupt.as_mut().is_some_and(|stop| stop())
            {
                return Err(Failure::Interrupted);
            }
            let node = self.nodes.nodes[id as usize];
            let block = self.nodes.labels.block_of[node.label as usize];
            if !matches!(self.nodes.labels.blocks[block as usize].subject, Subject::Bool) {
                return Ok(None);
            }
            let lo = &done[&(node.lo >> 1)];
            let lo = if node.lo & 1 == 1 { diagrams.not(lo) } else { lo.clone() };
            let condition = diagrams.var(meaning(BoolVar(node.label)));
            let made =
                diagrams.ite(&condition, &done[&(node.hi >> 1)], &lo).map_err(|_| Failure::OutOfNodes)?;
            done.insert(id, made);
        }
        let made = &done[&(f.edge >> 1)];
        Ok(Some(if f.edge & 1 == 1 { diagrams.not(made) } else { made.clone() }))
    }
}
