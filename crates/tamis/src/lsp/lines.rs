//! Lines of files as editors count them: from 0, in units of UTF-16.

use lsp_types::{Position, Range};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The lines of some files.
#[derive(Default)]
pub struct Lines {
    files: HashMap<PathBuf, Vec<String>>,
}

impl Lines {
    fn line(&mut self, file: &Path, line: u32) -> &str {
        let lines = self.files.entry(file.to_owned()).or_insert_with(|| {
            let bytes = std::fs::read(file).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
        });
        lines.get(line as usize).map_or("", String::as_str)
    }

    /// The text of a line; or, from a column on, the word there.
    pub fn range(&mut self, file: &Path, line: u32, column: Option<u32>) -> Range {
        let text = self.line(file, line);
        let indent = text.len() - text.trim_start().len();
        let (start, end) = match column.filter(|&column| column > 0) {
            Some(column) => {
                // Columns count characters from 1.
                let start = text.char_indices().nth(column as usize - 1).map_or(text.len(), |(at, _)| at);
                let word = text[start..].find(|c: char| !c.is_alphanumeric() && c != '_');
                let length = word.unwrap_or(text.len() - start);
                let one = text[start..].chars().next().map_or(0, char::len_utf8);
                (start, start + length.max(one))
            }
            None => (indent, text.trim_end().len().max(indent)),
        };
        let units = |bytes: usize| text[..bytes].encode_utf16().count() as u32;
        Range::new(Position::new(line, units(start)), Position::new(line, units(end)))
    }

    /// The end of a line.
    pub fn end(&mut self, file: &Path, line: u32) -> Position {
        Position::new(line, self.line(file, line).encode_utf16().count() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_in_units_of_utf16() {
        let name = format!("tamis-lines-{}.c", std::process::id());
        let file = std::env::temp_dir().join(name);
        std::fs::write(&file, "  /* 𝔸 */ int xs;  \nplain\n").expect("a file");
        let mut lines = Lines::default();
        let range = |from, to| Range::new(Position::new(0, from), Position::new(0, to));
        assert_eq!(lines.range(&file, 0, None), range(2, 18));
        assert_eq!(lines.range(&file, 0, Some(15)), range(15, 17));
        assert_eq!(lines.range(&file, 0, Some(900)), range(20, 20));
        assert_eq!(lines.end(&file, 1), Position::new(1, 5));
        assert_eq!(lines.end(&file, 7), Position::new(7, 0));
        std::fs::remove_file(file).expect("it was there");
    }
}
