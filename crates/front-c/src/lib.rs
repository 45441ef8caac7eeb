//! C to control-flow automata.
//!
//! [`load`] reads a C file, has it preprocessed by the system's compiler, parses and types it, and translates what
//! `main` reaches into a [`Program`](tamis_program::Program) of guarded commands. The typed tree in between is
//! [`tree`]. What cannot be translated is refused with its place ([`Error`]); nothing is silently left out.
//!
//! What a program means, and what of C is refused, is said in one place: `docs/semantics.md`. The meaning is that of gcc
//! on x86 Linux with `-fwrapv`, in one of two [`DataModel`]s.
//!
//! | where | what is decided there |
//! | --- | --- |
//! | `load`, `preprocess`, `decode`, `sources`, `lines`, `compile_commands` | which files are read and how, and what a place in them is called |
//! | `cprover` | CBMC's dialect becomes C, before the text is parsed |
//! | `harness` | a function as a program: the `main` that calls it with arbitrary arguments |
//! | `rucc` | parsing and typing by the crate of that name, whose tree becomes ours |
//! | [`tree`] | the typed tree: linking of translation units, copies of functions for their callers |
//! | `library` | functions of the C library that are defined in C |
//! | `weave` | code of a specification at the events of a program |
//! | `memory` | which lvalues may be the same memory, and what calls reach |
//! | `translate` | the automaton; where it ends an execution is told by `translate::assumption` |

mod compile_commands;
mod cprover;
mod decode;
mod desugar;
mod harness;
mod json;
mod library;
mod lines;
mod load;
mod memory;
mod options;
mod preprocess;
mod rucc;
mod sources;
mod standard_input;
mod translate;
pub mod tree;
mod weave;

pub use library::{is_library_text, knows};
pub use load::{Preprocessed, harness, load, load_functions, parse, preprocessed, read, translate_source};
pub use options::{Contracts, DataModel, Entry, Macro, Options, Refinement, Target, Volatile};
pub use sources::{Insertion, Piece, Sources, Spot};
pub use standard_input::{file_bytes, file_name};
pub use tamis_diagnostics::{Diagnostic, Error};
pub use weave::{Act, CHOICE, Event, Hook, StandIn, Variable, Way, Weaving};
