//! Values that C, or gcc, leaves open.
//!
//! What `__builtin_constant_p` and `__builtin_object_size` answer depends on the optimiser, and of `signbit` and `strcmp`
//! only the truth or the sign is promised. Such a value is what a function without a body gives
//! ([`vocabulary::UNSPECIFIED`]): any value in a proof, and one that a violation must not depend on.

use super::lower::Lower;
use crate::tree::{
    ArithOp, Callee, ExprId, ExprKind, Function, FunctionId, Position, Signature, Type, vocabulary,
};
use rucc_ast::{Ast, Expr, ExprId as AstId};
use rucc_base::Interner;
use rucc_diag::Span;
use rustc_hash::FxHashMap;

/// Functions whose calls the parser answers by constants, and gcc perhaps by others.
const ANSWERED: [&str; 5] = [
    "__builtin_constant_p",
    "__builtin_object_size",
    "__builtin_dynamic_object_size",
    "__builtin_strcmp",
    "strcmp",
];

/// Where such functions are called.
pub(super) fn answered(ast: &Ast, names: &Interner) -> FxHashMap<(u32, u32), &'static str> {
    let calls = (0..ast.counts().exprs).map(AstId::from_usize).filter_map(|id| {
        let Expr::Call { callee, .. } = ast[id] else { return None };
        let Expr::Name(name) = ast[callee] else { return None };
        let name = *ANSWERED.iter().find(|&&answered| answered == names.resolve(name))?;
        let Span { lo, hi } = ast.expr_span(id);
        Some(((lo, hi), name))
    });
    calls.collect()
}

impl Lower<'_> {
    /// What a call means that the parser has answered by a constant; `None` if it means the constant.
    pub(super) fn answered_call(
        &mut self,
        span: Span,
        value: i128,
        ty: Type,
        at: Position,
    ) -> Option<ExprId> {
        let &name = self.answered.get(&(span.lo, span.hi))?;
        match (name, value) {
            ("__builtin_constant_p", 0) => Some(self.constant_p(ty, at)),
            ("__builtin_constant_p", _) => None,
            ("__builtin_strcmp" | "strcmp", 0) => None,
            ("__builtin_strcmp" | "strcmp", _) => {
                // Any number of that sign.
                let any = self.unspecified("strcmp", ty, at);
                let (op, mask) = if value < 0 { (ArithOp::Or, i32::MIN) } else { (ArithOp::And, i32::MAX) };
                let mask = self.add_expr(ExprKind::Const(mask.into()), ty, at);
                let value_of_sign = self.add_expr(ExprKind::Arith(op, any, mask), ty, at);
                Some(self.not_zero(value_of_sign, at))
            }
            _ => Some(self.unspecified("__builtin_object_size", ty, at)),
        }
    }

    /// Whether gcc knows that something is constant which the parser does not know to be: it may.
    pub(super) fn constant_p(&mut self, ty: Type, at: Position) -> ExprId {
        let int = self.int();
        let any = self.unspecified("__builtin_constant_p", int, at);
        let is_zero = self.add_expr(ExprKind::Not(any), int, at);
        let answer = self.add_expr(ExprKind::Not(is_zero), int, at);
        self.convert(answer, ty)
    }

    /// 0 where a condition is, and any other value elsewhere.
    pub(super) fn truth(&mut self, function: &str, cond: ExprId, at: Position) -> ExprId {
        let int = self.int();
        let any = self.unspecified(function, int, at);
        let then = self.not_zero(any, at);
        let otherwise = self.add_expr(ExprKind::Const(0), int, at);
        self.add_expr(ExprKind::Cond { cond, then, otherwise }, int, at)
    }

    /// A value, or 1 in the place of 0.
    fn not_zero(&mut self, value: ExprId, at: Position) -> ExprId {
        let ty = self.unit[value].ty;
        let then = self.add_expr(ExprKind::Bound, ty, at);
        let otherwise = self.add_expr(ExprKind::Const(1), ty, at);
        self.add_expr(ExprKind::Elvis { value, then, otherwise }, ty, at)
    }

    /// Any value of a type.
    pub(super) fn unspecified(&mut self, what: &str, ty: Type, at: Position) -> ExprId {
        self.any(&format!("{}{what}", vocabulary::UNSPECIFIED), ty, at)
    }

    /// What a function gives that has no body here.
    pub(super) fn any(&mut self, name: &str, ty: Type, at: Position) -> ExprId {
        self.named_call(name, Vec::new(), ty, at)
    }

    /// A call of a function that has no body here and is known by its name.
    pub(super) fn named_call(&mut self, name: &str, args: Vec<ExprId>, ty: Type, at: Position) -> ExprId {
        let params: Vec<Type> = args.iter().map(|&arg| self.unit[arg].ty).collect();
        let refused = (name == "__builtin_setjmp").then_some("function that returns twice");
        let name = name.to_owned();
        let function = match self.symbols.get(&name) {
            Some(&function) => function,
            None => {
                let function = FunctionId(self.unit.functions.len() as u32);
                let signature = Signature { result: ty, params: Some(params.clone()), variadic: false };
                let signature = self.type_ids.signature(&mut self.unit, signature);
                self.symbols.insert(name.clone(), function);
                self.unit.functions.push(Function {
                    name,
                    signature,
                    result: ty,
                    params: Vec::new(),
                    prototype: Some(params),
                    variadic: false,
                    body: None,
                    external: true,
                    weak: false,
                    noreturn: false,
                    refused,
                    at,
                });
                function
            }
        };
        let result = self.unit[function].result;
        let call = ExprKind::Call { callee: Callee::Function(function), args };
        let value = self.add_expr(call, result, at);
        self.convert(value, ty)
    }
}
