//! Queries from a script: the assertions, and what is to be abstracted to.

use crate::solve::output::symbol;
use crate::solve::source::{Source, Text};
use std::collections::{HashMap, HashSet};
use tamis_diagnostics::Diagnostic;
use tamis_logic::smtlib::{Command, Position, Reader, Undecided};
use tamis_logic::{Sort, Term, Terms};

/// A predicate and how it is written.
pub struct Named {
    pub formula: Term,
    pub text: String,
}

/// What is asked now.
pub struct Script {
    pub terms: Terms,
    /// The assertions.
    pub formula: Vec<Term>,
    pub predicates: Vec<Named>,
    /// The first term that no theory decides.
    pub undecided: Option<Undecided>,
}

/// What is asserted and what gets a name between a push and its pop.
#[derive(Default)]
struct Level {
    formula: Vec<Term>,
    named: HashMap<String, (Term, Position)>,
}

/// A script as far as it is read: the queries of it, one after the other.
pub struct Queries {
    file: String,
    text: Text,
    reader: Reader<'static>,
    /// Predicates that are asked for at the end, by name.
    wanted: Vec<String>,
    levels: Vec<Level>,
    /// What is declared while `:global-declarations` is on.
    lasting: HashMap<String, (Term, Position)>,
    is_global: bool,
    found: usize,
    ended: bool,
    pub script: Script,
}

impl Queries {
    /// The queries of a script: one at its end if names are `wanted`, or else one for each `check-allsat`.
    pub fn new(file: &str, source: Source, wanted: &[String]) -> Queries {
        Queries {
            file: file.to_owned(),
            text: source.text(),
            reader: Reader::new(source),
            wanted: wanted.to_vec(),
            levels: vec![Level::default()],
            lasting: HashMap::new(),
            is_global: false,
            found: 0,
            ended: false,
            script: Script {
                terms: Terms::new(),
                formula: Vec::new(),
                predicates: Vec::new(),
                undecided: None,
            },
        }
    }

    /// Reads on to the next query; `false` if there is none. What is wrong is printed.
    pub fn read_next(&mut self) -> Result<bool, String> {
        while !self.ended {
            match self.reader.next_command(&mut self.script.terms) {
                Ok(None | Some((Command::Exit, _))) => self.ended = true,
                Ok(Some((Command::CheckAllSat(important), _))) => {
                    if self.wanted.is_empty() {
                        let named = |(formula, text)| Named { formula, text };
                        self.ask(important.into_iter().map(named).collect());
                        return Ok(true);
                    }
                }
                Ok(Some((command, position))) => self.take(command, position),
                Err(error) => {
                    let token =
                        error.token.as_ref().map(|token| format!(" at `{token}`")).unwrap_or_default();
                    return Err(self.refuse(error.position, format!("{}{token}", error.message)));
                }
            }
        }
        if self.found > 0 {
            return Ok(false);
        }
        if self.wanted.is_empty() {
            let message = "no predicates: the script has no check-allsat, and --predicates is not given";
            return Err(self.refuse_file(message.to_owned()));
        }
        let predicates = self.named()?;
        self.ask(predicates);
        Ok(true)
    }

    fn ask(&mut self, predicates: Vec<Named>) {
        self.found += 1;
        self.script.formula = self.levels.iter().flat_map(|level| level.formula.iter().copied()).collect();
        self.script.predicates = distinct(predicates);
        self.script.undecided = self.reader.undecided();
    }

    /// The predicates that are asked for by name.
    fn named(&self) -> Result<Vec<Named>, String> {
        let terms = &self.script.terms;
        let mut predicates = Vec::new();
        for name in self.wanted.iter().flat_map(|names| split(names)) {
            let plain = name.trim_matches('|');
            let names = self.levels.iter().rev().map(|level| &level.named).chain([&self.lasting]);
            let Some(&(formula, position)) = names.into_iter().find_map(|named| named.get(plain)) else {
                let message =
                    format!("no predicate `{name}`: the script neither declares, defines nor names it");
                return Err(self.refuse_file(message));
            };
            if terms.sort(formula) != Sort::Bool {
                let sort = terms.sort_text(terms.sort(formula));
                return Err(self.refuse(position, format!("predicate `{name}` is of sort {sort}, not Bool")));
            }
            predicates.push(Named { formula, text: symbol(plain) });
        }
        Ok(predicates)
    }

    fn refuse(&self, position: Position, message: String) -> String {
        let number = |n: u64| u32::try_from(n).unwrap_or(0);
        let diagnostic = Diagnostic {
            file: self.file.clone(),
            line: number(position.line),
            column: number(position.column),
            message: message.clone(),
            source_line: self.text.line(position.line),
        };
        tamis_diagnostics::print("error", &diagnostic);
        message
    }

    fn refuse_file(&self, message: String) -> String {
        tamis_diagnostics::print("error", &Diagnostic::about_file(self.file.clone(), message.clone()));
        message
    }

    fn take(&mut self, command: Command, position: Position) {
        let Some(level) = self.levels.last_mut() else { return };
        let named = if self.is_global { &mut self.lasting } else { &mut level.named };
        match command {
            Command::SetOption(keyword, value) if keyword == ":global-declarations" => {
                self.is_global = value == "true";
            }
            Command::Declare { name, var } => drop(named.insert(name, (var, position))),
            Command::Define { name, term: Some(term) } => drop(named.insert(name, (term, position))),
            Command::Assert { formula, names, .. } => {
                named.extend(names.into_iter().map(|(name, term)| (name, (term, position))));
                level.formula.push(formula);
            }
            Command::Push(count) => {
                self.levels.extend(std::iter::repeat_with(Level::default).take(count));
            }
            Command::Pop(count) => {
                let kept = self.levels.len().saturating_sub(count).max(1);
                self.levels.truncate(kept);
            }
            Command::ResetAssertions => self.levels = vec![Level::default()],
            Command::Reset => {
                (self.levels, self.is_global) = (vec![Level::default()], false);
                self.lasting.clear();
            }
            _ => {}
        }
    }
}

/// Names that are separated by commas; between bars, a comma is part of a name.
fn split(names: &str) -> Vec<&str> {
    let mut quoted = false;
    let parts = names.split(|c| {
        quoted ^= c == '|';
        c == ',' && !quoted
    });
    parts.map(str::trim).filter(|name| !name.is_empty()).collect()
}

/// A predicate that is named twice is one.
fn distinct(predicates: Vec<Named>) -> Vec<Named> {
    let mut seen = HashSet::new();
    predicates.into_iter().filter(|p| seen.insert(p.text.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn names_with_commas() {
        assert_eq!(split("p, |a,b|,q,"), ["p", "|a,b|", "q"]);
    }
}
