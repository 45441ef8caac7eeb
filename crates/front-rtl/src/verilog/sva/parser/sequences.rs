//! Sequences (IEEE 1800-2017, 16.7 to 16.11) and the expressions in them.
//!
//! Expressions of Verilog are not parsed: they are the words between operators of properties. A parenthesis opens a sequence or a
//! property if there is such an operator in it, and is part of an expression otherwise.

use super::super::expression::expression_text;
use super::super::lexer::Kind;
use super::super::sequence::{Leaf, Sequence};
use super::super::words::{arguments, closing, is_operator};
use super::{Node, Parsed, Parser, is_expression, node};

impl Parser<'_> {
    pub(super) fn intersect(&mut self) -> Parsed<Node> {
        let mut left = self.within()?;
        while self.is("intersect") {
            let here = self.at();
            self.next += 1;
            let right = self.within()?;
            if left.unbounded && right.unbounded {
                return Err(self.refused(here, "`intersect` is taken where one side is bounded"));
            }
            let at = left.at;
            let sequence = self.sequence_of(left)?.intersect(self.sequence_of(right)?);
            left = node(at, sequence);
        }
        Ok(left)
    }

    fn within(&mut self) -> Parsed<Node> {
        let mut left = self.throughout()?;
        while self.is("within") {
            let here = self.at();
            self.next += 1;
            let right = self.throughout()?;
            if right.unbounded {
                return Err(self.refused(here, "`within` is taken where its right side is bounded"));
            }
            let at = left.at;
            let any = || Sequence::Any.repeat(0, None);
            let inner = any().concat(self.sequence_of(left)?).concat(any());
            left = node(at, inner.intersect(self.sequence_of(right)?));
        }
        Ok(left)
    }

    fn throughout(&mut self) -> Parsed<Node> {
        let left = self.delays()?;
        if !self.is("throughout") {
            return Ok(left);
        }
        let here = self.at();
        self.next += 1;
        let at = left.at;
        let condition = match self.sequence_of(left)? {
            letter @ (Sequence::Cycle(..) | Sequence::Any | Sequence::Never) => letter,
            _ => return Err(self.refused(here, "before `throughout` stands an expression")),
        };
        let right = self.throughout()?;
        let right = self.sequence_of(right)?;
        Ok(node(at, condition.repeat(0, None).intersect(right)))
    }

    /// `a ##1 b`, `##[1:3] b`.
    fn delays(&mut self) -> Parsed<Node> {
        let at = self.at();
        // `##n b` is `1 ##n b`.
        let mut whole = Sequence::Any;
        if !self.is("##") {
            let first = self.repetition()?;
            if !self.is("##") {
                return Ok(first);
            }
            whole = self.sequence_of(first)?;
        }
        while self.take("##") {
            let (least, most) = self.delay()?;
            let right = self.repetition()?;
            let right = self.sequence_of(right)?;
            let between = |least, most: Option<u32>| Sequence::Any.repeat(least, most.map(|n| n - 1));
            whole = match (least, most) {
                (0, Some(0)) => whole.fusion(right),
                (0, most) => {
                    let at_once = whole.clone().fusion(right.clone());
                    Sequence::any_of([at_once, whole.concat(between(0, most)).concat(right)])
                }
                (least, most) => whole.concat(between(least - 1, most)).concat(right),
            };
        }
        Ok(node(at, whole))
    }

    /// `s[*n]`, `e[->n]`, `e[=n]`.
    fn repetition(&mut self) -> Parsed<Node> {
        let mut repeated = self.primary()?;
        while let Some(symbol) = self.peek().map(|t| t.text.clone()) {
            if !["[*", "[->", "[="].contains(&symbol.as_str()) {
                break;
            }
            self.next += 1;
            let (here, at) = (self.at(), repeated.at);
            let (least, most) = if symbol == "[*" && self.take("]") { (0, None) } else { self.bounds()? };
            let sequence = self.sequence_of(repeated)?;
            let sequence = match (symbol.as_str(), sequence) {
                ("[*", sequence) => sequence.repeat(least, most),
                (_, Sequence::Cycle(leaf, value)) => {
                    let until = Sequence::Cycle(leaf, !value).repeat(0, None);
                    let found = until.clone().concat(Sequence::Cycle(leaf, value)).repeat(least, most);
                    if symbol == "[=" { found.concat(until) } else { found }
                }
                _ => {
                    return Err(
                        self.refused(here, format!("`{symbol}` is for expressions that are no constants"))
                    );
                }
            };
            repeated = node(at, sequence);
        }
        Ok(repeated)
    }

    fn primary(&mut self) -> Parsed<Node> {
        let at = self.at();
        let Some(token) = self.peek().cloned() else {
            return Err(self.refused(at, "a property ends where an expression is expected"));
        };
        if token.text == "@" {
            self.head()?;
            return self.primary();
        }
        if token.text == "first_match" {
            self.next += 1;
            self.expect("(")?;
            let inner = self.or()?;
            self.expect(")")?;
            return Ok(node(at, self.sequence_of(inner)?.first_match()));
        }
        if token.kind == Kind::Name && self.definitions.contains_key(&token.text) {
            self.expand()?;
            return self.primary();
        }
        if token.text == "(" {
            let Some(close) = closing(&self.tokens, self.next) else {
                return Err(self.refused(at, "the parenthesis is not closed"));
            };
            let inside = &self.tokens[self.next + 1..close - 1];
            let after = self.tokens.get(close);
            let ends =
                after.is_none_or(|t| is_operator(t) || [")", ";", ",", "else"].contains(&t.text.as_str()));
            if !is_expression(inside, self.definitions) && ends {
                self.next += 1;
                self.head()?;
                let node = self.implication()?;
                if self.is(",") {
                    return Err(self.refused(self.at(), "local variables of sequences are not taken"));
                }
                self.expect(")")?;
                return Ok(node);
            }
        }
        self.expression()
    }

    /// The words up to the next operator.
    fn expression(&mut self) -> Parsed<Node> {
        let (at, start) = (self.at(), self.next);
        let mut i = start;
        while let Some(token) = self.tokens.get(i) {
            match token.text.as_str() {
                ")" | "," | ";" | "else" | "endcase" => break,
                "@" => return Err(self.refused(token.at, "an event is not taken inside an expression")),
                "(" | "[" | "{" => {
                    let Some(close) = closing(&self.tokens, i) else {
                        return Err(self.refused(token.at, "the bracket is not closed"));
                    };
                    if i == start && token.text == "(" && arguments(&self.tokens[i + 1..close - 1]).len() > 1
                    {
                        return Err(self.refused(token.at, "local variables of sequences are not taken"));
                    }
                    if let Some(inner) = self.tokens[i + 1..close - 1].iter().find(|t| is_operator(t)) {
                        let message = format!("`{}` stands inside an expression", inner.text);
                        return Err(self.refused(inner.at, message));
                    }
                    i = close;
                }
                _ if is_operator(token) => break,
                _ => i += 1,
            }
        }
        if i == start {
            return Err(self.refused(at, "an expression is expected here"));
        }
        self.next = i;
        let sequence = match expression_text(&self.tokens[start..i]).as_str() {
            "1" | "1'b1" => Sequence::Any,
            "0" | "1'b0" => Sequence::Never,
            text => Sequence::Cycle(self.leaf_of(text.to_owned()), true),
        };
        Ok(node(at, sequence))
    }

    /// The number of an expression.
    pub(super) fn leaf_of(&mut self, text: String) -> Leaf {
        if let Some(known) = self.leaves.iter().position(|l| *l == text) {
            return known;
        }
        self.leaves.push(text);
        self.leaves.len() - 1
    }
}
