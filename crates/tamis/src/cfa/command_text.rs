//! Commands as text.

use tamis_interpreter_c::{c_expression, c_value};
use tamis_logic::{Op, Term, Terms};
use tamis_program::{Command, Event, FrameId, Havoc, Program, Var};

/// Longer texts are cut off: a graph is to be looked at.
const MAX_LENGTH: usize = 400;

/// A command as it is read at an activation: `x := x + 1`, `[x < 10]`, `havoc x (input)`; a skip is empty.
pub fn command(terms: &mut Terms, program: &Program, frame: FrameId, command: &Command) -> String {
    match command {
        Command::Assume(guard) if terms.is_true(*guard) => String::new(),
        Command::Assume(guard) => format!("[{}]", boolean(terms, program, frame, *guard)),
        Command::Havoc(v, why) => {
            let cause = match why {
                Havoc::Input(function) => format!("input: {function}"),
                Havoc::Uninitialised => "uninitialised".to_owned(),
                Havoc::Approximated(what) | Havoc::Inexact(what) => format!("approximated: {what}"),
            };
            format!("havoc {} ({cause})", name(program, frame, *v))
        }
        Command::Assign(v, value) => assignment(terms, program, frame, *v, *value),
    }
}

fn assignment(terms: &mut Terms, program: &Program, frame: FrameId, v: Var, value: Term) -> String {
    let target = name(program, frame, v);
    if terms.op(value) == Op::Store && terms.args(value)[0] == program.term(v) {
        let (index, stored) = (terms.args(value)[1], terms.args(value)[2]);
        let index = number(terms, program, frame, index, false);
        return format!("{target}[{index}] := {}", number(terms, program, frame, stored, false));
    }
    if terms.op(value) == Op::ConstArray {
        let everywhere = terms.args(value)[0];
        return format!("{target}[all] := {}", number(terms, program, frame, everywhere, false));
    }
    let signed = program.variable(v).ty.int().is_some_and(|int| int.signed);
    format!("{target} := {}", number(terms, program, frame, value, signed))
}

fn boolean(terms: &Terms, program: &Program, frame: FrameId, t: Term) -> String {
    c_expression(terms, program, frame, t, MAX_LENGTH).unwrap_or_else(|| cut(terms.to_smtlib(t)))
}

fn number(terms: &Terms, program: &Program, frame: FrameId, t: Term, signed: bool) -> String {
    c_value(terms, program, frame, t, signed, MAX_LENGTH).unwrap_or_else(|| cut(terms.to_smtlib(t)))
}

fn cut(text: String) -> String {
    match text.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A variable's name, with its function's where another one is running.
fn name(program: &Program, frame: FrameId, v: Var) -> String {
    let variable = program.variable(v);
    match variable.frame {
        Some(of) if of != frame => format!("{}::{}", program.frame(of).function, variable.name),
        _ => variable.name.clone(),
    }
}

/// What an edge means to a reader, beside its command.
pub fn event(event: &Event) -> String {
    match event {
        Event::Step | Event::Assumption => String::new(),
        Event::Branch(taken) => taken.to_string(),
        Event::Call(function) => format!("calls {function}"),
        Event::Return(function) => format!("{function} returns"),
        Event::Violation(what) => format!("VIOLATION: {what}"),
    }
}
