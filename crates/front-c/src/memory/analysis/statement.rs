//! Statements.

use super::{Analysis, Thing, field_of, is_aggregate};
use crate::tree::{StmtId, StmtKind};

impl Analysis<'_> {
    pub(super) fn stmt(&mut self, s: StmtId) {
        let unit = self.unit;
        match &unit[s].kind {
            StmtKind::Expr(e) => {
                self.expr(*e);
            }
            StmtKind::Block(body) => body.iter().for_each(|&s| self.stmt(s)),
            StmtKind::Declare(objects) => {
                for &object in objects {
                    let at = self.thing(Thing::Object(object));
                    if let Some(size) = unit[object].dynamic_size {
                        self.expr(size);
                    }
                    if unit[object].is_automatic()
                        && let Some(init) = unit[object].init()
                    {
                        self.init(at, init);
                    }
                }
            }
            StmtKind::If { cond, then, otherwise } => {
                self.expr(*cond);
                self.stmt(*then);
                otherwise.iter().for_each(|&s| self.stmt(s));
            }
            StmtKind::While { cond, body }
            | StmtKind::DoWhile { body, cond }
            | StmtKind::Switch { cond, body, .. } => {
                self.expr(*cond);
                self.stmt(*body);
            }
            StmtKind::For { init, cond, step, body } => {
                init.iter().for_each(|&s| self.stmt(s));
                for &e in [cond, step].into_iter().flatten() {
                    self.expr(e);
                }
                self.stmt(*body);
            }
            StmtKind::Case { body, .. } | StmtKind::Default { body } | StmtKind::Label { body, .. } => {
                self.stmt(*body);
            }
            StmtKind::Return(Some(value)) => {
                let to = self.thing(Thing::Result(self.current));
                let ty = unit[*value].ty;
                if is_aggregate(ty) {
                    let from = self.value(*value);
                    self.copy(to, from, ty);
                } else {
                    let value = self.expr(*value);
                    self.store(to, value);
                }
            }
            StmtKind::IndirectGoto { address, .. } => {
                self.expr(*address);
            }
            StmtKind::Asm { outputs, inputs, .. } => {
                let made = self.assembly(inputs, outputs);
                for &output in outputs {
                    let at = self.place(output);
                    self.access(at, unit[output].ty, field_of(unit, output));
                    if self.holds_address(unit[output].ty) {
                        self.store(at, Some(made));
                    }
                }
            }
            StmtKind::Empty
            | StmtKind::Goto { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Unsupported(_) => {}
        }
    }
}
