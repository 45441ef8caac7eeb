//! What evaluating an expression does besides giving a value.
//!
//! C leaves the order of evaluation of most operands open. Tamis evaluates from left to right and refuses an
//! expression where another order could give another result, rather than choose for the user.

use crate::tree::{ArithOp, ExprId, ExprKind, FunctionId, ObjectId, StmtId, StmtKind, Storage, Unit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

use super::library::{Known, known};
use super::operator::constant;

/// Cheap facts about every expression of a unit.
pub(super) struct Facts {
    edges: Vec<bool>,
    writes: Vec<bool>,
}

impl Facts {
    pub(super) fn new(unit: &Unit) -> Facts {
        let mut facts =
            Facts { edges: Vec::with_capacity(unit.exprs.len()), writes: Vec::with_capacity(unit.exprs.len()) };
        // An operand is always before its operator.
        for expr in &unit.exprs {
            let (mut edges, mut writes) = match &expr.kind {
                ExprKind::Assign { .. } | ExprKind::Step { .. } | ExprKind::Call { .. } | ExprKind::Block { .. } => {
                    (true, true)
                }
                ExprKind::Str(_) | ExprKind::Trap | ExprKind::Unreachable | ExprKind::Unsupported(_) => (true, false),
                ExprKind::Arith(op, left, right) => (!is_total(unit, *op, *left, *right), false),
                _ => (false, false),
            };
            for operand in operands(&expr.kind) {
                edges |= facts.edges[operand.index()];
                writes |= facts.writes[operand.index()];
            }
            facts.edges.push(edges);
            facts.writes.push(writes);
        }
        facts
    }

    /// Whether evaluating the expression may need edges: where not, it is a term.
    pub(super) fn edges(&self, e: ExprId) -> bool {
        self.edges[e.index()]
    }

    /// Whether evaluating the expression may change a variable.
    pub(super) fn writes(&self, e: ExprId) -> bool {
        self.writes[e.index()]
    }
}

/// Whether the operator has a value whatever its operands are.
fn is_total(unit: &Unit, op: ArithOp, left: ExprId, right: ExprId) -> bool {
    match op {
        ArithOp::Div | ArithOp::Rem => constant(unit, right).is_some_and(|d| d != 0),
        ArithOp::Shl | ArithOp::Shr => {
            let bits = unit[left].ty.int().map_or(0, |int| int.bits);
            constant(unit, right).is_some_and(|by| (0..i128::from(bits)).contains(&by))
        }
        _ => true,
    }
}

/// The direct operands of an expression, in order; not those in statements.
fn operands(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Const(_)
        | ExprKind::Str(_)
        | ExprKind::Read(_)
        | ExprKind::Step { .. }
        | ExprKind::Bound
        | ExprKind::Trap
        | ExprKind::Unreachable
        | ExprKind::Unsupported(_) => Vec::new(),
        ExprKind::Neg(a)
        | ExprKind::BitNot(a)
        | ExprKind::Not(a)
        | ExprKind::Convert(a)
        | ExprKind::Magnitude(a)
        | ExprKind::SwapBytes(a)
        | ExprKind::Assign { value: a, .. } => vec![*a],
        ExprKind::Arith(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::LogAnd(a, b)
        | ExprKind::LogOr(a, b)
        | ExprKind::Comma(a, b) => vec![*a, *b],
        ExprKind::Cond { cond, then, otherwise } => vec![*cond, *then, *otherwise],
        ExprKind::Elvis { value, then, otherwise } => vec![*value, *then, *otherwise],
        ExprKind::Call { args, .. } => args.clone(),
        ExprKind::Block { value, .. } => value.iter().copied().collect(),
    }
}

/// What an expression or a function may read, write, and do to the rest of the execution.
#[derive(Clone, Default, Debug)]
pub(super) struct Footprint {
    pub(super) reads: FxHashSet<ObjectId>,
    pub(super) writes: FxHashSet<ObjectId>,
    /// Those writes that the language does not order before the value of the expression.
    pub(super) pending: FxHashSet<ObjectId>,
    /// Whether the execution may end or hang in it.
    stops: bool,
    /// Whether the property may be violated in it.
    violates: bool,
}

impl Footprint {
    /// Whether it matters which of the two is evaluated first, given that `self` is.
    pub(super) fn conflicts(&self, later: &Footprint) -> bool {
        let meet = |a: &FxHashSet<ObjectId>, b: &FxHashSet<ObjectId>| a.iter().any(|o| b.contains(o));
        meet(&self.writes, &later.reads)
            || meet(&self.writes, &later.writes)
            || meet(&self.reads, &later.writes)
            // A violation on the right could come before the end of the execution on the left.
            || (self.stops && later.violates)
    }

    fn absorb(&mut self, other: &Footprint) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.stops |= other.stops;
        self.violates |= other.violates;
    }
}

/// The footprints of functions, computed as they are asked for.
pub(super) struct Effects<'a> {
    unit: &'a Unit,
    functions: FxHashMap<FunctionId, Rc<Footprint>>,
    /// What an undefined function may write: every variable that other translation units can name.
    external: Vec<ObjectId>,
}

impl<'a> Effects<'a> {
    pub(super) fn new(unit: &'a Unit) -> Effects<'a> {
        let reachable =
            |&o: &ObjectId| unit[o].external && !matches!(unit[o].storage, Storage::Automatic(_));
        Effects { unit, functions: FxHashMap::default(), external: unit.objects().filter(reachable).collect() }
    }

    /// What an expression does.
    pub(super) fn of(&mut self, e: ExprId) -> Footprint {
        let mut footprint = Footprint::default();
        self.expr(e, true, &mut footprint);
        footprint
    }

    /// What a call of a function does, apart from its arguments.
    pub(super) fn function(&mut self, function: FunctionId) -> Rc<Footprint> {
        if let Some(footprint) = self.functions.get(&function) {
            return footprint.clone();
        }
        // Recursion is refused elsewhere: what a cycle misses here is of no consequence.
        self.functions.insert(function, Rc::default());
        let mut footprint = Footprint::default();
        match (known(self.unit, function), self.unit[function].body) {
            (Some(Known::Violation), _) => footprint.violates = true,
            (Some(Known::Assert), _) => (footprint.violates, footprint.stops) = (true, true),
            (Some(Known::Assume | Known::End), _) => footprint.stops = true,
            (Some(Known::Input | Known::Output), _) => {}
            (None, Some(body)) => self.stmt(body, &mut footprint),
            (None, None) => {
                footprint.stops = true;
                footprint.writes.extend(&self.external);
                footprint.reads.extend(&self.external);
            }
        }
        footprint.pending.clear();
        let footprint = Rc::new(footprint);
        self.functions.insert(function, footprint.clone());
        footprint
    }

    /// `pending`: whether writes are unordered with what surrounds the expression.
    fn expr(&mut self, e: ExprId, pending: bool, out: &mut Footprint) {
        let unit = self.unit;
        let expr = &unit[e];
        let write = |object: ObjectId, out: &mut Footprint| {
            out.writes.insert(object);
            if pending {
                out.pending.insert(object);
            }
        };
        match &expr.kind {
            ExprKind::Read(object) => {
                out.reads.insert(*object);
            }
            ExprKind::Step { object, .. } => {
                out.reads.insert(*object);
                write(*object, out);
            }
            ExprKind::Assign { object, op, value } => {
                if op.is_some() {
                    out.reads.insert(*object);
                }
                if let Some((ArithOp::Div | ArithOp::Rem, _)) = op {
                    out.stops = true;
                }
                write(*object, out);
                self.expr(*value, pending, out);
            }
            ExprKind::LogAnd(first, second) | ExprKind::LogOr(first, second) | ExprKind::Comma(first, second) => {
                self.expr(*first, false, out);
                self.expr(*second, pending, out);
            }
            ExprKind::Cond { cond: first, then, otherwise } | ExprKind::Elvis { value: first, then, otherwise } => {
                self.expr(*first, false, out);
                self.expr(*then, pending, out);
                self.expr(*otherwise, pending, out);
            }
            ExprKind::Call { function, args } => {
                for &arg in args {
                    self.expr(arg, false, out);
                }
                let called = self.function(*function);
                out.absorb(&called);
            }
            ExprKind::Block { body, value } => {
                for &stmt in body {
                    self.stmt(stmt, out);
                }
                if let Some(value) = value {
                    self.expr(*value, false, out);
                }
            }
            ExprKind::Trap | ExprKind::Unreachable => out.stops = true,
            kind => {
                if let ExprKind::Arith(op, left, right) = kind {
                    out.stops |= matches!(op, ArithOp::Div | ArithOp::Rem) && !is_total(unit, *op, *left, *right);
                }
                for operand in operands(kind) {
                    self.expr(operand, pending, out);
                }
            }
        }
    }

    fn stmt(&mut self, s: StmtId, out: &mut Footprint) {
        let unit = self.unit;
        match &unit[s].kind {
            StmtKind::Empty | StmtKind::Break | StmtKind::Continue | StmtKind::Unsupported(_) => {}
            StmtKind::Expr(e) => self.expr(*e, false, out),
            StmtKind::Return(e) => {
                if let Some(e) = e {
                    self.expr(*e, false, out);
                }
            }
            StmtKind::Block(body) => body.iter().for_each(|&s| self.stmt(s, out)),
            StmtKind::Declare(objects) => {
                for &object in objects {
                    if let Storage::Automatic(Some(value)) = unit[object].storage {
                        self.expr(value, false, out);
                    }
                }
            }
            StmtKind::If { cond, then, otherwise } => {
                self.expr(*cond, false, out);
                self.stmt(*then, out);
                if let Some(otherwise) = otherwise {
                    self.stmt(*otherwise, out);
                }
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                out.stops = true;
                self.expr(*cond, false, out);
                self.stmt(*body, out);
            }
            StmtKind::For { init, cond, step, body } => {
                out.stops = true;
                if let Some(init) = init {
                    self.stmt(*init, out);
                }
                for e in [cond, step].into_iter().flatten() {
                    self.expr(*e, false, out);
                }
                self.stmt(*body, out);
            }
            StmtKind::Switch { cond, body, .. } => {
                self.expr(*cond, false, out);
                self.stmt(*body, out);
            }
            StmtKind::Case { body, .. } | StmtKind::Default { body } | StmtKind::Label { body, .. } => {
                self.stmt(*body, out);
            }
            StmtKind::Goto { .. } => out.stops = true,
        }
    }
}
