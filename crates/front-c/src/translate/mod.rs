//! From the typed tree to a control-flow automaton.
//!
//! The walk keeps the node it is at (`here`), or nothing where control cannot be. Expressions become terms over the
//! program's variables; their side effects, and what must be checked before a value exists, become edges in the
//! order of evaluation.

mod activation;
mod addresses;
mod allocate;
mod assign;
mod assumption;
mod bits;
mod bounds;
mod call;
mod condition;
mod cursor;
mod effects;
mod emit;
mod enclosing;
mod expose;
mod expression;
pub(crate) mod facts;
mod float;
mod graph;
mod heap;
mod identity;
mod initial;
mod labels;
mod layout;
mod leaks;
mod library;
mod names;
mod novelty;
mod object;
mod operator;
mod order;
mod padding;
mod parts;
mod pieces;
mod place;
mod positions;
mod promote;
mod queries;
mod renew;
mod statement;
mod strays;
mod tables;
mod unexpanded;
mod unset;
mod validity;
mod variables;

pub(crate) use heap::LARGE_BLOCK;
pub(crate) use library::is_known;
pub(crate) use strays::OUTSIDE;
pub(crate) use unexpanded::RECURSION;

use crate::lines::Lines;
use crate::memory::Memory;
use crate::options::{Refinement, Target};
use crate::tree::{ExprId, FunctionId, ObjectId, Position, Type, Unit};
use crate::tree::{contexts, written_out};
use activation::{Activation, Activations};
use addresses::Addresses;
use assumption::Assumption;
use cursor::Cursor;
use effects::Effects;
use enclosing::Enclosing;
use facts::Facts;
use graph::Graph;
use identity::Identity;
use layout::Layout;
use leaks::End;
use library::is_undefined;
use parts::Parts;
use place::Lvalues;
use positions::Positions;
use std::cell::Cell;
use std::rc::Rc;
use tables::Tables;
use tamis_diagnostics::{Diagnostic, Error};
use tamis_logic::{Term, Terms};
use tamis_program::{Builder, FileId, Havoc, Program, Source, Var};
use unexpanded::{Expansion, Frugality, TOO_LARGE, Unfolding};
use unset::Unset;
use validity::Validity;
use variables::Variables;

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

/// The walk.
struct Translator<'a> {
    unit: &'a Unit,
    /// Whether it matters what is done with memory.
    follows_memory: bool,
    /// Whether `float` and `double` are exact.
    exact_floats: bool,
    positions: Positions<'a>,
    terms: &'a mut Terms,
    builder: Builder,
    cursor: Cursor,
    facts: Facts,
    effects: Effects<'a>,
    memory: Memory<'a>,
    addresses: Addresses,
    identity: Identity,
    variables: Variables,
    lvalues: Lvalues,
    validity: Validity,
    unset: Unset,
    parts: Parts,
    layout: Layout,
    tables: Tables,
    activations: Activations,
    unfolding: Unfolding<'a>,
    enclosing: Enclosing,
}

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
    refinement: Refinement,
    terms: &mut Terms,
) -> Result<Program, Error> {
    let Some(main) = unit.main() else {
        return Err(Error::Unreadable(Diagnostic::about_file(name, "there is no definition of `main`")));
    };
    let outgrown = Cell::new(None);
    let expansion = Expansion { refinement, frugal: None, first: 0, outgrown: &outgrown };
    let mut copied = contexts::for_callers(unit, main);
    copied.iter_mut().for_each(written_out::for_records);
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
    let refinement = Refinement { undivided: true, ..Refinement::default() };
    let expansion = Expansion { refinement, frugal, first: 0, outgrown: &outgrown };
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
    let undefined = unit.functions().filter(|&f| is_undefined(unit, f)).collect();
    let mut memory = Memory::new(unit, main, undefined, !expansion.refinement.undivided);
    builder.set_accesses(memory.is_risked());
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
    let facts = Facts::new(unit, &addressed);
    let layout = Layout::new(unit, &mut memory, &facts.exposed);
    let exit = (whole == Whole::Function).then_some(error);
    let follows_memory = matches!(unit.target, Target::Memory | Target::Pointers) || queries::asks(unit);
    // A block is told apart from others by its address, where it must be known how far an access is from its start.
    let apart = follows_memory || memory.divides_blocks();
    let mut walk = Translator {
        unit,
        follows_memory,
        exact_floats: unit.word() == 64 && float::rounds_to_nearest(unit),
        positions: Positions { lines, files },
        terms,
        builder,
        cursor: Cursor::new(graph, start, error, last_source),
        facts,
        effects,
        addresses: Addresses::new(unit.word(), apart),
        identity,
        variables: Variables::new(memory.regions.len(), shared),
        memory,
        lvalues: Lvalues::default(),
        validity: Validity::default(),
        unset: Unset::default(),
        parts: Parts::default(),
        layout,
        tables: Tables::default(),
        activations: Activations::new(Activation::new(main, frame, exit, Want::Nothing)),
        unfolding: Unfolding::new(expansion),
        enclosing: Enclosing::default(),
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
            walk.mark_end(End::Main, unit[main].at);
            walk.cease(Assumption::EndOfMain);
            walk.cursor.here = Some(statics);
            walk.initialise_statics()?;
            walk.cursor.jump(start);
            // The initial values of variables may use addresses of objects that nothing has used so far.
            walk.cursor.here = Some(entry);
            walk.initialise_heap()?;
            walk.initialise_layout(frame)?;
            walk.initialise_unset(frame)?;
            walk.initialise_parts(frame)?;
            walk.initialise_static_memory()?;
            walk.cursor.jump(statics);
        }
        Whole::Function => {
            walk.body(main)?;
            walk.cursor.jump(error);
            walk.cursor.here = Some(entry);
            walk.cursor.jump(start);
        }
    }
    let Translator {
        terms,
        mut memory,
        addresses,
        variables,
        mut builder,
        cursor,
        mut validity,
        unset,
        parts,
        layout,
        tables,
        identity,
        ..
    } = walk;
    let mut graph = cursor.graph;
    let known = promote::Known { unit, addresses: &addresses, variables: &variables };
    names::tell(known, &mut builder);
    layout::settle(&mut memory, &layout, unit.word(), &mut graph, terms);
    identity::settle(known, &mut memory, &identity, &mut graph, terms);
    validity.keep_at_entries(&mut builder, frame, terms);
    pieces::settle(known, &mut memory, &mut validity, &builder, &mut graph, terms);
    parts::settle(&parts, unit.word(), (&mut builder, frame), &mut graph, terms);
    unset::settle(known, &mut memory, &unset, (&mut builder, frame), &mut graph, terms);
    tables::settle(&tables, &mut graph, terms);
    promote::promote(known, &mut memory, &parts.shadows, (&mut builder, frame), &mut graph, terms);
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

    fn refuse<T>(&self, at: Position, what: &str) -> Result<T, Error> {
        self.unsupported(at, format!("{what} is not supported yet"))
    }

    fn too_large<T>(&self, at: Position) -> Result<T, Error> {
        self.unfolding.limits.outgrown.set(Some(self.builder.next_number()));
        self.unsupported(at, format!("expanding the calls gives more than {EDGE_LIMIT} steps"))
    }

    fn unsupported<T>(&self, at: Position, message: String) -> Result<T, Error> {
        self.positions.unsupported(at, message)
    }

    fn at(&self, e: ExprId) -> Position {
        self.unit[e].at
    }
}
