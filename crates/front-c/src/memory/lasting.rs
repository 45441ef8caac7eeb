//! Pointers that are kept beyond `main`: those in static variables, and what can be found from there.

use super::analysis::Thing;
use super::nodes::{NodeId, Pointer};
use super::regions::Memory;
use crate::tree::ObjectId;
use rustc_hash::FxHashSet;

/// Of arrays of more elements in static variables it is not told which pointers they hold.
const STATIC_CELLS: i64 = 32;

/// Pointers that are kept beyond `main`.
#[derive(Default, Debug)]
pub(crate) struct Lasting {
    /// Those in static variables in memory: where, and what they point to.
    pub(crate) cells: Vec<(ObjectId, u64, Pointer)>,
    /// What others may point to that can be found from there.
    pub(crate) pointed: FxHashSet<NodeId>,
}

impl Memory<'_> {
    /// What pointers are kept beyond `main`.
    pub(crate) fn lasting(&mut self) -> Lasting {
        let (unit, word) = (self.analysis.unit, i64::from(self.analysis.unit.word() / 8));
        let statics = self.analysis.things.keys().filter_map(|thing| match *thing {
            Thing::Object(object) if !unit[object].is_automatic() => Some(object),
            _ => None,
        });
        let mut statics: Vec<ObjectId> = statics.collect();
        statics.sort_unstable();
        let (mut lasting, mut work) = (Lasting::default(), Vec::new());
        for object in statics {
            if self.is_plain(object) {
                work.extend(self.pointed_from_object(object));
                continue;
            }
            let at = self.thing(Thing::Object(object));
            let at = self.analysis.nodes.resolve_raw(at);
            let size = unit[object].size.unwrap_or(0) as i64;
            let (stride, cells) = {
                let data = self.analysis.nodes.data(at.node);
                (data.stride, data.cells.iter().map(|(&at, &target)| (at, target)).collect::<Vec<_>>())
            };
            let rounds = if stride > 0 { size / stride } else { 0 };
            for node in self.analysis.nodes.parts_of(at.node) {
                let inner: Vec<Pointer> = self.analysis.nodes.data(node).cells.values().copied().collect();
                for &target in &inner {
                    lasting.pointed.extend(self.family(target));
                }
                work.extend(inner);
            }
            for (cell, target) in cells {
                work.push(target);
                if unit[object].size.is_none() || rounds > STATIC_CELLS {
                    lasting.pointed.extend(self.family(target));
                    continue;
                }
                let first = if stride > 0 { (cell - at.offset).rem_euclid(stride) } else { cell - at.offset };
                let places = (0..=rounds).map(|round| first + round * stride);
                let inside = places.filter(|&place| place >= 0 && place + word <= size);
                let found = inside.map(|place| (object, place as u64, target));
                lasting.cells.extend(found.take(if stride > 0 { usize::MAX } else { 1 }));
            }
        }
        let mut seen = FxHashSet::default();
        while let Some(at) = work.pop() {
            let node = self.node(at);
            if seen.insert(node) {
                let cells: Vec<Pointer> = self.analysis.nodes.data(node).cells.values().copied().collect();
                for target in cells {
                    lasting.pointed.extend(self.family(target));
                    work.push(target);
                }
                let family = self.analysis.nodes.family(node);
                work.extend(family.into_iter().map(|node| Pointer { node, offset: 0 }));
            }
        }
        lasting
    }
}
