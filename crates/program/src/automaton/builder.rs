//! Programs in the making.

use super::{Command, Edge, EdgeId, Event, Location, Program, Var, Variable};
use crate::annotations::{FileId, Frame, FrameId, Member, Object, Source, VariableType};
use crate::marks::Mark;
use rustc_hash::FxHashMap;
use tamis_logic::{Term, Terms};

/// Builds a [`Program`] edge by edge.
///
/// A counter that counts to 10, and no further. Nothing is said of files, functions and types of a language:
///
/// ```
/// use tamis_logic::{Sort, Terms};
/// use tamis_program::{Builder, Command, Event};
/// let mut terms = Terms::new();
/// let mut b = Builder::new();
/// let n = b.variable(&mut terms, "n", Sort::BitVec(8), None);
/// let [start, head, error] = [(); 3].map(|()| b.location(None));
/// let (term, zero, one, ten) = (b.term(n), terms.bits(8, 0), terms.bits(8, 1), terms.bits(8, 10));
/// let less = terms.ult(term, ten);
/// b.edge(start, head, Command::Assign(n, zero), None, Event::Step);
/// // A guarded step of the counter is two edges: one that passes, one that counts.
/// let step = b.location(None);
/// b.edge(head, step, Command::Assume(less), None, Event::Step);
/// b.edge(step, head, Command::Assign(n, terms.add(term, one)), None, Event::Step);
/// b.edge(head, error, Command::Assume(terms.ult(ten, term)), None, Event::Step);
/// let program = b.finish(start, error);
/// assert_eq!(program.edges().len(), 4);
/// ```
///
/// What a source language knows is added where it is known:
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
    warnings: Vec<String>,
    risks_accesses: bool,
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

    /// A new variable, of a sort or of an integer type; one of the user's is known by its name.
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
        let term = terms.var(&unique, ty.sort);
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

    /// Says whether there are accesses to memory that could go wrong.
    pub fn set_accesses(&mut self, risked: bool) {
        self.risks_accesses = risked;
    }

    /// Something to warn the user of, once.
    pub fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// A new location of an activation, if there are any.
    pub fn location(&mut self, frame: impl Into<Option<FrameId>>) -> Location {
        self.location_frames.push(frame.into().unwrap_or(FrameId(0)));
        Location(self.location_frames.len() as u32 - 1)
    }

    /// A new edge, which stands for a place if there are any.
    pub fn edge(
        &mut self,
        from: Location,
        to: Location,
        command: Command,
        source: impl Into<Option<Source>>,
        event: Event,
    ) -> EdgeId {
        let source = source.into().unwrap_or(Source::NONE);
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
    pub fn finish(mut self, entry: Location, error: Location) -> Program {
        if self.frames.is_empty() {
            self.frame("", None);
        }
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
            warnings: self.warnings,
            risks_accesses: self.risks_accesses,
            entry,
            error,
        }
    }
}
