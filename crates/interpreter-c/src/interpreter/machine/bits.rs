//! Bit-fields and questions about bits.

use super::super::memory::{LIVE, READ_ONLY};
use super::super::outcome::Stop;
use super::super::scalar::Int;
use super::Machine;
use tamis_front_c::tree::BitCount;

impl Machine<'_> {
    /// The value of a bit-field, extended to the format of its type.
    pub(super) fn load_bits(
        &mut self,
        address: u64,
        first: u32,
        width: u32,
        k: Int,
        pc: u32,
    ) -> Result<u128, Stop> {
        let mut bits = 0u128;
        let mask = Int::new(width.max(1), false).normal_wide(u128::MAX);
        for i in 0..(first + width).div_ceil(8) {
            let at = address.wrapping_add(i.into());
            let byte = if self.determined.is_some() {
                self.load_byte_bits(at, part(mask, first, i), pc)?
            } else {
                self.load(at, 1, pc)? as u8
            };
            let byte = u128::from(byte);
            bits |= if i == 0 { byte >> first } else { byte << (8 * i - first) };
        }
        Ok(Int::new(width.max(1), k.signed()).normal_wide(bits))
    }

    /// Stores a bit-field. Its neighbours in the same bytes stay as they are, also if they have no value yet.
    pub(super) fn store_bits(
        &mut self,
        address: u64,
        first: u32,
        width: u32,
        value: u128,
        pc: u32,
    ) -> Result<(), Stop> {
        let mask = Int::new(width.max(1), false).normal_wide(u128::MAX);
        for i in 0..(first + width).div_ceil(8) {
            let at = address.wrapping_add(i.into());
            if self.determined.is_some() {
                self.store_byte_bits(at, part(mask, first, i), part(value & mask, first, i), pc)?;
            } else if self.memory.shadow(at) & (LIVE | READ_ONLY) == LIVE {
                // A byte that is set in part counts as set: there is no shadow for single bits.
                let old = self.memory.load(at, 1).unwrap_or(0) as u8;
                let (mask, value) = (part(mask, first, i), part(value & mask, first, i));
                self.store(at, 1, u64::from((old & !mask) | value), pc)?;
            } else {
                self.store(at, 1, 0, pc)?;
            }
        }
        Ok(())
    }
}

/// The answer to a question about the bits of a value of a format; `None` where there is none.
pub(super) fn count(op: BitCount, x: u128, k: Int) -> Option<u32> {
    let bits = k.bits();
    Some(match op {
        BitCount::LeadingZeros if x == 0 => return None,
        BitCount::TrailingZeros if x == 0 => return None,
        BitCount::LeadingZeros => x.leading_zeros() - (128 - bits),
        BitCount::TrailingZeros => x.trailing_zeros(),
        BitCount::Ones => x.count_ones(),
        BitCount::Parity => x.count_ones() % 2,
        BitCount::FirstOne if x == 0 => 0,
        BitCount::FirstOne => x.trailing_zeros() + 1,
        BitCount::LeadingSigns => {
            let negative = x >> (bits - 1) & 1 == 1;
            let mask = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
            let flipped = if negative { !x & mask } else { x };
            flipped.leading_zeros() - (128 - bits) - 1
        }
    })
}

/// The part of a number that lies in the byte `i` of a bit-field whose lowest bit is at `first`.
fn part(number: u128, first: u32, i: u32) -> u8 {
    if i == 0 { (number << first) as u8 } else { (number >> (8 * i - first)) as u8 }
}
