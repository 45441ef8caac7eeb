//! A query from a script: the assertions, and what is to be abstracted to.

use crate::diagnostics;
use crate::solve::output::symbol;
use crate::solve::source::Source;
use std::collections::{HashMap, HashSet};
use std::io::Read;
use tamis_front_c::Diagnostic;
use tamis_logic::smtlib::{Command, Position, Reader, Undecided};
use tamis_logic::{Sort, Term, Terms};

/// A predicate and how it is written.
pub struct Named {
    pub formula: Term,
    pub text: String,
}

/// What a script asks.
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

/// A script as far as it is read.
struct Reading {
    terms: Terms,
    levels: Vec<Level>,
    /// What is declared while `:global-declarations` is on.
    lasting: HashMap<String, (Term, Position)>,
    is_global: bool,
    asked: Option<(Vec<Named>, Vec<Term>)>,
}

/// Reads a script. Predicates are the `wanted` names if there are some, or else those of its `check-allsat`. What is wrong
/// is printed.
pub fn read(file: &str, source: Box<dyn Read>, wanted: &[String]) -> Result<Script, String> {
    let source = Source::new(source);
    let recent = source.recent();
    let refuse = |position: Position, message: String| {
        let number = |n: u64| u32::try_from(n).unwrap_or(0);
        let diagnostic = Diagnostic {
            file: file.to_owned(),
            line: number(position.line),
            column: number(position.column),
            message: message.clone(),
            source_line: recent.line(position.line),
        };
        diagnostics::print("error", &diagnostic);
        message
    };
    let nowhere = |message: String| {
        diagnostics::print("error", &Diagnostic::about_file(file.to_owned(), message.clone()));
        message
    };
    let mut reader = Reader::new(source);
    let mut reading = Reading {
        terms: Terms::new(),
        levels: vec![Level::default()],
        lasting: HashMap::new(),
        is_global: false,
        asked: None,
    };
    loop {
        match reader.next_command(&mut reading.terms) {
            Ok(None | Some((Command::Exit, _))) => break,
            Ok(Some((command, position))) => {
                let before = reading.asked.is_some();
                if before && wanted.is_empty() && matches!(command, Command::CheckAllSat(_)) {
                    return Err(refuse(position, "a second query; there can be one in a script".to_owned()));
                }
                reading.take(command, position);
            }
            Err(error) => {
                let token = error.token.as_ref().map(|token| format!(" at `{token}`")).unwrap_or_default();
                return Err(refuse(error.position, format!("{}{token}", error.message)));
            }
        }
    }
    let undecided = reader.undecided();
    let formula = reading.formula();
    let Reading { terms, levels, lasting, asked, .. } = reading;
    if wanted.is_empty() {
        let Some((predicates, formula)) = asked else {
            let message = "no predicates: the script has no check-allsat, and --predicates is not given";
            return Err(nowhere(message.to_owned()));
        };
        return Ok(Script { terms, formula, predicates, undecided });
    }
    let mut predicates = Vec::new();
    for name in wanted.iter().flat_map(|names| split(names)) {
        let plain = name.trim_matches('|');
        let Some(&(formula, position)) = levels
            .iter()
            .rev()
            .map(|level| &level.named)
            .chain([&lasting])
            .find_map(|named| named.get(plain))
        else {
            let message = format!("no predicate `{name}`: the script neither declares, defines nor names it");
            return Err(nowhere(message));
        };
        if terms.sort(formula) != Sort::Bool {
            let sort = terms.sort_text(terms.sort(formula));
            return Err(refuse(position, format!("predicate `{name}` is of sort {sort}, not Bool")));
        }
        predicates.push(Named { formula, text: symbol(plain) });
    }
    let predicates = distinct(predicates);
    Ok(Script { terms, formula, predicates, undecided })
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

impl Reading {
    fn formula(&self) -> Vec<Term> {
        self.levels.iter().flat_map(|level| level.formula.iter().copied()).collect()
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
            Command::CheckAllSat(important) => {
                let predicates =
                    important.into_iter().map(|(formula, text)| Named { formula, text }).collect();
                self.asked = Some((distinct(predicates), self.formula()));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn names_with_commas() {
        assert_eq!(split("p, |a,b|,q,"), ["p", "|a,b|", "q"]);
    }
}
