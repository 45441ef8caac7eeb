//! An execution of the C program, as the interpreter tells it.

use crate::check::counterexample::{Note, Row, Sources};
use crate::formalism::c::property::Property;
use std::path::PathBuf;
use tamis_front_c::tree::vocabulary::{MALLOC_FAILS, is_input};
use tamis_front_c::tree::{FunctionId, Type, Unit};
use tamis_interpreter_c::account::{Account, Happening, Moved};
use tamis_interpreter_c::interpreter::Undefined;

/// The rows of an execution.
pub fn rows(unit: &Unit, account: &Account, inputs: &[PathBuf], property: &Property) -> Vec<Row> {
    let (mut sources, wrappers) = (Sources::new(inputs).with(unit.generated()), Vec::new());
    if let Some(specification) = property.specification() {
        sources.add(&specification.file, &specification.text);
    }
    let mut teller = Teller { unit, sources, rows: Vec::new(), property, wrappers, reached: None };
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

/// The files of code that neither the program nor the specification says.
const WOVEN: [&str; 2] = ["<specification>", "<machine>"];

/// Whether a function is woven into the program.
fn is_woven(name: &str) -> bool {
    name.starts_with('$')
}

struct Teller<'a> {
    unit: &'a Unit,
    sources: Sources<'a>,
    rows: Vec<Row>,
    property: &'a Property,
    /// The depths of what runs in functions that a specification has put around others: it is not told as calls.
    wrappers: Vec<usize>,
    /// The state that a rule is in, and the line of the program that brought it there.
    reached: Option<(String, u32)>,
}

impl Teller<'_> {
    fn is_left_quietly(&self, function: FunctionId, moved: &Moved) -> bool {
        let data = &self.unit[function];
        data.result == Type::Void || (data.at.file, data.at.line) == (moved.at.file, moved.at.line)
    }

    /// Tells of an execution as if functions had no wrappers, which a specification has put around them.
    fn tell(&mut self, moved: &Moved) {
        while self.wrappers.last().is_some_and(|&depth| moved.depth < depth) {
            self.wrappers.pop();
        }
        let inside = self.wrappers.iter().filter(|&&depth| depth <= moved.depth).count();
        let file = self.unit.files().get(moved.at.file as usize).map_or("", String::as_str);
        if let Happening::Call { function, .. } = moved.what
            && is_woven(&self.unit[function].name)
        {
            self.wrappers.push(moved.depth);
        }
        let moved = &Moved { depth: moved.depth.saturating_sub(inside), ..moved.clone() };
        if let Happening::Assign { object, value } = &moved.what
            && let Some(Note::Assign { value, .. }) = self.state(object, value)
        {
            let line = self.users_row().map_or(0, |row| row.line);
            self.reached = Some((value, line));
        }
        let specification = self.property.specification();
        match &moved.what {
            _ if WOVEN.contains(&file) => {}
            Happening::Violation(_) if specification.is_some_and(|s| s.file == file) => {
                let said = specification
                    .and_then(|s| s.violation(moved.at.line, moved.at.column))
                    .unwrap_or_default();
                let note =
                    Note::Violation(format!("{}{said} ({file}:{})", self.whereabouts(), moved.at.line));
                self.note_at_user(note);
            }
            Happening::Return(function) if is_woven(&self.unit[*function].name) => {}
            // The code of a hook is no function of the program.
            Happening::Call { function, .. } if self.unit[*function].name.starts_with("$$") => {}
            _ => self.tell_of(moved),
        }
    }

    /// The state of a specification, by its name.
    fn state(&self, object: &str, value: &str) -> Option<Note> {
        let specification = self.property.specification()?;
        let name = object.strip_suffix("$state").filter(|name| *name == specification.name)?;
        let state = specification.states.get(value.parse::<usize>().ok()?)?;
        Some(Note::Assign { object: name.to_owned(), value: state.clone() })
    }

    /// Which state a rule is in, and since when.
    fn whereabouts(&self) -> String {
        let first = self.property.specification().and_then(|s| s.states.first());
        match (&self.reached, first) {
            (Some((state, line @ 1..)), _) => format!("in state {state} since line {line}: "),
            (Some((state, _)), _) | (None, Some(state)) => format!("in state {state}: "),
            (None, None) => String::new(),
        }
    }

    /// The last row of the program itself.
    fn users_row(&self) -> Option<&Row> {
        let ours = |row: &&Row| self.property.specification().is_none_or(|s| s.file != row.file);
        self.rows.iter().rev().find(ours)
    }

    /// Something that the last line of the program has done.
    fn note_at_user(&mut self, note: Note) {
        let mut row = self.users_row().cloned().unwrap_or_else(|| Row {
            file: String::new(),
            line: 0,
            depth: 0,
            source: String::new(),
            does: Vec::new(),
        });
        row.does = vec![note];
        self.rows.push(row);
    }

    fn tell_of(&mut self, moved: &Moved) {
        let name = |f: FunctionId| self.unit[f].name.trim_start_matches('$').to_owned();
        let (note, depth) = match &moved.what {
            // The caller's line says what it calls.
            Happening::Call { function, .. } if moved.depth <= 1 && name(*function) == "main" => return,
            Happening::Call { function, parameters } => (
                Note::Call { function: name(*function), parameters: parameters.clone() },
                moved.depth.saturating_sub(1),
            ),
            // That a function without a value is left shows by the depth of what follows.
            Happening::Return(function) if self.is_left_quietly(*function, moved) => return,
            Happening::Return(function) => (Note::Return(name(*function)), moved.depth),
            Happening::Branch(taken) => (Note::Branch(*taken), moved.depth),
            Happening::Assign { object, .. } if object.starts_with('(') => return,
            Happening::Assign { object, value } if let Some(state) = self.state(object, value) => {
                (state, moved.depth)
            }
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
            Happening::Undefined(kind @ Undefined::Uninitialised, _)
                if !self.property.violations().contains(kind) =>
            {
                return;
            }
            Happening::Undefined(kind, detail) => {
                let text = if detail.is_empty() { kind.to_string() } else { format!("{kind}: {detail}") };
                let violates = self.property.violations().contains(kind);
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
