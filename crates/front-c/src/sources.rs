//! The texts of a program, to look at and to insert code into.
//!
//! What another tool says about a program it says about places in the user's files, in C: that an expression holds
//! there. Inserted at the place, the expression is resolved and typed by the rules of C, in the scope that it is in,
//! and all that is known about programs applies to it. Inserted code has a file name of its own, and all other code
//! keeps its places.

use crate::lines::Lines;
use crate::load::{Source, as_written, parse_all, sources, with_stack};
use crate::options::{Options, Refinement, Target};
use crate::tree::{Position, Unit};
use crate::{library, translate};
use std::fmt::Write;
use std::path::Path;
use tamis_diagnostics::Error;
use tamis_logic::Terms;
use tamis_program::Program;

/// The preprocessed texts of a program.
#[derive(Debug)]
pub struct Sources {
    units: Vec<Source>,
    lines: Vec<Lines>,
}

/// A place in the texts of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot {
    unit: usize,
    byte: usize,
}

impl Spot {
    /// The place `bytes` bytes behind.
    pub fn behind(self, bytes: usize) -> Spot {
        Spot { byte: self.byte + bytes, ..self }
    }

    /// The place `bytes` bytes before.
    pub fn before(self, bytes: usize) -> Spot {
        Spot { byte: self.byte.saturating_sub(bytes), ..self }
    }
}

/// A piece of inserted code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The code, which has no line breaks.
    pub text: String,
    /// The file that it is said to be from.
    pub file: String,
    /// Its line there.
    pub line: u32,
}

/// Code to insert.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Insertion {
    /// Where.
    pub at: Spot,
    /// What.
    pub pieces: Vec<Piece>,
}

impl Sources {
    /// Reads and preprocesses the files of a program.
    ///
    /// ```no_run
    /// use tamis_front_c::{Insertion, Options, Piece, Sources};
    /// let sources = Sources::read(&["main.c"], &Options::default())?;
    /// let unit = sources.unit()?;
    /// let body = unit[unit.main().expect("there is one")].body.expect("it has one");
    /// let at = sources.spot(unit[body].at).expect("it is in the text").behind(1);
    /// let piece = Piece { text: "puts(\"main begins\");".to_owned(), file: "inserted".to_owned(), line: 1 };
    /// let noisy = sources.with(vec![Insertion { at, pieces: vec![piece] }]);
    /// # Ok::<(), tamis_front_c::Error>(())
    /// ```
    pub fn read(paths: &[impl AsRef<Path>], options: &Options) -> Result<Sources, Error> {
        Ok(Sources::of(sources(paths, options)?))
    }

    fn of(units: Vec<Source>) -> Sources {
        let lines = units.iter().map(|source| Lines::new(&source.name, &source.text).0).collect();
        Sources { units, lines }
    }

    /// The same texts, for another target and with another refinement.
    pub fn aimed(&self, target: &Target, refinement: Refinement) -> Sources {
        let mut units = self.units.clone();
        for source in &mut units {
            (source.options.target, source.options.refinement) = (target.clone(), refinement);
        }
        Sources::of(units)
    }

    /// The typed tree.
    pub fn unit(&self) -> Result<Unit, Error> {
        self.work(|| parse_all(&self.units).map(|(unit, _)| unit))
    }

    /// The automaton.
    pub fn program(&self, terms: &mut Terms) -> Result<Program, Error> {
        self.work(|| {
            let (unit, mut lines) = parse_all(&self.units)?;
            let Options { data_model, refinement, .. } = self.units[0].options;
            let unit = library::supply(unit, &mut lines, data_model);
            translate::translate(&unit, &lines, &self.units[0].name, refinement, terms)
        })
    }

    fn work<T: Send>(&self, work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
        with_stack(&self.units[0].name, work, |e| e).map_err(|e| as_written(e, &self.units))
    }

    /// The place in the texts of a position in the typed tree.
    pub fn spot(&self, mut at: Position) -> Option<Spot> {
        for (unit, lines) in self.lines.iter().enumerate() {
            let files = lines.files().len() as u32;
            if at.file < files {
                return lines.byte(at).map(|byte| Spot { unit, byte });
            }
            at.file -= files;
        }
        None
    }

    /// The place in the texts of a line and a column of a file.
    pub fn spot_in(&self, file: &str, line: u32, column: u32) -> Option<Spot> {
        self.lines.iter().enumerate().find_map(|(unit, lines)| {
            let file = lines.files().iter().position(|name| name == file)? as u32;
            lines.byte(Position { file, line, column }).map(|byte| Spot { unit, byte })
        })
    }

    /// The text from a place on.
    pub fn text_from(&self, at: Spot) -> &str {
        self.units[at.unit].text.get(at.byte..).unwrap_or("")
    }

    /// The text of the line of a place, up to it.
    pub fn line_before(&self, at: Spot) -> &str {
        let before = self.units[at.unit].text.get(..at.byte).unwrap_or("");
        &before[before.rfind('\n').map_or(0, |end| end + 1)..]
    }

    /// The text between two places of one file.
    pub fn text_between(&self, from: Spot, to: Spot) -> &str {
        self.units[from.unit].text.get(from.byte..to.byte).unwrap_or("")
    }

    /// The beginnings of the texts.
    pub fn beginnings(&self) -> impl Iterator<Item = Spot> + use<> {
        (0..self.units.len()).map(|unit| Spot { unit, byte: 0 })
    }

    /// Whether a text occurs.
    pub fn mentions(&self, text: &str) -> bool {
        self.units.iter().any(|source| source.text.contains(text))
    }

    /// The texts with code inserted. What is inserted at one place stands there in the order that is given.
    pub fn with(&self, mut insertions: Vec<Insertion>) -> Sources {
        insertions.sort_by_key(|insertion| insertion.at);
        let mut units = self.units.clone();
        for (number, source) in units.iter_mut().enumerate() {
            let (lines, mut text, mut done) = (&self.lines[number], String::new(), 0);
            for Insertion { at, pieces } in insertions.iter().filter(|i| i.at.unit == number) {
                text.push_str(&source.text[done..at.byte]);
                done = at.byte;
                for Piece { text: code, file, line } in pieces {
                    let code = code.replace(['\n', '\r'], " ");
                    let _ = write!(text, "\n# {line} {}\n{code}", quoted(file));
                }
                // What follows is where it was.
                let here = lines.position(at.byte as u32);
                let file = &lines.files()[here.file as usize];
                let column = " ".repeat(here.column.saturating_sub(1) as usize);
                let _ = write!(text, "\n# {} {}\n{column}", here.line, quoted(file));
            }
            text.push_str(&source.text[done..]);
            source.text = text;
        }
        Sources::of(units)
    }
}

/// A file's name in a line marker.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::StmtKind;

    fn sources(text: &str) -> Sources {
        let (name, options) = ("f.i".to_owned(), Options::default());
        Sources::of(vec![Source::of_text(name, text.to_owned(), options)])
    }

    #[test]
    fn what_is_inserted_is_in_scope_and_the_rest_stays_where_it_was() {
        let plain = sources("int main(void) { int x = 3;\n  { int x = 4; x++; } return x; }\n");
        let unit = plain.unit().expect("it is C");
        let step = unit.stmts().find(|&s| matches!(unit[s].kind, StmtKind::Expr(_))).expect("a statement");
        let at = plain.spot(unit[step].at).expect("it is in the text");
        assert!(plain.text_from(at).starts_with("x++"));
        let piece = Piece { text: "if (x != 4) return 7; else ".to_owned(), file: "w\"".to_owned(), line: 5 };
        let more = plain.with(vec![Insertion { at, pieces: vec![piece] }]);
        let unit = more.unit().expect("it is C");
        assert!(unit.files().iter().any(|f| f == "w\""));
        let place = |text: &str| {
            let s = unit.stmts().find(|&s| {
                let rest = more.spot(unit[s].at).map(|at| more.text_from(at));
                rest.is_some_and(|rest| rest.starts_with(text))
            });
            s.map(|s| (unit.files()[unit[s].at.file as usize].clone(), unit[s].at.line, unit[s].at.column))
        };
        assert_eq!(place("x++"), Some(("f.i".to_owned(), 2, 16)));
        assert_eq!(place("return x"), Some(("f.i".to_owned(), 2, 23)));
        assert_eq!(place("if (x"), Some(("w\"".to_owned(), 5, 1)));
    }
}
