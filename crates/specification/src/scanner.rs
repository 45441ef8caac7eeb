//! Words and pieces of C in a specification's text.

use tamis_diagnostics::Diagnostic;
use tamis_front_c::Piece;

/// What would leave the code that an expression stands in.
const FORBIDDEN: [&str; 14] = [
    "return", "goto", "break", "continue", "asm", "__asm__", "__asm", "if", "while", "for", "do", "switch",
    "case", "default",
];

/// A text that is read from left to right.
#[derive(Clone)]
pub struct Scanner<'a> {
    pub file: &'a str,
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub fn new(file: &'a str, text: &'a str) -> Scanner<'a> {
        Scanner { file, text, at: 0 }
    }

    /// A part of a text, whose places are those in the text.
    pub fn part(file: &'a str, text: &'a str, part: std::ops::Range<usize>) -> Scanner<'a> {
        Scanner { file, text: &text[..part.end], at: part.start }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips space and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            let rest = self.rest();
            let comment = match rest.get(..2) {
                Some("//") => rest.find('\n').unwrap_or(rest.len()),
                Some("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
                _ => return,
            };
            self.at += comment;
        }
    }

    pub fn is_at_end(&mut self) -> bool {
        self.skip();
        self.rest().is_empty()
    }

    /// Where the next word begins.
    pub fn here(&mut self) -> usize {
        self.skip();
        self.at
    }

    /// The line and the column of a byte, from 1.
    pub fn line_and_column(&self, at: usize) -> (u32, u32) {
        let before = &self.text[..at.min(self.text.len())];
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        (before.matches('\n').count() as u32 + 1, before[start..].chars().count() as u32 + 1)
    }

    pub fn error_at(&self, at: usize, message: impl Into<String>) -> Diagnostic {
        let (line, column) = self.line_and_column(at);
        let source_line = self.text.lines().nth(line as usize - 1).map(str::to_owned);
        Diagnostic { message: message.into(), file: self.file.to_owned(), line, column, source_line }
    }

    pub fn error(&mut self, message: impl Into<String>) -> Diagnostic {
        let at = self.here();
        self.error_at(at, message)
    }

    /// Takes a mark such as `->`.
    pub fn takes(&mut self, mark: &str) -> bool {
        self.skip();
        let found = self.rest().starts_with(mark);
        self.at += if found { mark.len() } else { 0 };
        found
    }

    pub fn expect(&mut self, mark: &str) -> Result<(), Diagnostic> {
        if self.takes(mark) { Ok(()) } else { Err(self.error(format!("`{mark}` is expected here"))) }
    }

    /// The next name, if there is one, without moving.
    pub fn peek(&mut self) -> Option<&'a str> {
        self.skip();
        let rest = self.rest();
        let end = rest.find(|c: char| !is_part_of_name(c)).unwrap_or(rest.len());
        let name = &rest[..end];
        name.starts_with(|c: char| !c.is_ascii_digit()).then_some(name)
    }

    /// Takes a word.
    pub fn takes_word(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    pub fn name(&mut self, what: &str) -> Result<&'a str, Diagnostic> {
        match self.peek() {
            Some(name) => {
                self.at += name.len();
                Ok(name)
            }
            None => Err(self.error(format!("{what} is expected here"))),
        }
    }

    /// The name of a file: anything up to space, a comma or a semicolon, or a text between quotes.
    pub fn file_name(&mut self) -> Result<String, Diagnostic> {
        self.skip();
        if self.rest().starts_with('"') {
            return self.string();
        }
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || c == ',' || c == ';').unwrap_or(rest.len());
        if end == 0 {
            return Err(self.error("the name of a file is expected here"));
        }
        self.at += end;
        Ok(rest[..end].to_owned())
    }

    /// A number.
    pub fn number(&mut self) -> Result<u32, Diagnostic> {
        self.skip();
        let rest = self.rest();
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest[..digits].parse().map_err(|_| self.error("a number is expected here"))?;
        self.at += digits;
        Ok(number)
    }

    /// A text between double quotes.
    pub fn string(&mut self) -> Result<String, Diagnostic> {
        self.skip();
        let at = self.at;
        if !self.takes("\"") {
            return Err(self.error("a text between double quotes is expected here"));
        }
        let end = self.rest().find(['"', '\n']);
        match end {
            Some(end) if self.rest()[end..].starts_with('"') => {
                let text = self.rest()[..end].to_owned();
                self.at += end + 1;
                Ok(text)
            }
            _ => Err(self.error_at(at, "this text has no end")),
        }
    }

    /// C between a pair of brackets.
    pub fn enclosed(&mut self, open: char, close: char) -> Result<Fragment<'a>, Diagnostic> {
        self.skip();
        let at = self.at;
        self.expect(&open.to_string())?;
        let fragment = self.c_until(at, |c| c == close)?;
        self.at += close.len_utf8();
        Ok(fragment)
    }

    /// C up to one of some characters that is in no brackets; `from` is where an error is told of if there is none.
    pub fn c_until(&mut self, from: usize, ends: impl Fn(char) -> bool) -> Result<Fragment<'a>, Diagnostic> {
        self.skip();
        let start = self.at;
        let mut open = Vec::new();
        let mut word = None;
        let bytes: Vec<(usize, char)> =
            self.rest().char_indices().chain([(self.rest().len(), '\0')]).collect();
        let mut i = 0;
        while i < bytes.len() {
            let (offset, c) = bytes[i];
            let here = start + offset;
            if is_part_of_name(c) || c == '$' {
                word.get_or_insert(here);
                i += 1;
                continue;
            }
            if let Some(begun) = word.take() {
                let word = &self.text[begun..here];
                if FORBIDDEN.contains(&word) {
                    let message = format!("`{word}` may not stand here: expressions alone do");
                    return Err(self.error_at(begun, message));
                }
            }
            if open.is_empty() && c != '\0' && ends(c) {
                self.at = here;
                return Ok(Fragment { text: self.text[start..here].trim_end(), at: start });
            }
            match c {
                '(' | '[' | '{' => open.push((c, here)),
                ')' | ']' | '}' => {
                    let fits = match open.pop() {
                        Some(('(', _)) => c == ')',
                        Some(('[', _)) => c == ']',
                        Some(_) => c == '}',
                        None => false,
                    };
                    if !fits {
                        return Err(self.error_at(here, format!("`{c}` closes nothing")));
                    }
                }
                '"' | '\'' => {
                    let mut next = i + 1;
                    while bytes.get(next).is_some_and(|&(_, d)| d != c && d != '\n' && d != '\0') {
                        next += if bytes[next].1 == '\\' { 2 } else { 1 };
                    }
                    if bytes.get(next).is_none_or(|&(_, d)| d != c) {
                        return Err(self.error_at(here, "this constant has no end"));
                    }
                    i = next;
                }
                '/' if matches!(bytes.get(i + 1), Some((_, '/' | '*'))) => {
                    return Err(self.error_at(here, "a comment may not stand in an expression"));
                }
                '#' => return Err(self.error_at(here, "`#` may not stand in an expression")),
                '\0' => {
                    let (message, at) = match open.last() {
                        Some((bracket, at)) => (format!("this `{bracket}` is not closed"), *at),
                        None => ("this has no end".to_owned(), from),
                    };
                    return Err(self.error_at(at, message));
                }
                _ => {}
            }
            i += 1;
        }
        Err(self.error_at(from, "this has no end"))
    }

    /// Skips what stands before the next semicolon that is in no brackets and no text, and that too.
    pub fn skip_past_semicolon(&mut self) -> Result<(), Diagnostic> {
        let start = self.here();
        let (mut depth, mut quoted) = (0_u32, false);
        for (offset, c) in self.rest().char_indices() {
            match c {
                '"' => quoted = !quoted,
                '(' if !quoted => depth += 1,
                ')' if !quoted => depth = depth.saturating_sub(1),
                ';' if !quoted && depth == 0 => {
                    self.at += offset + 1;
                    return Ok(());
                }
                _ => {}
            }
        }
        Err(self.error_at(start, "this is not closed by `;`"))
    }

    /// A piece of the file, with its place, as code.
    pub fn piece(&self, at: usize, text: String) -> Piece {
        let (line, column) = self.line_and_column(at);
        // What is before it in its line is space, so that a message tells the column.
        let text = format!("{}{text}", " ".repeat(column.saturating_sub(1) as usize));
        Piece { text, file: self.file.to_owned(), line }
    }
}

pub fn is_part_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Some C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fragment<'a> {
    pub text: &'a str,
    /// The byte where it begins.
    pub at: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c_ends_outside_of_brackets_and_constants() {
        let mut scanner = Scanner::new("f", "( a(b[1], ')') == \"}\" ) -> x");
        let fragment = scanner.enclosed('(', ')').expect("it is closed");
        assert_eq!(fragment.text, "a(b[1], ')') == \"}\"");
        assert!(scanner.takes("->"));
    }

    #[test]
    fn what_does_not_stay_inside_is_refused() {
        for text in
            ["(a", "(a]", "({ return 1; })", "(a // b\n)", "(\n#pragma\n)", "(')", "(\"", "('\\", "(é"]
        {
            let mut scanner = Scanner::new("f", text);
            assert!(scanner.enclosed('(', ')').is_err(), "{text}");
        }
    }

    #[test]
    fn places_are_counted_from_one() {
        let mut scanner = Scanner::new("f", "a\n  b");
        assert_eq!(scanner.name("a"), Ok("a"));
        let at = scanner.here();
        assert_eq!(scanner.line_and_column(at), (2, 3));
    }
}
