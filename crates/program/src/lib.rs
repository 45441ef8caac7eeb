//! Programs as control-flow automata of guarded commands, and what can be computed from them alone: simplification,
//! dominators and loops, weakest preconditions, loop cutsets, summaries, formulas of blocks; and what the loop knows of
//! them: [`ProgramSystem`].
//!
//! The papers are cited as in `ARCHITECTURE.md`: \[MIN\] *Predicate Abstraction with Minimum Predicates*, \[SMC\] *Grand Challenge: Model Check Software*, \[SUM\] *Efficient
//! Predicate Abstraction of Program Summaries*.

mod annotations;
mod automaton;
mod branch_atoms;
mod candidates;
mod cutset;
mod dominators;
mod encode;
mod flow;
mod liveness;
mod loops;
mod marks;
mod minimum;
mod points;
mod pred_infer;
mod rounds;
mod rule;
mod simplify;
mod summary;
mod system;
mod unwinding;
mod wp;

pub use annotations::{FileId, Frame, FrameId, IntType, Member, Object, Source, VariableType};
pub use automaton::{Builder, Command, Edge, EdgeId, Event, Havoc, Location, Program, Var, Variable};
pub use branch_atoms::branch_atoms;
pub use cutset::{back_edge_cutset, relevant_locations};
pub use dominators::Dominators;
pub use encode::{Encoded, Execution, State, edge_query, encode};
pub use liveness::Liveness;
pub use loops::{Loop, LoopId, LoopNest, back_edges};
pub use marks::{Mark, Undefined};
pub use minimum::minimum_cutset;
pub use points::ErrorPoint;
pub use pred_infer::pred_infer;
pub use rule::{basic_block_locations, rule_locations};
pub use simplify::{Simplified, pass_names, run_pass, simplify};
pub use summary::{Block, BlockId, Summary, SummaryKind};
pub use system::{ProgramSystem, executed};
pub use unwinding::UnwindingOrder;
pub use wp::weakest_precondition;
