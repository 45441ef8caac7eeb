//! Source lines with what they do.

use super::fold::{self, Item};
use crate::check::documents::Place;
use crate::color;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// A source line as it was executed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Row {
    pub file: String,
    pub line: u32,
    /// How many calls it is away from `main`.
    pub depth: usize,
    /// Its text.
    pub source: String,
    /// What it did.
    pub does: Vec<Note>,
}

/// Something that a line does.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Note {
    Assign {
        object: String,
        value: String,
    },
    Input {
        from: String,
        value: String,
    },
    /// A variable is used that was never set.
    Unset {
        object: String,
        value: String,
    },
    Branch(bool),
    Call {
        function: String,
        parameters: Vec<(String, String)>,
    },
    Return(String),
    Undefined(String),
    Violation(String),
    /// So many steps are not known any more.
    Omitted(usize),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Assign { object, .. } if object.ends_with("$$choice") => f.write_str("the machine chooses"),
            Note::Assign { object, value } => write!(f, "{object} = {value}"),
            Note::Input { from, value } => write!(f, "{from}() = {value}"),
            Note::Unset { object, value } => write!(f, "{object} was never set, say {value}"),
            Note::Branch(taken) => write!(f, "{taken}"),
            Note::Call { function, parameters } => {
                let parameters: Vec<String> =
                    parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                write!(f, "calls {function}({})", parameters.join(", "))
            }
            Note::Return(function) => write!(f, "{function} returns"),
            Note::Undefined(what) => write!(f, "undefined: {what}"),
            Note::Violation(what) => write!(f, "VIOLATION: {what}"),
            Note::Omitted(steps) => write!(f, "{steps} steps are left out"),
        }
    }
}

impl Row {
    /// Its place, its depth and its text.
    pub fn text(&self) -> (Place<'_>, usize, String) {
        let Row { file, line, depth, source, .. } = self;
        (Place::new(file, *line), *depth, format!("{source}  // {}", self.notes()))
    }

    /// What the line does, as text. An input that goes into a variable is told once.
    pub fn notes(&self) -> String {
        let mut texts: Vec<String> = Vec::new();
        let mut notes = self.does.iter().peekable();
        while let Some(note) = notes.next() {
            match (note, notes.peek()) {
                (Note::Input { from, value }, Some(Note::Assign { object, value: same }))
                    if value == same =>
                {
                    texts.push(format!("{object} = {from}() = {value}"));
                    notes.next();
                }
                _ => texts.push(note.to_string()),
            }
        }
        texts.join(", ")
    }
}

/// The column after the source text, where it is not longer.
const TEXT_WIDTH: usize = 48;

/// Longer lines are cut.
const LONGEST: usize = 100;

/// Calls that are deeper are indented no further.
const DEEPEST: usize = 16;

/// Prints an execution to stderr; what it does again and again is folded unless all is wanted.
pub fn print(rows: &[Row], confirmed: bool, full: bool) {
    // There may be many lines: written one by one they take longer than the search.
    let mut text = String::new();
    if write(&mut text, rows, confirmed, full).is_ok() {
        eprint!("{text}");
    }
}

fn write(out: &mut String, rows: &[Row], confirmed: bool, full: bool) -> fmt::Result {
    let digits = rows.iter().map(|row| row.line.to_string().len()).max().unwrap_or(0);
    let heading = if confirmed {
        color::bad("counterexample")
    } else {
        color::warning("counterexample, not confirmed")
    };
    writeln!(out, "{heading}:")?;
    let items = if full { rows.iter().map(Item::Row).collect() } else { fold::fold(rows) };
    let mut file = None;
    for item in items {
        match item {
            Item::Row(row) => {
                if file.replace(&row.file) != Some(&row.file) {
                    writeln!(out, "  {}", row.file)?;
                }
                let indent = "  ".repeat(row.depth.min(DEEPEST));
                let mut text = format!("{indent}{}", row.source);
                if text.chars().count() > LONGEST {
                    text = text.chars().take(LONGEST - 1).chain(['…']).collect();
                }
                let violates = row.does.iter().any(|note| matches!(note, Note::Violation(_)));
                let notes = format!("// {}", row.notes());
                let notes = if violates { color::bad(&notes) } else { color::faint(&notes) };
                writeln!(out, "  {:>digits$} | {text:<TEXT_WIDTH$}  {notes}", row.line)?;
            }
            Item::Again { first, last, times, depth, .. } => {
                let indent = "  ".repeat(depth.min(DEEPEST));
                let lines =
                    if first == last { format!("line {first}") } else { format!("lines {first} to {last}") };
                let times = if times == 1 { "once more".to_owned() } else { format!("{times} more times") };
                writeln!(out, "  {:>digits$} | {indent}… {times}, {lines}", "")?;
            }
        }
    }
    Ok(())
}
