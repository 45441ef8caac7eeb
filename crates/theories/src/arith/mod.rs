//! Linear arithmetic.
