//! `volatile` objects: what something else than the program may change.

use super::lower::Lower;
use crate::tree::{ExprId, Position, Type, vocabulary};
use rucc_diag::Span;
use rucc_sema::{DeclKind, ExprKind as Rucc, Stmt, StorageDuration};
use rucc_types::{Qualifiers, TypeId};

impl Lower<'_> {
    /// What a load of a `volatile` object gives, if that is an input: any number.
    pub(super) fn volatile_input(&mut self, id: rucc_sema::ExprId, at: Position) -> Option<ExprId> {
        if !self.volatile_inputs || !self.is_volatile(id) {
            return None;
        }
        let Type::Int(int) = self.ty(self.tast[id].ty) else { return None };
        let sign = if int.signed { "int" } else { "uint" };
        let name = format!("{}volatile_{sign}{}", vocabulary::INPUT, int.bits);
        let ty = Type::Int(int);
        Some(self.any(&name, ty, at))
    }

    /// Whether an lvalue is of a `volatile` type, and something that others can find.
    fn is_volatile(&self, id: rucc_sema::ExprId) -> bool {
        self.is_volatile_type(self.tast[id].ty) && !self.is_automatic(id)
    }

    pub(super) fn is_volatile_type(&self, ty: TypeId) -> bool {
        let quals = self.types.quals(ty).with(self.types.quals(self.types.canonical(ty)));
        quals.with(self.types.object_quals(ty)).has(Qualifiers::VOLATILE)
    }

    fn is_automatic(&self, id: rucc_sema::ExprId) -> bool {
        match self.tast[id].kind {
            Rucc::Decl(decl) => {
                let decl = &self.tast[decl];
                decl.kind == DeclKind::Object && decl.duration == StorageDuration::Automatic
            }
            Rucc::Member { base, .. } => self.is_automatic(base),
            _ => false,
        }
    }

    /// Warns of a loop that does nothing but look at a `volatile` object.
    pub(super) fn warn_of_waiting(&mut self, cond: rucc_sema::ExprId, body: rucc_sema::StmtId, span: Span) {
        if self.volatile_inputs || span.is_dummy() || !self.is_idle(body) || !self.reads_volatile(cond) {
            return;
        }
        let message = "this loop waits for a volatile object, which nothing here changes; --volatile-input makes it an input";
        self.unit.warnings.push(self.lines.diagnostic(span.lo, message.to_owned()).to_string());
    }

    fn is_idle(&self, body: rucc_sema::StmtId) -> bool {
        match self.tast[body] {
            Stmt::Empty | Stmt::Continue | Stmt::Asm(_) => true,
            Stmt::Block(list) => self.tast[list].iter().all(|&s| self.is_idle(s)),
            _ => false,
        }
    }

    /// Whether the operators around a load are all there is.
    fn reads_volatile(&self, id: rucc_sema::ExprId) -> bool {
        match self.tast[id].kind {
            Rucc::Convert { operand, .. } | Rucc::Cast(operand) | Rucc::Unary { operand, .. } => {
                self.is_volatile(operand) || self.reads_volatile(operand)
            }
            Rucc::Binary { lhs, rhs, .. } => self.reads_volatile(lhs) || self.reads_volatile(rhs),
            _ => false,
        }
    }
}
