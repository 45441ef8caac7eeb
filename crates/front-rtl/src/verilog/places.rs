//! Places as Yosys writes them, and the text that stands there.

use rustc_hash::FxHashMap;
use std::sync::Arc;
use tamis_design::Place;
use tamis_diagnostics::Diagnostic;

/// A part of a file: from a line and column to the column behind its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// The file, as Yosys knows it.
    pub file: String,
    /// The first line and column, from 1.
    pub start: (u32, u32),
    /// The last line and the column behind the last character.
    pub end: (u32, u32),
}

/// The range that a `src` attribute names: `file:3.5-3.9`. Of several, between bars, the last is where the thing itself stands;
/// those before it are the places of the modules' instances that it is in.
pub fn range(src: &str) -> Option<Range> {
    let src = src.rsplit('|').next()?;
    let (file, numbers) = src.rsplit_once(':')?;
    let (start, end) = numbers.split_once('-').unwrap_or((numbers, numbers));
    let point = |text: &str| -> Option<(u32, u32)> {
        let (line, column) = text.split_once('.').unwrap_or((text, "0"));
        Some((line.parse().ok()?, column.parse().ok()?))
    };
    let (start, end) = (point(start)?, point(end)?);
    (start.0 > 0).then(|| Range { file: file.to_owned(), start, end })
}

/// The user's files by the names that Yosys knows them by.
#[derive(Default)]
pub struct Sources {
    /// The user's name of a file that Yosys reads a copy of.
    names: FxHashMap<String, Arc<str>>,
    /// Lines of files, as far as they were asked for.
    lines: FxHashMap<Arc<str>, Vec<String>>,
}

impl Sources {
    /// `copy` is what Yosys reads in place of `file`.
    pub fn stands_for(&mut self, copy: &str, file: &str) {
        self.names.insert(copy.to_owned(), file.into());
    }

    /// The user's name of a file.
    pub fn name(&mut self, file: &str) -> Arc<str> {
        match self.names.get(file) {
            Some(name) => name.clone(),
            None => {
                let name: Arc<str> = file.strip_prefix("./").unwrap_or(file).into();
                self.names.insert(file.to_owned(), name.clone());
                name
            }
        }
    }

    /// The place at which a range starts.
    pub fn place(&mut self, range: &Range) -> Place {
        Place { file: self.name(&range.file), line: range.start.0, column: range.start.1 }
    }

    /// A line of a file.
    pub fn line(&mut self, file: &Arc<str>, line: u32) -> Option<&str> {
        let lines = self.lines.entry(file.clone()).or_insert_with(|| {
            let bytes = std::fs::read(&**file).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
        });
        lines.get((line as usize).checked_sub(1)?).map(String::as_str)
    }

    /// The text from a place to the end of its line, or of the range if that ends in the line.
    pub fn text(&mut self, range: &Range) -> Option<String> {
        let file = self.name(&range.file);
        let line = self.line(&file, range.start.0)?;
        let from = (range.start.1 as usize).checked_sub(1)?;
        let to = if range.end.0 == range.start.0 { range.end.1 as usize - 1 } else { usize::MAX };
        let text: String = line.chars().take(to).skip(from).collect();
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// A message about a place, with its line.
    pub fn diagnostic(&mut self, place: &Place, message: impl Into<String>) -> Diagnostic {
        let source_line = self.line(&place.file, place.line).map(str::to_owned);
        Diagnostic {
            file: place.file.to_string(),
            line: place.line,
            column: place.column,
            message: message.into(),
            source_line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Range, range};

    #[test]
    fn ranges_are_read() {
        let expected = Range { file: "a:b.sv".to_owned(), start: (3, 5), end: (4, 9) };
        assert_eq!(range("top.sv:1.2-1.3|a:b.sv:3.5-4.9"), Some(expected));
        assert_eq!(range("a.sv:0.0-0.0"), None);
        assert_eq!(range("nothing"), None);
    }
}
