//! The operators of C on bit-vectors.

use super::Translator;
use crate::tree::{ArithOp, CompareOp, Position, Type};
use tamis_diagnostics::Error;
use tamis_logic::{Bits, Term, Terms};
use tamis_program::{Command, Event, Havoc, IntType, Undefined};

impl Translator<'_> {
    /// A value of one type as a value of another.
    pub(super) fn convert(&mut self, value: Term, from: Type, to: Type) -> Term {
        match to {
            Type::Bool => {
                let truth = self.terms.nonzero(value);
                self.terms.bool_to_bits(8, truth)
            }
            _ => match to.int() {
                Some(to) => self.terms.resize(to.bits, from.extends_sign(), value),
                None => value,
            },
        }
    }

    /// The truth of a comparison of two values of one type.
    pub(super) fn compare(&mut self, op: CompareOp, ty: IntType, a: Term, b: Term) -> Term {
        let t = &mut *self.terms;
        match (op, ty.signed) {
            (CompareOp::Eq, _) => t.eq(a, b),
            (CompareOp::Ne, _) => t.ne(a, b),
            (CompareOp::Lt, true) => t.slt(a, b),
            (CompareOp::Lt, false) => t.ult(a, b),
            (CompareOp::Gt, true) => t.slt(b, a),
            (CompareOp::Gt, false) => t.ult(b, a),
            (CompareOp::Le, true) => t.sle(a, b),
            (CompareOp::Le, false) => t.ule(a, b),
            (CompareOp::Ge, true) => t.sle(b, a),
            (CompareOp::Ge, false) => t.ule(b, a),
        }
    }

    /// `a op b`, with the edges that make sure it has a value. `by` is the type of `b`, which matters to shifts.
    pub(super) fn arith(
        &mut self,
        op: ArithOp,
        ty: IntType,
        a: Term,
        b: Term,
        by: IntType,
        at: Position,
    ) -> Result<Term, Error> {
        if ty.signed {
            let t = &mut *self.terms;
            let when = match op {
                ArithOp::Add => t.saddo(a, b),
                ArithOp::Sub => t.ssubo(a, b),
                ArithOp::Mul => t.smulo(a, b),
                ArithOp::Div | ArithOp::Rem => t.sdivo(a, b),
                ArithOp::Shl => shifted_out(t, a, b, by),
                _ => t.fals(),
            };
            self.mark(Undefined::SignedOverflow, when, at);
        }
        let t = &mut *self.terms;
        Ok(match op {
            ArithOp::Add => t.add(a, b),
            ArithOp::Sub => t.sub(a, b),
            ArithOp::Mul => t.mul(a, b),
            ArithOp::And => t.bv_and(a, b),
            ArithOp::Or => t.bv_or(a, b),
            ArithOp::Xor => t.bv_xor(a, b),
            ArithOp::Div | ArithOp::Rem => {
                let zero = self.terms.bits(ty.bits, 0);
                let by_zero = self.terms.eq(b, zero);
                self.mark(Undefined::DivisionByZero, by_zero, at);
                let defined = self.divides(ty, a, b);
                let t = &mut *self.terms;
                let value = match (op == ArithOp::Div, ty.signed) {
                    (true, true) => t.sdiv(a, b),
                    (true, false) => t.udiv(a, b),
                    (false, true) => t.srem(a, b),
                    (false, false) => t.urem(a, b),
                };
                self.unless_undefined(defined, value, ty, "division by zero or with overflow", at)?
            }
            ArithOp::Shl | ArithOp::Shr => self.shift(op, ty, a, b, by, at)?,
        })
    }

    /// When `a` divided by `b` has a value.
    ///
    /// The least value divided by -1 has none where the machine divides: a wider division is a library call that wraps,
    /// and by the constant -1 compilers negate.
    fn divides(&mut self, ty: IntType, a: Term, b: Term) -> Term {
        let t = &mut *self.terms;
        let nonzero = t.nonzero(b);
        if !ty.signed || ty.bits > self.unit.word || t.bits_constant(b).is_some() {
            return nonzero;
        }
        let least = t.bits_value(Bits::min_signed(ty.bits));
        let minus_one = t.bits_value(Bits::ones(ty.bits));
        let is_least = t.eq(a, least);
        let is_minus_one = t.eq(b, minus_one);
        let overflows = t.and2(is_least, is_minus_one);
        let fits = t.not(overflows);
        t.and2(nonzero, fits)
    }

    fn shift(
        &mut self,
        op: ArithOp,
        ty: IntType,
        a: Term,
        b: Term,
        by: IntType,
        at: Position,
    ) -> Result<Term, Error> {
        let t = &mut *self.terms;
        let width = t.bits(by.bits, u128::from(ty.bits));
        let in_range = t.ult(b, width);
        let out_of_range = t.not(in_range);
        self.mark(Undefined::ShiftOutOfRange, out_of_range, at);
        let t = &mut *self.terms;
        let amount = t.resize(ty.bits, false, b);
        let shifted = match (op, ty.signed) {
            (ArithOp::Shl, _) => t.shl(a, amount),
            (_, true) => t.ashr(a, amount),
            (_, false) => t.lshr(a, amount),
        };
        self.unless_undefined(in_range, shifted, ty, "shift by an amount out of range", at)
    }

    /// `value` where it is `defined`, and any value elsewhere. There the machine may trap, which only ends executions,
    /// or go on with a value that depends on what the compiler made of it: `what` is remembered as approximated.
    pub(super) fn unless_undefined(
        &mut self,
        defined: Term,
        value: Term,
        ty: IntType,
        what: &str,
        at: Position,
    ) -> Result<Term, Error> {
        if self.terms.is_true(defined) {
            return Ok(value);
        }
        let result = self.temporary("result", Type::Int(ty), at)?;
        let (fine, wild, join) = (self.node(), self.node(), self.node());
        self.fork(defined, fine, wild, at, Event::Step, Event::Step)?;
        self.cursor.resume(fine);
        self.emit(Command::Assign(result, value), at, Event::Step)?;
        self.cursor.jump(join);
        self.cursor.resume(wild);
        self.emit(Command::Havoc(result, Havoc::Approximated(what.to_owned())), at, Event::Step)?;
        self.cursor.jump(join);
        self.cursor.resume(join);
        Ok(self.builder.term(result))
    }

    /// `|a|`, which wraps for the least value.
    pub(super) fn magnitude(&mut self, ty: IntType, a: Term, at: Position) -> Term {
        let overflows = self.terms.nego(a);
        self.mark(Undefined::SignedOverflow, overflows, at);
        let t = &mut *self.terms;
        let zero = t.bits(ty.bits, 0);
        let negative = t.slt(a, zero);
        let negated = t.neg(a);
        t.ite(negative, negated, a)
    }

    /// The bytes of `a` in the other order.
    pub(super) fn swap_bytes(&mut self, ty: IntType, a: Term) -> Term {
        let t = &mut *self.terms;
        let mut swapped = t.extract(7, 0, a);
        for byte in 1..ty.bits / 8 {
            let next = t.extract(8 * byte + 7, 8 * byte, a);
            swapped = t.concat(swapped, next);
        }
        swapped
    }
}

/// Whether the signed number `a` times two to the power of `b` does not fit into the width of `a`. A negative amount is out
/// of range and nothing else.
fn shifted_out(t: &mut Terms, a: Term, b: Term, by: IntType) -> Term {
    let bits = t.width(a);
    let width = t.bits(by.bits, u128::from(bits));
    let in_range = t.ult(b, width);
    let amount = t.resize(bits, false, b);
    let shifted = t.shl(a, amount);
    let back = t.ashr(shifted, amount);
    let lost = t.ne(back, a);
    let mut beyond = t.nonzero(a);
    if by.signed {
        let zero = t.bits(by.bits, 0);
        let positive = t.sle(zero, b);
        beyond = t.and2(beyond, positive);
    }
    t.ite(in_range, lost, beyond)
}
