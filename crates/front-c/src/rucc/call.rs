//! Calls, and built-in functions that are operations.

use super::expression::unsupported;
use super::lower::Lower;
use crate::tree::{BitCount, Callee, ExprId, ExprKind, FunctionId, OverflowOp, Position, Type};
use rucc_ast::UnaryOp;
use rucc_sema::{Conversion, DeclKind, ExprKind as Rucc, ExprList};

impl Lower<'_> {
    pub(super) fn call(
        &mut self,
        callee: rucc_sema::ExprId,
        args: ExprList,
        ty: Type,
        at: Position,
    ) -> ExprId {
        let tast = self.tast;
        let named = self.callee(callee);
        let callee = match named {
            Some(function) => Callee::Function(function),
            None => match self.called_type(tast[callee].ty) {
                Some(signature) => {
                    let pointer = self.expr(callee);
                    Callee::Pointer(pointer, self.signature(signature))
                }
                None => return self.unsupported("call of this expression", ty, at),
            },
        };
        let args: Vec<ExprId> = tast[args].iter().map(|&a| self.expr(a)).collect();
        if let Some(function) = named {
            let name = &self.unit[function].name;
            if rucc_sema::unimplemented_builtin(name) {
                let what = name.clone();
                return self.unsupported(what, ty, at);
            }
            // The headers make it a macro for the built-in function; no library defines it.
            if name == "alloca" && args.len() == 1 && !self.defined.contains("alloca") {
                return self.add_expr(ExprKind::Alloca(args[0]), ty, at);
            }
        }
        self.add_expr(ExprKind::Call { callee, args }, ty, at)
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

    pub(super) fn bit_count(
        &mut self,
        count: rucc_sema::BitCount,
        operand: rucc_sema::ExprId,
        ty: Type,
        at: Position,
    ) -> ExprId {
        let count = match count {
            rucc_sema::BitCount::Leading => BitCount::LeadingZeros,
            rucc_sema::BitCount::Trailing => BitCount::TrailingZeros,
            rucc_sema::BitCount::Ones => BitCount::Ones,
            rucc_sema::BitCount::Parity => BitCount::Parity,
            rucc_sema::BitCount::FirstSet => BitCount::FirstOne,
            rucc_sema::BitCount::RedundantSign => BitCount::LeadingSigns,
        };
        let operand = self.expr(operand);
        let int = self.int();
        let value = self.add_expr(ExprKind::BitCount(count, operand), int, at);
        self.convert(value, ty)
    }

    pub(super) fn overflow(&mut self, op: rucc_sema::OverflowOp, args: ExprList, stores: bool) -> ExprKind {
        let op = match op {
            rucc_sema::OverflowOp::Add => OverflowOp::Add,
            rucc_sema::OverflowOp::Sub => OverflowOp::Sub,
            rucc_sema::OverflowOp::Mul => OverflowOp::Mul,
        };
        let tast = self.tast;
        let &[left, right, result] = &tast[args] else {
            return unsupported("this overflow check");
        };
        let operands = [self.expr(left), self.expr(right)];
        ExprKind::Overflow { op, operands, result: self.expr(result), stores }
    }
}
