//! Preprocessed text as words: just enough of C's lexical grammar to find names and brackets.

use std::ops::Range;

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A name or a keyword.
    Name,
    /// A number.
    Number,
    /// A string or a character.
    Quoted,
    /// An operator or a bracket: one character, but for those of several that are looked for.
    Mark,
}

/// A word of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Word {
    pub(crate) kind: Kind,
    /// Its bytes.
    pub(crate) at: Range<usize>,
}

/// Marks of several characters: CBMC's implications, and what they would otherwise be mistaken for.
const LONG: [&str; 12] = ["<==>", "==>", "==", "!=", "<=", ">=", "&&", "||", "->", "<<", ">>", "..."];

/// A text and its words. Directives and comments are none.
#[derive(Debug)]
pub(crate) struct Words<'a> {
    pub(crate) text: &'a str,
    pub(crate) words: Vec<Word>,
}

impl<'a> Words<'a> {
    pub(crate) fn of(text: &'a str) -> Words<'a> {
        let bytes = text.as_bytes();
        let (mut words, mut at, mut fresh) = (Vec::new(), 0, true);
        while let Some(&byte) = bytes.get(at) {
            let start = at;
            if byte == b'\n' || byte.is_ascii_whitespace() {
                fresh |= byte == b'\n';
                at += 1;
                continue;
            }
            if byte == b'#' && fresh {
                at = line_end(bytes, at);
                continue;
            }
            fresh = false;
            if bytes[at..].starts_with(b"/*") {
                at = find(bytes, at + 2, b"*/").map_or(bytes.len(), |end| end + 2);
                continue;
            }
            if bytes[at..].starts_with(b"//") {
                at = line_end(bytes, at);
                continue;
            }
            let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80;
            let kind = if byte.is_ascii_digit()
                || byte == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
            {
                while bytes.get(at).is_some_and(|&b| {
                    is_name(b)
                        || b == b'.'
                        || matches!(b, b'+' | b'-') && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P')
                }) {
                    at += 1;
                }
                Kind::Number
            } else if is_name(byte) {
                while bytes.get(at).is_some_and(|&b| is_name(b)) {
                    at += 1;
                }
                match bytes.get(at) {
                    Some(b'"' | b'\'') if matches!(&text[start..at], "L" | "u" | "U" | "u8") => {
                        at = quoted_end(bytes, at);
                        Kind::Quoted
                    }
                    _ => Kind::Name,
                }
            } else if byte == b'"' || byte == b'\'' {
                at = quoted_end(bytes, at);
                Kind::Quoted
            } else {
                let long = LONG.iter().find(|mark| bytes[at..].starts_with(mark.as_bytes()));
                at += long.map_or(1, |mark| mark.len());
                Kind::Mark
            };
            words.push(Word { kind, at: start..at });
        }
        Words { text, words }
    }

    /// The text of a word; nothing behind the last one.
    pub(crate) fn word(&self, i: usize) -> &'a str {
        self.words.get(i).map_or("", |word| &self.text[word.at.clone()])
    }

    /// The text of some words.
    pub(crate) fn span(&self, range: Range<usize>) -> &'a str {
        match (self.words.get(range.start), range.end.checked_sub(1).and_then(|last| self.words.get(last))) {
            (Some(first), Some(last)) if first.at.start <= last.at.end => {
                &self.text[first.at.start..last.at.end]
            }
            _ => "",
        }
    }

    /// The text of some words in one line.
    pub(crate) fn line(&self, range: Range<usize>) -> String {
        let mut line = String::new();
        for i in range.clone() {
            let is_apart = i > range.start && self.words[i].at.start > self.words[i - 1].at.end;
            line.push_str(if is_apart { " " } else { "" });
            line.push_str(self.word(i));
        }
        line
    }

    /// The bracket that closes the one at a place.
    pub(crate) fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for i in open..self.words.len() {
            match self.word(i) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(i);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The parts of some words between marks that stand in no brackets of their own.
    pub(crate) fn split(&self, range: Range<usize>, mark: &str) -> Vec<Range<usize>> {
        let (mut parts, mut start, mut i) = (Vec::new(), range.start, range.start);
        while i < range.end {
            match self.word(i) {
                "(" | "[" | "{" => i = self.closing(i).map_or(range.end, |end| end.min(range.end)),
                word if word == mark => {
                    parts.push(start..i);
                    start = i + 1;
                }
                _ => {}
            }
            i += 1;
        }
        if start < range.end || !parts.is_empty() {
            parts.push(start..range.end);
        }
        parts
    }
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    find(bytes, at, b"\n").unwrap_or(bytes.len())
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(what.len()).position(|window| window == what).map(|at| from + at)
}

/// Where a string or a character ends; a line's end closes it.
fn quoted_end(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            byte if byte == bytes[open] => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_strings_and_markers() {
        let words = Words::of("# 1 \"f(\"\nf(a, \")\", '(' /* ( */, 1e-3 ==> b[2]) // (\n;");
        assert_eq!(words.word(0), "f");
        let close = words.closing(1).expect("it is closed");
        assert_eq!(words.word(close), ")");
        assert_eq!(words.split(2..close, ",").len(), 4);
        assert_eq!(words.word(close + 1), ";");
        assert!(words.words.iter().any(|w| &words.text[w.at.clone()] == "==>"));
    }

    #[test]
    fn what_is_not_closed_ends_with_the_text() {
        for text in ["f(", "\"abc", "'", "/* x", "((]", "u8\"", ")", "1e"] {
            let words = Words::of(text);
            assert!(words.words.iter().all(|w| w.at.end <= text.len()), "{text}");
            assert_eq!(words.closing(0), None, "{text}");
        }
    }
}
