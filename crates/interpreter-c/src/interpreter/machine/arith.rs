//! Integer operations that can fail.

use super::super::outcome::{Stop, Undefined};
use super::super::scalar::Int;
use super::Machine;

impl Machine<'_> {
    #[inline(always)]
    pub(super) fn add(&mut self, k: Int, x: u64, y: u64, pc: u32) -> Result<u64, Stop> {
        let sum = x.wrapping_add(y);
        let value = k.normal(sum);
        if k.signed() && (value != sum || (k.bits() == 64 && (x as i64).checked_add(y as i64).is_none())) {
            self.overflowed(k, "+", x, y, pc)?;
        }
        Ok(value)
    }

    #[inline(always)]
    pub(super) fn subtract(&mut self, k: Int, x: u64, y: u64, pc: u32) -> Result<u64, Stop> {
        let difference = x.wrapping_sub(y);
        let value = k.normal(difference);
        if k.signed()
            && (value != difference || (k.bits() == 64 && (x as i64).checked_sub(y as i64).is_none()))
        {
            self.overflowed(k, "-", x, y, pc)?;
        }
        Ok(value)
    }

    #[inline(always)]
    pub(super) fn multiply(&mut self, k: Int, x: u64, y: u64, pc: u32) -> Result<u64, Stop> {
        let value = k.normal(x.wrapping_mul(y));
        if k.signed() && (x as i64).checked_mul(y as i64) != Some(value as i64) {
            self.overflowed(k, "*", x, y, pc)?;
        }
        Ok(value)
    }

    #[inline(always)]
    pub(super) fn negate(&mut self, k: Int, x: u64, pc: u32) -> Result<u64, Stop> {
        let value = k.normal(x.wrapping_neg());
        if k.signed() && x != 0 && value == x {
            self.overflowed(k, "-", 0, x, pc)?;
        }
        Ok(value)
    }

    #[inline(always)]
    pub(super) fn shift_left(&mut self, k: Int, x: u64, y: u64, pc: u32) -> Result<u64, Stop> {
        if y >= u64::from(k.bits()) {
            if k.signed() && x != 0 && y as i64 >= 0 {
                self.overflowed(k, "<<", x, y, pc)?;
            }
            return Err(self.bad_shift(y, k, pc));
        }
        let value = k.normal(x << y);
        if k.signed() && ((value as i64) >> y) as u64 != x {
            self.overflowed(k, "<<", x, y, pc)?;
        }
        Ok(value)
    }

    #[inline(always)]
    pub(super) fn shift_right(&mut self, k: Int, x: u64, y: u64, pc: u32) -> Result<u64, Stop> {
        if y >= u64::from(k.bits()) {
            return Err(self.bad_shift(y, k, pc));
        }
        Ok(if k.signed() { ((x as i64) >> y) as u64 } else { x >> y })
    }

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

#[inline(always)]
pub(super) fn is_less(signed: bool, x: u64, y: u64) -> bool {
    if signed { (x as i64) < y as i64 } else { x < y }
}

/// A pointer that moves by a number of elements.
#[inline(always)]
pub(super) fn moved(k: Int, pointer: u64, by: u64, scale: i32) -> u64 {
    k.normal(pointer.wrapping_add(by.wrapping_mul(i64::from(scale) as u64)))
}

/// How many elements are between two pointers.
#[inline(always)]
pub(super) fn distance(k: Int, x: u64, y: u64, scale: u32) -> u64 {
    let bytes = k.normal(x.wrapping_sub(y)) as i64;
    (bytes / i64::from(scale)) as u64
}
