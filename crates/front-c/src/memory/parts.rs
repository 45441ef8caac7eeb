//! Arrays within structures, as nodes of their own.
//!
//! An index that is not constant folds an array: all its elements are one. The members around it are another matter. So where
//! an element of an array is taken that is a member, the array becomes a *part* of the node of the structure, a node with
//! a stride of its own. A pointer to the structure points into the outer node, and what lies in the part is looked up there
//! (`locate`); a pointer into the array points into the part's node. That node may be a part of several others, its *homes*,
//! and hold objects of its own: what pointers that may point into one array or another point to.
//!
//! A pointer into a part that is moved may come to what is around it. The analysis takes it not to: each access in a part
//! of which elements are folded is held against the bounds of the array where it is translated (`translate::strays`).
//!
//! What does not fit is as if there was no part: the part's node *collapses* into its homes. So where one pointer points into an
//! array and to the structure, where an access goes across a bound by a constant distance, where elements of the outer node
//! are no longer as large, and where pointers from outside may lead to it.

use super::nodes::{Access, Data, NodeId, Nodes, Pointer};
use rustc_hash::FxHashSet;
use std::hash::Hash;

/// The end of a part that goes as far as what it is in.
pub(crate) const OPEN: i64 = i64::MAX / 64;

/// An array in a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// Where it ends in the outer node.
    pub(crate) end: i64,
    /// Whether it is the last member: then it ends where the structure does.
    pub(crate) last: bool,
    /// Where it starts in its own.
    pub(crate) at: Pointer,
}

impl Part {
    pub(super) fn moved(self, shift: i64) -> Part {
        Part { end: if self.end >= OPEN { OPEN } else { self.end + shift }, ..self }
    }
}

/// Where a node is a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Home {
    /// Where it starts in the outer node.
    pub(crate) outer: Pointer,
    /// Where it starts in its own.
    pub(crate) inner: i64,
}

impl Home {
    pub(super) fn moved(self, shift: i64) -> Home {
        Home { inner: self.inner + shift, ..self }
    }
}

impl<T> Data<T> {
    /// The part that an offset is in, and how far it is from its start.
    fn part_at(&self, offset: i64) -> Option<(&Part, i64)> {
        let (&start, part) = self.parts.range(..=offset).next_back()?;
        (offset < part.end).then_some((part, offset - start))
    }
}

impl<T: Copy + Default + Eq + Hash> Nodes<T> {
    /// Where the bytes are that a pointer points to.
    pub(crate) fn locate(&mut self, p: Pointer) -> Pointer {
        let mut at = self.resolve(p);
        while let Some((part, by)) = self.data[at.node.index()].part_at(at.offset) {
            let inner = Pointer { node: part.at.node, offset: part.at.offset + by };
            at = self.resolve(inner);
        }
        at
    }

    /// Likewise; the offset as it is.
    pub(crate) fn locate_raw(&mut self, p: Pointer) -> Pointer {
        let mut at = self.resolve_raw(p);
        loop {
            let data = &self.data[at.node.index()];
            let Some((part, by)) = data.part_at(data.normal(at.offset)) else { return at };
            let inner = Pointer { node: part.at.node, offset: part.at.offset + by };
            at = self.resolve_raw(inner);
        }
    }

    /// The elements of an array of `length` bytes that is a member, the last one of its structure or not.
    pub(crate) fn enter(&mut self, array: Pointer, length: i64, last: bool) -> Pointer {
        let at = self.resolve(array);
        let data = &self.data[at.node.index()];
        let stride = data.stride;
        let end = match last {
            true if stride > 0 => stride,
            true => OPEN,
            false => at.offset.saturating_add(length),
        };
        if data.is_open() || end <= at.offset || (stride > 0 && end > stride) {
            return at;
        }
        let near: Vec<(i64, Part)> = data
            .parts
            .range(..end)
            .filter(|(_, part)| at.offset < part.end)
            .map(|(&start, &part)| (start, part))
            .collect();
        match near[..] {
            [] if self.frozen => return at,
            [] => {
                let part = self.fresh();
                self.data[part.node.index()].homes.push(Home { outer: at, inner: 0 });
                self.data[at.node.index()].parts.insert(at.offset, Part { end, last, at: part });
            }
            [(start, part)] if start <= at.offset && end <= part.end => {
                return Pointer { node: part.at.node, offset: part.at.offset + at.offset - start };
            }
            _ if self.frozen => return at,
            [(start, part)] if start == at.offset => {
                self.data[at.node.index()].parts.insert(start, Part { end, last: part.last | last, ..part });
            }
            _ => {
                near.iter().for_each(|(_, part)| self.collapse(part.at.node));
                self.settle();
                return array;
            }
        }
        self.relocate(at.node.index() as u32);
        self.settle();
        let at = self.resolve(array);
        match self.data[at.node.index()].parts.get(&at.offset) {
            Some(part) => part.at,
            None => array,
        }
    }

    /// Gives up that a node is a part: it is where it is in its homes.
    pub(crate) fn collapse(&mut self, node: NodeId) {
        let (root, _) = self.root(node);
        let node = NodeId::of(root);
        for home in std::mem::take(&mut self.data[root as usize].homes) {
            let outer = self.resolve(home.outer);
            let part = self.data[outer.node.index()].parts.get(&outer.offset).copied();
            if part.is_some_and(|part| self.root(part.at.node).0 == root) {
                self.data[outer.node.index()].parts.remove(&outer.offset);
            }
            self.pending.push((Pointer { node, offset: home.inner }, home.outer));
        }
    }

    /// The parts of a node collapse.
    pub(crate) fn collapse_parts(&mut self, node: NodeId) {
        let parts: Vec<Part> = self.data(node).parts.values().copied().collect();
        parts.iter().for_each(|part| self.collapse(part.at.node));
        self.settle();
    }

    /// A node that is a part of another, if one of two is: directly or not.
    pub(super) fn nested(&mut self, a: NodeId, b: NodeId) -> Option<NodeId> {
        if self.is_within(b, a) { Some(b) } else { self.is_within(a, b).then_some(a) }
    }

    /// Whether a node is a part of another, or a part of one of its parts.
    fn is_within(&mut self, inner: NodeId, outer: NodeId) -> bool {
        let mut work = vec![inner];
        while let Some(node) = work.pop() {
            for home in self.data(node).homes.clone() {
                let at = self.resolve_raw(home.outer).node;
                if at == outer {
                    return true;
                }
                work.push(at);
            }
        }
        false
    }

    /// The parts of a node are placed again, with more of them.
    pub(super) fn regroup(&mut self, root: u32, more: Vec<(i64, Part)>) {
        let data = &mut self.data[root as usize];
        if data.parts.is_empty() && more.is_empty() {
            return;
        }
        let stride = data.stride;
        let all: Vec<(i64, Part)> = std::mem::take(&mut data.parts).into_iter().chain(more).collect();
        for (start, part) in all {
            if !self.is_home(root, part) {
                continue;
            }
            let at = self.data[root as usize].normal(start);
            let end = match part.last {
                true if stride > 0 => stride,
                true => OPEN,
                false => at + (part.end - start),
            };
            let parts = &mut self.data[root as usize].parts;
            let near: Vec<(i64, Part)> = parts
                .range(..end)
                .filter(|(_, known)| at < known.end)
                .map(|(&start, &known)| (start, known))
                .collect();
            match near[..] {
                _ if stride > 0 && end > stride => self.collapse(part.at.node),
                [] => {
                    parts.insert(at, Part { end, ..part });
                }
                [(first, known)] if first == at => {
                    parts.insert(at, Part { end: end.max(known.end), last: known.last | part.last, ..known });
                    self.pending.push((known.at, part.at));
                }
                _ => {
                    self.collapse(part.at.node);
                    near.iter().for_each(|(_, known)| self.collapse(known.at.node));
                }
            }
        }
        self.relocate(root);
    }

    /// Whether a part did not collapse.
    fn is_home(&mut self, root: u32, part: Part) -> bool {
        let homes = self.data(part.at.node).homes.clone();
        homes.iter().any(|home| self.resolve_raw(home.outer).node == NodeId::of(root))
    }

    /// What is noted of a node's bytes belongs to the parts that these are in.
    fn relocate(&mut self, root: u32) {
        let data = &mut self.data[root as usize];
        if data.parts.is_empty() {
            return;
        }
        let (accesses, tested) = (std::mem::take(&mut data.accesses), std::mem::take(&mut data.tested));
        let cells = std::mem::take(&mut data.cells);
        let node = NodeId::of(root);
        for (list, is_access) in [(accesses, true), (tested, false)] {
            for access in list {
                let offset = access.bit.div_euclid(8);
                let at = self.locate_raw(Pointer { node, offset });
                let offset = if at.node == node { offset } else { at.offset };
                let access = Access { bit: 8 * offset + access.bit.rem_euclid(8), ..access };
                let data = self.data(at.node);
                if is_access {
                    data.accesses.insert(access)
                } else {
                    data.tested.insert(access)
                };
            }
        }
        for (offset, target) in cells {
            let at = self.locate(Pointer { node, offset });
            self.insert(at.node.index() as u32, std::iter::once((at.offset, target)));
        }
    }

    /// Makes parts whose bounds are crossed by accesses, or that something unknown may lead to, what they are in; whether any was.
    pub(crate) fn fit_parts(&mut self, node: NodeId) -> bool {
        let data = self.data(node);
        let mut crossed = Vec::new();
        let is_open = data.is_open();
        for (&start, part) in &data.parts {
            let crosses = data.accesses.iter().chain(&data.tested).any(|&access| {
                let (first, end) = data.normal_bits(access);
                first < 8 * start && 8 * start < end
            });
            if crosses || is_open {
                crossed.push(part.at.node);
            }
        }
        if !data.homes.is_empty() {
            // As they are: an access at a constant distance from the structure may begin in the array and end behind it.
            let mut extent: Option<(i64, i64)> = None;
            for access in data.accesses.iter().chain(&data.tested) {
                let (first, end) = (access.bit.div_euclid(8), access.bit + i64::from(access.width));
                let (low, high) = extent.unwrap_or((first, end));
                extent = Some((low.min(first), high.max(end)));
            }
            let (stride, homes) = (data.stride, data.homes.clone());
            let lowest = homes.iter().map(|home| home.inner).min().unwrap_or(0);
            let leaves = homes.iter().any(|home| {
                let outer = self.resolve(home.outer);
                let Some(part) = self.data[outer.node.index()].parts.get(&outer.offset) else { return true };
                let length = part.end - outer.offset;
                let Some((low, high)) = extent else { return false };
                // Elements are counted from where the array starts.
                let is_aligned = stride == 0 || home.inner % stride == 0;
                let before = if stride > 0 { low < lowest } else { low < home.inner };
                !is_aligned || stride > length || before || high > 8 * (home.inner + length)
            });
            if leaves || is_open {
                crossed.push(node);
            }
        }
        let changed = !crossed.is_empty();
        crossed.into_iter().for_each(|node| self.collapse(node));
        self.settle();
        changed
    }

    /// What is in the homes of a part is in the part too; whether that is news.
    pub(crate) fn share_objects(&mut self, node: NodeId) -> bool {
        let homes = self.data(node).homes.clone();
        let mut changed = false;
        for home in homes {
            let outer = self.resolve_raw(home.outer);
            let shift = home.inner - outer.offset;
            let objects: Vec<(T, i64)> = self.data[outer.node.index()]
                .objects
                .iter()
                .map(|&(thing, at)| (thing, at + shift))
                .collect();
            let data = self.data(node);
            for object in objects {
                if !data.objects.contains(&object) {
                    data.objects.push(object);
                    changed = true;
                }
            }
        }
        changed
    }

    /// A node with all that it is a part of, and all parts of these.
    pub(crate) fn family(&mut self, node: NodeId) -> Vec<NodeId> {
        let (root, _) = self.root(node);
        let mut family = vec![NodeId::of(root)];
        let mut next = 0;
        while let Some(&node) = family.get(next) {
            next += 1;
            let data = &self.data[node.index()];
            let homes = data.homes.iter().map(|home| home.outer);
            let near: Vec<Pointer> = homes.chain(data.parts.values().map(|part| part.at)).collect();
            for at in near {
                let other = self.resolve_raw(at).node;
                if !family.contains(&other) {
                    family.push(other);
                }
            }
        }
        family
    }

    /// The nodes of the objects that are in a node.
    pub(crate) fn around(&mut self, node: NodeId) -> Vec<NodeId> {
        let (root, _) = self.root(node);
        let things: FxHashSet<T> = self.data[root as usize].objects.iter().map(|&(thing, _)| thing).collect();
        let parts = self.parts_of(node);
        let mut family = self.family(node);
        family.retain(|&other| {
            let shares = |&(thing, _): &(T, i64)| things.contains(&thing);
            other == NodeId::of(root)
                || parts.contains(&other)
                || self.data[other.index()].objects.iter().any(shares)
        });
        family
    }

    /// The parts of a node, and theirs.
    pub(crate) fn parts_of(&mut self, node: NodeId) -> Vec<NodeId> {
        let (mut work, mut found) = (vec![node], Vec::new());
        while let Some(node) = work.pop() {
            for part in self.data(node).parts.values().copied().collect::<Vec<_>>() {
                let inner = self.resolve_raw(part.at).node;
                if !found.contains(&inner) {
                    found.push(inner);
                    work.push(inner);
                }
            }
        }
        found
    }

    /// Whether a node is a part in which an access may go astray: its elements are folded, or it is a part of such a one.
    pub(crate) fn may_stray(&mut self, node: NodeId) -> bool {
        let data = self.data(node);
        let (folded, homes) = (data.stride > 0, data.homes.clone());
        !homes.is_empty() && (folded || homes.iter().any(|home| self.may_stray(home.outer.node)))
    }

    /// Whether it is not known how far a pointer into a node is from the start of an object.
    pub(crate) fn is_folded(&mut self, node: NodeId) -> bool {
        let data = self.data(node);
        let (folded, homes) = (data.stride > 0, data.homes.clone());
        folded || homes.iter().any(|home| self.is_folded(home.outer.node))
    }

    /// Where the bytes of a node are in objects.
    pub(crate) fn extents(&mut self, node: NodeId) -> Vec<Extent<T>> {
        let data = self.data(node);
        let (stride, objects, homes) = (data.stride, data.objects.clone(), data.homes.clone());
        let mut of_homes = FxHashSet::default();
        let mut extents = Vec::new();
        for home in homes {
            let (raw, outer) = (self.resolve_raw(home.outer), self.resolve(home.outer));
            let shared = self.data[raw.node.index()].objects.iter();
            of_homes.extend(shared.map(|&(thing, at)| (thing, at + home.inner - raw.offset)));
            let Some(part) = self.data[outer.node.index()].parts.get(&outer.offset) else { continue };
            let step = Step { start: outer.offset, end: part.end, inner: home.inner, stride };
            for extent in self.extents(outer.node) {
                let steps = extent.steps.into_iter().chain([step]).collect();
                extents.push(Extent { steps, ..extent });
            }
        }
        let own = objects.into_iter().filter(|object| !of_homes.contains(object));
        extents.extend(own.map(|(thing, at)| Extent {
            thing,
            at: if stride > 0 { at.rem_euclid(stride) } else { at },
            stride,
            steps: Vec::new(),
        }));
        extents
    }
}

/// Where the bytes of a node are in an object: in all of it, or in an array in its elements, and so on.
#[derive(Clone, Debug)]
pub(crate) struct Extent<T> {
    pub(crate) thing: T,
    /// Where the object starts in the outermost node.
    pub(crate) at: i64,
    /// The size of the elements of the outermost node, or 0.
    pub(crate) stride: i64,
    pub(crate) steps: Vec<Step>,
}

/// From a node into one of its parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) start: i64,
    pub(crate) end: i64,
    /// Where the part starts in its node.
    pub(crate) inner: i64,
    /// The size of its elements, or 0.
    pub(crate) stride: i64,
}
