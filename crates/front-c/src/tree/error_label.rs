//! Labels that stand for the error.
//!
//! Older programs mark it by a label `ERROR`. In a program that calls no error function and has no assertion, reaching
//! such a label is the violation: a call that says so is put behind it.

use super::vocabulary::ASSERTIONS;
use super::{
    Callee, Expr, ExprKind, Function, FunctionId, LabelId, Signature, Stmt, StmtId, StmtKind, Type, Unit,
};
use super::{ExprId, SignatureId};
use crate::options::{Options, Target};
use rustc_hash::FxHashSet;

/// The name of the label.
pub(crate) const ERROR_LABEL: &str = "ERROR";

/// The function that is called behind the label. No C function has such a name.
pub const ERROR_LABEL_REACHED: &str = "label ERROR";

/// The functions whose calls say that something is wrong.
const ERRORS: [&str; 6] = [
    "reach_error",
    "__VERIFIER_error",
    "__assert_fail",
    "__assert_perror_fail",
    "__assert",
    ERROR_LABEL_REACHED,
];

impl Unit {
    /// Says what must not be reached. If that is an error label, reaching one becomes the violation.
    pub(crate) fn aim(&mut self, options: &Options) {
        self.target = options.target.clone();
        self.malloc_may_fail = options.malloc_may_fail;
        self.each_line = options.each_line;
        match options.target {
            Target::Errors => self.settle_error_labels(true),
            Target::Label => self.settle_error_labels(false),
            Target::Call(_) | Target::Nothing | Target::Values | Target::Memory | Target::Pointers => {}
        }
    }

    fn settle_error_labels(&mut self, unless_errors: bool) {
        let calls = |name: &str| {
            self.exprs.iter().any(|e| match e.kind {
                ExprKind::Call { callee: Callee::Function(function), .. } => self[function].name == name,
                _ => false,
            })
        };
        if self.error_labels.is_empty()
            || unless_errors && ERRORS.iter().chain(&ASSERTIONS).any(|name| calls(name))
        {
            return;
        }
        let labels: FxHashSet<LabelId> = self.error_labels.iter().copied().collect();
        let reached = self.add_error_function();
        for index in 0..self.stmts.len() {
            let Stmt { kind: StmtKind::Label { label, body }, at } = self.stmts[index] else { continue };
            if !labels.contains(&label) {
                continue;
            }
            let kind = ExprKind::Call { callee: Callee::Function(reached), args: Vec::new() };
            self.exprs.push(Expr { kind, ty: Type::Void, at });
            let call = StmtKind::Expr(ExprId(self.exprs.len() as u32 - 1));
            self.stmts.push(Stmt { kind: call, at });
            let call = StmtId(self.stmts.len() as u32 - 1);
            self.stmts.push(Stmt { kind: StmtKind::Block(vec![call, body]), at });
            let body = StmtId(self.stmts.len() as u32 - 1);
            self.stmts[index].kind = StmtKind::Label { label, body };
        }
    }

    fn add_error_function(&mut self) -> FunctionId {
        self.signatures.push(Signature { result: Type::Void, params: Some(Vec::new()), variadic: false });
        self.functions.push(Function {
            name: ERROR_LABEL_REACHED.to_owned(),
            signature: SignatureId(self.signatures.len() as u32 - 1),
            result: Type::Void,
            params: Vec::new(),
            prototype: Some(Vec::new()),
            variadic: false,
            body: None,
            external: true,
            weak: false,
            noreturn: true,
            refused: None,
            at: super::Position::default(),
        });
        FunctionId(self.functions.len() as u32 - 1)
    }
}
