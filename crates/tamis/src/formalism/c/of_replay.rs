//! An execution of the automaton: what is known where the C program was not seen to make it.

use crate::check::counterexample::{Note, Row, Sources};
use std::path::PathBuf;
use tamis_evidence::Replay;
use tamis_logic::Value;
use tamis_program::{Command, Event, FrameId, Havoc, IntType, Program};

/// A value as C's type would show it.
fn show_value(value: &Value, ty: IntType) -> String {
    match value {
        Value::Bool(b) => u8::from(*b).to_string(),
        Value::Bits(bits) if ty.signed => bits.to_ibig().to_string(),
        Value::Bits(bits) => bits.to_ubig().to_string(),
        other => format!("{other:?}"),
    }
}

/// The rows of an execution: consecutive steps that stand for the same source line are one.
pub fn rows(program: &Program, replay: &Replay, inputs: &[PathBuf]) -> Vec<Row> {
    let mut sources = Sources::new(inputs);
    let mut rows: Vec<(FrameId, Row)> = Vec::new();
    for step in &replay.steps {
        let edge = program.edge(step.edge);
        let mut notes = Vec::new();
        if let Some((v, value)) = &step.wrote {
            let variable = program.variable(*v);
            // That a variable starts with some value is of interest where the value is read, not where it begins.
            let begins = matches!(&edge.command, Command::Havoc(_, Havoc::Uninitialised));
            if let (false, false, Some(int)) = (variable.temporary, begins, variable.ty.int()) {
                notes.push(Note::Assign { object: variable.name.clone(), value: show_value(value, int) });
            }
        }
        match &edge.event {
            Event::Step | Event::Assumption => {}
            Event::Branch(taken) => notes.push(Note::Branch(*taken)),
            Event::Call(function) => {
                notes.push(Note::Call { function: function.clone(), parameters: Vec::new() });
            }
            Event::Return(function) => notes.push(Note::Return(function.clone())),
            Event::Violation(what) => notes.push(Note::Violation(what.clone())),
        }
        let (frame, line) = (program.frame_of(edge.from), edge.source.line);
        let file = program.file(edge.source.file);
        match rows.last_mut() {
            Some((last, row)) if *last == frame && row.line == line && row.file == file => {
                row.does.extend(notes);
            }
            _ => {
                let source = sources.line(file, line);
                let depth = depth(program, frame);
                rows.push((frame, Row { file: file.to_owned(), line, depth, source, does: notes }));
            }
        }
    }
    rows.into_iter().map(|(_, row)| row).filter(|row| !row.does.is_empty()).collect()
}

/// How many calls an activation is away from `main`.
fn depth(program: &Program, mut frame: FrameId) -> usize {
    let mut depth = 0;
    while let Some((caller, _)) = program.frame(frame).caller {
        depth += 1;
        frame = caller;
    }
    depth
}
