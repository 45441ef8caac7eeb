//! The bytes of a file, with their places.

use tamis_diagnostics::{Diagnostic, Error};

/// What is left of a file.
pub struct Text<'a> {
    file: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Text<'a> {
    /// A file.
    pub fn new(file: &'a str, bytes: &'a [u8]) -> Text<'a> {
        Text { file, bytes, at: 0 }
    }

    /// Where it is read.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Whether nothing is left.
    pub fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// Takes this, if it is next.
    pub fn take(&mut self, what: &str) -> bool {
        let is = self.bytes[self.at..].starts_with(what.as_bytes());
        self.at += if is { what.len() } else { 0 };
        is
    }

    /// The next byte.
    pub fn byte(&mut self) -> Result<u8, Error> {
        let byte =
            self.bytes.get(self.at).copied().ok_or_else(|| self.error(self.at, "the file ends here"))?;
        self.at += 1;
        Ok(byte)
    }

    /// A number.
    pub fn number(&mut self, what: &str) -> Result<usize, Error> {
        let start = self.at;
        let digits = self.bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
        let text = std::str::from_utf8(&self.bytes[start..start + digits]).unwrap_or_default();
        let Ok(number) = text.parse() else {
            return Err(self.error(start, &format!("{what} is expected here")));
        };
        self.at += digits;
        Ok(number)
    }

    /// A blank.
    pub fn blank(&mut self) -> Result<(), Error> {
        if self.take(" ") { Ok(()) } else { Err(self.error(self.at, "a blank is expected here")) }
    }

    /// The end of a line, or of the file.
    pub fn line_end(&mut self) -> Result<(), Error> {
        if self.take("\n") || self.take("\r\n") || self.is_at_end() {
            return Ok(());
        }
        Err(self.error(self.at, "the line is expected to end here"))
    }

    /// The rest of the line.
    pub fn line(&mut self) -> String {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        self.at += (length + 1).min(rest.len());
        String::from_utf8_lossy(&rest[..length]).trim_end_matches('\r').to_owned()
    }

    /// An error at a byte.
    pub fn error(&self, at: usize, message: &str) -> Error {
        let before = &self.bytes[..at.min(self.bytes.len())];
        let line = before.iter().filter(|&&b| b == b'\n').count();
        let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        let rest = &self.bytes[start..];
        let text = &rest[..rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len())];
        // The gates of a binary file are no text.
        let printable = text.iter().all(|b| !b.is_ascii_control() || *b == b'\r' || *b == b'\t');
        Error::Unreadable(Diagnostic {
            file: self.file.to_owned(),
            line: line as u32 + 1,
            column: (before.len() - start) as u32 + 1,
            message: message.to_owned(),
            source_line: printable.then(|| String::from_utf8_lossy(text).into_owned()),
        })
    }
}
