//! The document of a check as an editor shows it: diagnostics, and hints beside loops.

use super::lines::Lines;
use crate::check::counterexample::{Note, Row};
use crate::uri;
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Position, Range,
    Uri,
};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// More steps of a counterexample are not listed: the first ones go.
const MOST_STEPS: usize = 200;

/// What is known of a file after a check.
#[derive(Debug, Default)]
pub struct Answer {
    /// The verdict, as the last line of a check says it.
    pub verdict: String,
    /// By file: that of the check, and those that it includes or links.
    pub diagnostics: BTreeMap<PathBuf, Vec<Diagnostic>>,
    pub hints: Vec<Hint>,
}

/// What holds at a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    pub file: PathBuf,
    /// From 0.
    pub line: u32,
    pub text: String,
}

#[derive(Deserialize)]
struct Document {
    verdict: String,
    properties: Vec<Section>,
}

#[derive(Deserialize)]
struct Section {
    property: String,
    verdict: String,
    reason: Option<String>,
    exit_code: u8,
    location: Option<Place>,
    counterexample: Option<Counterexample>,
    #[serde(default)]
    invariants: Vec<Invariant>,
    #[serde(default)]
    advice: Vec<String>,
    #[serde(default)]
    warnings: Vec<String>,
    #[serde(default)]
    checks: Vec<Check>,
}

#[derive(Deserialize)]
struct Place {
    file: String,
    line: u32,
    column: Option<u32>,
}

#[derive(Deserialize)]
struct Counterexample {
    confirmed: bool,
    /// Of a program.
    #[serde(default)]
    steps: Vec<Row>,
}

#[derive(Deserialize)]
struct Invariant {
    file: String,
    line: u32,
    invariant: String,
}

/// One check of a property, with `--all`.
#[derive(Deserialize)]
struct Check {
    file: String,
    line: u32,
    what: String,
    verdict: String,
    reason: Option<String>,
    counterexample: Option<Counterexample>,
}

/// Who reads a document, and where it is from.
pub struct Reader<'a> {
    /// The file that was checked.
    pub file: &'a Path,
    /// What relative names start from.
    pub folder: &'a Path,
    /// Whether the editor shows related places; otherwise the message has them.
    pub related: bool,
}

impl Reader<'_> {
    /// Reads the document of a check; `None` if it is none.
    pub fn read(&self, text: &str) -> Option<Answer> {
        let document: Document = serde_json::from_str(text).ok()?;
        let mut answer = Answer { verdict: document.verdict, ..Answer::default() };
        let mut lines = Lines::default();
        // The file itself has an entry, so that what was said of it before goes.
        answer.diagnostics.insert(self.file.to_owned(), Vec::new());
        for section in &document.properties {
            for (file, diagnostic) in self.diagnostics(section, &mut lines) {
                answer.diagnostics.entry(file).or_default().push(diagnostic);
            }
            answer.hints.extend(section.invariants.iter().filter_map(|invariant| self.hint(invariant)));
        }
        Some(answer)
    }

    fn hint(&self, Invariant { file, line, invariant }: &Invariant) -> Option<Hint> {
        let (file, line) = (self.folder.join(file), line.checked_sub(1)?);
        Some(Hint { file, line, text: invariant.clone() })
    }

    fn diagnostics(&self, section: &Section, lines: &mut Lines) -> Vec<(PathBuf, Diagnostic)> {
        let Section { property, verdict, reason, exit_code, location, counterexample, .. } = section;
        let mut found = Vec::new();
        for check in &section.checks {
            let Check { file, line, what, verdict, reason, counterexample } = check;
            let place = Place { file: file.clone(), line: *line, column: None };
            let (severity, text) = match verdict.as_str() {
                "false" => (DiagnosticSeverity::ERROR, what.clone()),
                "unknown" => {
                    let reason = reason.as_deref().unwrap_or_default();
                    (DiagnosticSeverity::INFORMATION, format!("{what}: unknown: {reason}"))
                }
                _ => continue,
            };
            found.push(self.diagnostic(
                property,
                severity,
                text,
                Some(&place),
                counterexample.as_ref(),
                lines,
            ));
        }
        if !section.checks.is_empty() {
            return found;
        }
        let confirmed = counterexample.as_ref().is_some_and(|c| c.confirmed);
        let violation = counterexample.as_ref().and_then(violation);
        let (severity, text) = match (verdict.as_str(), exit_code) {
            ("true", _) => {
                for warning in &section.warnings {
                    let text = format!("proved, but {warning}");
                    let severity = DiagnosticSeverity::INFORMATION;
                    found.push(self.diagnostic(property, severity, text, None, None, lines));
                }
                return found;
            }
            ("false", _) => {
                let text = violation.unwrap_or_else(|| format!("{property} is violated"));
                (DiagnosticSeverity::ERROR, text)
            }
            (_, 4 | 5) => (DiagnosticSeverity::ERROR, reason.clone().unwrap_or_default()),
            _ => {
                let reason = reason.clone().unwrap_or_default();
                let said = [reason].into_iter().chain(section.advice.iter().cloned());
                let text = format!("unknown: {}", said.collect::<Vec<_>>().join("\n"));
                // A violation that is only possible deserves more than a note, and a construct that is not taken, too.
                let doubtful = !confirmed && counterexample.is_some() || location.is_some();
                let severity =
                    if doubtful { DiagnosticSeverity::WARNING } else { DiagnosticSeverity::INFORMATION };
                (severity, text)
            }
        };
        found.push(self.diagnostic(
            property,
            severity,
            text,
            location.as_ref(),
            counterexample.as_ref(),
            lines,
        ));
        found
    }

    /// A message at a place; at the top of the file where there is none.
    fn diagnostic(
        &self,
        property: &str,
        severity: DiagnosticSeverity,
        mut message: String,
        place: Option<&Place>,
        counterexample: Option<&Counterexample>,
        lines: &mut Lines,
    ) -> (PathBuf, Diagnostic) {
        let file = place.map_or(self.file.to_owned(), |place| self.folder.join(&place.file));
        // What is nowhere on this disk, such as standard input, is said of the file that was checked.
        let place = place.filter(|place| place.line > 0 && file.is_file());
        let file = if place.is_some() || file == self.file { file } else { self.file.to_owned() };
        let range = match place {
            Some(place) => lines.range(&file, place.line - 1, place.column),
            None => Range::new(Position::new(0, 0), Position::new(0, 0)),
        };
        let steps = counterexample.map_or(&[][..], |c| &c.steps);
        let shown = &steps[steps.len().saturating_sub(MOST_STEPS)..];
        let mut related = Vec::new();
        for row in shown {
            let file = self.folder.join(&row.file);
            let Ok(uri) = Uri::from_str(&uri::of_path(&file)) else { continue };
            let range = lines.range(&file, row.line.saturating_sub(1), None);
            let message = row.notes();
            related.push(DiagnosticRelatedInformation { location: Location { uri, range }, message });
        }
        if !self.related {
            for row in shown {
                message += &format!("\n{}: {}", row.line, row.notes());
            }
        }
        let related = Some(related).filter(|related| self.related && !related.is_empty());
        let diagnostic = Diagnostic {
            range,
            severity: Some(severity),
            code: Some(NumberOrString::String(property.to_owned())),
            source: Some("tamis".to_owned()),
            message,
            related_information: related,
            ..Diagnostic::default()
        };
        (file, diagnostic)
    }
}

fn violation(counterexample: &Counterexample) -> Option<String> {
    let notes = counterexample.steps.last()?.does.iter().rev();
    notes.into_iter().find_map(|note| match note {
        Note::Violation(what) => Some(what.clone()),
        _ => None,
    })
}
