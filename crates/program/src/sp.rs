//! Strongest postconditions, and weakest preconditions of paths.

use crate::automaton::{Command, EdgeId, Program};
use crate::wp::weakest_precondition;
use tamis_logic::{Substitution, Term, Terms};

/// The strongest postcondition of `pre` over one command: what is known after it of executions that satisfied `pre`
/// before. For a command that writes `v` that is `∃v₀. pre[v₀/v] ∧ v = e[v₀/v]`; the quantifier is left to the caller
/// by the returned fresh variable for `v₀`, the old value.
///
/// ```
/// use tamis_logic::Terms;
/// use tamis_program::{strongest_postcondition, Builder, Command, Event, IntType, Source};
/// let mut terms = Terms::new();
/// let mut b = Builder::new();
/// let (file, main) = (b.file("f.c"), b.frame("main", None));
/// let x = b.variable(&mut terms, "x", IntType { bits: 8, signed: false }, Some(main));
/// let (start, error) = (b.location(main), b.location(main));
/// let (x_term, one, four) = (b.term(x), terms.bits(8, 1), terms.bits(8, 4));
/// let increment = Command::Assign(x, terms.add(x_term, one));
/// let program = b.finish(start, error);
/// let x_is_4 = terms.eq(x_term, four);
/// let (sp, old) = strongest_postcondition(&mut terms, &program, &increment, x_is_4);
/// let old = old.expect("x was written");
/// let (was_4, next) = (terms.eq(old, four), terms.add(old, one));
/// let is_next = terms.eq(x_term, next);
/// assert_eq!(sp, terms.and2(was_4, is_next));
/// ```
pub fn strongest_postcondition(
    terms: &mut Terms,
    program: &Program,
    command: &Command,
    pre: Term,
) -> (Term, Option<Term>) {
    let (v, value) = match command {
        Command::Assume(guard) => return (terms.and2(pre, *guard), None),
        Command::Assign(v, value) => (*v, Some(*value)),
        Command::Havoc(v, _) => (*v, None),
    };
    let data = program.variable(v);
    let old = terms.fresh(&data.name, terms.sort(data.term));
    let substitution: Substitution = [(data.term, old)].into_iter().collect();
    let mut post = terms.substitute(pre, &substitution);
    if let Some(value) = value {
        let value = terms.substitute(value, &substitution);
        let equation = terms.eq(data.term, value);
        post = terms.and2(post, equation);
    }
    (post, Some(old))
}

/// The strongest postcondition of `pre` over a path, and the variables that are existentially quantified in it.
pub fn strongest_postcondition_of_path(
    terms: &mut Terms,
    program: &Program,
    path: &[EdgeId],
    pre: Term,
) -> (Term, Vec<Term>) {
    let (mut post, mut quantified) = (pre, Vec::new());
    for &e in path {
        let (next, old) = strongest_postcondition(terms, program, &program.edge(e).command, post);
        post = next;
        quantified.extend(old);
    }
    (post, quantified)
}

/// The weakest liberal precondition of `post` over a path, and the variables that are universally quantified in it.
pub fn weakest_precondition_of_path(
    terms: &mut Terms,
    program: &Program,
    path: &[EdgeId],
    post: Term,
) -> (Term, Vec<Term>) {
    let (mut pre, mut quantified) = (post, Vec::new());
    for &e in path.iter().rev() {
        let (next, any) = weakest_precondition(terms, program, &program.edge(e).command, pre);
        pre = next;
        quantified.extend(any);
    }
    (pre, quantified)
}
