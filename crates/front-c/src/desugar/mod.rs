//! What can be said in simpler C, on the tree of a whole program.

pub(crate) mod cleanup;
pub(crate) mod devices;
pub(crate) mod jumps;
pub(crate) mod startup;
pub(crate) mod variadic;
