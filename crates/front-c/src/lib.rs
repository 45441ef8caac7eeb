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
//! expression where another order could give another value of a variable, or could reach a violation that this one
//! does not, is refused. What calls read and write is taken into account, through all that they call, and so are jumps
//! out of a statement expression. Where operands meet in memory, which is known by regions only, the order is kept as
//! gcc takes it: what stands on the left is read before what stands on the right is called.
//!
//! **Variables** that come into being without a value are arbitrary ([`Havoc::Uninitialised`]) each time their
//! declaration is reached or jumped past. Globals and `static` locals are initialised before `main`; a variable that
//! another translation unit defines starts arbitrary. `volatile` variables are variables like any other: nothing runs
//! beside the program.
//!
//! **Memory.** A scalar variable whose address is never taken is a variable of the program. All else is in memory,
//! which is split into regions by a points-to analysis, each an array indexed by address; a region of few places becomes
//! as many variables. Objects of different regions never share a byte. An access through a null pointer ends the
//! execution, as the machine's trap does. An access beyond an object, or to one that is no more, is undefined and not
//! covered: it reads and writes the region's array at that address, where no object is, or one of the region's few
//! places. `malloc` and the like do not fail, and each block is new. A union, or memory that is accessed at different
//! widths, is made of bytes, the lowest first.
//!
//! **Addresses** are numbers, and objects have fixed ones, apart from each other. To a wider integer they extend their
//! sign, as gcc documents. A conversion of an address to an integer that would show where objects are is approximated,
//! but for 0; testing for null, comparing for equality and converting back are exact.
//!
//! **Floating-point numbers** are loaded, stored, negated and tested for 0 by their bits. Arithmetic, comparisons and
//! conversions give arbitrary values, marked as approximated.
//!
//! **Calls through pointers** go to the functions of the same type that the points-to analysis finds. Where the pointer
//! may come from another translation unit, it may also be an unknown function; any other address ends the execution.
//!
//! **Calls** are expanded at each call site, with variables of their own. Recursion is unfolded to a depth of at most
//! 16, less where that would be large; a call below it may do all that its cycle of functions may, marked as
//! approximated, and so may calls in a program that would have more than two million edges. Falling off the end of a
//! function gives an arbitrary result. Where a function that is declared `noreturn` can return, the call is refused. A
//! function with an assembler name is the one of that name.
//!
//! **Functions defined elsewhere** return an arbitrary value and change every variable with external linkage and all
//! memory that can be reached from there or from their arguments. As they may do less, and not even return, every path
//! through such a call is marked as approximated, whether or not anything changes: a counterexample through it is not
//! believed. One that is declared `noreturn` ends the execution. They may call each function that an argument is, any
//! number of times, but are taken not to call one that they could only find in memory (a table of handlers that is passed
//! by pointer) or by its name; and to return pointers to memory of their own or to what an argument of the same type
//! points to. These are known, unless the program defines them:
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
//! | `malloc`, `calloc`, `realloc`, `alloca`, `aligned_alloc`, `memalign`, `valloc` | new memory; the contents after `realloc` are approximated |
//! | `free` | nothing |
//! | `memcpy`, `memmove`, `mempcpy`, `memset` | memory is copied or filled |
//! | `strlen`, `strcpy`, `strcmp`, `strchr`, `memcmp`, `isdigit`, … | what their definitions in `src/library` do |
//! | `printf`, `puts`, `putchar`, `fprintf`, `fputs`, `putc`, `fputc`, `fflush`, `perror` | output: nothing changes, but a use of the result is approximated |
//!
//! In a program that calls none of the first three kinds, reaching a label `ERROR` violates the property.
//!
//! **Inline assembly** makes what its operands name arbitrary, marked as approximated, and so are variable arguments.
//!
//! **Not taken yet**, in code that `main` reaches: threads, signal handlers, thread-local variables, weak
//! functions that nothing defines, vectors, complex numbers, `_BitInt`, `setjmp`, `__builtin_unreachable`, constructors.
//!
//! [`Havoc::Approximated`]: tamis_program::Havoc::Approximated
//! [`Havoc::Uninitialised`]: tamis_program::Havoc::Uninitialised

mod compile_commands;
mod decode;
mod json;
mod library;
mod lines;
mod load;
mod memory;
mod options;
mod preprocess;
mod rucc;
mod sources;
mod translate;
pub mod tree;

pub use load::{Preprocessed, load, load_functions, parse, preprocessed, read, translate_source};
pub use options::{DataModel, Macro, Options, Target};
pub use sources::{Insertion, Piece, Sources, Spot};
pub use tamis_diagnostics::{Diagnostic, Error};
