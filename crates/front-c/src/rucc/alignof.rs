//! GNU's `__alignof__` where it differs from `_Alignof`.
//!
//! On 32-bit x86 a `double` or `long long` in a struct stands at a multiple of 4, which is what `_Alignof` tells; alone
//! it is preferred at a multiple of 8, which is what gcc's `__alignof__` tells. The parser knows only the first. Types
//! that are written out are decided here; an operand that may be such a number under another name is not taken.

use rucc_base::Interner;
use rucc_diag::Span;
use rucc_lex::{PpToken, PpTokenKind, Punct};

/// The tokens with the preferred alignment of such types in the place of the question; `None` if there is none. Fails
/// where the answer is not known.
pub(super) fn preferred(tokens: &[PpToken], names: &mut Interner) -> Result<Option<Vec<PpToken>>, Span> {
    let mut out: Option<Vec<PpToken>> = None;
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let asked = matches!(word(token, names), "__alignof__" | "__alignof");
        let answer = if asked { answer(&tokens[index..], names).ok_or(token.span)? } else { Answer::Parser };
        match answer {
            Answer::Parser => {
                if let Some(out) = &mut out {
                    out.push(*token);
                }
                index += 1;
            }
            Answer::Eight { length } => {
                let out = out.get_or_insert_with(|| tokens[..index].to_vec());
                let value = Some(names.intern("8U"));
                out.push(PpToken { kind: PpTokenKind::Number, value, ..*token });
                index += length;
            }
        }
    }
    Ok(out)
}

enum Answer {
    /// What the parser says is right.
    Parser,
    /// 8, in the place of so many tokens.
    Eight { length: usize },
}

fn word<'a>(token: &PpToken, names: &'a Interner) -> &'a str {
    match (token.kind, token.value) {
        (PpTokenKind::Ident, Some(name)) => names.resolve(name),
        _ => "",
    }
}

/// What is said of the operand after the first token, if it is known.
fn answer(tokens: &[PpToken], names: &Interner) -> Option<Answer> {
    if tokens.get(1)?.kind != PpTokenKind::Punct(Punct::LParen) {
        return None;
    }
    let (mut longs, mut double) = (0, false);
    for (index, token) in tokens.iter().enumerate().skip(2) {
        match (token.kind, word(token, names)) {
            (PpTokenKind::Punct(Punct::RParen), _) => {
                let eight = if double { longs == 0 } else { longs > 1 };
                return Some(if eight { Answer::Eight { length: index + 1 } } else { Answer::Parser });
            }
            // All pointers are alike, and so are all structs in that they are as aligned as their members.
            (PpTokenKind::Punct(Punct::Star), _) => return Some(Answer::Parser),
            (_, "struct" | "union" | "enum") => return Some(Answer::Parser),
            (_, "long") => longs += 1,
            (_, "double") => double = true,
            (
                _,
                "const" | "volatile" | "signed" | "unsigned" | "int" | "char" | "short" | "float" | "void",
            )
            | (_, "_Bool" | "__float128" | "_Float128" | "__int128" | "__signed__" | "__const") => {}
            _ => return None,
        }
    }
    None
}
