//! Expressions: their values as terms, their effects as edges.

use super::{Translator, Want};
use crate::error::Error;
use crate::tree::{ExprId, ExprKind, Position, Type};
use tamis_logic::{Bits, Term};
use tamis_program::{Event, IntType};

impl Translator<'_> {
    /// The type of an expression whose value is needed.
    pub(super) fn int_type(&self, e: ExprId) -> Result<IntType, Error> {
        match self.unit[e].ty {
            Type::Other(what) => match &self.unit[e].kind {
                ExprKind::Unsupported(what) => self.refuse(self.at(e), what),
                _ => self.refuse(self.at(e), what),
            },
            ty => match ty.int() {
                Some(int) => Ok(int),
                None => self.refuse(self.at(e), "value of type void"),
            },
        }
    }

    /// The value of an expression. It stays right as long as no variable it was read from changes: where the
    /// language does not say when one does, [`Translator::operands`] refuses.
    pub(super) fn value(&mut self, e: ExprId) -> Result<Term, Error> {
        let unit = self.unit;
        let at = self.at(e);
        let int = self.int_type(e)?;
        match unit[e].kind {
            ExprKind::Const(value) => Ok(self.terms.bits_value(Bits::from_signed(int.bits, value))),
            ExprKind::Read(object) => {
                let var = self.var(object, at)?;
                Ok(self.builder.term(var))
            }
            ExprKind::Neg(a) => {
                let a = self.value(a)?;
                Ok(self.terms.neg(a))
            }
            ExprKind::BitNot(a) => {
                let a = self.value(a)?;
                Ok(self.terms.bv_not(a))
            }
            ExprKind::Arith(op, a, b) => {
                let by = self.int_type(b)?;
                let (a, b) = self.operands(a, b, at)?;
                self.arith(op, int, a, b, by, at)
            }
            ExprKind::Not(_) | ExprKind::Compare(..) => self.truth_value(e, int),
            ExprKind::LogAnd(_, b) | ExprKind::LogOr(_, b) if !self.facts.edges(b) => {
                self.truth_value(e, int)
            }
            ExprKind::Convert(a) => {
                self.int_type(a)?;
                if unit[e].ty == Type::Bool {
                    return self.truth_value(e, int);
                }
                let value = self.value(a)?;
                Ok(self.convert(value, unit[a].ty, unit[e].ty))
            }
            ExprKind::Assign { object, op, value } => {
                self.assign(object, op, value, at)?;
                let var = self.var(object, at)?;
                Ok(self.builder.term(var))
            }
            ExprKind::Step { object, up, post } => self.step(object, up, post, at),
            ExprKind::Cond { cond, then, otherwise }
                if !self.facts.edges(then) && !self.facts.edges(otherwise) =>
            {
                let cond = self.condition(cond)?;
                let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
                Ok(self.terms.ite(cond, then, otherwise))
            }
            ExprKind::Elvis { value, then, otherwise } if !self.facts.edges(otherwise) => {
                let value = self.value(value)?;
                let truth = self.terms.nonzero(value);
                self.bound.push(value);
                let then = self.value(then);
                self.bound.pop();
                let (then, otherwise) = (then?, self.value(otherwise)?);
                Ok(self.terms.ite(truth, then, otherwise))
            }
            ExprKind::Bound => match self.bound.last() {
                Some(&value) => Ok(value),
                None => self.refuse(at, "this conditional expression"),
            },
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.value(b)
            }
            ExprKind::Block { ref body, value: Some(value) } => {
                for &stmt in body {
                    self.stmt(stmt)?;
                }
                self.value(value)
            }
            ExprKind::Magnitude(a) => {
                let a = self.value(a)?;
                Ok(self.magnitude(int, a))
            }
            ExprKind::SwapBytes(a) => {
                let a = self.value(a)?;
                Ok(self.swap_bytes(int, a))
            }
            ExprKind::Array => self.refuse(at, "array"),
            ExprKind::Unsupported(ref what) => self.refuse(at, what),
            ExprKind::Unreachable => self.refuse(at, "__builtin_unreachable"),
            ExprKind::Call { .. }
            | ExprKind::LogAnd(..)
            | ExprKind::LogOr(..)
            | ExprKind::Cond { .. }
            | ExprKind::Elvis { .. } => {
                let name = match unit[e].kind {
                    ExprKind::Call { function, .. } => unit[function].name.as_str(),
                    _ => "value",
                };
                let result = self.temporary(name, unit[e].ty, at)?;
                self.assign_value(result, unit[e].ty, e, at)?;
                Ok(self.builder.term(result))
            }
            ExprKind::Str(_) => {
                let var = self.literal(e, int);
                Ok(self.builder.term(var))
            }
            ExprKind::Trap | ExprKind::Block { value: None, .. } => {
                self.refuse(at, "value of this expression")
            }
        }
    }

    fn truth_value(&mut self, e: ExprId, int: IntType) -> Result<Term, Error> {
        let truth = self.condition(e)?;
        Ok(self.terms.bool_to_bits(int.bits, truth))
    }

    /// The values of two operands that C evaluates in any order.
    pub(super) fn operands(&mut self, a: ExprId, b: ExprId, at: Position) -> Result<(Term, Term), Error> {
        self.check_order(&[a, b], at)?;
        Ok((self.value(a)?, self.value(b)?))
    }

    /// Refuses operands whose order of evaluation matters.
    pub(super) fn check_order(&mut self, operands: &[ExprId], at: Position) -> Result<(), Error> {
        if operands.len() < 2 || !operands.iter().any(|&e| self.facts.writes(e)) {
            return Ok(());
        }
        let footprints: Vec<_> = operands.iter().map(|&e| self.effects.of(e)).collect();
        for (i, first) in footprints.iter().enumerate() {
            if footprints[i + 1..].iter().any(|later| first.conflicts(later)) {
                return self.unsupported(
                    at,
                    "the value depends on the order of evaluation, which C leaves open".to_owned(),
                );
            }
        }
        Ok(())
    }

    /// Evaluates an expression whose value somebody gets, though not the program.
    pub(super) fn evaluate(&mut self, e: ExprId) -> Result<(), Error> {
        if self.here.is_none() || !self.facts.edges(e) {
            return Ok(());
        }
        match (self.unit[e].ty, &self.unit[e].kind) {
            (_, ExprKind::Str(_)) | (Type::Void, _) => self.effect(e),
            // The value has no term, but those it is made of are computed.
            (Type::Other(_), &(ExprKind::Convert(a) | ExprKind::Neg(a) | ExprKind::BitNot(a))) => {
                self.evaluate(a)
            }
            (Type::Other(_), &ExprKind::Arith(_, a, b)) => {
                self.check_order(&[a, b], self.at(e))?;
                self.evaluate(a)?;
                self.evaluate(b)
            }
            (Type::Other(_), &ExprKind::Comma(a, b)) => {
                self.effect(a)?;
                self.evaluate(b)
            }
            (Type::Other(_), ExprKind::Call { .. }) => self.effect(e),
            _ => self.value(e).map(drop),
        }
    }

    /// Evaluates an expression and drops its value.
    pub(super) fn effect(&mut self, e: ExprId) -> Result<(), Error> {
        let unit = self.unit;
        let at = self.at(e);
        if self.here.is_none() || !self.facts.edges(e) {
            return Ok(());
        }
        match unit[e].kind {
            ExprKind::Const(_) | ExprKind::Str(_) | ExprKind::Array | ExprKind::Bound => Ok(()),
            ExprKind::Read(object) => match unit[object].refused {
                Some(what) => self.refuse(at, what),
                None => Ok(()),
            },
            ExprKind::Neg(a)
            | ExprKind::BitNot(a)
            | ExprKind::Not(a)
            | ExprKind::Convert(a)
            | ExprKind::Magnitude(a)
            | ExprKind::SwapBytes(a) => self.effect(a),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.effect(b)
            }
            // A division whose value nobody uses is not made, so it does not trap.
            ExprKind::Arith(_, a, b) | ExprKind::Compare(_, a, b) => {
                self.check_order(&[a, b], at)?;
                self.effect(a)?;
                self.effect(b)
            }
            ExprKind::Assign { object, op, value } => self.assign(object, op, value, at),
            ExprKind::Step { object, up, .. } => self.step(object, up, false, at).map(drop),
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) if !self.facts.edges(b) => self.effect(a),
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                let (second, join) = (self.node(), self.node());
                match unit[e].kind {
                    ExprKind::LogAnd(..) => self.branch(a, second, join)?,
                    _ => self.branch(a, join, second)?,
                }
                self.resume(second);
                self.effect(b)?;
                self.join(join);
                Ok(())
            }
            ExprKind::Cond { cond, then, otherwise }
                if !self.facts.edges(then) && !self.facts.edges(otherwise) =>
            {
                self.effect(cond)
            }
            ExprKind::Cond { cond, then, otherwise } => {
                let (yes, no, join) = (self.node(), self.node(), self.node());
                self.branch(cond, yes, no)?;
                self.resume(yes);
                self.effect(then)?;
                self.jump(join);
                self.resume(no);
                self.effect(otherwise)?;
                self.join(join);
                Ok(())
            }
            ExprKind::Call { function, ref args } => self.call(function, args, at, Want::Nothing),
            ExprKind::Block { ref body, value } => {
                for &stmt in body {
                    self.stmt(stmt)?;
                }
                value.map_or(Ok(()), |v| self.effect(v))
            }
            ExprKind::Trap => {
                self.here = None;
                Ok(())
            }
            ExprKind::Elvis { value, otherwise, .. } => {
                let value = self.value(value)?;
                let truth = self.terms.nonzero(value);
                let (no, join) = (self.node(), self.node());
                self.fork(truth, join, no, at, Event::Branch(true), Event::Branch(false))?;
                self.resume(no);
                self.effect(otherwise)?;
                self.join(join);
                Ok(())
            }
            ExprKind::Unreachable => self.refuse(at, "__builtin_unreachable"),
            ExprKind::Unsupported(ref what) => self.refuse(at, what),
        }
    }
}
