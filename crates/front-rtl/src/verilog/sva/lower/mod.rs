//! Assertions in a file, replaced by monitors; all else stays where it is.
//!
//! What is replaced keeps its line feeds, so that every line of the file has the number that it had. Named properties and
//! sequences, default clocks and resets go. An assertion that is a plain expression without a clock is one on every
//! step, as Yosys reads it, and stays. One that is all of an `initial` process is about the attempt from the first edge on; one
//! inside of another process is about the attempts from the edges at which the process comes to it.
//!
//! An assertion that is not taken goes too, and is told with the reason. An assumption that is not taken is an error: without
//! it there would be executions that are not meant.

mod concurrent;
mod constants;
mod declarations;
mod immediate;
mod processes;
mod statements;

use super::lexer::{Token, tokens};
use super::parser::Definitions;
use super::words::{Clock, Refusal};
pub use constants::{Probe, Values};
use processes::Process;
use std::ops::Range;

/// A file with monitors.
#[derive(Debug, Default)]
pub struct Lowered {
    /// Its text.
    pub text: String,
    /// The assertions that became monitors, and whether a clock samples them.
    pub assertions: Vec<(Named, bool)>,
    /// The assertions that did not, and why.
    pub refused: Vec<(Named, Refusal)>,
    /// How many cover statements there were, which are dropped.
    pub covers: usize,
    /// Where a clock was inferred.
    pub inferred: Vec<usize>,
    /// Whether a property has a reset that may come between two edges.
    pub resets: bool,
    /// Constants of which the values have to be asked for, in a text without these assertions.
    pub probes: Vec<Probe>,
}

/// An assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The name of its monitor.
    pub label: String,
    /// The user's label, or what it says.
    pub name: String,
    /// Where it starts, in bytes.
    pub at: usize,
}

/// What holds for the assertions of a module if they do not say it.
#[derive(Clone, Default)]
struct Defaults {
    clock: Option<Clock>,
    disable: Option<String>,
    definitions: Definitions,
    /// The clock of all processes of the module.
    inferred: Option<Clock>,
}

/// How a file is lowered.
#[derive(Clone, Copy)]
pub struct Manner<'a> {
    /// What names of monitors start with.
    pub prefix: &'a str,
    /// Whether resets of properties may come between two edges.
    pub asynchronous: bool,
    /// The values of constants, if they have been asked for.
    pub values: Option<&'a Values>,
}

/// Replaces the assertions of a file; none if there is nothing to replace.
///
/// # Errors
/// What is not taken, with its place.
pub fn lower(text: &str, manner: Manner) -> Result<Option<Lowered>, Refusal> {
    let tokens = tokens(text);
    let lowered = Lowered::default();
    let mut file = File { text, tokens: &tokens, manner, edits: Vec::new(), met: 0, generated: 0, lowered };
    let modules = modules(&tokens);
    let mut outside = Defaults::default();
    let mut start = 0;
    for module in modules.iter().cloned().chain(std::iter::once(tokens.len()..tokens.len())) {
        file.declarations(start..module.start, &mut outside)?;
        start = module.end;
    }
    for module in modules {
        let mut defaults = outside.clone();
        file.declarations(module.clone(), &mut defaults)?;
        defaults.inferred = file.only_clock(module.clone());
        file.assertions(module, &defaults)?;
    }
    if file.edits.is_empty() {
        return Ok(None);
    }
    file.edited().map(Some)
}

/// The words of each module, its ends included.
fn modules(tokens: &[Token]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    for (i, token) in tokens.iter().enumerate() {
        match (token.text.as_str(), start) {
            ("module" | "macromodule" | "interface" | "program" | "checker", None) => start = Some(i),
            ("endmodule" | "endinterface" | "endprogram" | "endchecker", Some(from)) => {
                found.push(from..i + 1);
                start = None;
            }
            _ => {}
        }
    }
    found.extend(start.map(|from| from..tokens.len()));
    found
}

struct File<'a> {
    text: &'a str,
    tokens: &'a [Token],
    manner: Manner<'a>,
    /// Parts of the text, in bytes, and what stands there instead.
    edits: Vec<(Range<usize>, String)>,
    /// How many concurrent assertions were met.
    met: usize,
    /// The end of the loop of `generate` around, or of the last one.
    generated: usize,
    lowered: Lowered,
}

impl File<'_> {
    fn word(&self, i: usize) -> &str {
        self.tokens.get(i).map_or("", |t| t.text.as_str())
    }

    fn at(&self, i: usize) -> usize {
        self.tokens.get(i).map_or(self.text.len(), |t| t.at)
    }

    fn refused<T>(&self, i: usize, message: &str) -> Result<T, Refusal> {
        Err(Refusal { at: self.at(i), message: message.to_owned() })
    }

    /// Puts text in the place of words.
    fn replace(&mut self, words: Range<usize>, by: String) {
        let Some(last) = self.tokens.get(words.end.wrapping_sub(1)) else { return };
        self.edits.push((self.at(words.start)..last.at + last.text.len(), by));
    }

    /// Puts text before a word.
    fn insert(&mut self, word: usize, text: String) {
        self.edits.push((self.at(word)..self.at(word), text));
    }

    /// Puts text behind the last of some words.
    fn append(&mut self, end: usize, text: String) {
        let Some(last) = self.tokens.get(end.wrapping_sub(1)) else { return };
        let behind = last.at + last.text.len();
        self.edits.push((behind..behind, text));
    }

    /// The file with its edits.
    fn edited(mut self) -> Result<Lowered, Refusal> {
        // What is inserted stands before what is replaced.
        self.edits.sort_by_key(|(range, _)| (range.start, range.end));
        let mut at = 0;
        for (range, by) in self.edits {
            let old = &self.text[range.clone()];
            if range.start < at {
                let message = "this is not understood inside of an assertion".to_owned();
                return Err(Refusal { at: range.start, message });
            }
            self.lowered.text += &self.text[at..range.start];
            self.lowered.text += &by;
            // Lines stay lines, and what follows a word that goes stays in its column.
            let lines = old.matches('\n').count();
            let blanks = if lines == 0 { old.len().saturating_sub(by.len()) } else { 0 };
            self.lowered
                .text
                .extend(std::iter::repeat_n('\n', lines).chain(std::iter::repeat_n(' ', blanks)));
            at = range.end;
        }
        self.lowered.text += &self.text[at..];
        Ok(self.lowered)
    }

    /// The next word with this text, or the end.
    fn find(&self, from: usize, text: &str) -> usize {
        (from..self.tokens.len()).find(|&i| self.word(i) == text).unwrap_or(self.tokens.len())
    }

    /// Replaces the assertions of a module.
    fn assertions(&mut self, module: Range<usize>, defaults: &Defaults) -> Result<(), Refusal> {
        let mut i = module.start;
        // The process or function around, with those that were before.
        let mut process = Process::none(module.start);
        while i < module.end {
            let outside = i >= process.end;
            match self.word(i) {
                "for" if outside => self.generated = self.generated.max(self.statement(i, module.end)),
                // `initial` with an assertion and nothing else: one attempt.
                "initial" if outside && self.is_assertion(i + 1) => {
                    let start = if self.word(i + 2) == ":" { i + 3 } else { i + 1 };
                    i = self.concurrent(start, module.end, Place::Initial(i), defaults)?;
                    continue;
                }
                "always" if outside && self.is_named_immediate(i + 1) => {
                    self.replace(i..i + 1, String::new());
                    self.immediate(i + 1, module.end, false);
                    i += 2;
                    continue;
                }
                "always" | "always_comb" | "always_ff" | "always_latch" | "initial" | "final" if outside => {
                    self.finish(process);
                    process = self.process(i, module.end);
                    self.bare_event(i + 1);
                }
                "function" if outside => {
                    self.finish(process);
                    process = Process::none(self.find(i, "endfunction"));
                }
                "task" if outside => {
                    self.finish(process);
                    process = Process::none(self.find(i, "endtask"));
                }
                "assert" | "assume" | "cover" | "restrict"
                    if ["property", "sequence"].contains(&self.word(i + 1)) =>
                {
                    let place = if outside { Place::Module } else { Place::Process(&mut process) };
                    i = self.concurrent(i, module.end, place, defaults)?;
                    continue;
                }
                "assert" | "assume" | "cover" => {
                    if i < self.generated {
                        self.unlabelled(i);
                    }
                    self.immediate(i, module.end, !outside);
                }
                _ => {}
            }
            i += 1;
        }
        self.finish(process);
        Ok(())
    }

    /// Whether a concurrent assertion starts here, perhaps with a label.
    fn is_assertion(&self, start: usize) -> bool {
        let start = if self.word(start + 1) == ":" { start + 2 } else { start };
        ["assert", "assume", "cover", "restrict"].contains(&self.word(start))
            && self.word(start + 1) == "property"
    }
}

/// Where an assertion stands.
enum Place<'a> {
    /// Beside processes.
    Module,
    /// It is all of the `initial` process with this word.
    Initial(usize),
    /// In a process.
    Process(&'a mut Process),
}
