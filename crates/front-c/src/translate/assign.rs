//! Assignments: a value takes the shortest way into a variable.

use super::{Translator, Want};
use crate::error::Error;
use crate::tree::{ArithOp, ExprId, ExprKind, ObjectId, Position, Type};
use tamis_logic::Term;
use tamis_program::{Command, Event, Var};

impl Translator<'_> {
    /// `object = value` or `object op= value`.
    pub(super) fn assign(
        &mut self,
        object: ObjectId,
        op: Option<(ArithOp, Type)>,
        value: ExprId,
        at: Position,
    ) -> Result<(), Error> {
        let var = self.var(object, at)?;
        let ty = self.unit[object].ty;
        if self.facts.writes(value) {
            let footprint = self.effects.of(value);
            let unordered = if op.is_some() { &footprint.writes } else { &footprint.pending };
            if unordered.contains(&object) {
                let message = "the value depends on the order of evaluation, which C leaves open".to_owned();
                return self.unsupported(at, message);
            }
        }
        let Some((op, computation)) = op else { return self.assign_value(var, ty, value, at) };
        let Some(int) = computation.int() else {
            return match computation {
                Type::Other(what) => self.refuse(at, what),
                _ => self.refuse(at, "this assignment"),
            };
        };
        let by = self.int_type(value)?;
        let right = self.value(value)?;
        let old = self.builder.term(var);
        let stored = self.builder.variable_data(var).ty;
        let left = self.terms.resize(int.bits, stored.signed, old);
        let result = self.arith(op, int, left, right, by, at)?;
        let result = self.convert(result, computation, ty);
        self.emit(Command::Assign(var, result), at, Event::Step)
    }

    /// `++` and `--`: the change, and the value before or after it.
    pub(super) fn step(
        &mut self,
        object: ObjectId,
        up: bool,
        post: bool,
        at: Position,
    ) -> Result<Term, Error> {
        let var = self.var(object, at)?;
        let bits = self.builder.variable_data(var).ty.bits;
        let old = self.builder.term(var);
        let one = self.terms.bits(bits, 1);
        let is_bool = self.unit[object].ty == Type::Bool;
        let new = match (is_bool, up) {
            (true, true) => one,
            (true, false) => self.terms.bv_xor(old, one),
            (false, true) => self.terms.add(old, one),
            (false, false) => self.terms.sub(old, one),
        };
        if !is_bool {
            self.emit(Command::Assign(var, new), at, Event::Step)?;
            // Arithmetic wraps, so the value before is a term over the value after: it needs no variable.
            return Ok(match (post, up) {
                (false, _) => old,
                (true, true) => self.terms.sub(old, one),
                (true, false) => self.terms.add(old, one),
            });
        }
        if !post {
            self.emit(Command::Assign(var, new), at, Event::Step)?;
            return Ok(old);
        }
        let before = self.temporary("before", Type::Bool, at)?;
        self.emit(Command::Assign(before, old), at, Event::Step)?;
        self.emit(Command::Assign(var, new), at, Event::Step)?;
        Ok(self.builder.term(before))
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
            ExprKind::Convert(a) if self.facts.edges(a) && unit[a].ty.int().is_some() => {
                types.insert(0, unit[e].ty);
                self.assign_through(var, types, a, at)
            }
            ExprKind::Call { function, ref args } => {
                self.call(function, args, self.at(e), Want::Into(var, types))
            }
            ExprKind::Cond { cond, then, otherwise }
                if self.facts.edges(then) || self.facts.edges(otherwise) =>
            {
                let (yes, no, join) = (self.node(), self.node(), self.node());
                self.branch(cond, yes, no)?;
                self.resume(yes);
                self.assign_through(var, types.clone(), then, at)?;
                self.jump(join);
                self.resume(no);
                self.assign_through(var, types, otherwise, at)?;
                self.join(join);
                Ok(())
            }
            ExprKind::Elvis { value, then, otherwise } if self.facts.edges(otherwise) => {
                let value = self.value(value)?;
                let truth = self.terms.nonzero(value);
                let (yes, no, join) = (self.node(), self.node(), self.node());
                self.fork(truth, yes, no, at, Event::Branch(true), Event::Branch(false))?;
                self.resume(yes);
                self.bound.push(value);
                let assigned = self.assign_through(var, types.clone(), then, at);
                self.bound.pop();
                assigned?;
                self.jump(join);
                self.resume(no);
                self.assign_through(var, types, otherwise, at)?;
                self.join(join);
                Ok(())
            }
            ExprKind::LogAnd(_, b) | ExprKind::LogOr(_, b) if self.facts.edges(b) => {
                let (yes, no, join) = (self.node(), self.node(), self.node());
                self.branch(e, yes, no)?;
                for (node, value) in [(yes, 1), (no, 0)] {
                    self.resume(node);
                    let value = self.terms.bits(int.bits, value);
                    let value = self.convert_through(value, unit[e].ty, &types);
                    self.emit(Command::Assign(var, value), at, Event::Step)?;
                    self.jump(join);
                }
                self.resume(join);
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
