//! What a run that must be the only one knows about bytes besides whether they were set.
//!
//! A byte of an address that was stored says so, and which one of its bytes it is: what is read as a number is none, and
//! what is read as an address is one. A byte of which bit-fields have set a part says that; which part is kept elsewhere.

use super::{Memory, READ_ONLY, READABLE_8, Segment, eight, mask, set_eight};

/// The byte is one of an address.
const ADDRESS: u8 = 8;
/// Which one it is, above these bits.
const INDEX_SHIFT: u32 = 4;
/// Bit-fields have set a part of the byte, or in a run that need not be the only one: it is padding and not set.
pub(in super::super) const PARTIAL: u8 = 128;

const TAGS_8: u64 = (ADDRESS as u64 | 7 << INDEX_SHIFT) * super::LIVE_8;

/// The tags of the bytes of an address, the first one lowest.
const WHOLE_8: u64 = {
    let (mut tags, mut i) = (0, 0);
    while i < 8 {
        tags |= (ADDRESS as u64 | i << INDEX_SHIFT) << (8 * i);
        i += 1;
    }
    tags
};

/// What some bytes are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Tags {
    /// No byte is one of an address.
    Number,
    /// All bytes are those of one address.
    Address,
    Mixed,
}

impl Memory {
    /// What up to 8 bytes are, if all can be read.
    pub fn tags(&self, address: u64, size: usize) -> Option<Tags> {
        let (segment, at) = self.find(address)?;
        let shadow = eight(&segment.shadow, at) & mask(size);
        if shadow & READABLE_8 != READABLE_8 & mask(size) {
            return None;
        }
        Some(match shadow & TAGS_8 {
            0 => Tags::Number,
            tags if tags == WHOLE_8 & mask(size) => Tags::Address,
            _ => Tags::Mixed,
        })
    }

    /// Notes that bytes which were stored are those of an address.
    pub fn tag_address(&mut self, address: u64, size: usize) {
        if let Some((segment, at)) = self.find_mut(address) {
            let shadow = eight(&segment.shadow, at) & !(TAGS_8 & mask(size));
            set_eight(&mut segment.shadow, at, shadow | (WHOLE_8 & mask(size)));
        }
    }

    /// The addresses of a number of bytes that are stored in a piece of memory.
    pub fn addresses_in(&self, address: u64, size: u64, bytes: usize) -> Vec<u64> {
        let Some((segment, at)) = self.find(address) else { return Vec::new() };
        let shadow = segment.shadow.get(at..at + size as usize).unwrap_or_default();
        let begins = |s: u8| s & ADDRESS != 0 && s >> INDEX_SHIFT & 7 == 0;
        let starts = shadow.iter().enumerate().filter(|(_, s)| begins(**s));
        starts.map(|(i, _)| eight(&segment.bytes, at + i) & mask(bytes)).collect()
    }

    /// Whether the byte at an address is one of an address that begins before it.
    pub fn is_inside_address(&self, address: u64) -> bool {
        let shadow = self.shadow(address);
        shadow & ADDRESS != 0 && shadow >> INDEX_SHIFT & 7 != 0
    }

    /// Whether any of the bytes is set in part only.
    pub fn partial_bytes(&self, address: u64, size: u64) -> Vec<u64> {
        let Some((Segment { shadow, .. }, at)) = self.find(address) else { return Vec::new() };
        let shadow = shadow.get(at..at + size as usize).unwrap_or_default();
        let partial = shadow.iter().enumerate().filter(|(_, s)| **s & PARTIAL != 0);
        partial.map(|(i, _)| i as u64).collect()
    }

    /// Lets bytes not be written any more.
    pub fn protect(&mut self, address: u64, size: usize) {
        if let Some((segment, at)) = self.find_mut(address)
            && let Some(shadow) = segment.shadow.get_mut(at..at + size)
        {
            shadow.iter_mut().for_each(|s| *s |= READ_ONLY);
        }
    }

    /// A byte, whether or not it was set.
    pub fn byte(&self, address: u64) -> u8 {
        self.find(address).and_then(|(s, at)| s.bytes.get(at).copied()).unwrap_or(0)
    }

    /// Lets bytes have a shadow.
    pub fn shade(&mut self, address: u64, size: usize, shadow: u8) {
        if let Some((segment, at)) = self.find_mut(address) {
            segment.shade(at, size, shadow);
        }
    }
}
