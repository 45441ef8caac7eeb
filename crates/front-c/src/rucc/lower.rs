//! The state of the walk from `rucc`'s typed tree to ours.

use crate::lines::Lines;
use crate::options::DataModel;
use crate::tree::{
    CaseId, Expr, ExprId, ExprKind, FunctionId, LabelId, ObjectId, Position, Scope, ScopeId, Stmt, StmtId,
    StmtKind, Type, Unit,
};
use rucc_base::{Interner, Symbol};
use rucc_diag::Span;
use rucc_sema::{Checked, Tast};
use rucc_target::TargetInfo;
use rucc_types::{Qualifiers, TypeId, TypeKind, Types, integer_info};
use rustc_hash::FxHashMap;
use tamis_program::IntType;

/// The walk over one translation unit.
pub(super) struct Lower<'a> {
    pub(super) tast: &'a Tast,
    pub(super) types: &'a Types,
    target: &'a TargetInfo,
    names: &'a Interner,
    lines: &'a Lines,
    pub(super) unit: Unit,
    pub(super) objects: FxHashMap<rucc_sema::DeclId, ObjectId>,
    pub(super) functions: FxHashMap<rucc_sema::DeclId, FunctionId>,
    /// The functions by their names to the linker.
    pub(super) symbols: FxHashMap<String, FunctionId>,
    /// For each name with linkage, the declaration that says most.
    pub(super) linked: FxHashMap<Symbol, rucc_sema::DeclId>,
    pub(super) labels: FxHashMap<rucc_sema::LabelId, LabelId>,
    pub(super) cases: FxHashMap<rucc_sema::CaseId, CaseId>,
    /// The point in the function that the walk is at.
    pub(super) scope: Option<ScopeId>,
    /// For each enclosing `switch`, the point of its `default`.
    pub(super) defaults: Vec<Option<Option<ScopeId>>>,
    /// The operand that an enclosing `?:` without a middle tests.
    pub(super) bound: Option<rucc_sema::ExprId>,
    /// The last place with a position: what the parser made up has none.
    last: Position,
}

impl<'a> Lower<'a> {
    pub(super) fn new(
        checked: &'a Checked,
        target: &'a TargetInfo,
        names: &'a Interner,
        lines: &'a Lines,
    ) -> Lower<'a> {
        Lower {
            tast: &checked.tast,
            types: &checked.types,
            target,
            names,
            lines,
            unit: Unit::default(),
            objects: FxHashMap::default(),
            functions: FxHashMap::default(),
            symbols: FxHashMap::default(),
            linked: FxHashMap::default(),
            labels: FxHashMap::default(),
            cases: FxHashMap::default(),
            scope: None,
            defaults: Vec::new(),
            bound: None,
            last: Position::default(),
        }
    }

    /// The whole translation unit.
    pub(super) fn unit(mut self, model: DataModel) -> Unit {
        self.unit.files = self.lines.files().to_vec();
        self.unit.word = match model {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        };
        self.declarations();
        self.unit
    }

    pub(super) fn name(&self, symbol: Symbol) -> String {
        self.names.resolve(symbol).to_owned()
    }

    /// The text of a string literal.
    pub(super) fn text(&self, literal: rucc_sema::StrId) -> String {
        let bytes: Vec<u8> =
            self.tast[literal].elements.iter().map(|&c| c.try_into().unwrap_or(b'?')).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub(super) fn position(&mut self, span: Span) -> Position {
        if !span.is_dummy() {
            self.last = self.lines.position(span.lo);
        }
        self.last
    }

    /// The type, as far as its values are modelled.
    pub(super) fn ty(&self, id: TypeId) -> Type {
        let id = self.types.canonical(id);
        if self.types.hardbool_of(id).is_some() {
            return Type::Other("hardened Boolean");
        }
        match self.types.kind(id) {
            TypeKind::Void => Type::Void,
            TypeKind::Bool => Type::Bool,
            TypeKind::Int(_) => match integer_info(self.types, id, self.target) {
                Some(info) => Type::Int(IntType { bits: info.width, signed: info.signed }),
                None => Type::Other("integer of unknown width"),
            },
            TypeKind::Enum(id) => match self.types.enum_info(id).underlying {
                Some(underlying) => self.ty(underlying),
                None => Type::Other("incomplete enumeration"),
            },
            TypeKind::Float(_) => Type::Other("floating-point arithmetic"),
            TypeKind::Complex(_) => Type::Other("complex arithmetic"),
            TypeKind::BitInt { .. } => Type::Other("_BitInt"),
            TypeKind::Pointer(_) => Type::Pointer { bits: self.unit.word },
            TypeKind::Atomic(_) => Type::Other("atomic object"),
            TypeKind::Array { .. } => Type::Other("array"),
            TypeKind::Function(_) => Type::Other("function"),
            TypeKind::Vector { .. } => Type::Other("vector"),
            TypeKind::Record(_) => Type::Other("struct or union"),
            TypeKind::Typedef { .. } => Type::Other("this type"),
        }
    }

    pub(super) fn is_volatile(&self, id: TypeId) -> bool {
        let canonical = self.types.canonical(id);
        self.types.quals(canonical).has(Qualifiers::VOLATILE)
            || self.types.object_quals(canonical).has(Qualifiers::VOLATILE)
    }

    pub(super) fn add_expr(&mut self, kind: ExprKind, ty: Type, at: Position) -> ExprId {
        self.unit.exprs.push(Expr { kind, ty, at });
        ExprId(self.unit.exprs.len() as u32 - 1)
    }

    pub(super) fn add_stmt(&mut self, kind: StmtKind, at: Position) -> StmtId {
        self.unit.stmts.push(Stmt { kind, at });
        StmtId(self.unit.stmts.len() as u32 - 1)
    }

    /// Moves past the declaration of a variable.
    pub(super) fn enter_scope(&mut self, object: ObjectId) {
        let depth = self.scope.map_or(0, |s| self.unit.scopes[s.index()].depth + 1);
        self.unit.scopes.push(Scope { object, parent: self.scope, depth });
        self.scope = Some(ScopeId(self.unit.scopes.len() as u32 - 1));
    }
}
