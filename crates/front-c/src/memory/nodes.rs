//! The graph of a unification-based points-to analysis with byte offsets.
//!
//! A *node* stands for a set of objects that the analysis cannot tell apart. What a pointer points to is a node and an
//! offset into it. Equating two pointers merges their nodes, shifted so that the offsets meet. Arrays are folded: where
//! a pointer moves by an unknown distance, the node has a *stride*, and offsets are taken modulo that. What does not fit
//! any longer becomes coarser, down to single bytes, and never finer: the analysis ends.
//!
//! An array within a structure is a node of its own, a *part* of the node of the structure ([`super::parts`]).

use super::parts::{Home, Part};
use crate::tree::FunctionId;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;

/// A node, by the number it was made with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// No node.
    pub(crate) const NONE: NodeId = NodeId(u32::MAX);

    pub(super) fn of(root: u32) -> NodeId {
        NodeId(root)
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Pointer {
    pub(crate) node: NodeId,
    /// In bytes.
    pub(crate) offset: i64,
}

/// Some bits of a node that are read or written at once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Access {
    /// The first bit, from the start of the node.
    pub(crate) bit: i64,
    pub(crate) width: u32,
}

/// What is known of a node.
#[derive(Clone, Default, Debug)]
pub(crate) struct Data<T> {
    /// The distance after which all repeats; 0 if nothing does.
    pub(crate) stride: i64,
    /// What is pointed to from each offset.
    pub(crate) cells: BTreeMap<i64, Pointer>,
    pub(crate) accesses: BTreeSet<Access>,
    /// What is read only to see whether it is 0.
    pub(crate) tested: BTreeSet<Access>,
    /// The objects, and where in the node they start.
    pub(crate) objects: Vec<(T, i64)>,
    pub(crate) functions: Vec<FunctionId>,
    /// Whether it may hold what other translation units put there.
    pub(crate) external: bool,
    /// Whether other translation units may store into it.
    pub(crate) reached: bool,
    /// Whether pointers to it may as well point to what only other translation units know.
    pub(crate) foreign: bool,
    /// Whether numbers may point here that were computed from addresses in unknown ways.
    pub(crate) number: bool,
    /// Whether numbers are taken as addresses of what is here.
    pub(crate) guessed: bool,
    /// The arrays within it that are nodes of their own, by where they start.
    pub(crate) parts: BTreeMap<i64, Part>,
    /// What it is a part of.
    pub(crate) homes: Vec<Home>,
}

impl<T> Data<T> {
    /// The offset of the one element that stands for all.
    pub(crate) fn normal(&self, offset: i64) -> i64 {
        if self.stride > 0 { offset.rem_euclid(self.stride) } else { offset }
    }

    /// Whether something of other translation units may be here.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.external || self.foreign
    }

    /// Whether something other than this unit's pointers may lead here.
    pub(crate) fn is_open(&self) -> bool {
        self.is_elsewhere() || self.reached || self.number || self.guessed
    }

    /// The bits of an access in the element that stands for all.
    pub(crate) fn normal_bits(&self, access: Access) -> (i64, i64) {
        let start = 8 * self.normal(access.bit.div_euclid(8)) + access.bit.rem_euclid(8);
        (start, start + i64::from(access.width))
    }

    /// All that decides how the node is kept: what is read to see whether it is 0, and lies in something else that is
    /// accessed, is a part of that.
    pub(crate) fn deciding(&self) -> Vec<Access> {
        let mut deciding: Vec<Access> = self.accesses.iter().copied().collect();
        let whole = |bits: i64| bits % 8 == 0;
        for &part in &self.tested {
            let (start, end) = self.normal_bits(part);
            let is_part = self.accesses.iter().any(|&other| {
                let (first, last) = self.normal_bits(other);
                whole(first) && whole(last) && first <= start && end <= last
            });
            if !is_part || !whole(start) || !whole(end) {
                deciding.push(part);
            }
        }
        deciding
    }

    /// Makes the whole node repeat after a distance.
    pub(crate) fn add_stride(&mut self, stride: i64) {
        self.stride = gcd(self.stride, stride).max(1);
    }
}

/// All nodes, in a union-find forest whose links shift offsets.
#[derive(Debug)]
pub(crate) struct Nodes<T> {
    parents: Vec<(u32, i64)>,
    pub(super) data: Vec<Data<T>>,
    pub(super) pending: Vec<(Pointer, Pointer)>,
    /// Whether no more parts are made.
    pub(super) frozen: bool,
}

impl<T: Copy + Default + Eq + Hash> Nodes<T> {
    pub(crate) fn new() -> Nodes<T> {
        Nodes { parents: Vec::new(), data: Vec::new(), pending: Vec::new(), frozen: false }
    }

    /// A node without anything in it.
    pub(crate) fn fresh(&mut self) -> Pointer {
        let id = self.parents.len() as u32;
        self.parents.push((id, 0));
        self.data.push(Data::default());
        Pointer { node: NodeId(id), offset: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.parents.len()
    }

    /// The node of a number, if it is not merged into another.
    pub(crate) fn root_at(&self, index: usize) -> Option<NodeId> {
        (self.parents[index].0 as usize == index).then_some(NodeId(index as u32))
    }

    pub(super) fn root(&mut self, node: NodeId) -> (u32, i64) {
        let (mut at, mut shift) = (node.0, 0);
        let mut path = Vec::new();
        while self.parents[at as usize].0 != at {
            path.push((at, shift));
            let (up, by) = self.parents[at as usize];
            shift += by;
            at = up;
        }
        for (node, before) in path {
            self.parents[node as usize] = (at, shift - before);
        }
        (at, shift)
    }

    /// The same target, by its root and the offset of the element that stands for all.
    pub(crate) fn resolve(&mut self, p: Pointer) -> Pointer {
        let (root, shift) = self.root(p.node);
        let offset = self.data[root as usize].normal(p.offset + shift);
        Pointer { node: NodeId(root), offset }
    }

    /// The same target, by its root; the offset as it is.
    pub(crate) fn resolve_raw(&mut self, p: Pointer) -> Pointer {
        let (root, shift) = self.root(p.node);
        Pointer { node: NodeId(root), offset: p.offset + shift }
    }

    pub(crate) fn data(&mut self, node: NodeId) -> &mut Data<T> {
        let (root, _) = self.root(node);
        &mut self.data[root as usize]
    }

    /// Changes what folds the offsets of a node.
    pub(crate) fn refold(&mut self, node: NodeId, change: impl FnOnce(&mut Data<T>)) {
        let (root, _) = self.root(node);
        change(&mut self.data[root as usize]);
        self.rebuild(root);
        self.settle();
    }

    /// What the pointer stored at a place points to.
    pub(crate) fn target(&mut self, at: Pointer) -> Pointer {
        let at = self.locate(at);
        if let Some(&target) = self.data[at.node.index()].cells.get(&at.offset) {
            return target;
        }
        let target = self.fresh();
        self.data[at.node.index()].cells.insert(at.offset, target);
        target
    }

    /// Two pointers may be equal.
    pub(crate) fn unify(&mut self, a: Pointer, b: Pointer) {
        self.pending.push((a, b));
        self.settle();
    }

    pub(super) fn settle(&mut self) {
        while let Some((a, b)) = self.pending.pop() {
            let (a, b) = (self.resolve(a), self.resolve(b));
            if a.node == b.node {
                if a.offset != b.offset {
                    self.fold(a.node, a.offset, b.offset);
                }
                continue;
            }
            if let Some(part) = self.nested(a.node, b.node) {
                self.pending.push((a, b));
                self.collapse(part);
                continue;
            }
            let size = |n: NodeId| {
                let data = &self.data[n.index()];
                data.cells.len() + data.accesses.len() + data.objects.len()
            };
            let (into, from) = if size(a.node) >= size(b.node) { (a, b) } else { (b, a) };
            self.merge(into, from);
        }
    }

    /// One pointer is at both offsets.
    fn fold(&mut self, node: NodeId, a: i64, b: i64) {
        self.data[node.index()].add_stride((a - b).abs());
        self.rebuild(node.0);
    }

    fn merge(&mut self, into: Pointer, from: Pointer) {
        let shift = into.offset - from.offset;
        let other = std::mem::take(&mut self.data[from.node.index()]);
        self.parents[from.node.index()] = (into.node.0, shift);
        let data = &mut self.data[into.node.index()];
        if other.stride > 0 {
            data.add_stride(other.stride);
        }
        let moved = |a: Access| Access { bit: a.bit + 8 * shift, width: a.width };
        data.accesses.extend(other.accesses.into_iter().map(moved));
        data.tested.extend(other.tested.into_iter().map(moved));
        let known: FxHashSet<(T, i64)> = data.objects.iter().copied().collect();
        let objects = other.objects.into_iter().map(|(o, at)| (o, at + shift));
        data.objects.extend(objects.filter(|object| !known.contains(object)));
        data.homes.extend(other.homes.into_iter().map(|home| home.moved(shift)));
        for function in other.functions {
            if !data.functions.contains(&function) {
                data.functions.push(function);
            }
        }
        data.external |= other.external;
        data.reached |= other.reached;
        data.foreign |= other.foreign;
        data.number |= other.number;
        data.guessed |= other.guessed;
        let cells: Vec<_> = other.cells.into_iter().map(|(at, p)| (at + shift, p)).collect();
        let known = std::mem::take(&mut data.cells);
        self.insert(into.node.0, known.into_iter().chain(cells));
        let parts = other.parts.into_iter().map(|(at, part)| (at + shift, part.moved(shift)));
        self.regroup(into.node.0, parts.collect());
    }

    /// Folds the cells again.
    fn rebuild(&mut self, root: u32) {
        let cells = std::mem::take(&mut self.data[root as usize].cells);
        self.insert(root, cells.into_iter());
        self.regroup(root, Vec::new());
    }

    pub(super) fn insert(&mut self, root: u32, cells: impl Iterator<Item = (i64, Pointer)>) {
        let data = &mut self.data[root as usize];
        for (at, target) in cells {
            let at = data.normal(at);
            match data.cells.get(&at) {
                Some(&known) => self.pending.push((known, target)),
                None => {
                    data.cells.insert(at, target);
                }
            }
        }
    }
}

pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
