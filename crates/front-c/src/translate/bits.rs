//! Built-in functions on the bits of numbers.

use super::Translator;
use super::place::Cell;
use super::validity::Way;
use crate::tree::{BitCount, ExprId, OverflowOp, Position, Type};
use tamis_diagnostics::Error;
use tamis_logic::Term;
use tamis_program::IntType;

impl Translator<'_> {
    /// `__builtin_clz` and the like, of a number of type `of`.
    pub(super) fn bit_count(
        &mut self,
        count: BitCount,
        of: IntType,
        result: IntType,
        a: Term,
        at: Position,
    ) -> Result<Term, Error> {
        let bits: Vec<Term> = (0..of.bits).map(|i| self.terms.extract(i, i, a)).collect();
        let t = &mut *self.terms;
        let zero = t.bits(result.bits, 0);
        Ok(match count {
            BitCount::Ones => bits.iter().fold(zero, |sum, &bit| {
                let bit = t.resize(result.bits, false, bit);
                t.add(sum, bit)
            }),
            BitCount::Parity => {
                let first = t.bits(1, 0);
                let odd = bits.iter().fold(first, |sum, &bit| t.bv_xor(sum, bit));
                t.resize(result.bits, false, odd)
            }
            BitCount::FirstOne | BitCount::TrailingZeros => {
                let offset = u128::from(count == BitCount::FirstOne);
                let found = bits.iter().enumerate().rev().fold(zero, |rest, (i, &bit)| {
                    let index = t.bits(result.bits, i as u128 + offset);
                    let is_one = t.nonzero(bit);
                    t.ite(is_one, index, rest)
                });
                if count == BitCount::FirstOne {
                    return Ok(found);
                }
                let defined = t.nonzero(a);
                return self.unless_undefined(defined, found, result, "__builtin_ctz of 0", at);
            }
            BitCount::LeadingZeros => {
                let found = bits.iter().enumerate().fold(zero, |rest, (i, &bit)| {
                    let index = t.bits(result.bits, u128::from(of.bits - 1) - i as u128);
                    let is_one = t.nonzero(bit);
                    t.ite(is_one, index, rest)
                });
                let defined = t.nonzero(a);
                return self.unless_undefined(defined, found, result, "__builtin_clz of 0", at);
            }
            BitCount::LeadingSigns => {
                let sign = bits[of.bits as usize - 1];
                let all = t.bits(result.bits, u128::from(of.bits - 1));
                let below = &bits[..of.bits as usize - 1];
                below.iter().enumerate().fold(all, |rest, (i, &bit)| {
                    let index = t.bits(result.bits, u128::from(of.bits - 2) - i as u128);
                    let differs = t.ne(bit, sign);
                    t.ite(differs, index, rest)
                })
            }
        })
    }

    /// `__builtin_add_overflow` and the like: whether the exact result does not fit.
    pub(super) fn overflow(
        &mut self,
        op: OverflowOp,
        operands: [ExprId; 2],
        result: ExprId,
        stores: bool,
        truth: IntType,
        at: Position,
    ) -> Result<Term, Error> {
        let unit = self.unit;
        let to = if stores { unit.pointee(unit[result].ty) } else { Some(unit[result].ty) };
        let (Some(to), [left, right]) = (to, operands) else {
            return self.refuse(at, "this overflow check");
        };
        let Some(int) = to.int() else { return self.refuse(at, "this overflow check") };
        self.check_order(&[left, right, result], at)?;
        let (a_type, b_type) = (self.int_type(left)?, self.int_type(right)?);
        let (a, b) = (self.value(left)?, self.value(right)?);
        let target = if stores { Some(self.value(result)?) } else { None };
        // Wide enough for the exact result of either operation on both signednesses.
        let wide = 2 * a_type.bits.max(b_type.bits).max(int.bits) + 2;
        let t = &mut *self.terms;
        let (a, b) = (t.resize(wide, a_type.signed, a), t.resize(wide, b_type.signed, b));
        let exact = match op {
            OverflowOp::Add => t.add(a, b),
            OverflowOp::Sub => t.sub(a, b),
            OverflowOp::Mul => t.mul(a, b),
        };
        let stored = t.resize(int.bits, false, exact);
        let back = t.resize(wide, int.signed, stored);
        let overflows = t.ne(back, exact);
        let flag = t.bool_to_bits(truth.bits, overflows);
        let flag = self.kept(flag, at)?;
        if let Some(address) = target {
            let pointer = self.memory.target(result);
            let region = pointer.and_then(|p| self.memory.region(p, to, None));
            let Some(region) = region else { return self.refuse(at, "this overflow check") };
            let (stored, address) = (self.settled(stored, at)?, self.settled(address, at)?);
            if let (Some(pointer), Some(size)) = (pointer, self.unit.size_of(to)) {
                let size = self.terms.bits(self.unit.word(), u128::from(size));
                self.mark_outside(pointer, Way::to(address), size, at);
                self.check_piece(pointer, address, size, at)?;
            }
            let stored = if to == Type::Bool { self.convert(stored, Type::Int(int), to) } else { stored };
            self.store_cell(Cell { region, address, bits: None, ty: to, part: None }, stored, at)?;
        }
        Ok(flag)
    }
}
