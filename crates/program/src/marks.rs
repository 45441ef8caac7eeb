//! Undefined behaviour, marked on the edges where it can happen.

use crate::annotations::Source;
use crate::automaton::{Command, Edge, EdgeId, Event, Havoc, Program};
use rustc_hash::FxHashSet;
use std::fmt;
use tamis_logic::Term;

/// Behaviour that C leaves undefined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Undefined {
    /// The exact result of signed arithmetic is not a value of its type.
    SignedOverflow,
    /// A division by zero.
    DivisionByZero,
    /// A shift by a negative amount, or by the width or more.
    ShiftOutOfRange,
    /// An access through a null pointer.
    NullAccess,
    /// An access outside of an array, or of every object that lives.
    OutOfBounds,
    /// What is freed is not the start of a block that is allocated.
    InvalidFree,
    /// Allocated memory that nothing points to any longer.
    Lost,
    /// Allocated memory at the end of the program.
    NotFreed,
    /// A use of a value that was never set.
    Uninitialised,
    /// An order, or a difference, of pointers that are not into one object.
    Unrelated,
}

impl Undefined {
    /// All kinds.
    pub const ALL: [Undefined; 10] = [
        Undefined::SignedOverflow,
        Undefined::DivisionByZero,
        Undefined::ShiftOutOfRange,
        Undefined::NullAccess,
        Undefined::OutOfBounds,
        Undefined::InvalidFree,
        Undefined::Lost,
        Undefined::NotFreed,
        Undefined::Uninitialised,
        Undefined::Unrelated,
    ];
}

impl Undefined {
    /// As in "there is a division by zero".
    fn with_article(self) -> String {
        let article = match self {
            Undefined::NullAccess | Undefined::OutOfBounds | Undefined::NotFreed => "an ",
            Undefined::SignedOverflow => "",
            _ => "a ",
        };
        format!("{article}{self}")
    }
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Undefined::SignedOverflow => "signed overflow",
            Undefined::DivisionByZero => "division by zero",
            Undefined::ShiftOutOfRange => "shift out of range",
            Undefined::NullAccess => "access through a null pointer",
            Undefined::OutOfBounds => "access out of bounds",
            Undefined::InvalidFree => "free of what is not allocated",
            Undefined::Lost => "loss of allocated memory",
            Undefined::NotFreed => "end of the program with allocated memory",
            Undefined::Uninitialised => "use of a value that was never set",
            Undefined::Unrelated => "comparison of pointers to different objects",
        })
    }
}

/// A place where undefined behaviour can happen: what an edge computes runs into it where the condition holds in the
/// state before the edge. The edge itself goes on as the machine would; a property may turn the mark into a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The behaviour.
    pub what: Undefined,
    /// When it happens.
    pub when: Term,
    /// The place of the operation.
    pub source: Source,
    /// Whether it may as well not happen then: whether it does is not known.
    pub approximated: bool,
}

impl Program {
    /// Where undefined behaviour can happen on an edge.
    pub fn marks(&self, id: EdgeId) -> &[Mark] {
        self.marks.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The same program, in which undefined behaviour of the given kinds leads to the error location.
    ///
    /// ```
    /// use tamis_logic::Terms;
    /// use tamis_program::{Builder, Command, Event, IntType, Mark, Source, Undefined};
    /// let mut terms = Terms::new();
    /// let mut b = Builder::new();
    /// let (file, main) = (b.file("f.c"), b.frame("main", None));
    /// let at = Source { file, line: 1, column: 1 };
    /// let x = b.variable(&mut terms, "x", IntType { bits: 8, signed: true }, Some(main));
    /// let (start, end, error) = (b.location(main), b.location(main), b.location(main));
    /// let (x_term, least) = (b.term(x), terms.bits(8, 128));
    /// let edge = b.edge(start, end, Command::Assign(x, terms.neg(x_term)), at, Event::Step);
    /// b.mark(edge, Mark { what: Undefined::SignedOverflow, when: terms.eq(x_term, least), source: at, approximated: false });
    /// let program = b.finish(start, error);
    /// assert_eq!(program.incoming(error).len(), 0);
    /// assert_eq!(program.checked(&[Undefined::SignedOverflow]).incoming(error).len(), 1);
    /// ```
    pub fn checked(&self, kinds: &[Undefined]) -> Program {
        self.checked_where(|mark| kinds.contains(&mark.what))
    }

    /// The same program, in which undefined behaviour that is `wanted` leads to the error location.
    pub fn checked_where(&self, wanted: impl Fn(&Mark) -> bool) -> Program {
        let mut checked = self.clone();
        let mut seen = FxHashSet::default();
        for id in self.edge_ids() {
            for mark in self.marks(id).iter().filter(|mark| wanted(mark)) {
                let (from, source) = (self.edge(id).from, mark.source);
                // The edges of a branch have the same marks.
                if !seen.insert((from, mark.when, mark.what, mark.approximated)) {
                    continue;
                }
                let event = Event::Violation(mark.what.to_string());
                let guard = Command::Assume(mark.when);
                match self.vars().next().filter(|_| mark.approximated) {
                    None => checked.add(Edge { from, to: self.error(), command: guard, source, event }),
                    // No variable matters any longer, so any of them serves to say that this may not be real.
                    Some(var) => {
                        let between = checked.add_location(self.frame_of(from));
                        checked.add(Edge { from, to: between, command: guard, source, event: Event::Step });
                        let cause =
                            Havoc::Approximated(format!("whether there is {}", mark.what.with_article()));
                        let command = Command::Havoc(var, cause);
                        checked.add(Edge { from: between, to: self.error(), command, source, event });
                    }
                }
            }
        }
        checked
    }
}
