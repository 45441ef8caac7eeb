//! C to control-flow automata.
//!
//! [`load`] reads a C file, has it preprocessed by the system's compiler, parses and types it, and translates what
//! `main` reaches into a [`Program`](tamis_program::Program) of guarded commands. The typed tree in between is
//! [`tree`]. What cannot be translated is refused with its place ([`Error`]); nothing is silently left out.
//!
//! # What a program means
//!
//! The meaning is that of gcc on x86 Linux with `-fwrapv`, in one of two [`DataModel`]s. Where C leaves a behaviour
//! undefined, the choice is made so that a proof holds for what the compiled program does.
//!
//! **Integers** are bit-vectors of their exact width. `_Bool` has 8 bits that hold 0 or 1, and converting to it
//! compares with 0. Enumerations are the integer type the compiler gives them. Signed arithmetic wraps, `-`, `++`,
//! `<<` and narrowing conversions included.
//!
//! **Division** by 0 and of the least value by -1 have no defined value. The machine traps, unless the compiler has
//! found a value of its own, as gcc does for `0 / x`. Both are covered: the execution goes on with an arbitrary value,
//! marked as approximated ([`Havoc::Approximated`]). Where the least value divided by -1 does not trap, it wraps: in a
//! division that is wider than the machine's, which is a library call, and by the constant -1.
//!
//! **Shifts** to the right keep the sign of a signed value. A shift by a negative amount, or by the width or more,
//! gives an arbitrary value, marked as approximated.
//!
//! **Order of evaluation** is from left to right, function arguments included. C leaves it open for most operators: an
//! expression where another order could give another value, or could reach a violation that this one does not, is
//! refused. What calls read and write is taken into account, through all that they call, and so are jumps out of a
//! statement expression.
//!
//! **Variables** that come into being without a value are arbitrary ([`Havoc::Uninitialised`]) each time their
//! declaration is reached or jumped past. Globals and `static` locals are initialised before `main`; a variable that
//! another translation unit defines starts arbitrary. `volatile` variables are refused.
//!
//! **Pointers** are their addresses: they are assigned, converted and compared. To a wider integer they extend their
//! sign, as gcc documents. Nothing is ever dereferenced, and no address of a variable is taken, so no two variables
//! share memory. String literals have arbitrary addresses, not null, and different ones at different places.
//!
//! **Calls** are expanded at each call site, with variables of their own. Recursion is refused, and so is an expansion
//! beyond two million edges. Falling off the end of a function gives an arbitrary result. Where a function that is
//! declared `noreturn` can return, the call is refused. A function with an assembler name is the one of that name.
//!
//! **Functions defined elsewhere** return an arbitrary value and change every variable with external linkage. As they
//! may do less, and not even return, every path through such a call is marked as approximated, whether or not anything
//! changes: a counterexample through it is not believed. One that is declared `noreturn` ends the execution. They are
//! taken not to call back into the program. These are known, unless the program defines them:
//!
//! | function | meaning |
//! | --- | --- |
//! | `reach_error`, `__VERIFIER_error` | the property is violated, even if they are defined |
//! | `__assert_fail`, `__assert_perror_fail`, `__assert` | the property is violated |
//! | `assert`, `__VERIFIER_assert` | the property is violated if the argument is 0 |
//! | `__VERIFIER_assume` | execution goes on only if the argument is not 0 |
//! | `__VERIFIER_nondet_…` | an input of the declared type; of `bool`, 0 or 1 |
//! | `abort`, `exit`, `_exit`, `_Exit` | the execution ends |
//! | `abs`, `labs`, `llabs`, `imaxabs` | the absolute value, which wraps |
//! | `printf`, `puts`, `putchar`, `fprintf`, `fputs`, `putc`, `fputc`, `fflush`, `perror` | output: nothing changes, but a use of the result is approximated |
//!
//! A label `ERROR` is a label like any other.
//!
//! **Not taken yet**, in code that `main` reaches: dereferencing, arrays, structs, unions, bit-fields, floating point,
//! function pointers, recursion, variable arguments, variable-length arrays, inline assembly, atomics, threads,
//! thread-local, weak and `volatile` variables, weak functions, vectors, complex numbers, `setjmp`, `alloca`,
//! `__builtin_unreachable`, computed `goto`, constructors, and brackets nested more than 256 deep. In the whole file:
//! a tag or an enumeration constant that an expression declares, as in `sizeof(enum { A })`.
//!
//! [`Havoc::Approximated`]: tamis_program::Havoc::Approximated
//! [`Havoc::Uninitialised`]: tamis_program::Havoc::Uninitialised

mod error;
mod lines;
mod load;
mod options;
mod preprocess;
mod rucc;
mod translate;
pub mod tree;

pub use error::{Diagnostic, Error};
pub use load::{load, parse, translate_source};
pub use options::{DataModel, Options};
