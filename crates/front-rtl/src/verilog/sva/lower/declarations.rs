//! Named properties and sequences, default clocks and resets.

use super::super::lexer::{Kind, join};
use super::super::parser::Definition;
use super::super::words::{Clock, Refusal, arguments, clock_event, closing};
use super::{Defaults, File};
use std::ops::Range;

impl File<'_> {
    /// Takes named properties, default clocks and resets out of a part of the file.
    pub(super) fn declarations(&mut self, words: Range<usize>, into: &mut Defaults) -> Result<(), Refusal> {
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
        let has_case = body.iter().any(|t| t.text == "endcase");
        if let Some(token) = body.iter().find(|t| t.text == ";" && !has_case) {
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

    /// The clock of a module's processes, if they all have the same.
    pub(super) fn only_clock(&self, module: Range<usize>) -> Option<Clock> {
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
}
