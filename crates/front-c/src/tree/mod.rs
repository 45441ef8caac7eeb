//! The typed tree of a translation unit, as far as Tamis knows C.
//!
//! Every name is resolved, every conversion is a node of its own, and constants are folded where the language asks
//! for it. What Tamis does not take yet is a node as well (`Unsupported`): whether it matters is known only once it
//! is known which code `main` reaches.
//!
//! Nodes live in the vectors of [`Unit`] and refer to each other by id, so depth costs no stack when a tree is dropped.

mod build;
mod calls;
mod check;
pub(crate) mod contexts;
mod declaration;
mod error_label;
mod expression;
mod intern;
mod link;
mod padding;
pub(crate) mod renumber;
mod statement;
mod types;
pub mod vocabulary;
pub(crate) mod written_out;

pub(crate) use build::Growing;
pub use check::Inconsistency;
pub(crate) use declaration::Spelling;
pub use declaration::{Function, Init, InitEntry, Object, Storage};
pub(crate) use error_label::ERROR_LABEL;
pub use error_label::ERROR_LABEL_REACHED;
pub use expression::{
    ArithOp, AssignOp, BitCount, Callee, CompareOp, Expr, ExprKind, OverflowOp, Place, PlaceKind,
    StringLiteral,
};
pub(crate) use intern::TypeIds;
pub(crate) use link::link_library;
pub use link::{LinkError, link};
pub use padding::Padding;
pub use statement::{Case, Scope, Stmt, StmtKind};
pub use types::{Array, BitField, Field, FloatType, Record, Signature, Type};

use crate::options::Target;
use rustc_hash::FxHashMap;
use std::ops::Index;

macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $id(pub(crate) u32);

        impl $id {
            /// The id as an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// An expression of a [`Unit`].
    ExprId,
    /// An lvalue of a [`Unit`].
    PlaceId,
    /// A statement of a [`Unit`].
    StmtId,
    /// A variable of a [`Unit`], of any storage.
    ObjectId,
    /// A function of a [`Unit`].
    FunctionId,
    /// A string literal of a [`Unit`].
    StringId,
    /// A struct or union type of a [`Unit`].
    RecordId,
    /// An array type of a [`Unit`].
    ArrayId,
    /// A type that pointers of a [`Unit`] point to.
    PointeeId,
    /// A function type of a [`Unit`].
    SignatureId,
    /// A label of some function of a [`Unit`].
    LabelId,
    /// A `case` of some `switch` of a [`Unit`].
    CaseId,
    /// A point in a function, by the last variable declared before it that is still in scope.
    ScopeId,
}

/// A place in the user's files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Position {
    /// The file, by its place in [`Unit::files`].
    pub file: u32,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// A translation unit.
#[derive(Clone, Default, Debug)]
pub struct Unit {
    pub(crate) files: Vec<String>,
    pub(crate) exprs: Vec<Expr>,
    pub(crate) places: Vec<Place>,
    pub(crate) stmts: Vec<Stmt>,
    pub(crate) objects: Vec<Object>,
    pub(crate) functions: Vec<Function>,
    pub(crate) strings: Vec<StringLiteral>,
    pub(crate) records: Vec<Record>,
    pub(crate) arrays: Vec<Array>,
    pub(crate) pointees: Vec<Type>,
    pub(crate) signatures: Vec<Signature>,
    pub(crate) cases: Vec<Case>,
    pub(crate) scopes: Vec<Scope>,
    /// The point of each label.
    pub(crate) labels: Vec<Option<ScopeId>>,
    /// The names of the labels. Known before linking only.
    pub(crate) label_names: Vec<(LabelId, String)>,
    /// How the types of functions are written. Known before linking only.
    pub(crate) spellings: FxHashMap<FunctionId, Spelling>,
    /// The labels that stand for the error, if nothing else does.
    pub(crate) error_labels: Vec<LabelId>,
    pub(crate) main: Option<FunctionId>,
    /// The functions that run before `main`, and after it, with what orders them.
    pub(crate) constructors: Vec<(u32, FunctionId)>,
    pub(crate) destructors: Vec<(u32, FunctionId)>,
    /// More names of functions.
    pub(crate) aliases: Vec<(String, FunctionId)>,
    /// A construct at file scope that runs or changes code and is not taken.
    pub(crate) refused: Option<(Position, &'static str)>,
    /// What is worth a warning, with its place.
    pub(crate) warnings: Vec<String>,
    /// The files that were made up, with their text.
    pub(crate) generated: Vec<(String, String)>,
    /// What must not be reached.
    pub(crate) target: Target,
    /// Whether each allocation of memory may fail.
    pub(crate) malloc_may_fail: bool,
    /// Whether each statement leaves an edge, which says that it is reached.
    pub(crate) each_line: bool,
    /// The width of a register: a wider division is a library call, which does not trap on overflow.
    pub(crate) word: u32,
}

impl Unit {
    /// The names of the source files, in the order of [`Position::file`].
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// `main`, if it is defined.
    pub fn main(&self) -> Option<FunctionId> {
        self.main
    }

    /// The files that were made up, with their text.
    pub fn generated(&self) -> &[(String, String)] {
        &self.generated
    }

    /// The ids of all expressions.
    pub fn exprs(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.exprs.len() as u32).map(ExprId)
    }

    /// The ids of all statements.
    pub fn stmts(&self) -> impl Iterator<Item = StmtId> + use<> {
        (0..self.stmts.len() as u32).map(StmtId)
    }

    /// The ids of all variables.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.objects.len() as u32).map(ObjectId)
    }

    /// The ids of all expressions.
    pub fn expressions(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.exprs.len() as u32).map(ExprId)
    }

    /// The ids of all functions.
    pub fn functions(&self) -> impl Iterator<Item = FunctionId> + use<> {
        (0..self.functions.len() as u32).map(FunctionId)
    }

    /// The width of a register and of an address, in bits. A wider division is a library call, which does not trap on
    /// overflow.
    pub fn word(&self) -> u32 {
        self.word
    }

    /// Whether each allocation of memory may fail, as the input [`MALLOC_FAILS`](vocabulary::MALLOC_FAILS) says.
    pub fn malloc_may_fail(&self) -> bool {
        self.malloc_may_fail
    }

    /// What the program must not reach.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// A construct at file scope that runs or changes code and is not taken.
    pub fn refused(&self) -> Option<(Position, &'static str)> {
        self.refused
    }

    /// What a pointer type points to.
    pub fn pointee(&self, ty: Type) -> Option<Type> {
        match ty {
            Type::Pointer { to, .. } => Some(self[to]),
            _ => None,
        }
    }

    /// The size of a type in bytes, where it is known.
    pub fn size_of(&self, ty: Type) -> Option<u64> {
        match ty {
            Type::Bool | Type::Int(_) | Type::Pointer { .. } => ty.int().map(|int| u64::from(int.bits / 8)),
            Type::Float(FloatType::Half) => Some(2),
            Type::Float(FloatType::Single) => Some(4),
            Type::Float(FloatType::Double) => Some(8),
            Type::Float(FloatType::Extended) => Some(if self.word == 32 { 12 } else { 16 }),
            Type::Float(FloatType::Quad) => Some(16),
            Type::Array(array) => {
                let Array { element, length } = self[array];
                self.size_of(element)?.checked_mul(length?)
            }
            Type::Record(record) => self[record].size,
            Type::Void | Type::Function(_) | Type::Other(_) => None,
        }
    }

    /// The point of a label.
    pub fn label_scope(&self, label: LabelId) -> Option<ScopeId> {
        self.labels[label.index()]
    }

    /// The variable that a place is part of.
    pub(crate) fn root(&self, mut place: PlaceId) -> Option<ObjectId> {
        loop {
            match self[place].kind {
                PlaceKind::Object(object) => return Some(object),
                PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => place = base,
                _ => return None,
            }
        }
    }

    /// Whether a variable is declared in the scope of another one.
    pub(crate) fn is_within(&self, inner: ObjectId, outer: ObjectId) -> bool {
        let of_inner = self.scopes.iter().find(|scope| scope.object == inner);
        let mut at = of_inner.and_then(|scope| scope.parent);
        while let Some(scope) = at {
            if self[scope].object == outer {
                return true;
            }
            at = self[scope].parent;
        }
        false
    }

    /// The point after the declaration of each variable that has one.
    pub(crate) fn scope_of_objects(&self) -> FxHashMap<ObjectId, ScopeId> {
        self.scopes.iter().enumerate().map(|(i, scope)| (scope.object, ScopeId(i as u32))).collect()
    }

    /// The variables that a jump between two points brings into scope without passing their declarations.
    pub fn entered(&self, from: Option<ScopeId>, to: Option<ScopeId>) -> Vec<ObjectId> {
        let depth = |s: Option<ScopeId>| s.map_or(0, |s| self[s].depth + 1);
        let up = |s: Option<ScopeId>| s.and_then(|s| self[s].parent);
        let (mut a, mut b) = (from, to);
        let mut entered = Vec::new();
        while a != b {
            if depth(b) >= depth(a) {
                entered.extend(b.map(|s| self[s].object));
                b = up(b);
            } else {
                a = up(a);
            }
        }
        entered.reverse();
        entered
    }
}

macro_rules! index {
    ($($id:ident => $field:ident: $item:ident),* $(,)?) => {$(
        impl Index<$id> for Unit {
            type Output = $item;

            fn index(&self, id: $id) -> &$item {
                &self.$field[id.index()]
            }
        }
    )*};
}
index!(ExprId => exprs: Expr, PlaceId => places: Place, StmtId => stmts: Stmt, ObjectId => objects: Object,
    FunctionId => functions: Function, StringId => strings: StringLiteral, RecordId => records: Record,
    ArrayId => arrays: Array, PointeeId => pointees: Type, SignatureId => signatures: Signature,
    CaseId => cases: Case, ScopeId => scopes: Scope);
