//! Expressions: their values as terms, their effects as edges.

use super::assumption::Assumption;
use super::condition::{LITERALS, OUTSIDE};
use super::facts::place_operands;
use super::heap::Request;
use super::leaks::End;
use super::{Translator, Want};
use crate::memory::{Doubt, constant, is_aggregate, masked};
use crate::tree::{Callee, ExprId, ExprKind, PlaceKind, Position, Type};
use tamis_diagnostics::Error;
use tamis_logic::{Bits, Op, Term};
use tamis_program::{Command, Event, Havoc, IntType, Undefined};

impl Translator<'_> {
    /// The type of an expression whose value is needed.
    pub(super) fn int_type(&self, e: ExprId) -> Result<IntType, Error> {
        match self.unit[e].ty {
            Type::Other(what) => match &self.unit[e].kind {
                ExprKind::Unsupported(what) => self.refuse(self.at(e), what),
                _ => self.refuse(self.at(e), what),
            },
            ty => match self.scalar(ty) {
                Some(int) => Ok(int),
                None => match &self.unit[e].kind {
                    ExprKind::Unsupported(what) => self.refuse(self.at(e), what),
                    _ => self.refuse(self.at(e), "value of this type"),
                },
            },
        }
    }

    /// The value of an expression. It stays right as long as no variable it was read from changes: where the
    /// language does not say when one does, see [`super::order`].
    pub(super) fn value(&mut self, e: ExprId) -> Result<Term, Error> {
        let unit = self.unit;
        let at = self.at(e);
        let int = self.int_type(e)?;
        match unit[e].kind {
            ExprKind::Const(value) => Ok(self.terms.bits_value(Bits::from_signed(int.bits, value))),
            ExprKind::Float(bits) => Ok(self.terms.bits(int.bits, bits)),
            ExprKind::Load(place) => {
                if let PlaceKind::Object(object) = unit[place].kind
                    && let Some(&value) = self.activations.current().constants.get(&object)
                {
                    return Ok(value);
                }
                let spot = self.spot(place)?;
                self.read(place, spot, at)
            }
            ExprKind::AddressOf(place) => match constant(unit, e) {
                Some(number) => Ok(self.terms.bits_value(Bits::from_signed(int.bits, number))),
                None => self.address_value(place),
            },
            // Nothing may define it, and its address is null then.
            ExprKind::FunctionAddress(f) if unit[f].weak && unit[f].body.is_none() => {
                self.refuse(self.at(e), "address of a weak function without a definition")
            }
            ExprKind::FunctionAddress(function) => Ok(self.function_address(function)),
            ExprKind::Neg(a) if self.is_float(a) => {
                let a = self.value(a)?;
                let sign = self.terms.bits_value(Bits::min_signed(int.bits));
                Ok(self.terms.bv_xor(a, sign))
            }
            ExprKind::Magnitude(a) if self.is_float(a) => {
                let a = self.value(a)?;
                let sign = self.terms.bits_value(Bits::min_signed(int.bits));
                let others = self.terms.bv_not(sign);
                Ok(self.terms.bv_and(a, others))
            }
            ExprKind::Arith(op, a, b) if self.is_float(a) => {
                let (a, b) = self.operands(a, b, at)?;
                self.float_arith(op, unit[e].ty, a, b, at)
            }
            ExprKind::Compare(_, a, b) if self.is_float(a) && !self.compares_exactly(unit[a].ty) => {
                self.operands(a, b, at)?;
                let any = self.approximate(int, "comparison of floating-point numbers", at)?;
                let two = self.terms.bits(int.bits, 2);
                let guard = self.terms.ult(any, two);
                self.assume(guard, Assumption::Comparison, at)?;
                Ok(any)
            }
            ExprKind::PointerAdd { pointer, index, subtract, scale } => {
                let ty = unit[index].ty;
                let (pointer, index) = self.operands(pointer, index, at)?;
                let moved = self.indexed(pointer, index, ty, scale, subtract);
                let target = self.memory.target(e);
                self.mark_move(target, pointer, moved, at);
                Ok(moved)
            }
            ExprKind::PointerDiff { left, right, scale } => {
                let number = constant(unit, left).is_some() != constant(unit, right).is_some()
                    || self.memory.is_label(left);
                let (doubt, sides) = (self.memory.doubt(left, right), (left, right));
                let (left, right) = self.operands(left, right, at)?;
                self.mark_unrelated(sides, (left, right), at)?;
                if number {
                    return self.approximate(int, "an address as a number", at);
                }
                // In different objects there is no difference.
                match doubt {
                    Some(Doubt::Outside) => drop(self.approximate(int, OUTSIDE, at)?),
                    Some(Doubt::Literals) => drop(self.approximate(int, LITERALS, at)?),
                    None => {}
                }
                let t = &mut *self.terms;
                let bytes = t.sub(left, right);
                let size = t.bits(unit.word(), u128::from(scale.max(1)));
                let elements = if scale > 1 { t.sdiv(bytes, size) } else { bytes };
                Ok(t.resize(int.bits, true, elements))
            }
            ExprKind::Neg(a) => {
                let a = self.value(a)?;
                if int.signed {
                    let when = self.terms.nego(a);
                    self.mark(Undefined::SignedOverflow, when, at);
                }
                Ok(self.terms.neg(a))
            }
            ExprKind::BitNot(a) => {
                let a = self.value(a)?;
                Ok(self.terms.bv_not(a))
            }
            ExprKind::Arith(op, a, b) => {
                let by = self.int_type(b)?;
                let from = self.follows_memory() && self.memory.points(e);
                let right = from && !self.memory.points(a);
                let target = self.memory.target(e).filter(|_| from);
                let (a, b) = self.operands(a, b, at)?;
                let result = self.arith(op, int, a, b, by, at)?;
                self.mark_number(target, if right { b } else { a }, result, at);
                Ok(result)
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
                if let Some((address, mask)) = masked(unit, a, unit[e].ty) {
                    return self.masked_address(address, mask, at);
                }
                let value = self.value(a)?;
                if (self.is_float(a) || self.is_float(e)) && unit[a].ty != unit[e].ty {
                    return self.float_convert(value, unit[a].ty, unit[e].ty, at);
                }
                if self.facts.exposed.contains(&e) && self.memory.points(a) {
                    return self.number_of(a, value, e, at);
                }
                if self.is_address_of_number(e, a) {
                    return self.address_of(e, a, value, at);
                }
                Ok(self.convert(value, unit[a].ty, unit[e].ty))
            }
            ExprKind::Assign { place, op, value } => self.assign(place, op, value, at),
            ExprKind::Step { place, up, post, by } => self.step(place, up, post, by, at),
            ExprKind::Cond { cond, then, otherwise }
                if !self.facts.edges(then) && !self.facts.edges(otherwise) =>
            {
                let cond = self.condition(cond)?;
                let not_cond = self.terms.not(cond);
                let then = self.only_if(cond, |walk| walk.value(then))?;
                let otherwise = self.only_if(not_cond, |walk| walk.value(otherwise))?;
                Ok(self.terms.ite(cond, then, otherwise))
            }
            ExprKind::Elvis { value, then, otherwise } if !self.facts.edges(otherwise) => {
                let ty = unit[value].ty;
                let value = self.value(value)?;
                let truth = self.truth_of(value, ty);
                let zero = self.terms.not(truth);
                self.enclosing.bound.push(value);
                let then = self.only_if(truth, |walk| walk.value(then));
                self.enclosing.bound.pop();
                let (then, otherwise) = (then?, self.only_if(zero, |walk| walk.value(otherwise))?);
                Ok(self.terms.ite(truth, then, otherwise))
            }
            ExprKind::Bound => match self.enclosing.bound.last() {
                Some(&value) => Ok(value),
                None => self.refuse(at, "this conditional expression"),
            },
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.value(b)
            }
            ExprKind::Block { ref body, value: Some(value) } => {
                let compounds = self.activations.current().compounds.len();
                for &stmt in body {
                    self.stmt(stmt)?;
                }
                let value = self.value(value)?;
                self.leave_scope(body, compounds);
                Ok(value)
            }
            ExprKind::Magnitude(a) => {
                let a = self.value(a)?;
                Ok(self.magnitude(int, a, at))
            }
            ExprKind::SwapBytes(a) => {
                let a = self.value(a)?;
                Ok(self.swap_bytes(int, a))
            }
            ExprKind::BitCount(count, a) => {
                let of = self.int_type(a)?;
                let a = self.value(a)?;
                self.bit_count(count, of, int, a, at)
            }
            ExprKind::Overflow { op, operands, result, stores } => {
                self.overflow(op, operands, result, stores, int, at)
            }
            ExprKind::Alloca(size) => {
                let ty = unit[size].ty;
                let size = self.value(size)?;
                let size = self.terms.resize(unit.word(), ty.extends_sign(), size);
                let request = Request { on_stack: true, ..Request::of(self.terms, size) };
                self.block(e, request, at)
            }
            ExprKind::VaArg(list) => {
                self.effect(list)?;
                self.approximate(int, "a variable argument", at)
            }
            ExprKind::LabelAddress(label) => self.label_address(label, at),
            ExprKind::VaStart(_) | ExprKind::VaEnd(_) | ExprKind::VaCopy(..) => {
                self.refuse(at, "value of this expression")
            }
            ExprKind::Unsupported(ref what) => self.refuse(at, what),
            ExprKind::Unreachable => self.refuse(at, "__builtin_unreachable"),
            ExprKind::Call { .. }
            | ExprKind::LogAnd(..)
            | ExprKind::LogOr(..)
            | ExprKind::Cond { .. }
            | ExprKind::Elvis { .. } => {
                let name = match unit[e].kind {
                    ExprKind::Call { callee: Callee::Function(function), .. } => unit[function].name.as_str(),
                    _ => "value",
                };
                let result = self.temporary(name, unit[e].ty, at)?;
                self.assign_value(result, unit[e].ty, e, at)?;
                Ok(self.builder.term(result))
            }
            ExprKind::Trap | ExprKind::Block { value: None, .. } => {
                self.refuse(at, "value of this expression")
            }
        }
    }

    /// The value of an expression, if it is constant where it stands and needs no edges.
    pub(super) fn constant_value(&mut self, e: ExprId) -> Result<Option<Term>, Error> {
        if self.facts.edges(e) || self.unit[e].ty.int().is_none() {
            return Ok(None);
        }
        let marks = self.cursor.marks.len();
        let value = self.value(e)?;
        self.cursor.marks.truncate(marks);
        Ok(self.terms.is_constant(value).then_some(value))
    }

    fn truth_value(&mut self, e: ExprId, int: IntType) -> Result<Term, Error> {
        let truth = self.condition(e)?;
        Ok(self.terms.bool_to_bits(int.bits, truth))
    }

    /// A value that stays what it is while another expression is evaluated, even if that writes memory.
    pub(super) fn steady(&mut self, value: Term, during: ExprId, at: Position) -> Result<Term, Error> {
        if !self.facts.writes(during)
            || !self.reads_memory(value)
            || self.effects.of(during).stores.is_empty()
        {
            return Ok(value);
        }
        self.kept(value, at)
    }

    /// A value that stays what it is while memory is written.
    pub(super) fn settled(&mut self, value: Term, at: Position) -> Result<Term, Error> {
        if self.reads_memory(value) { self.kept(value, at) } else { Ok(value) }
    }

    /// A variable that keeps a value.
    pub(super) fn kept(&mut self, value: Term, at: Position) -> Result<Term, Error> {
        let int = IntType { bits: self.terms.width(value), signed: false };
        let frame = self.activations.frame();
        let kept = self.builder.temporary(self.terms, "kept", int, frame);
        self.emit(Command::Assign(kept, value), at, Event::Step)?;
        Ok(self.builder.term(kept))
    }

    pub(super) fn reads_memory(&self, value: Term) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work = vec![value];
        while let Some(t) = work.pop() {
            if self.terms.op(t) == Op::Select {
                return true;
            }
            if seen.insert(t) {
                work.extend(self.terms.args(t));
            }
        }
        false
    }

    pub(super) fn is_float(&self, e: ExprId) -> bool {
        matches!(self.unit[e].ty, Type::Float(_))
    }

    /// Any value, because the real one is not modelled.
    pub(super) fn approximate(&mut self, int: IntType, what: &str, at: Position) -> Result<Term, Error> {
        self.any_value(int, Havoc::Approximated(what.to_owned()), at)
    }

    /// Any value, because the real one is not modelled, of an operation that has a value and does nothing else.
    pub(super) fn inexact(&mut self, int: IntType, what: &str, at: Position) -> Result<Term, Error> {
        self.any_value(int, Havoc::Inexact(what.to_owned()), at)
    }

    fn any_value(&mut self, int: IntType, why: Havoc, at: Position) -> Result<Term, Error> {
        let frame = self.activations.frame();
        let any = self.builder.temporary(self.terms, "result", int, frame);
        self.emit(Command::Havoc(any, why), at, Event::Step)?;
        Ok(self.builder.term(any))
    }

    /// Evaluates an expression whose value somebody gets, though not the program.
    pub(super) fn evaluate(&mut self, e: ExprId) -> Result<(), Error> {
        if self.cursor.here.is_none() || !(self.facts.edges(e) || self.all_is_computed()) {
            return Ok(());
        }
        match self.unit[e].ty {
            Type::Void => self.effect(e),
            ty if is_aggregate(ty) => self.aggregate(e).map(drop),
            // The value has no term, but those it is made of are computed.
            Type::Other(_) => match self.unit[e].kind {
                ExprKind::Convert(a) | ExprKind::Neg(a) | ExprKind::BitNot(a) => self.evaluate(a),
                ExprKind::Arith(_, a, b) => {
                    self.check_order(&[a, b], self.at(e))?;
                    self.evaluate(a)?;
                    self.evaluate(b)
                }
                ExprKind::Comma(a, b) => {
                    self.effect(a)?;
                    self.evaluate(b)
                }
                ExprKind::Call { .. } => self.effect(e),
                _ => self.value(e).map(drop),
            },
            _ => self.value(e).map(drop),
        }
    }

    /// Whether a value is computed even if nobody uses it: where undefined behaviour is what counts.
    pub(super) fn all_is_computed(&self) -> bool {
        self.unit.target.is_behaviour()
    }

    /// Whether computing a value may be undefined.
    fn is_operation(&self, e: ExprId) -> bool {
        let kind = matches!(
            self.unit[e].kind,
            ExprKind::Load(_)
                | ExprKind::Neg(_)
                | ExprKind::BitNot(_)
                | ExprKind::Not(_)
                | ExprKind::Convert(_)
                | ExprKind::Magnitude(_)
                | ExprKind::Arith(..)
                | ExprKind::Compare(..)
                | ExprKind::PointerAdd { .. }
                | ExprKind::PointerDiff { .. }
                | ExprKind::LogAnd(..)
                | ExprKind::LogOr(..)
                | ExprKind::Cond { .. }
        );
        kind && matches!(self.unit[e].ty, Type::Bool | Type::Int(_) | Type::Pointer { .. })
    }

    /// Evaluates an expression and drops its value.
    pub(super) fn effect(&mut self, e: ExprId) -> Result<(), Error> {
        let unit = self.unit;
        let at = self.at(e);
        if self.cursor.here.is_none() {
            return Ok(());
        }
        if self.all_is_computed() && self.is_operation(e) {
            return self.value(e).map(drop);
        }
        if !(self.facts.edges(e) || self.all_is_computed() && unit[e].ty == Type::Void) {
            return Ok(());
        }
        match unit[e].kind {
            ExprKind::Const(_)
            | ExprKind::Float(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::Bound => Ok(()),
            // A value that nobody uses is not read, so a null pointer does no harm.
            ExprKind::Load(place) | ExprKind::AddressOf(place) => {
                if let PlaceKind::Object(object) = unit[place].kind
                    && let Some(what) = unit[object].refused
                {
                    return self.refuse(at, what);
                }
                // A compound literal is made, whoever uses it: its initialisers may do something.
                if !self.is_found_by_parts(place) {
                    return self.address(place).map(drop);
                }
                let parts = place_operands(unit, place);
                self.check_order(&parts, at)?;
                parts.into_iter().try_for_each(|operand| match unit[operand].ty {
                    ty if is_aggregate(ty) => self.aggregate(operand).map(drop),
                    _ => self.effect(operand),
                })
            }
            ExprKind::Neg(a)
            | ExprKind::BitNot(a)
            | ExprKind::Not(a)
            | ExprKind::Convert(a)
            | ExprKind::Magnitude(a)
            | ExprKind::BitCount(_, a)
            | ExprKind::VaArg(a)
            | ExprKind::SwapBytes(a) => self.effect(a),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.effect(b)
            }
            // A division whose value nobody uses is not made, so it does not trap.
            ExprKind::Arith(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::PointerAdd { pointer: a, index: b, .. }
            | ExprKind::PointerDiff { left: a, right: b, .. } => {
                self.check_order(&[a, b], at)?;
                self.effect(a)?;
                self.effect(b)
            }
            ExprKind::Assign { .. } if is_aggregate(unit[e].ty) => self.aggregate(e).map(drop),
            ExprKind::Assign { place, op, value } => self.assign(place, op, value, at).map(drop),
            ExprKind::Step { place, up, by, .. } => self.step(place, up, false, by, at).map(drop),
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) if !self.facts.edges(b) => self.effect(a),
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                let (second, join) = (self.node(), self.node());
                match unit[e].kind {
                    ExprKind::LogAnd(..) => self.branch(a, second, join)?,
                    _ => self.branch(a, join, second)?,
                }
                self.cursor.resume(second);
                self.effect(b)?;
                self.cursor.join(join);
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
                self.cursor.resume(yes);
                self.effect(then)?;
                self.cursor.jump(join);
                self.cursor.resume(no);
                self.effect(otherwise)?;
                self.cursor.join(join);
                Ok(())
            }
            ExprKind::Call { .. } if is_aggregate(unit[e].ty) => self.aggregate(e).map(drop),
            ExprKind::Call { .. } => self.call(e, Want::Nothing),
            ExprKind::Block { ref body, value } => {
                let compounds = self.activations.current().compounds.len();
                for &stmt in body {
                    self.stmt(stmt)?;
                }
                value.map_or(Ok(()), |v| self.effect(v))?;
                self.leave_scope(body, compounds);
                Ok(())
            }
            ExprKind::Trap => {
                self.mark_end(End::Call, at);
                self.cease(Assumption::Exit);
                Ok(())
            }
            ExprKind::Elvis { value, otherwise, .. } => {
                let ty = self.unit[value].ty;
                let value = self.value(value)?;
                let truth = self.truth_of(value, ty);
                let (no, join) = (self.node(), self.node());
                self.fork(truth, join, no, at, Event::Branch(true), Event::Branch(false))?;
                self.cursor.resume(no);
                self.effect(otherwise)?;
                self.cursor.join(join);
                Ok(())
            }
            ExprKind::Overflow { .. } | ExprKind::Alloca(_) => self.value(e).map(drop),
            ExprKind::VaStart(list) | ExprKind::VaEnd(list) => self.effect(list),
            ExprKind::VaCopy(a, b) => {
                self.effect(a)?;
                self.effect(b)
            }
            ExprKind::Unreachable => {
                // Whatever follows is nobody's promise: it may be a violation.
                let mark = self.temporary("unreachable", Type::Bool, at)?;
                let cause = Havoc::Approximated("__builtin_unreachable".to_owned());
                self.havoc(mark, Type::Bool, cause, at)?;
                let always = self.terms.tru();
                self.violate_if(always, "by what follows __builtin_unreachable".to_owned(), at)?;
                self.cease(Assumption::Violation);
                Ok(())
            }
            ExprKind::Unsupported(ref what) => self.refuse(at, what),
        }
    }
}
