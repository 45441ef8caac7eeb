//! Floating point.

use super::super::extended::Extended;
use super::super::instr::{Instr, Reg};
use super::super::outcome::{Stop, Undefined};
use super::super::scalar::{Format, Int};
use super::Machine;
use std::cmp::Ordering;
use tamis_front_c::tree::ArithOp;

impl Machine<'_> {
    pub(super) fn float_instruction(&mut self, instr: Instr, base: usize, pc: u32) -> Result<(), Stop> {
        match instr {
            Instr::Float { op, d, a, b, format } => {
                let width = if format == Format::Extended { 2 } else { 1 };
                debug_assert!(b >= a + width || b != a);
                let (x, y) = (self.raw(base, a, format), self.raw(base, b, format));
                let value = arith(op, x, y, format)
                    .ok_or_else(|| self.unsupported("such an operator on floating-point numbers", pc))?;
                if compare(value, value, format).is_none() {
                    self.leave_open("the bits of a result that is not a number", pc)?;
                }
                self.set_raw(base, d, format, value);
            }
            Instr::FloatNeg { d, a, format } => {
                let x = self.raw(base, a, format);
                let value = match format {
                    Format::Single => (x.0 ^ 1 << 31, 0),
                    Format::Double => (x.0 ^ 1 << 63, 0),
                    Format::Extended => (x.0, x.1 ^ 1 << 15),
                };
                self.set_raw(base, d, format, value);
            }
            Instr::FloatMagnitude { d, a, format } => {
                let x = self.raw(base, a, format);
                let value = match format {
                    Format::Single => (x.0 & !(1 << 31), 0),
                    Format::Double => (x.0 & !(1 << 63), 0),
                    Format::Extended => (x.0, x.1 & !(1 << 15)),
                };
                self.set_raw(base, d, format, value);
            }
            Instr::FloatCompare { d, a, b, format, mask } => {
                let order = compare(self.raw(base, a, format), self.raw(base, b, format), format);
                let bit = match order {
                    Some(Ordering::Less) => 1,
                    Some(Ordering::Equal) => 2,
                    Some(Ordering::Greater) => 4,
                    None => 8,
                };
                self.registers[base + d as usize] = u64::from(mask & bit != 0);
            }
            Instr::FloatNonZero { d, a, format } => {
                let x = self.raw(base, a, format);
                let zero = compare(x, (0, 0), format) == Some(Ordering::Equal);
                self.registers[base + d as usize] = u64::from(!zero);
            }
            Instr::FloatToFloat { d, a, from, to } => {
                let x = self.raw(base, a, from);
                if compare(x, x, from).is_none() {
                    self.leave_open("the bits of a result that is not a number", pc)?;
                }
                self.set_raw(base, d, to, convert(x, from, to));
            }
            Instr::IntToFloat { d, a, from, to } => {
                let x = if from.is_wide() {
                    self.pair(base, a)
                } else {
                    from.widen(self.registers[base + a as usize])
                };
                let value = from_integer(x, from.signed(), to);
                self.set_raw(base, d, to, value);
            }
            Instr::FloatToInt { d, a, from, to } => {
                let x = self.raw(base, a, from);
                let value = to_integer(x, from, to).ok_or_else(|| {
                    let value = f64::from_bits(convert(x, from, Format::Double).0);
                    self.undefined(Undefined::FloatToInt, format!("{value:?} to {} bits", to.bits()), pc)
                })?;
                if to.is_wide() {
                    self.set_pair(base, d, value);
                } else {
                    self.registers[base + d as usize] = to.normal(value as u64);
                }
            }
            other => return Err(self.unsupported(format!("the instruction {other:?}"), pc)),
        }
        Ok(())
    }

    fn raw(&self, base: usize, a: Reg, format: Format) -> (u64, u64) {
        let a = base + a as usize;
        (self.registers[a], if format == Format::Extended { self.registers[a + 1] } else { 0 })
    }

    fn set_raw(&mut self, base: usize, d: Reg, format: Format, value: (u64, u64)) {
        let d = base + d as usize;
        self.registers[d] = value.0;
        if format == Format::Extended {
            self.registers[d + 1] = value.1;
        }
    }
}

fn arith(op: ArithOp, x: (u64, u64), y: (u64, u64), format: Format) -> Option<(u64, u64)> {
    macro_rules! native {
        ($float:ty, $bits:ty) => {{
            let (x, y) = (<$float>::from_bits(x.0 as $bits), <$float>::from_bits(y.0 as $bits));
            let value = match op {
                ArithOp::Add => x + y,
                ArithOp::Sub => x - y,
                ArithOp::Mul => x * y,
                ArithOp::Div => x / y,
                _ => return None,
            };
            Some((u64::from(value.to_bits()), 0))
        }};
    }
    match format {
        Format::Single => native!(f32, u32),
        Format::Double => native!(f64, u64),
        Format::Extended => {
            let (x, y) = (Extended::new(x.0, x.1), Extended::new(y.0, y.1));
            let value = match op {
                ArithOp::Add => x.add(y),
                ArithOp::Sub => x.sub(y),
                ArithOp::Mul => x.mul(y),
                ArithOp::Div => x.div(y),
                _ => return None,
            };
            Some(value.registers())
        }
    }
}

fn compare(x: (u64, u64), y: (u64, u64), format: Format) -> Option<Ordering> {
    match format {
        Format::Single => f32::from_bits(x.0 as u32).partial_cmp(&f32::from_bits(y.0 as u32)),
        Format::Double => f64::from_bits(x.0).partial_cmp(&f64::from_bits(y.0)),
        Format::Extended => Extended::new(x.0, x.1).compare(Extended::new(y.0, y.1)),
    }
}

/// The same number in another format, or the nearest there.
pub(in super::super) fn convert(x: (u64, u64), from: Format, to: Format) -> (u64, u64) {
    match (from, to) {
        (Format::Single, Format::Double) => (f64::from(f32::from_bits(x.0 as u32)).to_bits(), 0),
        (Format::Double, Format::Single) => (u64::from((f64::from_bits(x.0) as f32).to_bits()), 0),
        (Format::Single, Format::Extended) => {
            Extended::from_f64(f32::from_bits(x.0 as u32).into()).registers()
        }
        (Format::Double, Format::Extended) => Extended::from_f64(f64::from_bits(x.0)).registers(),
        (Format::Extended, Format::Single) => (Extended::new(x.0, x.1).to_f32().to_bits().into(), 0),
        (Format::Extended, Format::Double) => (Extended::new(x.0, x.1).to_f64().to_bits(), 0),
        _ => x,
    }
}

fn from_integer(x: u128, signed: bool, to: Format) -> (u64, u64) {
    match (to, signed) {
        (Format::Single, true) => ((x as i128 as f32).to_bits().into(), 0),
        (Format::Single, false) => ((x as f32).to_bits().into(), 0),
        (Format::Double, true) => ((x as i128 as f64).to_bits(), 0),
        (Format::Double, false) => ((x as f64).to_bits(), 0),
        (Format::Extended, _) => {
            let negative = signed && (x as i128) < 0;
            let magnitude = if negative { x.wrapping_neg() } else { x };
            Extended::from_integer(negative, magnitude).registers()
        }
    }
}

/// The integral part, if the format has it.
fn to_integer(x: (u64, u64), from: Format, to: Int) -> Option<u128> {
    let x = convert(x, from, Format::Extended);
    let (negative, magnitude) = Extended::new(x.0, x.1).to_integer()?;
    let value = if negative { magnitude.wrapping_neg() } else { magnitude };
    let kept = to.normal_wide(value);
    let fits = if to.signed() {
        magnitude <= 1 << 127 && (kept as i128).is_negative() == (negative && magnitude != 0)
    } else {
        !negative || magnitude == 0
    };
    (kept == value && fits).then_some(value)
}
