//! Code of a specification, woven into a program.
//!
//! A specification is about events: calls, returns, the beginning and the end of the program, assignments to globals, labels
//! that are reached. For each it has code of its own, in C: it moves a monitor on, which calls a function if it is violated.
//! That code is put behind the text of the translation unit that knows the types concerned, where all names of that unit mean
//! what they mean there, and the tree is changed so that it runs:
//!
//! - A function whose calls or returns are events gets a *wrapper* of its type, which runs the code, calls the function and runs
//!   the code again. Every other use of the function, its address included, becomes a use of the wrapper: calls through pointers
//!   are events too. `main` has one for the beginning and the end; `exit` and its kin for the end alone.
//! - Labels and assignments are followed by calls of functions with the code.
//!
//! The woven program is a program: it is searched, proved and executed as any other. The code's places are those in the
//! specification.

mod code;
mod hooks;
mod stand_in;

pub use stand_in::{Act, StandIn, Way};

use crate::load::Source;
use crate::sources::Piece;
use crate::tree::{Callee, ExprKind, FunctionId, Unit};
use code::{Additions, additions};
use tamis_diagnostics::{Diagnostic, Error};

/// The file name of code that no specification says.
const OURS: &str = "<specification>";

/// What is woven into a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Weaving {
    /// Functions that its code calls, as declarations.
    pub declarations: Vec<Piece>,
    /// The variables of the monitor.
    pub variables: Vec<Variable>,
    /// The function that is called where it is violated. No program may have one of this name.
    pub violated: String,
    /// What happens at which events, in this order where there are several for one event.
    pub hooks: Vec<Hook>,
    /// What stands in for functions without a body.
    pub stand_ins: Vec<StandIn>,
    /// A variable of the monitor that tells, at a call that is an event, which of the calls in the program's text it is, from 1.
    pub site: Option<String>,
}

/// A variable of a monitor, known in the whole program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its type, as in a cast.
    pub ty: Piece,
    /// Its name.
    pub name: String,
    /// Its value at first, a constant expression; 0 if there is none.
    pub init: Option<Piece>,
}

/// What happens at an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hook {
    /// The event.
    pub event: Event,
    /// Where the specification speaks of it.
    pub place: Diagnostic,
    /// Whether the specification names the event as one: that it never happens is then worth a warning.
    pub certain: bool,
    /// Statements. In those of calls and returns, arguments are `$1`, `$2` and so on, and results are `$return`.
    pub code: Vec<Piece>,
}

/// What may happen in a program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// A function is called.
    Call(String),
    /// A function returns.
    Return(String),
    /// The program begins, all globals having their values.
    Start,
    /// `main` returns, or `exit` or one of its kin is called.
    End,
    /// A global variable has been assigned to, or a part of it, by its name.
    Assign(String),
    /// A label is reached.
    Label(String),
}

impl Event {
    /// The function whose wrapper notices the event.
    fn function(&self) -> Option<&str> {
        match self {
            Event::Call(name) | Event::Return(name) => Some(name),
            Event::Start | Event::End => Some("main"),
            Event::Assign(_) | Event::Label(_) => None,
        }
    }
}

/// What may choose between two ways: an input.
pub const CHOICE: &str = "__VERIFIER_nondet_int";

/// The units of a program, in which a specification is woven. `parse` makes a unit of a text.
pub(crate) fn woven<L>(
    sources: &[Source],
    plain: Vec<(Unit, L)>,
    weaving: &Weaving,
    parse: impl Fn(&Source, &str) -> Result<(Unit, L), Error>,
) -> Result<Vec<(Unit, L)>, Error> {
    let units: Vec<&Unit> = plain.iter().map(|(unit, _)| unit).collect();
    let Additions { code, warnings } = additions(weaving, &units)?;
    let mut woven = Vec::new();
    for ((source, known), code) in sources.iter().zip(plain).zip(code) {
        if code.is_empty() {
            woven.push(known);
            continue;
        }
        let (mut unit, lines) = parse(source, &format!("{}\n{code}", source.text))?;
        hooks::attach(&mut unit, weaving);
        woven.push((unit, lines));
    }
    if let Some((first, _)) = woven.first_mut() {
        first.warnings.extend(warnings);
    }
    Ok(woven)
}

/// Hides the monitor's variables from functions that the program does not define, which may change what they can name.
pub(crate) fn hide(unit: &mut Unit, weaving: &Weaving) {
    for object in &mut unit.objects {
        object.external &= !weaving.variables.iter().any(|variable| variable.name == object.name);
    }
}

/// Functions that end a program beside `main`.
const EXITS: [&str; 4] = ["exit", "_exit", "_Exit", "quick_exit"];

/// The function that a program has in the place of another.
fn wrapper(function: &str) -> String {
    format!("${function}")
}

/// Whether a function is called in a unit, before or after `main` too, or its address taken.
fn uses(unit: &Unit, function: FunctionId) -> bool {
    let mut around_main = unit.constructors.iter().chain(&unit.destructors);
    around_main.any(|&(_, f)| f == function) || unit.exprs.iter().any(|e| used(&e.kind) == Some(function))
}

/// The function that an expression names.
fn used(expression: &ExprKind) -> Option<FunctionId> {
    match expression {
        ExprKind::Call { callee: Callee::Function(function), .. } | ExprKind::FunctionAddress(function) => {
            Some(*function)
        }
        _ => None,
    }
}
