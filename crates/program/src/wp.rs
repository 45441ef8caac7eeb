//! Weakest preconditions.

use crate::automaton::{Command, EdgeId, Program};
use tamis_logic::{Substitution, Term, Terms};

/// The weakest liberal precondition of `post` over one command: what must hold before, so that `post` holds wherever
/// the command ends. For `havoc v` that is `∀v. post`; the quantifier is left to the caller by renaming `v` to the
/// returned fresh variable.
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
/// let (wp, _) = weakest_precondition(&mut terms, &program, &increment, x_is_5);
/// assert_eq!(wp, terms.eq(x_term, four));
/// ```
pub fn weakest_precondition(
    terms: &mut Terms,
    program: &Program,
    command: &Command,
    post: Term,
) -> (Term, Option<Term>) {
    match command {
        Command::Assign(v, value) => {
            let substitution: Substitution = [(program.term(*v), *value)].into_iter().collect();
            (terms.substitute(post, &substitution), None)
        }
        Command::Assume(guard) => (terms.implies(*guard, post), None),
        Command::Havoc(v, _) => {
            let data = program.variable(*v);
            let any = terms.fresh(&data.name, terms.sort(data.term));
            let substitution: Substitution = [(data.term, any)].into_iter().collect();
            (terms.substitute(post, &substitution), Some(any))
        }
    }
}

/// The conditions that a path imposes on the state before it, one for each `assume` on it that does, and what its
/// `havoc`s choose as fresh variables.
#[derive(Clone, Debug, Default)]
pub struct PathCondition {
    /// For each `assume` edge of the path: its position and its guard in terms of the state before the path.
    pub guards: Vec<(usize, Term)>,
    /// The variables that stand for the values chosen along the path, with the positions of their `havoc` edges.
    pub inputs: Vec<(usize, Term)>,
}

/// The condition under which `path` can be executed from a state: the conjunction of the guards, with the inputs
/// existentially quantified. Each guard is the complement of the weakest precondition of its complement over the
/// edges before it.
pub fn path_condition(terms: &mut Terms, program: &Program, path: &[EdgeId]) -> PathCondition {
    let mut state = crate::encode::State::symbolic(program);
    let mut condition = PathCondition::default();
    for (position, &e) in path.iter().enumerate() {
        match &program.edge(e).command {
            Command::Assign(v, value) => {
                let value = state.read(terms, program, *value);
                state.assign(*v, value);
            }
            Command::Havoc(v, _) => {
                let data = program.variable(*v);
                let input = terms.fresh(&data.name, terms.sort(data.term));
                condition.inputs.push((position, input));
                state.assign(*v, input);
            }
            Command::Assume(guard) => {
                let guard = state.read(terms, program, *guard);
                if !terms.is_true(guard) {
                    condition.guards.push((position, guard));
                }
            }
        }
    }
    condition
}
