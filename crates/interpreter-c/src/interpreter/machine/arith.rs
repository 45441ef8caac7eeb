//! Integer operations that can fail.

use super::super::outcome::{Stop, Undefined};
use super::super::scalar::Int;
use super::Machine;

impl Machine<'_> {
    /// Division and remainder of at most 64 bits.
    #[inline]
    pub(super) fn divide(
        &mut self,
        k: Int,
        x: u64,
        y: u64,
        remainder: bool,
        constant: bool,
        pc: u32,
    ) -> Result<u64, Stop> {
        if y == 0 {
            return Err(self.undefined(Undefined::DivisionByZero, "", pc));
        }
        if !k.signed() {
            return Ok(if remainder { x % y } else { x / y });
        }
        let (x, y) = (x as i64, y as i64);
        if y == -1 && i128::from(x) == k.min() && k.bits() >= 32 {
            // The machine traps, unless the division is by a constant and so none, or a call of the library.
            if k.bits() <= self.unit.word() && !constant {
                return Err(self.undefined(Undefined::DivisionOverflow, format!("{x} / -1"), pc));
            }
            self.note(Undefined::SignedOverflow, &format!("{x} / -1"), pc)?;
        }
        let value = if remainder { x.wrapping_rem(y) } else { x.wrapping_div(y) };
        Ok(k.normal(value as u64))
    }

    #[cold]
    pub(super) fn overflowed(&mut self, k: Int, op: &str, x: u64, y: u64, pc: u32) -> Result<(), Stop> {
        let (x, y) = (x as i64, y as i64);
        self.note(Undefined::SignedOverflow, &format!("{x} {op} {y} in {} bits", k.bits()), pc)
    }

    #[cold]
    pub(super) fn bad_shift(&self, by: u64, k: Int, pc: u32) -> Stop {
        let detail = format!("by {} in {} bits", by as i64, k.bits());
        self.undefined(Undefined::ShiftOutOfRange, detail, pc)
    }
}
