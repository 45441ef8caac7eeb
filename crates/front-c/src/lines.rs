//! Where a byte of preprocessed text was in the user's files.

use crate::tree::Position;
use tamis_diagnostics::Diagnostic;

/// The lines of a preprocessed text and the line markers between them.
#[derive(Debug)]
pub(crate) struct Lines {
    text: String,
    /// The byte each physical line starts at.
    starts: Vec<u32>,
    /// From which physical line on (from 0) which file and presumed line number hold.
    segments: Vec<(u32, u32, u32)>,
    files: Vec<String>,
    /// The texts of the units that are linked to this one.
    more: Vec<Lines>,
}

impl Lines {
    /// Reads the line markers (`# 12 "file.c"` and `#line 12 "file.c"`) of a text.
    ///
    /// The second part is the text for the lexer: each marker, and what `cc -E -dD` leaves of `#define`, has become
    /// blanks, so that every byte stays where it was.
    pub(crate) fn new(name: &str, text: &str) -> (Lines, Vec<u8>) {
        let mut lines = Lines {
            text: text.to_owned(),
            starts: Vec::new(),
            segments: vec![(0, 0, 1)],
            files: vec![name.to_owned()],
            more: Vec::new(),
        };
        let mut bytes = text.as_bytes().to_vec();
        let mut start = 0;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            lines.starts.push(start as u32);
            if let Some(directive) = line.trim_start().strip_prefix('#') {
                let marker = marker(directive);
                if let Some((next, file)) = &marker {
                    let file = match file {
                        Some(file) => lines.file(file),
                        None => lines.segments.last().map_or(0, |s| s.1),
                    };
                    lines.segments.push((number as u32 + 1, file, *next));
                }
                if marker.is_some() || is_left_over(directive) {
                    let end = start + line.trim_end_matches(['\n', '\r']).len();
                    bytes[start..end].fill(b' ');
                }
            }
            start += line.len();
        }
        (lines, bytes)
    }

    fn file(&mut self, name: &str) -> u32 {
        let index = self.files.iter().position(|f| f == name).unwrap_or_else(|| {
            self.files.push(name.to_owned());
            self.files.len() - 1
        });
        index as u32
    }

    /// Adds the text of a unit that is linked after all there are.
    pub(crate) fn append(&mut self, other: Lines) {
        self.more.push(other);
    }

    /// The names of the files, in the order of [`Position::file`].
    pub(crate) fn files(&self) -> &[String] {
        &self.files
    }

    /// The place of a byte in the user's files.
    pub(crate) fn position(&self, byte: u32) -> Position {
        let physical = self.physical(byte);
        let segment = self.segments.partition_point(|s| s.0 <= physical).saturating_sub(1);
        let (from, file, line) = self.segments[segment];
        let start = self.starts.get(physical as usize).copied().unwrap_or(0);
        Position {
            file,
            line: line.saturating_add(physical - from),
            column: byte.saturating_sub(start).saturating_add(1),
        }
    }

    /// The byte at a place where something stands, if the text has it: of a line that comes several times, the first.
    pub(crate) fn byte(&self, at: Position) -> Option<usize> {
        self.physical_lines(at).find_map(|physical| {
            let start = *self.starts.get(physical as usize)? as usize;
            let end = self.starts.get(physical as usize + 1).map_or(self.text.len(), |&next| next as usize);
            let byte = start + at.column.checked_sub(1)? as usize;
            let here = self.text.get(byte..end)?.chars().next()?;
            (!here.is_whitespace()).then_some(byte)
        })
    }

    /// A line may come several times, as a header's can.
    fn physical_lines(&self, at: Position) -> impl Iterator<Item = u32> {
        self.segments.iter().enumerate().filter_map(move |(i, &(from, file, line))| {
            let physical = from + at.line.checked_sub(line)?;
            let end = self.segments.get(i + 1).map_or(self.starts.len() as u32, |s| s.0);
            (file == at.file && physical < end).then_some(physical)
        })
    }

    fn physical(&self, byte: u32) -> u32 {
        self.starts.partition_point(|&s| s <= byte).saturating_sub(1) as u32
    }

    /// A message about a place, with the text of its line.
    pub(crate) fn diagnostic_at(&self, mut at: Position, message: String) -> Diagnostic {
        let mut texts = std::iter::once(self).chain(&self.more).peekable();
        while let Some(lines) = texts.next() {
            let files = lines.files.len() as u32;
            if at.file < files || texts.peek().is_none() {
                return lines.own_diagnostic(at, message);
            }
            at.file -= files;
        }
        Diagnostic::about_file("", message)
    }

    fn own_diagnostic(&self, at: Position, message: String) -> Diagnostic {
        let source_line =
            self.physical_lines(at).next().and_then(|p| self.text.lines().nth(p as usize)).map(str::to_owned);
        let file = self.files.get(at.file as usize).cloned().unwrap_or_default();
        Diagnostic { file, line: at.line, column: at.column, message, source_line }
    }

    /// A message about a byte, with the text of its line.
    pub(crate) fn diagnostic(&self, byte: u32, message: String) -> Diagnostic {
        let at = self.position(byte.min(self.text.len() as u32));
        let physical = self.physical(byte) as usize;
        let source_line = self.text.lines().nth(physical).map(str::to_owned);
        Diagnostic {
            file: self.files[at.file as usize].clone(),
            line: at.line,
            column: at.column,
            message,
            source_line,
        }
    }
}

/// The line number and file of a line marker, given what follows the `#`.
fn marker(directive: &str) -> Option<(u32, Option<String>)> {
    let rest = directive.trim_start();
    let rest = rest.strip_prefix("line").map_or(rest, str::trim_start);
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let line = rest[..digits].parse().ok()?;
    Some((line, quoted(rest[digits..].trim_start())))
}

/// The text of a string literal that a line marker names a file with.
fn quoted(text: &str) -> Option<String> {
    let mut name = String::new();
    let mut chars = text.strip_prefix('"')?.chars();
    loop {
        match chars.next()? {
            '"' => return Some(name),
            '\\' => name.push(chars.next()?),
            c => name.push(c),
        }
    }
}

/// A text without its line markers: every byte stays where it was.
pub(crate) fn without_markers(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.trim_start().strip_prefix('#').and_then(marker) {
            Some(_) => {
                plain.extend(line.bytes().map(|b| if b == b'\n' || b == b'\r' { b as char } else { ' ' }))
            }
            None => plain.push_str(line),
        }
    }
    plain
}

/// Whether a directive may stand in preprocessed text without a meaning there.
fn is_left_over(directive: &str) -> bool {
    let word = directive.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
    matches!(word, "" | "define" | "undef" | "ident" | "sccs")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_follow_the_markers() {
        let text = "int a;\n# 40 \"dir/we\\\"ird.c\" 1\nint b;\n  int c;\n#line 7\nint d;\n";
        let (lines, bytes) = Lines::new("x.i", text);
        assert_eq!(bytes.len(), text.len());
        assert!(!bytes.contains(&b'#'));
        let at = |needle: &str| {
            let p = lines.position(text.find(needle).unwrap() as u32);
            (lines.files()[p.file as usize].clone(), p.line, p.column)
        };
        assert_eq!(at("int a"), ("x.i".into(), 1, 1));
        assert_eq!(at("int b"), ("dir/we\"ird.c".into(), 40, 1));
        assert_eq!(at("int c"), ("dir/we\"ird.c".into(), 41, 3));
        assert_eq!(at("int d"), ("dir/we\"ird.c".into(), 7, 1));
    }

    #[test]
    fn pragmas_stay() {
        let (_, bytes) = Lines::new("x.i", "#pragma pack(1)\nint a;");
        assert!(bytes.starts_with(b"#pragma"));
    }
}
