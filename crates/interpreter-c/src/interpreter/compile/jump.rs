//! Leaving and entering scopes.

use super::super::code::SwitchTable;
use super::super::instr::{Instr, Reg};
use super::super::memory::Bases;
use super::super::scalar::Kind;
use super::layout::Slot;
use super::{Compiler, ComputedGoto};
use tamis_front_c::tree::{ExprId, LabelId, ObjectId, ScopeId, StmtId};

impl Compiler<'_> {
    /// Code for variables that go out of scope, the last declared first.
    pub(super) fn leave(&mut self, objects: &[ObjectId]) {
        for &object in objects.iter().rev() {
            match self.frame.slots.get(&object) {
                Some(&Slot::Dynamic { off }) => {
                    self.emit(Instr::Release { off });
                }
                Some(&Slot::Fixed { off, size }) if self.is_exposed(object) => {
                    self.emit(Instr::End { off, size });
                }
                _ => {}
            }
        }
    }

    /// Closes the scopes down to where only `outer` variables were declared.
    pub(super) fn close(&mut self, outer: usize) {
        let objects = self.frame.scope.split_off(outer);
        self.leave(&objects);
    }

    /// Code for variables that a jump brings into scope, without values.
    pub(super) fn enter(&mut self, objects: &[ObjectId]) {
        for &object in objects {
            if self.unit[object].is_automatic()
                && let Slot::Fixed { off, size } = self.slot(object)
            {
                self.emit(Instr::Begin { off, size });
            }
        }
    }

    /// The jump of a `goto`.
    pub(super) fn goto(&mut self, label: LabelId, from: Option<ScopeId>) {
        let to = self.unit.label_scope(label);
        let left = self.unit.entered(to, from);
        self.leave(&left);
        let entered = self.unit.entered(from, to);
        self.enter(&entered);
        let jump = self.emit(Instr::Jump { to: 0 });
        self.frame.gotos.push((jump, label));
    }

    /// Where each `goto *` of the function goes, by labels: on the way there, variables leave their scopes and come into others.
    pub(super) fn finish_computed_gotos(&mut self) {
        let mut labels: Vec<LabelId> = self.frame.labels.keys().copied().collect();
        labels.sort_unstable();
        for ComputedGoto { table, kind, default, from, at } in std::mem::take(&mut self.frame.computed) {
            let Kind::Int(k) = kind else { continue };
            self.at = at;
            let mut ranges = Vec::new();
            for &label in &labels {
                let address = i128::from(Bases::code_address(self.bases.labels, label.index()));
                ranges.push((address, address, self.here()));
                self.goto(label, from);
            }
            ranges.sort_unstable();
            self.code.switches[table] = SwitchTable { k: Some(k), ranges, default, dense: Vec::new() };
        }
    }

    /// A statement expression whose value is used.
    pub(super) fn block_value(&mut self, e: ExprId, body: &[StmtId], value: Option<ExprId>, d: Reg) {
        let outer = self.frame.scope.len();
        for &stmt in body {
            self.statement(stmt, d);
        }
        if let Some(value) = value {
            self.value(value, d);
            // The object may go out of scope here, its value does not.
            if let super::Kind::Record { size, align } = self.kind_of(e) {
                self.copy_to_temporary(size, align, d);
            }
        }
        self.close(outer);
    }

    /// A statement expression whose value is not used.
    pub(super) fn block_effect(&mut self, body: &[StmtId], value: Option<ExprId>, d: Reg) {
        let outer = self.frame.scope.len();
        for &stmt in body {
            self.statement(stmt, d);
        }
        if let Some(value) = value {
            self.effect(value, d);
        }
        self.close(outer);
    }
}
