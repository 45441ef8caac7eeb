//! Atomic operations. The program has one thread: each is the plain operation, in the order of its parts.

use super::lower::Lower;
use crate::tree::{
    ArithOp, CompareOp, ExprId, ExprKind, ObjectId, PlaceId, Position, StmtId, StmtKind, Type,
};
use rucc_sema::{AtomicOp, ExprList, Rmw};

impl Lower<'_> {
    pub(super) fn atomic(&mut self, op: AtomicOp, args: ExprList, ty: Type, at: Position) -> ExprId {
        let tast = self.tast;
        let args: Vec<ExprId> = tast[args].iter().map(|&a| self.expr(a)).collect();
        let object = match (op, args.as_slice()) {
            (AtomicOp::Store | AtomicOp::TestAndSet, &[_, value]) => Some(self.unit[value].ty),
            (_, &[pointer, ..]) => self.unit.pointee(self.unit[pointer].ty),
            _ => None,
        };
        let scalar = object.is_some_and(|o| o.int().is_some());
        match (op, args.as_slice(), object) {
            (AtomicOp::Fence | AtomicOp::SignalFence, ..) => self.nothing(at),
            (_, _, Some(Type::Void | Type::Other(_))) => {
                self.unsupported("atomic operation on this type", ty, at)
            }
            (AtomicOp::Load, &[pointer], Some(object)) => {
                let place = self.deref(pointer, object, at);
                let value = self.load_place(place, at);
                self.convert(value, ty)
            }
            (AtomicOp::LoadInto, &[from, to], Some(object)) => {
                let (from, to) = (self.deref(from, object, at), self.deref(to, object, at));
                let value = self.load_place(from, at);
                let stored = self.store(to, value, at);
                self.convert(stored, Type::Void)
            }
            (AtomicOp::Store, &[pointer, value], Some(object)) => {
                let place = self.deref(pointer, object, at);
                let stored = self.store(place, value, at);
                self.convert(stored, Type::Void)
            }
            (AtomicOp::Exchange, &[pointer, value], Some(object)) => {
                self.exchange(pointer, value, object, ty, at)
            }
            (AtomicOp::ExchangeInto, &[pointer, value, to], Some(object)) => {
                let old = self.exchange(pointer, value, object, object, at);
                let place = self.deref(to, object, at);
                let stored = self.store(place, old, at);
                self.convert(stored, Type::Void)
            }
            (AtomicOp::TestAndSet, &[pointer, value], Some(object)) => {
                let old = self.exchange(pointer, value, object, object, at);
                self.convert(old, ty)
            }
            (AtomicOp::CompareExchange, &[pointer, expected, desired], Some(object)) if scalar => {
                self.compare_exchange(pointer, expected, desired, object, ty, at)
            }
            (AtomicOp::SwapBool | AtomicOp::SwapValue, &[pointer, expected, desired], Some(object))
                if scalar =>
            {
                self.swap(op == AtomicOp::SwapBool, [pointer, expected, desired], object, ty, at)
            }
            (AtomicOp::Fetch(rmw) | AtomicOp::Update(rmw), &[pointer, value], Some(object))
                if scalar && object != Type::Bool =>
            {
                self.modify(rmw, matches!(op, AtomicOp::Update(_)), pointer, value, object, ty, at)
            }
            _ => self.unsupported("atomic operation on this type", ty, at),
        }
    }

    /// `({ T *p = pointer; T old = *p; *p = value; old; })`
    fn exchange(&mut self, pointer: ExprId, value: ExprId, object: Type, ty: Type, at: Position) -> ExprId {
        let (p, place) = self.pointed(pointer, object, at);
        let v = self.temporary("(value)", value);
        let before = self.load_place(place, at);
        let old = self.temporary("(old)", before);
        let value = self.load_object(v, at);
        let stored = self.store(place, value, at);
        let result = self.load_object(old, at);
        let result = self.convert(result, ty);
        self.sequence(vec![p, v], vec![old], vec![stored], result, at)
    }

    /// `*pointer == *expected ? (*pointer = desired, 1) : (*expected = *pointer, 0)`
    fn compare_exchange(
        &mut self,
        pointer: ExprId,
        expected: ExprId,
        desired: ExprId,
        object: Type,
        ty: Type,
        at: Position,
    ) -> ExprId {
        let (p, place) = self.pointed(pointer, object, at);
        let (e, other) = self.pointed(expected, object, at);
        let d = self.temporary("(value)", desired);
        let (left, right) = (self.load_place(place, at), self.load_place(other, at));
        let equal = self.compare(CompareOp::Eq, left, right, at);
        let ok = self.temporary("(equal)", equal);
        let value = self.load_object(d, at);
        let success = self.store(place, value, at);
        let found = self.load_place(place, at);
        let failure = self.store(other, found, at);
        let (success, failure) = (self.convert(success, Type::Void), self.convert(failure, Type::Void));
        let cond = self.load_object(ok, at);
        let either = ExprKind::Cond { cond, then: success, otherwise: failure };
        let either = self.add_expr(either, Type::Void, at);
        let result = self.load_object(ok, at);
        let result = self.convert(result, ty);
        self.sequence(vec![p, e, d], vec![ok], vec![either], result, at)
    }

    /// `({ T old = *pointer; if (old == expected) *pointer = desired; old; })`, or whether it was equal.
    fn swap(
        &mut self,
        whether: bool,
        [pointer, expected, desired]: [ExprId; 3],
        object: Type,
        ty: Type,
        at: Position,
    ) -> ExprId {
        let (p, place) = self.pointed(pointer, object, at);
        let e = self.temporary("(expected)", expected);
        let d = self.temporary("(value)", desired);
        let before = self.load_place(place, at);
        let old = self.temporary("(old)", before);
        let equal = |s: &mut Self| {
            let (left, right) = (s.load_object(old, at), s.load_object(e, at));
            let wanted = s.unit[left].ty;
            let right = s.convert(right, wanted);
            s.compare(CompareOp::Eq, left, right, at)
        };
        let cond = equal(self);
        let value = self.load_object(d, at);
        let stored = self.store(place, value, at);
        let then = self.convert(stored, Type::Void);
        let otherwise = self.nothing(at);
        let either = self.add_expr(ExprKind::Cond { cond, then, otherwise }, Type::Void, at);
        let result = if whether { equal(self) } else { self.load_object(old, at) };
        let result = self.convert(result, ty);
        self.sequence(vec![p, e, d], vec![old], vec![either], result, at)
    }

    /// Reads, computes and writes back; the value is that before, or the one after.
    #[expect(clippy::too_many_arguments, reason = "the parts of one operation")]
    fn modify(
        &mut self,
        rmw: Rmw,
        after: bool,
        pointer: ExprId,
        value: ExprId,
        object: Type,
        ty: Type,
        at: Position,
    ) -> ExprId {
        let (p, place) = self.pointed(pointer, object, at);
        let v = self.temporary("(value)", value);
        let before = self.load_place(place, at);
        let old = self.temporary("(old)", before);
        let (left, right) = (self.load_object(old, at), self.load_object(v, at));
        // A pointer moves by bytes here, whatever it points to.
        let integer = if object.is_pointer() { self.size_type() } else { object };
        let (left, right) = (self.convert(left, integer), self.convert(right, integer));
        let op = match rmw {
            Rmw::Add => ArithOp::Add,
            Rmw::Sub => ArithOp::Sub,
            Rmw::And | Rmw::Nand => ArithOp::And,
            Rmw::Or => ArithOp::Or,
            Rmw::Xor => ArithOp::Xor,
        };
        let mut new = self.add_expr(ExprKind::Arith(op, left, right), integer, at);
        if rmw == Rmw::Nand {
            new = self.add_expr(ExprKind::BitNot(new), integer, at);
        }
        let stored = self.store(place, new, at);
        let result = if after { self.load_place(place, at) } else { self.load_object(old, at) };
        let result = self.convert(result, ty);
        self.sequence(vec![p, v], vec![old], vec![stored], result, at)
    }

    /// A variable that holds a pointer, and what it points to.
    fn pointed(&mut self, pointer: ExprId, object: Type, at: Position) -> (ObjectId, PlaceId) {
        let p = self.temporary("(pointer)", pointer);
        let pointer = self.load_object(p, at);
        (p, self.deref(pointer, object, at))
    }

    /// `place = value`.
    pub(super) fn store(&mut self, place: PlaceId, value: ExprId, at: Position) -> ExprId {
        let ty = self.unit[place].ty;
        let value = self.convert(value, ty);
        self.add_expr(ExprKind::Assign { place, op: None, value }, ty, at)
    }

    pub(super) fn compare(&mut self, op: CompareOp, left: ExprId, right: ExprId, at: Position) -> ExprId {
        let int = self.int();
        self.add_expr(ExprKind::Compare(op, left, right), int, at)
    }

    /// `(void)0`.
    fn nothing(&mut self, at: Position) -> ExprId {
        let int = self.int();
        let zero = self.add_expr(ExprKind::Const(0), int, at);
        self.convert(zero, Type::Void)
    }

    /// A statement expression: operands, which are evaluated in any order, other new variables, then effects, then a value.
    pub(super) fn sequence(
        &mut self,
        operands: Vec<ObjectId>,
        intermediate: Vec<ObjectId>,
        effects: Vec<ExprId>,
        value: ExprId,
        at: Position,
    ) -> ExprId {
        let declarations =
            [operands, intermediate].map(|objects| self.add_stmt(StmtKind::Declare(objects), at));
        let mut body: Vec<StmtId> = declarations.to_vec();
        for effect in effects {
            body.push(self.add_stmt(StmtKind::Expr(effect), at));
        }
        let ty = self.unit[value].ty;
        self.add_expr(ExprKind::Block { body, value: Some(value) }, ty, at)
    }
}
