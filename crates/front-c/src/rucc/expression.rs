//! Expressions.

use super::lower::Lower;
use crate::tree::{ArithOp, CompareOp, ExprId, ExprKind, FunctionId, ObjectId, StmtId, Type};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Const, Conversion, DeclKind, ExprKind as Rucc, ExprList, Stmt};

impl Lower<'_> {
    /// An expression.
    pub(super) fn expr(&mut self, id: rucc_sema::ExprId) -> ExprId {
        let tast = self.tast;
        let node = tast[id];
        let at = self.position(tast.expr_span(id));
        let ty = self.ty(node.ty);
        let kind = if self.bound == Some(id) { ExprKind::Bound } else { self.kind(node.kind, ty) };
        self.add_expr(kind, ty, at)
    }

    fn kind(&mut self, kind: Rucc, ty: Type) -> ExprKind {
        let tast = self.tast;
        match kind {
            Rucc::Const(c) => match tast[c] {
                Const::Int(value) => ExprKind::Const(value),
                Const::Float(_) => unsupported("floating-point constant"),
                _ => unsupported("address constant"),
            },
            Rucc::Str(literal) => ExprKind::Str(self.text(literal)),
            Rucc::Unary { op, operand } => self.unary(op, operand),
            Rucc::Binary { op, lhs, rhs } => {
                if arith(op).is_some() && [lhs, rhs].iter().any(|&e| self.is_pointer(tast[e].ty)) {
                    return unsupported("pointer arithmetic");
                }
                let (lhs, rhs) = (self.expr(lhs), self.expr(rhs));
                binary(op, lhs, rhs)
            }
            Rucc::Assign { op: Some(_), lhs, .. } if self.is_pointer(tast[lhs].ty) => {
                unsupported("pointer arithmetic")
            }
            Rucc::Assign { op, computation, lhs, rhs } => match self.place(lhs) {
                Err(what) => unsupported(what),
                Ok(object) => {
                    let computation = self.ty(computation);
                    let value = self.expr(rhs);
                    match op.map(arith) {
                        None => ExprKind::Assign { object, op: None, value },
                        Some(Some(op)) => ExprKind::Assign { object, op: Some((op, computation)), value },
                        Some(None) => unsupported("this assignment operator"),
                    }
                }
            },
            Rucc::Cond { cond, then, otherwise } => self.conditional(cond, then, otherwise),
            Rucc::Comma { lhs, rhs } => {
                let lhs = self.expr(lhs);
                ExprKind::Comma(lhs, self.expr(rhs))
            }
            Rucc::Cast(operand) => self.convert(Conversion::Arithmetic, operand, ty),
            Rucc::Convert { kind, operand } => self.convert(kind, operand, ty),
            Rucc::Call { callee, args } => self.call(callee, args),
            Rucc::StmtExpr(body) => self.block(body, ty),
            Rucc::Expect { value, .. } => {
                let value = self.expr(value);
                ExprKind::Convert(value)
            }
            Rucc::Abs { operand } => ExprKind::Magnitude(self.expr(operand)),
            Rucc::ByteSwap { operand } => ExprKind::SwapBytes(self.expr(operand)),
            Rucc::Trap => ExprKind::Trap,
            Rucc::Unreachable => ExprKind::Unreachable,
            Rucc::LabelAddr(_) => unsupported("address of a label"),
            Rucc::VaArg { .. } | Rucc::VaStart { .. } | Rucc::VaEnd { .. } | Rucc::VaCopy { .. } => {
                unsupported("variable argument list")
            }
            Rucc::Atomic { .. } => unsupported("atomic operation"),
            Rucc::Jump { .. } => unsupported("setjmp and longjmp"),
            Rucc::Alloca { .. } => unsupported("alloca"),
            Rucc::Error => unsupported("this expression"),
            Rucc::Decl(_) | Rucc::Member { .. } | Rucc::Subscript { .. } | Rucc::CompoundLiteral(_) => {
                unsupported(place_name(kind))
            }
            _ => unsupported("this built-in function"),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: rucc_sema::ExprId) -> ExprKind {
        match op {
            UnaryOp::Plus => ExprKind::Convert(self.expr(operand)),
            UnaryOp::Minus => ExprKind::Neg(self.expr(operand)),
            UnaryOp::BitNot => ExprKind::BitNot(self.expr(operand)),
            UnaryOp::Not => ExprKind::Not(self.expr(operand)),
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec
                if self.is_pointer(self.tast[operand].ty) =>
            {
                unsupported("pointer arithmetic")
            }
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                match self.place(operand) {
                    Ok(object) => ExprKind::Step {
                        object,
                        up: matches!(op, UnaryOp::PreInc | UnaryOp::PostInc),
                        post: op.is_postfix(),
                    },
                    Err(what) => unsupported(what),
                }
            }
            UnaryOp::Deref => unsupported("pointer dereference"),
            UnaryOp::AddrOf => unsupported("taking an address"),
            UnaryOp::Real | UnaryOp::Imag => unsupported("complex arithmetic"),
        }
    }

    fn convert(&mut self, kind: Conversion, operand: rucc_sema::ExprId, ty: Type) -> ExprKind {
        match kind {
            Conversion::Lvalue => match self.place(operand) {
                Ok(object) => ExprKind::Read(object),
                Err(what) => unsupported(what),
            },
            Conversion::ArrayDecay if matches!(self.tast[operand].kind, Rucc::Decl(_)) => ExprKind::Array,
            Conversion::ArrayDecay if !matches!(self.tast[operand].kind, Rucc::Str(_)) => {
                unsupported("array")
            }
            Conversion::FunctionDecay => unsupported("function pointer"),
            Conversion::Broadcast => unsupported("vector"),
            Conversion::Hardbool => unsupported("hardened Boolean"),
            Conversion::Arithmetic
            | Conversion::Bool
            | Conversion::Void
            | Conversion::ArrayDecay
            | Conversion::Pointer
            | Conversion::NullPointer => {
                let operand = self.expr(operand);
                match &self.unit[operand].kind {
                    // A literal or an array stays one, whichever pointer it becomes: only calls that need no memory
                    // take it.
                    known @ (ExprKind::Str(_) | ExprKind::Array) if matches!(ty, Type::Pointer { .. }) => {
                        known.clone()
                    }
                    _ => ExprKind::Convert(operand),
                }
            }
        }
    }

    fn is_pointer(&self, ty: rucc_types::TypeId) -> bool {
        matches!(self.ty(ty), Type::Pointer { .. })
    }

    /// The variable that an lvalue is, or what it is instead.
    fn place(&mut self, id: rucc_sema::ExprId) -> Result<ObjectId, &'static str> {
        match self.tast[id].kind {
            Rucc::Decl(decl) if self.tast[decl].kind == DeclKind::Object => Ok(self.object(decl)),
            kind => Err(place_name(kind)),
        }
    }

    fn conditional(
        &mut self,
        cond: rucc_sema::ExprId,
        then: rucc_sema::ExprId,
        otherwise: rucc_sema::ExprId,
    ) -> ExprKind {
        // Without a middle operand, both sides convert one and the same node.
        let shared = self.unconverted(cond);
        if shared == self.unconverted(then) {
            let value = self.expr(shared);
            let outer = self.bound.replace(shared);
            let then = self.expr(then);
            self.bound = outer;
            return ExprKind::Elvis { value, then, otherwise: self.expr(otherwise) };
        }
        ExprKind::Cond { cond: self.expr(cond), then: self.expr(then), otherwise: self.expr(otherwise) }
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

    fn call(&mut self, callee: rucc_sema::ExprId, args: ExprList) -> ExprKind {
        let Some(function) = self.callee(callee) else {
            return unsupported("call through a function pointer");
        };
        let tast = self.tast;
        ExprKind::Call { function, args: tast[args].iter().map(|&a| self.expr(a)).collect() }
    }

    /// The function that a callee names, however often it is dereferenced.
    fn callee(&mut self, mut id: rucc_sema::ExprId) -> Option<FunctionId> {
        loop {
            match self.tast[id].kind {
                Rucc::Convert { kind: Conversion::FunctionDecay, operand }
                | Rucc::Unary { op: UnaryOp::Deref | UnaryOp::AddrOf, operand } => id = operand,
                Rucc::Decl(decl) if self.tast[decl].kind == DeclKind::Function => {
                    return Some(self.function(decl));
                }
                _ => return None,
            }
        }
    }

    fn block(&mut self, body: rucc_sema::StmtId, ty: Type) -> ExprKind {
        let tast = self.tast;
        let outer = self.scope;
        let kind = match tast[body] {
            Stmt::Block(list) => self.block_parts(&tast[list], ty),
            _ => (vec![self.stmt(body)], None),
        };
        self.scope = outer;
        match kind {
            (_, None) if ty != Type::Void => unsupported("statement expression that ends in a label"),
            (body, value) => ExprKind::Block { body, value },
        }
    }

    fn block_parts(&mut self, list: &[rucc_sema::StmtId], ty: Type) -> (Vec<StmtId>, Option<ExprId>) {
        let last = match list.last().map(|&s| self.tast[s]) {
            Some(Stmt::Expr(e)) if ty != Type::Void => Some(e),
            _ => None,
        };
        let before = &list[..list.len() - usize::from(last.is_some())];
        let body = before.iter().map(|&s| self.stmt(s)).collect();
        (body, last.map(|e| self.expr(e)))
    }
}

fn unsupported(what: &str) -> ExprKind {
    ExprKind::Unsupported(what.to_owned())
}

/// What to call an lvalue that is not a variable.
fn place_name(kind: Rucc) -> &'static str {
    match kind {
        Rucc::Unary { op: UnaryOp::Deref, .. } => "pointer dereference",
        Rucc::Member { .. } => "access to a struct or union member",
        Rucc::Subscript { .. } => "array subscript",
        Rucc::CompoundLiteral(_) => "compound literal",
        Rucc::Decl(_) => "function or array used as a value",
        _ => "this lvalue",
    }
}

fn arith(op: BinaryOp) -> Option<ArithOp> {
    Some(match op {
        BinaryOp::Mul => ArithOp::Mul,
        BinaryOp::Div => ArithOp::Div,
        BinaryOp::Rem => ArithOp::Rem,
        BinaryOp::Add => ArithOp::Add,
        BinaryOp::Sub => ArithOp::Sub,
        BinaryOp::Shl => ArithOp::Shl,
        BinaryOp::Shr => ArithOp::Shr,
        BinaryOp::BitAnd => ArithOp::And,
        BinaryOp::BitXor => ArithOp::Xor,
        BinaryOp::BitOr => ArithOp::Or,
        _ => return None,
    })
}

fn binary(op: BinaryOp, lhs: ExprId, rhs: ExprId) -> ExprKind {
    if let Some(op) = arith(op) {
        return ExprKind::Arith(op, lhs, rhs);
    }
    let compare = match op {
        BinaryOp::Lt => CompareOp::Lt,
        BinaryOp::Gt => CompareOp::Gt,
        BinaryOp::Le => CompareOp::Le,
        BinaryOp::Ge => CompareOp::Ge,
        BinaryOp::Eq => CompareOp::Eq,
        BinaryOp::Ne => CompareOp::Ne,
        BinaryOp::LogAnd => return ExprKind::LogAnd(lhs, rhs),
        _ => return ExprKind::LogOr(lhs, rhs),
    };
    ExprKind::Compare(compare, lhs, rhs)
}
