//! Counterexamples for people: source lines with what they do, or a table of clock cycles.

pub mod cycles;
mod fold;
pub mod lines;
mod sources;

pub use cycles::Table;
pub use fold::{Fold, folds};
pub use lines::{Note, Row};
pub use sources::Sources;

use super::documents::Place;

/// An execution that violates a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Counterexample {
    /// Of a program.
    Lines(Vec<Row>),
    /// Of a design.
    Cycles(Table),
}

impl Counterexample {
    /// Where the violation is.
    pub fn place(&self) -> Option<Place<'_>> {
        match self {
            Counterexample::Lines(rows) => rows.last().map(|row| Place::new(&row.file, row.line)),
            Counterexample::Cycles(table) => Some(Place::new(&table.file, table.line)),
        }
    }

    /// What is violated.
    pub fn violation(&self) -> Option<&str> {
        match self {
            Counterexample::Lines(rows) => rows.last()?.does.iter().rev().find_map(|note| match note {
                Note::Violation(what) => Some(what.as_str()),
                _ => None,
            }),
            Counterexample::Cycles(table) => Some(&table.violation),
        }
    }

    /// What happens before each assignment to a variable since the one before, with the value, and whether nothing was left out.
    pub fn stories(&self, variable: &str) -> (Vec<(String, String)>, bool) {
        let rows: &[Row] = match self {
            Counterexample::Lines(rows) => rows,
            Counterexample::Cycles(_) => &[],
        };
        let (mut stories, mut story, mut complete) = (Vec::new(), String::new(), true);
        for (row, note) in rows.iter().flat_map(|row| row.does.iter().map(move |note| (row, note))) {
            match note {
                Note::Assign { object, value } if object == variable => {
                    stories.push((std::mem::take(&mut story), value.clone()));
                }
                _ => story += &format!("{}:{}:{note:?};", row.file, row.line),
            }
            complete &= !matches!(note, Note::Omitted(_));
        }
        (stories, complete)
    }

    /// Prints it to stderr; what it does again and again is folded unless all is wanted.
    pub fn print(&self, confirmed: bool, full: bool) {
        match self {
            Counterexample::Lines(rows) => lines::print(rows, confirmed, full),
            Counterexample::Cycles(table) => table.lines(full).iter().for_each(|line| eprintln!("{line}")),
        }
    }

    /// As lines of text, each with its place.
    pub fn text(&self) -> Vec<(Place<'_>, usize, String)> {
        match self {
            Counterexample::Lines(rows) => rows.iter().map(Row::text).collect(),
            Counterexample::Cycles(table) => {
                let place = Place::new(&table.file, table.line);
                table.changes().into_iter().map(|line| (place, 0, line)).collect()
            }
        }
    }
}
