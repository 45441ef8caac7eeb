//! Witnesses of verdicts in the exchange format of the competition on software verification, version 2.0: a violation as
//! a sequence of waypoints, a proof as a set of invariants, over places and expressions of the C program.
//!
//! What a witness says about a program is put into the program ([`monitor`]): a check where an invariant is to hold,
//! code that counts segments at waypoints. Inserted code has file names of its own in line markers, and all other code
//! keeps its places, so names are resolved by C's own rules, in the scope they stand in, and the program with its
//! monitor is one like any other. Checks at loop heads are read off its automaton again as candidates, and the largest
//! inductive subset is kept (`evidence::inductive`): to validate the invariants of others, and to find out what of a
//! proof of ours can be said in C. A sequence narrows the edges to the error to those in the target's statement, after
//! all segments (`Program::narrowed`).

pub mod find;
pub mod make;
pub mod monitor;
mod read;
pub mod text;
pub mod validate;
mod write;

pub use read::read;
pub use write::{Entry, WrittenWaypoint, write};

use crate::yaml::{Document, Node};
use tamis_front_c::DataModel;
use tamis_front_c::tree::{Callee, ExprKind, Unit};

/// A witness.
#[derive(Clone, Debug)]
pub struct Witness {
    pub document: Document,
    pub task: Task,
    pub content: Content,
    /// What is in it that is not understood.
    pub skipped: Vec<String>,
}

/// What a witness says about a program.
#[derive(Clone, Debug)]
pub enum Content {
    /// Sequences of segments, each for some executions that violate the property.
    Violation(Vec<Vec<Segment>>),
    /// Invariants that help to prove it.
    Correctness(Vec<Invariant>),
}

/// The task that a witness is for.
#[derive(Clone, Debug)]
pub struct Task {
    /// The files, with their SHA-256 hashes.
    pub files: Vec<(Node, Option<Node>)>,
    pub specification: Option<Node>,
    pub data_model: Option<(DataModel, Node)>,
}

impl Task {
    /// Whether another one says the same, wherever it stands.
    pub fn is_the_same(&self, other: &Task) -> bool {
        let text = |node: &Option<Node>| node.as_ref().and_then(Node::scalar).map(str::to_owned);
        let files = |task: &Task| -> Vec<_> {
            task.files.iter().map(|(name, hash)| (name.scalar().map(str::to_owned), text(hash))).collect()
        };
        let model = |task: &Task| task.data_model.as_ref().map(|(model, _)| *model);
        (files(self), text(&self.specification), model(self))
            == (files(other), text(&other.specification), model(other))
    }
}

/// A place in a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
    pub function: Option<String>,
}

/// An expression in a witness, and where it stands there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expression {
    pub text: String,
    pub node: Node,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvariantKind {
    /// Holds whenever the condition of a loop is about to be evaluated.
    Loop,
    /// Holds whenever a statement is about to be executed.
    Location,
}

#[derive(Clone, Debug)]
pub struct Invariant {
    pub kind: InvariantKind,
    pub place: Place,
    pub value: Expression,
}

/// Waypoints to avoid, and one to pass.
#[derive(Clone, Debug)]
pub struct Segment {
    pub avoid: Vec<Waypoint>,
    pub follow: Waypoint,
}

#[derive(Clone, Debug)]
pub struct Waypoint {
    pub kind: WaypointKind,
    pub place: Place,
    /// Where it stands in the witness.
    pub node: Node,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaypointKind {
    /// The expression is not 0 before a statement.
    Assumption(Expression),
    /// The condition of a statement is true, or false.
    Branching(bool),
    /// A `switch` goes to a case, or to its default.
    Case(Option<i128>),
    FunctionEnter,
    /// What a call gives compares so with a constant: `\result == 3`.
    FunctionReturn(Expression),
    /// The violation.
    Target,
}

/// Whether a program calls a function by its name, or may call it by its address.
pub fn calls(unit: &Unit, name: &str) -> bool {
    unit.exprs().any(|e| match unit[e].kind {
        ExprKind::Call { callee: Callee::Function(f), .. } | ExprKind::FunctionAddress(f) => {
            unit[f].name == name
        }
        _ => false,
    })
}
