//! Which addresses objects and functions have.
//!
//! As gcc lays programs out, no address fits into half a word: a number that was narrower is not one.

use crate::memory::Thing;
use crate::tree::{FunctionId, LabelId};
use rustc_hash::FxHashMap;

/// Hands out addresses.
#[derive(Debug)]
pub(super) struct Layouter {
    /// What all addresses are above.
    base: u64,
    next: u64,
    functions: FxHashMap<FunctionId, u64>,
    labels: FxHashMap<LabelId, u64>,
    /// Every object that has been placed, in order.
    pub(super) placed: Vec<(Thing, u64)>,
}

impl Layouter {
    /// For addresses of so many bits.
    pub(super) fn new(word: u32) -> Layouter {
        let base = if word == 32 { 0 } else { 0x5500_0000_0000 };
        Layouter {
            base,
            next: base + 0x10_0000,
            functions: FxHashMap::default(),
            labels: FxHashMap::default(),
            placed: Vec::new(),
        }
    }

    /// The first address that `malloc` returns at run time.
    pub(super) fn first_heap(&self) -> u64 {
        self.base + 0x4000_0000
    }

    /// Up to where every block of the heap has addresses of its own. With words of 64 bits that is far beyond where any
    /// process has memory: there are to be enough.
    pub(super) fn heap_limit(&self) -> u64 {
        if self.base == 0 { 0xc000_0000 } else { 0x4000_0000_0000_0000 }
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

    /// An address for so many bytes, if there is room. Objects are kept apart, so that the end of one is not another.
    pub(super) fn place(&mut self, thing: Thing, size: u64, align: u64) -> Option<u64> {
        let at = self.next.next_multiple_of(align.max(16));
        let next = at.checked_add(size)?.checked_add(16)?;
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
