//! As much of C's lexical structure as finding a parenthesis takes.

/// The bytes of a text that stand outside of literals and comments.
pub fn plain(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let &byte = bytes.get(at)?;
            let start = at;
            match byte {
                b'"' | b'\'' => {
                    at += 1;
                    while let Some(&next) = bytes.get(at) {
                        at += if next == b'\\' { 2 } else { 1 };
                        if next == byte {
                            break;
                        }
                    }
                }
                b'/' if text[at..].starts_with("/*") => {
                    at = text[at + 2..].find("*/").map_or(bytes.len(), |end| at + end + 4);
                }
                b'/' if text[at..].starts_with("//") => {
                    at = text[at..].find('\n').map_or(bytes.len(), |end| at + end);
                }
                _ => {
                    at += 1;
                    return Some((start, byte));
                }
            }
        }
    })
}

/// The first byte outside of parentheses that is one of `wanted`.
pub fn find_outside(text: &str, wanted: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    plain(text).find_map(|(at, byte)| {
        if depth == 0 && wanted.contains(&byte) {
            return Some(at);
        }
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        None
    })
}

/// The parenthesis that closes the one that a text begins with.
pub fn closing(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('(')?;
    find_outside(inside, b")").map(|at| at + 1)
}

/// Behind a word that a text begins with, and the space that follows it.
pub fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(word)?;
    let goes_on = rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    (!goes_on).then(|| rest.trim_start())
}

/// Whether a text can stand in parentheses as an expression: what is wrong, if it cannot. What it means is for the
/// parser of C to say; this is so that it cannot leave its place.
pub fn expression_stays_inside(text: &str) -> Result<(), &'static str> {
    let mut open = Vec::new();
    if text.trim().is_empty() {
        return Err("an expression is expected here");
    }
    // What else brackets may be written as, and comments.
    let disguised = ["<:", ":>", "<%", "%>", "%:", "??", "/*", "//"];
    if text.contains(['"', '\\', '`', '@', '$']) || disguised.iter().any(|d| text.contains(d)) {
        return Err("this is not an expression of C without strings, digraphs and comments");
    }
    if text.chars().any(|c| c.is_control() && !c.is_whitespace()) {
        return Err("this has control characters in it");
    }
    for (_, byte) in plain(text) {
        match byte {
            b'(' => open.push(b')'),
            b'[' => open.push(b']'),
            b')' | b']' if open.pop() != Some(byte) => {
                return Err("a parenthesis is closed that is not open");
            }
            b';' | b'{' | b'}' | b'#' => return Err("statements are not allowed in an expression"),
            _ => {}
        }
    }
    if open.is_empty() { Ok(()) } else { Err("a parenthesis is not closed") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses() {
        assert_eq!(closing("(a, f(')'), \")\" /* ) */) + 1"), Some(23));
        assert_eq!(closing("(a"), None);
        assert_eq!(find_outside("int i = f(;); i < 3; i++)", b";"), Some(12));
        assert_eq!(after_word("while  (x)", "while"), Some("(x)"));
        assert_eq!(after_word("whiles (x)", "while"), None);
    }

    #[test]
    fn what_leaves_its_place() {
        for wrong in [
            "",
            " ",
            "1) || (1",
            "x;",
            "({ x; })",
            "x /* ",
            "\"a\"",
            "(x",
            "x]",
            "1\n#define x",
            "x // y",
            "p<:0:> == 0",
            "'\\'' ",
        ] {
            assert!(expression_stays_inside(wrong).is_err(), "{wrong}");
        }
        for right in ["x < 3", "a[i] == 'c'", "(x)", "*p == 0 && (y || z)"] {
            assert_eq!(expression_stays_inside(right), Ok(()), "{right}");
        }
    }
}
