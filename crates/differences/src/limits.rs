//! All limits of this crate, in one table.
//!
//! None changes an answer: where one is reached, the query, a product or a clause is left to something slower.
//!
//! Measured: each limit on what is tried was halved and doubled on the 103 queries of `bench/paq`, with `allsat` and with `cubes`.
//! All queries were answered, and the processor time of all together stayed within 0.95 and 1.09, which is little more than
//! noise. Where a single family saw a change of more than a third, the limit says so.

/// Constants are smaller than this, so that no sum along a path overflows 64 bits. Larger ones do not fit.
pub const CONSTANT: i64 = 1 << 40;

/// The most vertices of the graph of differences: its paths are searched on every conflict. A formula with more does not fit.
pub const VERTICES: usize = 2048;

/// The most numbers with conditions, the most comparisons made by lifting conditions, and how deep conditions nest. A
/// formula with more does not fit: its conditions are better left where they are.
pub const TREES: usize = 1 << 15;
/// See [`TREES`].
pub const LIFTED: usize = 1 << 18;
/// See [`TREES`].
pub const DEPTH: u32 = 64;

/// The most applications of one function, since each is compared with each. A formula with more does not fit.
pub const APPLICATIONS: usize = 256;

/// Conflicts between two models after which the query is left to CaDiCaL, which is the better search where models are rare.
pub const CONFLICTS_BETWEEN_MODELS: u64 = 20_000;

/// Steps of the search between two looks at the budget, which cost a system call.
pub const STEPS_BETWEEN_POLLS: u32 = 512;

/// Terms and variables that room is made for at the start. To grow step by step means to hash and copy everything again;
/// most queries of image computations have fewer.
pub const TERMS_AT_START: usize = 448;
/// See [`TERMS_AT_START`].
pub const VARIABLES_AT_START: usize = 1024;

/// The longest conflict of bounds or choices that is kept as a clause.
pub const LEMMA_LENGTH: usize = 8;

/// Disjunctions of at least this many cubes are choices; shorter ones are clauses.
pub const CUBES_OF_CHOICE: usize = 8;

/// Clauses of one or two literals that follow from a choice are looked for if its cubes have at most this many different literals:
/// all pairs are tried.
pub const LITERALS_OF_CHOICE: usize = 512;

/// The most 64-bit words for the table of which cube has which literal.
pub const CHOICE_WORDS: usize = 1 << 16;

/// All instances of congruence are added for functions with at most this many applications, as soon as one is missing. To
/// begin the search anew for each takes longer than to have them.
pub const APPLICATIONS_AT_ONCE: usize = 8;

/// A search for products decides important literals before choices, as long as it has at most this many conflicts for each
/// product, and some more at the start.
pub const CONFLICTS_PER_PRODUCT: u64 = 20;
/// See [`CONFLICTS_PER_PRODUCT`].
pub const CONFLICTS_AT_START: u64 = 100;

/// The most comparisons of one block whose combinations are counted out; the others keep their values. Combinations are
/// a truth table of `2^n` bits. With half as many, DLX takes 3.7 times as long with cubes; with twice as many nothing changes.
pub const COMPARISONS_OF_BLOCK: usize = 12;

/// The most bounds of a block, and the most pairs of numbers in it that have to differ. With more, its comparisons keep
/// their values: the closure of the bounds is cubic.
pub const BOUNDS_OF_BLOCK: usize = 96;
/// See [`BOUNDS_OF_BLOCK`].
pub const PAIRS_OF_BLOCK: usize = 64;

/// The most bounds that are tried to count out one block.
pub const BOUNDS_TRIED: u32 = 1 << 15;

/// The cubes of a region are united if on average this many are the same but for comparisons of one block.
pub const CUBES_PER_GROUP: usize = 4;

/// The most truth values in the tables of a region: nobody looks at the time while they are made.
pub const REGION_VALUES: usize = 1 << 23;
