//! The limits of the solver's algorithms, in one table. The limits of a run are its [`Budget`](crate::Budget).
//!
//! None changes an answer: where one is reached, another way is taken.

/// Terms, parts of a formula, and gates that are encoded between two looks at the budget.
pub(crate) const TERMS_BETWEEN_POLLS: usize = 256;
/// See [`TERMS_BETWEEN_POLLS`].
pub(crate) const GATES_BETWEEN_POLLS: u32 = 4096;

/// How often the facts of a batch are simplified by each other. Each time variables are replaced, equalities may come out
/// that define others.
pub(crate) const FACT_ROUNDS: usize = 8;

/// The most reads that are expressed by writes. With more, the theory of arrays looks at those alone that matter.
pub(crate) const READS_OVER_WRITES: usize = 200_000;

/// A SAT solver with fewer variables is never replaced by a new one.
pub(crate) const VARIABLES_TO_REBUILD: u64 = 5_000;

/// Rounds of lemmas before all reads of an array variable are made congruent, if they are few.
pub(crate) const ROUNDS_BEFORE_CONGRUENCE: u32 = 4;
/// See [`ROUNDS_BEFORE_CONGRUENCE`].
pub(crate) const READS_MADE_CONGRUENT: usize = 48;

/// Rounds of lemmas before arrays that are compared are handed over to the theory of arrays, which needs no circuit for
/// what an array of many writes has at an index.
pub(crate) const ROUNDS_BEFORE_THEORY: u32 = 8;

/// Indices of at most this many bits are all read, in an array with one element everywhere.
pub(crate) const NARROW_INDEX_BITS: u32 = 6;

/// How many times wider each range of integers is than the one before.
pub(crate) const RANGE_GROWTH: i64 = 32;

/// A refutation with more conflicts gives no interpolants.
pub(crate) const CONFLICTS_OF_REFUTATION: i32 = 50_000;

/// The most literals and antecedents of all clauses of a refutation that is kept.
pub(crate) const SIZE_OF_REFUTATION: usize = 1 << 24;

/// The most gates that all interpolants of a sequence may be made of while they are computed.
pub(crate) const GATES_OF_INTERPOLANTS: usize = 1 << 18;

/// An interpolant of more gates is too large to be of use.
pub(crate) const GATES_OF_INTERPOLANT: usize = 4_096;
