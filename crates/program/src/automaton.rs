//! Control-flow automata of guarded commands.
//!
//! The core language is that of \[SMC\] section 4: `v := e`, `havoc v` and `assume g` over SMT sorts, one command an
//! edge. All of C ends before this: there are no pointers, no calls and no side effects in expressions here, so the
//! weakest precondition is substitution. What a source language says about it beside
//! ([`annotations`](crate::annotations)) may be left out. Transition systems, whose registers change all at once, are no programs: they
//! implement [`System`](tamis_system::System) by themselves.

mod builder;

pub use builder::Builder;

use crate::annotations::{FileId, Frame, FrameId, Member, Object, Source, VariableType, index};
use crate::marks::Mark;
use rustc_hash::FxHashMap;
use tamis_logic::{Term, Terms};

/// A control location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Location(pub(crate) u32);

/// An edge, by its place in [`Program::edges`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EdgeId(pub(crate) u32);

/// A program variable, by its place in [`Program::variables`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub(crate) u32);

index!(Location, EdgeId, Var);

/// A variable of the program.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The variable in formulas; its name there is unique.
    pub term: Term,
    /// Its name.
    pub name: String,
    /// What it holds.
    pub ty: VariableType,
    /// The activation it is local to; `None` for a global.
    pub frame: Option<FrameId>,
    /// Whether the translation made it up: the user does not know it.
    pub temporary: bool,
    /// What a part of memory holds, if it is always the same member of structures.
    pub member: Option<Member>,
}

/// Why a variable takes any value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Havoc {
    /// The environment chooses: a call of the named function.
    Input(String),
    /// A local variable comes into being without an initial value.
    Uninitialised,
    /// The real value is not modelled, for the stated reason: a proof stays sound, and a counterexample that passes
    /// here may not be real.
    Approximated(String),
    /// The result of an operation that is not modelled, for the stated reason. It is as [approximated](Havoc::Approximated) as any
    /// other, but this value is all that is: a counterexample on which it decides nothing is real.
    Inexact(String),
}

impl Havoc {
    /// What the real value is not modelled of, if it is not.
    pub fn approximation(&self) -> Option<&str> {
        match self {
            Havoc::Approximated(what) | Havoc::Inexact(what) => Some(what),
            Havoc::Input(_) | Havoc::Uninitialised => None,
        }
    }
}

/// What an edge does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `var := value`.
    Assign(Var, Term),
    /// `havoc var`.
    Havoc(Var, Havoc),
    /// `assume guard`: execution passes only where it holds. `assume true` is a skip.
    Assume(Term),
}

/// What an edge means to a reader of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Nothing beyond its command.
    Step,
    /// A branch taken, and whether its condition was true.
    Branch(bool),
    /// What the user assumes holds.
    Assumption,
    /// Control enters the function, by the activation of the edge's target.
    Call(String),
    /// Control leaves the function.
    Return(String),
    /// The property is violated, in the given way.
    Violation(String),
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it starts.
    pub from: Location,
    /// Where it ends.
    pub to: Location,
    /// What it does.
    pub command: Command,
    /// The place it stands for, or [`Source::NONE`].
    pub source: Source,
    /// What it means to a reader.
    pub event: Event,
}

/// A program: \[SUM\] section 2, with one command an edge.
#[derive(Clone, Debug)]
pub struct Program {
    variables: Vec<Variable>,
    by_term: FxHashMap<Term, Var>,
    edges: Vec<Edge>,
    outgoing: Vec<Vec<EdgeId>>,
    incoming: Vec<Vec<EdgeId>>,
    location_frames: Vec<FrameId>,
    frames: Vec<Frame>,
    files: Vec<String>,
    pub(crate) marks: FxHashMap<EdgeId, Vec<Mark>>,
    objects: Vec<Object>,
    warnings: Vec<String>,
    risks_accesses: bool,
    entry: Location,
    error: Location,
}

impl Program {
    /// What the user is to be warned of, with its place.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Whether there are accesses to memory that could go wrong: through pointers, or by indices that are not constant.
    pub fn risks_accesses(&self) -> bool {
        self.risks_accesses
    }

    /// The objects that have a fixed place in memory.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    pub(crate) fn add_location(&mut self, frame: FrameId) -> Location {
        self.location_frames.push(frame);
        self.outgoing.push(Vec::new());
        self.incoming.push(Vec::new());
        Location(self.location_frames.len() as u32 - 1)
    }

    pub(crate) fn add(&mut self, edge: Edge) {
        let id = EdgeId(self.edges.len() as u32);
        self.outgoing[edge.from.index()].push(id);
        self.incoming[edge.to.index()].push(id);
        self.edges.push(edge);
    }

    /// The same program without its [approximated](Havoc::approximation) edges: none of them can be passed. What it
    /// does, the real program does too, and its edges and locations keep their ids.
    pub fn without_approximations(&self, terms: &mut Terms) -> Program {
        let mut exact = self.clone();
        for edge in &mut exact.edges {
            if let Command::Havoc(_, why) = &edge.command
                && why.approximation().is_some()
            {
                edge.command = Command::Assume(terms.fals());
            }
        }
        exact
    }

    /// The same program, in which an edge to the error location leads there only under a condition, or never. Edges and
    /// locations keep their ids; those that wait for a condition come after them.
    pub fn narrowed(&self, terms: &mut Terms, condition: impl Fn(&Edge) -> Option<Term>) -> Program {
        let mut narrowed = self.clone();
        for &id in self.incoming(self.error) {
            let edge = self.edge(id);
            let Some(guard) = condition(edge) else {
                narrowed.edges[id.index()].command = Command::Assume(terms.fals());
                continue;
            };
            let between = narrowed.add_location(self.frame_of(edge.from));
            narrowed.edges[id.index()].to = between;
            narrowed.incoming[self.error.index()].retain(|&e| e != id);
            narrowed.incoming[between.index()].push(id);
            let (command, source) = (Command::Assume(guard), edge.source);
            narrowed.add(Edge { from: between, to: self.error, command, source, event: Event::Step });
        }
        narrowed
    }

    /// The same program with another command on some edges.
    pub(crate) fn with_commands(&self, edges: Vec<EdgeId>, command: Command) -> Program {
        let mut changed = self.clone();
        for id in edges {
            changed.edges[id.index()].command = command.clone();
        }
        changed
    }

    /// Puts a command before all that leaves a location, but for edges to the error.
    pub(crate) fn delay(&mut self, from: Location, command: Command) {
        let behind = self.add_location(self.frame_of(from));
        let source = self.outgoing[from.index()].first().map_or(Source::NONE, |&id| self.edge(id).source);
        let (stay, moved): (Vec<EdgeId>, Vec<EdgeId>) =
            self.outgoing[from.index()].iter().partition(|&&id| self.edges[id.index()].to == self.error);
        for &id in &moved {
            self.edges[id.index()].from = behind;
        }
        self.outgoing[from.index()] = stay;
        self.outgoing[behind.index()] = moved;
        self.add(Edge { from, to: behind, command, source, event: Event::Step });
    }

    /// Where execution starts, with every variable arbitrary.
    pub fn entry(&self) -> Location {
        self.entry
    }

    /// The location that must not be reached; it has no outgoing edges.
    pub fn error(&self) -> Location {
        self.error
    }

    /// All locations.
    pub fn locations(&self) -> impl Iterator<Item = Location> + use<> {
        (0..self.outgoing.len() as u32).map(Location)
    }

    /// All edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The ids of all edges.
    pub fn edge_ids(&self) -> impl Iterator<Item = EdgeId> + use<> {
        (0..self.edges.len() as u32).map(EdgeId)
    }

    /// One edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// The edges that start at a location.
    pub fn outgoing(&self, l: Location) -> &[EdgeId] {
        &self.outgoing[l.index()]
    }

    /// The edges that end at a location.
    pub fn incoming(&self, l: Location) -> &[EdgeId] {
        &self.incoming[l.index()]
    }

    /// All variables.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// One variable.
    pub fn variable(&self, v: Var) -> &Variable {
        &self.variables[v.index()]
    }

    /// The variable in formulas.
    pub fn term(&self, v: Var) -> Term {
        self.variables[v.index()].term
    }

    /// The variables' ids.
    pub fn vars(&self) -> impl Iterator<Item = Var> + use<> {
        (0..self.variables.len() as u32).map(Var)
    }

    /// The program variable that a term is, if it is one.
    pub fn var_of(&self, term: Term) -> Option<Var> {
        self.by_term.get(&term).copied()
    }

    /// The activation a location belongs to. There is one without a name where none was ever named.
    pub fn frame_of(&self, l: Location) -> FrameId {
        self.location_frames[l.index()]
    }

    /// One activation.
    pub fn frame(&self, f: FrameId) -> &Frame {
        &self.frames[f.index()]
    }

    /// The name of a source file, as the user or a line marker wrote it; empty for that of [`Source::NONE`].
    pub fn file(&self, f: FileId) -> &str {
        self.files.get(f.index()).map_or("", String::as_str)
    }
}
