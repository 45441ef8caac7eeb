//! Expressions and lvalues.

use super::{ExprId, FunctionId, LabelId, ObjectId, PlaceId, Position, SignatureId, StmtId, StringId, Type};

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

/// The operator of a compound assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssignOp {
    /// The old value is converted to the type, the operator applied in it, and the result converted back.
    Arith(ArithOp, Type),
    /// `pointer += index` or `pointer -= index`.
    Pointer {
        /// Whether it is `-=`.
        subtract: bool,
        /// The size of what is pointed to.
        scale: u64,
    },
}

/// A question about the bits of a value; the operand's width matters, the result is an `int`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BitCount {
    /// `__builtin_clz`: undefined for 0.
    LeadingZeros,
    /// `__builtin_ctz`: undefined for 0.
    TrailingZeros,
    /// `__builtin_popcount`.
    Ones,
    /// `__builtin_parity`.
    Parity,
    /// `__builtin_ffs`: one more than the index of the lowest one, or 0.
    FirstOne,
    /// `__builtin_clrsb`: how many bits below the highest equal it.
    LeadingSigns,
}

/// An operation that `__builtin_…_overflow` does exactly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are those of the operators")]
pub enum OverflowOp {
    Add,
    Sub,
    Mul,
}

/// What is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// The named function.
    Function(FunctionId),
    /// The function at an address, called as one of the type.
    Pointer(ExprId, SignatureId),
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type. Never an array or a function: those decay.
    pub ty: Type,
    /// Where it begins.
    pub at: Position,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A constant, modulo the width of the type.
    Const(i128),
    /// A floating-point constant, by the bits of its format.
    Float(u128),
    /// The value of an object. A struct or union has one too; a bit-field's is extended to the type of the field.
    Load(PlaceId),
    /// The address of an object: `&place`, and what an array becomes when it is used as a value.
    AddressOf(PlaceId),
    /// The address of a function.
    FunctionAddress(FunctionId),
    /// GNU's `&&label`.
    LabelAddress(LabelId),
    /// `-e`.
    Neg(ExprId),
    /// `~e`.
    BitNot(ExprId),
    /// `!e`.
    Not(ExprId),
    /// An operator on two numbers.
    Arith(ArithOp, ExprId, ExprId),
    /// `pointer + index` or `pointer - index`.
    PointerAdd {
        /// The address.
        pointer: ExprId,
        /// How many elements to go, of any integer type.
        index: ExprId,
        /// Whether it is `-`.
        subtract: bool,
        /// The size of an element; 1 for `void` and functions.
        scale: u64,
    },
    /// The difference of two addresses in elements.
    PointerDiff {
        /// The address on the left.
        left: ExprId,
        /// The address on the right.
        right: ExprId,
        /// The size of an element.
        scale: u64,
    },
    /// A comparison of numbers or addresses, 0 or 1.
    Compare(CompareOp, ExprId, ExprId),
    /// `a && b`.
    LogAnd(ExprId, ExprId),
    /// `a || b`.
    LogOr(ExprId, ExprId),
    /// A conversion to the expression's type; to `void`, the value is dropped.
    Convert(ExprId),
    /// `place = value`, or `place op= value`. Its value is that of the place afterwards.
    Assign {
        /// The object.
        place: PlaceId,
        /// The operator; `None` for `=`.
        op: Option<AssignOp>,
        /// The right side.
        value: ExprId,
    },
    /// `++` and `--`.
    Step {
        /// The object.
        place: PlaceId,
        /// Whether it is `++`.
        up: bool,
        /// Whether the value is that before the change.
        post: bool,
        /// By how much: 1, or the size of what is pointed to.
        by: u64,
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
    /// A call.
    Call {
        /// What is called.
        callee: Callee,
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
    /// `abs` and its wider forms, and `fabs`.
    Magnitude(ExprId),
    /// `__builtin_bswap` of any width.
    SwapBytes(ExprId),
    /// `__builtin_clz` and the like.
    BitCount(BitCount, ExprId),
    /// `__builtin_add_overflow` and the like: the exact result is converted to the type of what is pointed to and stored
    /// there; the value is whether that changed it.
    Overflow {
        /// The operation.
        op: OverflowOp,
        /// The operands, each of its own integer type.
        operands: [ExprId; 2],
        /// Where the result goes, or, where nothing is stored, a value of the type it would have.
        result: ExprId,
        /// Whether the result is stored.
        stores: bool,
    },
    /// `va_start`: the list at the address begins after the named parameters.
    VaStart(ExprId),
    /// `va_arg`: the next argument of the list at the address, of the expression's type.
    VaArg(ExprId),
    /// `va_end`.
    VaEnd(ExprId),
    /// `va_copy`: the list at the first address becomes that at the second.
    VaCopy(ExprId, ExprId),
    /// `alloca`: the address of as many fresh bytes, which live as long as the activation.
    Alloca(ExprId),
    /// `__builtin_trap`.
    Trap,
    /// `__builtin_unreachable`.
    Unreachable,
    /// What is not taken.
    Unsupported(String),
}

/// An lvalue.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// What it is.
    pub kind: PlaceKind,
    /// The type of the object.
    pub ty: Type,
    /// Where it begins.
    pub at: Position,
}

/// What an lvalue is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceKind {
    /// A variable.
    Object(ObjectId),
    /// An unnamed object that gets its initial value each time it is evaluated, unless it is static.
    Compound(ObjectId),
    /// A string literal.
    String(StringId),
    /// What a pointer points to.
    Deref(ExprId),
    /// A member of a struct or union, by its place in the record.
    Member {
        /// The struct or union.
        base: PlaceId,
        /// The member.
        field: u32,
    },
    /// An element of an array. `p[i]` of a pointer is a `Deref` of a `PointerAdd`.
    Index {
        /// The array.
        base: PlaceId,
        /// Which element, of any integer type.
        index: ExprId,
    },
    /// A struct or union value that is in no object, as in `f().x`.
    Value(ExprId),
}

/// A string literal: an array in static memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StringLiteral {
    /// Its elements, the closing 0 included.
    pub elements: Vec<u32>,
    /// The array type.
    pub ty: Type,
}
