//! Functions and statements.

use super::super::code::{FunctionCode, SwitchTable};
use super::super::instr::{Instr, Reg};
use super::super::scalar::Kind;
use super::layout::Slot;
use super::{Compiler, ComputedGoto, Frame, Target};
use tamis_front_c::tree::{CaseId, ExprId, FunctionId, ObjectId, Padding, ScopeId, StmtId, StmtKind};

/// A `switch` whose values span less than this gets a table with an entry for each.
const DENSE: i128 = 2048;

impl Compiler<'_> {
    /// The code of a function with a body.
    pub(super) fn function(&mut self, id: FunctionId) -> FunctionCode {
        let unit = self.unit;
        let function = &unit[id];
        self.frame = Frame { id: Some(id), ..Frame::default() };
        self.at = function.at;
        self.frame.code.entry = self.here();
        self.frame.code.variadic = function.variadic;
        self.frame.code.old_style = function.prototype.is_none();
        for &param in &function.params {
            let kind = self.kind(unit[param].ty);
            if let Slot::Fixed { off, .. } = self.slot(param) {
                let padding = unit.padding(unit[param].ty, false).unwrap_or_default();
                let moved = padding.into_iter().map(|p| Padding { offset: p.offset + off, ..p });
                self.frame.code.padding.extend(moved);
                self.frame.code.params.push((off, kind));
            }
        }
        if let Some(body) = function.body {
            match &unit[body].kind {
                // The outermost block needs no closing: the frame goes as a whole.
                StmtKind::Block(stmts) => stmts.iter().for_each(|&s| self.statement(s, 0)),
                _ => self.statement(body, 0),
            }
        }
        let result = self.kind(function.result);
        self.frame.code.result = Some(result);
        if unit.main() == Some(id) {
            self.emit(Instr::Const { d: 0, value: 0 });
            self.emit(Instr::ReturnValue { a: 0, pair: false });
        } else if result == Kind::Void {
            self.emit(Instr::Return);
        } else {
            self.emit(Instr::ReturnNothing);
        }
        self.finish_computed_gotos();
        for (jump, label) in std::mem::take(&mut self.frame.gotos) {
            if let Some(&target) = self.frame.labels.get(&label) {
                self.patch_to(jump, target);
            }
        }
        self.frame.code.registers = self.frame.code.registers.max(8) + 8;
        std::mem::take(&mut self.frame).code
    }

    /// A statement; registers from `d` on are free.
    pub(super) fn statement(&mut self, s: StmtId, d: Reg) {
        self.nested(self.unit[s].at, d, |c| {
            let outer = c.frame.scope.len();
            c.statement_inner(s, d);
            // With a condition, a statement is a block: what the condition makes without a name is gone after it.
            if matches!(
                c.unit[s].kind,
                StmtKind::If { .. }
                    | StmtKind::While { .. }
                    | StmtKind::DoWhile { .. }
                    | StmtKind::Switch { .. }
            ) {
                c.close(outer);
            }
        });
    }

    fn statement_inner(&mut self, s: StmtId, d: Reg) {
        let unit = self.unit;
        match &unit[s].kind {
            StmtKind::Empty => {}
            StmtKind::Expr(e) => {
                self.emit(Instr::Step);
                self.effect(*e, d);
            }
            StmtKind::Block(stmts) => {
                let outer = self.frame.scope.len();
                for &stmt in stmts {
                    self.statement(stmt, d);
                }
                self.close(outer);
            }
            StmtKind::Declare(objects) => {
                if self.determined {
                    self.check_temporaries(objects);
                }
                for &object in objects {
                    self.declare(object, d);
                }
            }
            StmtKind::If { cond, then, otherwise } => {
                self.emit(Instr::Step);
                let when_false = self.jump_if(*cond, d, false);
                self.branched(true);
                self.substatement(*then, d);
                match otherwise {
                    None if !self.observed => self.patch_all(when_false),
                    _ => {
                        let end = self.emit(Instr::Jump { to: 0 });
                        self.patch_all(when_false);
                        self.branched(false);
                        if let Some(otherwise) = otherwise {
                            self.substatement(*otherwise, d);
                        }
                        self.patch(end);
                    }
                }
            }
            StmtKind::While { cond, body } => self.iterate(None, Some(*cond), None, *body, d),
            StmtKind::For { init, cond, step, body } => {
                let outer = self.frame.scope.len();
                if let Some(init) = init {
                    self.statement(*init, d);
                }
                self.iterate(None, *cond, *step, *body, d);
                self.close(outer);
            }
            StmtKind::DoWhile { body, cond } => self.iterate(Some(*cond), None, None, *body, d),
            StmtKind::Switch { cond, body, cases, default, scope } => {
                self.switch(*cond, *body, cases, *default, *scope, d);
            }
            StmtKind::Case { case, body } => {
                let here = self.here();
                self.frame.cases.insert(*case, here);
                self.statement(*body, d);
            }
            StmtKind::Default { body } => {
                let here = self.here();
                if let Some(default) = self.frame.defaults.last_mut() {
                    *default = Some(here);
                }
                self.statement(*body, d);
            }
            StmtKind::Label { label, body } => {
                let here = self.here();
                self.frame.labels.insert(*label, here);
                if let Some(id) = self.frame.id {
                    self.code.labels.insert(label.index(), (here, id));
                }
                self.statement(*body, d);
            }
            StmtKind::Goto { label, scope } => {
                self.emit(Instr::Step);
                self.goto(*label, *scope);
            }
            StmtKind::IndirectGoto { address, scope } => {
                self.emit(Instr::Step);
                self.value(*address, d);
                self.code.switches.push(SwitchTable::default());
                let table = self.code.switches.len() - 1;
                self.emit(Instr::Switch { a: d, table: table as u32 });
                let (kind, default) = (self.kind_of(*address), self.here());
                self.frame.computed.push(ComputedGoto { table, kind, default, from: *scope, at: self.at });
                self.emit(Instr::JumpTo { p: d });
            }
            StmtKind::Asm { .. } => self.unsupported("inline assembly"),
            StmtKind::Break => self.leave_loop(false),
            StmtKind::Continue => self.leave_loop(true),
            StmtKind::Return(value) => self.return_statement(*value, d),
            StmtKind::Unsupported(what) => self.unsupported(what.clone()),
        }
    }

    /// A part of a statement, which is a block also without braces: what it makes without a name is gone at its end.
    fn substatement(&mut self, s: StmtId, d: Reg) {
        let outer = self.frame.scope.len();
        self.statement(s, d);
        self.close(outer);
    }

    fn return_statement(&mut self, value: Option<ExprId>, d: Reg) {
        self.emit(Instr::Step);
        let result = self.frame.id.map(|id| self.unit[id].result);
        let Some(value) = value else {
            let returns = result.is_some_and(|ty| ty != tamis_front_c::tree::Type::Void);
            self.emit(if returns { Instr::ReturnNothing } else { Instr::Return });
            return;
        };
        match self.kind_of(value) {
            Kind::Void => {
                self.effect(value, d);
                self.emit(Instr::Return);
            }
            Kind::Record { size, .. } => {
                self.value(value, d);
                self.emit(Instr::ReturnRecord { p: d, size });
            }
            kind => {
                self.value(value, d);
                self.emit(Instr::ReturnValue { a: d, pair: kind.registers() == 2 });
            }
        }
    }

    fn branched(&mut self, taken: bool) {
        if self.observed {
            self.emit(Instr::Branched { taken });
        }
    }

    /// A loop. `last` is the condition of `do … while`.
    fn iterate(
        &mut self,
        last: Option<ExprId>,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
        d: Reg,
    ) {
        let head = self.here();
        self.emit(Instr::Step);
        let mut exits = Vec::new();
        if let Some(cond) = cond {
            exits = self.jump_if(cond, d, false);
            self.branched(true);
        }
        let scope = self.frame.scope.len();
        self.frame.targets.push(Target { scope, breaks: Vec::new(), continues: Some(Vec::new()) });
        self.substatement(body, d);
        let target = self.frame.targets.pop();
        let (breaks, continues) =
            target.map(|t| (t.breaks, t.continues.unwrap_or_default())).unwrap_or_default();
        self.patch_all(continues);
        if let Some(step) = step {
            self.effect(step, d);
        }
        if let Some(cond) = last {
            let outer = std::mem::replace(&mut self.at, self.unit[cond].at);
            self.emit(Instr::Step);
            exits = self.jump_if(cond, d, false);
            self.branched(true);
            self.at = outer;
        }
        self.emit(Instr::Jump { to: head });
        self.patch_all(exits);
        if cond.or(last).is_some() {
            self.branched(false);
        }
        self.patch_all(breaks);
    }

    fn leave_loop(&mut self, again: bool) {
        let Some(depth) = self.frame.targets.iter().rposition(|t| !again || t.continues.is_some()) else {
            return self.unsupported("a jump out of no loop");
        };
        let left = self.frame.scope[self.frame.targets[depth].scope..].to_vec();
        self.leave(&left);
        let jump = self.emit(Instr::Jump { to: 0 });
        let target = &mut self.frame.targets[depth];
        match &mut target.continues {
            Some(continues) if again => continues.push(jump),
            _ => target.breaks.push(jump),
        }
    }

    fn switch(
        &mut self,
        cond: ExprId,
        body: StmtId,
        cases: &[CaseId],
        default: Option<Option<ScopeId>>,
        from: Option<ScopeId>,
        d: Reg,
    ) {
        let unit = self.unit;
        self.emit(Instr::Step);
        self.value(cond, d);
        let k = match self.kind_of(cond) {
            Kind::Int(k) if !k.is_wide() => k,
            _ => return self.unsupported("a switch over such a value"),
        };
        self.code.switches.push(SwitchTable::default());
        let table = self.code.switches.len() - 1;
        self.emit(Instr::Switch { a: d, table: table as u32 });
        let scope = self.frame.scope.len();
        self.frame.targets.push(Target { scope, breaks: Vec::new(), continues: None });
        self.frame.defaults.push(None);
        self.substatement(body, d);
        let breaks = self.frame.targets.pop().map(|t| t.breaks).unwrap_or_default();
        let default_at = self.frame.defaults.pop().flatten();
        let end = self.emit(Instr::Jump { to: 0 });
        let mut ranges = Vec::new();
        for &case in cases {
            let Some(&target) = self.frame.cases.get(&case) else { continue };
            let target = self.enter_case(from, unit[case].scope, target);
            ranges.push((unit[case].low, unit[case].high, target));
        }
        let default_target = default_at.map(|target| self.enter_case(from, default.flatten(), target));
        self.patch(end);
        self.patch_all(breaks);
        ranges.retain(|&(low, high, _)| low <= high);
        ranges.sort_unstable();
        let default = default_target.unwrap_or_else(|| self.here());
        self.code.switches[table] =
            SwitchTable { k: Some(k), dense: dense(&ranges, default), ranges, default };
    }

    /// Where a `switch` jumps to for a case: past declarations, it brings variables into scope on the way.
    fn enter_case(&mut self, from: Option<ScopeId>, to: Option<ScopeId>, target: u32) -> u32 {
        let entered = self.unit.entered(from, to);
        if entered.is_empty() {
            return target;
        }
        let here = self.here();
        self.enter(&entered);
        self.emit(Instr::Jump { to: target });
        here
    }

    fn declare(&mut self, id: ObjectId, d: Reg) {
        let unit = self.unit;
        let object = &unit[id];
        if !object.is_automatic() {
            return;
        }
        let outer = std::mem::replace(&mut self.at, object.at);
        self.emit(Instr::Step);
        if let Some(why) = object.declaration_refused {
            self.unsupported(why);
        }
        match (self.slot(id), object.dynamic_size) {
            (Slot::Dynamic { off }, Some(size)) => {
                self.value(size, d);
                self.emit(Instr::Alloca { d, a: d, align: object.align.max(16) as u32 });
                self.emit(Instr::StoreLocal { a: d, k: self.pointer(), off });
            }
            (Slot::Fixed { off, size }, _) => {
                // An initial value may be computed from what the object itself holds, which is nothing yet.
                self.emit(Instr::Begin { off, size });
                let loc = self.object(id, d);
                self.initialise(id, loc, d);
                if self.determined && object.constant && object.init().is_some() && self.is_exposed(id) {
                    self.emit(Instr::Protect { off, size });
                }
            }
            (Slot::Dynamic { .. }, None) => {}
        }
        self.frame.scope.push(id);
        self.at = outer;
    }
}

/// The targets of values that are close together, from the lowest on.
fn dense(ranges: &[(i128, i128, u32)], default: u32) -> Vec<u32> {
    let (Some(&(low, _, _)), Some(&(_, high, _))) = (ranges.first(), ranges.last()) else {
        return Vec::new();
    };
    if high.saturating_sub(low) >= DENSE {
        return Vec::new();
    }
    let mut targets = vec![default; (high - low + 1) as usize];
    for &(from, to, target) in ranges {
        for value in from..=to {
            if let Some(slot) = targets.get_mut((value - low) as usize) {
                *slot = target;
            }
        }
    }
    targets
}
