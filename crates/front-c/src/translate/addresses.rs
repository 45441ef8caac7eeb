//! Which addresses objects and functions have.
//!
//! As gcc lays programs out, no address fits into half a word: a number that was narrower is not one.

use crate::memory::Thing;
use crate::tree::{FunctionId, LabelId};
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_program::Var;

/// Where it matters what is done with memory, so many addresses before and behind each object belong to nobody else.
pub(super) const MARGIN: u64 = 2048;

/// Hands out addresses, and knows who has which.
#[derive(Debug)]
pub(super) struct Addresses {
    /// How far objects are apart at least.
    pub(super) gap: u64,
    /// How many arenas there are, and how many large pieces for blocks that are allocated once.
    arenas: u64,
    large_arenas: u64,
    pieces: u64,
    /// What all addresses are above.
    base: u64,
    next: u64,
    functions: FxHashMap<FunctionId, u64>,
    labels: FxHashMap<LabelId, u64>,
    /// Every object that has been placed, in order.
    pub(super) placed: Vec<(Thing, u64)>,
    pub(super) static_bases: FxHashMap<Thing, u64>,
    /// The objects that live in the whole run, in the order of their first use.
    pub(super) statics: Vec<(Thing, u64)>,
    /// The sizes of allocated blocks with fixed addresses, by address.
    pub(super) block_sizes: FxHashMap<u64, u64>,
    /// What is allocated at addresses that are known only at run time.
    pub(super) dynamic: FxHashSet<Thing>,
    /// The first address of the heap that is free.
    pub(super) heap: Option<Var>,
}

impl Addresses {
    /// For addresses of `word` bits, with objects that are kept far apart or not.
    pub(super) fn new(word: u32, apart: bool) -> Addresses {
        let base = if word == 32 { 0 } else { 0x5500_0000_0000 };
        Addresses {
            gap: if apart { 2 * MARGIN } else { 16 },
            arenas: 0,
            large_arenas: 0,
            pieces: 0,
            base,
            next: base + 0x10_0000,
            functions: FxHashMap::default(),
            labels: FxHashMap::default(),
            placed: Vec::new(),
            static_bases: FxHashMap::default(),
            statics: Vec::new(),
            block_sizes: FxHashMap::default(),
            dynamic: FxHashSet::default(),
            heap: None,
        }
    }

    /// The addresses that objects of a process may have: the first, and the one behind the last. None fits into half a word, and
    /// the system keeps the upper ones for itself.
    pub(super) fn of_processes(word: u32) -> (u64, u64) {
        if word == 32 { (0x1_0000, 0xffff_e000) } else { (1 << 32, 0x7fff_ffff_e000) }
    }

    /// The first address that `malloc` returns at run time.
    pub(super) fn first_heap(&self) -> u64 {
        self.base + 0x4000_0000 + self.gap
    }

    /// Whether objects are kept far apart, which divides the heap: a quarter of it for blocks of all sizes, half of it for
    /// arenas, and what follows for large pieces.
    fn is_divided(&self) -> bool {
        self.gap > 16
    }

    /// The first address of an arena, and its length as a power of two, if there is room for one more.
    pub(super) fn arena(&mut self) -> Option<(u64, u32)> {
        let (first, bits, end) =
            if self.base == 0 { (0x5000_0000, 26, 0x8000_0000) } else { (1 << 60, 44, 1 << 61) };
        let start: u64 = first + (self.arenas << bits);
        self.arenas += 1;
        (start < end).then_some((start, bits))
    }

    /// Likewise, for blocks of many sizes; also how long a slot is, as a power of two.
    pub(super) fn large_arena(&mut self) -> Option<(u64, u32, u32)> {
        if self.base == 0 {
            return self.arena().map(|(start, bits)| (start, bits, 17));
        }
        let start: u64 = (1 << 62) + (self.large_arenas << 54);
        self.large_arenas += 1;
        (start < (1 << 62) + (1 << 60)).then_some((start, 54, 38))
    }

    /// An address for a block of any size up to the second number, if there is room for one more.
    pub(super) fn piece(&mut self) -> Option<(u64, u64)> {
        let (first, length, capacity, end): (u64, u64, u64, u64) = if self.base == 0 {
            (0x8000_0000, 0x7fff_0000, 0x7fff_0000 - 2 * MARGIN, 0xffff_0000)
        } else {
            (1 << 61, 1 << 48, 1 << 47, 1 << 62)
        };
        let start = first + self.pieces * length;
        self.pieces += 1;
        (start + length <= end).then_some((start + MARGIN, capacity))
    }

    /// Up to where every block of the heap has addresses of its own. With words of 64 bits that is far beyond where any
    /// process has memory: there are to be enough.
    pub(super) fn heap_limit(&self) -> u64 {
        match (self.base == 0, self.is_divided()) {
            (true, false) => 0xc000_0000,
            (true, true) => 0x5000_0000,
            (false, false) => 0x4000_0000_0000_0000,
            (false, true) => 0x1000_0000_0000_0000,
        }
    }

    /// The end of the heap.
    pub(super) fn heap_end(&self) -> u64 {
        if self.base == 0 { 0xffff_0000 } else { 0x7fff_0000_0000_0000 }
    }

    /// The largest block that can be had: glibc refuses more than half of the address space of 32 bits, and no process on
    /// x86-64 has more than 47 bits of addresses.
    pub(super) fn largest(&self) -> u64 {
        if self.base == 0 { (1 << 31) - 1 } else { 1 << 47 }
    }

    /// An address for `size` bytes, if there is room. Objects are kept apart, so that the end of one is not another.
    pub(super) fn place(&mut self, thing: Thing, size: u64, align: u64) -> Option<u64> {
        let at = self.next.next_multiple_of(align.max(16));
        let next = at.checked_add(size)?.checked_add(self.gap)?;
        if next > self.first_heap() {
            return None;
        }
        self.next = next;
        self.placed.push((thing, at));
        Some(at)
    }

    pub(super) fn function(&mut self, function: FunctionId) -> u64 {
        let next = self.base + 0x1_0000 + 16 * self.functions.len() as u64;
        *self.functions.entry(function).or_insert(next)
    }

    /// The address of a label, below all functions, if there is room.
    pub(super) fn label(&mut self, label: LabelId) -> Option<u64> {
        let next = self.base + 0x1000 + 4 * self.labels.len() as u64;
        let address = *self.labels.entry(label).or_insert(next);
        (address < self.base + 0x1_0000).then_some(address)
    }
}
