//! Control-flow automata of guarded commands.
//!
//! The core language is that of [SMC] section 4: `v := e`, `havoc v` and `assume g` over SMT sorts, one command an
//! edge. All of C ends before this: there are no pointers, no calls and no side effects in expressions here, so the
//! weakest precondition is substitution. A program with one location is a transition system.

use crate::marks::Mark;
use crate::objects::{Member, Object};
use rustc_hash::FxHashMap;
use tamis_logic::{Sort, Term, Terms};

/// A control location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Location(pub(crate) u32);

/// An edge, by its place in [`Program::edges`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EdgeId(pub(crate) u32);

/// A program variable, by its place in [`Program::variables`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub(crate) u32);

/// A source file, by its place in [`Program::files`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub(crate) u32);

/// An activation of a function: calls are expanded, so each call site has its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FrameId(pub(crate) u32);

macro_rules! index {
    ($($id:ident),*) => {$(
        impl $id {
            /// The id as an index, for tables beside the program.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
index!(Location, EdgeId, Var, FileId, FrameId);

/// A place in the user's files. Lines and columns count from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Source {
    /// The file.
    pub file: FileId,
    /// The line.
    pub line: u32,
    /// The column, or 0 where it is not known.
    pub column: u32,
}

/// How a C integer is stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IntType {
    /// Its width.
    pub bits: u32,
    /// Whether it is two's complement.
    pub signed: bool,
}

/// What a variable holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VariableType {
    /// An integer or an address.
    Int(IntType),
    /// A part of memory: numbers of one width by their addresses.
    Memory {
        /// The width of an address.
        address: u32,
        /// The width of what is there.
        cell: u32,
    },
}

impl VariableType {
    /// The sort of the variable in formulas.
    pub fn sort(self, terms: &mut Terms) -> Sort {
        match self {
            VariableType::Int(int) => Sort::BitVec(int.bits),
            VariableType::Memory { address, cell } => {
                terms.array_sort(Sort::BitVec(address), Sort::BitVec(cell))
            }
        }
    }

    /// The integer type, if it is one.
    pub fn int(self) -> Option<IntType> {
        match self {
            VariableType::Int(int) => Some(int),
            VariableType::Memory { .. } => None,
        }
    }
}

impl From<IntType> for VariableType {
    fn from(int: IntType) -> VariableType {
        VariableType::Int(int)
    }
}

/// A variable of the program.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The variable in formulas; its name there is unique.
    pub term: Term,
    /// Its name in the source.
    pub name: String,
    /// Its type.
    pub ty: VariableType,
    /// The activation it is local to; `None` for a global.
    pub frame: Option<FrameId>,
    /// Whether the translation made it up: the user does not know it.
    pub temporary: bool,
    /// What a part of memory holds, if it is always the same member of structures.
    pub member: Option<Member>,
}

/// An activation of a function.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function.
    pub function: String,
    /// The calling activation and the place of the call; `None` for `main`.
    pub caller: Option<(FrameId, Source)>,
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
    /// The place it stands for.
    pub source: Source,
    /// What it means to a reader.
    pub event: Event,
}

/// A program: [SUM] section 2, with one command an edge.
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
    entry: Location,
    error: Location,
}

impl Program {
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

    /// The same program without its [approximated](Havoc::Approximated) edges: none of them can be passed. What it
    /// does, the real program does too, and its edges and locations keep their ids.
    pub fn without_approximations(&self, terms: &mut Terms) -> Program {
        let mut exact = self.clone();
        for edge in &mut exact.edges {
            if let Command::Havoc(_, Havoc::Approximated(_)) = edge.command {
                edge.command = Command::Assume(terms.fals());
            }
        }
        exact
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

    /// The activation a location belongs to.
    pub fn frame_of(&self, l: Location) -> FrameId {
        self.location_frames[l.index()]
    }

    /// One activation.
    pub fn frame(&self, f: FrameId) -> &Frame {
        &self.frames[f.index()]
    }

    /// The name of a source file, as the user or a line marker wrote it.
    pub fn file(&self, f: FileId) -> &str {
        &self.files[f.index()]
    }
}

/// Builds a [`Program`] edge by edge.
///
/// ```
/// use tamis_logic::Terms;
/// use tamis_program::{Builder, Command, Event, IntType};
/// let mut terms = Terms::new();
/// let mut b = Builder::new();
/// let file = b.file("count.c");
/// let main = b.frame("main", None);
/// let at = tamis_program::Source { file, line: 1, column: 1 };
/// let x = b.variable(&mut terms, "x", IntType { bits: 32, signed: true }, Some(main));
/// let (start, error) = (b.location(main), b.location(main));
/// let guard = { let t = b.term(x); terms.nonzero(t) };
/// b.edge(start, error, Command::Assume(guard), at, Event::Violation("x is not 0".into()));
/// let program = b.finish(start, error);
/// assert_eq!(program.edges().len(), 1);
/// ```
#[derive(Default, Debug)]
pub struct Builder {
    variables: Vec<Variable>,
    edges: Vec<Edge>,
    location_frames: Vec<FrameId>,
    frames: Vec<Frame>,
    files: Vec<String>,
    marks: FxHashMap<EdgeId, Vec<Mark>>,
    objects: Vec<Object>,
    /// The number of the first variable in names of formulas.
    first: usize,
}

impl Builder {
    /// An empty program.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// An empty program whose variables are numbered from `first` on in formulas: apart from those of another program
    /// over the same terms that has fewer.
    pub fn numbered_from(first: usize) -> Builder {
        Builder { first, ..Builder::default() }
    }

    /// The number of the next variable.
    pub fn next_number(&self) -> usize {
        self.first + self.variables.len()
    }

    /// A program with the files and activations of another, and nothing else yet.
    pub(crate) fn like(program: &Program) -> Builder {
        Builder {
            files: program.files.clone(),
            frames: program.frames.clone(),
            objects: program.objects.clone(),
            ..Builder::default()
        }
    }

    /// A variable of the program that this one is made from, with its term.
    pub(crate) fn existing_variable(&mut self, variable: Variable) -> Var {
        self.variables.push(variable);
        Var(self.variables.len() as u32 - 1)
    }

    /// The file of that name, found or added.
    pub fn file(&mut self, name: &str) -> FileId {
        let index = self.files.iter().position(|f| f == name).unwrap_or_else(|| {
            self.files.push(name.to_owned());
            self.files.len() - 1
        });
        FileId(index as u32)
    }

    /// A new activation.
    pub fn frame(&mut self, function: &str, caller: Option<(FrameId, Source)>) -> FrameId {
        self.frames.push(Frame { function: function.to_owned(), caller });
        FrameId(self.frames.len() as u32 - 1)
    }

    /// One activation.
    pub fn frame_data(&self, f: FrameId) -> &Frame {
        &self.frames[f.index()]
    }

    /// A new variable that stands for the user's variable `name`.
    pub fn variable(
        &mut self,
        terms: &mut Terms,
        name: &str,
        ty: impl Into<VariableType>,
        frame: Option<FrameId>,
    ) -> Var {
        self.add_variable(terms, name, ty.into(), frame, false)
    }

    /// Says which member of structures a part of memory holds.
    pub fn set_member(&mut self, v: Var, member: Member) {
        self.variables[v.index()].member = Some(member);
    }

    /// Says what the user calls a piece of memory.
    pub fn object(&mut self, object: Object) {
        self.objects.push(object);
    }

    /// A new variable of the translation's own.
    pub fn temporary(
        &mut self,
        terms: &mut Terms,
        name: &str,
        ty: impl Into<VariableType>,
        frame: FrameId,
    ) -> Var {
        self.add_variable(terms, name, ty.into(), Some(frame), true)
    }

    fn add_variable(
        &mut self,
        terms: &mut Terms,
        name: &str,
        ty: VariableType,
        frame: Option<FrameId>,
        temporary: bool,
    ) -> Var {
        // Functions expand into many activations and blocks may shadow: the id keeps names in formulas apart.
        let unique = format!("{name}.{}", self.next_number());
        let sort = ty.sort(terms);
        let term = terms.var(&unique, sort);
        self.variables.push(Variable { term, name: name.to_owned(), ty, frame, temporary, member: None });
        Var(self.variables.len() as u32 - 1)
    }

    /// A variable's term.
    pub fn term(&self, v: Var) -> Term {
        self.variables[v.index()].term
    }

    /// A variable's data.
    pub fn variable_data(&self, v: Var) -> &Variable {
        &self.variables[v.index()]
    }

    /// A new location of an activation.
    pub fn location(&mut self, frame: FrameId) -> Location {
        self.location_frames.push(frame);
        Location(self.location_frames.len() as u32 - 1)
    }

    /// A new edge.
    pub fn edge(
        &mut self,
        from: Location,
        to: Location,
        command: Command,
        source: Source,
        event: Event,
    ) -> EdgeId {
        self.edges.push(Edge { from, to, command, source, event });
        EdgeId(self.edges.len() as u32 - 1)
    }

    /// Notes that undefined behaviour can happen on an edge.
    pub fn mark(&mut self, edge: EdgeId, mark: Mark) {
        self.marks.entry(edge).or_default().push(mark);
    }

    /// How many edges there are so far: the translation's measure of size.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The program that starts at `entry` and must not reach `error`.
    ///
    /// # Panics
    /// If an edge leaves `error`.
    pub fn finish(self, entry: Location, error: Location) -> Program {
        let mut outgoing = vec![Vec::new(); self.location_frames.len()];
        let mut incoming = outgoing.clone();
        for (i, edge) in self.edges.iter().enumerate() {
            assert!(edge.from != error, "an edge leaves the error location");
            outgoing[edge.from.index()].push(EdgeId(i as u32));
            incoming[edge.to.index()].push(EdgeId(i as u32));
        }
        let by_term = self.variables.iter().enumerate().map(|(i, v)| (v.term, Var(i as u32))).collect();
        Program {
            variables: self.variables,
            by_term,
            edges: self.edges,
            outgoing,
            incoming,
            location_frames: self.location_frames,
            frames: self.frames,
            files: self.files,
            marks: self.marks,
            objects: self.objects,
            entry,
            error,
        }
    }
}
