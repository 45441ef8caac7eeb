//! Enumeration where numbers are compared by their differences only, in a search of its own.
//!
//! Image computations ask for thousands of models of small formulas over Booleans, functions, and differences of integers
//! ([SMT §4.1]): the SAT search has little to do for each, and what CaDiCaL needs to begin, to tell theories of its assignments
//! and to be told of a model is most of the time. This search is lean: it keeps the paper's scheme ([SMT §3.1]) and does
//! less around it.
//! - `define`, `encode`, `number`: formulas to clauses over bounds `x - y ≤ c`, conditions lifted out of numbers.
//! - `search`, `learn`, `clauses`: clause learning. What is decided is what some clause needs, so that a model is a part of an
//!   assignment that suffices; `graph`: the bounds, each checked as soon as it is assigned.
//! - `choice`: disjunctions of many cubes, with `rows`, after `region` has made them fewer. `congruence`: instances of congruence, as models violate them.
//! - `enumerate`: a model is blocked by the clause over the important literals, which is analysed like any conflict and, as in
//!   the paper, forgotten: a model that is met again is blocked again.
//! - `implicant`, `product`: models as parts of products, with `blocks`, `alternatives`, `feasible` and `table`; `outside`: how these are blocked.
//!
//! Sorts other than `Bool`, `Int` and declared ones, and sums of several numbers, do not fit; nor do formulas that
//! would grow too much. They are left to [`dpll_t`](crate::dpll_t), and so is what takes too many conflicts.

mod alternatives;
mod blocks;
mod choice;
mod clauses;
mod congruence;
mod define;
mod encode;
mod enumerate;
mod feasible;
mod graph;
mod implicant;
mod learn;
mod lists;
mod number;
mod outside;
mod product;
mod region;
mod rows;
mod search;
mod table;

pub use enumerate::Product;
pub(crate) use enumerate::{Found, Receiver};
pub use product::Part;

use clauses::Lit;
use encode::Gate;
use graph::Vertex;
use number::{Application, Given, Leaf, Number, Tree};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use search::Search;
use tamis_logic::{FunctionId, Term};

/// A formula is not of the kind that is decided here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unfit;

/// What a term is here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Encoded {
    Truth(Lit),
    Number(Number),
    /// A sum, which has a meaning where it is compared.
    Composite,
}

/// Whether the assertions fit.
#[derive(Default)]
pub(crate) enum Differences {
    #[default]
    Untried,
    Unfit,
    Fit(Box<Formulas>),
}

/// Formulas as clauses, and the search for their models.
pub(crate) struct Formulas {
    search: Search,
    encoded: FxHashMap<Term, Encoded>,
    /// Terms to be encoded, kept for their memory.
    unencoded: Vec<Term>,
    /// How many assertions there are.
    asserted: usize,
    /// Their clauses, choices apart.
    asserted_clauses: Vec<Box<[Lit]>>,
    /// What the present enumeration assumes.
    assumed: Vec<Lit>,
    gates: Vec<Option<Gate>>,
    gate_ids: FxHashMap<Gate, Lit>,
    /// By literal, whether its clauses are there.
    demanded: Vec<bool>,
    /// Literals whose clauses are to be made, kept for their memory.
    pending: Vec<Lit>,
    trees: Vec<Tree>,
    tree_ids: FxHashMap<Tree, Number>,
    depths: Vec<u32>,
    comparisons: FxHashMap<(Number, Number, i64, bool), Lit>,
    lifted: usize,
    /// For two vertices, bounds on their difference, ascending.
    atoms: FxHashMap<(Vertex, Vertex), Vec<(i64, Lit)>>,
    functions: Vec<Vec<Application>>,
    /// First arguments of a function, kept for their memory.
    firsts: Vec<i64>,
    function_ids: FxHashMap<FunctionId, usize>,
    /// The variables of results that are truth values, with their functions and their places there.
    results: FxHashMap<u32, (usize, usize)>,
    application_ids: FxHashMap<(FunctionId, Box<[Leaf]>), Given>,
    /// Instances of congruence that are there.
    instances: FxHashSet<congruence::Instance>,
}

/// Room for so many terms is made at once: to grow by and by would mean to hash them again and again.
const USUAL: usize = 448;

fn room<K, V>(count: usize) -> FxHashMap<K, V> {
    FxHashMap::with_capacity_and_hasher(count, FxBuildHasher)
}

impl Formulas {
    fn new() -> Formulas {
        let mut search = Search::new();
        // The number 0.
        search.graph.vertex();
        Formulas {
            search,
            encoded: room(USUAL),
            unencoded: Vec::new(),
            asserted: 0,
            asserted_clauses: Vec::new(),
            assumed: Vec::new(),
            gates: Vec::new(),
            gate_ids: room(USUAL / 2),
            demanded: Vec::new(),
            pending: Vec::new(),
            trees: Vec::new(),
            tree_ids: room(USUAL / 4),
            depths: Vec::new(),
            comparisons: room(USUAL / 4),
            lifted: 0,
            atoms: room(USUAL / 4),
            functions: Vec::new(),
            firsts: Vec::new(),
            function_ids: FxHashMap::default(),
            results: FxHashMap::default(),
            application_ids: FxHashMap::default(),
            instances: FxHashSet::default(),
        }
    }

    /// Whether there is something that is not propositional.
    fn has_theories(&self) -> bool {
        !self.atoms.is_empty() || !self.functions.is_empty()
    }
}
