//! The typed tree of a translation unit, as far as Tamis knows C.
//!
//! Every name is resolved, every conversion is a node of its own, and constants are folded where the language asks
//! for it. What Tamis does not take yet is a node as well (`Unsupported`): whether it matters is known only once it
//! is known which code `main` reaches.
//!
//! Nodes live in the vectors of [`Unit`] and refer to each other by id, so depth costs no stack when a tree is dropped.

use std::ops::Index;
use tamis_program::IntType;

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
    /// A statement of a [`Unit`].
    StmtId,
    /// A variable of a [`Unit`], of any storage.
    ObjectId,
    /// A function of a [`Unit`].
    FunctionId,
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

/// A type, as far as values of it are modelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// `void`.
    Void,
    /// `_Bool`: 8 bits that hold 0 or 1.
    Bool,
    /// Any other integer type, enumerations included.
    Int(IntType),
    /// A pointer, as its address. What addresses are of variables is not modelled, so none is ever taken.
    Pointer {
        /// The width of an address.
        bits: u32,
    },
    /// A type whose values are not modelled; what to call one of them in a message.
    Other(&'static str),
}

impl Type {
    /// How a value of the type is stored, where it is modelled.
    pub fn int(self) -> Option<IntType> {
        match self {
            Type::Bool => Some(IntType { bits: 8, signed: false }),
            Type::Int(int) => Some(int),
            Type::Pointer { bits } => Some(IntType { bits, signed: false }),
            Type::Void | Type::Other(_) => None,
        }
    }

    /// Whether a conversion to a wider type repeats the highest bit. gcc does so for addresses, which it compares
    /// without a sign.
    pub fn extends_sign(self) -> bool {
        match self {
            Type::Int(int) => int.signed,
            Type::Pointer { .. } => true,
            Type::Bool | Type::Void | Type::Other(_) => false,
        }
    }
}

/// An operator whose result has the type of its operands; a shift's right operand has a type of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are those of the operators")]
pub enum ArithOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
}

/// A comparison; its operands have one type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are those of the operators")]
pub enum CompareOp {
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it begins.
    pub at: Position,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A constant, modulo the width of the type.
    Const(i128),
    /// A string literal, decayed to a pointer or not.
    Str(String),
    /// The address of a named array. It has no value here, and finding it does nothing.
    Array,
    /// The value of a variable.
    Read(ObjectId),
    /// `-e`.
    Neg(ExprId),
    /// `~e`.
    BitNot(ExprId),
    /// `!e`.
    Not(ExprId),
    /// An operator on two values.
    Arith(ArithOp, ExprId, ExprId),
    /// A comparison, 0 or 1.
    Compare(CompareOp, ExprId, ExprId),
    /// `a && b`.
    LogAnd(ExprId, ExprId),
    /// `a || b`.
    LogOr(ExprId, ExprId),
    /// A conversion to the expression's type; to `void`, the value is dropped.
    Convert(ExprId),
    /// `object = value`, or `object op= value` computed in the given type.
    Assign {
        /// The variable.
        object: ObjectId,
        /// The operator and the type it computes in; `None` for `=`.
        op: Option<(ArithOp, Type)>,
        /// The right side.
        value: ExprId,
    },
    /// `++` and `--`.
    Step {
        /// The variable.
        object: ObjectId,
        /// Whether it is `++`.
        up: bool,
        /// Whether the value is that before the change.
        post: bool,
    },
    /// `cond ? then : otherwise`.
    Cond {
        /// The condition.
        cond: ExprId,
        /// The value when it is not 0.
        then: ExprId,
        /// The value when it is 0.
        otherwise: ExprId,
    },
    /// GNU's `value ?: otherwise`. `then` is a conversion of [`ExprKind::Bound`].
    Elvis {
        /// What is tested, once.
        value: ExprId,
        /// The value when it is not 0.
        then: ExprId,
        /// The value when it is 0.
        otherwise: ExprId,
    },
    /// The tested value of the enclosing [`ExprKind::Elvis`].
    Bound,
    /// `a, b`.
    Comma(ExprId, ExprId),
    /// A call of a known function.
    Call {
        /// The function.
        function: FunctionId,
        /// The arguments, converted to the types of the prototype if there is one.
        args: Vec<ExprId>,
    },
    /// GNU's statement expression.
    Block {
        /// The statements before the last.
        body: Vec<StmtId>,
        /// The last one, where it gives the value.
        value: Option<ExprId>,
    },
    /// `abs` and its wider forms.
    Magnitude(ExprId),
    /// `__builtin_bswap` of any width.
    SwapBytes(ExprId),
    /// `__builtin_trap`.
    Trap,
    /// `__builtin_unreachable`.
    Unreachable,
    /// What is not taken yet.
    Unsupported(String),
}

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

/// How long a variable lives, and what it holds at first.
#[derive(Clone, PartialEq, Debug)]
pub enum Storage {
    /// In an activation. The initial value is assigned where the declaration stands.
    Automatic(Option<ExprId>),
    /// In the whole run, and 0 at first, or the value of a constant expression.
    Static(Option<ExprId>),
    /// In the whole run, and defined in another translation unit.
    Elsewhere,
}

/// A variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its life.
    pub storage: Storage,
    /// Whether other translation units can name it.
    pub external: bool,
    /// Why a use of it is not taken, if it is not.
    pub refused: Option<&'static str>,
    /// Why its very declaration is not taken, if it is not.
    pub declaration_refused: Option<&'static str>,
    /// Where it is declared.
    pub at: Position,
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its name to the linker, which is the one in the program unless a declaration gives it another.
    pub name: String,
    /// What it returns.
    pub result: Type,
    /// The parameters of the definition; empty without a body.
    pub params: Vec<ObjectId>,
    /// The parameter types of the prototype, if there is one.
    pub prototype: Option<Vec<Type>>,
    /// Whether it takes more arguments than its parameters.
    pub variadic: bool,
    /// Its body, if it is defined here.
    pub body: Option<StmtId>,
    /// Whether it is declared never to return.
    pub noreturn: bool,
    /// Why a call of it is not taken, if it is not.
    pub refused: Option<&'static str>,
    /// Where it is declared.
    pub at: Position,
}

/// A translation unit.
#[derive(Clone, Default, Debug)]
pub struct Unit {
    pub(crate) files: Vec<String>,
    pub(crate) exprs: Vec<Expr>,
    pub(crate) stmts: Vec<Stmt>,
    pub(crate) objects: Vec<Object>,
    pub(crate) functions: Vec<Function>,
    pub(crate) cases: Vec<Case>,
    pub(crate) scopes: Vec<Scope>,
    /// The point of each label.
    pub(crate) labels: Vec<Option<ScopeId>>,
    pub(crate) main: Option<FunctionId>,
    /// A construct at file scope that runs or changes code and is not taken.
    pub(crate) refused: Option<(Position, &'static str)>,
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

    /// The ids of all variables.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.objects.len() as u32).map(ObjectId)
    }

    /// The point of a label.
    pub fn label_scope(&self, label: LabelId) -> Option<ScopeId> {
        self.labels[label.index()]
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
index!(ExprId => exprs: Expr, StmtId => stmts: Stmt, ObjectId => objects: Object, FunctionId => functions: Function,
    CaseId => cases: Case, ScopeId => scopes: Scope);
