//! Languages of what is checked.

pub mod c;
