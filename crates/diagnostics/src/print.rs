//! Messages about the user's files, with file, line and caret.

use crate::Diagnostic;
use crate::color::{Style, painted};
use std::io::Write;

/// Prints a line to stderr. Where that is full, there is nobody to tell.
macro_rules! line {
    ($($said:tt)*) => {{
        let _ = writeln!(std::io::stderr().lock(), $($said)*);
    }};
}

/// Prints `severity: message`, the place, and the source line with a caret under it.
pub fn print(severity: &str, d: &Diagnostic) {
    line!("{}: {}", painted(Style::Error, severity), d.message);
    if d.line == 0 {
        if !d.file.is_empty() {
            line!("  --> {}", d.file);
        }
        return;
    }
    line!("  --> {}:{}:{}", d.file, d.line, d.column);
    let Some(source) = &d.source_line else { return };
    let (source, column) = clip(source.trim_end(), d.column as usize);
    let number = d.line.to_string();
    let margin = " ".repeat(number.len());
    line!(" {margin} |");
    line!(" {number} | {source}");
    if column > 0 {
        // Tabs before the caret are kept, so that it stands under its character.
        let before: String =
            source.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        line!(" {margin} | {before}{}", painted(Style::Error, "^"));
    }
}

/// The part of a long line around a column, and the column in it.
fn clip(line: &str, column: usize) -> (String, usize) {
    const WIDTH: usize = 120;
    let length = line.chars().count();
    if length <= WIDTH {
        return (line.to_owned(), column);
    }
    let start = column.saturating_sub(WIDTH / 2).min(length - WIDTH);
    let part: String = line.chars().skip(start).take(WIDTH).collect();
    (part, column.saturating_sub(start))
}
