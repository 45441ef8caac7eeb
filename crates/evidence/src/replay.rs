//! An interpreter of guarded commands, which re-runs counterexamples.

use rustc_hash::FxHashMap;
use std::fmt;
use tamis_logic::{Model, Term, Terms, Value};
use tamis_program::{Command, EdgeId, Havoc, Program, Var};

/// An execution that the interpreter has confirmed.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The values of the variables at the start.
    pub initial: Model,
    /// The edges of the execution, with what each wrote.
    pub steps: Vec<TraceStep>,
    /// The edges on it at which the program's real behaviour is over-approximated: if there are any, the execution is
    /// one of the model and not certainly one of the program. An [inexact](Havoc::Inexact) value is among them only if a guard
    /// on the way depends on it: otherwise the execution goes where it goes whatever the value is.
    pub approximated: Vec<EdgeId>,
}

/// An edge of an execution.
#[derive(Clone, Debug)]
pub struct TraceStep {
    /// The edge.
    pub edge: EdgeId,
    /// The variable that it wrote, and the value.
    pub wrote: Option<(Var, Value)>,
}

/// Where the interpreter and an alleged execution part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Divergence {
    /// The edge does not start where the execution is.
    Disconnected(EdgeId),
    /// The edge's guard is false.
    GuardFails(EdgeId),
    /// The edge chooses a value and none is given, or one of another sort.
    NoInput(EdgeId),
    /// The execution ends short of the error location.
    NoError,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Divergence::Disconnected(_) => write!(f, "the trace leaves the control flow"),
            Divergence::GuardFails(_) => write!(f, "a branch on the trace is not taken"),
            Divergence::NoInput(_) => write!(f, "the trace lacks an input"),
            Divergence::NoError => write!(f, "the trace ends before the violation"),
        }
    }
}

/// Runs `program` from the values of `initial` along `execution`, whose second parts are the values that `havoc`
/// commands choose, and confirms that every guard holds on the way and that it ends in the error location.
///
/// ```
/// use tamis_evidence::replay;
/// use tamis_logic::{Bits, Model, Terms, Value};
/// use tamis_program::{Builder, Command, Event, IntType, Source};
/// let mut terms = Terms::new();
/// let mut b = Builder::new();
/// let (file, main) = (b.file("f.c"), b.frame("main", None));
/// let at = Source { file, line: 1, column: 1 };
/// let x = b.variable(&mut terms, "x", IntType { bits: 8, signed: false }, Some(main));
/// let (start, error) = (b.location(main), b.location(main));
/// let x_term = b.term(x);
/// let edge = b.edge(start, error, Command::Assume(terms.nonzero(x_term)), at, Event::Step);
/// let program = b.finish(start, error);
/// let with = |value| [(x_term, Value::Bits(Bits::new(8, value)))].into_iter().collect::<Model>();
/// assert!(replay(&terms, &program, &with(7), &[(edge, None)]).is_ok());
/// assert!(replay(&terms, &program, &with(0), &[(edge, None)]).is_err());
/// ```
pub fn replay(
    terms: &Terms,
    program: &Program,
    initial: &Model,
    execution: &[(EdgeId, Option<Value>)],
) -> Result<Replay, Divergence> {
    let mut state = initial.clone();
    let mut inexact = Inexact::default();
    let mut location = program.entry();
    let mut replay = Replay {
        initial: initial.clone(),
        steps: Vec::with_capacity(execution.len()),
        approximated: Vec::new(),
    };
    for (id, input) in execution {
        let id = *id;
        let edge = program.edge(id);
        if edge.from != location {
            return Err(Divergence::Disconnected(id));
        }
        let wrote = match &edge.command {
            Command::Assume(guard) => {
                if !terms.eval(*guard, &state).as_bool() {
                    return Err(Divergence::GuardFails(id));
                }
                if let Some(from) = inexact.in_term(terms, *guard)
                    && !replay.approximated.contains(&from)
                {
                    replay.approximated.push(from);
                }
                None
            }
            Command::Assign(v, value) => {
                let from = inexact.in_term(terms, *value);
                inexact.set(program.term(*v), from);
                Some((*v, terms.eval(*value, &state)))
            }
            Command::Havoc(v, why) => {
                if let Havoc::Approximated(_) = why {
                    replay.approximated.push(id);
                }
                inexact.set(program.term(*v), matches!(why, Havoc::Inexact(_)).then_some(id));
                let value = input.clone().filter(|i| i.sort() == terms.sort(program.term(*v)));
                Some((*v, value.ok_or(Divergence::NoInput(id))?))
            }
        };
        if let Some((v, value)) = &wrote {
            state.set(program.term(*v), value.clone());
        }
        replay.steps.push(TraceStep { edge: id, wrote });
        location = edge.to;
    }
    if location == program.error() { Ok(replay) } else { Err(Divergence::NoError) }
}

/// Which variables have values that depend on [inexact](Havoc::Inexact) ones, along an execution: each with one of the edges that these
/// come from. An array depends on them as a whole.
#[derive(Default)]
struct Inexact(FxHashMap<Term, EdgeId>);

impl Inexact {
    /// Where an inexact value that a term depends on comes from.
    fn in_term(&self, terms: &Terms, term: Term) -> Option<EdgeId> {
        if self.0.is_empty() {
            return None;
        }
        terms.free_vars_of(&[term]).iter().find_map(|v| self.0.get(v).copied())
    }

    fn set(&mut self, variable: Term, from: Option<EdgeId>) {
        if let Some(edge) = from {
            self.0.insert(variable, edge);
        } else {
            self.0.remove(&variable);
        }
    }
}
