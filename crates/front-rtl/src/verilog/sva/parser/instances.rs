//! Instances of named properties and sequences.

use super::super::lexer::{Kind, Token};
use super::super::words::{arguments, closing};
use super::{Definition, Parsed, Parser};
use std::collections::BTreeMap;

/// The most instances of named properties in one assertion: more are a recursion.
const MAX_INSTANCES: usize = 1000;

impl Parser<'_> {
    /// Replaces an instance of a named property or sequence by what it says, in parentheses.
    pub(super) fn expand(&mut self) -> Parsed<()> {
        let start = self.next;
        let name = self.tokens[start].clone();
        self.instances += 1;
        if self.instances > MAX_INSTANCES {
            return Err(self.refused(name.at, "recursive properties are not taken"));
        }
        let Definition { formals, body } = self.definitions[&name.text].clone();
        let mut end = start + 1;
        let mut actuals: Vec<Vec<Token>> = Vec::new();
        if self.tokens.get(end).is_some_and(|t| t.text == "(") {
            let Some(close) = closing(&self.tokens, end) else {
                return Err(self.refused(name.at, "the parenthesis is not closed"));
            };
            actuals = arguments(&self.tokens[end + 1..close - 1]);
            end = close;
        }
        if self.tokens.get(end).is_some_and(|t| t.text == ".") {
            return Err(self.refused(name.at, "the end points of sequences are not taken"));
        }
        let mut given: BTreeMap<&str, Vec<Token>> = BTreeMap::new();
        for (i, actual) in actuals.into_iter().enumerate() {
            let (formal, actual) = match &actual[..] {
                [dot, formal, inner @ ..] if dot.text == "." => {
                    let inner = inner.get(1..inner.len().saturating_sub(1)).unwrap_or_default();
                    (Some(formal.text.clone()), inner.to_vec())
                }
                _ => (formals.get(i).map(|(name, _)| name.clone()), actual),
            };
            let Some((known, _)) = formals.iter().find(|(name, _)| Some(name) == formal.as_ref()) else {
                return Err(self.refused(name.at, format!("`{}` has no such argument", name.text)));
            };
            given.insert(known, actual);
        }
        for (formal, default) in &formals {
            if let (false, Some(default)) = (given.contains_key(formal.as_str()), default) {
                given.insert(formal, default.clone());
            }
            if !given.contains_key(formal.as_str()) {
                return Err(self.refused(name.at, format!("`{}` needs its argument `{formal}`", name.text)));
            }
        }
        let bracket =
            |text: &str| Token { kind: Kind::Operator, text: text.to_owned(), at: name.at, glued: false };
        let mut expanded = vec![bracket("(")];
        for token in body {
            match given.get(token.text.as_str()) {
                // What is one word needs no parentheses, and may be a clock or a number.
                Some(actual) if actual.len() == 1 => {
                    expanded.extend(actual.iter().cloned().map(|t| Token { glued: token.glued, ..t }));
                }
                Some(actual) => {
                    expanded.push(Token { glued: token.glued, ..bracket("(") });
                    expanded.extend(actual.iter().cloned());
                    expanded.push(bracket(")"));
                }
                None => expanded.push(token),
            }
        }
        expanded.push(bracket(")"));
        // What stands for an expression alone is part of the expression around it.
        self.tokens.splice(start..end, expanded);
        Ok(())
    }
}
