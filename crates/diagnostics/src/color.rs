//! Colours of what is printed to stderr.

use std::sync::atomic::{AtomicBool, Ordering};

static COLORED: AtomicBool = AtomicBool::new(false);

/// What a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Something wrong.
    Error,
    /// Something to look at.
    Warning,
    /// Something right.
    Good,
    /// Something beside the point.
    Faint,
}

/// Whether texts are painted from now on; they are not until somebody says so.
pub fn use_colors(yes: bool) {
    COLORED.store(yes, Ordering::Relaxed);
}

/// A text in its colour.
pub fn painted(style: Style, text: &str) -> String {
    if !COLORED.load(Ordering::Relaxed) {
        return text.to_owned();
    }
    let code = match style {
        Style::Error => "1;31",
        Style::Warning => "1;33",
        Style::Good => "1;32",
        Style::Faint => "2",
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}
