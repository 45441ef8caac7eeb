//! Sorts of terms.

use std::fmt;

/// The widest bit-vector a [`Bits`](crate::Bits) value can hold.
pub const MAX_WIDTH: u32 = 128;

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Bit-vectors of the given width, from 1 to [`MAX_WIDTH`].
    BitVec(u32),
}

impl Sort {
    /// The width of a bit-vector sort; `None` for `Bool`.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::Bool => None,
            Sort::BitVec(width) => Some(width),
        }
    }
}

/// The sort as SMT-LIB writes it.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "Bool"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
        }
    }
}
