//! Hardware designs as they are written, read into a [`Design`].
//!
//! [`btor2`] is the word-level format of the hardware model checking competitions.

pub mod btor2;
mod names;

use tamis_design::Design;

/// What was read.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The design.
    pub design: Design,
    /// Liveness properties, by name, which are not checked.
    pub liveness: Vec<String>,
    /// How many fairness conditions there are, which count for liveness alone.
    pub fairness: usize,
    /// What the user is to be warned of.
    pub warnings: Vec<String>,
}
