//! What the search asks of a theory.

use std::ops::Not;

/// An atom of a theory, numbered by whoever joins the theories: the same number means the same atom to all of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Atom(pub u32);

/// An atom or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Literal {
    /// The atom.
    pub atom: Atom,
    /// Whether it holds.
    pub positive: bool,
}

impl Literal {
    /// The literal that says whether `atom` is `positive`.
    pub fn new(atom: Atom, positive: bool) -> Literal {
        Literal { atom, positive }
    }
}

impl Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal { positive: !self.positive, ..self }
    }
}

/// Asserted literals that cannot hold together. None of them can be left out without reason: the smaller, the better
/// the clause that the search learns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict(pub Vec<Literal>);

/// What a complete check found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Check {
    /// The asserted literals hold together: the theory has a model of them.
    Consistent,
    /// They do not.
    Conflict(Conflict),
    /// The theory cannot tell before the search has decided more: see the theory's own account of its splits.
    Split,
}

/// A theory.
///
/// Levels: every [`push`](Theory::push) opens one, [`pop`](Theory::pop) closes the latest and forgets what was asserted
/// in them. Making nodes, variables and atoms is allowed at any level and survives backtracking.
pub trait Theory {
    /// Opens a level.
    fn push(&mut self);

    /// Closes the latest `levels` levels.
    fn pop(&mut self, levels: usize);

    /// Asserts a literal over an atom of this theory. A conflict that is cheap to notice is reported at once; the theory
    /// must then be backtracked before anything else is asserted.
    fn assert(&mut self, literal: Literal) -> Result<(), Conflict>;

    /// Takes the consequences of what was asserted that are worth their price, and appends to `implied` literals over
    /// atoms of this theory that follow and are not asserted yet.
    fn propagate(&mut self, implied: &mut Vec<Literal>) -> Result<(), Conflict>;

    /// Literals that were asserted before `implied` was propagated and from which it follows. `implied` is a literal that
    /// [`propagate`](Theory::propagate) gave and that has not been backtracked over since. May be asked long after:
    /// the answer must not contain what was asserted later than the propagation.
    fn explain(&mut self, implied: Literal, reasons: &mut Vec<Literal>);

    /// Decides whether what is asserted is consistent.
    fn check(&mut self) -> Check;
}
