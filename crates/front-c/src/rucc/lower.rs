//! The state of the walk from `rucc`'s typed tree to ours.

use super::length::member_lengths;
use super::overrides::Braces;
use super::vector::Lanes;
use crate::desugar::cleanup;
use crate::lines::Lines;
use crate::options::DataModel;
use crate::tree::{
    CaseId, Expr, ExprId, ExprKind, FunctionId, LabelId, ObjectId, Place, PlaceId, PlaceKind, Position,
    RecordId, Scope, ScopeId, Stmt, StmtId, StmtKind, StringId, Type, TypeIds, Unit,
};
use rucc_base::{Interner, Symbol};
use rucc_diag::Span;
use rucc_sema::{Checked, Tast};
use rucc_target::TargetInfo;
use rucc_types::{TypeId, Types};
use rustc_hash::{FxHashMap, FxHashSet};

/// The walk over one translation unit.
pub(super) struct Lower<'a> {
    pub(super) tast: &'a Tast,
    pub(super) types: &'a Types,
    pub(super) target: &'a TargetInfo,
    pub(super) names: &'a Interner,
    pub(super) lines: &'a Lines,
    pub(super) braces: Braces,
    /// Where functions are called that the parser answers by constants.
    pub(super) answered: FxHashMap<(u32, u32), &'static str>,
    pub(super) unit: Unit,
    pub(super) type_ids: TypeIds,
    /// The types by theirs, which have qualifiers: several are one type here.
    pub(super) known_types: FxHashMap<TypeId, Type>,
    pub(super) known_records: FxHashMap<rucc_types::RecordId, RecordId>,
    /// The structs that stand for vectors, by their lanes, and the other way round.
    pub(super) vectors: FxHashMap<Lanes, RecordId>,
    pub(super) lanes: FxHashMap<RecordId, Lanes>,
    pub(super) objects: FxHashMap<rucc_sema::DeclId, ObjectId>,
    pub(super) functions: FxHashMap<rucc_sema::DeclId, FunctionId>,
    pub(super) strings: FxHashMap<rucc_sema::StrId, StringId>,
    /// The functions by their names to the linker.
    pub(super) symbols: FxHashMap<String, FunctionId>,
    /// For each name with linkage, the declaration that says most.
    pub(super) linked: FxHashMap<Symbol, rucc_sema::DeclId>,
    /// The names of the functions with bodies.
    pub(super) defined: FxHashSet<String>,
    pub(super) labels: FxHashMap<rucc_sema::LabelId, LabelId>,
    pub(super) cases: FxHashMap<rucc_sema::CaseId, CaseId>,
    /// The variables that hold the lengths of variable-length arrays, by the expressions of the lengths.
    pub(super) lengths: FxHashMap<rucc_sema::ExprId, ObjectId>,
    /// The lengths that are written in a struct or union.
    pub(super) member_lengths: FxHashSet<rucc_sema::ExprId>,
    /// The point in the function that the walk is at.
    pub(super) scope: Option<ScopeId>,
    /// For each enclosing `switch`, the point of its `default`.
    pub(super) defaults: Vec<Option<Option<ScopeId>>>,
    /// The operand that an enclosing `?:` without a middle tests.
    pub(super) bound: Option<rucc_sema::ExprId>,
    /// The variables that are cleaned up at the end of their scopes, and the functions that do it.
    pub(super) cleanups: Vec<(ObjectId, FunctionId)>,
    /// Whether what is read from `volatile` objects is an input.
    pub(super) volatile_inputs: bool,
    /// The last place with a position: what the parser made up has none.
    last: Position,
}

impl<'a> Lower<'a> {
    pub(super) fn new(
        checked: &'a Checked,
        target: &'a TargetInfo,
        names: &'a Interner,
        lines: &'a Lines,
        braces: Braces,
        answered: FxHashMap<(u32, u32), &'static str>,
    ) -> Lower<'a> {
        Lower {
            tast: &checked.tast,
            types: &checked.types,
            target,
            names,
            lines,
            braces,
            answered,
            unit: Unit::default(),
            type_ids: TypeIds::default(),
            known_types: FxHashMap::default(),
            known_records: FxHashMap::default(),
            vectors: FxHashMap::default(),
            lanes: FxHashMap::default(),
            objects: FxHashMap::default(),
            functions: FxHashMap::default(),
            strings: FxHashMap::default(),
            symbols: FxHashMap::default(),
            linked: FxHashMap::default(),
            defined: FxHashSet::default(),
            labels: FxHashMap::default(),
            cases: FxHashMap::default(),
            lengths: FxHashMap::default(),
            member_lengths: member_lengths(checked),
            scope: None,
            defaults: Vec::new(),
            bound: None,
            cleanups: Vec::new(),
            volatile_inputs: false,
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
        let mut unit = cleanup::calls(self.unit, &self.cleanups);
        unit.settle_calls();
        unit
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

    pub(super) fn add_expr(&mut self, kind: ExprKind, ty: Type, at: Position) -> ExprId {
        self.unit.exprs.push(Expr { kind, ty, at });
        ExprId(self.unit.exprs.len() as u32 - 1)
    }

    pub(super) fn add_place(&mut self, kind: PlaceKind, ty: Type, at: Position) -> PlaceId {
        self.unit.places.push(Place { kind, ty, at });
        PlaceId(self.unit.places.len() as u32 - 1)
    }

    pub(super) fn add_stmt(&mut self, kind: StmtKind, at: Position) -> StmtId {
        self.unit.stmts.push(Stmt { kind, at });
        StmtId(self.unit.stmts.len() as u32 - 1)
    }

    /// An expression that is not taken.
    pub(super) fn unsupported(&mut self, what: impl Into<String>, ty: Type, at: Position) -> ExprId {
        self.add_expr(ExprKind::Unsupported(what.into()), ty, at)
    }

    /// Moves past the declaration of a variable.
    pub(super) fn enter_scope(&mut self, object: ObjectId) {
        let depth = self.scope.map_or(0, |s| self.unit.scopes[s.index()].depth + 1);
        self.unit.scopes.push(Scope { object, parent: self.scope, depth });
        self.scope = Some(ScopeId(self.unit.scopes.len() as u32 - 1));
    }
}
