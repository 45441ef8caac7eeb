//! *TraceEliminate*: do predicates eliminate a trace? [MIN] section 2.4, Fig. 4.

mod agreement;
mod images;
mod relations;

pub use agreement::TraceEliminate;
