//! An execution of the C program, as the interpreter tells it.

use crate::check::counterexample::{Note, Row, Sources};
use std::path::PathBuf;
use tamis_front_c::tree::vocabulary::{MALLOC_FAILS, is_input};
use tamis_front_c::tree::{FunctionId, Type, Unit};
use tamis_interpreter_c::account::{Account, Happening, Moved};
use tamis_interpreter_c::interpreter::Undefined;

/// The rows of an execution.
pub fn rows(unit: &Unit, account: &Account, inputs: &[PathBuf], violations: &[Undefined]) -> Vec<Row> {
    let mut teller = Teller { unit, sources: Sources::new(inputs), rows: Vec::new(), violations };
    let (first, left_out, last) = account.parts();
    first.iter().for_each(|moved| teller.tell(moved));
    if left_out > 0
        && let Some(row) = teller.rows.last_mut()
    {
        row.does.push(Note::Omitted(left_out));
    }
    last.for_each(|moved| teller.tell(moved));
    teller.rows
}

struct Teller<'a> {
    unit: &'a Unit,
    sources: Sources<'a>,
    rows: Vec<Row>,
    /// The undefined behaviour that violates the property.
    violations: &'a [Undefined],
}

impl Teller<'_> {
    fn is_left_quietly(&self, function: FunctionId, moved: &Moved) -> bool {
        let data = &self.unit[function];
        data.result == Type::Void || (data.at.file, data.at.line) == (moved.at.file, moved.at.line)
    }

    fn tell(&mut self, moved: &Moved) {
        let name = |f: FunctionId| self.unit[f].name.clone();
        let (note, depth) = match &moved.what {
            // The caller's line says what it calls.
            Happening::Call { function, .. } if moved.depth <= 1 && name(*function) == "main" => return,
            Happening::Call { function, parameters } => {
                (Note::Call { function: name(*function), parameters: parameters.clone() }, moved.depth - 1)
            }
            // That a function without a value is left shows by the depth of what follows.
            Happening::Return(function) if self.is_left_quietly(*function, moved) => return,
            Happening::Return(function) => (Note::Return(name(*function)), moved.depth),
            Happening::Branch(taken) => (Note::Branch(*taken), moved.depth),
            Happening::Assign { object, .. } if object.starts_with('(') => return,
            Happening::Assign { object, value } => {
                (Note::Assign { object: object.clone(), value: value.clone() }, moved.depth)
            }
            Happening::Input { name, value } if is_input(name) => {
                (Note::Input { from: name.clone(), value: value.clone() }, moved.depth)
            }
            Happening::Input { name, value } if name == MALLOC_FAILS => {
                (Note::Assign { object: name.clone(), value: value.clone() }, moved.depth)
            }
            Happening::Input { name, value } => {
                (Note::Unset { object: name.clone(), value: value.clone() }, moved.depth)
            }
            // What was never set is told of where its value is chosen.
            Happening::Undefined(kind @ Undefined::Uninitialised, _) if !self.violations.contains(kind) => {
                return;
            }
            Happening::Undefined(kind, detail) => {
                let text = if detail.is_empty() { kind.to_string() } else { format!("{kind}: {detail}") };
                let violates = self.violations.contains(kind);
                let note = if violates { Note::Violation(text) } else { Note::Undefined(text) };
                (note, moved.depth)
            }
            Happening::Violation(what) => (Note::Violation(what.clone()), moved.depth),
        };
        let file = self.unit.files().get(moved.at.file as usize).map_or("", String::as_str);
        let (line, depth) = (moved.at.line, depth.saturating_sub(1));
        match self.rows.last_mut() {
            Some(row) if row.line == line && row.depth == depth && row.file == file => row.does.push(note),
            _ => {
                let source = self.sources.line(file, line);
                self.rows.push(Row { file: file.to_owned(), line, depth, source, does: vec![note] });
            }
        }
    }
}
