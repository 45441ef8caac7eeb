//! The trace of `tamis run`: source lines with what they do.

use crate::run::place;
use std::collections::HashMap;
use std::ops::ControlFlow;
use tamis_front_c::tree::vocabulary::UNSPECIFIED;
use tamis_front_c::tree::{FunctionId, Position, Unit};
use tamis_interpreter_c::interpreter::{Event, Moment, Observer};

/// Prints what a run does to stderr: everything, or only behaviour that C leaves undefined.
pub struct Tracer<'a> {
    unit: &'a Unit,
    all: bool,
    /// The line that is being executed, and what happened on it.
    line: Option<(Position, usize)>,
    notes: Vec<String>,
    file: Option<u32>,
    texts: HashMap<u32, Vec<String>>,
}

/// The column after the source text, where it is not longer.
const TEXT_WIDTH: usize = 48;

impl<'a> Tracer<'a> {
    pub fn new(unit: &'a Unit, all: bool) -> Tracer<'a> {
        Tracer { unit, all, line: None, notes: Vec::new(), file: None, texts: HashMap::new() }
    }

    /// Prints what is left.
    pub fn finish(&mut self) {
        self.flush();
    }

    fn flush(&mut self) {
        let Some((at, depth)) = self.line.take() else { return };
        let notes = std::mem::take(&mut self.notes);
        if notes.is_empty() {
            return;
        }
        if self.file.replace(at.file) != Some(at.file) {
            eprintln!("  {}", self.unit.files().get(at.file as usize).map_or("", String::as_str));
        }
        let text = format!("{}{}", "  ".repeat(depth.saturating_sub(1).min(20)), self.text(at));
        eprintln!("  {:>4} | {text:<TEXT_WIDTH$}  // {}", at.line, notes.join(", "));
    }

    fn text(&mut self, at: Position) -> String {
        let unit = self.unit;
        let lines = self.texts.entry(at.file).or_insert_with(|| {
            let file = unit.files().get(at.file as usize).map_or("", String::as_str);
            let bytes = std::fs::read(file).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(|l| l.trim().to_owned()).collect()
        });
        lines.get(at.line.saturating_sub(1) as usize).cloned().unwrap_or_default()
    }
}

impl Observer for Tracer<'_> {
    fn wants_all(&self) -> bool {
        self.all
    }

    fn event(&mut self, moment: &Moment, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Undefined(kind, detail) = event {
            self.flush();
            eprintln!("note: undefined behaviour: {kind}: {detail}, {}", place(self.unit, moment.at));
            return ControlFlow::Continue(());
        }
        if !self.all {
            return ControlFlow::Continue(());
        }
        let here = (moment.at, moment.depth);
        if self.line.is_none_or(|(at, depth)| (at.file, at.line, depth) != (here.0.file, here.0.line, here.1))
        {
            self.flush();
            self.line = Some(here);
        }
        let name = |f: FunctionId| self.unit[f].name.as_str();
        let note = match event {
            Event::Statement | Event::Allocation { .. } | Event::Undefined(..) => {
                return ControlFlow::Continue(());
            }
            Event::Call { function, parameters } => {
                let parameters: Vec<String> =
                    parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                format!("calls {}({})", name(*function), parameters.join(", "))
            }
            Event::Return(function) => format!("{} returns", name(*function)),
            Event::Branch(taken) => taken.to_string(),
            Event::Assign { object, value, points_to, .. } => match points_to {
                Some(target) => format!("{object} = {target}"),
                None => format!("{object} = {value}"),
            },
            Event::Input { name, value, .. } => format!("{name} gives {value}"),
            Event::Unspecified { name, value } => {
                format!("{} gives {value}, which is not promised", name.trim_start_matches(UNSPECIFIED))
            }
            Event::Violation(what) => format!("VIOLATION: {what}"),
        };
        self.notes.push(note);
        ControlFlow::Continue(())
    }
}
