//! Bit-fields of enumeration types.
//!
//! A bit-field promotes by its width: to `int`, if that holds all its values. gcc does so whether it is declared with an
//! integer type or an enumeration, which `rucc` promotes by its type alone. So a file that has such bit-fields is typed
//! again with each of them declared with the integer type that represents the enumeration. As that cannot be named in C,
//! it is asked for: a `_Generic` selection with an association for each integer type finds it, and leaves an integer
//! type as it is.

use super::inserted;
use super::members::Text;
use rucc_base::Interner;
use rucc_lex::{PpToken, Punct};
use rucc_types::{TypeKind, Types};
use std::ops::Range;

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
    let mut found: Vec<_> = text
        .bodies()
        .flat_map(|body| text.members(body))
        .filter_map(|m| type_of_bit_field(&text, m))
        .collect();
    found.sort_unstable();
    found.dedup_by(|inner, outer| inner.0 < outer.1);
    found
}

/// The type specifier of a member, if a bit-field is declared and it may be an enumeration.
fn type_of_bit_field(text: &Text, member: Range<usize>) -> Option<(usize, usize)> {
    let mut index = member.start;
    loop {
        index = text.after_attributes(index);
        match text.word(index) {
            "const" | "__const" | "__const__" | "volatile" | "__volatile" | "__volatile__"
            | "__extension__" => index += 1,
            _ => break,
        }
    }
    let after = match text.word(index) {
        "enum" => match text.body(index + 1) {
            Some(open) => text.closing(open) + 1,
            None => text.after_attributes(index + 1) + 1,
        },
        "typeof" | "__typeof__" | "__typeof" if text.is(index + 1, Punct::LParen) => {
            text.closing(index + 1) + 1
        }
        "" | "struct" | "union" | "__signed" | "__signed__" => return None,
        "_Alignas" | "_Atomic" | "_Static_assert" => return None,
        word if INTEGERS.iter().any(|ty| ty.split(' ').any(|w| w == word)) => return None,
        // The name of a type.
        _ => index + 1,
    };
    text.colon(after..member.end).map(|_| (index, after))
}
