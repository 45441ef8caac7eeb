//! Equality with uninterpreted functions.
