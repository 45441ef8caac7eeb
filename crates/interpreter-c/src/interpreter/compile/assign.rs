//! Assignments.

use super::super::instr::{Instr, Reg};
use super::super::scalar::{Int, Kind};
use super::Compiler;
use super::order::Operands;
use super::place::Use;
use super::place::{Loc, Where};
use tamis_front_c::Target;
use tamis_front_c::tree::{ArithOp, AssignOp, ExprId, ExprKind, PlaceId, Type};

impl Compiler<'_> {
    /// `place op= value`. The value of the expression goes to `d` if it is wanted.
    pub(super) fn assign(&mut self, p: PlaceId, op: Option<AssignOp>, value: ExprId, d: Reg, wanted: bool) {
        let ty = self.unit[p].ty;
        let kind = self.kind(ty);
        let operands = self.fork_access(p, Some(value), op.is_some());
        if let Kind::Record { size, align } = kind {
            let place = self.place(p, d);
            self.address_of(place.loc, d);
            self.side(operands);
            self.value(value, d + 1);
            if self.is_forked(operands) {
                // It is read here, and not when it is stored.
                self.copy_to_temporary(size, align, d + 1);
            }
            self.own_access(operands, p, place, d + 3);
            self.join(operands);
            self.emit(Instr::Copy { p: d, a: d + 1, size });
            self.unpad(ty, false, d);
            return;
        }
        let place = self.place(p, d);
        self.side(operands);
        // The registers from here on are free while the address is kept.
        let free = if matches!(place.loc, Loc::At(_)) { d + 1 } else { d };
        match op {
            None if !wanted
                // Who watches sees the value, unless that would be a use of it that counts.
                && (!self.observed || *self.unit.target() == Target::Values)
                && !self.is_forked(operands)
                && self.copies_byte(value, ty, place) =>
            {
                self.copy_byte(place, value, d);
                return;
            }
            None => self.value(value, free),
            Some(AssignOp::Arith(op, common)) => {
                self.assign_arith(place, ty, op, common, value, operands, free);
            }
            Some(AssignOp::Pointer { subtract, scale }) => {
                self.value(value, free + 1);
                self.side(operands);
                self.load(place, kind, free);
                self.scaled_add(free, free + 1, scale, subtract, Use::Address);
            }
        }
        self.own_access(operands, p, place, free + 4);
        self.join(operands);
        self.finish_assign(p, place, kind, free, d, wanted.then_some(free));
    }

    /// Stores what is in `a`. What is then at the place, or in `result`, goes to `d`.
    fn finish_assign(&mut self, p: PlaceId, place: Where, kind: Kind, a: Reg, d: Reg, result: Option<Reg>) {
        self.store(place, kind, a, a + 4);
        self.report_store(p, place, a);
        match result {
            None => {}
            Some(result) if result == a && place.bits.is_some() => self.load(place, kind, d),
            Some(result) => self.move_value(kind, d, result),
        }
    }

    /// `old op value`, in `d`. The right side is evaluated before the old value is read, as gcc does.
    #[expect(clippy::too_many_arguments, reason = "the parts of an assignment")]
    fn assign_arith(
        &mut self,
        place: Where,
        ty: Type,
        op: ArithOp,
        common: Type,
        value: ExprId,
        operands: Operands,
        d: Reg,
    ) {
        let (kind, common_kind) = (self.kind(ty), self.kind(common));
        let right = d + 2;
        self.value(value, right);
        self.side(operands);
        self.load(place, kind, d);
        self.convert(ty, common, d);
        let constant = matches!(self.unit[value].kind, ExprKind::Const(_));
        self.arith(op, common_kind, d, d, right, constant);
        self.convert(common, ty, d);
    }

    /// Whether a byte is copied as it is: that is no use of its value, should it have none.
    fn copies_byte(&self, value: ExprId, ty: Type, place: Where) -> bool {
        let byte = |ty: Type| matches!(ty, Type::Int(int) if int.bits == 8);
        let mut value = value;
        while let ExprKind::Convert(inner) = self.unit[value].kind {
            value = inner;
        }
        let ExprKind::Load(source) = self.unit[value].kind else { return false };
        place.bits.is_none() && byte(ty) && byte(self.unit[source].ty)
    }

    fn copy_byte(&mut self, place: Where, value: ExprId, d: Reg) {
        let mut value = value;
        while let ExprKind::Convert(inner) = self.unit[value].kind {
            value = inner;
        }
        if let ExprKind::Load(source) = self.unit[value].kind {
            self.address_of(place.loc, d);
            let source = self.place(source, d + 1);
            self.address_of(source.loc, d + 1);
            self.emit(Instr::Copy { p: d, a: d + 1, size: 1 });
        }
    }

    /// `++` and `--`.
    pub(super) fn step(&mut self, p: PlaceId, up: bool, post: bool, by: u64, d: Reg, wanted: bool) {
        let ty = self.unit[p].ty;
        let kind = self.kind(ty);
        let operands = self.fork_access(p, None, false);
        let place = self.place(p, d);
        let old = if matches!(place.loc, Loc::At(_)) { d + 1 } else { d };
        let new = old + 2;
        self.own_access(operands, p, place, new);
        self.join(operands);
        self.load(place, kind, old);
        match kind {
            Kind::Int(_) if ty == Type::Bool => {
                self.emit(Instr::Const { d: new, value: 1 });
                if !up {
                    self.emit(Instr::Xor { d: new, a: old, b: new });
                }
            }
            Kind::Int(k) => {
                // Below `int` the sum cannot overflow; it is converted back.
                let sum = if k.bits() < 32 { k.unsigned() } else { k };
                let step = if up { by as i64 } else { (by as i64).wrapping_neg() };
                match i32::try_from(step) {
                    Ok(value) if !k.is_wide() => {
                        self.emit(Instr::AddConst { d: new, a: old, k: sum, value });
                    }
                    _ => {
                        self.emit(Instr::Const { d: new, value: step as u64 });
                        if k.is_wide() {
                            self.emit(Instr::Widen { d: new, a: new, from: Int::I64, to: k });
                        }
                        self.arith(ArithOp::Add, Kind::Int(k), new, old, new, true);
                    }
                }
                if sum != k {
                    self.emit(Instr::Normal { d: new, a: new, k });
                }
                if self.determined && k.is_address() {
                    self.emit(Instr::Moved { a: old, b: new });
                }
            }
            Kind::Float(format) => {
                self.float_one(format, new);
                let op = if up { ArithOp::Add } else { ArithOp::Sub };
                self.arith(op, kind, new, old, new, false);
            }
            Kind::Void | Kind::Record { .. } => self.unsupported("a step of such a value"),
        }
        let result = if post { old } else { new };
        self.finish_assign(p, place, kind, new, d, wanted.then_some(result));
    }

    /// Tells an observer what was stored.
    fn report_store(&mut self, p: PlaceId, place: Where, a: Reg) {
        self.report(Some(p), self.unit[p].ty, place, a);
    }

    /// Tells an observer that a place got the value in `a`.
    pub(super) fn report(&mut self, p: Option<PlaceId>, ty: Type, place: Where, a: Reg) {
        if !self.observed {
            return;
        }
        let address = a + 4;
        self.address_of(place.loc, address);
        self.code.stored.push((p, ty));
        let ty = self.code.stored.len() as u32 - 1;
        self.emit(Instr::Stored { a, p: address, ty });
    }
}
