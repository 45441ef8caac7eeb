//! Weakest preconditions of predicates: \[MIN\] section 2.1, \[SMC\] section 4.3.
//!
//! What a whole path requires of the state before it is made forward instead, by symbolic execution: see
//! [`ProgramSystem`](crate::ProgramSystem).

use crate::automaton::{Command, Program};
use tamis_logic::{Substitution, Term, Terms};

/// The predicate that holds before a command exactly where `p` holds after it; `None` if it takes a quantifier, since
/// the command chooses what `p` speaks of. Over `assume g` that is `p`: the papers' `g ⇒ p` is a combination of it and of
/// the guard, which is a predicate of its own.
///
/// ```
/// use tamis_logic::Terms;
/// use tamis_program::{weakest_precondition, Builder, Command, Event, IntType, Source};
/// let mut terms = Terms::new();
/// let mut b = Builder::new();
/// let (file, main) = (b.file("f.c"), b.frame("main", None));
/// let x = b.variable(&mut terms, "x", IntType { bits: 8, signed: false }, Some(main));
/// let (start, error) = (b.location(main), b.location(main));
/// let (x_term, one, five) = (b.term(x), terms.bits(8, 1), terms.bits(8, 5));
/// let increment = Command::Assign(x, terms.add(x_term, one));
/// let four = terms.bits(8, 4);
/// b.edge(start, error, increment.clone(), Source { file, line: 1, column: 1 }, Event::Step);
/// let program = b.finish(start, error);
/// let x_is_5 = terms.eq(x_term, five);
/// let wp = weakest_precondition(&mut terms, &program, &increment, x_is_5);
/// assert_eq!(wp, Some(terms.eq(x_term, four)));
/// ```
pub fn weakest_precondition(
    terms: &mut Terms,
    program: &Program,
    command: &Command,
    p: Term,
) -> Option<Term> {
    match command {
        Command::Assign(v, value) => {
            let substitution: Substitution = [(program.term(*v), *value)].into_iter().collect();
            Some(terms.substitute(p, &substitution))
        }
        Command::Assume(_) => Some(p),
        Command::Havoc(v, _) => (!terms.free_vars(p).contains(&program.term(*v))).then_some(p),
    }
}
