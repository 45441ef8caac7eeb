//! Cheap facts about every expression and statement.

use super::operator::constant;
use crate::tree::{ArithOp, ExprId, ExprKind, StmtId, StmtKind, Unit};

/// Cheap facts about every expression of a unit.
pub(super) struct Facts {
    edges: Vec<bool>,
    writes: Vec<bool>,
    enterable: Vec<bool>,
}

impl Facts {
    pub(super) fn new(unit: &Unit) -> Facts {
        let mut facts = Facts {
            edges: Vec::with_capacity(unit.exprs.len()),
            writes: Vec::with_capacity(unit.exprs.len()),
            enterable: Vec::with_capacity(unit.stmts.len()),
        };
        // An operand is always before its operator.
        for expr in &unit.exprs {
            let (mut edges, mut writes) = match &expr.kind {
                ExprKind::Assign { .. }
                | ExprKind::Step { .. }
                | ExprKind::Call { .. }
                | ExprKind::Block { .. } => (true, true),
                ExprKind::Str(_)
                | ExprKind::Array
                | ExprKind::Trap
                | ExprKind::Unreachable
                | ExprKind::Unsupported(_) => (true, false),
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
        for stmt in &unit.stmts {
            let inside = |s: &StmtId| facts.enterable[s.index()];
            let enterable = match &stmt.kind {
                StmtKind::Case { .. } | StmtKind::Default { .. } | StmtKind::Label { .. } => true,
                StmtKind::Block(body) => body.iter().any(inside),
                StmtKind::If { then, otherwise, .. } => {
                    inside(then) || otherwise.as_ref().is_some_and(inside)
                }
                StmtKind::While { body, .. }
                | StmtKind::DoWhile { body, .. }
                | StmtKind::For { body, .. }
                | StmtKind::Switch { body, .. } => inside(body),
                _ => false,
            };
            facts.enterable.push(enterable);
        }
        facts
    }

    /// Whether something may jump into the statement.
    pub(super) fn enterable(&self, s: StmtId) -> bool {
        self.enterable[s.index()]
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
pub(super) fn is_total(unit: &Unit, op: ArithOp, left: ExprId, right: ExprId) -> bool {
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
pub(super) fn operands(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Const(_)
        | ExprKind::Str(_)
        | ExprKind::Array
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
