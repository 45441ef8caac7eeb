//! C to control-flow automata.

mod error;
mod lines;
mod load;
mod options;
mod preprocess;
mod rucc;
mod translate;
pub mod tree;

pub use error::{Diagnostic, Error};
pub use load::{load, translate_source};
pub use options::{DataModel, Options};
