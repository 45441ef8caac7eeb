//! The padding of records, in which C promises nothing after they were copied or given their first value.
//!
//! It is not set then. A run that must be the only one knows that bit by bit; in any other one, where a bit-field keeps
//! the byte, its other bits keep what they are.

use super::super::inputs::Inputs;
use super::super::memory::{LIVE, PARTIAL, READ_ONLY, SET};
use super::super::outcome::Stop;
use super::Machine;
use tamis_front_c::tree::Padding;
use tamis_front_c::tree::vocabulary::UNSPECIFIED;

/// What padding may hold: what gcc leaves there is often 0, or what was there before.
const PADDING_VALUES: [i64; Inputs::ALTERNATIVES] = [0, 1, -1, 0x5a, 0x7f, -128];

impl Machine<'_> {
    /// Lets the padding of the record at an address have no value.
    pub(super) fn unset_padding(&mut self, address: u64, padding: &[Padding]) {
        if self.determined.is_some() {
            return self.unset_bits(address, padding);
        }
        for byte in padding.iter().filter(|byte| byte.kept == 0) {
            let at = address.wrapping_add(byte.offset.into());
            if self.memory.shadow(at) & (LIVE | READ_ONLY) == LIVE {
                self.memory.shade(at, 1, LIVE | PARTIAL);
            }
        }
    }

    /// Gives values to the bytes of padding among those that are read. Whether all of these are set now.
    pub(super) fn choose_padding(&mut self, address: u64, size: usize, pc: u32) -> Result<bool, Stop> {
        for at in (address..).take(size) {
            if self.memory.shadow(at) & (SET | PARTIAL) == PARTIAL {
                self.choose_byte(at, pc)?;
            }
        }
        Ok((address..).take(size).all(|at| self.memory.shadow(at) & SET != 0))
    }

    /// The value of a byte of padding: the one that was chosen for it, if no other is to be tried.
    fn choose_byte(&mut self, address: u64, pc: u32) -> Result<(), Stop> {
        let name = self.describe(address);
        let chosen = self.unset(&name, 8, pc)? as i64;
        let usual =
            if self.inputs.has_alternative() { PADDING_VALUES } else { [chosen; Inputs::ALTERNATIVES] };
        let value = self.unspecified(&format!("{UNSPECIFIED}padding"), |_| true, usual, pc)?;
        self.memory.choose(address, value as u8);
        Ok(())
    }
}
