//! What a source language says about an automaton: places, activations of functions, integer types, what memory means.
//!
//! It tells people what they see of a program, and simplification when a variable is out of scope; no formula depends on
//! it. A formalism that has none of it leaves it out: see the example of [`Builder`](crate::Builder).

use tamis_logic::{Sort, Terms};

/// A source file, by its place in the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub(crate) u32);

/// An activation of a function: calls are expanded, so each call site has its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FrameId(pub(crate) u32);

macro_rules! index {
    ($($id:ident),*) => {$(
        impl $id {
            /// The id as an index, for tables beside the program.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
index!(FileId, FrameId);

pub(crate) use index;

/// A place in the user's files. Lines and columns count from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Source {
    /// The file.
    pub file: FileId,
    /// The line.
    pub line: u32,
    /// The column, or 0 where it is not known.
    pub column: u32,
}

impl Source {
    /// No place: what was not written by the user has none, and where there are no files nothing has.
    pub const NONE: Source = Source { file: FileId(0), line: 0, column: 0 };
}

/// An activation of a function.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function.
    pub function: String,
    /// The calling activation and the place of the call; `None` for `main`.
    pub caller: Option<(FrameId, Source)>,
}

/// How a C integer is stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IntType {
    /// Its width.
    pub bits: u32,
    /// Whether it is two's complement.
    pub signed: bool,
}

/// What a variable holds: a sort, and the integer type that the source language has for it, if it has one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VariableType {
    /// The sort of the variable in formulas.
    pub sort: Sort,
    int: Option<IntType>,
}

impl VariableType {
    /// A part of memory: numbers of `cell` bits by their addresses.
    pub fn memory(terms: &mut Terms, address: u32, cell: u32) -> VariableType {
        terms.array_sort(Sort::BitVec(address), Sort::BitVec(cell)).into()
    }

    /// The integer type, if it is one.
    pub fn int(self) -> Option<IntType> {
        self.int
    }
}

impl From<Sort> for VariableType {
    fn from(sort: Sort) -> VariableType {
        VariableType { sort, int: None }
    }
}

impl From<IntType> for VariableType {
    fn from(int: IntType) -> VariableType {
        VariableType { sort: Sort::BitVec(int.bits), int: Some(int) }
    }
}

/// A member of structures, as a pointer to one of them leads there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// The names, as in `position.x`.
    pub path: String,
    /// How many bytes it is behind the pointer.
    pub offset: u64,
    /// Whether its values are signed.
    pub signed: bool,
}

/// An object of the program that has a fixed place in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// What it is called in the source.
    pub name: String,
    /// Its address.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// If it is an array of integers or pointers: the size of an element in bytes, and whether it is signed.
    pub element: Option<(u64, bool)>,
    /// If it is a structure: its members that are integers or pointers, each by its offset, and their sizes in bytes.
    pub members: Vec<(Member, u64)>,
}
