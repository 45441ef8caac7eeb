//! What a function has to do with jumps: where it calls what, and what it changes.

use super::{Role, Roles, SAVES};
use crate::translate::facts::operands;
use crate::tree::{
    ArithOp, Callee, ExprId, ExprKind, FunctionId, ObjectId, PlaceId, PlaceKind, ScopeId, StmtId, StmtKind,
    Type, Unit,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The functions that a function calls.
#[derive(Default)]
pub(super) struct Calls {
    pub(super) functions: FxHashSet<FunctionId>,
    pub(super) through_pointers: bool,
    /// Whether it writes anything but a variable of its own.
    pub(super) writes: bool,
}

/// The functions that write nothing but variables of their own, nor do those that they call.
pub(super) fn silent(calls: &FxHashMap<FunctionId, Calls>) -> FxHashSet<FunctionId> {
    let mut silent: FxHashSet<FunctionId> =
        calls.iter().filter(|(_, c)| !c.writes && !c.through_pointers).map(|(&f, _)| f).collect();
    loop {
        let loud: Vec<FunctionId> =
            silent.iter().filter(|f| !calls[f].functions.is_subset(&silent)).copied().collect();
        if loud.is_empty() {
            return silent;
        }
        silent.retain(|f| !loud.contains(f));
    }
}

/// Whether anything in an expression is as asked.
pub(super) fn any(unit: &Unit, e: ExprId, asked: impl Fn(ExprId) -> bool) -> bool {
    let mut found = false;
    let mut walk = Walk {
        unit,
        visit: |_, e| found |= asked(e),
        point: Point::default(),
        scopes: FxHashMap::default(),
        statements: Vec::new(),
        labelled: false,
    };
    walk.expr(e);
    found
}

/// The calls of each defined function.
pub(super) fn calls(unit: &Unit) -> FxHashMap<FunctionId, Calls> {
    let mut all = FxHashMap::default();
    for function in unit.functions() {
        let Some(body) = unit[function].body else { continue };
        let mut calls = Calls::default();
        let mut walk = Walk {
            unit,
            visit: |_, e: ExprId| match unit[e].kind {
                ExprKind::Call { callee: Callee::Function(f), .. } => {
                    calls.functions.insert(f);
                }
                ExprKind::Call { callee: Callee::Pointer(..), .. } => calls.through_pointers = true,
                ExprKind::Assign { place, .. } | ExprKind::Step { place, .. } => {
                    calls.writes |= unit.root(place).is_none_or(|object| !unit[object].is_automatic());
                }
                ExprKind::Overflow { stores: true, .. } | ExprKind::VaArg(_) => calls.writes = true,
                _ => {}
            },
            point: Point::default(),
            scopes: FxHashMap::default(),
            statements: Vec::new(),
            labelled: false,
        };
        walk.stmt(body);
        all.insert(function, calls);
    }
    all
}

/// The functions that can be reached from themselves.
pub(super) fn recursive(
    unit: &Unit,
    calls: &FxHashMap<FunctionId, Calls>,
    taken: &FxHashSet<FunctionId>,
) -> FxHashSet<FunctionId> {
    let next = |f: FunctionId| -> Vec<FunctionId> {
        let Some(calls) = calls.get(&f) else { return Vec::new() };
        let pointed = taken.iter().filter(|_| calls.through_pointers);
        calls.functions.iter().chain(pointed).copied().collect()
    };
    unit.functions()
        .filter(|&start| {
            let (mut seen, mut open) = (FxHashSet::default(), next(start));
            while let Some(f) = open.pop() {
                if f == start {
                    return true;
                }
                if seen.insert(f) {
                    open.extend(next(f));
                }
            }
            false
        })
        .collect()
}

/// A place in a function.
#[derive(Clone, Copy, Default)]
pub(super) struct Point {
    /// The variables in scope.
    pub(super) scope: Option<ScopeId>,
    /// The statement, in the order of the text.
    pub(super) time: usize,
    /// Whether what is here may be executed again in the same activation: it is in a loop, or after a label.
    pub(super) again: bool,
}

impl Point {
    /// It is not known when.
    const ANY: Point = Point { scope: None, time: usize::MAX, again: true };
}

/// A call of `setjmp`, and the statement that it is in.
pub(super) struct Save {
    pub(super) call: ExprId,
    pub(super) statement: StmtId,
    pub(super) point: Point,
}

/// What a function has to do with jumps.
pub(super) struct Survey {
    pub(super) saves: Vec<Save>,
    /// The calls that may jump.
    pub(super) passes: Vec<(ExprId, Point)>,
    /// The variables that may be changed after their declarations, and when.
    pub(super) changes: Vec<(ObjectId, Point)>,
}

impl Survey {
    /// What there is in a function, if it is taken.
    pub(super) fn of(unit: &Unit, roles: &Roles, function: FunctionId, body: StmtId) -> Option<Survey> {
        let (mut saves, mut passes, mut changes) = (Vec::new(), Vec::new(), Vec::new());
        let (mut kept, mut handed) = (FxHashSet::default(), FxHashSet::default());
        let mut crossed = false;
        let mut walk = Walk {
            unit,
            visit: |point: Point, e: ExprId| {
                match roles.role(unit, e) {
                    Some(Role::Save) => saves.push((e, point)),
                    Some(Role::Jump | Role::Passes) => passes.push((e, point)),
                    None => {}
                }
                crossed |= roles.cross(unit, e);
                match &unit[e].kind {
                    ExprKind::Assign { place, value, .. } => {
                        let written = unit.root(*place);
                        changes.extend(written.map(|object| (object, point)));
                        if written.is_none_or(|object| !unit[object].is_automatic()) {
                            kept.extend(address(unit, *value).map(|(_, object)| object));
                        }
                    }
                    ExprKind::Step { place, .. } => {
                        changes.extend(unit.root(*place).map(|object| (object, point)));
                    }
                    ExprKind::Call { callee, args } => {
                        let keeps = may_keep(unit, callee);
                        for (address, object) in args.iter().filter_map(|&arg| address(unit, arg)) {
                            handed.insert(address);
                            changes.push((object, point));
                            if keeps {
                                kept.insert(object);
                            }
                        }
                    }
                    ExprKind::AddressOf(place) if !handed.contains(&e) => {
                        changes.extend(unit.root(*place).map(|object| (object, Point::ANY)));
                    }
                    _ => {}
                }
            },
            point: Point::default(),
            scopes: unit.scope_of_objects(),
            statements: Vec::new(),
            labelled: false,
        };
        walk.stmt(body);
        let statements = walk.statements;
        changes.retain(|(object, _)| {
            let data = &unit[*object];
            let sized = data.size.is_some() && data.dynamic_size.is_none();
            let known = data.ty.int().is_some()
                || matches!(data.ty, Type::Float(_) | Type::Record(_))
                || matches!(data.ty, Type::Array(_)) && sized;
            data.is_automatic() && known && !data.volatile && !data.is_temporary() && !kept.contains(object)
        });
        if crossed || !saves.is_empty() && roles.recursive.contains(&function) {
            return None;
        }
        let mut found = Vec::new();
        for (call, point) in saves {
            let (statement, _) = *statements.iter().find(|(_, p)| p.time == point.time)?;
            let in_block = unit
                .stmts
                .iter()
                .any(|stmt| matches!(&stmt.kind, StmtKind::Block(body) if body.contains(&statement)));
            let declares = matches!(unit[statement].kind, StmtKind::Declare(_));
            if !is_taken(unit, statement, call)
                || declares && !in_block
                || found.iter().any(|save: &Save| save.statement == statement)
            {
                return None;
            }
            found.push(Save { call, statement, point });
        }
        Some(Survey { saves: found, passes, changes })
    }
}

/// The variable whose address, or that of a part of it, a value is, and the expression that takes it.
fn address(unit: &Unit, mut value: ExprId) -> Option<(ExprId, ObjectId)> {
    loop {
        match unit[value].kind {
            ExprKind::AddressOf(place) => return Some((value, unit.root(place)?)),
            ExprKind::Convert(a) | ExprKind::PointerAdd { pointer: a, .. } => value = a,
            _ => return None,
        }
    }
}

/// Whether somebody may look for an object behind a jump, since a function that compilers know nothing of was told its address.
fn may_keep(unit: &Unit, callee: &Callee) -> bool {
    match callee {
        Callee::Function(f) if unit[*f].body.is_none() => {
            let name = unit[*f].name.trim_start_matches("__builtin_");
            !["mem", "str", "setjmp", "longjmp"].iter().any(|known| name.starts_with(known))
                || SAVES[..4].contains(&unit[*f].name.as_str())
        }
        _ => false,
    }
}

/// Whether a statement does with the value of a call what is taken.
fn is_taken(unit: &Unit, statement: StmtId, call: ExprId) -> bool {
    match &unit[statement].kind {
        StmtKind::If { cond, .. } | StmtKind::Switch { cond, .. } | StmtKind::While { cond, .. } => {
            is_test(unit, *cond, call)
        }
        StmtKind::Expr(e) => is_assigned(unit, *e, call),
        StmtKind::Return(Some(e)) => is_converted(unit, *e, call),
        StmtKind::Declare(objects) => objects.iter().any(|&object| is_declared(unit, object, call)),
        _ => false,
    }
}

/// Whether a call is the initial value of a variable.
pub(super) fn is_declared(unit: &Unit, object: ObjectId, call: ExprId) -> bool {
    match unit[object].init().map(|init| init.entries.as_slice()) {
        Some([entry]) => is_converted(unit, entry.value, call),
        _ => false,
    }
}

fn is_test(unit: &Unit, e: ExprId, call: ExprId) -> bool {
    if is_converted(unit, e, call) {
        return true;
    }
    let constant = |e: ExprId| matches!(unit[e].kind, ExprKind::Const(_));
    match unit[e].kind {
        ExprKind::Not(a) | ExprKind::Convert(a) => is_test(unit, a, call),
        ExprKind::Compare(_, a, b) => {
            is_test(unit, a, call) && constant(b) || is_test(unit, b, call) && constant(a)
                // `(x = setjmp(buffer)) == 0`
                || is_assigned(unit, a, call) && constant(b)
        }
        ExprKind::Arith(ArithOp::Sub, a, b) => is_converted(unit, a, call) && constant(b),
        ExprKind::Assign { .. } => is_assigned(unit, e, call),
        _ => false,
    }
}

fn is_assigned(unit: &Unit, e: ExprId, call: ExprId) -> bool {
    match unit[e].kind {
        ExprKind::Convert(a) => is_assigned(unit, a, call),
        ExprKind::Assign { place, op: None, value } => {
            matches!(unit[place].kind, PlaceKind::Object(_)) && is_converted(unit, value, call)
        }
        _ => e == call,
    }
}

fn is_converted(unit: &Unit, e: ExprId, call: ExprId) -> bool {
    match unit[e].kind {
        ExprKind::Convert(a) => is_converted(unit, a, call),
        _ => e == call,
    }
}

/// A walk over the expressions of a function in the order of the text, with the points that they are at.
struct Walk<'a, F: FnMut(Point, ExprId)> {
    unit: &'a Unit,
    visit: F,
    point: Point,
    scopes: FxHashMap<ObjectId, ScopeId>,
    /// The statements that have been seen.
    statements: Vec<(StmtId, Point)>,
    /// Whether a label has been.
    labelled: bool,
}

impl<F: FnMut(Point, ExprId)> Walk<'_, F> {
    fn expr(&mut self, e: ExprId) {
        let unit = self.unit;
        (self.visit)(self.point, e);
        match &unit[e].kind {
            ExprKind::Block { body, .. } => {
                let outer = self.point;
                body.iter().for_each(|&s| self.stmt(s));
                // The value stands where the variables of the block are known.
                operands(unit, &unit[e].kind).into_iter().for_each(|e| self.expr(e));
                let again = outer.again || self.labelled;
                self.point = Point { time: self.point.time, again, ..outer };
                return;
            }
            ExprKind::Load(place)
            | ExprKind::AddressOf(place)
            | ExprKind::Step { place, .. }
            | ExprKind::Assign { place, .. } => self.compound(*place),
            _ => {}
        }
        operands(unit, &unit[e].kind).into_iter().for_each(|e| self.expr(e));
    }

    /// What is in a compound literal; the rest of a place is found by operands.
    fn compound(&mut self, place: PlaceId) {
        match self.unit[place].kind {
            PlaceKind::Compound(object) => self.object(object),
            PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => self.compound(base),
            _ => {}
        }
    }

    fn object(&mut self, object: ObjectId) {
        let data = &self.unit[object];
        if data.is_automatic() {
            let entries = data.init().into_iter().flat_map(|init| &init.entries);
            entries.map(|entry| entry.value).chain(data.dynamic_size).for_each(|e| self.expr(e));
        }
    }

    fn stmt(&mut self, s: StmtId) {
        let unit = self.unit;
        self.point.time = self.statements.len() + 1;
        self.statements.push((s, self.point));
        let outer = self.point;
        match &unit[s].kind {
            StmtKind::Expr(e) => self.expr(*e),
            StmtKind::Block(body) => {
                body.iter().for_each(|&s| self.stmt(s));
                self.point.scope = outer.scope;
            }
            StmtKind::Declare(objects) => {
                for &object in objects {
                    self.object(object);
                    if let Some(&scope) = self.scopes.get(&object) {
                        self.point.scope = Some(scope);
                    }
                }
            }
            StmtKind::If { cond, then, otherwise } => {
                self.expr(*cond);
                self.stmt(*then);
                otherwise.iter().for_each(|&s| self.stmt(s));
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                self.point.again = true;
                self.expr(*cond);
                self.stmt(*body);
                self.point.again = outer.again || self.labelled;
            }
            StmtKind::Switch { cond, body, .. } => {
                self.expr(*cond);
                self.stmt(*body);
            }
            StmtKind::For { init, cond, step, body } => {
                init.iter().for_each(|&s| self.stmt(s));
                self.point.again = true;
                cond.iter().chain(step).for_each(|&e| self.expr(e));
                self.stmt(*body);
                let again = outer.again || self.labelled;
                self.point = Point { time: self.point.time, again, ..outer };
            }
            StmtKind::Case { body, .. } | StmtKind::Default { body } => self.stmt(*body),
            StmtKind::Label { body, .. } => {
                self.labelled = true;
                self.point.again = true;
                self.stmt(*body);
            }
            StmtKind::IndirectGoto { address, .. } => self.expr(*address),
            StmtKind::Asm { outputs, inputs, .. } => {
                outputs.iter().for_each(|&place| self.compound(place));
                inputs.iter().for_each(|&e| self.expr(e));
            }
            StmtKind::Return(value) => value.iter().for_each(|&e| self.expr(e)),
            StmtKind::Empty
            | StmtKind::Goto { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Unsupported(_) => {}
        }
    }
}
