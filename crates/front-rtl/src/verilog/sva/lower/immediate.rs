//! Immediate assertions, in the form that Yosys reads.

use super::super::expression::{expression_text, has_arrows};
use super::super::lexer::Kind;
use super::super::words::closing;
use super::File;

impl File<'_> {
    /// An immediate assertion loses what Yosys does not read and has no meaning here: `final`, `#0`, messages. Outside of
    /// a process it is one on every step, which Yosys calls a property.
    pub(super) fn immediate(&mut self, start: usize, limit: usize, in_process: bool) {
        if self.is_named_immediate(start) {
            return self.named_immediate(start, limit, in_process);
        }
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
        if has_arrows(&self.tokens[i..close]) {
            self.replace(i..close, expression_text(&self.tokens[i..close]));
        }
        if self.word(close) == "else" && self.word(close + 1).starts_with('$') {
            let end = self.statement(close + 1, limit);
            self.replace(close..end, ";".to_owned());
        }
    }

    /// Takes the label from an assertion, of which Yosys would find several in a loop of `generate`.
    pub(super) fn unlabelled(&mut self, start: usize) {
        if start >= 2 && self.word(start - 1) == ":" && self.tokens[start - 2].kind == Kind::Name {
            self.replace(start - 2..start, String::new());
        }
    }

    /// Whether an assertion starts here with its label in the middle, `assert name: e;`, as VIS and older tools have it.
    pub(super) fn is_named_immediate(&self, start: usize) -> bool {
        ["assert", "assume"].contains(&self.word(start))
            && self.tokens.get(start + 1).is_some_and(|t| t.kind == Kind::Name)
            && self.word(start + 2) == ":"
    }

    fn named_immediate(&mut self, start: usize, limit: usize, in_process: bool) {
        let end = self.statement(start + 3, limit);
        let expression = expression_text(&self.tokens[start + 3..end.saturating_sub(1).max(start + 3)]);
        let (kind, label) = (self.word(start).to_owned(), self.word(start + 1).to_owned());
        let property = if in_process { "" } else { " property" };
        self.replace(start..end, format!("{label}: {kind}{property} ({expression});"));
    }
}
