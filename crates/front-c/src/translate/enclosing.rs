//! What encloses the expression that is translated.

use tamis_logic::Term;

/// What holds within operands, from the outermost to the innermost.
#[derive(Default)]
pub(super) struct Enclosing {
    /// The tested values of the enclosing `?:` without a middle operand.
    pub(super) bound: Vec<Term>,
    /// The conditions under which what is computed now is computed.
    pub(super) under: Vec<Term>,
    /// How many enclosing pairs of operands are evaluated in both orders.
    pub(super) orders: usize,
}
