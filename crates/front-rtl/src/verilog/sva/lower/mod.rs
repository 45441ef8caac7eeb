//! Assertions in a file, replaced by monitors; all else stays where it is.
//!
//! What is replaced keeps its line feeds, so that every line of the file has the number that it had. Named properties and
//! sequences, default clocks and resets go. An assertion that is a plain expression without a clock is one on every
//! step, as Yosys reads it, and stays; so do assertions inside of processes. One that is all of an `initial` process is about the
//! attempt from the first edge on.

use super::automaton::{Automaton, MAX_LEAVES, MAX_STATES};
use super::lexer::{Kind, Token, join, tokens};
use super::monitor::{Monitor, is_sampled};
use super::parser::{
    Clock, Definition, Definitions, Refusal, arguments, assertion, clock_event, closing, is_expression,
};
use std::ops::Range;

/// A file with monitors.
#[derive(Debug)]
pub struct Lowered {
    /// Its text.
    pub text: String,
    /// The assertions that became monitors.
    pub assertions: Vec<Named>,
    /// How many cover statements there were, which are dropped.
    pub covers: usize,
    /// Where a clock was inferred.
    pub inferred: Vec<usize>,
    /// Whether a property has a reset that may come between two edges.
    pub resets: bool,
}

/// An assertion that became a monitor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The label of its monitor.
    pub label: String,
    /// The user's label, or what it says.
    pub name: String,
    /// Where it starts, in bytes.
    pub at: usize,
}

/// When attempts of an assertion start.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempts {
    /// With each edge.
    All,
    /// With the first edge, for an assertion that is all of the `initial` process with this word.
    First(usize),
    /// When a process comes to it.
    InProcess,
}

/// What holds for the assertions of a module if they do not say it.
#[derive(Clone, Default)]
struct Defaults {
    clock: Option<Clock>,
    disable: Option<String>,
    definitions: Definitions,
}

/// Replaces the assertions of a file. Names of monitors start with `prefix`. With `asynchronous`, resets of properties may
/// come between two edges.
///
/// # Errors
/// What is not taken, with its place.
pub fn lower(text: &str, prefix: &str, asynchronous: bool) -> Result<Option<Lowered>, Refusal> {
    let tokens = tokens(text);
    let lowered = Lowered {
        text: String::new(),
        assertions: Vec::new(),
        covers: 0,
        inferred: Vec::new(),
        resets: false,
    };
    let mut file = File { text, tokens: &tokens, prefix, asynchronous, edits: Vec::new(), lowered };
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
        file.assertions(module, &defaults)?;
    }
    if file.edits.is_empty() {
        return Ok(None);
    }
    Ok(Some(file.edited()))
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
    prefix: &'a str,
    asynchronous: bool,
    /// Parts of the text, in bytes, and what stands there instead.
    edits: Vec<(Range<usize>, String)>,
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

    /// The file with its edits.
    fn edited(mut self) -> Lowered {
        self.edits.sort_by_key(|(range, _)| range.start);
        let mut at = 0;
        for (range, by) in self.edits {
            let old = &self.text[range.clone()];
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
        self.lowered
    }

    /// Takes named properties, default clocks and resets out of a part of the file.
    fn declarations(&mut self, words: Range<usize>, into: &mut Defaults) -> Result<(), Refusal> {
        let mut i = words.start;
        while i < words.end {
            let before = if i > 0 { self.word(i - 1) } else { "" };
            let end = match self.word(i) {
                "property" if !["assert", "assume", "cover", "restrict", "expect"].contains(&before) => {
                    self.definition(i, "endproperty", into)?
                }
                "sequence" if before != "cover" => self.definition(i, "endsequence", into)?,
                "clocking" if before == "default" => self.default_clock(i, into)?,
                "disable" if before == "default" => {
                    let end = self.find(i, ";");
                    into.disable = Some(join(&self.tokens[(i + 2).min(end)..end]));
                    self.replace(i - 1..end + 1, String::new());
                    end + 1
                }
                _ => i + 1,
            };
            i = end;
        }
        Ok(())
    }

    /// The next word with this text, or the end.
    fn find(&self, from: usize, text: &str) -> usize {
        (from..self.tokens.len()).find(|&i| self.word(i) == text).unwrap_or(self.tokens.len())
    }

    /// `property name (arguments); … endproperty : name`.
    fn definition(&mut self, start: usize, end_word: &str, into: &mut Defaults) -> Result<usize, Refusal> {
        let name = self.word(start + 1).to_owned();
        let end = self.find(start, end_word);
        if end == self.tokens.len() {
            return self.refused(start, "it has no end");
        }
        let mut i = start + 2;
        let mut formals = Vec::new();
        if self.word(i) == "(" {
            let Some(close) = closing(self.tokens, i) else { return self.refused(i, "it is not closed") };
            for argument in arguments(&self.tokens[i + 1..close - 1]) {
                let equals = argument.iter().position(|t| t.text == "=");
                let (declared, default) = argument.split_at(equals.unwrap_or(argument.len()));
                // The name is the last word of its declaration, behind a type.
                let Some(name) = declared.iter().rev().find(|t| t.kind == Kind::Name) else {
                    return self.refused(i, "an argument has no name");
                };
                formals.push((name.text.clone(), equals.map(|_| default[1..].to_vec())));
            }
            i = close;
        }
        if self.word(i) != ";" {
            return self.refused(i, "`;` is expected behind the name");
        }
        let mut body = self.tokens[i + 1..end].to_vec();
        if body.last().is_some_and(|t| t.text == ";") {
            body.pop();
        }
        if let Some(token) = body.iter().find(|t| t.text == ";") {
            let message = "local variables of properties and sequences are not taken".to_owned();
            return Err(Refusal { at: token.at, message });
        }
        if into.definitions.insert(name, Definition { formals, body }).is_some() {
            return self.refused(start + 1, "there are two definitions of this name");
        }
        let labelled = self.word(end + 1) == ":";
        let end = end + if labelled { 3 } else { 1 };
        self.replace(start..end, String::new());
        Ok(end)
    }

    /// `default clocking name @(posedge clk); … endclocking : name`.
    fn default_clock(&mut self, clocking: usize, into: &mut Defaults) -> Result<usize, Refusal> {
        let mut i = clocking + 1;
        if self.word(i) != "@" {
            i += 1;
        }
        let mut next = i + 1;
        let clock = if self.word(i) == "@" { clock_event(self.tokens, &mut next) } else { None };
        let Some(clock) = clock else {
            return self
                .refused(clocking, "a default clock is `default clocking @(posedge name); endclocking`");
        };
        into.clock = Some(clock);
        let end = self.find(clocking, "endclocking");
        let end = end + if self.word(end + 1) == ":" { 3 } else { 1 };
        let end = end.min(self.tokens.len());
        self.replace(clocking - 1..end, String::new());
        Ok(end)
    }

    /// Replaces the assertions of a module.
    fn assertions(&mut self, module: Range<usize>, defaults: &Defaults) -> Result<(), Refusal> {
        let inferred = self.only_clock(module.clone());
        let mut i = module.start;
        // The end of the process or function around.
        let mut process = module.start;
        while i < module.end {
            match self.word(i) {
                // `initial` with an assertion and nothing else: one attempt.
                "initial" if i >= process && self.is_assertion(i + 1) => {
                    let start = if self.word(i + 2) == ":" { i + 3 } else { i + 1 };
                    i =
                        self.concurrent(start, module.end, Attempts::First(i), defaults, inferred.as_ref())?;
                    process = i;
                    continue;
                }
                "always" | "always_comb" | "always_ff" | "always_latch" | "initial" | "final"
                    if i >= process =>
                {
                    process = self.statement(i + 1, module.end);
                }
                "function" if i >= process => process = self.find(i, "endfunction"),
                "task" if i >= process => process = self.find(i, "endtask"),
                "assert" | "assume" | "cover" | "restrict"
                    if ["property", "sequence"].contains(&self.word(i + 1)) =>
                {
                    let attempts = if i < process { Attempts::InProcess } else { Attempts::All };
                    i = self.concurrent(i, module.end, attempts, defaults, inferred.as_ref())?;
                    continue;
                }
                "assert" | "assume" | "cover" => self.immediate(i, module.end, i < process),
                _ => {}
            }
            i += 1;
        }
        Ok(())
    }

    /// Whether a concurrent assertion starts here, perhaps with a label.
    fn is_assertion(&self, start: usize) -> bool {
        let start = if self.word(start + 1) == ":" { start + 2 } else { start };
        ["assert", "assume", "cover", "restrict"].contains(&self.word(start))
            && self.word(start + 1) == "property"
    }

    /// An immediate assertion loses what Yosys does not read and has no meaning here: `final`, `#0`, messages. Outside of
    /// a process it is one on every step, which Yosys calls a property.
    fn immediate(&mut self, start: usize, limit: usize, in_process: bool) {
        let mut i = start + 1;
        let deferred = match (self.word(i), self.word(i + 1)) {
            ("final", _) => 1,
            ("#", "0") => 2,
            _ => 0,
        };
        if self.word(i + deferred) != "(" {
            return;
        }
        let property = if in_process { String::new() } else { "property".to_owned() };
        if deferred > 0 {
            self.replace(i..i + deferred, property);
            i += deferred;
        } else if !in_process {
            let behind = self.at(start) + self.word(start).len();
            self.edits.push((behind..behind, format!(" {property}")));
        }
        let Some(close) = closing(self.tokens, i) else { return };
        if self.word(close) == "else" && self.word(close + 1).starts_with('$') {
            let end = self.statement(close + 1, limit);
            self.replace(close..end, ";".to_owned());
        }
    }

    /// One `assert property (…) …;`. Returns where it ends.
    fn concurrent(
        &mut self,
        start: usize,
        limit: usize,
        attempts: Attempts,
        defaults: &Defaults,
        inferred: Option<&Clock>,
    ) -> Result<usize, Refusal> {
        let open = start + 2;
        let Some(close) = (self.word(open) == "(").then(|| closing(self.tokens, open)).flatten() else {
            return self.refused(open, "a parenthesis is expected, and one that closes it");
        };
        let inside = &self.tokens[open + 1..close - 1];
        let mut end = close;
        if self.word(end) != "else" {
            end = self.statement(end, limit);
        }
        if self.word(end) == "else" {
            end = self.statement(end + 1, limit);
        }
        let plain = is_expression(inside, &defaults.definitions);
        let labelled = start >= 2 && self.word(start - 1) == ":" && self.tokens[start - 2].kind == Kind::Name;
        if attempts == Attempts::InProcess {
            if !plain {
                return self.refused(start, "an assertion with sequences is not taken inside of a process");
            }
            return Ok(end);
        }
        let kind = if self.word(start) == "assert" { "assert" } else { "assume" };
        let once = matches!(attempts, Attempts::First(_));
        let whole = match attempts {
            Attempts::First(initial) => initial..end,
            _ if labelled => start - 2..end,
            _ => start..end,
        };
        if self.word(start) == "cover" {
            self.lowered.covers += 1;
            self.replace(whole, String::new());
            return Ok(end);
        }
        let sampled = inside.iter().any(|t| is_sampled(&t.text));
        if plain && !sampled && !once && defaults.clock.is_none() {
            if self.word(close) != ";" {
                self.replace(close..end, ";".to_owned());
            }
            return Ok(end);
        }
        let parsed = assertion(inside, &defaults.definitions, self.at(close - 1))?;
        let clock = match (parsed.clock, &defaults.clock, inferred) {
            (Some(clock), ..) => clock,
            (None, Some(clock), _) => clock.clone(),
            (None, None, Some(clock)) => {
                self.lowered.inferred.push(self.at(start));
                clock.clone()
            }
            _ => {
                return self.refused(
                    start,
                    "the assertion has no clock: write `@(posedge name)` before the property",
                );
            }
        };
        let automaton = Automaton::new(parsed.property).map_err(|_| Refusal {
            at: self.at(start),
            message: format!(
                "the property is too large: it has more than {MAX_STATES} states, or decides by more than {MAX_LEAVES} \
                 expressions in one cycle"
            ),
        })?;
        let disable = parsed.disable.as_ref().or(defaults.disable.as_ref());
        self.lowered.resets |= disable.is_some();
        let label = format!("{}_{}", self.prefix, self.lowered.assertions.len());
        let leaves: Vec<String> = parsed.leaves.iter().map(|l| l.replace("$sampled", "")).collect();
        let monitor = Monitor {
            name: &label,
            kind,
            clock: &clock,
            disable: disable.map(String::as_str),
            leaves: &leaves,
            automaton: &automaton,
            asynchronous: self.asynchronous,
            once,
        };
        let text = monitor.verilog();
        let name = if labelled { self.word(start - 2).to_owned() } else { join(&self.tokens[start..close]) };
        let at = self.at(whole.start);
        self.replace(whole, text);
        self.lowered.assertions.push(Named { label, name, at });
        Ok(end)
    }

    /// The clock of a module's processes, if they all have the same.
    fn only_clock(&self, module: Range<usize>) -> Option<Clock> {
        let mut only: Option<Clock> = None;
        for i in module {
            if !["always", "always_ff"].contains(&self.word(i)) || self.word(i + 1) != "@" {
                continue;
            }
            // With an asynchronous reset, the clock stands first.
            let parenthesis = usize::from(self.word(i + 2) == "(");
            let mut next = i + 2 + parenthesis;
            let Some(clock) = clock_event(self.tokens, &mut next) else { continue };
            if only.as_ref().is_some_and(|known| *known != clock) {
                return None;
            }
            only = Some(clock);
        }
        only
    }

    /// Where a statement ends that starts here.
    fn statement(&self, start: usize, limit: usize) -> usize {
        if start >= limit {
            return limit;
        }
        let parenthesised = |i: usize| match self.word(i) {
            "(" => closing(self.tokens, i).unwrap_or(limit),
            _ => i + 1,
        };
        match self.word(start) {
            "@" | "#" | "while" | "for" | "repeat" | "foreach" | "wait" => {
                self.statement(parenthesised(start + 1), limit)
            }
            "forever" | "unique" | "unique0" | "priority" => self.statement(start + 1, limit),
            "begin" => self.nested(start, limit, &["begin"], &["end"]),
            "fork" => self.nested(start, limit, &["fork"], &["join", "join_any", "join_none"]),
            "case" | "casez" | "casex" => {
                self.nested(start, limit, &["case", "casez", "casex"], &["endcase"])
            }
            "if" => {
                let end = self.statement(parenthesised(start + 1), limit);
                if self.word(end) == "else" { self.statement(end + 1, limit) } else { end }
            }
            "assert" | "assume" | "cover" | "restrict" => {
                let open = (start..limit).find(|&i| self.word(i) == "(").unwrap_or(limit);
                let close = parenthesised(open);
                let end = if self.word(close) == "else" { close } else { self.statement(close, limit) };
                if self.word(end) == "else" { self.statement(end + 1, limit) } else { end }
            }
            _ if self.word(start + 1) == ":" && self.tokens[start].kind == Kind::Name => {
                self.statement(start + 2, limit)
            }
            _ => {
                let mut i = start;
                while i < limit && self.word(i) != ";" {
                    i = if ["(", "[", "{"].contains(&self.word(i)) {
                        closing(self.tokens, i).unwrap_or(limit)
                    } else {
                        i + 1
                    };
                }
                (i + 1).min(limit)
            }
        }
    }

    /// The end of what starts with one of some words and ends with one of others, with a label if it has one.
    fn nested(&self, start: usize, limit: usize, opens: &[&str], closes: &[&str]) -> usize {
        let mut depth = 0;
        for i in start..limit {
            depth += usize::from(opens.contains(&self.word(i)));
            if closes.contains(&self.word(i)) {
                depth -= 1;
                if depth == 0 {
                    return if self.word(i + 1) == ":" { (i + 3).min(limit) } else { i + 1 };
                }
            }
        }
        limit
    }
}
