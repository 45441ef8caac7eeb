//! The assertion stack, on a solver that never forgets: what can go again is asserted under an activation literal.
//!
//! A level has one literal, made when something is asserted in it, and a named assertion one of its own if cores are
//! wanted. The literals of what is on the stack are assumed in every check; those of what was popped are false for
//! good, and the SAT solver drops their clauses.

use std::collections::HashSet;
use tamis_logic::{FunctionId, Sort, Term, Terms};
use tamis_solver::Solver;

/// An assertion of the script.
pub struct Assertion {
    pub formula: Term,
    pub name: Option<String>,
    /// The names that it and parts of it have, with what they stand for.
    pub names: Vec<(String, Term)>,
    /// The literal that it alone depends on.
    guard: Option<Term>,
}

/// A symbol that a model gives a meaning to.
pub enum Declared {
    Constant(String, Term),
    Function(String, FunctionId),
}

#[derive(Default)]
struct Level {
    activation: Option<Term>,
    assertions: Vec<Assertion>,
    declared: Vec<Declared>,
}

/// All levels; the first one is always there.
pub struct Assertions {
    levels: Vec<Level>,
    /// Declared with `:global-declarations`.
    global: Vec<Declared>,
}

/// Bars are in no symbol of a script: no declaration can capture an activation literal.
const LITERAL: &str = "|activation";

impl Assertions {
    pub fn new() -> Assertions {
        Assertions { levels: vec![Level::default()], global: Vec::new() }
    }

    pub fn declare(&mut self, declared: Declared, globally: bool) {
        match self.levels.last_mut() {
            Some(level) if !globally => level.declared.push(declared),
            _ => self.global.push(declared),
        }
    }

    /// Asserts a formula at the current level; under a literal of its own if it has a name and is `tracked`.
    pub fn assert(
        &mut self,
        terms: &mut Terms,
        solver: &mut Solver,
        formula: Term,
        (name, names): (Option<String>, Vec<(String, Term)>),
        tracked: bool,
    ) {
        let base = self.levels.len() == 1;
        let Some(level) = self.levels.last_mut() else { return };
        let guard = (tracked && name.is_some()).then(|| terms.fresh(LITERAL, Sort::Bool));
        let activation = match guard {
            Some(guard) => Some(guard),
            None if base => None,
            None => Some(*level.activation.get_or_insert_with(|| terms.fresh(LITERAL, Sort::Bool))),
        };
        match activation {
            Some(literal) => solver.assert_under(terms, literal, formula),
            None => solver.assert(terms, formula),
        }
        level.assertions.push(Assertion { formula, name, names, guard });
    }

    pub fn push(&mut self, count: usize) {
        self.levels.extend(std::iter::repeat_with(Level::default).take(count));
    }

    /// Closes levels; the reader has made sure that there are as many.
    pub fn pop(&mut self, terms: &mut Terms, solver: &mut Solver, count: usize) {
        let kept = self.levels.len().saturating_sub(count).max(1);
        for level in self.levels.drain(kept..) {
            let guards = level.assertions.iter().filter_map(|a| a.guard);
            for literal in level.activation.into_iter().chain(guards) {
                let off = terms.not(literal);
                solver.assert(terms, off);
            }
        }
    }

    /// Forgets all but global declarations; the solver is to be a new one.
    pub fn clear(&mut self) {
        self.levels = vec![Level::default()];
    }

    pub fn level(&self) -> usize {
        self.levels.len() - 1
    }

    /// The assertions on the stack.
    pub fn iter(&self) -> impl Iterator<Item = &Assertion> {
        self.levels.iter().flat_map(|level| &level.assertions)
    }

    /// The symbols in scope, those that are global first.
    pub fn declared(&self) -> impl Iterator<Item = &Declared> {
        self.global.iter().chain(self.levels.iter().flat_map(|level| &level.declared))
    }

    /// The literals of the named assertions.
    pub fn guards(&self) -> impl Iterator<Item = Term> {
        self.iter().filter_map(|a| a.guard)
    }

    /// The literals of the levels.
    pub fn activations(&self) -> impl Iterator<Item = Term> {
        self.levels.iter().filter_map(|level| level.activation)
    }

    /// The names of those assertions whose literals are in `core`, in the order of the script.
    pub fn names_in(&self, core: &[Term]) -> Vec<&str> {
        let core: HashSet<Term> = core.iter().copied().collect();
        let in_core = |a: &&Assertion| a.guard.is_some_and(|guard| core.contains(&guard));
        self.iter().filter(in_core).filter_map(|a| a.name.as_deref()).collect()
    }
}
