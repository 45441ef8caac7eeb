//! Nodes of one unit as nodes of the program: their ids follow those that are there already.

use super::Linker;
use super::types::TypeMap;
use crate::tree::{
    AssignOp, Callee, Case, CaseId, Expr, ExprId, ExprKind, Function, FunctionId, Init, InitEntry, LabelId,
    Object, ObjectId, Place, PlaceId, PlaceKind, Position, Scope, ScopeId, Stmt, StmtId, StmtKind, Storage,
    StringId, StringLiteral, Unit,
};

/// By how much the ids of a unit move, and where its types, variables and functions are in the program.
pub(super) struct Shift {
    pub(super) types: TypeMap,
    pub(super) objects: Vec<ObjectId>,
    pub(super) functions: Vec<FunctionId>,
    files: u32,
    exprs: u32,
    places: u32,
    stmts: u32,
    strings: u32,
    cases: u32,
    scopes: u32,
    labels: u32,
}

impl Linker {
    /// Copies all nodes of a unit.
    pub(super) fn copy(&mut self, from: &Unit, shift: &Shift) {
        self.unit.exprs.extend(from.exprs.iter().map(|e| Expr {
            kind: shift.expr_kind(&e.kind),
            ty: shift.types.get(e.ty),
            at: shift.position(e.at),
        }));
        self.unit.places.extend(from.places.iter().map(|p| Place {
            kind: shift.place_kind(p.kind),
            ty: shift.types.get(p.ty),
            at: shift.position(p.at),
        }));
        self.unit.stmts.extend(
            from.stmts.iter().map(|s| Stmt { kind: shift.stmt_kind(&s.kind), at: shift.position(s.at) }),
        );
        self.unit
            .strings
            .extend(from.strings.iter().map(|s| StringLiteral { ty: shift.types.get(s.ty), ..s.clone() }));
        self.unit.cases.extend(from.cases.iter().map(|c| Case { scope: shift.scope(c.scope), ..*c }));
        self.unit.scopes.extend(from.scopes.iter().map(|s| Scope {
            object: shift.object_id(s.object),
            parent: shift.scope(s.parent),
            depth: s.depth,
        }));
        self.unit.labels.extend(from.labels.iter().map(|&l| shift.scope(l)));
    }
}

impl Shift {
    pub(super) fn new(program: &Unit, types: TypeMap) -> Shift {
        Shift {
            types,
            objects: Vec::new(),
            functions: Vec::new(),
            files: program.files.len() as u32,
            exprs: program.exprs.len() as u32,
            places: program.places.len() as u32,
            stmts: program.stmts.len() as u32,
            strings: program.strings.len() as u32,
            cases: program.cases.len() as u32,
            scopes: program.scopes.len() as u32,
            labels: program.labels.len() as u32,
        }
    }

    pub(super) fn position(&self, at: Position) -> Position {
        Position { file: at.file + self.files, ..at }
    }

    pub(super) fn function(&self, id: FunctionId) -> FunctionId {
        self.functions[id.index()]
    }

    fn object_id(&self, id: ObjectId) -> ObjectId {
        self.objects[id.index()]
    }

    fn expr(&self, id: ExprId) -> ExprId {
        ExprId(id.0 + self.exprs)
    }

    fn place(&self, id: PlaceId) -> PlaceId {
        PlaceId(id.0 + self.places)
    }

    fn stmt(&self, id: StmtId) -> StmtId {
        StmtId(id.0 + self.stmts)
    }

    fn label(&self, id: LabelId) -> LabelId {
        LabelId(id.0 + self.labels)
    }

    fn case(&self, id: CaseId) -> CaseId {
        CaseId(id.0 + self.cases)
    }

    fn scope(&self, id: Option<ScopeId>) -> Option<ScopeId> {
        id.map(|id| ScopeId(id.0 + self.scopes))
    }

    fn exprs(&self, ids: &[ExprId]) -> Vec<ExprId> {
        ids.iter().map(|&e| self.expr(e)).collect()
    }

    fn stmts(&self, ids: &[StmtId]) -> Vec<StmtId> {
        ids.iter().map(|&s| self.stmt(s)).collect()
    }

    /// A variable as the program has it.
    pub(super) fn object(&self, object: &Object) -> Object {
        let init = |init: &Option<Init>| init.as_ref().map(|init| self.init(init));
        Object {
            name: object.name.clone(),
            ty: self.types.get(object.ty),
            dynamic_size: object.dynamic_size.map(|e| self.expr(e)),
            storage: match &object.storage {
                Storage::Automatic(value) => Storage::Automatic(init(value)),
                Storage::Static(value) => Storage::Static(init(value)),
                Storage::Elsewhere => Storage::Elsewhere,
            },
            at: self.position(object.at),
            ..*object
        }
    }

    fn init(&self, init: &Init) -> Init {
        let entries = init.entries.iter().map(|e| InitEntry { value: self.expr(e.value), ..*e }).collect();
        Init { entries }
    }

    /// A function as the program has it, without its parameters and body.
    pub(super) fn signature_of(&self, function: &Function) -> Function {
        Function {
            signature: self.types.signature(function.signature),
            result: self.types.get(function.result),
            prototype: function
                .prototype
                .as_ref()
                .map(|params| params.iter().map(|&p| self.types.get(p)).collect()),
            at: self.position(function.at),
            ..function.clone()
        }
    }

    /// A function as the program has it.
    pub(super) fn whole_function(&self, function: &Function) -> Function {
        Function {
            params: function.params.iter().map(|&p| self.object_id(p)).collect(),
            body: function.body.map(|b| self.stmt(b)),
            ..self.signature_of(function)
        }
    }

    fn place_kind(&self, kind: PlaceKind) -> PlaceKind {
        match kind {
            PlaceKind::Object(object) => PlaceKind::Object(self.object_id(object)),
            PlaceKind::Compound(object) => PlaceKind::Compound(self.object_id(object)),
            PlaceKind::String(string) => PlaceKind::String(StringId(string.0 + self.strings)),
            PlaceKind::Deref(pointer) => PlaceKind::Deref(self.expr(pointer)),
            PlaceKind::Member { base, field } => PlaceKind::Member { base: self.place(base), field },
            PlaceKind::Index { base, index } => {
                PlaceKind::Index { base: self.place(base), index: self.expr(index) }
            }
            PlaceKind::Value(value) => PlaceKind::Value(self.expr(value)),
        }
    }

    fn stmt_kind(&self, kind: &StmtKind) -> StmtKind {
        match kind {
            StmtKind::Empty => StmtKind::Empty,
            StmtKind::Expr(e) => StmtKind::Expr(self.expr(*e)),
            StmtKind::Block(body) => StmtKind::Block(self.stmts(body)),
            StmtKind::Declare(objects) => {
                StmtKind::Declare(objects.iter().map(|&o| self.object_id(o)).collect())
            }
            StmtKind::If { cond, then, otherwise } => StmtKind::If {
                cond: self.expr(*cond),
                then: self.stmt(*then),
                otherwise: otherwise.map(|s| self.stmt(s)),
            },
            StmtKind::While { cond, body } => {
                StmtKind::While { cond: self.expr(*cond), body: self.stmt(*body) }
            }
            StmtKind::DoWhile { body, cond } => {
                StmtKind::DoWhile { body: self.stmt(*body), cond: self.expr(*cond) }
            }
            StmtKind::For { init, cond, step, body } => StmtKind::For {
                init: init.map(|s| self.stmt(s)),
                cond: cond.map(|e| self.expr(e)),
                step: step.map(|e| self.expr(e)),
                body: self.stmt(*body),
            },
            StmtKind::Switch { cond, body, cases, default, scope } => StmtKind::Switch {
                cond: self.expr(*cond),
                body: self.stmt(*body),
                cases: cases.iter().map(|&c| self.case(c)).collect(),
                default: default.map(|scope| self.scope(scope)),
                scope: self.scope(*scope),
            },
            StmtKind::Case { case, body } => {
                StmtKind::Case { case: self.case(*case), body: self.stmt(*body) }
            }
            StmtKind::Default { body } => StmtKind::Default { body: self.stmt(*body) },
            StmtKind::Label { label, body } => {
                StmtKind::Label { label: self.label(*label), body: self.stmt(*body) }
            }
            StmtKind::Goto { label, scope } => {
                StmtKind::Goto { label: self.label(*label), scope: self.scope(*scope) }
            }
            StmtKind::IndirectGoto { address, scope } => {
                StmtKind::IndirectGoto { address: self.expr(*address), scope: self.scope(*scope) }
            }
            StmtKind::Asm { outputs, inputs, memory, labels } => StmtKind::Asm {
                outputs: outputs.iter().map(|&p| self.place(p)).collect(),
                inputs: self.exprs(inputs),
                memory: *memory,
                labels: labels.iter().map(|&l| self.label(l)).collect(),
            },
            StmtKind::Break => StmtKind::Break,
            StmtKind::Continue => StmtKind::Continue,
            StmtKind::Return(value) => StmtKind::Return(value.map(|e| self.expr(e))),
            StmtKind::Unsupported(what) => StmtKind::Unsupported(what.clone()),
        }
    }

    fn expr_kind(&self, kind: &ExprKind) -> ExprKind {
        let e = |id: &ExprId| self.expr(*id);
        match kind {
            ExprKind::Const(value) => ExprKind::Const(*value),
            ExprKind::Float(bits) => ExprKind::Float(*bits),
            ExprKind::Load(place) => ExprKind::Load(self.place(*place)),
            ExprKind::AddressOf(place) => ExprKind::AddressOf(self.place(*place)),
            ExprKind::FunctionAddress(function) => ExprKind::FunctionAddress(self.function(*function)),
            ExprKind::LabelAddress(label) => ExprKind::LabelAddress(self.label(*label)),
            ExprKind::Neg(a) => ExprKind::Neg(e(a)),
            ExprKind::BitNot(a) => ExprKind::BitNot(e(a)),
            ExprKind::Not(a) => ExprKind::Not(e(a)),
            ExprKind::Arith(op, a, b) => ExprKind::Arith(*op, e(a), e(b)),
            ExprKind::PointerAdd { pointer, index, subtract, scale } => ExprKind::PointerAdd {
                pointer: e(pointer),
                index: e(index),
                subtract: *subtract,
                scale: *scale,
            },
            ExprKind::PointerDiff { left, right, scale } => {
                ExprKind::PointerDiff { left: e(left), right: e(right), scale: *scale }
            }
            ExprKind::Compare(op, a, b) => ExprKind::Compare(*op, e(a), e(b)),
            ExprKind::LogAnd(a, b) => ExprKind::LogAnd(e(a), e(b)),
            ExprKind::LogOr(a, b) => ExprKind::LogOr(e(a), e(b)),
            ExprKind::Convert(a) => ExprKind::Convert(e(a)),
            ExprKind::Assign { place, op, value } => ExprKind::Assign {
                place: self.place(*place),
                op: op.map(|op| match op {
                    AssignOp::Arith(op, ty) => AssignOp::Arith(op, self.types.get(ty)),
                    pointer @ AssignOp::Pointer { .. } => pointer,
                }),
                value: e(value),
            },
            ExprKind::Step { place, up, post, by } => {
                ExprKind::Step { place: self.place(*place), up: *up, post: *post, by: *by }
            }
            ExprKind::Cond { cond, then, otherwise } => {
                ExprKind::Cond { cond: e(cond), then: e(then), otherwise: e(otherwise) }
            }
            ExprKind::Elvis { value, then, otherwise } => {
                ExprKind::Elvis { value: e(value), then: e(then), otherwise: e(otherwise) }
            }
            ExprKind::Bound => ExprKind::Bound,
            ExprKind::Comma(a, b) => ExprKind::Comma(e(a), e(b)),
            ExprKind::Call { callee, args } => ExprKind::Call {
                callee: match callee {
                    Callee::Function(function) => Callee::Function(self.function(*function)),
                    Callee::Pointer(pointer, signature) => {
                        Callee::Pointer(e(pointer), self.types.signature(*signature))
                    }
                },
                args: self.exprs(args),
            },
            ExprKind::Block { body, value } => {
                ExprKind::Block { body: self.stmts(body), value: value.as_ref().map(e) }
            }
            ExprKind::Magnitude(a) => ExprKind::Magnitude(e(a)),
            ExprKind::SwapBytes(a) => ExprKind::SwapBytes(e(a)),
            ExprKind::BitCount(count, a) => ExprKind::BitCount(*count, e(a)),
            ExprKind::Overflow { op, operands, result, stores } => ExprKind::Overflow {
                op: *op,
                operands: [e(&operands[0]), e(&operands[1])],
                result: e(result),
                stores: *stores,
            },
            ExprKind::VaStart(a) => ExprKind::VaStart(e(a)),
            ExprKind::VaArg(a) => ExprKind::VaArg(e(a)),
            ExprKind::VaEnd(a) => ExprKind::VaEnd(e(a)),
            ExprKind::VaCopy(a, b) => ExprKind::VaCopy(e(a), e(b)),
            ExprKind::Alloca(a) => ExprKind::Alloca(e(a)),
            ExprKind::Trap => ExprKind::Trap,
            ExprKind::Unreachable => ExprKind::Unreachable,
            ExprKind::Unsupported(what) => ExprKind::Unsupported(what.clone()),
        }
    }
}
