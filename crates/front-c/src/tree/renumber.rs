//! Nodes copied to other ids.

use super::{
    AssignOp, Callee, CaseId, ExprId, ExprKind, FunctionId, Init, InitEntry, LabelId, ObjectId, PlaceId,
    PlaceKind, ScopeId, SignatureId, StmtId, StmtKind, Storage, StringId, Type,
};

/// Which id each id becomes, and from that the nodes over the new ids.
pub(crate) trait Renumber {
    fn expr(&mut self, id: ExprId) -> ExprId;
    fn place(&mut self, id: PlaceId) -> PlaceId;
    fn stmt(&mut self, id: StmtId) -> StmtId;
    fn object(&mut self, id: ObjectId) -> ObjectId;
    fn function(&mut self, id: FunctionId) -> FunctionId;
    fn string(&mut self, id: StringId) -> StringId;
    fn label(&mut self, id: LabelId) -> LabelId;
    fn case(&mut self, id: CaseId) -> CaseId;
    fn scope(&mut self, id: Option<ScopeId>) -> Option<ScopeId>;
    fn ty(&mut self, ty: Type) -> Type;
    fn signature(&mut self, id: SignatureId) -> SignatureId;

    fn exprs(&mut self, ids: &[ExprId]) -> Vec<ExprId> {
        ids.iter().map(|&e| self.expr(e)).collect()
    }

    fn stmts(&mut self, ids: &[StmtId]) -> Vec<StmtId> {
        ids.iter().map(|&s| self.stmt(s)).collect()
    }

    fn storage(&mut self, storage: &Storage) -> Storage {
        match storage {
            Storage::Automatic(init) => Storage::Automatic(init.as_ref().map(|init| self.init(init))),
            Storage::Static(init) => Storage::Static(init.as_ref().map(|init| self.init(init))),
            Storage::Elsewhere => Storage::Elsewhere,
        }
    }

    fn init(&mut self, init: &Init) -> Init {
        let entries = init.entries.iter().map(|e| InitEntry { value: self.expr(e.value), ..*e }).collect();
        Init { entries }
    }

    fn place_kind(&mut self, kind: PlaceKind) -> PlaceKind {
        match kind {
            PlaceKind::Object(object) => PlaceKind::Object(self.object(object)),
            PlaceKind::Compound(object) => PlaceKind::Compound(self.object(object)),
            PlaceKind::String(string) => PlaceKind::String(self.string(string)),
            PlaceKind::Deref(pointer) => PlaceKind::Deref(self.expr(pointer)),
            PlaceKind::Member { base, field } => PlaceKind::Member { base: self.place(base), field },
            PlaceKind::Index { base, index } => {
                PlaceKind::Index { base: self.place(base), index: self.expr(index) }
            }
            PlaceKind::Value(value) => PlaceKind::Value(self.expr(value)),
        }
    }

    fn stmt_kind(&mut self, kind: &StmtKind) -> StmtKind {
        match kind {
            StmtKind::Empty => StmtKind::Empty,
            StmtKind::Expr(e) => StmtKind::Expr(self.expr(*e)),
            StmtKind::Block(body) => StmtKind::Block(self.stmts(body)),
            StmtKind::Declare(objects) => {
                StmtKind::Declare(objects.iter().map(|&o| self.object(o)).collect())
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

    fn expr_kind(&mut self, kind: &ExprKind) -> ExprKind {
        match kind {
            ExprKind::Const(value) => ExprKind::Const(*value),
            ExprKind::Float(bits) => ExprKind::Float(*bits),
            ExprKind::Load(place) => ExprKind::Load(self.place(*place)),
            ExprKind::AddressOf(place) => ExprKind::AddressOf(self.place(*place)),
            ExprKind::FunctionAddress(function) => ExprKind::FunctionAddress(self.function(*function)),
            ExprKind::LabelAddress(label) => ExprKind::LabelAddress(self.label(*label)),
            ExprKind::Neg(a) => ExprKind::Neg(self.expr(*a)),
            ExprKind::BitNot(a) => ExprKind::BitNot(self.expr(*a)),
            ExprKind::Not(a) => ExprKind::Not(self.expr(*a)),
            ExprKind::Arith(op, a, b) => ExprKind::Arith(*op, self.expr(*a), self.expr(*b)),
            ExprKind::PointerAdd { pointer, index, subtract, scale } => ExprKind::PointerAdd {
                pointer: self.expr(*pointer),
                index: self.expr(*index),
                subtract: *subtract,
                scale: *scale,
            },
            ExprKind::PointerDiff { left, right, scale } => {
                ExprKind::PointerDiff { left: self.expr(*left), right: self.expr(*right), scale: *scale }
            }
            ExprKind::Compare(op, a, b) => ExprKind::Compare(*op, self.expr(*a), self.expr(*b)),
            ExprKind::LogAnd(a, b) => ExprKind::LogAnd(self.expr(*a), self.expr(*b)),
            ExprKind::LogOr(a, b) => ExprKind::LogOr(self.expr(*a), self.expr(*b)),
            ExprKind::Convert(a) => ExprKind::Convert(self.expr(*a)),
            ExprKind::Assign { place, op, value } => ExprKind::Assign {
                place: self.place(*place),
                op: op.map(|op| match op {
                    AssignOp::Arith(op, ty) => AssignOp::Arith(op, self.ty(ty)),
                    pointer @ AssignOp::Pointer { .. } => pointer,
                }),
                value: self.expr(*value),
            },
            ExprKind::Step { place, up, post, by } => {
                ExprKind::Step { place: self.place(*place), up: *up, post: *post, by: *by }
            }
            ExprKind::Cond { cond, then, otherwise } => ExprKind::Cond {
                cond: self.expr(*cond),
                then: self.expr(*then),
                otherwise: self.expr(*otherwise),
            },
            ExprKind::Elvis { value, then, otherwise } => ExprKind::Elvis {
                value: self.expr(*value),
                then: self.expr(*then),
                otherwise: self.expr(*otherwise),
            },
            ExprKind::Bound => ExprKind::Bound,
            ExprKind::Comma(a, b) => ExprKind::Comma(self.expr(*a), self.expr(*b)),
            ExprKind::Call { callee, args } => ExprKind::Call {
                callee: match callee {
                    Callee::Function(function) => Callee::Function(self.function(*function)),
                    Callee::Pointer(pointer, signature) => {
                        Callee::Pointer(self.expr(*pointer), self.signature(*signature))
                    }
                },
                args: self.exprs(args),
            },
            ExprKind::Block { body, value } => {
                ExprKind::Block { body: self.stmts(body), value: value.map(|e| self.expr(e)) }
            }
            ExprKind::Magnitude(a) => ExprKind::Magnitude(self.expr(*a)),
            ExprKind::SwapBytes(a) => ExprKind::SwapBytes(self.expr(*a)),
            ExprKind::BitCount(count, a) => ExprKind::BitCount(*count, self.expr(*a)),
            ExprKind::Overflow { op, operands, result, stores } => ExprKind::Overflow {
                op: *op,
                operands: [self.expr(operands[0]), self.expr(operands[1])],
                result: self.expr(*result),
                stores: *stores,
            },
            ExprKind::VaStart(a) => ExprKind::VaStart(self.expr(*a)),
            ExprKind::VaArg(a) => ExprKind::VaArg(self.expr(*a)),
            ExprKind::VaEnd(a) => ExprKind::VaEnd(self.expr(*a)),
            ExprKind::VaCopy(a, b) => ExprKind::VaCopy(self.expr(*a), self.expr(*b)),
            ExprKind::Alloca(a) => ExprKind::Alloca(self.expr(*a)),
            ExprKind::Trap => ExprKind::Trap,
            ExprKind::Unreachable => ExprKind::Unreachable,
            ExprKind::Unsupported(what) => ExprKind::Unsupported(what.clone()),
        }
    }
}
