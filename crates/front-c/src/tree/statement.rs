//! Statements.

use super::{CaseId, ExprId, LabelId, ObjectId, PlaceId, Position, ScopeId, StmtId};

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it begins.
    pub at: Position,
}

/// What a statement is.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the names are those of the parts of the statements")]
pub enum StmtKind {
    Empty,
    Expr(ExprId),
    Block(Vec<StmtId>),
    /// Variables come into being, with their initial values.
    Declare(Vec<ObjectId>),
    If {
        cond: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
    },
    While {
        cond: ExprId,
        body: StmtId,
    },
    DoWhile {
        body: StmtId,
        cond: ExprId,
    },
    For {
        init: Option<StmtId>,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    },
    Switch {
        cond: ExprId,
        body: StmtId,
        cases: Vec<CaseId>,
        /// The point of `default`, if there is one.
        default: Option<Option<ScopeId>>,
        /// The point of the `switch` itself.
        scope: Option<ScopeId>,
    },
    Case {
        case: CaseId,
        body: StmtId,
    },
    Default {
        body: StmtId,
    },
    Label {
        label: LabelId,
        body: StmtId,
    },
    Goto {
        label: LabelId,
        /// The point of the `goto`.
        scope: Option<ScopeId>,
    },
    /// GNU's `goto *address`.
    IndirectGoto {
        address: ExprId,
        /// The point of the `goto`.
        scope: Option<ScopeId>,
    },
    /// Inline assembly, of which only what it may touch is known.
    Asm {
        /// What it writes.
        outputs: Vec<PlaceId>,
        /// What it reads.
        inputs: Vec<ExprId>,
        /// Whether it may read and write memory at large.
        memory: bool,
        /// Where it may jump to.
        labels: Vec<LabelId>,
    },
    Break,
    Continue,
    Return(Option<ExprId>),
    Unsupported(String),
}

/// A `case`, after folding: the values from `low` to `high`, in the type of the controlling expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    /// The lowest value.
    pub low: i128,
    /// The highest value.
    pub high: i128,
    /// Its point in the function.
    pub scope: Option<ScopeId>,
}

/// A point in a function: a variable in scope there, and the point just before its declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// The variable.
    pub object: ObjectId,
    /// The point before.
    pub parent: Option<ScopeId>,
    /// How many points are before.
    pub depth: u32,
}
