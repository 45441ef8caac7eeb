//! The script's text, of which the latest part is kept to show where an error is.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

/// How much text is kept at least.
const KEPT: usize = 1 << 17;

/// A stream that remembers the text that was read last.
pub struct Source {
    inner: Box<dyn Read>,
    recent: Recent,
}

/// The text that was read last; clones share it.
#[derive(Clone, Default)]
pub struct Recent(Rc<RefCell<Tail>>);

#[derive(Default)]
struct Tail {
    bytes: Vec<u8>,
    /// How many lines ended before `bytes`.
    lines: u64,
    /// Whether `bytes` starts inside of a line.
    cut: bool,
}

impl Source {
    pub fn new(inner: Box<dyn Read>) -> Source {
        Source { inner, recent: Recent::default() }
    }

    pub fn recent(&self) -> Recent {
        self.recent.clone()
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        let mut tail = self.recent.0.borrow_mut();
        if tail.bytes.len() >= 2 * KEPT {
            let gone = tail.bytes.len() - KEPT;
            tail.lines += tail.bytes[..gone].iter().filter(|&&b| b == b'\n').count() as u64;
            tail.cut = tail.bytes[gone - 1] != b'\n';
            tail.bytes.drain(..gone);
        }
        tail.bytes.extend_from_slice(&buffer[..count]);
        Ok(count)
    }
}

impl Recent {
    /// The text of a line, if it is still there from its start.
    pub fn line(&self, number: u64) -> Option<String> {
        let tail = self.0.borrow();
        let index = number.checked_sub(tail.lines + 1)?;
        if index == 0 && tail.cut {
            return None;
        }
        let line = tail.bytes.split(|&b| b == b'\n').nth(usize::try_from(index).ok()?)?;
        Some(String::from_utf8_lossy(line).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_lines_are_kept() {
        let text = (1..=60_000).map(|n| format!("line {n}\n")).collect::<String>();
        let mut source = Source::new(Box::new(io::Cursor::new(text.into_bytes())));
        let recent = source.recent();
        let mut buffer = [0; 1000];
        while source.read(&mut buffer).expect("a read") > 0 {}
        assert_eq!(recent.line(60_000).as_deref(), Some("line 60000"));
        assert_eq!(recent.line(55_000).as_deref(), Some("line 55000"));
        assert_eq!(recent.line(1), None);
    }
}
