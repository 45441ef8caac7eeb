//! Statements.

use super::lower::Lower;
use crate::tree::ERROR_LABEL;
use crate::tree::{Case, CaseId, LabelId, StmtId, StmtKind, Storage};
use rucc_sema::{DeclKind, Stmt};

impl Lower<'_> {
    /// A statement.
    pub(super) fn stmt(&mut self, id: rucc_sema::StmtId) -> StmtId {
        let tast = self.tast;
        let at = self.position(tast.stmt_span(id));
        if let Stmt::While { cond, body }
        | Stmt::DoWhile { body, cond }
        | Stmt::For { cond: Some(cond), step: None, body, .. } = tast[id]
        {
            self.warn_of_waiting(cond, body, tast.stmt_span(id));
        }
        let kind = match tast[id] {
            Stmt::Error => StmtKind::Unsupported("this statement".to_owned()),
            Stmt::Empty => StmtKind::Empty,
            Stmt::Expr(e) => StmtKind::Expr(self.expr(e)),
            Stmt::Block(list) => {
                let outer = self.scope;
                let body = tast[list].iter().map(|&s| self.stmt(s)).collect();
                self.scope = outer;
                StmtKind::Block(body)
            }
            Stmt::Decls(list) => self.declare(&tast[list]),
            Stmt::If { cond, then, otherwise } => StmtKind::If {
                cond: self.expr(cond),
                then: self.stmt(then),
                otherwise: otherwise.map(|s| self.stmt(s)),
            },
            Stmt::While { cond, body } => StmtKind::While { cond: self.expr(cond), body: self.stmt(body) },
            Stmt::DoWhile { body, cond } => {
                let body = self.stmt(body);
                StmtKind::DoWhile { body, cond: self.expr(cond) }
            }
            Stmt::For { init, cond, step, body } => {
                let outer = self.scope;
                let kind = StmtKind::For {
                    init: init.map(|s| self.stmt(s)),
                    cond: cond.map(|e| self.expr(e)),
                    step: step.map(|e| self.expr(e)),
                    body: self.stmt(body),
                };
                self.scope = outer;
                kind
            }
            Stmt::Switch { cond, body, cases, .. } => self.switch(cond, body, cases),
            Stmt::Case { case, body } => match self.cases.get(&case) {
                Some(&case) => {
                    self.unit.cases[case.index()].scope = self.scope;
                    StmtKind::Case { case, body: self.stmt(body) }
                }
                None => StmtKind::Unsupported("case outside of a switch".to_owned()),
            },
            Stmt::Default { body } => {
                if let Some(default) = self.defaults.last_mut() {
                    *default = Some(self.scope);
                }
                StmtKind::Default { body: self.stmt(body) }
            }
            Stmt::Label { label, body } => {
                let label = self.label(label);
                self.unit.labels[label.index()] = self.scope;
                StmtKind::Label { label, body: self.stmt(body) }
            }
            Stmt::Goto(label) => StmtKind::Goto { label: self.label(label), scope: self.scope },
            Stmt::IndirectGoto(address) => {
                StmtKind::IndirectGoto { address: self.expr(address), scope: self.scope }
            }
            Stmt::Asm(asm) => self.asm(tast[asm], at),
            Stmt::Break => StmtKind::Break,
            Stmt::Continue => StmtKind::Continue,
            Stmt::Return(value) => StmtKind::Return(value.map(|e| self.expr(e))),
        };
        self.add_stmt(kind, at)
    }

    fn declare(&mut self, decls: &[rucc_sema::DeclId]) -> StmtKind {
        let mut objects = Vec::new();
        for &decl in decls {
            match self.tast[decl].kind {
                DeclKind::Object => {
                    self.bind_lengths(self.tast[decl].ty, &mut objects);
                    let object = self.object(decl);
                    objects.push(object);
                    if matches!(self.unit[object].storage, Storage::Automatic(_)) {
                        self.enter_scope(object);
                    }
                }
                DeclKind::Function => {
                    self.function(decl);
                }
                DeclKind::Type => self.bind_lengths(self.tast[decl].ty, &mut objects),
            }
        }
        StmtKind::Declare(objects)
    }

    fn switch(
        &mut self,
        cond: rucc_sema::ExprId,
        body: rucc_sema::StmtId,
        cases: rucc_sema::CaseList,
    ) -> StmtKind {
        let tast = self.tast;
        let cond = self.expr(cond);
        let scope = self.scope;
        let mut table = Vec::new();
        for id in cases.iter() {
            let case = tast[id];
            self.unit.cases.push(Case { low: case.low, high: case.high, scope: None });
            let own = CaseId(self.unit.cases.len() as u32 - 1);
            self.cases.insert(id, own);
            table.push(own);
        }
        self.defaults.push(None);
        let body = self.stmt(body);
        let default = self.defaults.pop().flatten();
        StmtKind::Switch { cond, body, cases: table, default, scope }
    }

    pub(super) fn label(&mut self, id: rucc_sema::LabelId) -> LabelId {
        let next = LabelId(self.labels.len() as u32);
        let label = *self.labels.entry(id).or_insert(next);
        if label == next {
            self.unit.labels.push(None);
            let name = self.name(self.tast[id].name);
            if name == ERROR_LABEL {
                self.unit.error_labels.push(label);
            }
            self.unit.label_names.push((label, name));
        }
        label
    }
}
