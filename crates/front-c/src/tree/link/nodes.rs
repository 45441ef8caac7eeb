//! Nodes of one unit as nodes of the program: their ids follow those that are there already.

use super::Linker;
use super::types::TypeMap;
use crate::tree::renumber::Renumber;
use crate::tree::{
    Case, CaseId, Expr, ExprId, Function, FunctionId, LabelId, Object, ObjectId, Place, PlaceId, Position,
    Scope, ScopeId, SignatureId, Stmt, StmtId, StringId, StringLiteral, Type, Unit,
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
        let mut ids = shift;
        self.unit.exprs.extend(from.exprs.iter().map(|e| Expr {
            kind: ids.expr_kind(&e.kind),
            ty: shift.types.get(e.ty),
            at: shift.position(e.at),
        }));
        self.unit.places.extend(from.places.iter().map(|p| Place {
            kind: ids.place_kind(p.kind),
            ty: shift.types.get(p.ty),
            at: shift.position(p.at),
        }));
        self.unit.stmts.extend(
            from.stmts.iter().map(|s| Stmt { kind: ids.stmt_kind(&s.kind), at: shift.position(s.at) }),
        );
        self.unit
            .strings
            .extend(from.strings.iter().map(|s| StringLiteral { ty: shift.types.get(s.ty), ..s.clone() }));
        self.unit.cases.extend(from.cases.iter().map(|c| Case { scope: ids.scope(c.scope), ..*c }));
        self.unit.scopes.extend(from.scopes.iter().map(|s| Scope {
            object: ids.object(s.object),
            parent: ids.scope(s.parent),
            depth: s.depth,
        }));
        self.unit.error_labels.extend(from.error_labels.iter().map(|&l| ids.label(l)));
        self.unit.labels.extend(from.labels.iter().map(|&l| ids.scope(l)));
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

    /// A variable as the program has it.
    pub(super) fn whole_object(&self, object: &Object) -> Object {
        let mut ids = self;
        Object {
            name: object.name.clone(),
            ty: self.types.get(object.ty),
            dynamic_size: object.dynamic_size.map(|e| ids.expr(e)),
            storage: ids.storage(&object.storage),
            at: self.position(object.at),
            ..*object
        }
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
        let mut ids = self;
        Function {
            params: function.params.iter().map(|&p| ids.object(p)).collect(),
            body: function.body.map(|b| ids.stmt(b)),
            ..self.signature_of(function)
        }
    }
}

impl Renumber for &Shift {
    fn expr(&mut self, id: ExprId) -> ExprId {
        ExprId(id.0 + self.exprs)
    }

    fn place(&mut self, id: PlaceId) -> PlaceId {
        PlaceId(id.0 + self.places)
    }

    fn stmt(&mut self, id: StmtId) -> StmtId {
        StmtId(id.0 + self.stmts)
    }

    fn object(&mut self, id: ObjectId) -> ObjectId {
        self.objects[id.index()]
    }

    fn function(&mut self, id: FunctionId) -> FunctionId {
        self.functions[id.index()]
    }

    fn string(&mut self, id: StringId) -> StringId {
        StringId(id.0 + self.strings)
    }

    fn label(&mut self, id: LabelId) -> LabelId {
        LabelId(id.0 + self.labels)
    }

    fn case(&mut self, id: CaseId) -> CaseId {
        CaseId(id.0 + self.cases)
    }

    fn scope(&mut self, id: Option<ScopeId>) -> Option<ScopeId> {
        id.map(|id| ScopeId(id.0 + self.scopes))
    }

    fn ty(&mut self, ty: Type) -> Type {
        self.types.get(ty)
    }

    fn signature(&mut self, id: SignatureId) -> SignatureId {
        self.types.signature(id)
    }
}
