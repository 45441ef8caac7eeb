//! Counterexamples for people: source lines with the values that they write.

use std::collections::HashMap;
use tamis_evidence::Replay;
use tamis_logic::Value;
use tamis_program::{Command, Event, FileId, FrameId, Havoc, IntType, Program, Source};

/// A value as C's type would show it.
fn show_value(value: &Value, ty: IntType) -> String {
    match value {
        Value::Bool(b) => u8::from(*b).to_string(),
        Value::Bits(bits) if ty.signed => bits.to_ibig().to_string(),
        Value::Bits(bits) => bits.to_ubig().to_string(),
        other => format!("{other:?}"),
    }
}

/// One line of the trace: consecutive steps that stand for the same source line.
struct Line {
    source: Source,
    frame: FrameId,
    notes: Vec<String>,
}

/// Prints the execution to stderr.
pub fn print(program: &Program, replay: &Replay) {
    let lines = lines(program, replay);
    let mut texts = SourceTexts::default();
    let digits = lines.iter().map(|l| l.source.line.to_string().len()).max().unwrap_or(0);
    eprintln!("counterexample:");
    let mut file = None;
    for line in &lines {
        if file.replace(line.source.file) != Some(line.source.file) {
            eprintln!("  {}", program.file(line.source.file));
        }
        let indent = "  ".repeat(depth(program, line.frame));
        let text = format!("{indent}{}", texts.line(program, line.source));
        let number = line.source.line;
        eprintln!("  {number:>digits$} | {text:<TEXT_WIDTH$}  // {}", line.notes.join(", "));
    }
}

/// The column after the source text, where it is not longer.
const TEXT_WIDTH: usize = 48;

fn lines(program: &Program, replay: &Replay) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for step in &replay.steps {
        let edge = program.edge(step.edge);
        let mut notes = Vec::new();
        if let Some((v, value)) = &step.wrote {
            let variable = program.variable(*v);
            // That a variable starts with some value is of interest where the value is read, not where it begins.
            let begins = matches!(&edge.command, Command::Havoc(_, Havoc::Uninitialised));
            if let (false, false, Some(int)) = (variable.temporary, begins, variable.ty.int()) {
                notes.push(format!("{} = {}", variable.name, show_value(value, int)));
            }
        }
        match &edge.event {
            Event::Step => {}
            Event::Branch(taken) => notes.push(taken.to_string()),
            Event::Call(function) => notes.push(format!("calls {function}")),
            Event::Return(function) => notes.push(format!("{function} returns")),
            Event::Violation(what) => notes.push(format!("VIOLATION: {what}")),
        }
        let frame = program.frame_of(edge.from);
        match lines.last_mut() {
            Some(last)
                if last.frame == frame
                    && last.source.file == edge.source.file
                    && last.source.line == edge.source.line =>
            {
                last.notes.extend(notes);
            }
            _ => lines.push(Line { source: edge.source, frame, notes }),
        }
    }
    lines.retain(|line| !line.notes.is_empty());
    lines
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

/// The text of source lines, read again from the user's files.
#[derive(Default)]
struct SourceTexts {
    files: HashMap<FileId, Vec<String>>,
}

impl SourceTexts {
    fn line(&mut self, program: &Program, source: Source) -> String {
        let lines = self.files.entry(source.file).or_insert_with(|| {
            let bytes = std::fs::read(program.file(source.file)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(|l| l.trim().to_owned()).collect()
        });
        lines.get(source.line.saturating_sub(1) as usize).cloned().unwrap_or_default()
    }
}
