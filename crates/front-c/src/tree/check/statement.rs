//! Statements.

use super::{Checked, Inconsistency, ensure};
use crate::tree::{ExprId, Stmt, StmtId, StmtKind, Type, Unit};

impl Unit {
    pub(super) fn check_stmt(&self, stmt: &Stmt) -> Checked {
        let scalar = |e: ExprId| ensure(self.is_scalar(e), || "condition that is no scalar".to_owned());
        match &stmt.kind {
            StmtKind::If { cond, .. } | StmtKind::While { cond, .. } | StmtKind::DoWhile { cond, .. } => {
                scalar(*cond)
            }
            StmtKind::For { cond: Some(cond), .. } => scalar(*cond),
            StmtKind::Switch { cond, cases, .. } => {
                ensure(self.is_int(*cond), || "switch over what is no integer".to_owned())?;
                let empty = cases.iter().any(|&c| self[c].low > self[c].high);
                ensure(!empty, || "case without a value".to_owned())
            }
            StmtKind::IndirectGoto { address, .. } => {
                ensure(self.type_of(*address).is_pointer() || self.is_unsupported(*address), || {
                    "goto to what is no address".to_owned()
                })
            }
            _ => Ok(()),
        }
    }

    /// Whether each `return` under a statement gives what the function gives.
    pub(super) fn check_returns(&self, body: StmtId, result: Type) -> Result<(), Inconsistency> {
        let mut open = vec![body];
        while let Some(id) = open.pop() {
            match &self[id].kind {
                StmtKind::Block(body) => open.extend(body),
                StmtKind::If { then, otherwise, .. } => {
                    open.push(*then);
                    open.extend(otherwise);
                }
                StmtKind::While { body, .. }
                | StmtKind::DoWhile { body, .. }
                | StmtKind::For { body, .. }
                | StmtKind::Switch { body, .. }
                | StmtKind::Case { body, .. }
                | StmtKind::Default { body }
                | StmtKind::Label { body, .. } => open.push(*body),
                StmtKind::Return(Some(value))
                    if self.type_of(*value) != result && !self.is_unsupported(*value) =>
                {
                    let (found, wanted) = (self.spell(self.type_of(*value)), self.spell(result));
                    let what = format!("{found} returned from a function of {wanted}");
                    return Err(Inconsistency { at: self[id].at, what });
                }
                _ => {}
            }
        }
        Ok(())
    }
}
