//! What memory means to the user: names for places in it.

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
}
