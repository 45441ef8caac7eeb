//! What the tests share: translating, and running an automaton on given inputs.

#![allow(dead_code, reason = "each test file uses a part")]

use tamis_front_c::{DataModel, Error, Options, translate_source};
use tamis_logic::{Bits, Model, Sort, Term, Terms, Value};
use tamis_program::{Command, Edge, EdgeId, Event, Havoc, Location, Program};

/// A program with the store its terms live in.
pub struct Translated {
    pub terms: Terms,
    pub program: Program,
}

pub fn options(data_model: DataModel) -> Options {
    Options { data_model, ..Options::default() }
}

/// Translates text that is taken.
pub fn translate(text: &str) -> Translated {
    match try_translate(text, DataModel::Lp64) {
        Ok(t) => t,
        Err(e) => panic!("{e}\n{text}"),
    }
}

pub fn try_translate(text: &str, model: DataModel) -> Result<Translated, Error> {
    let mut terms = Terms::new();
    let program = translate_source("test.c", text, &options(model), &mut terms)?;
    Ok(Translated { terms, program })
}

/// How a run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The property is violated, with this in the variable `checksum`.
    Error(u64),
    /// `main` returns, with this in the variable `checksum`.
    Finished(u64),
    /// No edge is enabled: an assumption fails, a trap, `abort`.
    Stopped,
    /// The run came to something that is not modelled.
    Approximated,
    /// The run is too long.
    Unfinished,
}

/// A value of a variable's sort; in memory it is everywhere.
fn any(terms: &Terms, variable: Term, value: u128) -> Value {
    let sort = terms.sort(variable);
    let bits = |sort: Sort| Value::Bits(Bits::new(sort.width().expect("a bit-vector"), value));
    match terms.array_parts(sort) {
        None => bits(sort),
        Some((_, cell)) => Value::Array(terms.constant_array(sort, bits(cell)).into()),
    }
}

/// Runs an automaton from its entry. Inputs are used in turn, and again from the first when they run out.
pub fn run(t: &Translated, inputs: &[u64]) -> Outcome {
    observe(t, inputs, |_, _, _| {})
}

/// Runs an automaton, and shows each state on the way.
pub fn observe(t: &Translated, inputs: &[u64], mut see: impl FnMut(&Terms, &Model, Location)) -> Outcome {
    let Translated { terms, program } = t;
    let mut state = Model::new();
    for variable in program.variables() {
        state.set(variable.term, any(terms, variable.term, 0));
    }
    let checksum = |state: &Model| {
        let variable = program.variables().iter().find(|v| v.name == "checksum");
        variable.and_then(|v| state.get(v.term)).map_or(0, |v| v.as_bits().unsigned() as u64)
    };
    let mut inputs = inputs.iter().copied().cycle();
    let mut here = program.entry();
    // The end of a generated program, `main_7`, is told from any other end by its return.
    let (mut wrapped, mut returned) = (false, false);
    for _ in 0..2_000_000 {
        see(terms, &state, here);
        if here == program.error() {
            return Outcome::Error(checksum(&state));
        }
        let enabled = |e: &&Edge| match e.command {
            Command::Assume(guard) => terms.eval(guard, &state).as_bool(),
            _ => true,
        };
        let out: Vec<&Edge> = program.outgoing(here).iter().map(|&e| program.edge(e)).collect();
        if out.is_empty() {
            return if wrapped && !returned { Outcome::Stopped } else { Outcome::Finished(checksum(&state)) };
        }
        let out: Vec<&Edge> = out.into_iter().filter(enabled).collect();
        assert!(out.len() <= 1, "two edges are enabled at {here:?}");
        let Some(edge) = out.first() else { return Outcome::Stopped };
        match &edge.command {
            Command::Assume(_) => {}
            Command::Assign(var, value) => {
                let value = terms.eval(*value, &state);
                state.set(program.term(*var), value);
            }
            Command::Havoc(var, cause) => {
                let value = match cause {
                    Havoc::Input(name) => {
                        let input = inputs.next().unwrap_or(0);
                        if name.contains("bool") { u128::from(input % 2) } else { input as i64 as u128 }
                    }
                    // Not 0, so that reading it by mistake shows; where that is assumed not to be, as of a `_Bool`, 1.
                    Havoc::Uninitialised => {
                        const OTHER: u128 = 0x5a5a;
                        let mut after = state.clone();
                        after.set(program.term(*var), any(terms, program.term(*var), OTHER));
                        let passes = |&e: &EdgeId| match program.edge(e).command {
                            Command::Assume(guard) => terms.eval(guard, &after).as_bool(),
                            _ => true,
                        };
                        if program.outgoing(edge.to).iter().any(passes) { OTHER } else { 1 }
                    }
                    Havoc::Approximated(_) | Havoc::Inexact(_) => return Outcome::Approximated,
                };
                state.set(program.term(*var), any(terms, program.term(*var), value));
            }
        }
        wrapped |= matches!(&edge.event, Event::Call(f) if f.starts_with("main_"));
        returned |= matches!(&edge.event, Event::Return(f) if f.starts_with("main_"));
        here = edge.to;
    }
    Outcome::Unfinished
}

/// What the edges to the error location say.
pub fn violations(t: &Translated) -> Vec<String> {
    let edges = t.program.incoming(t.program.error()).iter().map(|&e| t.program.edge(e));
    edges
        .map(|e| match &e.event {
            Event::Violation(text) => text.clone(),
            other => panic!("an edge to the error location says {other:?}"),
        })
        .collect()
}
