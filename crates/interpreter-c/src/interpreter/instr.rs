//! The instructions of a register machine over the program's memory.

use super::scalar::{Format, Int};
use tamis_front_c::tree::{ArithOp, BitCount, OverflowOp};

/// A register, counted from the first of the activation.
pub(super) type Reg = u16;

/// An instruction. `d` is where the result goes; `p` holds an address; `off` counts from the start of the activation's
/// frame or of static memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Instr {
    /// A statement begins.
    Step,
    Const {
        d: Reg,
        value: u64,
    },
    Move {
        d: Reg,
        a: Reg,
    },
    LocalAddress {
        d: Reg,
        off: u32,
    },
    LoadLocal {
        d: Reg,
        k: Int,
        off: u32,
    },
    LoadStatic {
        d: Reg,
        k: Int,
        off: u32,
    },
    Load {
        d: Reg,
        p: Reg,
        k: Int,
    },
    /// A value in two registers, of up to 16 bytes.
    LoadPair {
        d: Reg,
        p: Reg,
        size: u8,
    },
    StoreLocal {
        a: Reg,
        k: Int,
        off: u32,
    },
    StoreStatic {
        a: Reg,
        k: Int,
        off: u32,
    },
    Store {
        p: Reg,
        a: Reg,
        k: Int,
    },
    StorePair {
        p: Reg,
        a: Reg,
        size: u8,
    },
    LoadBits {
        d: Reg,
        p: Reg,
        first: u8,
        width: u8,
        k: Int,
    },
    StoreBits {
        p: Reg,
        a: Reg,
        first: u8,
        width: u8,
        /// Whether the value is in two registers.
        wide: bool,
    },
    /// Copies bytes with what is known about them.
    Copy {
        p: Reg,
        a: Reg,
        size: u32,
    },
    Clear {
        p: Reg,
        size: u32,
    },
    /// The bytes of a local come into being, without values.
    Begin {
        off: u32,
        size: u32,
    },
    /// The bytes of a local cease to be.
    End {
        off: u32,
        size: u32,
    },
    Add {
        d: Reg,
        a: Reg,
        b: Reg,
        k: Int,
    },
    Sub {
        d: Reg,
        a: Reg,
        b: Reg,
        k: Int,
    },
    Mul {
        d: Reg,
        a: Reg,
        b: Reg,
        k: Int,
    },
    And {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Or {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Xor {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Div {
        d: Reg,
        a: Reg,
        b: Reg,
        k: Int,
        constant: bool,
    },
    Rem {
        d: Reg,
        a: Reg,
        b: Reg,
        k: Int,
        constant: bool,
    },
    Shl {
        d: Reg,
        a: Reg,
        b: Reg,
        k: Int,
    },
    Shr {
        d: Reg,
        a: Reg,
        b: Reg,
        k: Int,
    },
    AddConst {
        d: Reg,
        a: Reg,
        k: Int,
        value: i32,
    },
    Neg {
        d: Reg,
        a: Reg,
        k: Int,
    },
    BitNot {
        d: Reg,
        a: Reg,
        k: Int,
    },
    Not {
        d: Reg,
        a: Reg,
    },
    NonZero {
        d: Reg,
        a: Reg,
    },
    Eq {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Ne {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Lt {
        d: Reg,
        a: Reg,
        b: Reg,
        signed: bool,
    },
    Le {
        d: Reg,
        a: Reg,
        b: Reg,
        signed: bool,
    },
    Normal {
        d: Reg,
        a: Reg,
        k: Int,
    },
    /// An operator on values in two registers.
    Wide {
        op: ArithOp,
        d: Reg,
        a: Reg,
        b: Reg,
        k: Int,
    },
    WideNeg {
        d: Reg,
        a: Reg,
        k: Int,
    },
    WideNot {
        d: Reg,
        a: Reg,
        k: Int,
    },
    /// A comparison: bit 0 of `mask` for less, 1 for equal, 2 for greater.
    WideCompare {
        d: Reg,
        a: Reg,
        b: Reg,
        k: Int,
        mask: u8,
    },
    WideNonZero {
        d: Reg,
        a: Reg,
    },
    /// From one register to two, and from two to two.
    Widen {
        d: Reg,
        a: Reg,
        from: Int,
        to: Int,
    },
    Float {
        op: ArithOp,
        d: Reg,
        a: Reg,
        b: Reg,
        format: Format,
    },
    FloatNeg {
        d: Reg,
        a: Reg,
        format: Format,
    },
    FloatMagnitude {
        d: Reg,
        a: Reg,
        format: Format,
    },
    /// As [`Instr::WideCompare`], with bit 3 for unordered.
    FloatCompare {
        d: Reg,
        a: Reg,
        b: Reg,
        format: Format,
        mask: u8,
    },
    FloatNonZero {
        d: Reg,
        a: Reg,
        format: Format,
    },
    FloatToFloat {
        d: Reg,
        a: Reg,
        from: Format,
        to: Format,
    },
    IntToFloat {
        d: Reg,
        a: Reg,
        from: Int,
        to: Format,
    },
    FloatToInt {
        d: Reg,
        a: Reg,
        from: Format,
        to: Int,
    },
    PointerAdd {
        d: Reg,
        a: Reg,
        b: Reg,
        scale: i32,
        k: Int,
    },
    /// As [`Instr::PointerAdd`], for an access to where that leads, which has to be in the same object.
    Reach {
        d: Reg,
        a: Reg,
        b: Reg,
        scale: i32,
        k: Int,
    },
    PointerDiff {
        d: Reg,
        a: Reg,
        b: Reg,
        scale: u32,
        k: Int,
    },
    Jump {
        to: u32,
    },
    JumpIf {
        a: Reg,
        to: u32,
    },
    JumpIfNot {
        a: Reg,
        to: u32,
    },
    Switch {
        a: Reg,
        table: u32,
    },
    /// GNU's `goto *p`.
    JumpTo {
        p: Reg,
    },
    /// A call with its arguments from `args` on.
    Call {
        d: Reg,
        args: Reg,
        call: u32,
    },
    CallPointer {
        d: Reg,
        p: Reg,
        args: Reg,
        call: u32,
    },
    Return,
    ReturnValue {
        a: Reg,
        pair: bool,
    },
    ReturnRecord {
        p: Reg,
        size: u32,
    },
    /// The end of a function that should have returned a value.
    ReturnNothing,
    Magnitude {
        d: Reg,
        a: Reg,
        k: Int,
    },
    SwapBytes {
        d: Reg,
        a: Reg,
        k: Int,
    },
    BitCount {
        op: BitCount,
        d: Reg,
        a: Reg,
        k: Int,
    },
    /// The operands are in pairs of registers from `a` on; the overflow goes to `d`, the result to `d + 1`.
    Overflow {
        op: OverflowOp,
        d: Reg,
        a: Reg,
        to: Int,
        operands: u16,
    },
    VaStart {
        p: Reg,
    },
    /// The address of the next variable argument.
    VaNext {
        d: Reg,
        p: Reg,
        size: u32,
        align: u16,
    },
    VaCopy {
        p: Reg,
        a: Reg,
    },
    /// Fresh bytes at the top of the stack.
    Alloca {
        d: Reg,
        a: Reg,
        align: u32,
    },
    /// Gives back the stack from the address in a local on.
    Release {
        off: u32,
    },
    Trap,
    Unreachable,
    Unsupported {
        message: u32,
    },
    /// For an observer: what was stored, where.
    Stored {
        a: Reg,
        p: Reg,
        ty: u32,
    },
    /// For an observer: which way a branch went.
    Branched {
        taken: bool,
    },
    /// All is initialised.
    Ready,
    // What follows is only in the code of a run that must be the only one.
    /// As [`Instr::PointerAdd`], inside of an object.
    Advance {
        d: Reg,
        a: Reg,
        b: Reg,
        scale: i32,
        k: Int,
    },
    /// The address in `b` was computed from that in `a`.
    Moved {
        a: Reg,
        b: Reg,
    },
    /// Addresses are compared for equality, or for their order.
    Compared {
        a: Reg,
        b: Reg,
        ordered: bool,
    },
    /// Addresses are ordered or subtracted, where it matters whether they are into one object.
    Related {
        a: Reg,
        b: Reg,
    },
    /// An address is compared with null.
    Tested {
        a: Reg,
    },
    /// An address becomes a number.
    Exposed {
        a: Reg,
    },
    /// A number becomes an address.
    Pointed {
        a: Reg,
    },
    /// What was loaded is 0 or 1.
    Truth {
        a: Reg,
    },
    /// Operands follow that C evaluates in any order.
    Fork,
    /// One of them is evaluated.
    Side,
    /// All of them are.
    Join,
    /// Bytes are accessed that no operand has written.
    Own {
        p: Reg,
        size: u32,
    },
    /// A local of the activation is read or written.
    Touched {
        off: u32,
        size: u8,
        write: bool,
    },
    /// A local is not written any more.
    Protect {
        off: u32,
        size: u32,
    },
    /// Padding of a record has no value.
    Unpad {
        p: Reg,
        padding: u32,
    },
    /// The variable argument at an address is of a kind.
    Taken {
        p: Reg,
        kind: u32,
    },
    /// C leaves open what follows.
    Open {
        what: u32,
    },
}
