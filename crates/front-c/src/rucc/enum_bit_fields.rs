//! Bit-fields of enumeration types.
//!
//! A bit-field promotes by its width: to `int`, if that holds all its values. gcc does so whether it is declared with an
//! integer type or an enumeration, which `rucc` promotes by its type alone. So a file that has such bit-fields is typed
//! again with each of them declared with the integer type that represents the enumeration. As that cannot be named in C,
//! it is asked for: a `_Generic` selection with an association for each integer type finds it, and leaves an integer
//! type as it is.

use super::inserted;
use rucc_base::Interner;
use rucc_lex::{PpToken, PpTokenKind, Punct};
use rucc_types::{TypeKind, Types};

/// The integer types.
const INTEGERS: [&str; 14] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "__int128",
    "unsigned __int128",
];

/// Whether a bit-field has an enumeration type.
pub(super) fn has_any(types: &Types) -> bool {
    let is_enum = |ty| matches!(types.kind(types.canonical(ty)), TypeKind::Enum(_));
    types.records().any(|(_, record)| record.fields.iter().any(|f| f.bits.is_some() && is_enum(f.ty)))
}

/// The tokens with the types of bit-fields replaced.
pub(super) fn rewritten(tokens: &[PpToken], names: &mut Interner) -> Vec<PpToken> {
    let mut out = Vec::with_capacity(tokens.len());
    let mut done = 0;
    let associations: String = INTEGERS.iter().map(|ty| format!(", {ty}: ({ty})0")).collect();
    for (first, end) in types_of_bit_fields(tokens, names) {
        let at = tokens[first].span;
        out.extend_from_slice(&tokens[done..first]);
        out.extend(inserted("__typeof__(_Generic((", at, names));
        out.extend_from_slice(&tokens[first..end]);
        out.extend(inserted(&format!(")0{associations}))"), at, names));
        done = end;
    }
    out.extend_from_slice(&tokens[done..]);
    out
}

/// Where the type specifiers of members stand that may be enumerations and that a bit-field is declared with, from the
/// first to the last. One in another is a part of it.
fn types_of_bit_fields(tokens: &[PpToken], names: &Interner) -> Vec<(usize, usize)> {
    let text = Text { tokens, names };
    let mut found = Vec::new();
    let mut index = 0;
    // Struct bodies nest: each is looked through when its keyword comes.
    while index < tokens.len() {
        if matches!(text.word(index), "struct" | "union")
            && let Some(open) = text.body(index + 1)
        {
            let end = text.closing(open);
            let mut member = open + 1;
            while member < end {
                let next = text.end_of_member(member, end);
                found.extend(text.type_of_bit_field(member, next));
                member = next + 1;
            }
        }
        index += 1;
    }
    found.sort_unstable();
    found.dedup_by(|inner, outer| inner.0 < outer.1);
    found
}

struct Text<'a> {
    tokens: &'a [PpToken],
    names: &'a Interner,
}

impl Text<'_> {
    fn word(&self, index: usize) -> &str {
        match self.tokens.get(index) {
            Some(PpToken { kind: PpTokenKind::Ident, value: Some(name), .. }) => self.names.resolve(*name),
            _ => "",
        }
    }

    fn is(&self, index: usize, punct: Punct) -> bool {
        self.tokens.get(index).is_some_and(|t| t.kind == PpTokenKind::Punct(punct))
    }

    /// The bracket that closes the one at an index, or the end of the text.
    fn closing(&self, open: usize) -> usize {
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
    fn after_attributes(&self, mut index: usize) -> usize {
        while matches!(self.word(index), "__attribute__" | "__attribute") && self.is(index + 1, Punct::LParen)
        {
            index = self.closing(index + 1) + 1;
        }
        index
    }

    /// The brace that opens the body after `struct`, `union` or `enum`, if one follows.
    fn body(&self, after: usize) -> Option<usize> {
        let mut index = self.after_attributes(after);
        if !self.word(index).is_empty() {
            index = self.after_attributes(index + 1);
        }
        self.is(index, Punct::LBrace).then_some(index)
    }

    /// The semicolon that ends the member at an index.
    fn end_of_member(&self, mut index: usize, end: usize) -> usize {
        while index < end && !self.is(index, Punct::Semi) {
            let opens = [Punct::LBrace, Punct::LParen, Punct::LBracket].iter().any(|&p| self.is(index, p));
            index = if opens { self.closing(index) + 1 } else { index + 1 };
        }
        index.min(end)
    }

    /// The type specifier of the member between two indices, if a bit-field is declared and it may be an enumeration.
    fn type_of_bit_field(&self, first: usize, end: usize) -> Option<(usize, usize)> {
        let mut index = first;
        loop {
            index = self.after_attributes(index);
            match self.word(index) {
                "const" | "__const" | "__const__" | "volatile" | "__volatile" | "__volatile__"
                | "__extension__" => index += 1,
                _ => break,
            }
        }
        let after = match self.word(index) {
            "enum" => match self.body(index + 1) {
                Some(open) => self.closing(open) + 1,
                None => self.after_attributes(index + 1) + 1,
            },
            "typeof" | "__typeof__" | "__typeof" if self.is(index + 1, Punct::LParen) => {
                self.closing(index + 1) + 1
            }
            "" | "struct" | "union" | "__signed" | "__signed__" => return None,
            "_Alignas" | "_Atomic" | "_Static_assert" => return None,
            word if INTEGERS.iter().any(|ty| ty.split(' ').any(|w| w == word)) => return None,
            // The name of a type.
            _ => index + 1,
        };
        let mut at = after;
        while at < end && !self.is(at, Punct::Colon) {
            let opens = [Punct::LBrace, Punct::LParen, Punct::LBracket].iter().any(|&p| self.is(at, p));
            at = if opens { self.closing(at) + 1 } else { at + 1 };
        }
        (at < end).then_some((index, after))
    }
}
