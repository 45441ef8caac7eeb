//! Blocks that contain nothing but a block.
//!
//! The parser has a limit on nested brackets that gcc does not have, and programs that are written by programs pass it
//! with blocks in blocks. Of two braces around the same statements one pair says nothing.

use rucc_lex::{PpToken, PpTokenKind, Punct};

/// Texts that nest less deeply are left as they are.
const DEEP: usize = 200;

/// The tokens without such pairs of braces, if brackets nest deeply; `None` otherwise.
pub(super) fn without_double_braces(tokens: &[PpToken]) -> Option<Vec<PpToken>> {
    let mut open: Vec<Open> = Vec::new();
    let (mut deepest, mut dropped) = (0, vec![false; tokens.len()]);
    // The last block that was closed, as long as nothing follows it.
    let mut closed: Option<(usize, usize)> = None;
    for (index, token) in tokens.iter().enumerate() {
        let mut block = None;
        match token.kind {
            PpTokenKind::Punct(Punct::LBrace | Punct::LParen | Punct::LBracket) => {
                open.push(Open { at: index, statements: false });
                deepest = deepest.max(open.len());
            }
            PpTokenKind::Punct(Punct::RBrace | Punct::RParen | Punct::RBracket) => {
                let Open { at, statements } = open.pop()?;
                // Only statements end with a semicolon: a list of initialisers has none.
                if statements && token.kind == PpTokenKind::Punct(Punct::RBrace) {
                    block = Some((at, index));
                }
                if let Some((inner, end)) = closed
                    && inner == at + 1
                    && end + 1 == index
                {
                    (dropped[inner], dropped[end]) = (true, true);
                    block = Some((at, index));
                }
            }
            PpTokenKind::Punct(Punct::Semi) => {
                open.iter_mut().last().into_iter().for_each(|o| o.statements = true)
            }
            _ => {}
        }
        closed = block;
    }
    let kept = || tokens.iter().zip(&dropped).filter(|(_, dropped)| !**dropped).map(|(token, _)| *token);
    (deepest > DEEP && dropped.contains(&true)).then(|| kept().collect())
}

/// An open bracket.
struct Open {
    at: usize,
    /// Whether a statement ended directly in it.
    statements: bool,
}
