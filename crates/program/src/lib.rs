//! Programs as control-flow automata of guarded commands, and what can be computed from them alone: weakest
//! preconditions, loop cutsets, summaries, edge queries.

mod automaton;

pub use automaton::{
    Builder, Command, Edge, EdgeId, Event, FileId, Frame, FrameId, Havoc, IntType, Location, Program, Source, Var,
    Variable,
};
