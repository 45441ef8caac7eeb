//! The memory of a run: bytes with addresses, and what is known about each.
//!
//! There are three segments: static objects, the heap and the stack. Every byte has a shadow that says whether it is
//! part of a living object, whether it was ever set, and whether it may be written. Objects stand apart by gaps, so an
//! access beside one meets a byte that belongs to none; which object it missed is looked up only then. Whether one further away
//! would meet another object is checked where its address is computed.

mod heap;
mod tags;

pub(super) use heap::{FreeError, Heap};
pub(super) use tags::{PARTIAL, Tags};

/// The byte belongs to a living object.
pub(super) const LIVE: u8 = 1;
/// The byte was set.
pub(super) const SET: u8 = 2;
/// The byte may not be written.
pub(super) const READ_ONLY: u8 = 4;

/// Bytes between objects that belong to none.
pub(super) const GAP: u32 = 32;

const LIVE_8: u64 = 0x0101_0101_0101_0101;
const READABLE_8: u64 = (LIVE | SET) as u64 * LIVE_8;
const WRITABLE_8: u64 = (LIVE | READ_ONLY) as u64 * LIVE_8;

/// Room behind a segment's end, so that eight bytes can be read anywhere in it.
const SLACK: usize = 16;

/// Why an access fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// The byte at the address belongs to no living object.
    NotLive(u64),
    /// The byte at the address was never set.
    Unset(u64),
    ReadOnly(u64),
}

/// A part of memory with consecutive addresses.
#[derive(Debug, Default)]
pub(super) struct Segment {
    pub base: u64,
    bytes: Vec<u8>,
    shadow: Vec<u8>,
    len: usize,
}

#[inline]
const fn mask(size: usize) -> u64 {
    if size >= 8 { u64::MAX } else { (1 << (size * 8)) - 1 }
}

#[inline]
fn eight(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..at + 8) {
        Some(b) => u64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]),
        None => 0,
    }
}

#[inline]
fn set_eight(bytes: &mut [u8], at: usize, value: u64) {
    if let Some(b) = bytes.get_mut(at..at + 8) {
        b.copy_from_slice(&value.to_le_bytes());
    }
}

impl Segment {
    fn new(base: u64) -> Segment {
        Segment { base, bytes: vec![0; SLACK], shadow: vec![0; SLACK], len: 0 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn end(&self) -> u64 {
        self.base + self.len as u64
    }

    /// Makes the segment longer, or does nothing. Fresh bytes belong to no object.
    pub fn grow(&mut self, len: usize) {
        if len > self.len {
            self.len = len;
            if len + SLACK > self.bytes.len() {
                let room =
                    (len + SLACK).next_multiple_of(1 << 16).max(self.bytes.len() + self.bytes.len() / 2);
                self.bytes.resize(room, 0);
                self.shadow.resize(room, 0);
            }
        }
    }

    /// Up to 8 bytes; what lies above the size is arbitrary.
    #[inline]
    pub fn load(&self, at: usize, size: usize) -> Result<u64, Fault> {
        let shadow = eight(&self.shadow, at) & READABLE_8 & mask(size);
        if shadow == READABLE_8 & mask(size) {
            Ok(eight(&self.bytes, at))
        } else {
            Err(self.unreadable(at, size))
        }
    }

    #[cold]
    fn unreadable(&self, at: usize, size: usize) -> Fault {
        let at_fault =
            |wanted: u8| (at..at + size).find(|&i| self.shadow.get(i).is_none_or(|s| s & wanted == 0));
        match (at_fault(LIVE), at_fault(SET)) {
            (Some(i), _) => Fault::NotLive(self.base + i as u64),
            (None, Some(i)) => Fault::Unset(self.base + i as u64),
            (None, None) => Fault::NotLive(self.base + at as u64),
        }
    }

    #[inline]
    pub fn store(&mut self, at: usize, size: usize, value: u64) -> Result<(), Fault> {
        let m = mask(size);
        let shadow = eight(&self.shadow, at);
        if shadow & WRITABLE_8 & m != LIVE_8 & m {
            return Err(self.unwritable(at, size));
        }
        set_eight(&mut self.shadow, at, (shadow & !m) | (READABLE_8 & m));
        let old = eight(&self.bytes, at);
        set_eight(&mut self.bytes, at, (old & !m) | (value & m));
        Ok(())
    }

    #[cold]
    fn unwritable(&self, at: usize, size: usize) -> Fault {
        for i in at..at + size {
            match self.shadow.get(i) {
                Some(s) if s & LIVE == 0 => return Fault::NotLive(self.base + i as u64),
                Some(s) if s & READ_ONLY != 0 => return Fault::ReadOnly(self.base + i as u64),
                Some(_) => {}
                None => return Fault::NotLive(self.base + i as u64),
            }
        }
        Fault::NotLive(self.base + at as u64)
    }

    pub fn shade(&mut self, at: usize, size: usize, shadow: u8) {
        if let Some(s) = self.shadow.get_mut(at..at + size) {
            s.fill(shadow);
        }
    }

    pub fn shade_as(&mut self, at: usize, pattern: &[u8]) {
        if let Some(s) = self.shadow.get_mut(at..at + pattern.len()) {
            s.copy_from_slice(pattern);
        }
    }

    pub fn write_raw(&mut self, at: usize, bytes: &[u8]) {
        if let Some(b) = self.bytes.get_mut(at..at + bytes.len()) {
            b.copy_from_slice(bytes);
        }
    }
}

/// Where the address space has what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bases {
    pub functions: u64,
    pub labels: u64,
    pub statics: u64,
    pub stack: u64,
    /// No address is as large.
    pub top: u64,
}

impl Bases {
    pub const fn new(word: u32) -> Bases {
        if word == 32 {
            let (functions, labels) = (0x0804_8000, 0x0880_0000);
            Bases { functions, labels, statics: 0x0900_0000, stack: 0xa000_0000, top: 0xffff_0000 }
        } else {
            let base = 0x5555_0000_0000;
            let (labels, statics) = (base + 0x4000_0000, base + 0x8000_0000);
            Bases { functions: base, labels, statics, stack: 0x7ff0_0000_0000, top: 0x7fff_ffff_f000 }
        }
    }

    /// Whether something may be at an address.
    pub const fn contains(&self, address: u64) -> bool {
        self.functions <= address && address < self.top
    }

    /// The address of a function or label by its number.
    pub const fn code_address(base: u64, index: usize) -> u64 {
        base + 16 * (index as u64 + 1)
    }

    /// The number of the function or label at an address.
    pub fn code_index(base: u64, address: u64) -> Option<usize> {
        let offset = address.checked_sub(base)?;
        (offset % 16 == 0 && offset >= 16).then(|| (offset / 16 - 1) as usize)
    }
}

/// All memory of a run.
#[derive(Debug)]
pub(super) struct Memory {
    pub statics: Segment,
    pub heap: Segment,
    pub stack: Segment,
    /// The blocks of the heap.
    pub blocks: Heap,
    pub bases: Bases,
}

impl Memory {
    pub fn new(word: u32, static_size: usize) -> Memory {
        let bases = Bases::new(word);
        let mut statics = Segment::new(bases.statics);
        statics.grow(static_size);
        let heap = (statics.end() + (1 << 20)).next_multiple_of(1 << 20);
        let (heap, stack) = (Segment::new(heap), Segment::new(bases.stack));
        Memory { statics, heap, stack, blocks: Heap::default(), bases }
    }

    /// The bytes that the interpreter keeps for the program.
    pub fn footprint(&self) -> u64 {
        2 * (self.statics.bytes.len() + self.heap.bytes.len() + self.stack.bytes.len()) as u64
    }

    #[inline]
    fn find(&self, address: u64) -> Option<(&Segment, usize)> {
        for segment in [&self.stack, &self.statics, &self.heap] {
            let at = address.wrapping_sub(segment.base);
            if at < segment.len as u64 {
                return Some((segment, at as usize));
            }
        }
        None
    }

    #[inline]
    fn find_mut(&mut self, address: u64) -> Option<(&mut Segment, usize)> {
        for segment in [&mut self.stack, &mut self.statics, &mut self.heap] {
            let at = address.wrapping_sub(segment.base);
            if at < segment.len as u64 {
                return Some((segment, at as usize));
            }
        }
        None
    }

    /// Up to 8 bytes; what lies above the size is arbitrary.
    #[inline]
    pub fn load(&self, address: u64, size: usize) -> Result<u64, Fault> {
        match self.find(address) {
            Some((segment, at)) => segment.load(at, size),
            None => Err(Fault::NotLive(address)),
        }
    }

    #[inline]
    pub fn store(&mut self, address: u64, size: usize, value: u64) -> Result<(), Fault> {
        match self.find_mut(address) {
            Some((segment, at)) => segment.store(at, size, value),
            None => Err(Fault::NotLive(address)),
        }
    }

    /// Up to 16 bytes.
    pub fn load_pair(&self, address: u64, size: usize) -> Result<(u64, u64), Fault> {
        let low = self.load(address, size.min(8))?;
        let high = if size > 8 { self.load(address + 8, size - 8)? & mask(size - 8) } else { 0 };
        Ok((low & mask(size), high))
    }

    /// What is at an address, if all of it was set.
    pub fn peek(&self, address: u64, size: usize) -> Option<u64> {
        self.load(address, size).ok().map(|value| value & mask(size))
    }

    /// The shadow of a byte.
    pub fn shadow(&self, address: u64) -> u8 {
        self.find(address).and_then(|(s, at)| s.shadow.get(at).copied()).unwrap_or(0)
    }

    /// Where the living object begins and ends that is nearest to an address, at most `reach` bytes away.
    pub fn nearest(&self, address: u64, reach: u64) -> Option<(u64, u64)> {
        let near = |s: &&Segment| s.base.saturating_sub(reach) <= address && address < s.end() + reach;
        let segment = [&self.stack, &self.statics, &self.heap].into_iter().find(near)?;
        let lives = |at: u64| {
            let byte = at.checked_sub(segment.base).and_then(|at| segment.shadow.get(at as usize));
            byte.is_some_and(|shadow| shadow & LIVE != 0)
        };
        let sides = |d: u64| [address.saturating_sub(d), address.saturating_add(d)];
        let found = (0..=reach).flat_map(sides).find(|&at| lives(at))?;
        let start = (segment.base..=found).rev().take_while(|&at| lives(at)).last()?;
        let end = (found..segment.end()).find(|&at| !lives(at)).unwrap_or(segment.end());
        Some((start, end))
    }

    /// Checks that bytes belong to a living object, and may be written if that is wanted.
    pub fn check(&self, address: u64, size: u64, write: bool) -> Result<(), Fault> {
        if size == 0 {
            return Ok(());
        }
        let (segment, at) = self.find(address).ok_or(Fault::NotLive(address))?;
        let end = at.saturating_add(size as usize);
        let shadow = segment.shadow.get(at..end.min(segment.len)).unwrap_or_default();
        for (i, s) in shadow.iter().enumerate() {
            if s & LIVE == 0 {
                return Err(Fault::NotLive(address + i as u64));
            }
            if write && s & READ_ONLY != 0 {
                return Err(Fault::ReadOnly(address + i as u64));
            }
        }
        if end > segment.len { Err(Fault::NotLive(segment.end())) } else { Ok(()) }
    }

    /// Copies bytes with what is known about them, overlapping or not.
    pub fn copy(&mut self, to: u64, from: u64, size: u64) -> Result<(), Fault> {
        if size == 0 {
            return Ok(());
        }
        self.check(from, size, false)?;
        self.check(to, size, true)?;
        let size = size as usize;
        let (source, at) = self.find(from).ok_or(Fault::NotLive(from))?;
        let bytes = source.bytes[at..at + size].to_vec();
        let shadow: Vec<u8> = source.shadow[at..at + size].iter().map(|s| s & !READ_ONLY).collect();
        let (target, at) = self.find_mut(to).ok_or(Fault::NotLive(to))?;
        target.write_raw(at, &bytes);
        target.shade_as(at, &shadow);
        Ok(())
    }

    /// Sets bytes to one value.
    pub fn fill(&mut self, to: u64, size: u64, value: u8) -> Result<(), Fault> {
        if size == 0 {
            return Ok(());
        }
        self.check(to, size, true)?;
        let (segment, at) = self.find_mut(to).ok_or(Fault::NotLive(to))?;
        segment.bytes[at..at + size as usize].fill(value);
        segment.shade(at, size as usize, LIVE | SET);
        Ok(())
    }

    /// Writes bytes.
    pub fn write(&mut self, to: u64, bytes: &[u8]) -> Result<(), Fault> {
        self.check(to, bytes.len() as u64, true)?;
        if let Some((segment, at)) = self.find_mut(to) {
            segment.write_raw(at, bytes);
            segment.shade(at, bytes.len(), LIVE | SET);
        }
        Ok(())
    }

    /// Makes bytes as if they had never been set.
    pub fn forget(&mut self, address: u64, size: u64) -> Result<(), Fault> {
        if size == 0 {
            return Ok(());
        }
        self.check(address, size, true)?;
        let (segment, at) = self.find_mut(address).ok_or(Fault::NotLive(address))?;
        segment.shade(at, size as usize, LIVE);
        Ok(())
    }

    /// Gives a byte that was never set a value.
    pub fn choose(&mut self, address: u64, value: u8) {
        if let Some((segment, at)) = self.find_mut(address)
            && let (Some(byte), Some(shadow)) = (segment.bytes.get_mut(at), segment.shadow.get_mut(at))
        {
            *byte = value;
            *shadow = (*shadow & !PARTIAL) | SET;
        }
    }
}
