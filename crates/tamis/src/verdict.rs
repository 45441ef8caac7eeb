//! Verdicts and exit codes: one vocabulary, in one place.

use std::fmt;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// How the process ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitStatus {
    /// The property holds.
    True = 0,
    /// The property is violated.
    False = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The property is neither proved nor refuted.
    Unknown = 3,
    /// The input cannot be read.
    Unreadable = 4,
    /// A bug in Tamis: an internal error, or evidence that failed its check.
    Internal = 5,
    /// Something that was asked for cannot be written.
    Unwritten = 6,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

/// The answer of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The property holds, and the proof was checked.
    True,
    /// The property is violated, and the counterexample was replayed.
    False(String),
    /// Neither, for the given reason.
    Unknown(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::True => write!(f, "true"),
            Verdict::False(property) => write!(f, "false({property})"),
            Verdict::Unknown(reason) => write!(f, "unknown({reason})"),
        }
    }
}

static ANSWERED: AtomicBool = AtomicBool::new(false);

impl Verdict {
    /// Prints the verdict as the last line of stdout, after what `before` has to say; `false` if another thread has
    /// printed one.
    pub fn announce(&self, before: impl FnOnce()) -> bool {
        if ANSWERED.swap(true, Ordering::SeqCst) {
            return false;
        }
        before();
        // A reader that has gone away has no use for the verdict; the exit code still tells it.
        println!("VERDICT: {self}");
        true
    }
}
