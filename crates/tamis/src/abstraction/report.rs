//! What is said, by the run or in its place.

use super::answer::{self, Solved};
use super::script::Named;
use crate::arguments::AbstractOptions;
use crate::verdict::ExitStatus;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Where the answer goes. The run and the watchdog share it, and one of them says the last word.
pub struct Report {
    file: String,
    operation: &'static str,
    json: Option<Option<PathBuf>>,
    smtlib: bool,
    turn: Mutex<Turn>,
}

/// The query that is being answered.
struct Turn {
    /// From 1 on.
    query: usize,
    start: Instant,
    /// Whether the last word on it has been said.
    ended: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    tamis: &'static str,
    file: &'a str,
    /// Which of the script's queries it is, from 1 on.
    query: usize,
    /// `strongest` for `G_P`, `weakest` for `F_P`.
    operation: &'static str,
    /// `answered`, `unknown` or `error`.
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    exit_code: u8,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    predicates: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a Solved>,
    /// The answer as a term, if it has too many cubes to be listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    term: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    engines: Option<Vec<Row<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agree: Option<bool>,
    seconds: f64,
}

/// An engine among others.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Row<'a> {
    Solved(&'a Solved),
    Not { engine: &'a str, unknown: &'a str, seconds: f64 },
}

/// What an engine came to: an answer, or why there is none and after how many seconds.
pub type Tried = (&'static str, Result<Solved, (String, f64)>);

impl Report {
    pub fn new(options: &AbstractOptions, start: Instant) -> Report {
        Report {
            file: options.file.display().to_string(),
            operation: if options.weakest { "weakest" } else { "strongest" },
            json: options.json.clone(),
            smtlib: options.smtlib,
            turn: Mutex::new(Turn { query: 1, start, ended: false }),
        }
    }

    fn document(&self, status: &'static str, exit: ExitStatus) -> Document<'_> {
        let (query, seconds) = {
            let turn = self.turn();
            (turn.query, rounded(turn.start.elapsed().as_secs_f64()))
        };
        Document {
            tamis: env!("CARGO_PKG_VERSION"),
            file: &self.file,
            query,
            operation: self.operation,
            status,
            reason: None,
            exit_code: exit as u8,
            predicates: Vec::new(),
            answer: None,
            term: None,
            engines: None,
            agree: None,
            seconds,
        }
    }

    fn write(&self, document: &Document<'_>) {
        let Some(to) = &self.json else { return };
        let written = match (serde_json::to_string(document), to) {
            (Err(e), _) => Err(std::io::Error::from(e)),
            (Ok(text), Some(file)) if document.query == 1 => std::fs::write(file, text + "\n"),
            (Ok(text), Some(file)) => {
                let file = std::fs::OpenOptions::new().append(true).create(true).open(file);
                file.and_then(|mut file| file.write_all((text + "\n").as_bytes()))
            }
            (Ok(text), None) => {
                say(&text);
                Ok(())
            }
        };
        if let (Err(e), Some(file)) = (written, to) {
            eprintln!("error: {} cannot be written: {e}", file.display());
        }
    }

    fn turn(&self) -> MutexGuard<'_, Turn> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the last word is still to be said; whoever is told so says it.
    fn claim(&self) -> bool {
        !std::mem::replace(&mut self.turn().ended, true)
    }

    /// The next query's turn.
    pub fn begin_next(&self) {
        let mut turn = self.turn();
        *turn = Turn { query: turn.query + 1, start: Instant::now(), ended: false };
    }

    /// Prints an answer.
    pub fn answered(&self, solved: &Solved, named: &[Named], formula: &str) -> ExitStatus {
        if !self.claim() {
            return ExitStatus::Unknown;
        }
        let symbol = if self.operation == "weakest" { "F_P" } else { "G_P" };
        if !matches!(self.json, Some(None)) {
            let text = match &solved.cubes {
                Some(cubes) if self.smtlib => answer::smtlib(&cubes.literals, named),
                Some(cubes) => answer::readable(&cubes.literals, named),
                None => formula.to_owned(),
            };
            say(&text);
        }
        // In one piece: every write is a call of the system.
        let mut summary = String::new();
        for step in &solved.steps {
            let _ = writeln!(
                summary,
                "{symbol} with cubes of {}: {} cubes, {} minterms, {:.3} s",
                step.size, step.cubes, step.minterms, step.seconds
            );
        }
        let listed = solved.cube_count.map_or("too many".to_owned(), |n| n.to_string());
        let winner = solved.winner.map(|name| format!(" ({name})")).unwrap_or_default();
        let _ = writeln!(
            summary,
            "{symbol}: {}, {} minterms, {listed} cubes, {} of {} predicates matter; {}{winner}, {:.3} s, {} MB",
            if solved.exact { "exact" } else { "an approximation" },
            solved.minterms,
            solved.support.len(),
            named.len(),
            solved.engine,
            solved.seconds,
            solved.megabytes,
        );
        eprint!("{summary}");
        let mut document = self.document("answered", ExitStatus::True);
        document.predicates = named.iter().map(|p| &*p.text).collect();
        document.answer = Some(solved);
        document.term = solved.cubes.is_none().then_some(formula);
        self.write(&document);
        ExitStatus::True
    }

    /// Prints what all engines came to.
    pub fn compared(&self, tried: &[Tried], agree: bool, named: &[Named]) -> ExitStatus {
        if !self.claim() {
            return ExitStatus::Unknown;
        }
        let answered = tried.iter().any(|(_, result)| result.is_ok());
        let status = match (agree, answered) {
            (false, _) => ExitStatus::Internal,
            (true, true) => ExitStatus::True,
            (true, false) => ExitStatus::Unknown,
        };
        if !matches!(self.json, Some(None)) {
            say(&table(tried));
            say(if agree { "the engines agree" } else { "THE ENGINES DISAGREE" });
        }
        let row = |(engine, result): &'_ Tried| match result {
            Ok(_) => None,
            Err((why, seconds)) => Some((*engine, why.clone(), *seconds)),
        };
        let failed: Vec<_> = tried.iter().map(row).collect();
        let rows = tried.iter().zip(&failed).map(|((_, result), failed)| match (result, failed) {
            (Ok(solved), _) => Row::Solved(solved),
            (Err(_), Some((engine, unknown, seconds))) => Row::Not { engine, unknown, seconds: *seconds },
            (Err((unknown, seconds)), None) => Row::Not { engine: "", unknown, seconds: *seconds },
        });
        let mut document = self.document(if answered { "answered" } else { "unknown" }, status);
        document.predicates = named.iter().map(|p| &*p.text).collect();
        document.engines = Some(rows.collect());
        document.agree = Some(agree);
        self.write(&document);
        status
    }

    fn without_answer(&self, reason: &str, word: &'static str, status: ExitStatus) -> ExitStatus {
        if self.claim() {
            let mut document = self.document(word, status);
            document.reason = Some(reason);
            self.write(&document);
        }
        status
    }

    /// No answer, for a reason.
    pub fn unknown(&self, reason: &str) -> ExitStatus {
        eprintln!("unknown: {reason}");
        self.without_answer(reason, "unknown", ExitStatus::Unknown)
    }

    /// The script cannot be read; that has been said.
    pub fn unreadable(&self, reason: &str) -> ExitStatus {
        self.without_answer(reason, "error", ExitStatus::Unreadable)
    }

    pub fn internal_error(&self, message: &str) -> ExitStatus {
        eprintln!("internal error: {message}");
        self.without_answer(message, "error", ExitStatus::Internal)
    }

    /// The end, in place of a run that does not come to it; `false` if it has.
    pub fn give_up(&self, reason: &str) -> bool {
        if self.turn().ended {
            return false;
        }
        self.unknown(reason);
        true
    }

    /// The end of the run.
    pub fn end(&self, status: ExitStatus) -> ExitStatus {
        self.claim();
        status
    }
}

/// The engines, one in a line.
fn table(tried: &[Tried]) -> String {
    let mut lines = vec![format!(
        "{:<22} {:>8} {:>12} {:>8} {:>9} {:>6}",
        "engine", "exact", "minterms", "cubes", "seconds", "MB"
    )];
    for (engine, result) in tried {
        lines.push(match result {
            Ok(solved) => format!(
                "{:<22} {:>8} {:>12} {:>8} {:>9.3} {:>6}",
                solved.winner.map_or_else(|| (*engine).to_owned(), |by| format!("{engine} ({by})")),
                if solved.exact { "yes" } else { "no" },
                solved.minterms,
                solved.cube_count.map_or("-".to_owned(), |n| n.to_string()),
                solved.seconds,
                solved.megabytes,
            ),
            Err((why, seconds)) => format!("{engine:<22} unknown after {seconds:.3} s: {why}"),
        });
    }
    lines.join("\n")
}

pub fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// A reader that has gone away has no use for it; the exit code still tells it.
fn say(text: &str) {
    println!("{text}");
}
