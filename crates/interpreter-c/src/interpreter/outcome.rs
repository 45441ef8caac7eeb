//! How a run ends.

use std::fmt;
use std::time::Duration;
use tamis_front_c::tree::Position;

/// What bounds a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// How many statements are executed.
    pub steps: Option<u64>,
    /// How many bytes the memory of the program takes, the interpreter's books included.
    pub memory: u64,
    /// How many calls are active at once.
    pub depth: usize,
    /// How long it takes.
    pub time: Option<Duration>,
    /// Whether the run also stops where a behaviour is undefined in C that gcc defines with `-fwrapv`, or that has
    /// an arbitrary value: signed overflow and the use of a value that was never set.
    pub trap: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: None, memory: 1 << 30, depth: 200_000, time: None, trap: false }
    }
}

/// A behaviour that C leaves undefined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Undefined {
    /// The result of a signed operation does not fit; it wraps around.
    SignedOverflow,
    /// A division or remainder by 0.
    DivisionByZero,
    /// The least value divided by -1, which traps.
    DivisionOverflow,
    /// A shift by a negative amount, or by the width or more.
    ShiftOutOfRange,
    /// A value that was never set decides something.
    Uninitialised,
    /// An access through a null pointer.
    NullAccess,
    /// An access beside an object.
    OutOfBounds,
    /// An access to an object whose life is over.
    Dangling,
    /// An access to memory that was freed.
    UseAfterFree,
    /// Memory is freed twice.
    DoubleFree,
    /// What is freed is not the start of an allocated block.
    InvalidFree,
    /// A string literal or a function is written to.
    ReadOnly,
    /// A call of something that is not a function, or with other arguments than it takes.
    InvalidCall,
    /// A floating-point number does not fit into the integer type it is converted to.
    FloatToInt,
    /// `memcpy` with overlapping objects.
    Overlap,
    /// An argument that a library function or a builtin does not take.
    InvalidArgument,
    /// `__builtin_unreachable`, or the return of a function that is declared not to.
    Unreachable,
    /// A jump to what is not a label.
    InvalidJump,
    /// The length of an array is not positive.
    ArrayLength,
    /// Allocated memory that nothing points to any longer.
    Lost,
    /// Allocated memory at the end of the program.
    NotFreed,
    /// Pointers are ordered or subtracted that are not into one object.
    Unrelated,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Undefined::SignedOverflow => "signed overflow",
            Undefined::DivisionByZero => "division by zero",
            Undefined::DivisionOverflow => "overflow in a division",
            Undefined::ShiftOutOfRange => "shift out of range",
            Undefined::Uninitialised => "use of an uninitialised value",
            Undefined::NullAccess => "access through a null pointer",
            Undefined::OutOfBounds => "access out of bounds",
            Undefined::Dangling => "access to an object whose life is over",
            Undefined::UseAfterFree => "use after free",
            Undefined::DoubleFree => "double free",
            Undefined::InvalidFree => "free of what was not allocated",
            Undefined::ReadOnly => "write to read-only memory",
            Undefined::InvalidCall => "call of what is not such a function",
            Undefined::FloatToInt => "conversion of a number that does not fit",
            Undefined::Overlap => "copy between overlapping objects",
            Undefined::InvalidArgument => "invalid argument",
            Undefined::Unreachable => "unreachable code is reached",
            Undefined::InvalidJump => "jump to what is not a label",
            Undefined::ArrayLength => "array length that is not positive",
            Undefined::Lost => "loss of allocated memory",
            Undefined::NotFreed => "end of the program with allocated memory",
            Undefined::Unrelated => "comparison of pointers to different objects",
        })
    }
}

/// A limit that was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Of statements.
    Steps,
    /// Of memory.
    Memory,
    /// Of nested calls.
    Depth,
    /// Of time.
    Time,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Steps => "step limit",
            Limit::Memory => "memory limit",
            Limit::Depth => "limit of nested calls",
            Limit::Time => "timeout",
        })
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// `main` returned, or the program called `exit`.
    Exit(i32),
    /// The property is violated.
    Violation {
        /// In what way.
        what: String,
        /// Where.
        at: Position,
    },
    /// What the program does is undefined.
    Undefined {
        /// In what way.
        kind: Undefined,
        /// What is known about it.
        detail: String,
        /// Where.
        at: Position,
        /// The address of an access that failed.
        address: Option<u64>,
    },
    /// An assumption does not hold: the execution is none that counts.
    AssumeFailed {
        /// Where.
        at: Position,
    },
    /// The program called `abort`, or trapped.
    Aborted {
        /// Where.
        at: Position,
    },
    /// The inputs given do not suffice.
    OutOfInputs {
        /// The function that asks for one more.
        function: String,
        /// Where.
        at: Position,
    },
    /// A limit was reached.
    Limit(Limit, Position),
    /// The observer stopped the run.
    Stopped(Position),
    /// C does not say what the program does next: a run that must be the only one ends here.
    Undetermined {
        /// What is open.
        what: &'static str,
        /// Where.
        at: Position,
    },
    /// Something that the interpreter does not know.
    Unsupported {
        /// What it is.
        what: String,
        /// Where.
        at: Position,
    },
}

/// The end of a run, on its way out.
pub(super) type Stop = Box<Outcome>;
