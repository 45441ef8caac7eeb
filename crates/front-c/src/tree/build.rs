//! Additions to a tree that is complete.

use super::{
    Callee, Expr, ExprId, ExprKind, Function, FunctionId, Object, ObjectId, Place, PlaceId, PlaceKind,
    Position, Record, RecordId, Signature, SignatureId, Stmt, StmtId, StmtKind, Storage, Type, TypeIds, Unit,
};
use tamis_program::IntType;

/// A unit and what is needed to add to it.
pub(crate) struct Growing {
    pub(crate) unit: Unit,
    ids: TypeIds,
}

impl Growing {
    pub(crate) fn new(unit: Unit) -> Growing {
        Growing { ids: TypeIds::of(&unit), unit }
    }

    pub(crate) fn expr(&mut self, kind: ExprKind, ty: Type, at: Position) -> ExprId {
        self.unit.exprs.push(Expr { kind, ty, at });
        ExprId(self.unit.exprs.len() as u32 - 1)
    }

    pub(crate) fn place(&mut self, kind: PlaceKind, ty: Type, at: Position) -> PlaceId {
        self.unit.places.push(Place { kind, ty, at });
        PlaceId(self.unit.places.len() as u32 - 1)
    }

    pub(crate) fn stmt(&mut self, kind: StmtKind, at: Position) -> StmtId {
        self.unit.stmts.push(Stmt { kind, at });
        StmtId(self.unit.stmts.len() as u32 - 1)
    }

    /// The type of pointers to a type.
    pub(crate) fn pointer(&mut self, to: Type) -> Type {
        self.ids.pointer(&mut self.unit, to)
    }

    /// A new struct or union type.
    pub(crate) fn record(&mut self, record: Record) -> Type {
        self.unit.records.push(record);
        Type::Record(RecordId(self.unit.records.len() as u32 - 1))
    }

    /// A function type with one more parameter in the place of those that vary.
    pub(crate) fn with_parameter(&mut self, signature: SignatureId, param: Type) -> SignatureId {
        let mut signature = self.unit[signature].clone();
        signature.params.get_or_insert_default().push(param);
        signature.variadic = false;
        self.ids.signature(&mut self.unit, signature)
    }

    /// An integer type.
    pub(crate) fn int(bits: u32, signed: bool) -> Type {
        Type::Int(IntType { bits, signed })
    }

    /// A value in another type. There is no conversion between equal types.
    pub(crate) fn convert(&mut self, value: ExprId, ty: Type) -> ExprId {
        let Expr { ty: from, at, .. } = self.unit[value];
        if from == ty { value } else { self.expr(ExprKind::Convert(value), ty, at) }
    }

    /// The value of a variable.
    pub(crate) fn load(&mut self, object: ObjectId, at: Position) -> ExprId {
        let ty = self.unit[object].ty;
        let place = self.place(PlaceKind::Object(object), ty, at);
        self.expr(ExprKind::Load(place), ty, at)
    }

    /// A variable in an activation, without an initial value.
    pub(crate) fn variable(&mut self, name: &str, ty: Type, at: Position) -> ObjectId {
        let size = self.unit.size_of(ty);
        self.unit.objects.push(Object {
            name: name.to_owned(),
            ty,
            size,
            align: size.unwrap_or(1).clamp(1, 16),
            dynamic_size: None,
            storage: Storage::Automatic(None),
            constant: false,
            volatile: false,
            external: false,
            weak: false,
            refused: None,
            declaration_refused: None,
            local: true,
            at,
        });
        ObjectId(self.unit.objects.len() as u32 - 1)
    }

    /// A function without a body that the linker finds by its name.
    pub(crate) fn declare(
        &mut self,
        name: &str,
        result: Type,
        params: Vec<Type>,
        at: Position,
    ) -> FunctionId {
        let known = self.unit.functions().find(|&f| self.unit[f].external && self.unit[f].name == name);
        if let Some(known) = known {
            return known;
        }
        let signature = Signature { result, params: Some(params.clone()), variadic: false };
        let signature = self.ids.signature(&mut self.unit, signature);
        self.unit.functions.push(Function {
            name: name.to_owned(),
            signature,
            result,
            params: Vec::new(),
            prototype: Some(params),
            variadic: false,
            body: None,
            external: true,
            weak: false,
            noreturn: false,
            refused: None,
            at,
        });
        FunctionId(self.unit.functions.len() as u32 - 1)
    }

    /// A call of a named function.
    pub(crate) fn call(&mut self, function: FunctionId, args: Vec<ExprId>, at: Position) -> ExprId {
        let ty = self.unit[function].result;
        self.expr(ExprKind::Call { callee: Callee::Function(function), args }, ty, at)
    }
}
