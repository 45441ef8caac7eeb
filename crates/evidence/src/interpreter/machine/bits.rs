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
    ) -> Result<u64, Stop> {
        let mut bits = 0u128;
        let mask = ((1u128 << width) - 1) << first;
        for i in 0..(first + width).div_ceil(8) {
            let at = address.wrapping_add(i.into());
            let byte = if self.determined.is_some() {
                self.load_byte_bits(at, (mask >> (8 * i)) as u8, pc)?
            } else {
                self.load(at, 1, pc)? as u8
            };
            bits |= u128::from(byte) << (8 * i);
        }
        Ok(Int::new(width.max(1), k.signed()).normal((bits >> first) as u64))
    }

    /// Stores a bit-field. Its neighbours in the same bytes stay as they are, also if they have no value yet.
    pub(super) fn store_bits(
        &mut self,
        address: u64,
        first: u32,
        width: u32,
        value: u64,
        pc: u32,
    ) -> Result<(), Stop> {
        let mask = ((1u128 << width) - 1) << first;
        let value = (u128::from(value) << first) & mask;
        for i in 0..(first + width).div_ceil(8) {
            let at = address.wrapping_add(i.into());
            if self.determined.is_some() {
                self.store_byte_bits(at, (mask >> (8 * i)) as u8, (value >> (8 * i)) as u8, pc)?;
            } else if self.memory.shadow(at) & (LIVE | READ_ONLY) == LIVE {
                // A byte that is set in part counts as set: there is no shadow for single bits.
                let old = self.memory.load(at, 1).unwrap_or(0) as u8;
                let (mask, value) = ((mask >> (8 * i)) as u8, (value >> (8 * i)) as u8);
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
