//! Assignments: a value takes the shortest way into a variable.

use super::order::Sides;
use super::place::{Cell, Spot};
use super::{Translator, Want};
use crate::tree::{ArithOp, AssignOp, ExprId, ExprKind, PlaceId, PlaceKind, Position, Type};
use tamis_diagnostics::Error;
use tamis_logic::Term;
use tamis_program::{Command, Event, Undefined, Var};

impl Translator<'_> {
    /// `place = value` or `place op= value`, and the value of the place afterwards.
    pub(super) fn assign(
        &mut self,
        place: PlaceId,
        op: Option<AssignOp>,
        value: ExprId,
        at: Position,
    ) -> Result<Term, Error> {
        let unit = self.unit;
        let ty = unit[place].ty;
        let plain = matches!(unit[place].kind, PlaceKind::Object(object) if self.memory.is_plain(object));
        if let (PlaceKind::Object(object), true, None) = (unit[place].kind, plain, op) {
            self.check_assignment(place, value, at)?;
            let var = self.var(object, at)?;
            self.note_copied_byte(place, value);
            self.assign_value(var, ty, value, at)?;
            self.forget_copied_byte();
            return Ok(self.builder.term(var));
        }
        if ty.int().is_none() && !matches!(ty, Type::Float(_)) {
            return self.refuse(at, "this assignment");
        }
        if op.is_none() {
            self.note_copied_byte(place, value);
        }
        let Sides { spot, old, right } = self.sides(place, value, op.is_some(), at)?;
        self.forget_copied_byte();
        if op.is_some() {
            self.mark_unset(place, spot, at);
        }
        let new = match op {
            None => self.convert(right, unit[value].ty, ty),
            Some(AssignOp::Pointer { subtract, scale }) => {
                let old = old.unwrap_or_else(|| self.load(spot));
                let moved = self.indexed(old, right, unit[value].ty, scale, subtract);
                let target = self.memory.pointed_from(place);
                self.mark_move(target, old, moved, at);
                moved
            }
            Some(AssignOp::Arith(op, computation)) => {
                let by = self.int_type(value)?;
                if matches!(computation, Type::Float(_)) || matches!(ty, Type::Float(_)) {
                    let old = match old {
                        Some(old) => old,
                        None => self.read(place, spot, at)?,
                    };
                    let left = self.float_convert(old, ty, computation, at)?;
                    let result = self.float_arith(op, computation, left, right, at)?;
                    self.float_convert(result, computation, ty, at)?
                } else {
                    let Some(int) = computation.int() else { return self.refuse(at, "this assignment") };
                    let old = match old {
                        Some(old) => old,
                        None => self.read(place, spot, at)?,
                    };
                    let left = self.terms.resize(int.bits, ty.extends_sign(), old);
                    let result = self.arith(op, int, left, right, by, at)?;
                    let target = self.memory.pointed_from(place).filter(|_| self.follows_memory());
                    self.mark_number(target, left, result, at);
                    self.convert(result, computation, ty)
                }
            }
        };
        // What is stored may be narrower, and the value of the assignment must not be read through the pointer again.
        let new = match spot {
            Spot::Memory(Cell { bits: Some(field), ty, .. }) => {
                let low = self.terms.extract(field.width - 1, 0, new);
                self.terms.resize(self.terms.width(new), ty.extends_sign(), low)
            }
            _ => new,
        };
        match spot {
            Spot::Variable(var) => {
                self.store(spot, new, at)?;
                Ok(self.builder.term(var))
            }
            Spot::Memory(_) => {
                let new = if self.reads_memory(new) { self.kept(new, at)? } else { new };
                if ty.is_pointer() || self.memory.may_be_address(value) {
                    self.store(spot, new, at)?;
                } else {
                    self.store_number(spot, new, at)?;
                }
                Ok(new)
            }
        }
    }

    /// `++` and `--`: the change, and the value before or after it.
    pub(super) fn step(
        &mut self,
        place: PlaceId,
        up: bool,
        post: bool,
        by: u64,
        at: Position,
    ) -> Result<Term, Error> {
        let ty = self.unit[place].ty;
        let Some(int) = self.scalar(ty) else { return self.refuse(at, "this operand of ++ or --") };
        let spot = self.spot(place)?;
        let old = self.read(place, spot, at)?;
        let amount = self.terms.bits(int.bits, u128::from(by));
        // A type that is promoted is wide enough for its own successors.
        if matches!(ty, Type::Int(int) if int.signed && int.bits >= 32) {
            let when = if up { self.terms.saddo(old, amount) } else { self.terms.ssubo(old, amount) };
            self.mark(Undefined::SignedOverflow, when, at);
        }
        let new = match (ty, up) {
            (Type::Float(_), _) => {
                let op = if up { ArithOp::Add } else { ArithOp::Sub };
                let one = self.float_one(ty, int.bits);
                self.float_arith(op, ty, old, one, at)?
            }
            (Type::Bool, true) => amount,
            (Type::Bool, false) => self.terms.bv_xor(old, amount),
            (_, true) => self.terms.add(old, amount),
            (_, false) => self.terms.sub(old, amount),
        };
        let target = self.memory.pointed_from(place);
        self.mark_number(target, old, new, at);
        match spot {
            Spot::Variable(_) if !matches!(ty, Type::Bool | Type::Float(_)) => {
                self.store(spot, new, at)?;
                // Arithmetic wraps, so the value before is a term over the value after: it needs no variable.
                Ok(match (post, up) {
                    (false, _) => old,
                    (true, true) => self.terms.sub(old, amount),
                    (true, false) => self.terms.add(old, amount),
                })
            }
            Spot::Variable(_) if !post => {
                self.store(spot, new, at)?;
                Ok(old)
            }
            _ => {
                let before = self.kept(old, at)?;
                // The new value is over the old one, which is kept.
                let new = match (ty, up) {
                    (Type::Float(_), _) | (Type::Bool, true) => new,
                    (Type::Bool, false) => self.terms.bv_xor(before, amount),
                    (_, true) => self.terms.add(before, amount),
                    (_, false) => self.terms.sub(before, amount),
                };
                let new = match spot {
                    Spot::Memory(Cell { bits: Some(field), .. }) => {
                        let low = self.terms.extract(field.width - 1, 0, new);
                        self.terms.resize(int.bits, ty.extends_sign(), low)
                    }
                    _ => new,
                };
                if ty.is_pointer() {
                    self.store(spot, new, at)?;
                } else {
                    self.store_number(spot, new, at)?;
                }
                Ok(if post { before } else { new })
            }
        }
    }

    /// `var := e`, where the value takes the shortest way into the variable.
    pub(super) fn assign_value(&mut self, var: Var, ty: Type, e: ExprId, at: Position) -> Result<(), Error> {
        self.assign_through(var, vec![ty], e, at)
    }

    /// `var := e`, converted by one type after another.
    pub(super) fn assign_through(
        &mut self,
        var: Var,
        mut types: Vec<Type>,
        e: ExprId,
        at: Position,
    ) -> Result<(), Error> {
        let unit = self.unit;
        let int = self.int_type(e)?;
        match unit[e].kind {
            ExprKind::Convert(a)
                if self.facts.edges(a)
                    && unit[a].ty.int().is_some()
                    && unit[e].ty.int().is_some()
                    && !self.facts.exposed.contains(&e)
                    && !self.is_address_of_number(e, a) =>
            {
                types.insert(0, unit[e].ty);
                self.assign_through(var, types, a, at)
            }
            ExprKind::Call { .. } => self.call(e, Want::Into(var, types)),
            ExprKind::Cond { cond, then, otherwise }
                if self.facts.edges(then) || self.facts.edges(otherwise) =>
            {
                let (yes, no, join) = (self.node(), self.node(), self.node());
                self.branch(cond, yes, no)?;
                self.cursor.resume(yes);
                self.assign_through(var, types.clone(), then, at)?;
                self.cursor.jump(join);
                self.cursor.resume(no);
                self.assign_through(var, types, otherwise, at)?;
                self.cursor.join(join);
                Ok(())
            }
            ExprKind::Elvis { value, then, otherwise } if self.facts.edges(otherwise) => {
                let tested = unit[value].ty;
                let value = self.value(value)?;
                let truth = self.truth_of(value, tested);
                let (yes, no, join) = (self.node(), self.node(), self.node());
                self.fork(truth, yes, no, at, Event::Branch(true), Event::Branch(false))?;
                self.cursor.resume(yes);
                self.enclosing.bound.push(value);
                let assigned = self.assign_through(var, types.clone(), then, at);
                self.enclosing.bound.pop();
                assigned?;
                self.cursor.jump(join);
                self.cursor.resume(no);
                self.assign_through(var, types, otherwise, at)?;
                self.cursor.join(join);
                Ok(())
            }
            ExprKind::LogAnd(_, b) | ExprKind::LogOr(_, b) if self.facts.edges(b) => {
                let (yes, no, join) = (self.node(), self.node(), self.node());
                self.branch(e, yes, no)?;
                for (node, value) in [(yes, 1), (no, 0)] {
                    self.cursor.resume(node);
                    let value = self.terms.bits(int.bits, value);
                    let value = self.convert_through(value, unit[e].ty, &types);
                    self.emit(Command::Assign(var, value), at, Event::Step)?;
                    self.cursor.jump(join);
                }
                self.cursor.resume(join);
                Ok(())
            }
            _ => {
                let value = self.value(e)?;
                let value = self.convert_through(value, unit[e].ty, &types);
                if value == self.builder.term(var) {
                    return Ok(());
                }
                self.emit(Command::Assign(var, value), at, Event::Step)
            }
        }
    }

    /// A value converted by one type after another.
    pub(super) fn convert_through(&mut self, value: Term, from: Type, types: &[Type]) -> Term {
        let (mut value, mut from) = (value, from);
        for &to in types {
            value = self.convert(value, from, to);
            from = to;
        }
        value
    }
}
