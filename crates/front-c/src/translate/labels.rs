//! The labels within expressions.

use super::facts::operands;
use crate::tree::{ExprId, ExprKind, LabelId, ObjectId, PlaceId, PlaceKind, StmtId, StmtKind, Unit};

/// The labels in statements within expressions. Nothing outside of an expression jumps to them.
pub(super) fn labels_in(unit: &Unit, exprs: &[ExprId]) -> Vec<LabelId> {
    let mut search = Search { unit, labels: Vec::new(), exprs: exprs.to_vec(), stmts: Vec::new() };
    loop {
        if let Some(e) = search.exprs.pop() {
            search.expr(e);
        } else if let Some(s) = search.stmts.pop() {
            search.stmt(s);
        } else {
            return search.labels;
        }
    }
}

/// What is left to look at.
struct Search<'a> {
    unit: &'a Unit,
    labels: Vec<LabelId>,
    exprs: Vec<ExprId>,
    stmts: Vec<StmtId>,
}

impl Search<'_> {
    fn expr(&mut self, e: ExprId) {
        let kind = &self.unit[e].kind;
        match kind {
            ExprKind::Load(place)
            | ExprKind::AddressOf(place)
            | ExprKind::Step { place, .. }
            | ExprKind::Assign { place, .. } => self.place(*place),
            ExprKind::Block { body, .. } => self.stmts.extend(body),
            _ => {}
        }
        self.exprs.extend(operands(self.unit, kind));
    }

    /// What is in a compound literal; the rest of a place is found by operands.
    fn place(&mut self, mut place: PlaceId) {
        loop {
            match self.unit[place].kind {
                PlaceKind::Compound(object) => return self.object(object),
                PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => place = base,
                _ => return,
            }
        }
    }

    fn object(&mut self, object: ObjectId) {
        let data = &self.unit[object];
        let entries = data.init().into_iter().flat_map(|init| &init.entries);
        self.exprs.extend(entries.map(|entry| entry.value).chain(data.dynamic_size));
    }

    fn stmt(&mut self, s: StmtId) {
        match &self.unit[s].kind {
            StmtKind::Expr(e) => self.exprs.push(*e),
            StmtKind::Block(body) => self.stmts.extend(body),
            StmtKind::Declare(objects) => objects.iter().for_each(|&object| self.object(object)),
            StmtKind::If { cond, then, otherwise } => {
                self.exprs.push(*cond);
                self.stmts.push(*then);
                self.stmts.extend(otherwise);
            }
            StmtKind::While { cond, body }
            | StmtKind::DoWhile { body, cond }
            | StmtKind::Switch { cond, body, .. } => {
                self.exprs.push(*cond);
                self.stmts.push(*body);
            }
            StmtKind::For { init, cond, step, body } => {
                self.exprs.extend(cond.iter().chain(step));
                self.stmts.extend(init);
                self.stmts.push(*body);
            }
            StmtKind::Case { body, .. } | StmtKind::Default { body } => self.stmts.push(*body),
            StmtKind::Label { label, body } => {
                self.labels.push(*label);
                self.stmts.push(*body);
            }
            StmtKind::IndirectGoto { address, .. } => self.exprs.push(*address),
            StmtKind::Asm { outputs, inputs, .. } => {
                outputs.iter().for_each(|&place| self.place(place));
                self.exprs.extend(inputs);
            }
            StmtKind::Return(value) => self.exprs.extend(value),
            StmtKind::Empty
            | StmtKind::Goto { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Unsupported(_) => {}
        }
    }
}
