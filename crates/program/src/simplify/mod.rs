//! Simplification that keeps the meaning of a program.
//!
//! A simplified program reaches its error location if and only if the original does, and reaches it past the same
//! [approximated](crate::Havoc::Approximated) edges. Each pass sees to that by itself, step by step: it removes only
//! edges that no execution passes, steps that change nothing, and values that no guard depends on. Nothing is assumed
//! about the end of loops, so none is left out.
//!
//! Marks of undefined behaviour are not kept: where they are of interest, [`Program::checked`] turns them into edges
//! first.
//!
//! The original program stays what users see: [`Simplified::lift`] tells an execution of the simplified program as one
//! of the original.

mod draft;
mod facts;
mod merge;
mod propagate;
mod slice;
mod trail;

use crate::automaton::{EdgeId, Program};
use crate::encode::Execution;
use draft::Draft;
use tamis_logic::{Model, Terms, Value};
use trail::{TrailId, Trails, Walker};

/// A pass over a program under simplification.
type Pass = fn(&mut Draft<'_>, &mut Terms);

/// The passes in their order, with names.
const PASSES: [(&str, Pass); 5] = [
    ("restrict", slice::restrict),
    ("slice", slice::slice),
    ("propagate", propagate::propagate),
    ("dead", slice::drop_dead),
    ("merge", merge::merge),
];

/// The passes are repeated while they find something, at most this often: later rounds find little.
const ROUNDS: usize = 5;

/// A simplified program and how its executions are told on the original.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// The simplified program. Its variables have the terms they had; those that it does not need are gone.
    pub program: Program,
    /// For each edge, what it stands for and which edge its command is from.
    origins: Vec<(TrailId, EdgeId)>,
    trails: Trails,
}

/// Simplifies a program by all passes. The [marks](Program::marks) of its edges are not kept.
///
/// ```
/// use tamis_logic::Terms;
/// use tamis_program::{Builder, Command, Event, IntType, Source, simplify};
/// let mut terms = Terms::new();
/// let mut b = Builder::new();
/// let (file, main) = (b.file("f.c"), b.frame("main", None));
/// let at = Source { file, line: 1, column: 1 };
/// let x = b.variable(&mut terms, "x", IntType { bits: 8, signed: false }, Some(main));
/// let (start, middle, error) = (b.location(main), b.location(main), b.location(main));
/// let (x_term, five) = (b.term(x), terms.bits(8, 5));
/// b.edge(start, middle, Command::Assign(x, five), at, Event::Step);
/// b.edge(middle, error, Command::Assume(terms.eq(x_term, five)), at, Event::Step);
/// let program = b.finish(start, error);
/// let simplified = simplify(&program, &mut terms);
/// assert_eq!(simplified.program.edges().len(), 1);
/// assert!(simplified.program.variables().is_empty());
/// ```
pub fn simplify(program: &Program, terms: &mut Terms) -> Simplified {
    let mut draft = Draft::new(program);
    let mut size = usize::MAX;
    for _ in 0..ROUNDS {
        for (_, pass) in PASSES {
            pass(&mut draft, terms);
        }
        let now = draft.size(terms);
        if now >= size {
            break;
        }
        size = now;
    }
    slice::restrict(&mut draft, terms);
    Simplified::build(draft, terms)
}

/// The names of the passes, in the order in which [`simplify`] runs them.
pub fn pass_names() -> impl Iterator<Item = &'static str> {
    PASSES.into_iter().map(|(name, _)| name)
}

/// Simplifies a program by one pass, once; `None` if there is no pass of that name.
pub fn run_pass(name: &str, program: &Program, terms: &mut Terms) -> Option<Simplified> {
    let (_, pass) = PASSES.into_iter().find(|&(n, _)| n == name)?;
    let mut draft = Draft::new(program);
    pass(&mut draft, terms);
    Some(Simplified::build(draft, terms))
}

impl Simplified {
    /// The program as it is.
    pub fn unchanged(program: &Program) -> Simplified {
        let mut trails = Trails::default();
        let origins = program.edge_ids().map(|e| (trails.edge(e), e)).collect();
        Simplified { program: program.clone(), origins, trails }
    }

    fn build(draft: Draft<'_>, terms: &Terms) -> Simplified {
        let (program, kept) = draft.build(terms);
        let origins = kept.into_iter().map(|e| (e.trail, e.command_of)).collect();
        Simplified { program, origins, trails: draft.trails }
    }

    /// The edge of the original program whose command an edge of the simplified one has.
    pub fn origin(&self, edge: EdgeId) -> EdgeId {
        self.origins[edge.index()].1
    }

    /// Tells an execution of the simplified program as one of `original`, which must be the program it was made from.
    /// Where a choice was dropped because nothing depends on it, it is the sort's default.
    ///
    /// `None` if the original cannot be followed along the execution: then it was none of the simplified program.
    pub fn lift(
        &self,
        terms: &Terms,
        original: &Program,
        initial: &Model,
        execution: &[(EdgeId, Option<Value>)],
    ) -> Option<Execution> {
        let mut walker =
            Walker { terms, original, trails: &self.trails, state: initial.clone(), path: Vec::new() };
        for (e, input) in execution {
            let (trail, command_of) = self.origins[e.index()];
            let input = input.clone().map(|value| (command_of, value));
            if !walker.follow(trail, &input) {
                return None;
            }
        }
        Some(walker.path)
    }
}
