//! Programs as control-flow automata of guarded commands, and what can be computed from them alone: weakest
//! preconditions, loop cutsets, summaries, edge queries.
//!
//! The papers are cited as in `ARCHITECTURE.md`: [SMC] *Grand Challenge: Model Check Software*, [SUM] *Efficient
//! Predicate Abstraction of Program Summaries*.

mod automaton;
mod cutset;
mod encode;
mod liveness;
mod summary;
mod wp;

pub use automaton::{
    Builder, Command, Edge, EdgeId, Event, FileId, Frame, FrameId, Havoc, IntType, Location, Program, Source,
    Var, Variable,
};
pub use cutset::{back_edge_cutset, relevant_locations};
pub use encode::{Encoded, Execution, State, encode};
pub use liveness::Liveness;
pub use summary::{Block, BlockId, Summary};
pub use wp::{PathCondition, path_condition, weakest_precondition};
