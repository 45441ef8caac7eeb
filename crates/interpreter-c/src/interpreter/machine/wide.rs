//! Instructions that are rare or long, and integers of more than 64 bits.

use super::super::instr::{Instr, Reg};
use super::super::outcome::{Stop, Undefined};
use super::super::scalar::Int;
use super::Machine;
use std::cmp::Ordering;
use tamis_front_c::tree::{ArithOp, OverflowOp};

impl Machine<'_> {
    pub(super) fn execute_rare(&mut self, instr: Instr, base: usize, pc: u32) -> Result<(), Stop> {
        match instr {
            Instr::Wide { op, d, a, b, k } => {
                let x = self.pair(base, a);
                let shift = matches!(op, ArithOp::Shl | ArithOp::Shr);
                let y =
                    if shift { u128::from(self.registers[base + b as usize]) } else { self.pair(base, b) };
                let value = self.wide(op, x, y, k, pc)?;
                self.set_pair(base, d, value);
            }
            Instr::WideNeg { d, a, k } => {
                let x = self.pair(base, a);
                if k.signed() && x == k.min() as u128 {
                    self.note(Undefined::SignedOverflow, "negation", pc)?;
                }
                self.set_pair(base, d, k.normal_wide(x.wrapping_neg()));
            }
            Instr::WideNot { d, a, k } => {
                let value = k.normal_wide(!self.pair(base, a));
                self.set_pair(base, d, value);
            }
            Instr::WideCompare { d, a, b, k, mask } => {
                let (x, y) = (self.pair(base, a), self.pair(base, b));
                let order = if k.signed() { (x as i128).cmp(&(y as i128)) } else { x.cmp(&y) };
                let bit = match order {
                    Ordering::Less => 1,
                    Ordering::Equal => 2,
                    Ordering::Greater => 4,
                };
                self.registers[base + d as usize] = u64::from(mask & bit != 0);
            }
            Instr::WideNonZero { d, a } => {
                self.registers[base + d as usize] = u64::from(self.pair(base, a) != 0);
            }
            Instr::Widen { d, a, from, to } => {
                let value = if from.is_wide() {
                    from.normal_wide(self.pair(base, a))
                } else {
                    from.widen(self.registers[base + a as usize])
                };
                self.set_pair(base, d, to.normal_wide(value));
            }
            Instr::Overflow { op, d, a, to, operands } => {
                let (x, y) = (self.pair(base, a), self.pair(base, a + 2));
                let signs = [operands & 1 != 0, operands & 2 != 0];
                let (value, overflow) = exact(op, (x, signs[0]), (y, signs[1]), to);
                self.registers[base + d as usize] = u64::from(overflow);
                self.set_pair(base, d + 1, value);
            }
            Instr::Magnitude { d, a, k } => {
                if k.is_wide() {
                    let value = (self.pair(base, a) as i128).wrapping_abs();
                    self.set_pair(base, d, value as u128);
                } else {
                    let x = self.registers[base + a as usize] as i64;
                    if i128::from(x) == k.min() {
                        self.note(Undefined::SignedOverflow, "magnitude", pc)?;
                    }
                    self.registers[base + d as usize] = k.normal(x.wrapping_abs() as u64);
                }
            }
            Instr::SwapBytes { d, a, k } => {
                if k.is_wide() {
                    let value = self.pair(base, a).swap_bytes();
                    self.set_pair(base, d, value);
                } else {
                    let value = self.registers[base + a as usize].swap_bytes() >> (64 - k.bits());
                    self.registers[base + d as usize] = k.normal(value);
                }
            }
            Instr::BitCount { op, d, a, k } => {
                let x = if k.is_wide() {
                    self.pair(base, a)
                } else {
                    u128::from(k.unsigned().normal(self.registers[base + a as usize]))
                };
                let count = super::bits::count(op, x, k);
                let count = count.ok_or_else(|| self.undefined(Undefined::InvalidArgument, "of 0", pc))?;
                self.registers[base + d as usize] = u64::from(count);
            }
            Instr::VaStart { p } => {
                let list = self.registers[base + p as usize];
                self.va_start(list, pc)?;
            }
            Instr::VaNext { d, p, size, align } => {
                let list = self.registers[base + p as usize];
                self.registers[base + d as usize] = self.va_next(list, size.into(), align.into(), pc)?;
            }
            Instr::VaCopy { p, a } => {
                let (to, from) = (self.registers[base + p as usize], self.registers[base + a as usize]);
                let size = if self.word_bytes() == 4 { 4 } else { 24 };
                self.copy(to, from, size, pc)?;
            }
            Instr::Float { .. }
            | Instr::FloatNeg { .. }
            | Instr::FloatMagnitude { .. }
            | Instr::FloatCompare { .. }
            | Instr::FloatNonZero { .. }
            | Instr::FloatToFloat { .. }
            | Instr::IntToFloat { .. }
            | Instr::FloatToInt { .. } => self.float_instruction(instr, base, pc)?,
            Instr::Unpad { p, padding } => {
                let code = self.code;
                if let Some(padding) = code.padding.get(padding as usize) {
                    self.unset_padding(self.registers[base + p as usize], padding);
                }
            }
            other => self.execute_determined(other, base, pc)?,
        }
        Ok(())
    }

    pub(super) fn pair(&self, base: usize, a: Reg) -> u128 {
        let a = base + a as usize;
        u128::from(self.registers[a]) | u128::from(self.registers[a + 1]) << 64
    }

    pub(super) fn set_pair(&mut self, base: usize, d: Reg, value: u128) {
        let d = base + d as usize;
        self.registers[d] = value as u64;
        self.registers[d + 1] = (value >> 64) as u64;
    }

    fn wide(&mut self, op: ArithOp, x: u128, y: u128, k: Int, pc: u32) -> Result<u128, Stop> {
        let (sx, sy) = (x as i128, y as i128);
        let (value, fits) = match op {
            ArithOp::Add => (x.wrapping_add(y), sx.checked_add(sy).is_some()),
            ArithOp::Sub => (x.wrapping_sub(y), sx.checked_sub(sy).is_some()),
            ArithOp::Mul => (x.wrapping_mul(y), sx.checked_mul(sy).is_some()),
            ArithOp::And => (x & y, true),
            ArithOp::Or => (x | y, true),
            ArithOp::Xor => (x ^ y, true),
            ArithOp::Shl | ArithOp::Shr => {
                let left = op == ArithOp::Shl;
                if y >= u128::from(k.bits()) {
                    if left && k.signed() && x != 0 && (y as u64 as i64) >= 0 {
                        self.note(Undefined::SignedOverflow, "in 128 bits", pc)?;
                    }
                    return Err(self.bad_shift(y as u64, k, pc));
                }
                let right = if k.signed() { (sx >> y) as u128 } else { x >> y };
                let fits = !left || (k.normal_wide(x << y) as i128) >> y == sx;
                (if left { x << y } else { right }, fits)
            }
            ArithOp::Div | ArithOp::Rem => {
                if y == 0 {
                    return Err(self.undefined(Undefined::DivisionByZero, "", pc));
                }
                let value = match (op == ArithOp::Rem, k.signed()) {
                    (false, true) => sx.wrapping_div(sy) as u128,
                    (true, true) => sx.wrapping_rem(sy) as u128,
                    (false, false) => x / y,
                    (true, false) => x % y,
                };
                (value, sx != i128::MIN || sy != -1)
            }
        };
        if k.signed() && !fits {
            self.note(Undefined::SignedOverflow, "in 128 bits", pc)?;
        }
        Ok(k.normal_wide(value))
    }
}

/// The result of an operation on numbers, cut to a format, and whether it was cut. A number comes with whether its
/// format has a sign.
fn exact(op: OverflowOp, x: (u128, bool), y: (u128, bool), to: Int) -> (u128, bool) {
    let wrapped = match op {
        OverflowOp::Add => x.0.wrapping_add(y.0),
        OverflowOp::Sub => x.0.wrapping_sub(y.0),
        OverflowOp::Mul => x.0.wrapping_mul(y.0),
    };
    let value = to.normal_wide(wrapped);
    let parts = |(bits, signed): (u128, bool)| {
        let negative = signed && (bits as i128) < 0;
        (negative, if negative { bits.wrapping_neg() } else { bits })
    };
    let ((nx, mx), (ny, my)) = (parts(x), parts(y));
    let ny = if op == OverflowOp::Sub { !ny } else { ny };
    // The magnitude; `None` if it has more than 128 bits and so fits nowhere.
    let (negative, magnitude) = match op {
        OverflowOp::Mul => (nx != ny, mx.checked_mul(my)),
        _ if nx == ny => (nx, mx.checked_add(my)),
        _ if mx >= my => (nx, Some(mx - my)),
        _ => (ny, Some(my - mx)),
    };
    let fits = magnitude.is_some_and(|m| {
        let (stored_negative, stored) = parts((value, to.signed()));
        m == stored && (m == 0 || negative == stored_negative)
    });
    (value, !fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overflow_is_exact() {
        let int = |v: i128| (v as u128, true);
        let big = (u128::MAX, false);
        let i32_ = Int::new(32, true);
        assert_eq!(
            exact(OverflowOp::Add, int(i32::MAX.into()), int(1), i32_),
            (i128::from(i32::MIN) as u128, true)
        );
        assert_eq!(exact(OverflowOp::Add, big, int(-1), Int::new(128, false)), (u128::MAX - 1, false));
        assert_eq!(exact(OverflowOp::Add, big, int(1), Int::new(128, false)), (0, true));
        assert_eq!(exact(OverflowOp::Sub, int(0), int(1), Int::new(8, false)), (255, true));
        assert_eq!(exact(OverflowOp::Mul, int(-2), int(64), Int::new(8, true)), (-128i128 as u128, false));
        assert_eq!(exact(OverflowOp::Mul, big, big, Int::new(128, true)), (1, true));
        assert!(exact(OverflowOp::Sub, int(i128::MIN), int(1), Int::new(128, true)).1);
    }
}
