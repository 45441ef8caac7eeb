//! Members that `rucc` does not place where gcc does.
//!
//! Four kinds are known, from the random structs of `bench/types`: a bit-field with an attribute `aligned` of its
//! own, a struct with two attributes `aligned` (the last counts for gcc, the largest for `rucc`), a member with two `_Alignas`, and a packed struct
//! with bit-fields under `#pragma pack`. A file that has one is not taken. The last is looked for in the file as a whole,
//! not in one struct: both together are rare.

use super::members::{Body, Text};
use rucc_diag::Span;
use rucc_lex::Punct;
use std::ops::Range;

/// The first place of a file where a member is not placed as gcc places it, and why.
pub(super) fn otherwise(text: Text, has_pack: bool) -> Option<(Span, &'static str)> {
    let bit_fields = || {
        let members = text.bodies().flat_map(|body| text.members(body));
        members.filter(|member| text.colon(member.clone()).is_some())
    };
    let at = |index: usize| text.tokens[index].span;
    if let Some(index) = bit_fields().find_map(|m| attributes(text, m, &["aligned"]).next()) {
        return Some((at(index), "a bit-field that is aligned by itself"));
    }
    if let Some(body) = text.bodies().find(|&body| alignments(text, body) > 1) {
        return Some((at(body.keyword), "a struct that is aligned twice"));
    }
    let mut all_members = text.bodies().flat_map(|body| text.members(body));
    let twice = |member: &Range<usize>| {
        text.outside(member.clone()).filter(|&i| text.word(i) == "_Alignas").count() > 1
    };
    if let Some(member) = all_members.find(twice) {
        return Some((at(member.start), "a member that is aligned twice"));
    }
    let packed = |body: Body| {
        let before = attributes(text, body.keyword..body.open, &["packed"]).next();
        before.or_else(|| {
            attributes(text, body.close + 1..text.after_attributes(body.close + 1), &["packed"]).next()
        })
    };
    let index = text.bodies().find_map(packed).filter(|_| has_pack && bit_fields().next().is_some())?;
    Some((at(index), "a packed struct beside bit-fields and #pragma pack"))
}

/// How many attributes `aligned` a struct has, before and after its body.
fn alignments(text: Text, body: Body) -> usize {
    let before = body.keyword..body.open;
    let after = body.close + 1..text.after_attributes(body.close + 1);
    [before, after].into_iter().map(|range| attributes(text, range, &["aligned"]).count()).sum()
}

/// The indices of attributes by these names in a range, but for those in braces.
fn attributes<'a>(text: Text<'a>, among: Range<usize>, names: &'a [&str]) -> impl Iterator<Item = usize> {
    let is_one = move |index: usize| {
        let word = text.word(index);
        names.contains(&word.strip_prefix("__").and_then(|w| w.strip_suffix("__")).unwrap_or(word))
    };
    let mut after = among.start;
    let lists = std::iter::from_fn(move || {
        while after < among.end {
            let index = after;
            let opens = [Punct::LBrace, Punct::LBracket].iter().any(|&p| text.is(index, p));
            let is_list = matches!(text.word(index), "__attribute__" | "__attribute");
            after = match (opens, is_list) {
                (true, _) => text.closing(index) + 1,
                (_, true) => text.closing(index + 1) + 1,
                _ => index + 1,
            };
            let is_standard = (index..=index + 1).all(|i| text.is(i, Punct::LBracket));
            if is_list || is_standard {
                return Some(index..after.min(text.tokens.len()));
            }
        }
        None
    });
    lists.flat_map(move |list| list.filter(move |&i| is_one(i)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rucc_base::Interner;

    fn refused(source: &str, has_pack: bool) -> Option<&'static str> {
        let mut names = Interner::new();
        let (tokens, _) = rucc_lex::tokenize(source.as_bytes(), 0, crate::rucc::lexer_options(), &mut names);
        otherwise(Text { tokens: &tokens, names: &names }, has_pack).map(|(_, why)| why)
    }

    #[test]
    fn bit_fields_with_attributes() {
        let why = Some("a bit-field that is aligned by itself");
        assert_eq!(refused("struct { int a : 3 __attribute__((aligned(8))); };", false), why);
        assert_eq!(refused("union { struct { __attribute__((__aligned__)) int a : 3; } b; };", false), why);
        assert_eq!(refused("struct { [[gnu::aligned(2)]] int a : 3; };", false), why);
        assert_eq!(refused("struct { int packed : 1; int b __attribute__((packed)); };", false), None);
        assert_eq!(refused("struct { int a : 3 __attribute__((unused)), aligned[packed]; };", false), None);
    }

    #[test]
    fn structs_that_are_aligned_twice() {
        let why = Some("a struct that is aligned twice");
        assert_eq!(
            refused("struct __attribute__((aligned(8))) { int a; } __attribute__((aligned(4))) b;", false),
            why
        );
        assert_eq!(refused("struct { int a; } __attribute__((aligned(8), aligned(4)));", false), why);
        assert_eq!(
            refused(
                "struct { struct { int a; } __attribute__((aligned(8))) b; } __attribute__((aligned(4)));",
                false
            ),
            None
        );
    }

    #[test]
    fn members_that_are_aligned_twice() {
        let why = Some("a member that is aligned twice");
        assert_eq!(refused("struct { _Alignas(1) int _Alignas(8) a; };", false), why);
        assert_eq!(refused("struct { _Alignas(1) int a; _Alignas(8) int b; };", false), None);
    }

    #[test]
    fn packed_under_a_pragma() {
        let source = "struct { int a : 3; } __attribute__((packed));";
        assert_eq!(refused(source, true), Some("a packed struct beside bit-fields and #pragma pack"));
        assert_eq!(refused(source, false), None);
        assert_eq!(refused("struct { int a; } __attribute__((packed));", true), None);
        assert!(refused("struct { struct { int a : 3; } __attribute__((packed)) b; };", true).is_some());
    }
}
