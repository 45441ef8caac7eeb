//! A query from a script: the assertions, and what is to be abstracted to.

use crate::diagnostics;
use crate::solve::output::symbol;
use crate::solve::source::Source;
use std::collections::HashMap;
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

/// The assertions and what has a name, level by level.
struct Reading {
    terms: Terms,
    levels: Vec<Vec<Term>>,
    named: HashMap<String, (Term, Position)>,
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
    let mut reading =
        Reading { terms: Terms::new(), levels: vec![Vec::new()], named: HashMap::new(), asked: None };
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
    let Reading { terms, levels, named, asked } = reading;
    if wanted.is_empty() {
        let Some((predicates, formula)) = asked else {
            let message = "no predicates: the script has no check-allsat, and --predicates is not given";
            return Err(nowhere(message.to_owned()));
        };
        return Ok(Script { terms, formula, predicates, undecided });
    }
    let mut predicates = Vec::new();
    for name in wanted {
        let Some(&(formula, position)) = named.get(name.trim_matches('|')) else {
            let message = format!("no predicate `{name}`: the script neither declares, defines nor names it");
            return Err(nowhere(message));
        };
        if terms.sort(formula) != Sort::Bool {
            let sort = terms.sort_text(terms.sort(formula));
            return Err(refuse(position, format!("predicate `{name}` is of sort {sort}, not Bool")));
        }
        predicates.push(Named { formula, text: symbol(name.trim_matches('|')) });
    }
    let formula = levels.concat();
    Ok(Script { terms, formula, predicates, undecided })
}

impl Reading {
    fn take(&mut self, command: Command, position: Position) {
        match command {
            Command::Declare { name, var } => drop(self.named.insert(name, (var, position))),
            Command::Define { name, term: Some(term) } => drop(self.named.insert(name, (term, position))),
            Command::Assert { formula, names, .. } => {
                self.named.extend(names.into_iter().map(|(name, term)| (name, (term, position))));
                if let Some(level) = self.levels.last_mut() {
                    level.push(formula);
                }
            }
            Command::Push(count) => {
                self.levels.extend(std::iter::repeat_with(Vec::new).take(count));
            }
            Command::Pop(count) => {
                let kept = self.levels.len().saturating_sub(count).max(1);
                self.levels.truncate(kept);
            }
            Command::Reset | Command::ResetAssertions => self.levels = vec![Vec::new()],
            Command::CheckAllSat(important) => {
                let predicates =
                    important.into_iter().map(|(formula, text)| Named { formula, text }).collect();
                self.asked = Some((predicates, self.levels.concat()));
            }
            _ => {}
        }
    }
}
