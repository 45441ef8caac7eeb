//! The words of a line, with their places.

use tamis_diagnostics::{Diagnostic, Error};

/// What is left of a line.
pub struct Fields<'a> {
    file: &'a str,
    line: u32,
    text: &'a str,
    at: usize,
}

/// A word and the column it starts at, from 1.
pub type Word<'a> = (&'a str, u32);

impl<'a> Fields<'a> {
    /// The words of a line, without its comment.
    pub fn new(file: &'a str, line: u32, text: &'a str) -> Fields<'a> {
        Fields { file, line, text, at: 0 }
    }

    /// The next word, if there is one. What starts with `;` is a comment and ends the line.
    pub fn next(&mut self) -> Option<Word<'a>> {
        let rest = &self.text[self.at..];
        let start = self.at + (rest.len() - rest.trim_start().len());
        let rest = &self.text[start..];
        if rest.is_empty() || rest.starts_with(';') {
            self.at = self.text.len();
            return None;
        }
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at = start + length;
        Some((&rest[..length], start as u32 + 1))
    }

    /// The next word.
    pub fn word(&mut self, what: &str) -> Result<Word<'a>, Error> {
        let end = self.text.trim_end().len() as u32 + 1;
        self.next().ok_or_else(|| self.error(end, format!("{what} is missing")))
    }

    /// The next word, as a number.
    pub fn number(&mut self, what: &str) -> Result<(u64, u32), Error> {
        let (word, column) = self.word(what)?;
        let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        match word.parse() {
            Ok(number) if digits => Ok((number, column)),
            _ => Err(self.error(column, format!("{what} is to be a number, not `{word}`"))),
        }
    }

    /// The name at the line's end, if there is one, and nothing after it.
    pub fn name(&mut self) -> Result<Option<String>, Error> {
        let name = self.next().map(|(name, _)| name.to_owned());
        match self.next() {
            None => Ok(name),
            Some((word, column)) => Err(self.error(column, format!("the line ends before `{word}`"))),
        }
    }

    /// The column of the next word, or of the line's end.
    pub fn column(&self) -> u32 {
        let rest = &self.text[self.at..];
        (self.at + (rest.len() - rest.trim_start().len())) as u32 + 1
    }

    /// An error in a column of this line.
    pub fn error(&self, column: u32, message: impl Into<String>) -> Error {
        Error::Unreadable(self.diagnostic(column, message))
    }

    /// A message about a column of this line, counted in bytes here and in characters there.
    pub fn diagnostic(&self, column: u32, message: impl Into<String>) -> Diagnostic {
        let before = self.text.get(..column as usize - 1).map_or(column, |t| t.chars().count() as u32 + 1);
        Diagnostic {
            file: self.file.to_owned(),
            line: self.line,
            column: before,
            message: message.into(),
            source_line: Some(self.text.to_owned()),
        }
    }
}
