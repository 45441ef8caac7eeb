//! What can be seen of a run while it goes on.

use super::outcome::Undefined;
use std::fmt;
use std::ops::{ControlFlow, Range};
use tamis_front_c::tree::{FunctionId, Position};

/// A value of a scalar object.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// Of an integer type, extended according to its sign.
    Int(i128),
    /// Of an unsigned integer type.
    Unsigned(u128),
    /// Of a floating type; `long double` is rounded.
    Float(f64),
    /// An address.
    Address(u64),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(value) => write!(f, "{value}"),
            Value::Unsigned(value) => write!(f, "{value}"),
            Value::Float(value) => write!(f, "{value:?}"),
            Value::Address(0) => write!(f, "NULL"),
            Value::Address(address) => write!(f, "{address:#x}"),
        }
    }
}

/// Something that happens in a run.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A statement is about to be executed.
    Statement,
    /// A function of the program is entered.
    Call {
        /// The function.
        function: FunctionId,
        /// Its scalar parameters and their values.
        parameters: &'a [(String, String)],
    },
    /// A function returns.
    Return(FunctionId),
    /// A condition of a statement was decided.
    Branch(bool),
    /// A scalar object got a value.
    Assign {
        /// The object, as in `list.head[2]`, as far as its address tells.
        object: &'a str,
        /// Its address.
        address: u64,
        /// Its new value.
        value: Value,
        /// What the value points to, if it is an address: as in `&list.head[2]`.
        points_to: Option<String>,
    },
    /// The program got a value from outside.
    Input {
        /// The function that asked, or the variable that was never set.
        name: &'a str,
        /// What it got.
        value: Value,
        /// What the value points to, if it is an address.
        points_to: Option<String>,
        /// The bytes of memory that were never set, if it is no function that gave the value.
        chosen: Option<Chosen>,
    },
    /// The program got a value that C leaves open.
    Unspecified {
        /// What it is of.
        name: &'a str,
        /// What it is here.
        value: Value,
    },
    /// A block of memory came into being.
    Allocation {
        /// Where it is; 0 if there was no room.
        address: u64,
        /// How many bytes it has.
        size: u64,
        /// Whether the program asked for it; otherwise a pointer of unknown origin points into it.
        asked: bool,
    },
    /// A behaviour is undefined in C and the run goes on, with the choice that gcc makes. Each place is reported once.
    Undefined(Undefined, &'a str),
    /// The property is violated, and the run ends.
    Violation(&'a str),
}

/// Bytes that were never set, and what they are taken to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// Where they are.
    pub address: u64,
    /// How many there are, at most 8.
    pub size: u8,
    /// What they are, the first one lowest.
    pub bytes: u64,
}

/// Where in the run an event happens.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The place in the source.
    pub at: Position,
    /// The function.
    pub function: Option<FunctionId>,
    /// How many calls are active.
    pub depth: usize,
    /// How many statements were executed.
    pub steps: u64,
}

/// What something holds that was never set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unset {
    /// A number.
    Value(u128),
    /// The address of a piece of memory that nobody has set either: the same one for the same number.
    Object(u128),
}

/// Someone who watches a run, and can end it.
pub trait Observer {
    /// Whether statements, calls, branches and assignments are to be reported; without them a run is faster.
    fn wants_all(&self) -> bool {
        true
    }

    /// The statements of which none of that is to be reported, by how many were executed before: they are as fast as if nobody watched.
    fn skips(&self) -> Range<u64> {
        0..0
    }

    /// What an object holds that was never set, of so many bits, at its first use; `None` leaves it to the inputs.
    fn unset(&mut self, moment: &Moment, object: &str, bits: u32) -> Option<Unset> {
        let _ = (moment, object, bits);
        None
    }

    /// The number of the piece of memory, which nobody has set, that an input points to; `None` if it is a number.
    fn object(&mut self, input: u128, bits: u32) -> Option<u128> {
        let _ = (input, bits);
        None
    }

    /// Something happens. [`ControlFlow::Break`] ends the run.
    fn event(&mut self, moment: &Moment, event: &Event<'_>) -> ControlFlow<()>;
}

/// Watches nothing.
impl Observer for () {
    fn wants_all(&self) -> bool {
        false
    }

    fn event(&mut self, _: &Moment, _: &Event<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
