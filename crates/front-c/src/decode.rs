//! Bytes that are no UTF-8.
//!
//! A C file is a sequence of bytes, and the compiler takes any in comments and literals. The parser wants text: a byte of
//! a literal that is part of no UTF-8 character is written as an octal escape, which means the same. What follows it in
//! its line moves to the right by that. Elsewhere such a byte becomes `?`.

use tamis_diagnostics::{Diagnostic, Error};

/// What a byte is part of.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Code,
    /// A string or character constant that ends with the quote; whether its characters are wide.
    Literal {
        quote: u8,
        wide: bool,
    },
    LineComment,
    Comment,
    /// A line marker or another directive.
    Directive,
}

/// The text of a file.
pub(crate) fn decode(name: &str, bytes: Vec<u8>) -> Result<String, Error> {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(not_utf8) => not_utf8.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len());
    let mut reader = Reader { part: Part::Code, line: Vec::new(), number: 1, escaped: false };
    for chunk in bytes.utf8_chunks() {
        chunk.valid().bytes().for_each(|byte| reader.read(byte));
        text.push_str(chunk.valid());
        for &byte in chunk.invalid() {
            match reader.part {
                Part::Literal { wide: false, .. } => text.push_str(&format!("\\{byte:03o}")),
                Part::Literal { wide: true, .. } => {
                    let message = "a wide character that is not UTF-8 is not supported yet";
                    let mut d = Diagnostic::about_file(name, message);
                    (d.line, d.column) = (reader.number, reader.line.len() as u32 + 1);
                    return Err(Error::Unsupported(d));
                }
                _ => text.push('?'),
            }
            reader.read(byte);
        }
    }
    Ok(text)
}

/// Follows the text up to a byte.
struct Reader {
    part: Part,
    /// The bytes of the line so far.
    line: Vec<u8>,
    number: u32,
    /// Whether the last byte was a backslash that begins an escape.
    escaped: bool,
}

impl Reader {
    fn read(&mut self, byte: u8) {
        let before = self.line.last().copied().unwrap_or(b'\n');
        if byte == b'\n' {
            if self.part != Part::Comment && !self.escaped {
                self.part = Part::Code;
            }
            (self.number, self.escaped) = (self.number + 1, false);
            self.line.clear();
            return;
        }
        self.part = match (self.part, byte) {
            (Part::Code, b'#') if self.line.iter().all(u8::is_ascii_whitespace) => Part::Directive,
            (Part::Code, b'"' | b'\'') => {
                let wide = matches!(before, b'L' | b'u' | b'U');
                Part::Literal { quote: byte, wide }
            }
            (Part::Code, b'/') if before == b'/' => Part::LineComment,
            (Part::Code, b'*') if before == b'/' => Part::Comment,
            (Part::Comment, b'/') if before == b'*' => Part::Code,
            (Part::Literal { quote, .. }, _) if byte == quote && !self.escaped => Part::Code,
            (part, _) => part,
        };
        self.escaped = byte == b'\\' && !self.escaped;
        self.line.push(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> String {
        decode("f.c", bytes.to_vec()).expect("it is taken")
    }

    #[test]
    fn bytes_of_literals_are_kept() {
        assert_eq!(
            decoded(b"char s[] = \"a\xff1\"; // \xff\nint c = '\xe4';"),
            "char s[] = \"a\\3771\"; // ?\nint c = '\\344';"
        );
        assert_eq!(decoded("char s[] = \"\u{e4}\";".as_bytes()), "char s[] = \"\u{e4}\";");
        assert_eq!(decoded(b"char s[] = \"\xc3\xa4\xff\";"), "char s[] = \"\u{e4}\\377\";");
        assert_eq!(
            decoded(b"\"\\\"\xff\" /* \" \xff */ \"\\\\\" \xff"),
            "\"\\\"\\377\" /* \" ? */ \"\\\\\" ?"
        );
        assert_eq!(decoded(b"# 1 \"\xff.c\"\n\"\xff\""), "# 1 \"?.c\"\n\"\\377\"");
    }

    #[test]
    fn a_wide_character_that_is_no_character() {
        let error = decode("f.c", b"int a;\nint *p = L\"\xff\";".to_vec()).expect_err("gcc does not take it");
        assert_eq!((error.diagnostic().line, error.diagnostic().column), (2, 12));
    }
}
