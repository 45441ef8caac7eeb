//! What a user can say about how a file is read.

use std::path::PathBuf;

/// The widths of the C types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits: i386 Linux.
    Ilp32,
    /// `long` and pointers have 64 bits: x86-64 Linux.
    #[default]
    Lp64,
}

/// How a file is read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The widths of the C types.
    pub data_model: DataModel,
    /// Folders to look for headers in, as `cc -I`.
    pub include: Vec<PathBuf>,
    /// Macros to define, as `cc -D`.
    pub define: Vec<String>,
}
