//! From the typed tree to a control-flow automaton.
//!
//! The walk keeps the node it is at (`here`), or nothing where control cannot be. Expressions become terms over the
//! program's variables; their side effects, and what must be checked before a value exists, become edges in the
//! order of evaluation.

mod allocate;
mod assign;
mod assumption;
mod bits;
mod bounds;
mod call;
mod condition;
mod effects;
mod emit;
mod expose;
mod expression;
mod facts;
mod graph;
mod heap;
mod identity;
mod initial;
mod labels;
mod layout;
mod library;
mod names;
mod object;
mod operator;
mod order;
mod padding;
mod place;
mod promote;
mod statement;
mod unexpanded;

pub(crate) use unexpanded::RECURSION;

use crate::lines::Lines;
use crate::memory::{Memory, RegionId, Thing, Touches};
use crate::tree::contexts;
use crate::tree::{CaseId, ExprId, FunctionId, LabelId, ObjectId, PlaceId, Position, Storage, Type, Unit};
use assumption::Assumption;
use effects::Effects;
use facts::Facts;
use graph::{Graph, Node};
use identity::Identity;
use layout::Layouter;
use library::is_undefined;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::rc::Rc;
use tamis_diagnostics::{Diagnostic, Error};
use tamis_logic::{Term, Terms};
use tamis_program::{Builder, Command, Event, FileId, FrameId, Havoc, Mark, Member, Program, Source, Var};

/// More edges than this are refused: calls are expanded, and nesting them multiplies.
const EDGE_LIMIT: usize = 2_000_000;

/// Where the value of a call goes.
#[derive(Clone, Debug)]
enum Want {
    /// Nowhere.
    Nothing,
    /// Into a variable, through these conversions.
    Into(Var, Vec<Type>),
    /// Into memory at an address: a struct or union.
    Struct(Term),
}

/// What is known of an activation while its body is translated.
struct Activation {
    function: FunctionId,
    frame: FrameId,
    locals: FxHashMap<ObjectId, Var>,
    /// The values of variables that have a constant value all the time.
    constants: FxHashMap<ObjectId, Term>,
    /// The arguments, where they are constant.
    args: Vec<Option<Term>>,
    /// Where its objects in memory are.
    bases: FxHashMap<Thing, u64>,
    /// How many loops are open.
    loops: u32,
    /// Whether a label has been passed.
    labelled: bool,
    labels: FxHashMap<LabelId, Node>,
    cases: FxHashMap<CaseId, Node>,
    defaults: Vec<Node>,
    breaks: Vec<Node>,
    continues: Vec<Node>,
    /// Where a `return` goes; `None` in `main`, where it ends the execution.
    exit: Option<Node>,
    want: Want,
}

impl Activation {
    fn new(function: FunctionId, frame: FrameId, exit: Option<Node>, want: Want) -> Activation {
        Activation {
            function,
            frame,
            locals: FxHashMap::default(),
            constants: FxHashMap::default(),
            args: Vec::new(),
            bases: FxHashMap::default(),
            loops: 0,
            labelled: false,
            labels: FxHashMap::default(),
            cases: FxHashMap::default(),
            defaults: Vec::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            exit,
            want,
        }
    }
}

/// The walk.
struct Translator<'a> {
    unit: &'a Unit,
    lines: &'a Lines,
    terms: &'a mut Terms,
    builder: Builder,
    graph: Graph,
    facts: Facts,
    effects: Effects<'a>,
    memory: Memory<'a>,
    touches: Rc<Touches>,
    /// Conversions of addresses to numbers whose value would show where objects are.
    exposed: FxHashSet<ExprId>,
    layout: Layouter,
    region_vars: Vec<Option<Var>>,
    /// What regions hold, if always the same member of structures.
    members: FxHashMap<RegionId, Option<Member>>,
    static_bases: FxHashMap<Thing, u64>,
    static_things: Vec<(Thing, u64)>,
    /// The sizes of allocated blocks with fixed addresses, by address.
    block_sizes: FxHashMap<u64, u64>,
    /// What is allocated at addresses that are known only at run time.
    dynamic: FxHashSet<Thing>,
    heap: Option<Var>,
    identity: Identity,
    /// How deep the calls of a function's cycle are unfolded, and the cycle.
    depths: FxHashMap<FunctionId, (usize, FxHashSet<FunctionId>)>,
    /// The functions of which a call was approximated.
    approximated: FxHashSet<FunctionId>,
    /// The pointers that lvalues were found by.
    pointers: FxHashMap<PlaceId, Term>,
    /// The indices that elements were found by.
    indices: FxHashMap<PlaceId, Term>,
    files: Vec<FileId>,
    /// The variables that live in the whole run, in the order of their first use.
    statics: Vec<(ObjectId, Var)>,
    static_vars: FxHashMap<ObjectId, Var>,
    /// What an undefined function may change and the program looks at.
    shared: Vec<ObjectId>,
    activations: Vec<Activation>,
    /// The tested values of the enclosing `?:` without a middle operand.
    bound: Vec<Term>,
    here: Option<Node>,
    /// The undefined behaviour that what is computed here can run into, for the next edge.
    marks: Vec<Mark>,
    /// Accesses through pointers that are marked.
    accesses: Vec<bounds::Access>,
    /// The place of the last edge.
    last_source: Source,
    /// The conditions under which what is computed now is computed.
    under: Vec<Term>,
    error: Node,
    /// How many enclosing pairs of operands are evaluated in both orders.
    orders: usize,
    expansion: Expansion<'a>,
}

/// How calls are expanded.
#[derive(Clone, Copy)]
struct Expansion<'a> {
    /// How many times recursion is unfolded four times as deep.
    deepened: u32,
    /// Where expanding calls takes too much, whether they are approximated, and from how many edges on.
    frugal: Option<Frugality>,
    /// The number of the first variable.
    first: usize,
    /// Where there were more edges than are taken, the number of the next variable.
    outgrown: &'a Cell<Option<usize>>,
}

/// From how many edges on calls are approximated.
#[derive(Clone, Copy)]
struct Frugality {
    /// Calls of functions that call many others.
    large: usize,
    /// All calls.
    all: usize,
}

/// In a program that is too large to be expanded as a whole.
const TOO_LARGE: Frugality = Frugality { large: 200_000, all: 1_000_000 };

/// What is translated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    /// The program, from the start of `main`.
    Program,
    /// A function by itself, from any state; what is to be reached is its end.
    Function,
}

/// The automaton of a translation unit. If expanding all calls gives too many edges, some are approximated.
pub(crate) fn translate(
    unit: &Unit,
    lines: &Lines,
    name: &str,
    deepened: u32,
    terms: &mut Terms,
) -> Result<Program, Error> {
    let Some(main) = unit.main() else {
        return Err(Error::Unreadable(Diagnostic::about_file(name, "there is no definition of `main`")));
    };
    let outgrown = Cell::new(None);
    let expansion = Expansion { deepened, frugal: None, first: 0, outgrown: &outgrown };
    let copied = contexts::for_callers(unit, main);
    let unit = copied.as_ref().unwrap_or(unit);
    match (attempt(unit, lines, main, Whole::Program, terms, expansion), outgrown.get()) {
        (Err(_), Some(first)) => {
            let frugal = Expansion { frugal: Some(TOO_LARGE), first, ..expansion };
            attempt(unit, lines, main, Whole::Program, terms, frugal)
        }
        (result, _) => result,
    }
}

/// The automaton of a function by itself: from any state, the error location being its end. Calls are expanded while
/// there are fewer than `edges` edges.
pub(crate) fn translate_function(
    unit: &Unit,
    lines: &Lines,
    function: FunctionId,
    edges: usize,
    terms: &mut Terms,
) -> Result<Program, Error> {
    let outgrown = Cell::new(None);
    let frugal = Some(Frugality { large: 0, all: edges });
    let expansion = Expansion { deepened: 0, frugal, first: 0, outgrown: &outgrown };
    attempt(unit, lines, function, Whole::Function, terms, expansion)
}

fn attempt(
    unit: &Unit,
    lines: &Lines,
    main: FunctionId,
    whole: Whole,
    terms: &mut Terms,
    expansion: Expansion<'_>,
) -> Result<Program, Error> {
    let mut builder = Builder::numbered_from(expansion.first);
    unit.warnings.iter().for_each(|warning| builder.warn(warning.clone()));
    let files: Vec<FileId> = unit.files().iter().map(|f| builder.file(f)).collect();
    let at = unit[main].at;
    let last_source = Source { file: files[at.file as usize], line: at.line, column: at.column };
    let frame = builder.frame(&unit[main].name, None);
    let mut graph = Graph::new(terms.tru());
    let (entry, statics) = (graph.node(frame), graph.node(frame));
    let (start, error) = (graph.node(frame), graph.node(frame));
    let mut memory = Memory::new(unit, main, unit.functions().filter(|&f| is_undefined(unit, f)).collect());
    let touches = Rc::new(memory.touches());
    let addressed = Rc::new(memory.addressed());
    let mut effects = Effects::new(unit, touches.clone(), addressed.clone());
    let read = effects.read_from(main);
    let is_shared = |&o: &ObjectId| {
        unit[o].external && unit[o].refused.is_none() && !unit[o].is_automatic() && {
            // What it points to may be looked at where it is not.
            let leads = memory.has_met(o) && !memory.reached_from(o).is_empty();
            leads || if memory.is_plain(o) { read.contains(&o) } else { touches.objects.contains_key(&o) }
        }
    };
    let shared = unit.objects().filter(is_shared).collect();
    let identity = Identity::new(unit, &mut memory, |kept| {
        let (name, ty) = kept.variable(terms, unit.word());
        builder.temporary(terms, name, ty, frame)
    });
    let mut walk = Translator {
        unit,
        lines,
        terms,
        builder,
        graph,
        facts: Facts::new(unit, &addressed),
        effects,
        shared,
        region_vars: vec![None; memory.regions.len()],
        members: FxHashMap::default(),
        exposed: expose::exposed(unit),
        memory,
        touches,
        layout: Layouter::new(unit.word()),
        static_bases: FxHashMap::default(),
        static_things: Vec::new(),
        block_sizes: FxHashMap::default(),
        dynamic: FxHashSet::default(),
        heap: None,
        identity,
        depths: FxHashMap::default(),
        approximated: FxHashSet::default(),
        pointers: FxHashMap::default(),
        indices: FxHashMap::default(),
        files,
        statics: Vec::new(),
        static_vars: FxHashMap::default(),
        activations: vec![Activation::new(
            main,
            frame,
            (whole == Whole::Function).then_some(error),
            Want::Nothing,
        )],
        bound: Vec::new(),
        here: Some(start),
        marks: Vec::new(),
        accesses: Vec::new(),
        last_source,
        under: Vec::new(),
        orders: 0,
        error,
        expansion,
    };
    if let Some((at, what)) = unit.refused {
        return walk.refuse(at, what);
    }
    if expansion.frugal.is_none() && walk.effects.expansion(main) > EDGE_LIMIT as u64 {
        return walk.too_large(unit[main].at);
    }
    match whole {
        Whole::Program => {
            walk.main(main)?;
            walk.cease(Assumption::EndOfMain);
            walk.here = Some(statics);
            walk.initialise_statics()?;
            walk.jump(start);
            // The initial values of variables may use addresses of objects that nothing has used so far.
            walk.here = Some(entry);
            walk.initialise_heap()?;
            walk.initialise_static_memory()?;
            walk.jump(statics);
        }
        Whole::Function => {
            walk.body(main)?;
            walk.jump(error);
            walk.here = Some(entry);
            walk.jump(start);
        }
    }
    let Translator {
        terms,
        mut memory,
        layout,
        block_sizes,
        dynamic,
        region_vars,
        members,
        mut builder,
        mut graph,
        accesses,
        identity,
        ..
    } = walk;
    let known =
        promote::Known { unit, layout: &layout, sizes: &block_sizes, dynamic: &dynamic, members: &members };
    names::tell(known, &region_vars, &mut builder);
    identity::settle(known, &mut memory, &identity, &mut graph, terms);
    bounds::settle(known, &mut memory, &accesses, &mut graph, terms);
    promote::promote(known, &mut memory, &region_vars, &mut builder, frame, &mut graph, terms);
    Ok(graph.finish(builder, entry, error))
}

impl Translator<'_> {
    /// The body of `main`, whose first parameter is the number of arguments.
    fn main(&mut self, main: FunctionId) -> Result<(), Error> {
        let function = &self.unit[main];
        if let Some(&argc) = function.params.first()
            && let Some(int) = self.unit[argc].ty.int()
        {
            let at = self.unit[argc].at;
            let var = self.local(argc)?;
            self.havoc(var, self.unit[argc].ty, Havoc::Input(self.unit[argc].name.clone()), at)?;
            let term = self.builder.term(var);
            let zero = self.terms.bits(int.bits, 0);
            let guard = self.terms.sle(zero, term);
            self.assume(guard, Assumption::ArgumentCount, at)?;
        }
        self.body(main)
    }

    fn body(&mut self, function: FunctionId) -> Result<(), Error> {
        match self.unit[function].body {
            Some(body) => self.stmt(body),
            None => Ok(()),
        }
    }

    /// What happens to static variables before `main`. The initial value of one may use others.
    fn initialise_statics(&mut self) -> Result<(), Error> {
        let (mut next, mut done) = (0, FxHashSet::default());
        while let Some(&(object, _)) = self.statics.get(next) {
            next += 1;
            self.initialise(object, &mut done)?;
        }
        Ok(())
    }

    /// Gives a static variable its initial value, and before it those that it is made of: gcc takes constant variables
    /// in a constant expression.
    fn initialise(&mut self, object: ObjectId, done: &mut FxHashSet<ObjectId>) -> Result<(), Error> {
        let data = &self.unit[object];
        if !done.insert(object) || !self.memory.is_plain(object) || data.refused.is_some() {
            return Ok(());
        }
        let initial = match &data.storage {
            Storage::Static(Some(init)) => init.entries.last().map(|entry| entry.value),
            _ => None,
        };
        if let Some(value) = initial {
            let mut reads: Vec<ObjectId> = self.effects.of(value).reads.into_iter().collect();
            reads.sort_unstable();
            for read in reads {
                self.initialise(read, done)?;
            }
        }
        let var = self.local(object)?;
        match (&data.storage, initial) {
            (Storage::Elsewhere, _) => self.havoc(var, data.ty, Havoc::Input(data.name.clone()), data.at),
            (_, Some(value)) => self.assign_value(var, data.ty, value, data.at),
            (_, None) => {
                let zero = self.terms.bits(self.terms.width(self.builder.term(var)), 0);
                self.emit(Command::Assign(var, zero), data.at, Event::Step)
            }
        }
    }

    /// Whether what is translated now may be executed more than once.
    fn in_loop(&self) -> bool {
        self.activations.iter().any(|a| a.loops > 0 || a.labelled)
    }

    fn refuse<T>(&self, at: Position, what: &str) -> Result<T, Error> {
        self.unsupported(at, format!("{what} is not supported yet"))
    }

    fn too_large<T>(&self, at: Position) -> Result<T, Error> {
        self.expansion.outgrown.set(Some(self.builder.next_number()));
        self.unsupported(at, format!("expanding the calls gives more than {EDGE_LIMIT} steps"))
    }

    fn unsupported<T>(&self, at: Position, message: String) -> Result<T, Error> {
        Err(Error::Unsupported(self.lines.diagnostic_at(at, message)))
    }

    fn activation(&mut self) -> &mut Activation {
        self.activations.last_mut().unwrap_or_else(|| unreachable!("`main` is never left"))
    }

    fn frame(&self) -> FrameId {
        self.activations.last().unwrap_or_else(|| unreachable!("`main` is never left")).frame
    }

    fn source(&self, at: Position) -> Source {
        Source { file: self.files[at.file as usize], line: at.line, column: at.column }
    }

    /// The variable of an object that is used at a place.
    fn var(&mut self, object: ObjectId, at: Position) -> Result<Var, Error> {
        let data = &self.unit[object];
        if let Some(what) = data.refused {
            return self.refuse(at, what);
        }
        if let Type::Other(what) = data.ty {
            return self.refuse(at, what);
        }
        self.local(object)
    }

    /// The variable of an object of integer type, static or of this activation.
    fn local(&mut self, object: ObjectId) -> Result<Var, Error> {
        let data = &self.unit[object];
        let Some(int) = self.scalar(data.ty) else { return self.refuse(data.at, "variable of this type") };
        if !matches!(data.storage, Storage::Automatic(_)) {
            if let Some(&var) = self.static_vars.get(&object) {
                return Ok(var);
            }
            let var = self.builder.variable(self.terms, &data.name, int, None);
            self.static_vars.insert(object, var);
            self.statics.push((object, var));
            return Ok(var);
        }
        if let Some(&var) = self.activation().locals.get(&object) {
            return Ok(var);
        }
        let frame = self.frame();
        let var = self.builder.variable(self.terms, &data.name, int, Some(frame));
        self.activation().locals.insert(object, var);
        Ok(var)
    }

    fn temporary(&mut self, name: &str, ty: Type, at: Position) -> Result<Var, Error> {
        match self.scalar(ty) {
            Some(int) => {
                let frame = self.frame();
                Ok(self.builder.temporary(self.terms, name, int, frame))
            }
            None => self.refuse(at, "value of this type"),
        }
    }

    fn at(&self, e: ExprId) -> Position {
        self.unit[e].at
    }
}
