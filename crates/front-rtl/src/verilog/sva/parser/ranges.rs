//! Delays and ranges.
//!
//! A constant that is no literal number, such as a parameter, has a value for each instance of the module. Its text is
//! kept; the values come from outside, in the order in which the texts are met. Where they are not known yet, 1 stands in.

use super::super::lexer::{Kind, join};
use super::super::words::{closing, closing_bracket};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// `3`, `[1:3]`, `[1:$]`, `[*]`, `[+]`.
    pub(super) fn delay(&mut self) -> Parsed<(u32, Option<u32>)> {
        if self.take("[*") {
            self.expect("]")?;
            return Ok((0, None));
        }
        if !self.take("[") {
            let count = self.primary_constant()?;
            return Ok((count, Some(count)));
        }
        if self.take("+") {
            self.expect("]")?;
            return Ok((1, None));
        }
        self.bounds()
    }

    /// `m:n]`, `m:$]`, `n]`.
    pub(super) fn bounds(&mut self) -> Parsed<(u32, Option<u32>)> {
        let at = self.at();
        let least = self.constant(&[":", "]"])?;
        let most = if !self.take(":") {
            Some(least)
        } else if self.take("$") {
            None
        } else {
            Some(self.constant(&["]"])?.max(if self.is_probing() { least } else { 0 }))
        };
        self.expect("]")?;
        if most.is_some_and(|most| most < least) && !self.is_probing() {
            return Err(self.refused(at, "the range is empty"));
        }
        Ok((least, most))
    }

    /// Whether values of constants are not known yet.
    fn is_probing(&self) -> bool {
        self.values.is_none() && !self.constants.is_empty()
    }

    /// A number, a name or an expression in parentheses.
    fn primary_constant(&mut self) -> Parsed<u32> {
        let start = self.next;
        let is_name = self.peek().is_some_and(|t| t.kind == Kind::Name);
        self.next = match self.peek() {
            Some(token) if token.text == "(" => closing(&self.tokens, start).unwrap_or(start),
            Some(token) if token.kind != Kind::Operator => start + 1,
            _ => start,
        };
        while is_name && (self.is("::") || self.is(".")) {
            self.next += 2;
        }
        self.value(start)
    }

    /// An expression up to one of some words.
    pub(super) fn constant(&mut self, until: &[&str]) -> Parsed<u32> {
        let start = self.next;
        while self.peek().is_some_and(|t| !until.contains(&t.text.as_str()) && t.text != ";") {
            self.next = closing_bracket(&self.tokens, self.next).unwrap_or(self.next + 1);
        }
        self.value(start)
    }

    /// The value of the words from here on.
    fn value(&mut self, start: usize) -> Parsed<u32> {
        let words = &self.tokens[start..self.next.min(self.tokens.len())];
        let [first, ..] = words else {
            return Err(self.refused(self.at(), "a number is expected here"));
        };
        if let [one] = words
            && let Ok(number) = one.text.replace('_', "").parse()
        {
            return Ok(number);
        }
        if words.iter().any(|t| t.text.starts_with('"') || t.text == "=") {
            return Err(self.refused(first.at, "a number is expected here"));
        }
        let value = self.values.map_or(Some(1), |values| values.get(self.constants.len()).copied());
        self.constants.push(join(words));
        value.ok_or_else(|| self.refused(first.at, "the value of this constant is not known"))
    }
}
