//! Expressions.

use super::lower::Lower;
use crate::tree::{ExprId, ExprKind, Position, StmtId, StmtKind, Type};
use rucc_ast::UnaryOp;
use rucc_sema::{Category, Const, Conversion, DeclKind, ExprKind as Rucc, FrameAsk, JumpAsk, Stmt};

impl Lower<'_> {
    /// The value of an expression. An lvalue that nothing reads is evaluated as far as its address, and has no value.
    pub(super) fn expr(&mut self, id: rucc_sema::ExprId) -> ExprId {
        let tast = self.tast;
        let node = tast[id];
        let at = self.position(tast.expr_span(id));
        let ty = self.value_ty(node.ty);
        if self.bound == Some(id) {
            return self.add_expr(ExprKind::Bound, ty, at);
        }
        if let Some(&length) = self.lengths.get(&id) {
            return self.load_object(length, at);
        }
        if self.member_lengths.contains(&id) {
            // It was computed where the struct is declared, and nothing keeps it.
            return self.unsupported("struct with a variable-length member", ty, at);
        }
        match ty {
            Type::Other(what) => self.unsupported(what, ty, at),
            Type::Array(_) | Type::Function(_) => self.designator(id, at),
            _ if node.category != Category::Rvalue => self.designator(id, at),
            _ => self.value(id, ty, at),
        }
    }

    /// An lvalue or a function that is not converted to a value.
    fn designator(&mut self, id: rucc_sema::ExprId, at: Position) -> ExprId {
        match self.tast[id].category {
            Category::Function => self.function_value(id, at),
            Category::Bitfield => self.load(id, at),
            _ => match self.place(id) {
                Ok(place) => {
                    let address = self.address_of(place, at);
                    self.convert(address, Type::Void)
                }
                Err(what) => self.unsupported(what, Type::Void, at),
            },
        }
    }

    fn value(&mut self, id: rucc_sema::ExprId, ty: Type, at: Position) -> ExprId {
        let tast = self.tast;
        let kind = match tast[id].kind {
            Rucc::Const(c) => {
                if let Const::Int(value) = tast[c]
                    && let Some(answer) = self.answered_call(tast.expr_span(id), value, ty, at)
                {
                    return answer;
                }
                return self.constant(tast[c], ty, at);
            }
            Rucc::Unary { op: UnaryOp::AddrOf, operand } => return self.address(operand, ty, at),
            Rucc::Unary { op: UnaryOp::Deref, .. } => return self.load(id, at),
            Rucc::Unary { op, operand } => return self.unary(op, operand, ty, at),
            Rucc::Binary { op, lhs, rhs } => return self.binary(op, lhs, rhs, ty, at),
            Rucc::Assign { op, computation, lhs, rhs } => {
                return self.assign(op, computation, lhs, rhs, ty, at);
            }
            Rucc::Cond { cond, then, otherwise } => self.conditional(cond, then, otherwise, ty),
            Rucc::Comma { lhs, rhs } => {
                let lhs = self.expr(lhs);
                ExprKind::Comma(lhs, self.converted(rhs, ty))
            }
            Rucc::Cast(operand) => return self.converted(operand, ty),
            Rucc::Convert { kind, operand } => return self.conversion(kind, operand, ty, at),
            Rucc::Call { callee, args } => return self.call(callee, args, ty, at),
            Rucc::StmtExpr(body) => self.block(body, ty),
            // A member of a struct that is no object, as in `f().x`.
            Rucc::Member { .. } | Rucc::Subscript { .. } => return self.load(id, at),
            // GNU's cast to a union.
            Rucc::CompoundLiteral(_) => match self.place(id) {
                Ok(place) => ExprKind::Load(place),
                Err(what) => ExprKind::Unsupported(what),
            },
            Rucc::LabelAddr(label) => ExprKind::LabelAddress(self.label(label)),
            Rucc::Error => ExprKind::Unsupported("this expression".to_owned()),
            Rucc::Str(_) | Rucc::Decl(_) => ExprKind::Unsupported("this value".to_owned()),
            kind => return self.builtin(kind, ty, at),
        };
        self.add_expr(kind, ty, at)
    }

    /// What the compiler does without a function of its own.
    fn builtin(&mut self, kind: Rucc, ty: Type, at: Position) -> ExprId {
        let kind = match kind {
            Rucc::VaArg { list } => ExprKind::VaArg(self.expr(list)),
            Rucc::VaStart { list } => ExprKind::VaStart(self.expr(list)),
            Rucc::VaEnd { list } => ExprKind::VaEnd(self.expr(list)),
            Rucc::VaCopy { dst, src } => {
                let dst = self.expr(dst);
                ExprKind::VaCopy(dst, self.expr(src))
            }
            Rucc::Alloca { size } => ExprKind::Alloca(self.expr(size)),
            Rucc::Abs { operand } => ExprKind::Magnitude(self.converted(operand, ty)),
            Rucc::ByteSwap { operand } => ExprKind::SwapBytes(self.converted(operand, ty)),
            Rucc::BitCount { operand, count } => return self.bit_count(count, operand, ty, at),
            Rucc::Overflow { op, args, stores, .. } => self.overflow(op, args, stores),
            Rucc::Atomic { op, args, .. } => return self.atomic(op, args, ty, at),
            Rucc::Classify { op, lhs, rhs } => return self.classify(op, lhs, rhs, ty, at),
            Rucc::FpClassify { value, answers } => return self.fp_classify(value, answers, ty, at),
            Rucc::Sign { op, lhs, rhs } => return self.sign(op, lhs, rhs, ty, at),
            Rucc::Expect { value, hint, .. } => {
                let hint = self.expr(hint);
                let value = self.converted(value, ty);
                if self.is_pure(hint) {
                    return value;
                }
                ExprKind::Unsupported("__builtin_expect whose hint has side effects".to_owned())
            }
            Rucc::Prefetch { address, .. } => ExprKind::Convert(self.expr(address)),
            Rucc::ObjectSize { .. } => return self.unspecified("__builtin_object_size", ty, at),
            Rucc::ConstantP { .. } => return self.constant_p(ty, at),
            Rucc::Unreachable => ExprKind::Unreachable,
            Rucc::Trap => ExprKind::Trap,
            Rucc::Jump { ask, buffer } => {
                let buffer = self.expr(buffer);
                let address = self.pointer(Type::Void);
                let buffer = self.convert(buffer, address);
                let name = match ask {
                    JumpAsk::Save => "__builtin_setjmp",
                    JumpAsk::Restore => "__builtin_longjmp",
                };
                return self.named_call(name, vec![buffer], ty, at);
            }
            Rucc::FrameAddress { ask: FrameAsk::Frame, .. } => unsupported("__builtin_frame_address"),
            Rucc::FrameAddress { ask: FrameAsk::Return, .. } => unsupported("__builtin_return_address"),
            Rucc::ThreadPointer => unsupported("__builtin_thread_pointer"),
            Rucc::TimeStamp { .. } => unsupported("the processor's time stamp counter"),
            Rucc::Eflags { .. } => unsupported("the processor's flags"),
            Rucc::XState { .. } => unsupported("the processor's extended state"),
            Rucc::CpuModel { .. } => unsupported("__builtin_cpu_supports"),
            Rucc::ApplyArgs | Rucc::Apply { .. } => unsupported("__builtin_apply"),
            Rucc::Complex { .. } => unsupported("complex number"),
            Rucc::ConvertVector { operand } => {
                let operand = self.expr(operand);
                return self.convert_lanes(operand, ty, at);
            }
            Rucc::Shuffle { lhs, rhs, mask } => {
                let sources =
                    [Some(lhs), rhs].into_iter().flatten().map(|source| self.expr(source)).collect();
                let mask = self.expr(mask);
                return self.shuffle(sources, mask, ty, at);
            }
            Rucc::ShuffleVector { operands } => return self.shuffle_vector(operands, ty, at),
            Rucc::Elementwise { .. } => unsupported("this built-in function on vectors"),
            _ => unsupported("this built-in function"),
        };
        self.add_expr(kind, ty, at)
    }

    fn conversion(&mut self, kind: Conversion, operand: rucc_sema::ExprId, ty: Type, at: Position) -> ExprId {
        match kind {
            Conversion::Lvalue => {
                let value = self.load(operand, at);
                self.convert(value, ty)
            }
            Conversion::ArrayDecay => match self.place(operand) {
                Ok(place) => self.add_expr(ExprKind::AddressOf(place), ty, at),
                Err(what) => self.unsupported(what, ty, at),
            },
            Conversion::FunctionDecay => {
                let value = self.function_value(operand, at);
                self.convert(value, ty)
            }
            Conversion::Broadcast => {
                let value = self.expr(operand);
                self.broadcast(value, ty, at)
            }
            Conversion::Hardbool => self.unsupported("hardened Boolean", ty, at),
            Conversion::Arithmetic
            | Conversion::Bool
            | Conversion::Void
            | Conversion::Pointer
            | Conversion::NullPointer => self.converted(operand, ty),
        }
    }

    /// The value of an expression in another type.
    pub(super) fn converted(&mut self, operand: rucc_sema::ExprId, ty: Type) -> ExprId {
        let value = self.expr(operand);
        self.convert(value, ty)
    }

    /// A value in another type. There is no conversion between equal types.
    pub(super) fn convert(&mut self, value: ExprId, ty: Type) -> ExprId {
        let (from, at) = (self.unit[value].ty, self.unit[value].at);
        if from == ty {
            return value;
        }
        if let ExprKind::Unsupported(what) = &self.unit[value].kind {
            let what = what.clone();
            return self.unsupported(what, ty, at);
        }
        match (from, ty) {
            (_, Type::Void) => self.add_expr(ExprKind::Convert(value), ty, at),
            _ if self.lanes_of(from).or(self.lanes_of(ty)).is_some()
                && self.unit.size_of(from) == self.unit.size_of(ty) =>
            {
                self.reinterpreted(value, ty)
            }
            (Type::Void | Type::Record(_), _) | (_, Type::Record(_)) => {
                self.unsupported("conversion between these types", ty, at)
            }
            _ => self.add_expr(ExprKind::Convert(value), ty, at),
        }
    }

    /// The address of the function that an expression designates.
    fn function_value(&mut self, mut id: rucc_sema::ExprId, at: Position) -> ExprId {
        loop {
            match self.tast[id].kind {
                Rucc::Decl(decl) if self.tast[decl].kind == DeclKind::Function => {
                    let function = self.function(decl);
                    let ty = Type::Function(self.unit[function].signature);
                    let ty = self.pointer(ty);
                    return self.add_expr(ExprKind::FunctionAddress(function), ty, at);
                }
                // A dereferenced function pointer is the function that it points to.
                Rucc::Unary { op: UnaryOp::Deref, operand } => return self.expr(operand),
                Rucc::Unary { op: UnaryOp::AddrOf, operand } => id = operand,
                _ => return self.unsupported("this function designator", Type::Void, at),
            }
        }
    }

    fn conditional(
        &mut self,
        cond: rucc_sema::ExprId,
        then: rucc_sema::ExprId,
        otherwise: rucc_sema::ExprId,
        ty: Type,
    ) -> ExprKind {
        // Without a middle operand, both sides convert one and the same node.
        let shared = self.unconverted(cond);
        if shared == self.unconverted(then) {
            let value = self.expr(shared);
            let outer = self.bound.replace(shared);
            let then = self.converted(then, ty);
            self.bound = outer;
            return ExprKind::Elvis { value, then, otherwise: self.converted(otherwise, ty) };
        }
        ExprKind::Cond {
            cond: self.expr(cond),
            then: self.converted(then, ty),
            otherwise: self.converted(otherwise, ty),
        }
    }

    fn unconverted(&self, mut id: rucc_sema::ExprId) -> rucc_sema::ExprId {
        while let Rucc::Convert {
            kind:
                Conversion::Arithmetic
                | Conversion::Bool
                | Conversion::Void
                | Conversion::Pointer
                | Conversion::NullPointer,
            operand,
        } = self.tast[id].kind
        {
            id = operand;
        }
        id
    }

    fn block(&mut self, body: rucc_sema::StmtId, ty: Type) -> ExprKind {
        let tast = self.tast;
        let outer = self.scope;
        let mut stmts = Vec::new();
        let value = match tast[body] {
            Stmt::Block(list) => match tast[list].split_last() {
                Some((&last, before)) => {
                    stmts.extend(before.iter().map(|&s| self.stmt(s)));
                    self.last_value(last, ty, &mut stmts)
                }
                None => None,
            },
            _ => {
                stmts.push(self.stmt(body));
                None
            }
        };
        self.scope = outer;
        match value {
            None if ty != Type::Void => unsupported("statement expression without a value"),
            _ => ExprKind::Block { body: stmts, value },
        }
    }

    /// The value of the last statement of a statement expression; a label before it is a statement of its own.
    fn last_value(&mut self, last: rucc_sema::StmtId, ty: Type, stmts: &mut Vec<StmtId>) -> Option<ExprId> {
        match self.tast[last] {
            Stmt::Expr(e) if ty != Type::Void => Some(self.converted(e, ty)),
            Stmt::Label { label, body } if ty != Type::Void => {
                let at = self.position(self.tast.stmt_span(last));
                let label = self.label(label);
                self.unit.labels[label.index()] = self.scope;
                let empty = self.add_stmt(StmtKind::Empty, at);
                stmts.push(self.add_stmt(StmtKind::Label { label, body: empty }, at));
                self.last_value(body, ty, stmts)
            }
            _ => {
                stmts.push(self.stmt(last));
                None
            }
        }
    }
}

pub(super) fn unsupported(what: &str) -> ExprKind {
    ExprKind::Unsupported(what.to_owned())
}
