//! Struct bodies and their members, found in the tokens of a file.

use rucc_base::Interner;
use rucc_lex::{PpToken, PpTokenKind, Punct};
use std::ops::Range;

/// The tokens of a file.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) tokens: &'a [PpToken],
    pub(super) names: &'a Interner,
}

/// The body of a struct or union: its keyword and its braces.
#[derive(Clone, Copy)]
pub(super) struct Body {
    pub(super) keyword: usize,
    pub(super) open: usize,
    pub(super) close: usize,
}

impl Text<'_> {
    pub(super) fn word(&self, index: usize) -> &str {
        match self.tokens.get(index) {
            Some(PpToken { kind: PpTokenKind::Ident, value: Some(name), .. }) => self.names.resolve(*name),
            _ => "",
        }
    }

    pub(super) fn is(&self, index: usize, punct: Punct) -> bool {
        self.tokens.get(index).is_some_and(|t| t.kind == PpTokenKind::Punct(punct))
    }

    /// The bracket that closes the one at an index, or the end of the text.
    pub(super) fn closing(&self, open: usize) -> usize {
        let mut depth = 0usize;
        for (index, token) in self.tokens.iter().enumerate().skip(open) {
            match token.kind {
                PpTokenKind::Punct(Punct::LBrace | Punct::LParen | Punct::LBracket) => depth += 1,
                PpTokenKind::Punct(Punct::RBrace | Punct::RParen | Punct::RBracket) => {
                    depth = depth.saturating_sub(1);
                }
                _ => {}
            }
            if depth == 0 {
                return index;
            }
        }
        self.tokens.len()
    }

    /// The index after attributes.
    pub(super) fn after_attributes(&self, mut index: usize) -> usize {
        while matches!(self.word(index), "__attribute__" | "__attribute") && self.is(index + 1, Punct::LParen)
        {
            index = self.closing(index + 1) + 1;
        }
        index
    }

    /// The brace that opens the body after `struct`, `union` or `enum`, if one follows.
    pub(super) fn body(&self, after: usize) -> Option<usize> {
        let mut index = self.after_attributes(after);
        if !self.word(index).is_empty() {
            index = self.after_attributes(index + 1);
        }
        self.is(index, Punct::LBrace).then_some(index)
    }

    /// The indices of the keywords `struct` and `union` that a body follows, with the body's braces. Bodies nest: each is
    /// met when its keyword comes.
    pub(super) fn bodies(self) -> impl Iterator<Item = Body> {
        (0..self.tokens.len()).filter(move |&i| matches!(self.word(i), "struct" | "union")).filter_map(
            move |keyword| {
                let open = self.body(keyword + 1)?;
                Some(Body { keyword, open, close: self.closing(open) })
            },
        )
    }

    /// The members of a body, each without its semicolon.
    pub(super) fn members(self, body: Body) -> impl Iterator<Item = Range<usize>> {
        let mut first = body.open + 1;
        std::iter::from_fn(move || {
            let member = first..self.skipping(first..body.close, Punct::Semi).unwrap_or(body.close);
            first = member.end + 1;
            (member.start < body.close).then_some(member)
        })
    }

    /// The first colon of a bit-field among the tokens of a member.
    pub(super) fn colon(self, among: Range<usize>) -> Option<usize> {
        self.skipping(among, Punct::Colon)
    }

    /// The first such token that is in no brackets.
    fn skipping(self, among: Range<usize>, wanted: Punct) -> Option<usize> {
        self.outside(among).find(|&index| self.is(index, wanted))
    }

    /// The indices of tokens that are in no brackets.
    pub(super) fn outside(self, among: Range<usize>) -> impl Iterator<Item = usize> {
        let mut next = among.start;
        std::iter::from_fn(move || {
            let index = next;
            let opens = [Punct::LBrace, Punct::LParen, Punct::LBracket].iter().any(|&p| self.is(index, p));
            next = if opens { self.closing(index) + 1 } else { index + 1 };
            (index < among.end).then_some(index)
        })
    }
}
