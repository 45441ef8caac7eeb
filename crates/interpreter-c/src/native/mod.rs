//! Counterexamples once more, as executions of the compiled program.
//!
//! [`harness`](harness()) writes a C file that gives a program the inputs of a violation; [`replay_natively`] has the
//! system's compiler make an executable of both, and runs it in a [`sandbox`]. That the machine comes to the violation
//! is evidence that shares nothing with Tamis but the inputs.

mod compile;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod filter;
mod harness;
mod memory;
mod sandbox;

pub use harness::{Harness, NoHarness, harness};

use crate::interpreter::Undefined;
use std::fmt;
use std::path::Path;
use std::time::Duration;
use tamis_front_c::Preprocessed;

/// The statuses that a harness ends the program with.
const VIOLATION: i32 = 101;
const ASSUMPTION: i32 = 102;
const OUT_OF_INPUTS: i32 = 103;
const MISSING: i32 = 104;
/// And the address sanitizer.
const MEMORY: i32 = 105;

/// How the compiled program behaved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Native {
    /// It came to the violation.
    Confirmed,
    /// It did something else.
    Differs(String),
    /// It could not be compiled, or not be run here.
    Impossible(String),
}

impl fmt::Display for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Native::Confirmed => write!(f, "the compiled program comes to the violation"),
            Native::Differs(how) => write!(f, "the compiled program {how}"),
            Native::Impossible(why) => write!(f, "no native replay: {why}"),
        }
    }
}

/// What bounds a native run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NativeLimits {
    /// How long the compiler and the program may take, each.
    pub time: Duration,
    /// How many bytes of addresses the program may use.
    pub memory: u64,
}

impl Default for NativeLimits {
    fn default() -> NativeLimits {
        NativeLimits { time: Duration::from_secs(60), memory: 4 << 30 }
    }
}

/// Compiles the program and its [`harness`](harness()), and runs it with so many arguments for `main`. The violation is
/// undefined behaviour of one of the `wanted` kinds, if there are any.
///
/// ```
/// use std::time::Duration;
/// use tamis_interpreter_c::{Harness, Native, NativeLimits, replay_natively};
/// use tamis_front_c::Preprocessed;
/// let text = "void reach_error(void); int __VERIFIER_nondet_int(void);
///     int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }";
/// let program = [Preprocessed { name: "seven.i".to_owned(), text: text.to_owned() }];
/// let harness = |input: i32| {
///     let text = format!("int __VERIFIER_nondet_int(void) {{ return {input}; }}
///         void _exit(int); void reach_error(void) {{ _exit(101); }}");
///     Harness { text, options: Vec::new() }
/// };
/// let run = |input| replay_natively(&program, &harness(input), &[], 0, NativeLimits::default());
/// match run(7) {
///     Native::Impossible(_) => {} // there is no compiler, or no sandbox
///     seven => assert_eq!((seven, run(8)), (Native::Confirmed, Native::Differs("ends with status 0".to_owned()))),
/// }
/// ```
pub fn replay_natively(
    program: &[Preprocessed],
    harness: &Harness,
    wanted: &[Undefined],
    arguments: usize,
    limits: NativeLimits,
) -> Native {
    let attempt = || -> Result<Native, String> {
        let folder = compile::Folder::new()?;
        let (executable, compiled) = compile::compile(&folder, program, harness, limits.time)?;
        // The sanitizer takes terabytes of addresses, of which it uses few.
        let addresses = (compiled != Compiled::Checked).then_some(limits.memory);
        let ending = sandbox::run(&executable, arguments, limits, addresses)?;
        Ok(match (judge(ending, wanted), compiled) {
            (Native::Confirmed, _) => Native::Confirmed,
            (_, Compiled::Unchecked) => Native::Impossible(
                "the C compiler has no address sanitizer, by which it would show".to_owned(),
            ),
            (native, _) => native,
        })
    };
    attempt().unwrap_or_else(Native::Impossible)
}

/// What was compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Compiled {
    /// The program as it is.
    Plain,
    /// With the address sanitizer.
    Checked,
    /// Without it, though it is wanted: the compiler has none.
    Unchecked,
}

/// Whether the address sanitizer sees a behaviour.
fn is_of_memory(kind: Undefined) -> bool {
    matches!(
        kind,
        Undefined::OutOfBounds
            | Undefined::Dangling
            | Undefined::UseAfterFree
            | Undefined::DoubleFree
            | Undefined::InvalidFree
            | Undefined::Overlap
    )
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    Status(i32),
    Signal(i32),
    Timeout,
}

fn judge(ending: Ending, wanted: &[Undefined]) -> Native {
    let trapped = |signal| wanted.iter().any(|kind| signals(*kind).contains(&signal));
    match ending {
        Ending::Status(VIOLATION) if wanted.is_empty() => Native::Confirmed,
        Ending::Status(MEMORY) if wanted.iter().any(|&kind| is_of_memory(kind)) => Native::Confirmed,
        Ending::Status(ASSUMPTION) => Native::Differs("violates an assumption".to_owned()),
        Ending::Status(OUT_OF_INPUTS) => Native::Differs("asks for more inputs".to_owned()),
        Ending::Status(MISSING) => Native::Impossible("the program calls what has no body".to_owned()),
        Ending::Status(status) if wanted.is_empty() => Native::Differs(format!("ends with status {status}")),
        Ending::Status(_)
            if wanted.iter().all(|kind| matches!(kind, Undefined::Lost | Undefined::NotFreed)) =>
        {
            Native::Impossible("what memory is left behind does not show".to_owned())
        }
        // What has no defined behaviour may be compiled to anything, and `x + 1 < 0` is `x < -1` for a compiler.
        Ending::Status(_) => {
            Native::Impossible("the compiler gives the violation another meaning".to_owned())
        }
        Ending::Signal(signal) if trapped(signal) => Native::Confirmed,
        Ending::Signal(signal) => Native::Differs(format!("is ended by signal {signal}")),
        Ending::Timeout => Native::Differs("does not end in time".to_owned()),
    }
}

/// The signals by which a behaviour shows, in a program that is [compiled](compile::sanitizers) to trap on it.
fn signals(kind: Undefined) -> &'static [i32] {
    const ILLEGAL: i32 = 4;
    const TRAP: i32 = 5;
    const ABORT: i32 = 6;
    const ARITHMETIC: i32 = 8;
    const SEGMENT: i32 = 11;
    match kind {
        Undefined::SignedOverflow | Undefined::ShiftOutOfRange => &[ILLEGAL, TRAP],
        Undefined::DivisionByZero | Undefined::DivisionOverflow => &[ILLEGAL, TRAP, ARITHMETIC],
        Undefined::NullAccess => &[ILLEGAL, TRAP, SEGMENT],
        // What happens depends on what is in memory there; the C library may notice.
        Undefined::OutOfBounds
        | Undefined::Dangling
        | Undefined::UseAfterFree
        | Undefined::DoubleFree
        | Undefined::InvalidFree
        | Undefined::InvalidCall => &[ILLEGAL, TRAP, ABORT, SEGMENT],
        _ => &[],
    }
}

/// A path as the compiler takes it.
fn text(path: &Path) -> Result<&str, String> {
    path.to_str().ok_or_else(|| "the folder for temporary files has no name in UTF-8".to_owned())
}
