//! Counterexamples once more, as executions of the C program.
//!
//! [`replay`](tamis_evidence::replay()) confirms that an execution is one of the automaton. Whether it is one of the program is
//! asked of the [interpreter](crate::interpreter), which knows nothing of automata: it gets the inputs that the
//! execution chose, and must come to a violation.
//!
//! What was never set holds what it holds in that execution: the interpreter's run is followed there by the
//! assignments that both make ([`alignment`]), and asked for what it reads ([`unset`]). Where that fails nothing is
//! wrong, as such values are arbitrary, but the run may miss the violation. A pointer that was never set, or is
//! an input, and is used to access memory points to an object of its own, as it does in the automaton.

pub mod account;
pub mod alignment;
mod guide;
mod lines;
mod unset;

use crate::interpreter::{Alternative, Inputs, Interpreter, Limits, Outcome, Undefined};
use account::{Account, Happening, Moved};
use alignment::PlainNames;
use guide::Guide;
pub use lines::{lines_of, lines_of_runs};
use std::fmt;
use std::time::Duration;
use tamis_evidence::Replay;
use tamis_front_c::tree::vocabulary::UNSPECIFIED;
use tamis_front_c::tree::{ExprId, ExprKind, Object, Position, Unit};
use tamis_logic::{Terms, Value};
use tamis_program::{Command, Havoc, Program};

/// Why an execution of the automaton is not known to be one of the program.
#[derive(Clone, PartialEq, Debug)]
pub enum Irreproducible {
    /// What the program does on the way is undefined in C.
    Undefined {
        /// In what way.
        kind: Undefined,
        /// Where.
        at: Position,
    },
    /// The program does not come to the violation, and used something on the way that was never set, or the arguments
    /// of `main`: with other values it may.
    DependsOnMemory,
    /// The interpreter does not know something, or came to a limit.
    Unknown(String),
    /// The program does not come to the violation if something that C leaves open is otherwise; what.
    Unspecified(String),
    /// The program does something else.
    Disagreement {
        /// How it ends.
        outcome: Box<Outcome>,
        /// Where it first did something that is not in the automaton's execution, and what.
        parted: Option<(Position, String)>,
    },
}

impl Irreproducible {
    /// Where the program first did something that is not in the automaton's execution, and what.
    pub fn parted(&self) -> Option<(Position, &str)> {
        match self {
            Irreproducible::Disagreement { parted: Some((at, what)), .. } => Some((*at, what)),
            _ => None,
        }
    }
}

impl fmt::Display for Irreproducible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Irreproducible::Undefined { kind, .. } => {
                write!(f, "undefined behaviour before the violation: {kind}")
            }
            Irreproducible::DependsOnMemory => {
                write!(f, "the violation depends on what was never set")
            }
            Irreproducible::Unspecified(what) => {
                let what = what.trim_start_matches(UNSPECIFIED);
                write!(f, "the violation depends on a value of {what} that is not promised")
            }
            Irreproducible::Unknown(what) => write!(f, "the execution was not confirmed: {what}"),
            Irreproducible::Disagreement { outcome, .. } => {
                let ending = match &**outcome {
                    Outcome::Exit(_) | Outcome::Aborted { .. } => "ends without the violation",
                    Outcome::AssumeFailed { .. } => "violates an assumption",
                    Outcome::OutOfInputs { .. } => "asks for more inputs",
                    _ => "does something else",
                };
                write!(f, "the program, run on the counterexample's inputs, {ending}")
            }
        }
    }
}

/// For each edge of the automaton's execution, so many statements of the program may be executed.
const STATEMENTS: u64 = 100;
const STATEMENTS_AT_LEAST: u64 = 1_000_000;

/// Each run may find one more pointer that was never set.
const RUNS: u32 = 100;

/// So many constants of the program are tried where C leaves a value open, the smallest ones.
const CONSTANTS: usize = 64;

/// A larger number of arguments of `main` is not tried.
const ARGUMENTS: usize = 10_000;

/// Executes the C program on the inputs of a confirmed execution of its automaton, and tells what it did. The violation
/// is undefined behaviour of one of the `wanted` kinds, if there are any.
///
/// ```
/// use tamis_evidence::replay;
/// use tamis_interpreter_c::reproduce;
/// use tamis_front_c::{Options, parse, translate_source};
/// use tamis_logic::{Bits, Model, Terms, Value};
/// use tamis_program::Command;
/// let text = "extern void reach_error(void);
///     extern int __VERIFIER_nondet_int(void);
///     int main(void) { int x = __VERIFIER_nondet_int(); if (x == 7) reach_error(); return 0; }";
/// let (options, mut terms) = (Options::default(), Terms::new());
/// let program = translate_source("seven.i", text, &options, &mut terms)?;
/// let unit = parse("seven.i", text, &options)?;
/// // The path to the error is the only one that goes on.
/// let (mut path, mut at) = (Vec::new(), program.error());
/// while at != program.entry() {
///     let edge = program.incoming(at)[0];
///     let chosen = matches!(program.edge(edge).command, Command::Havoc(..));
///     path.push((edge, chosen.then(|| Value::Bits(Bits::new(32, 7)))));
///     at = program.edge(edge).from;
/// }
/// path.reverse();
/// let execution = replay(&terms, &program, &Model::new(), &path).expect("it is one of the automaton");
/// assert!(reproduce(&terms, &program, &unit, &execution, &[], None).is_ok());
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn reproduce(
    terms: &Terms,
    program: &Program,
    unit: &Unit,
    replay: &Replay,
    wanted: &[Undefined],
    time: Option<Duration>,
) -> Result<Account, Irreproducible> {
    let (inputs, arguments) = inputs(program, unit, replay)?;
    let steps = (replay.steps.len() as u64 * STATEMENTS).max(STATEMENTS_AT_LEAST);
    let limits = Limits { steps: Some(steps), time, ..Limits::default() };
    let names = PlainNames::new(unit);
    let mut guide = Guide::new(terms, program, &names, replay, wanted);
    guide.account.set_arguments(arguments.len().saturating_sub(1));
    let run =
        |inputs| Interpreter::new(unit, inputs, limits).with_arguments(arguments.clone()).looking_for(wanted);
    confirm(unit, &mut guide, wanted, || run(inputs.clone()))?;
    let account = guide.account.clone();
    if let Some(what) = guide.unspecified.clone() {
        // What gcc knows of an object has too many possible values to be tried.
        if guide.sizes_objects {
            return Err(Irreproducible::Unspecified(what));
        }
        for alternative in alternatives(unit) {
            guide.rewind();
            let inputs = inputs.clone().with_alternative(alternative);
            confirm(unit, &mut guide, wanted, || run(inputs.clone()))
                .map_err(|_| Irreproducible::Unspecified(what.clone()))?;
        }
    }
    Ok(account)
}

/// Executes the C program on the inputs of an execution of its automaton that passes what is approximated. The run ends where
/// C leaves open what comes next, so a violation that it comes to is there whatever was approximated.
pub fn reproduce_exactly(
    program: &Program,
    unit: &Unit,
    replay: &Replay,
    wanted: &[Undefined],
    time: Option<Duration>,
) -> Option<Account> {
    let (inputs, arguments) = inputs(program, unit, replay).ok()?;
    let steps = (replay.steps.len() as u64 * STATEMENTS).max(STATEMENTS_AT_LEAST);
    let limits = Limits { steps: Some(steps), time, ..Limits::default() };
    let mut account = Account::default();
    account.set_arguments(arguments.len().saturating_sub(1));
    let mut interpreter =
        Interpreter::new(unit, inputs, limits).with_arguments(arguments).determined().looking_for(wanted);
    match interpreter.run(&mut account, &mut Vec::new()) {
        Outcome::Violation { .. } if wanted.is_empty() => Some(account),
        Outcome::Undefined { kind, detail, at, .. } if wanted.contains(&kind) => {
            account.push(Moved { at, depth: 1, what: Happening::Undefined(kind, detail) });
            Some(account)
        }
        _ => None,
    }
}

/// Values to try where C leaves one open: those that are usual, and those that the program may compare with.
fn alternatives(unit: &Unit) -> impl Iterator<Item = Alternative> {
    let constant = |e: ExprId| match unit[e].kind {
        ExprKind::Const(value) => i64::try_from(value).ok(),
        _ => None,
    };
    let mut constants: Vec<i64> = unit.expressions().filter_map(constant).collect();
    constants.sort_unstable_by_key(|value| (value.unsigned_abs(), *value));
    constants.dedup();
    constants.truncate(CONSTANTS);
    (0..Inputs::ALTERNATIVES).map(Alternative::Usual).chain(constants.into_iter().map(Alternative::Value))
}

/// Runs the program until it comes to the violation. The guide has the course of the run.
fn confirm<'a>(
    unit: &Unit,
    guide: &mut Guide<'_>,
    wanted: &[Undefined],
    interpreter: impl Fn() -> Interpreter<'a>,
) -> Result<(), Irreproducible> {
    let mut runs = 0;
    loop {
        runs += 1;
        return match interpreter().run(guide, &mut Vec::new()) {
            Outcome::Violation { .. } if wanted.is_empty() => Ok(()),
            Outcome::Stopped(_) if guide.found => Ok(()),
            Outcome::Undefined { kind, at, address, detail } => {
                // Where memory is what matters, a pointer that was never set points nowhere.
                let retries = !wanted.contains(&Undefined::OutOfBounds)
                    && address.is_some_and(|a| guide.suspect(a.into(), unit.word()));
                if retries && runs < RUNS {
                    guide.rewind();
                    continue;
                }
                if wanted.contains(&kind) {
                    let depth = guide.depth;
                    guide.account.push(Moved { at, depth, what: Happening::Undefined(kind, detail) });
                    return Ok(());
                }
                Err(Irreproducible::Undefined { kind, at })
            }
            Outcome::Unsupported { what, .. } => Err(Irreproducible::Unknown(what)),
            Outcome::Limit(limit, _) => Err(Irreproducible::Unknown(limit.to_string())),
            // The strings that the arguments of `main` point to are memory that nothing has set.
            _ if guide.asked || takes_arguments(unit) => Err(Irreproducible::DependsOnMemory),
            _ if guide.placed => Err(Irreproducible::Unknown(
                "the violation depends on where objects are in memory".to_owned(),
            )),
            outcome => {
                Err(Irreproducible::Disagreement { outcome: Box::new(outcome), parted: guide.parted.take() })
            }
        };
    }
}

fn takes_arguments(unit: &Unit) -> bool {
    unit.main().is_some_and(|main| unit[main].params.len() > 1)
}

/// The inputs that the execution chose, and the arguments of `main`.
fn inputs(program: &Program, unit: &Unit, replay: &Replay) -> Result<(Inputs, Vec<String>), Irreproducible> {
    let mut inputs = Inputs::list([]).with_unset_bytes(0);
    let count = unit.main().and_then(|main| unit[main].params.first()).map(|&argc| &unit[argc]);
    let mut arguments = vec!["program".to_owned()];
    for step in &replay.steps {
        let (edge, Some((_, Value::Bits(bits)))) = (program.edge(step.edge), &step.wrote) else { continue };
        let Command::Havoc(_, Havoc::Input(name)) = &edge.command else { continue };
        let is_here = |argc: &Object| {
            (argc.at.line, argc.at.column) == (edge.source.line, edge.source.column) && argc.name == *name
        };
        if !count.is_some_and(is_here) {
            inputs.give(name, bits.to_u128().unwrap_or_default() as i128);
            continue;
        }
        match usize::try_from(bits.unsigned()) {
            Ok(count) if count <= ARGUMENTS => arguments.resize(count, String::new()),
            _ => return Err(Irreproducible::Unknown("too many arguments of main".to_owned())),
        }
    }
    Ok((inputs, arguments))
}
