//! What is said, and by whom: the run and the watchdog share one standard output.

use crate::verdict::ExitStatus;
use std::io::Write;
use std::sync::Mutex;

/// Standard output, and what is still to be said on it.
#[derive(Default)]
pub struct Output {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Whether a check waits for its answer.
    asked: bool,
    /// Whether nothing may be said any more.
    ended: bool,
}

impl Output {
    /// Prints a line at once: whoever sends commands waits for it. `false` if nobody reads it.
    pub fn line(&self, text: &str) -> bool {
        match self.state.lock() {
            Ok(state) if !state.ended => write_line(text).is_ok(),
            _ => false,
        }
    }

    /// Notes that a check has begun.
    pub fn ask(&self) {
        if let Ok(mut state) = self.state.lock() {
            state.asked = true;
        }
    }

    /// The answer of the check that has begun.
    pub fn answer(&self, text: &str) {
        if let Ok(mut state) = self.state.lock()
            && !state.ended
        {
            state.asked = false;
            // A reader that has gone away has no use for answers; the exit code still tells it.
            let _ = write_line(text);
        }
    }

    /// An error, as SMT-LIB has it.
    pub fn error(&self, message: &str) {
        self.line(&format!("(error {})", string(message)));
    }

    /// Reports a bug of ours.
    pub fn internal_error(&self, message: &str) -> ExitStatus {
        eprintln!("internal error: {message}");
        self.error(&format!("internal error: {message}"));
        ExitStatus::Internal
    }

    /// The end, in place of a run that does not come to it; `false` if it has.
    pub fn give_up(&self, reason: &str) -> bool {
        let Ok(mut state) = self.state.lock() else { return true };
        if state.ended {
            return false;
        }
        state.ended = true;
        if state.asked {
            let _ = write_line("unknown");
        }
        eprintln!("unknown: {reason}");
        true
    }

    /// The end of the run; with the watchdog's status if that came first.
    pub fn end(&self, status: ExitStatus) -> ExitStatus {
        match self.state.lock() {
            Ok(mut state) if !state.ended => {
                state.ended = true;
                status
            }
            Ok(_) => ExitStatus::Unknown,
            Err(_) => status,
        }
    }
}

fn write_line(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let done = writeln!(out, "{text}").and_then(|()| out.flush());
    if let Err(e) = &done {
        crate::output::wrote("stdout", Err(std::io::Error::from(e.kind())));
    }
    done
}

/// A string literal of SMT-LIB, in which two quotes stand for one.
pub fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// A symbol as it is written in scripts. Unlike the printer of terms, this never changes the name of what the script
/// has declared, whatever operator the name hides.
pub fn symbol(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let reserved = ["_", "!", "as", "let", "forall", "exists", "match", "par", "lambda"].contains(&name)
        || ["BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING"].contains(&name);
    let plain = !name.is_empty()
        && !reserved
        && name.chars().all(simple)
        && !name.starts_with(|c: char| c.is_ascii_digit());
    if plain { name.to_owned() } else { format!("|{name}|") }
}
