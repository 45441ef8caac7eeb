//! The operators.

/// A variable's identity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub(crate) u32);

/// A declared function's identity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionId(pub(crate) u32);

/// A constant's place in the store's table of constants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConstId(pub(crate) u32);

/// What a term is made of, beside its arguments.
///
/// Of two orders that are each other's complement there is one only, so that a predicate and its complement share
/// their atom: on bit-vectors `a ≤ b` is built as `¬(b < a)`, on numbers `a < b` as `¬(b ≤ a)`. Subtraction is built
/// as the addition of a negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A truth value.
    Bool(bool),
    /// A constant of another sort, which [`Terms::constant`](crate::Terms::constant) tells.
    Const(ConstId),
    /// A variable.
    Var(Symbol),
    /// Negation.
    Not,
    /// Conjunction of two or more arguments, ordered by id.
    And,
    /// Disjunction of two or more arguments, ordered by id.
    Or,
    /// Equality of two terms of the same sort.
    Eq,
    /// If-then-else; the branches may be of any sort.
    Ite,
    /// `bvneg`.
    Neg,
    /// `bvadd`.
    Add,
    /// `bvmul`.
    Mul,
    /// `bvudiv`.
    Udiv,
    /// `bvurem`.
    Urem,
    /// `bvsdiv`.
    Sdiv,
    /// `bvsrem`.
    Srem,
    /// `bvnot`.
    BvNot,
    /// `bvand`.
    BvAnd,
    /// `bvor`.
    BvOr,
    /// `bvxor`.
    BvXor,
    /// `bvshl`.
    Shl,
    /// `bvlshr`.
    Lshr,
    /// `bvashr`.
    Ashr,
    /// `concat`, the first argument being the high part.
    Concat,
    /// `(_ extract high low)`.
    Extract {
        /// The highest bit taken.
        high: u32,
        /// The lowest bit taken.
        low: u32,
    },
    /// `(_ zero_extend …)` to the term's width.
    ZeroExtend,
    /// `(_ sign_extend …)` to the term's width.
    SignExtend,
    /// `bvult`.
    Ult,
    /// `bvslt`.
    Slt,
    /// A sum of two or more terms of sort `Int` or `Real`, in normal form: see [`Linear`](crate::Linear).
    Plus,
    /// A product of two or more terms of sort `Int` or `Real`. A constant factor stands first; a product of a constant
    /// and one other term is linear.
    Times,
    /// `a ≤ b`, one of the sides being a constant. Over `Int` it is the right one.
    Le,
    /// `div`: the quotient that leaves a remainder from 0 up. The divisor is not the constant 0.
    IntDiv,
    /// `mod`: the remainder of [`Op::IntDiv`].
    Mod,
    /// `/`, where the divisor is not a constant.
    Divide,
    /// `to_real`.
    ToReal,
    /// `to_int`: the greatest integer that is not greater.
    ToInt,
    /// `is_int`.
    IsInt,
    /// `select`.
    Select,
    /// `store`.
    Store,
    /// `((as const S) v)`: the array of the term's sort that has the argument everywhere.
    ConstArray,
    /// A declared function.
    Apply(FunctionId),
}
