//! All limits of the engines, in one table.
//!
//! None changes an answer that is exact: where one is reached, another way is taken.
//!
//! Measured: each limit down to those of `cubes` was halved and doubled on the 103 queries of `bench/paq`, with `allsat` and with
//! `cubes`, and on 25 queries of C functions with `cubes`. All were answered; the processor time of all together stayed
//! within 0.98 and 1.09, which is little more than noise, unless a limit says otherwise.

use std::time::Duration;

/// Queries with at least this many predicates get an order of their own: diagrams of fewer are small in any order.
pub(crate) const PREDICATES_TO_ORDER: usize = 16;

/// An answer with more nodes takes the order of the diagram that it comes from along.
pub(crate) const NODES_TO_REORDER: usize = 1 << 8;

/// Cubes that are collected before they are merged into the result.
pub(crate) const CUBES_PER_MERGE: usize = 256;

/// The most products that are taken from the search for differences. Queries with more go to the general widening.
pub(crate) const LISTED_PRODUCTS: usize = 1 << 12;

/// Stack of a thread that an engine runs in: operations on linear diagrams recurse as deep as there are labels.
pub(crate) const ENGINE_STACK: usize = 64 << 20;

/// How long the caller's solver enumerates before a race begins.
pub(crate) const RACE_HEAD_START: Duration = Duration::from_millis(20);

/// `cubes`: after this many models with the same literals, all that is known under these is excluded as one formula.
pub(crate) const MODELS_BEFORE_EXCLUSION: usize = 24;
/// `cubes`: after this many models, and twice as many each time, it is looked whether cubes are worth it.
/// With half as many, the queries of C functions take 5.6 times as long: too few have been seen to tell.
pub(crate) const MODELS_BEFORE_REVIEW: u32 = 32;
/// `cubes`: they are worth it if one stands for this many minterms on average.
/// With twice as many, the queries of C functions take 5.4 times as long, since minterms are enumerated instead.
pub(crate) const MINTERMS_PER_CUBE: f64 = 4.0;
/// `cubes`: groups of predicates are enumerated when this many models had the same literals. Many literals come once only.
/// With one model, all families together take 1.17 of the time.
pub(crate) const MODELS_BEFORE_GROUPS: usize = 3;
/// `cubes`: the most combinations of one group.
pub(crate) const GROUP_COMBINATIONS: usize = 1 << 14;
/// `cubes`: the combinations that all groups may have together, and this many more for each model.
pub(crate) const ALL_COMBINATIONS: usize = 1 << 16;
/// See [`ALL_COMBINATIONS`].
pub(crate) const COMBINATIONS_PER_MODEL: usize = 16;

/// `steps`: at least this many more minterms are looked for after a step.
pub(crate) const MINTERMS_PER_STEP: usize = 1 << 15;
/// `steps`: one in this many nodes of the tree asks for a predicate out of turn.
pub(crate) const OUT_OF_TURN: usize = 12;

/// `ldd`: how long each form of a query is tried in the first round, and how many times longer in each later one. Steps
/// on diagrams take too different times in the forms to count them instead.
pub(crate) const FIRST_ROUND: Duration = Duration::from_secs(1);
/// See [`FIRST_ROUND`].
pub(crate) const ROUND_GROWTH: u32 = 4;
/// `ldd`: the most steps of an elimination in the first round, and how many times more in each later one.
pub(crate) const FIRST_STEPS: u64 = 1 << 12;
/// See [`FIRST_STEPS`].
pub(crate) const STEPS_GROWTH: u64 = 4;
/// `ldd`: a projection of a whole group may take this many times the steps of an elimination of one variable.
pub(crate) const PROJECTION_STEPS: u64 = 16;
/// `ldd`: an elimination that is not exact is put off while eliminations have fewer steps than this.
pub(crate) const STEPS_BEFORE_INEXACT: u64 = 1 << 18;
/// `ldd`: bytes of a node, with its place in the tables and what tables have in reserve.
pub(crate) const NODE_BYTES: u64 = 80;
/// `ldd`: the most literals of a way that become the condition of a value.
pub(crate) const WAY_LITERALS: usize = 2;
/// The most cases of a wrap-around. With more, an integer says how often.
pub(crate) const WRAP_CASES: usize = 8;
