//! How deep a program nests, before anything recurses over it.
//!
//! The parser and all walks over its trees recurse as deep as expressions and statements nest, and a chain of operators
//! nests as deep as it is long. A machine-made line of a million operators must be a message and not an overflow of
//! the stack.

use rucc_base::Interner;
use rucc_diag::Span;
use rucc_lex::{PpToken, PpTokenKind, Punct};

/// A deeper program is refused. Four times this is parsed and typed on the stack there is.
pub(super) const LIMIT: usize = 100_000;

/// What a pair of brackets encloses.
#[derive(Clone, Copy, PartialEq)]
enum Enclosed {
    /// Statements, which end at `;` and at closing braces.
    Statements,
    /// A list in braces, whose items end at `,` and `;`.
    List,
    /// Part of an expression or a declarator.
    Part,
}

/// The place where the program nests deeper than the limit, if it does. Each token since the last end of a statement or
/// item may be a level, in each of the enclosing brackets: this is never less than the true depth.
pub(super) fn too_deep(tokens: &[PpToken], names: &Interner) -> Option<Span> {
    let mut levels = vec![(Enclosed::Statements, 0usize)];
    let mut total = 0usize;
    let mut before = None;
    for (index, token) in tokens.iter().enumerate() {
        let word = |t: &PpToken| match (t.kind, t.value) {
            (PpTokenKind::Ident, Some(name)) => names.resolve(name),
            _ => "",
        };
        let enclosed = levels.last().map_or(Enclosed::Statements, |l| l.0);
        let mut ends = false;
        match token.kind {
            PpTokenKind::Punct(Punct::LParen | Punct::LBracket) => levels.push((Enclosed::Part, 0)),
            PpTokenKind::Punct(Punct::LBrace) => {
                let list = match before {
                    Some(PpTokenKind::Punct(Punct::Eq | Punct::Comma)) => true,
                    Some(PpTokenKind::Punct(Punct::LBrace)) => enclosed == Enclosed::List,
                    Some(PpTokenKind::Ident) => {
                        !matches!(index.checked_sub(1).map(|i| word(&tokens[i])), Some("else" | "do"))
                    }
                    _ => false,
                };
                levels.push((if list { Enclosed::List } else { Enclosed::Statements }, 0));
            }
            PpTokenKind::Punct(Punct::RParen | Punct::RBracket | Punct::RBrace) => {
                if levels.len() > 1 {
                    total -= levels.pop().map_or(0, |l| l.1);
                }
                let outer = levels.last().map_or(Enclosed::Statements, |l| l.0);
                ends = token.kind == PpTokenKind::Punct(Punct::RBrace) && outer == Enclosed::Statements;
            }
            PpTokenKind::Punct(Punct::Semi) => ends = enclosed != Enclosed::Part,
            PpTokenKind::Punct(Punct::Comma) => ends = enclosed == Enclosed::List,
            _ => {}
        }
        // An `if` goes on after its first branch.
        let goes_on = tokens.get(index + 1).is_some_and(|next| word(next) == "else");
        if let Some((_, run)) = levels.last_mut() {
            if ends && !goes_on {
                total -= *run;
                *run = 0;
            } else {
                *run += 1;
                total += 1;
            }
        }
        if total > LIMIT {
            return Some(token.span);
        }
        before = Some(token.kind);
    }
    None
}
