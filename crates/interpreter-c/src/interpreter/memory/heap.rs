//! Blocks of allocated memory.

use super::{GAP, LIVE, Memory, SET};
use std::collections::{BTreeMap, VecDeque};

/// The blocks of the heap by address.
#[derive(Debug, Default)]
pub(in super::super) struct Heap {
    blocks: BTreeMap<u64, Block>,
    /// Freed blocks by the room they take, oldest first.
    freed: BTreeMap<u64, VecDeque<u64>>,
    count: u32,
    /// Whether no address is used anew, whatever memory that takes.
    pub keeps: bool,
}

/// An allocated block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Block {
    pub size: u64,
    pub freed: bool,
    /// Which allocation of the run it was, from 1.
    pub number: u32,
}

/// Why a block cannot be freed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum FreeError {
    Twice,
    NotABlock,
}

/// Addresses are used anew only when the heap is larger than this: until then every use after free is seen.
const REUSE_ABOVE: usize = 32 << 20;

impl Heap {
    /// The block that an address is in or just behind.
    pub fn block_near(&self, address: u64) -> Option<(u64, Block)> {
        let (&base, &block) = self.blocks.range(..=address).next_back()?;
        (address - base < block.size + u64::from(GAP)).then_some((base, block))
    }

    /// The blocks that were not freed.
    pub fn living(&self) -> impl Iterator<Item = (u64, Block)> {
        self.blocks.iter().filter(|(_, block)| !block.freed).map(|(&base, &block)| (base, block))
    }

    /// Lets a block be none, though its bytes stay.
    pub fn forget(&mut self, address: u64) {
        if self.blocks.remove(&address).is_some() {
            self.count -= 1;
        }
    }

    /// How many blocks were had so far.
    pub fn allocations(&self) -> u32 {
        self.count
    }

    /// The block that starts at an address.
    pub fn block_at(&self, address: u64) -> Option<Block> {
        self.blocks.get(&address).copied()
    }
}

impl Memory {
    /// A fresh block, or `None` if there is no room left in the address space or below `limit` bytes of memory.
    pub fn allocate(&mut self, size: u64, align: u64, zeroed: bool, limit: u64) -> Option<u64> {
        let align = align.max(16);
        let room = size.checked_add(u64::from(GAP))?.checked_next_multiple_of(16)?;
        if room > limit || self.footprint() + 2 * room > limit {
            return None;
        }
        let reused = if self.heap.len() > REUSE_ABOVE && align == 16 && !self.blocks.keeps {
            self.blocks.freed.get_mut(&room).and_then(VecDeque::pop_front)
        } else {
            None
        };
        let address = match reused {
            Some(address) => address,
            None => {
                let address = self.heap.end().checked_next_multiple_of(align)?;
                let end = address.checked_add(room)?;
                if end > self.stack.base {
                    return None;
                }
                self.heap.grow((end - self.heap.base) as usize);
                address
            }
        };
        self.blocks.count += 1;
        let block = Block { size, freed: false, number: self.blocks.count };
        self.blocks.blocks.insert(address, block);
        let at = (address - self.heap.base) as usize;
        self.heap.shade(at, size as usize, if zeroed { LIVE | SET } else { LIVE });
        if zeroed {
            self.heap.bytes[at..at + size as usize].fill(0);
        }
        Some(address)
    }

    /// Frees a block.
    pub fn free(&mut self, address: u64) -> Result<(), FreeError> {
        let block = self.blocks.blocks.get_mut(&address).ok_or(FreeError::NotABlock)?;
        if block.freed {
            return Err(FreeError::Twice);
        }
        block.freed = true;
        let size = block.size;
        let at = (address - self.heap.base) as usize;
        self.heap.shade(at, size as usize, 0);
        let room = (size + u64::from(GAP)).next_multiple_of(16);
        self.blocks.freed.entry(room).or_default().push_back(address);
        Ok(())
    }
}
