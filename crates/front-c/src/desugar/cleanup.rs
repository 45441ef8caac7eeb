//! Variables with gcc's attribute `cleanup`: the function that it names is called with the variable's address wherever its scope is
//! left, by the end of the block, `return`, `break`, `continue` or `goto`; of several variables the last one first.
//!
//! `return e` computes `e` before. What is declared in the head of a `for` or in an expression stays refused, as does a
//! function that jumps out of expressions or to computed addresses.

use crate::tree::contexts::{expressions_in, statements_in};
use crate::tree::{
    ExprId, ExprKind, FunctionId, Growing, Init, InitEntry, LabelId, ObjectId, PlaceKind, Position, StmtId,
    StmtKind, Storage, Unit,
};
use rustc_hash::FxHashMap;

/// A unit in which variables are cleaned up by calls. Each comes with the function that does it.
pub(crate) fn calls(unit: Unit, cleanups: &[(ObjectId, FunctionId)]) -> Unit {
    if cleanups.is_empty() {
        return unit;
    }
    let mut walk = Walk {
        tree: Growing::new(unit),
        functions: cleanups.iter().copied().collect(),
        labels: FxHashMap::default(),
        open: Vec::new(),
        inner: Vec::new(),
        rewrites: false,
    };
    let functions: Vec<FunctionId> = walk.tree.unit.functions().collect();
    for function in functions {
        let Some(body) = walk.tree.unit[function].body else { continue };
        if walk.is_simple(body) {
            for rewrites in [false, true] {
                walk.rewrites = rewrites;
                walk.stmt(body);
            }
        }
    }
    walk.tree.unit
}

struct Walk {
    tree: Growing,
    /// What cleans up each variable.
    functions: FxHashMap<ObjectId, FunctionId>,
    /// The variables that are open at each label.
    labels: FxHashMap<LabelId, Vec<ObjectId>>,
    /// The variables that are open here, the last one last.
    open: Vec<ObjectId>,
    /// How many of them were open where the enclosing loops and `switch`es began, and whether each is a loop.
    inner: Vec<(usize, bool)>,
    /// Whether the tree is changed; first, labels are looked for.
    rewrites: bool,
}

impl Walk {
    /// Whether a function has such a variable, and its ways out are all seen.
    fn is_simple(&self, body: StmtId) -> bool {
        let unit = &self.tree.unit;
        let statements = statements_in(unit, body);
        let has = statements.iter().any(|&stmt| match &unit[stmt].kind {
            StmtKind::Declare(objects) => objects.iter().any(|object| self.functions.contains_key(object)),
            _ => false,
        });
        let jumps = |stmt: StmtId| {
            statements_in(unit, stmt).into_iter().any(|stmt| {
                matches!(
                    unit[stmt].kind,
                    StmtKind::Return(_) | StmtKind::Goto { .. } | StmtKind::Break | StmtKind::Continue
                )
            })
        };
        has && !statements.iter().any(|&stmt| matches!(unit[stmt].kind, StmtKind::IndirectGoto { .. }))
            && !expressions_in(unit, body).into_iter().any(|e| match &unit[e].kind {
                ExprKind::Block { body, .. } => body.iter().any(|&stmt| jumps(stmt)),
                _ => false,
            })
    }

    fn stmt(&mut self, stmt: StmtId) {
        let at = self.tree.unit[stmt].at;
        match self.tree.unit[stmt].kind.clone() {
            StmtKind::Block(statements) => {
                let before = self.open.len();
                let mut list = Vec::new();
                for inner in statements {
                    self.stmt(inner);
                    list.push(inner);
                    if let StmtKind::Declare(objects) = &self.tree.unit[inner].kind {
                        let known =
                            objects.iter().copied().filter(|object| self.functions.contains_key(object));
                        self.open.extend(known.collect::<Vec<_>>());
                    }
                }
                if self.open.len() > before {
                    if self.rewrites {
                        for &object in &self.open[before..] {
                            self.tree.unit.objects[object.index()].declaration_refused = None;
                        }
                        list.extend(self.cleaned(before, at));
                        self.tree.unit.stmts[stmt.index()].kind = StmtKind::Block(list);
                    }
                    self.open.truncate(before);
                }
            }
            StmtKind::If { then, otherwise, .. } => {
                self.stmt(then);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise);
                }
            }
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::For { body, .. } => {
                self.inner.push((self.open.len(), true));
                self.stmt(body);
                self.inner.pop();
            }
            StmtKind::Switch { body, .. } => {
                self.inner.push((self.open.len(), false));
                self.stmt(body);
                self.inner.pop();
            }
            StmtKind::Case { body, .. } | StmtKind::Default { body } => self.stmt(body),
            StmtKind::Label { label, body } => {
                self.labels.insert(label, self.open.clone());
                self.stmt(body);
            }
            StmtKind::Goto { label, .. } => {
                let there = self.labels.get(&label).cloned().unwrap_or_default();
                let common = self.open.iter().zip(&there).take_while(|(here, there)| here == there).count();
                self.leave(stmt, common, at);
            }
            StmtKind::Break => {
                let down = self.inner.last().map_or(0, |&(open, _)| open);
                self.leave(stmt, down, at);
            }
            StmtKind::Continue => {
                let down = self.inner.iter().rev().find(|(_, is_loop)| *is_loop).map_or(0, |&(open, _)| open);
                self.leave(stmt, down, at);
            }
            StmtKind::Return(Some(value)) if self.rewrites && !self.open.is_empty() => {
                let ty = self.tree.unit[value].ty;
                let kept = self.tree.variable("(returned)", ty, at);
                let entries = vec![InitEntry { offset: 0, bits: None, value }];
                self.tree.unit.objects[kept.index()].storage = Storage::Automatic(Some(Init { entries }));
                let mut list = vec![self.tree.stmt(StmtKind::Declare(vec![kept]), at)];
                list.extend(self.cleaned(0, at));
                let value = self.tree.load(kept, at);
                list.push(self.tree.stmt(StmtKind::Return(Some(value)), at));
                self.tree.unit.stmts[stmt.index()].kind = StmtKind::Block(list);
            }
            StmtKind::Return(None) => self.leave(stmt, 0, at),
            _ => {}
        }
    }

    /// Cleans up before a jump, down to so many variables.
    fn leave(&mut self, stmt: StmtId, down: usize, at: Position) {
        if !self.rewrites || self.open.len() <= down {
            return;
        }
        let kind = self.tree.unit[stmt].kind.clone();
        let mut list = self.cleaned(down, at);
        list.push(self.tree.stmt(kind, at));
        self.tree.unit.stmts[stmt.index()].kind = StmtKind::Block(list);
    }

    /// The calls that clean up all variables but the first ones.
    fn cleaned(&mut self, down: usize, at: Position) -> Vec<StmtId> {
        let objects: Vec<ObjectId> = self.open[down..].iter().rev().copied().collect();
        objects.into_iter().map(|object| self.call(object, at)).collect()
    }

    fn call(&mut self, object: ObjectId, at: Position) -> StmtId {
        let function = self.functions[&object];
        let ty = self.tree.unit[object].ty;
        let place = self.tree.place(PlaceKind::Object(object), ty, at);
        let pointer = self.tree.pointer(ty);
        let mut address: ExprId = self.tree.expr(ExprKind::AddressOf(place), pointer, at);
        if let Some(&param) = self.tree.unit[function].prototype.as_ref().and_then(|params| params.first()) {
            address = self.tree.convert(address, param);
        }
        let call = self.tree.call(function, vec![address], at);
        self.tree.stmt(StmtKind::Expr(call), at)
    }
}
