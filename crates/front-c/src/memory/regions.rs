//! Memory split into regions that never overlap.
//!
//! The bits of a node that are accessed together are one region. Where all accesses of a region have one place and one
//! width, it is an array of *cells* of that width, indexed by address; any other is an array of bytes.

use super::analysis::{Analysis, Callees, Thing, field_of, is_aggregate, plus, width};
use super::doubt::Doubt;
use super::nodes::{NodeId, Pointer};
use super::parts::Extent;
use super::split::split;
use crate::tree::{
    BitField, ExprId, FunctionId, LabelId, ObjectId, PlaceId, PlaceKind, StringId, Type, Unit,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A piece of memory of a constant size up to this is moved or filled cell by cell, if need be.
pub(crate) const SMALL_PIECE: i128 = 512;

/// A region, by its place among all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct RegionId(u32);

impl RegionId {
    /// The region at a place among all.
    pub(crate) fn at(index: usize) -> RegionId {
        RegionId(index as u32)
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a region is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    /// At an address is a number of that width. For bit-fields the address is that of the byte with the lowest bit.
    Cells { width: u32 },
    /// At an address is a byte.
    Bytes,
}

/// What of an address a number is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shown {
    /// All of it.
    Whole,
    /// Some of its bits.
    Part,
}

/// A region.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) layout: Layout,
    pub(crate) node: NodeId,
    /// Its first bit in the node.
    pub(crate) start: i64,
    pub(super) end: i64,
}

/// One cell of a piece of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    /// Where it is, in bytes from the start of the piece.
    pub(crate) offset: u64,
    pub(crate) region: RegionId,
}

/// What the analysis found, ready to be asked.
pub(crate) struct Memory<'a> {
    pub(super) analysis: Analysis<'a>,
    pub(crate) regions: Vec<Region>,
    /// The regions of each root, by their first bits.
    by_node: FxHashMap<NodeId, Vec<RegionId>>,
    /// What is known of comparisons of addresses.
    pub(super) doubts: FxHashMap<(NodeId, NodeId), Option<Doubt>>,
    /// Whether a number that becomes an address is told apart from what it cannot be.
    pub(crate) exact_numbers: bool,
}

impl<'a> Memory<'a> {
    /// Analyses what `main` reaches; `undefined` are the functions that may do what code of other translation units can.
    pub(crate) fn new(
        unit: &'a Unit,
        main: FunctionId,
        undefined: FxHashSet<FunctionId>,
        divides: bool,
    ) -> Memory<'a> {
        let mut analysis = Analysis::run(unit, main, undefined, divides);
        analysis.nodes.frozen = true;
        let mut memory_regions: Vec<Region> = Vec::new();
        let mut by_node: FxHashMap<NodeId, Vec<RegionId>> = FxHashMap::default();
        for index in 0..analysis.nodes.len() {
            let Some(node) = analysis.nodes.root_at(index) else { continue };
            for mut region in split(analysis.nodes.data(node)) {
                region.node = node;
                by_node.entry(node).or_default().push(RegionId(memory_regions.len() as u32));
                memory_regions.push(region);
            }
        }
        Memory {
            analysis,
            regions: memory_regions,
            by_node,
            doubts: FxHashMap::default(),
            exact_numbers: false,
        }
    }

    /// The variables whose addresses are taken.
    pub(crate) fn addressed(&self) -> FxHashSet<ObjectId> {
        self.analysis.addressed.clone()
    }

    /// Whether a variable is on its own: a scalar whose address nobody takes.
    pub(crate) fn is_plain(&self, object: ObjectId) -> bool {
        is_plain(self.analysis.unit, &self.analysis.addressed, object)
    }

    /// The object that an lvalue is.
    pub(crate) fn place(&mut self, place: PlaceId) -> Pointer {
        self.analysis.place(place)
    }

    /// Whether memory at a place may hold what other translation units put there.
    pub(crate) fn is_external(&mut self, region: RegionId) -> bool {
        let node = self.regions[region.index()].node;
        self.analysis.nodes.data(node).is_elsewhere()
    }

    /// The literal that stands for all of the same contents.
    pub(crate) fn literal(&mut self, literal: StringId) -> StringId {
        self.analysis.literal(literal)
    }

    /// The size of the elements that a place is one of.
    pub(crate) fn element_size(&mut self, at: Pointer) -> Option<u64> {
        let at = self.analysis.nodes.resolve(at);
        let data = self.analysis.nodes.data(at.node);
        (data.stride > 0).then_some(data.stride as u64)
    }

    /// Where the value of a struct or union expression is.
    pub(crate) fn value(&mut self, e: ExprId) -> Pointer {
        self.analysis.value(e)
    }

    /// The node of what occupies memory.
    pub(crate) fn thing(&mut self, thing: Thing) -> Pointer {
        self.analysis.thing(thing)
    }

    /// What holds pointers to what a pointer points to.
    pub(crate) fn holders(&mut self, of: Pointer) -> Vec<Thing> {
        let family = self.analysis.nodes.family(of.node);
        let mut found = Vec::new();
        for index in 0..self.analysis.nodes.len() {
            let Some(root) = self.analysis.nodes.root_at(index) else { continue };
            let targets: Vec<Pointer> = self.analysis.nodes.data(root).cells.values().copied().collect();
            if targets.into_iter().any(|target| family.contains(&self.node(target))) {
                found.extend(self.analysis.nodes.data(root).objects.iter().map(|&(thing, _)| thing));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The function that a variable is one of.
    pub(crate) fn home(&self, object: ObjectId) -> Option<FunctionId> {
        let unit = self.analysis.unit;
        let of_param = unit.functions().find(|&f| unit[f].params.contains(&object));
        of_param.or_else(|| self.analysis.homes.get(&Thing::Object(object)).copied())
    }

    /// Whether there are accesses that could go wrong: through pointers, or by indices that are not constant.
    pub(crate) fn is_risked(&self) -> bool {
        let unit = self.analysis.unit;
        self.analysis.places.keys().any(|&place| match unit[place].kind {
            PlaceKind::Deref(_) => true,
            PlaceKind::Index { index, .. } => super::constant(unit, index).is_none(),
            _ => false,
        })
    }

    /// Whether some memory is read or written both as an address and as a number that may be one.
    pub(crate) fn puns(&mut self, unit: &Unit) -> bool {
        let places: Vec<PlaceId> = self.analysis.places.keys().copied().collect();
        let (mut addresses, mut numbers) = (FxHashSet::default(), FxHashSet::default());
        for place in places {
            let ty = unit[place].ty;
            let wide =
                matches!(ty, Type::Int(int) if int.bits >= unit.word()) || matches!(ty, Type::Float(_));
            if !ty.is_pointer() && !wide || is_aggregate(ty) {
                continue;
            }
            if let PlaceKind::Object(object) = unit[place].kind
                && self.is_plain(object)
            {
                continue;
            }
            let Some(region) = self.place_region(place) else { continue };
            if ty.is_pointer() {
                addresses.insert(region);
                // Bytes may be written one by one.
                if self.regions[region.index()].layout == Layout::Bytes {
                    return true;
                }
            } else {
                numbers.insert(region);
            }
        }
        !addresses.is_disjoint(&numbers)
    }

    /// What the pointer at a place points to.
    pub(crate) fn pointed_from(&mut self, place: PlaceId) -> Option<Pointer> {
        let at = self.analysis.place(place);
        let at = self.analysis.nodes.locate(at);
        self.analysis.nodes.data(at.node).cells.get(&at.offset).copied()
    }

    /// What the pointer in a variable points to.
    pub(crate) fn pointed_from_object(&mut self, object: ObjectId) -> Option<Pointer> {
        let at = *self.analysis.things.get(&Thing::Object(object))?;
        let at = self.analysis.nodes.locate(at);
        self.analysis.nodes.data(at.node).cells.get(&at.offset).copied()
    }

    /// What is allocated.
    pub(crate) fn allocated(&self) -> Vec<Thing> {
        self.analysis.things.keys().copied().filter(|thing| matches!(thing, Thing::Allocated(_))).collect()
    }

    /// What the value of an expression points to.
    pub(crate) fn target(&mut self, e: ExprId) -> Option<Pointer> {
        self.analysis.expr(e)
    }

    /// Whether the value of an expression may be the address of something, and not just a number.
    pub(crate) fn points(&mut self, e: ExprId) -> bool {
        self.analysis.expr(e).is_some_and(|at| self.is_object(at))
    }

    /// The labels whose addresses are taken.
    pub(crate) fn labels(&self) -> Vec<LabelId> {
        self.analysis.labels.clone()
    }

    /// Whether the value of an expression may be the address of a label.
    pub(crate) fn is_label(&mut self, e: ExprId) -> bool {
        let (Some(at), Some(label)) = (self.analysis.expr(e), self.analysis.label_node) else { return false };
        self.analysis.nodes.resolve(at).node == self.analysis.nodes.resolve(label).node
    }

    /// What of an address a number may be that is read at a place.
    pub(crate) fn shows(&mut self, place: PlaceId) -> Option<Shown> {
        let unit = self.analysis.unit;
        if !matches!(unit[place].ty, Type::Bool | Type::Int(_)) {
            return None;
        }
        let (word, bits) = (i64::from(unit.word() / 8), field_of(unit, place));
        let size = i64::from(bits.map_or(width(unit, unit[place].ty), |b| b.first + b.width).div_ceil(8));
        let at = self.place(place);
        let at = self.analysis.nodes.locate(at);
        let data = self.analysis.nodes.data(at.node);
        let folded = data.stride > 0 && data.stride < word;
        let overlaps = |cell: i64| folded || (at.offset < cell + word && cell < at.offset + size);
        let cells: Vec<(i64, Pointer)> =
            data.cells.iter().map(|(&cell, &target)| (cell, target)).filter(|c| overlaps(c.0)).collect();
        let mut shown = None;
        for (cell, target) in cells {
            if self.is_object(target) {
                let whole = cell == at.offset && size == word && bits.is_none_or(|b| b.width >= unit.word());
                shown = Some(if whole && shown != Some(Shown::Part) { Shown::Whole } else { Shown::Part });
            }
        }
        shown
    }

    /// Whether there is something to point to.
    pub(crate) fn holds_objects(&mut self, at: Pointer) -> bool {
        self.is_object(at)
    }

    /// Whether addresses of something may be in a region.
    pub(crate) fn holds_addresses(&mut self, region: RegionId) -> bool {
        let node = self.regions[region.index()].node;
        let targets: Vec<Pointer> = self.analysis.nodes.data(node).cells.values().copied().collect();
        targets.into_iter().any(|target| self.is_object(target))
    }

    /// Whether the value of an expression may be an address of something.
    pub(crate) fn may_be_address(&mut self, e: ExprId) -> bool {
        self.target(e).is_some_and(|at| self.is_object(at) || self.is_external_at(at))
    }

    fn is_object(&mut self, at: Pointer) -> bool {
        let data = self.analysis.nodes.data(at.node);
        data.external || !data.objects.is_empty() || !data.functions.is_empty()
    }

    /// The regions that other code can reach from a variable; of a variable on its own, from what is in it.
    pub(crate) fn reached_from(&mut self, object: ObjectId) -> Vec<RegionId> {
        let at = self.thing(Thing::Object(object));
        if self.is_plain(object) { self.pointed(at) } else { self.reachable([at]) }
    }

    /// Whether the analysis has met a variable.
    pub(crate) fn has_met(&self, object: ObjectId) -> bool {
        self.analysis.things.contains_key(&Thing::Object(object))
    }

    /// What a call through a pointer may reach.
    pub(crate) fn callees(&mut self, call: ExprId) -> Callees {
        self.analysis.callees(call)
    }

    /// The region of a scalar, if anything of it is ever accessed.
    pub(crate) fn region(&mut self, at: Pointer, ty: Type, bits: Option<BitField>) -> Option<RegionId> {
        let at = self.analysis.nodes.locate(at);
        let first = bits.map_or(0, |b| i64::from(b.first));
        debug_assert!(bits.is_some() || width(self.analysis.unit, ty) > 0);
        self.region_at(at.node, 8 * at.offset + first)
    }

    /// The region of the scalar at a place.
    pub(crate) fn place_region(&mut self, place: PlaceId) -> Option<RegionId> {
        let at = self.place(place);
        let unit = self.analysis.unit;
        self.region(at, unit[place].ty, field_of(unit, place))
    }

    /// Where in its cell a place begins that is a part of one, in bits.
    pub(crate) fn part_of_cell(&mut self, place: PlaceId) -> Option<u32> {
        let unit = self.analysis.unit;
        let at = self.place(place);
        let at = self.analysis.nodes.locate(at);
        let region = self.region(at, unit[place].ty, field_of(unit, place))?;
        let region = &self.regions[region.index()];
        match region.layout {
            Layout::Cells { width: cell } if field_of(unit, place).is_none() => {
                let first = u32::try_from(8 * at.offset - region.start).ok()?;
                (width(unit, unit[place].ty) < cell).then_some(first)
            }
            _ => None,
        }
    }

    fn region_at(&self, node: NodeId, bit: i64) -> Option<RegionId> {
        let regions = self.by_node.get(&node)?;
        let after = regions.partition_point(|r| self.regions[r.index()].start <= bit);
        let region = *regions.get(after.checked_sub(1)?)?;
        (bit < self.regions[region.index()].end).then_some(region)
    }

    /// The cells of a piece of memory, or `None` where it begins or ends inside of one.
    pub(crate) fn cells(&mut self, at: Pointer, size: u64) -> Option<Vec<Cell>> {
        let (cells, whole) = self.cells_within(at, size);
        whole.then_some(cells)
    }

    /// How far behind a place the last bytes are that are ever accessed, unless elements repeat there.
    pub(crate) fn last_cell(&mut self, at: Pointer) -> Option<u64> {
        let at = self.analysis.nodes.resolve(at);
        let data = self.analysis.nodes.data(at.node);
        if data.stride > 0 || !data.parts.is_empty() {
            return None;
        }
        let ends = self.by_node.get(&at.node).into_iter().flatten().map(|r| self.regions[r.index()].end);
        let last = ends.max().map_or(0, |end| (end + 7).div_euclid(8) - at.offset);
        u64::try_from(last).ok()
    }

    /// The cells that lie in a piece of memory, and whether it neither begins nor ends inside of another.
    pub(crate) fn cells_within(&mut self, at: Pointer, size: u64) -> (Vec<Cell>, bool) {
        let at = self.analysis.nodes.resolve(at);
        let (mut cells, mut whole) = (Vec::new(), true);
        for offset in 0..size {
            let Pointer { node, offset: here } = self.analysis.nodes.locate(plus(at, offset as i64));
            for &region in self.by_node.get(&node).into_iter().flatten() {
                let data = &self.regions[region.index()];
                let (first, last) = (data.start.div_euclid(8), (data.end - 1).div_euclid(8));
                match data.layout {
                    _ if !(first..=last).contains(&here) => {}
                    Layout::Bytes => cells.push(Cell { offset, region }),
                    Layout::Cells { .. } if here == first => {
                        if offset + (last - first + 1) as u64 > size {
                            whole = false;
                        } else {
                            cells.push(Cell { offset, region });
                        }
                    }
                    Layout::Cells { .. } => whole &= (here - first) as u64 <= offset,
                }
            }
        }
        (cells, whole)
    }

    /// The cells that a byte of a piece of memory is in: the region, where the cell begins, in bytes from the start of the
    /// piece, and which of the cell's bits is the first of the byte.
    pub(crate) fn bits_at(&mut self, at: Pointer, offset: u64) -> Vec<(RegionId, i64, i64)> {
        let at = self.analysis.nodes.resolve(at);
        let Pointer { node, offset: here } = self.analysis.nodes.locate(plus(at, offset as i64));
        let offset = offset as i64;
        let in_cell = |&region: &RegionId| {
            let data = &self.regions[region.index()];
            let (first, last) = (data.start.div_euclid(8), (data.end - 1).div_euclid(8));
            if !(first..=last).contains(&here) {
                return None;
            }
            Some(match data.layout {
                Layout::Bytes => (region, offset, 0),
                Layout::Cells { .. } => {
                    (region, offset - (here - first), 8 * (here - first) - data.start.rem_euclid(8))
                }
            })
        };
        self.by_node.get(&node).into_iter().flatten().filter_map(in_cell).collect()
    }

    /// The regions that can be reached from the pointer in a variable.
    pub(crate) fn pointed(&mut self, at: Pointer) -> Vec<RegionId> {
        let at = self.analysis.nodes.locate(at);
        let target = self.analysis.nodes.data(at.node).cells.get(&at.offset).copied();
        self.reachable(target)
    }

    /// The regions of what pointers point to, and of all that can be reached from there.
    pub(crate) fn reachable(&mut self, from: impl IntoIterator<Item = Pointer>) -> Vec<RegionId> {
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut work: Vec<Pointer> = from.into_iter().collect();
        let mut regions = Vec::new();
        while let Some(at) = work.pop() {
            let node = self.analysis.nodes.resolve(at).node;
            if seen.insert(node) {
                regions.extend(self.by_node.get(&node).into_iter().flatten().copied());
                work.extend(self.analysis.nodes.data(node).cells.values().copied());
                let family = self.analysis.nodes.family(node);
                work.extend(family.into_iter().map(|node| Pointer { node, offset: 0 }));
            }
        }
        regions.sort_unstable();
        regions
    }

    /// The regions of the objects that a pointer may point into.
    pub(crate) fn node_regions(&mut self, at: Pointer) -> Vec<RegionId> {
        let around = self.analysis.nodes.around(at.node);
        let mut regions: Vec<RegionId> =
            around.iter().flat_map(|node| self.by_node.get(node).into_iter().flatten().copied()).collect();
        regions.sort_unstable();
        regions
    }

    /// What activations of some functions bring into being.
    pub(crate) fn things_of(&self, functions: &FxHashSet<FunctionId>) -> Vec<Thing> {
        let unit = self.analysis.unit;
        let params: FxHashSet<ObjectId> =
            functions.iter().flat_map(|&f| unit[f].params.iter().copied()).collect();
        let is_theirs = |(&thing, home): (&Thing, &FunctionId)| match thing {
            Thing::Object(object) if params.contains(&object) => Some(thing),
            Thing::Result(function) => functions.contains(&function).then_some(thing),
            _ => functions.contains(home).then_some(thing),
        };
        let mut things: Vec<Thing> = self.analysis.homes.iter().filter_map(is_theirs).collect();
        things.sort_unstable();
        things
    }

    /// The node that a pointer points into.
    pub(crate) fn node(&mut self, at: Pointer) -> NodeId {
        self.analysis.nodes.resolve(at).node
    }

    /// The nodes of the objects that a pointer may point into: pointers into arrays within structures are told apart.
    pub(crate) fn family(&mut self, at: Pointer) -> Vec<NodeId> {
        self.analysis.nodes.family(at.node)
    }

    /// What is in those nodes.
    pub(crate) fn things_around(&mut self, at: Pointer) -> FxHashSet<Thing> {
        let around = self.analysis.nodes.around(at.node);
        around.into_iter().flat_map(|node| self.things_at(Pointer { node, offset: 0 })).collect()
    }

    /// Where in objects the bytes are that a pointer points to.
    pub(crate) fn extents(&mut self, at: Pointer) -> Vec<Extent<Thing>> {
        self.analysis.nodes.extents(at.node)
    }

    /// Whether accesses to something may stray from one of its arrays.
    pub(crate) fn is_divided(&mut self, thing: Thing) -> bool {
        let at = self.thing(thing);
        let family = self.family(at);
        family.into_iter().any(|node| self.analysis.nodes.may_stray(node))
    }

    /// Whether some accesses may.
    pub(crate) fn divides_blocks(&mut self) -> bool {
        self.allocated().into_iter().any(|thing| self.is_divided(thing))
    }

    /// Whether an access through a pointer may be outside of the array within a structure that it is taken to be in.
    pub(crate) fn may_stray(&mut self, at: Pointer) -> bool {
        self.analysis.nodes.may_stray(at.node)
    }

    /// Whether what a pointer points to may be an object of another translation unit.
    pub(crate) fn is_external_at(&mut self, at: Pointer) -> bool {
        let data = self.analysis.nodes.data(at.node);
        data.is_elsewhere() || data.number
    }

    /// What is in the node that a pointer points into.
    pub(crate) fn things_at(&mut self, at: Pointer) -> Vec<Thing> {
        self.analysis.nodes.data(at.node).objects.iter().map(|&(thing, _)| thing).collect()
    }

    /// What is in a region's node, and where.
    pub(crate) fn objects(&mut self, region: RegionId) -> &[(Thing, i64)] {
        let node = self.regions[region.index()].node;
        &self.analysis.nodes.data(node).objects
    }
}

/// Whether a variable is on its own: a scalar whose address nobody takes.
pub(crate) fn is_plain(unit: &Unit, addressed: &FxHashSet<ObjectId>, object: ObjectId) -> bool {
    !is_aggregate(unit[object].ty) && !addressed.contains(&object)
}
