//! A compiled program: its instructions and what they refer to.

use super::instr::Instr;
use super::library::Library;
use super::scalar::{Int, Kind};
use rustc_hash::FxHashMap;
use tamis_front_c::tree::{FunctionId, ObjectId, Padding, PlaceId, Position, StringId, Type};

/// A call site.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub callee: Callee,
    pub args: Vec<Kind>,
    pub result: Kind,
    /// The type that is asked for, which the value of an input has.
    pub result_type: Type,
    /// Where in the caller's frame a record goes.
    pub result_slot: u32,
    /// Whether the result is used.
    pub used: bool,
    /// Whether all that is used of it is how it compares with 0.
    pub tested: bool,
}

/// What is called.
#[derive(Clone, Copy, Debug)]
pub(super) enum Callee {
    Function(FunctionId),
    Library(Library, FunctionId),
    /// Named at run time.
    Unknown,
}

/// A function with a body, laid out.
#[derive(Clone, Debug, Default)]
pub(super) struct FunctionCode {
    pub entry: u32,
    pub registers: u16,
    pub params: Vec<(u32, Kind)>,
    pub variadic: bool,
    /// Whether arguments come promoted and not converted.
    pub old_style: bool,
    pub frame_size: u32,
    pub align: u32,
    /// What the shadow of the frame is on entry.
    pub shadow: Vec<u8>,
    /// The locals with their places, for messages.
    pub locals: Vec<(u32, u32, Local)>,
    pub result: Option<Kind>,
    /// The padding of parameters.
    pub padding: Vec<Padding>,
}

/// What a place in a frame is for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Local {
    Object(ObjectId),
    Temporary,
}

/// A static object: its place in static memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct StaticPlace {
    pub off: u32,
    pub size: u32,
    pub what: Static,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Static {
    Object(ObjectId),
    String(StringId),
}

/// The targets of a `switch`, by disjoint ranges in ascending order.
#[derive(Clone, Debug, Default)]
pub(super) struct SwitchTable {
    pub k: Option<Int>,
    pub ranges: Vec<(i128, i128, u32)>,
    pub default: u32,
    /// Targets by value from `ranges[0].0` on, where the values are close together.
    pub dense: Vec<u32>,
}

/// A program, compiled.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub instrs: Vec<Instr>,
    pub positions: Vec<Position>,
    pub functions: Vec<Option<FunctionCode>>,
    pub library: Vec<Option<Library>>,
    pub calls: Vec<Call>,
    pub switches: Vec<SwitchTable>,
    pub messages: Vec<String>,
    /// What [`Instr::Open`] says.
    pub open: Vec<&'static str>,
    /// The padding of records.
    pub padding: Vec<Vec<Padding>>,
    /// What variable arguments are taken for.
    pub kinds: Vec<Kind>,
    pub statics: Vec<StaticPlace>,
    pub static_size: u32,
    pub static_shadow: Vec<u8>,
    pub static_bytes: Vec<u8>,
    /// Where each label stands, and in which function.
    pub labels: FxHashMap<usize, (u32, FunctionId)>,
    /// What an observed store stores: the lvalue, where there is one, and its type.
    pub stored: Vec<(Option<PlaceId>, Type)>,
    /// Where the initialisation starts, which ends with [`Instr::Ready`].
    pub start: u32,
    pub start_registers: u16,
}
