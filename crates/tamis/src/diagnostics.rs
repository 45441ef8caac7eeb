//! Messages about the user's files, with file, line and caret.

use tamis_front_c::Diagnostic;

/// Prints `severity: message`, the place, and the source line with a caret under it.
pub fn print(severity: &str, d: &Diagnostic) {
    eprintln!("{severity}: {}", d.message);
    if d.line == 0 {
        if !d.file.is_empty() {
            eprintln!("  --> {}", d.file);
        }
        return;
    }
    eprintln!("  --> {}:{}:{}", d.file, d.line, d.column);
    let Some(source) = &d.source_line else { return };
    let number = d.line.to_string();
    let margin = " ".repeat(number.len());
    eprintln!(" {margin} |");
    eprintln!(" {number} | {}", source.trim_end());
    if d.column > 0 {
        // Tabs before the caret are kept, so that it stands under its character.
        let before: String =
            source.chars().take(d.column as usize - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        eprintln!(" {margin} | {before}^");
    }
}
