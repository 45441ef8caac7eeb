//! The script's text, and how a line of it is found again to show where an error is.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// How much text of a stream is kept at least.
const KEPT: usize = 1 << 17;

/// No more of a line is read again.
const MAX_LINE: u64 = 1 << 24;

/// A script that is read.
pub struct Source {
    inner: Box<dyn Read>,
    text: Text,
}

/// Where a line can be found again; clones share it.
#[derive(Clone)]
pub enum Text {
    /// In a file, which can be read again.
    File(PathBuf),
    /// In a stream: the text that was read last.
    Recent(Rc<RefCell<Tail>>),
}

#[derive(Default)]
pub struct Tail {
    bytes: Vec<u8>,
    /// How many lines ended before `bytes`.
    lines: u64,
    /// Whether `bytes` starts inside of a line.
    cut: bool,
}

impl Source {
    /// Opens a script, or standard input for `-`.
    pub fn open(file: &Path) -> io::Result<Source> {
        if file == Path::new("-") {
            return Ok(Source::stream(Box::new(io::stdin())));
        }
        let opened = File::open(file)?;
        let metadata = opened.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        if !metadata.is_file() {
            return Ok(Source::stream(Box::new(opened)));
        }
        Ok(Source { inner: Box::new(opened), text: Text::File(file.to_owned()) })
    }

    /// What can be read only once.
    pub fn stream(inner: Box<dyn Read>) -> Source {
        Source { inner, text: Text::Recent(Rc::default()) }
    }

    pub fn text(&self) -> Text {
        self.text.clone()
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        if let Text::Recent(tail) = &self.text {
            tail.borrow_mut().extend(&buffer[..count]);
        }
        Ok(count)
    }
}

impl Tail {
    fn extend(&mut self, read: &[u8]) {
        if self.bytes.len() >= 2 * KEPT {
            let gone = self.bytes.len() - KEPT;
            self.lines += self.bytes[..gone].iter().filter(|&&b| b == b'\n').count() as u64;
            self.cut = self.bytes[gone - 1] != b'\n';
            self.bytes.drain(..gone);
        }
        self.bytes.extend_from_slice(read);
    }

    fn line(&self, number: u64) -> Option<Vec<u8>> {
        let index = number.checked_sub(self.lines + 1)?;
        if index == 0 && self.cut {
            return None;
        }
        let line = self.bytes.split(|&b| b == b'\n').nth(usize::try_from(index).ok()?)?;
        Some(line.to_vec())
    }
}

impl Text {
    /// The text of a line, if it can still be found from its start.
    pub fn line(&self, number: u64) -> Option<String> {
        let line = match self {
            Text::Recent(tail) => tail.borrow().line(number)?,
            Text::File(path) => line_of(path, number)?,
        };
        Some(String::from_utf8_lossy(&line).into_owned())
    }
}

/// A line of a file, or its beginning if it is very long.
fn line_of(path: &Path, number: u64) -> Option<Vec<u8>> {
    let mut file = BufReader::new(File::open(path).ok()?);
    for _ in 1..number {
        file.skip_until(b'\n').ok()?;
    }
    let mut line = Vec::new();
    file.take(MAX_LINE).read_until(b'\n', &mut line).ok()?;
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_lines_are_kept() {
        let text = (1..=60_000).map(|n| format!("line {n}\n")).collect::<String>();
        let mut source = Source::stream(Box::new(io::Cursor::new(text.into_bytes())));
        let recent = source.text();
        let mut buffer = [0; 1000];
        while source.read(&mut buffer).expect("a read") > 0 {}
        assert_eq!(recent.line(60_000).as_deref(), Some("line 60000"));
        assert_eq!(recent.line(55_000).as_deref(), Some("line 55000"));
        assert_eq!(recent.line(1), None);
    }

    #[test]
    fn lines_of_files_are_found_again() {
        let path = std::env::temp_dir().join(format!("tamis-lines-{}.smt2", std::process::id()));
        let long = "x".repeat(2 * KEPT);
        std::fs::write(&path, format!("one\ntwo\n{long}\nlast")).expect("a file");
        let text = Source::open(&path).expect("the file").text();
        let lines = [1, 2, 3, 4, 5].map(|number| text.line(number));
        std::fs::remove_file(&path).expect("the file");
        let expected = ["one", "two", &long, "last", ""];
        assert_eq!(lines.each_ref().map(Option::as_deref), expected.map(Some));
        assert_eq!(text.line(1), None);
    }
}
