//! Nodes: the unique table, reductions, limits.

use super::expression::{Expression, Normal, normalize};
use super::labels::{Label, Labels};
use rustc_hash::FxHashMap;
use std::fmt;

/// A node with a sign: twice the node's number, and one more for its complement.
pub(super) type Edge = u32;
/// The one leaf is node 0.
pub(super) const TRUE: Edge = 0;
pub(super) const FALSE: Edge = 1;
/// The label of a node that is free.
pub(super) const FREE: Label = Label::MAX;

/// Why an operation on linear decision diagrams has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The node limit does not allow the result.
    OutOfNodes,
    /// The caller's interrupt said so.
    Interrupted,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Failure::OutOfNodes => "the linear decision diagrams exceed their node limit",
            Failure::Interrupted => "interrupted",
        })
    }
}

impl std::error::Error for Failure {}

/// Why an operation is given up: for good, or to be tried again in a better order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Halt {
    Fail(Failure),
    Grown,
}

pub(super) type Made = Result<Edge, Halt>;

/// `if label then hi else lo`, the edge `hi` being regular.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub label: Label,
    pub hi: Edge,
    pub lo: Edge,
}

/// The interrupt is polled once in so many steps.
const POLL: u32 = 1 << 11;

/// More labels than this count as too many nodes: operations recurse as deep as there are labels.
const MAX_LABELS: usize = 1 << 15;

/// Nodes and labels, without regard to who uses them.
pub(super) struct Nodes {
    pub labels: Labels,
    pub nodes: Vec<Node>,
    pub free: Vec<u32>,
    /// For each label, its nodes by their cofactors.
    pub unique: Vec<FxHashMap<(Edge, Edge), u32>>,
    pub live: usize,
    pub max_nodes: usize,
    /// Beyond so many nodes an operation is given up, to reorder.
    pub soft_limit: usize,
    pub cache: super::ite::Cache,
    /// Where a new form goes in the order; at the end if there is none.
    pub hint: Option<usize>,
    steps: u32,
    /// How many steps an operation may still take.
    pub work_left: u64,
    pub interrupt: Option<Box<dyn FnMut() -> bool>>,
}

impl Nodes {
    pub fn new(max_nodes: usize) -> Nodes {
        Nodes {
            labels: Labels::default(),
            nodes: vec![Node { label: FREE, hi: TRUE, lo: TRUE }],
            free: Vec::new(),
            unique: Vec::new(),
            live: 0,
            max_nodes,
            soft_limit: usize::MAX,
            cache: super::ite::Cache::new(),
            hint: None,
            steps: 0,
            work_left: u64::MAX,
            interrupt: None,
        }
    }

    /// The place of an edge's label in the order; that of a constant is below all.
    pub fn rank(&self, edge: Edge) -> u64 {
        if edge < 2 { u64::MAX } else { self.labels.rank[self.nodes[(edge >> 1) as usize].label as usize] }
    }

    pub fn label(&self, edge: Edge) -> Label {
        self.nodes[(edge >> 1) as usize].label
    }

    /// The cofactors of an edge that is not constant.
    pub fn children(&self, edge: Edge) -> (Edge, Edge) {
        let node = &self.nodes[(edge >> 1) as usize];
        (node.hi ^ (edge & 1), node.lo ^ (edge & 1))
    }

    /// `edge` where an atom of the block at `position` holds: weaker atoms of that block at its top hold too.
    fn implied(&self, mut edge: Edge, position: u64) -> Edge {
        while self.rank(edge) >> 32 == position {
            edge = self.children(edge).0;
        }
        edge
    }

    /// The cofactors by the label at `rank`, which is not below the top of `edge`.
    pub fn cofactors(&self, edge: Edge, rank: u64) -> (Edge, Edge) {
        let top = self.rank(edge);
        if top >> 32 != rank >> 32 {
            return (edge, edge);
        }
        let lo = if top == rank { self.children(edge).1 } else { edge };
        (self.implied(edge, rank >> 32), lo)
    }

    pub fn step(&mut self) -> Result<(), Halt> {
        self.work(1)
    }

    /// Counts so many steps.
    pub fn work(&mut self, steps: u32) -> Result<(), Halt> {
        self.work_left = self.work_left.checked_sub(u64::from(steps)).ok_or(Halt::Grown)?;
        self.steps += steps;
        if self.steps >= POLL {
            self.steps = 0;
            if self.is_interrupted() {
                return Err(Halt::Fail(Failure::Interrupted));
            }
        }
        Ok(())
    }

    /// Whether the result is no longer wanted.
    pub fn is_interrupted(&mut self) -> bool {
        self.interrupt.as_mut().is_some_and(|stop| stop())
    }

    /// The node `if label then hi else lo`, or what it reduces to. Besides the rules of BDDs there are two: what
    /// `label` implies is not asked again below it, and `label` is not asked if the next weaker atom of its block
    /// leads to the same.
    pub fn node(&mut self, label: Label, hi: Edge, lo: Edge) -> Made {
        let position = self.labels.rank[label as usize] >> 32;
        let hi = self.implied(hi, position);
        if hi == lo || (self.rank(lo) >> 32 == position && self.children(lo).0 == hi) {
            return Ok(lo);
        }
        self.plain_node(label, hi, lo)
    }

    /// As [`node`](Self::node), by the rules of BDDs alone.
    pub fn plain_node(&mut self, label: Label, hi: Edge, lo: Edge) -> Made {
        if hi == lo {
            return Ok(hi);
        }
        let sign = hi & 1;
        let (hi, lo) = (hi ^ sign, lo ^ sign);
        if self.unique.len() <= label as usize {
            self.unique.resize_with(label as usize + 1, FxHashMap::default);
        }
        if let Some(&node) = self.unique[label as usize].get(&(hi, lo)) {
            return Ok((node << 1) | sign);
        }
        if self.live >= self.soft_limit {
            return Err(Halt::Grown);
        }
        if self.live >= self.max_nodes {
            return Err(Halt::Fail(Failure::OutOfNodes));
        }
        let node = Node { label, hi, lo };
        let id = match self.free.pop() {
            Some(id) => {
                self.nodes[id as usize] = node;
                id
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        };
        self.live += 1;
        self.unique[label as usize].insert((hi, lo), id);
        Ok((id << 1) | sign)
    }

    /// The atom `expression ≤ 0`, or `< 0`.
    pub fn inequality(&mut self, expression: &Expression, strict: bool) -> Made {
        let integral = expression.vars().all(|x| self.labels.is_integer(x));
        match normalize(expression, strict, integral) {
            Normal::Constant(value) => Ok(if value { TRUE } else { FALSE }),
            Normal::Atom { form, bound, negated } => {
                if self.labels.count() >= MAX_LABELS {
                    return Err(Halt::Fail(Failure::OutOfNodes));
                }
                let position = self.hint.unwrap_or(self.labels.order.len());
                let label = self.labels.atom(form, bound, position);
                Ok(self.plain_node(label, TRUE, FALSE)? ^ u32::from(negated))
            }
        }
    }
}
