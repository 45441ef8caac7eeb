//! Cheap facts about every expression and statement.

use super::expose::exposed;
use crate::memory::{constant, is_plain};
use crate::tree::{
    ArithOp, BitCount, Callee, ExprId, ExprKind, Init, LabelId, ObjectId, PlaceId, PlaceKind, StmtId,
    StmtKind, Type, Unit,
};
use rustc_hash::FxHashSet;

/// Cheap facts about every expression of a unit.
pub(super) struct Facts {
    edges: Vec<bool>,
    writes: Vec<bool>,
    enterable: Vec<bool>,
    /// Whether something may jump within a statement expression.
    jumps_in_expressions: bool,
    /// Variables that something is assigned to, beside their initial values.
    assigned: FxHashSet<ObjectId>,
    /// Conversions of addresses to numbers whose value would show where objects are.
    pub(super) exposed: FxHashSet<ExprId>,
}

impl Facts {
    pub(super) fn new(unit: &Unit, addressed: &FxHashSet<ObjectId>) -> Facts {
        let mut facts = Facts {
            edges: vec![false; unit.exprs.len()],
            writes: vec![false; unit.exprs.len()],
            enterable: Vec::with_capacity(unit.stmts.len()),
            jumps_in_expressions: false,
            assigned: FxHashSet::default(),
            exposed: exposed(unit),
        };
        // An operand is before its operator, but for arguments that were converted once all declarations were known: a
        // second round is enough unless such calls nest.
        while facts.expressions(unit, addressed) {}
        facts.statements(unit);
        facts.jumps_in_expressions = unit.exprs.iter().any(|expr| match &expr.kind {
            ExprKind::Block { body, .. } => body.iter().any(|&s| facts.enterable(s)),
            _ => false,
        });
        facts.assignments(unit);
        facts
    }

    fn assignments(&mut self, unit: &Unit) {
        let by_expression = unit.exprs.iter().filter_map(|expr| match expr.kind {
            ExprKind::Assign { place, .. } | ExprKind::Step { place, .. } => Some(place),
            _ => None,
        });
        let by_assembly = unit.stmts.iter().flat_map(|stmt| match &stmt.kind {
            StmtKind::Asm { outputs, .. } => outputs.clone(),
            _ => Vec::new(),
        });
        for place in by_expression.chain(by_assembly) {
            if let PlaceKind::Object(object) = unit[place].kind {
                self.assigned.insert(object);
            }
        }
    }

    /// Looks at all expressions; whether there was news.
    fn expressions(&mut self, unit: &Unit, addressed: &FxHashSet<ObjectId>) -> bool {
        let mut news = false;
        for (index, expr) in unit.exprs.iter().enumerate() {
            let (mut edges, mut writes) = match &expr.kind {
                ExprKind::Assign { .. }
                | ExprKind::Step { .. }
                | ExprKind::Call { .. }
                | ExprKind::Overflow { stores: true, .. }
                | ExprKind::Alloca(_)
                | ExprKind::VaStart(_)
                | ExprKind::VaArg(_)
                | ExprKind::VaEnd(_)
                | ExprKind::VaCopy(..)
                | ExprKind::Block { .. } => (true, true),
                ExprKind::Trap
                | ExprKind::Unreachable
                | ExprKind::BitCount(BitCount::LeadingZeros | BitCount::TrailingZeros, _)
                | ExprKind::Unsupported(_) => (true, false),
                // A null pointer traps.
                ExprKind::Load(place) | ExprKind::AddressOf(place) => {
                    let wide =
                        expr.ty.int().is_some_and(|int| int.bits >= unit.word()) && !expr.ty.is_pointer();
                    let (edges, writes) = place_facts(unit, *place);
                    let plain = matches!(unit[*place].kind,
                        PlaceKind::Object(object) if is_plain(unit, addressed, object));
                    (edges || (wide && !plain), writes)
                }
                ExprKind::Arith(op, left, right) => {
                    (is_float(unit, *left) || !is_total(unit, *op, *left, *right), false)
                }
                ExprKind::Compare(_, a, _) => (is_float(unit, *a) || unit[*a].ty.is_pointer(), false),
                ExprKind::PointerDiff { .. } => (true, false),
                ExprKind::Neg(a) | ExprKind::Not(a) => (is_float(unit, *a), false),
                ExprKind::Convert(a) => {
                    let float = matches!(expr.ty, Type::Float(_)) || is_float(unit, *a);
                    let address = unit[*a].ty.is_pointer() && matches!(expr.ty, Type::Int(_));
                    let number = matches!(unit[*a].ty, Type::Int(_)) && expr.ty.is_pointer();
                    (float || address || number && constant(unit, *a).is_none(), false)
                }
                _ => (false, false),
            };
            for operand in operands(unit, &expr.kind) {
                edges |= self.edges[operand.index()];
                writes |= self.writes[operand.index()];
            }
            news |= (edges, writes) != (self.edges[index], self.writes[index]);
            (self.edges[index], self.writes[index]) = (edges, writes);
        }
        news
    }

    /// Looks at all statements; the parts of one come before it.
    fn statements(&mut self, unit: &Unit) {
        let by_goto = unit.stmts.iter().filter_map(|stmt| match stmt.kind {
            StmtKind::Goto { label, .. } => Some(label),
            _ => None,
        });
        let by_address = unit.exprs.iter().filter_map(|expr| match expr.kind {
            ExprKind::LabelAddress(label) => Some(label),
            _ => None,
        });
        let targets: FxHashSet<LabelId> = by_goto.chain(by_address).collect();
        for stmt in &unit.stmts {
            // What was put behind an error label comes after it: it counts as entered.
            let inside = |s: &StmtId| self.enterable.get(s.index()).copied().unwrap_or(true);
            let enterable = match &stmt.kind {
                StmtKind::Case { .. } | StmtKind::Default { .. } => true,
                StmtKind::Label { label, body } => targets.contains(label) || inside(body),
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
            self.enterable.push(enterable);
        }
    }

    /// Whether something may jump into the statement.
    pub(super) fn enterable(&self, s: StmtId) -> bool {
        self.enterable[s.index()]
    }

    /// Whether a jump within a function body may leave out a declaration.
    pub(super) fn jumps(&self, body: StmtId) -> bool {
        self.enterable(body) || self.jumps_in_expressions
    }

    /// Whether a variable that nothing points to keeps its initial value.
    pub(super) fn is_fixed(&self, object: ObjectId) -> bool {
        !self.assigned.contains(&object)
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

fn is_float(unit: &Unit, e: ExprId) -> bool {
    matches!(unit[e].ty, Type::Float(_))
}

/// Whether finding a place needs edges by itself, and whether it changes anything.
fn place_facts(unit: &Unit, mut place: PlaceId) -> (bool, bool) {
    loop {
        match unit[place].kind {
            PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => place = base,
            PlaceKind::Deref(_) => return (true, false),
            PlaceKind::Compound(object) => return (true, unit[object].is_automatic()),
            PlaceKind::Value(_) => return (true, true),
            PlaceKind::Object(_) | PlaceKind::String(_) => return (false, false),
        }
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
pub(crate) fn operands(unit: &Unit, kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Const(_)
        | ExprKind::Float(_)
        | ExprKind::FunctionAddress(_)
        | ExprKind::LabelAddress(_)
        | ExprKind::Bound
        | ExprKind::Trap
        | ExprKind::Unreachable
        | ExprKind::Unsupported(_) => Vec::new(),
        ExprKind::Load(place) | ExprKind::AddressOf(place) | ExprKind::Step { place, .. } => {
            place_operands(unit, *place)
        }
        ExprKind::Assign { place, value, .. } => {
            let mut operands = place_operands(unit, *place);
            operands.push(*value);
            operands
        }
        ExprKind::Neg(a)
        | ExprKind::BitNot(a)
        | ExprKind::Not(a)
        | ExprKind::Convert(a)
        | ExprKind::Magnitude(a)
        | ExprKind::SwapBytes(a)
        | ExprKind::BitCount(_, a)
        | ExprKind::VaStart(a)
        | ExprKind::VaArg(a)
        | ExprKind::VaEnd(a)
        | ExprKind::Alloca(a) => vec![*a],
        ExprKind::Arith(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::LogAnd(a, b)
        | ExprKind::LogOr(a, b)
        | ExprKind::VaCopy(a, b)
        | ExprKind::PointerAdd { pointer: a, index: b, .. }
        | ExprKind::PointerDiff { left: a, right: b, .. }
        | ExprKind::Comma(a, b) => vec![*a, *b],
        ExprKind::Cond { cond, then, otherwise } => vec![*cond, *then, *otherwise],
        ExprKind::Elvis { value, then, otherwise } => vec![*value, *then, *otherwise],
        ExprKind::Overflow { operands: [a, b], result, .. } => vec![*a, *b, *result],
        ExprKind::Call { callee, args } => {
            let pointer = match callee {
                Callee::Pointer(pointer, _) => Some(*pointer),
                Callee::Function(_) => None,
            };
            pointer.into_iter().chain(args.iter().copied()).collect()
        }
        ExprKind::Block { value, .. } => value.iter().copied().collect(),
    }
}

/// Whether an initial value may be computed from what its own object held.
pub(super) fn names_itself(unit: &Unit, init: &Init, object: ObjectId) -> bool {
    let mut open: Vec<ExprId> = init.entries.iter().map(|entry| entry.value).collect();
    while let Some(e) = open.pop() {
        let named = match unit[e].kind {
            ExprKind::Load(place)
            | ExprKind::AddressOf(place)
            | ExprKind::Step { place, .. }
            | ExprKind::Assign { place, .. } => unit.root(place) == Some(object),
            // There may be anything in its statements.
            ExprKind::Block { .. } => true,
            _ => false,
        };
        if named {
            return true;
        }
        open.extend(operands(unit, &unit[e].kind));
    }
    false
}

/// The expressions that a place is found by, in order.
pub(super) fn place_operands(unit: &Unit, mut place: PlaceId) -> Vec<ExprId> {
    let mut operands = Vec::new();
    loop {
        match unit[place].kind {
            PlaceKind::Object(_) | PlaceKind::Compound(_) | PlaceKind::String(_) => break,
            PlaceKind::Deref(e) | PlaceKind::Value(e) => {
                operands.push(e);
                break;
            }
            PlaceKind::Member { base, .. } => place = base,
            PlaceKind::Index { base, index } => {
                operands.push(index);
                place = base;
            }
        }
    }
    operands.reverse();
    operands
}
