//! Wide characters in 32 bits.
//!
//! gcc's `wchar_t` is `long` there, and so are wide characters and strings; to `rucc` they are `int`. Both have 32 bits and
//! all operators do the same with them, so `wchar_t` is declared as `int` in a file that has wide literals. Where a file
//! selects by types it is not taken.

use super::inserted;
use rucc_base::Interner;
use rucc_diag::Span;
use rucc_lex::{PpToken, PpTokenKind};

/// The tokens with `wchar_t` as `int`, if there are wide literals; or where a selection by types stands.
pub(super) fn as_int(tokens: &[PpToken], names: &mut Interner) -> Result<Option<Vec<PpToken>>, Span> {
    let spelling = |token: &PpToken| token.value.map_or("", |value| names.resolve(value));
    let is_wide = |token: &PpToken| {
        token.kind != PpTokenKind::Ident && ["L\"", "L'"].iter().any(|l| spelling(token).starts_with(l))
    };
    if !tokens.iter().any(is_wide) {
        return Ok(None);
    }
    let by_type = |token: &&PpToken| matches!(spelling(token), "_Generic" | "__builtin_types_compatible_p");
    if let Some(token) = tokens.iter().find(by_type) {
        return Err(token.span);
    }
    let words: Vec<&str> = tokens.iter().map(spelling).collect();
    let declared = |at: usize| -> Option<usize> {
        let rest = &words[at..];
        let forms: [&[&str]; 2] = [&["typedef", "long", "int", "wchar_t"], &["typedef", "long", "wchar_t"]];
        forms.iter().find(|form| rest.starts_with(form)).map(|form| form.len())
    };
    let places: Vec<(usize, usize)> =
        (0..words.len()).filter_map(|at| declared(at).map(|length| (at, length))).collect();
    let mut out = Vec::with_capacity(tokens.len());
    let mut done = 0;
    for (at, length) in places {
        out.extend_from_slice(&tokens[done..at]);
        out.extend(inserted("typedef int wchar_t", tokens[at].span, names));
        done = at + length;
    }
    out.extend_from_slice(&tokens[done..]);
    Ok(Some(out))
}
