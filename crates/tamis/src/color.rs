//! Colours for people who read on a terminal.

use clap::ValueEnum;
use std::io::IsTerminal;
use tamis_diagnostics::{Style, painted, use_colors};

/// When stderr is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// Takes effect for all that is printed from now on. stdout is for machines and has no colours.
    pub fn choose(self) {
        use_colors(match self {
            Color::Auto => {
                std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
            }
            Color::Always => true,
            Color::Never => false,
        });
    }
}

/// Good news.
pub fn good(text: &str) -> String {
    painted(Style::Good, text)
}

/// Bad news.
pub fn bad(text: &str) -> String {
    painted(Style::Error, text)
}

/// What deserves a look.
pub fn warning(text: &str) -> String {
    painted(Style::Warning, text)
}

/// What is less important than what stands before it.
pub fn faint(text: &str) -> String {
    painted(Style::Faint, text)
}
