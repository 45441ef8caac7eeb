//! Expressions.

use super::super::instr::{Instr, Reg};
use super::super::memory::Bases;
use super::super::scalar::{Format, Int, Kind};
use super::Compiler;
use super::condition::compare_mask;
use super::order::Operands;
use super::place::Use;
use tamis_front_c::Target;
use tamis_front_c::tree::{ArithOp, CompareOp, ExprId, ExprKind, OverflowOp, Type};

impl Compiler<'_> {
    /// The value of an expression, in `d`.
    pub(super) fn value(&mut self, e: ExprId, d: Reg) {
        self.nested(self.unit[e].at, d, |c| c.value_inner(e, d));
    }

    fn value_inner(&mut self, e: ExprId, d: Reg) {
        let unit = self.unit;
        let expr = &unit[e];
        self.check_float(e);
        match &expr.kind {
            ExprKind::Const(value) => self.constant(e, *value as u128, d),
            ExprKind::Float(bits) => self.constant(e, *bits, d),
            ExprKind::Load(p) => {
                let operands = self.fork_access(*p, None, false);
                let place = self.place(*p, d);
                self.own_access(operands, *p, place, d + 1);
                self.join(operands);
                let kind = self.kind(expr.ty);
                self.load(place, kind, d);
                if self.determined && expr.ty == Type::Bool {
                    self.emit(Instr::Truth { a: d });
                }
            }
            ExprKind::AddressOf(p) => {
                let place = self.place_for(*p, d, Use::Address);
                self.address_of(place.loc, d);
            }
            // Nothing may define it, and its address is null then.
            ExprKind::FunctionAddress(f) if self.unit[*f].weak && self.unit[*f].body.is_none() => {
                self.unsupported("the address of a weak function without a definition");
            }
            ExprKind::FunctionAddress(f) => {
                self.emit(Instr::Const { d, value: self.function_address(f.index()) });
            }
            ExprKind::LabelAddress(label) => {
                let value = Bases::code_address(self.bases.labels, label.index());
                self.emit(Instr::Const { d, value });
            }
            ExprKind::Neg(a) => {
                self.value(*a, d);
                match self.kind(expr.ty) {
                    Kind::Int(k) if k.is_wide() => self.emit(Instr::WideNeg { d, a: d, k }),
                    Kind::Int(k) => self.emit(Instr::Neg { d, a: d, k }),
                    Kind::Float(format) => self.emit(Instr::FloatNeg { d, a: d, format }),
                    _ => return,
                };
            }
            ExprKind::BitNot(a) => {
                self.value(*a, d);
                match self.kind(expr.ty) {
                    Kind::Int(k) if k.is_wide() => self.emit(Instr::WideNot { d, a: d, k }),
                    Kind::Int(k) => self.emit(Instr::BitNot { d, a: d, k }),
                    _ => return,
                };
            }
            ExprKind::Not(a) => {
                self.only_sign_of(*a);
                self.value(*a, d);
                let kind = self.kind_of(*a);
                self.truth(kind, d);
                self.emit(Instr::Not { d, a: d });
            }
            ExprKind::Arith(op, a, b) => {
                let kind = self.kind(expr.ty);
                let operands = self.fork_pair(*a, *b);
                self.value(*a, d);
                self.side(operands);
                let b_at = d + kind.registers();
                self.value(*b, b_at);
                self.join(operands);
                let constant = matches!(unit[*b].kind, ExprKind::Const(_));
                self.arith(*op, kind, d, d, b_at, constant);
            }
            ExprKind::PointerAdd { .. } => self.pointer_add(e, d, Use::Address),
            ExprKind::PointerDiff { left, right, scale } => {
                let operands = self.fork_pair(*left, *right);
                self.value(*left, d);
                self.side(operands);
                self.value(*right, d + 1);
                self.join(operands);
                if self.determined {
                    self.emit(Instr::Compared { a: d, b: d + 1, ordered: true });
                } else if *self.unit.target() == Target::Pointers {
                    self.emit(Instr::Related { a: d, b: d + 1 });
                }
                match u32::try_from(*scale) {
                    Ok(scale @ 1..) => {
                        let k = Int::new(self.unit.word(), true);
                        self.emit(Instr::PointerDiff { d, a: d, b: d + 1, scale, k });
                    }
                    _ => self.unsupported("a difference of pointers to objects of this size"),
                }
            }
            ExprKind::Compare(op, a, b) => {
                let kind = self.kind_of(*a);
                if matches!(unit[*b].kind, ExprKind::Const(0)) {
                    self.only_sign_of(*a);
                }
                let operands = self.fork_pair(*a, *b);
                self.value(*a, d);
                self.side(operands);
                let b_at = d + kind.registers();
                self.value(*b, b_at);
                self.join(operands);
                self.compare(*op, kind, d, d, b_at);
            }
            ExprKind::LogAnd(..) | ExprKind::LogOr(..) => {
                let when_false = self.jump_if(e, d, false);
                self.emit(Instr::Const { d, value: 1 });
                let end = self.emit(Instr::Jump { to: 0 });
                self.patch_all(when_false);
                self.emit(Instr::Const { d, value: 0 });
                self.patch(end);
            }
            ExprKind::Convert(a) => {
                if expr.ty == Type::Void {
                    self.effect(*a, d);
                } else {
                    if expr.ty == Type::Bool {
                        self.only_sign_of(*a);
                    }
                    self.value(*a, d);
                    self.convert(unit[*a].ty, expr.ty, d);
                }
            }
            ExprKind::Assign { place, op, value } => self.assign(*place, *op, *value, d, true),
            ExprKind::Step { place, up, post, by } => self.step(*place, *up, *post, *by, d, true),
            ExprKind::Cond { cond, then, otherwise } => {
                let when_false = self.jump_if(*cond, d, false);
                self.value(*then, d);
                let end = self.emit(Instr::Jump { to: 0 });
                self.patch_all(when_false);
                self.value(*otherwise, d);
                self.patch(end);
            }
            ExprKind::Elvis { value, then, otherwise } => self.elvis(*value, *then, *otherwise, d),
            ExprKind::Bound => match self.frame.bound.last() {
                Some(&a) => {
                    let kind = self.kind(expr.ty);
                    self.move_value(kind, d, a);
                }
                None => self.unsupported("a value without its test"),
            },
            ExprKind::Comma(a, b) => {
                self.effect(*a, d);
                self.value(*b, d);
            }
            ExprKind::Call { callee, args } => self.call(e, *callee, args, d, true),
            ExprKind::Block { body, value } => self.block_value(e, body, *value, d),
            ExprKind::Magnitude(a) => match self.kind_of(*a) {
                Kind::Float(format) => {
                    self.value(*a, d);
                    self.emit(Instr::FloatMagnitude { d, a: d, format });
                }
                _ => self.on_int(*a, d, |d, k| Instr::Magnitude { d, a: d, k }),
            },
            ExprKind::SwapBytes(a) => self.on_int(*a, d, |d, k| Instr::SwapBytes { d, a: d, k }),
            ExprKind::BitCount(op, a) => self.on_int(*a, d, |d, k| Instr::BitCount { op: *op, d, a: d, k }),
            ExprKind::Overflow { op, operands, result, stores } => {
                self.overflow(*op, *operands, *result, *stores, d);
            }
            ExprKind::VaStart(list) => {
                self.value(*list, d);
                self.emit(Instr::VaStart { p: d });
            }
            ExprKind::VaArg(list) => self.va_arg(e, *list, d),
            ExprKind::VaEnd(list) => self.value(*list, d),
            ExprKind::VaCopy(to, from) => {
                self.value(*to, d);
                self.value(*from, d + 1);
                self.emit(Instr::VaCopy { p: d, a: d + 1 });
            }
            ExprKind::Alloca(size) => {
                self.value(*size, d);
                self.emit(Instr::Alloca { d, a: d, align: 16 });
            }
            ExprKind::Trap => {
                self.emit(Instr::Trap);
            }
            ExprKind::Unreachable => {
                self.emit(Instr::Unreachable);
            }
            ExprKind::Unsupported(what) => self.unsupported(what.clone()),
        }
    }

    /// Evaluates an expression for what it does.
    pub(super) fn effect(&mut self, e: ExprId, d: Reg) {
        self.nested(self.unit[e].at, d, |c| {
            let unit = c.unit;
            c.check_float(e);
            match &unit[e].kind {
                ExprKind::Assign { place, op, value } => c.assign(*place, *op, *value, d, false),
                ExprKind::Step { place, up, post, by } => c.step(*place, *up, *post, *by, d, false),
                ExprKind::Call { callee, args } => c.call(e, *callee, args, d, false),
                ExprKind::Comma(a, b) => {
                    c.effect(*a, d);
                    c.effect(*b, d);
                }
                // A value that is dropped is not read: so a cast to void silences `unused` warnings.
                ExprKind::Load(p) => {
                    c.place_for(*p, d, Use::Address);
                }
                ExprKind::Convert(a) => c.effect(*a, d),
                ExprKind::Cond { cond, then, otherwise } => {
                    let when_false = c.jump_if(*cond, d, false);
                    c.effect(*then, d);
                    let end = c.emit(Instr::Jump { to: 0 });
                    c.patch_all(when_false);
                    c.effect(*otherwise, d);
                    c.patch(end);
                }
                ExprKind::Block { body, value } => c.block_effect(body, *value, d),
                _ => c.value_inner(e, d),
            }
        });
    }

    /// gcc for 32 bits computes in wider registers, and rounds when it likes.
    fn check_float(&mut self, e: ExprId) {
        if self.determined && self.unit.word() == 32 && matches!(self.unit[e].ty, Type::Float(_)) {
            self.open("floating point in the registers of the x87");
        }
    }

    pub(super) fn fork_pair(&mut self, a: ExprId, b: ExprId) -> Operands {
        let facts = if self.determined { [self.facts(a), self.facts(b)] } else { [0, 0] };
        self.fork(&facts)
    }

    fn constant(&mut self, e: ExprId, value: u128, d: Reg) {
        match self.kind_of(e) {
            Kind::Int(k) if k.is_wide() => {
                let value = k.normal_wide(value);
                self.emit(Instr::Const { d, value: value as u64 });
                self.emit(Instr::Const { d: d + 1, value: (value >> 64) as u64 });
            }
            Kind::Int(k) => {
                if k.is_address() && self.bases.contains(k.normal(value as u64)) {
                    self.open("a number as an address");
                }
                self.emit(Instr::Const { d, value: k.normal(value as u64) });
            }
            Kind::Float(Format::Extended) => {
                self.emit(Instr::Const { d, value: value as u64 });
                self.emit(Instr::Const { d: d + 1, value: (value >> 64) as u64 & 0xffff });
            }
            Kind::Float(_) => {
                self.emit(Instr::Const { d, value: value as u64 });
            }
            Kind::Void | Kind::Record { .. } => {}
        }
    }

    fn on_int(&mut self, a: ExprId, d: Reg, instr: impl Fn(Reg, Int) -> Instr) {
        self.value(a, d);
        match self.kind_of(a) {
            Kind::Int(k) => {
                self.emit(instr(d, k));
            }
            _ => self.unsupported("this builtin on such a value"),
        }
    }

    /// `d = a op b`, all of a kind, but for the right operand of a shift.
    pub(super) fn arith(&mut self, op: ArithOp, kind: Kind, d: Reg, a: Reg, b: Reg, constant: bool) {
        let instr = match kind {
            Kind::Int(k) if k.is_wide() => Instr::Wide { op, d, a, b, k },
            Kind::Int(k) => match op {
                ArithOp::Add => Instr::Add { d, a, b, k },
                ArithOp::Sub => Instr::Sub { d, a, b, k },
                ArithOp::Mul => Instr::Mul { d, a, b, k },
                ArithOp::Div => Instr::Div { d, a, b, k, constant },
                ArithOp::Rem => Instr::Rem { d, a, b, k, constant },
                ArithOp::Shl => Instr::Shl { d, a, b, k },
                ArithOp::Shr => Instr::Shr { d, a, b, k },
                ArithOp::And => Instr::And { d, a, b },
                ArithOp::Or => Instr::Or { d, a, b },
                ArithOp::Xor => Instr::Xor { d, a, b },
            },
            Kind::Float(format) => Instr::Float { op, d, a, b, format },
            Kind::Void | Kind::Record { .. } => return self.unsupported("arithmetic on such a value"),
        };
        self.emit(instr);
    }

    fn compare(&mut self, op: CompareOp, kind: Kind, d: Reg, a: Reg, b: Reg) {
        let mask = compare_mask(op);
        let instr = match kind {
            Kind::Int(k) if k.is_wide() => Instr::WideCompare { d, a, b, k, mask },
            Kind::Int(k) if k.is_address() && self.determined => {
                let ordered = !matches!(op, CompareOp::Eq | CompareOp::Ne);
                self.emit(Instr::Compared { a, b, ordered });
                return self.compare(op, Kind::Int(k.unsigned()), d, a, b);
            }
            Kind::Int(k)
                if k.is_address()
                    && *self.unit.target() == Target::Pointers
                    && !matches!(op, CompareOp::Eq | CompareOp::Ne) =>
            {
                self.emit(Instr::Related { a, b });
                return self.compare(op, Kind::Int(k.unsigned()), d, a, b);
            }
            Kind::Int(k) => match op {
                CompareOp::Eq => Instr::Eq { d, a, b },
                CompareOp::Ne => Instr::Ne { d, a, b },
                CompareOp::Lt => Instr::Lt { d, a, b, signed: k.signed() },
                CompareOp::Gt => Instr::Lt { d, a: b, b: a, signed: k.signed() },
                CompareOp::Le => Instr::Le { d, a, b, signed: k.signed() },
                CompareOp::Ge => Instr::Le { d, a: b, b: a, signed: k.signed() },
            },
            Kind::Float(format) => Instr::FloatCompare { d, a, b, format, mask },
            Kind::Void | Kind::Record { .. } => return self.unsupported("a comparison of such values"),
        };
        self.emit(instr);
    }

    fn elvis(&mut self, value: ExprId, then: ExprId, otherwise: ExprId, d: Reg) {
        // The result goes to `d` at the end; the tested value stays in the registers behind it.
        let bound = d + 2;
        self.value(value, bound);
        let kind = self.kind_of(value);
        let test = bound + kind.registers();
        self.move_value(kind, test, bound);
        self.truth(kind, test);
        let when_false = self.emit(Instr::JumpIfNot { a: test, to: 0 });
        self.frame.bound.push(bound);
        self.value(then, test);
        self.frame.bound.pop();
        let result = self.kind_of(then);
        self.move_value(result, d, test);
        let end = self.emit(Instr::Jump { to: 0 });
        self.patch(when_false);
        self.value(otherwise, d);
        self.patch(end);
    }

    fn overflow(&mut self, op: OverflowOp, operands: [ExprId; 2], result: ExprId, stores: bool, d: Reg) {
        let mut formats = [Int::I32; 2];
        let facts = if self.determined {
            vec![self.facts(operands[0]), self.facts(operands[1]), self.facts(result)]
        } else {
            Vec::new()
        };
        let forked = self.fork(&facts);
        for (i, operand) in operands.into_iter().enumerate() {
            let at = d + 2 * i as u16;
            self.value(operand, at);
            match self.kind_of(operand) {
                Kind::Int(k) => {
                    formats[i] = k;
                    if !k.is_wide() {
                        self.emit(Instr::Widen { d: at, a: at, from: k, to: Int::new(128, k.signed()) });
                    }
                }
                _ => return self.unsupported("this builtin on such a value"),
            }
            self.side(forked);
        }
        let result_type = self.unit[result].ty;
        self.value(result, d + 4);
        self.join(forked);
        let target = if stores { self.unit.pointee(result_type) } else { Some(result_type) };
        let Some(Kind::Int(to)) = target.map(|ty| self.kind(ty)) else {
            return self.unsupported("this builtin with such a result");
        };
        let signs = u16::from(formats[0].signed()) | u16::from(formats[1].signed()) << 1;
        self.emit(Instr::Overflow { op, d: d + 5, a: d, to, operands: signs });
        if stores {
            let place = super::place::Where { loc: super::place::Loc::At(d + 4), bits: None, private: false };
            self.store(place, Kind::Int(to), d + 6, d);
        }
        self.emit(Instr::Move { d, a: d + 5 });
    }
}
