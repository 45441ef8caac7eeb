//! Enumeration of models over Booleans, uninterpreted functions and differences of integers.
//!
//! ## What it decides
//! Formulas over `Bool`, `Int` and declared sorts whose atoms compare two numbers, `x - y ≤ c` or `x - y = c`, where `x` and
//! `y` are variables, applications of functions, or if-then-elses over these. Image computations ask such queries
//! ([SMT §4.1]). It finds all values of a list of *important* formulas, as models one by one ([SMT §3.1]) or as products that
//! each stand for many models ([SMT §5], further work). It answers no other question: `tamis-solver` checks satisfiability
//! with CaDiCaL and the theories, so that each can be tested against the other.
//!
//! ## Why it is a search of its own
//! There are thousands of models, and hardly any search between two of them. CaDiCaL with an external propagator needs more
//! time to tell theories of its assignment, and to be told that there is a model, than the model takes. On the eleven
//! families of `bench/paq` this search is 5 to 40 times faster for models, and products save another factor of 13 and 4
//! on the two processors (DLX, OOO). It differs from a usual search in this:
//! - It decides only what some clause needs. A model is then a part of an assignment, and atoms of alternatives that are
//!   not taken never reach the theory.
//! - A disjunction of many cubes, such as a set of abstract states, is a *choice*, not a clause: a cube is chosen when
//!   nothing else is left to do, and nothing is propagated into the others.
//! - A variable that a command assigns is replaced by its value.
//!
//! ## How
//! - `define`, `encode`, `number`: formulas become clauses over bounds `x - y ≤ c`. Conditions are lifted out of numbers.
//! - `search`, `learn`, `clauses`, `lists`: clause learning. `graph`: the bounds, each checked when it is assigned.
//! - `congruence`: instances of congruence become clauses when a model violates them.
//! - `choice`, `rows`: disjunctions of cubes; `region` unites their cubes first.
//! - `enumerate`: the loop. A model is blocked by a clause over the important literals, which is analysed like any conflict.
//!   As in the paper it is forgotten later; a model that is met again is blocked again and not reported.
//! - `implicant`: which literals of a model suffice, so that the others may change. `product`: what comparisons may change to,
//!   block by block (`blocks`, `feasible`, `table`). `outside`: the clause that blocks a product.
//!
//! ## Limits
//! Other sorts and sums of several numbers do not fit, nor do formulas that become too large (`limits`). What takes too many
//! conflicts is given back with all that has been blocked ([`Found::Rest`]), for CaDiCaL to go on with.
//!
//! ## References
//! \[SMT\] S. K. Lahiri, R. Nieuwenhuis, A. Oliveras: *SMT Techniques for Fast Predicate Abstraction*, CAV 2006.

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
mod limits;
mod lists;
mod number;
mod outside;
mod product;
mod region;
mod rows;
mod search;
mod table;

pub use enumerate::{Found, Literals, OnModel, OnProduct, Product, Question, Receiver};
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

/// What to do with a model that an enumeration has found: which of its literals make the cube that is not to be
/// visited again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cube {
    /// All of them: the minterm.
    Minterm,
    /// Those at the given positions in the list of important terms. Every other model in the cube is passed over, so
    /// the caller answers for having it. The empty cube is everything and ends the enumeration.
    Positions(Vec<usize>),
    /// No further models are wanted.
    Enough,
}

/// What an enumeration did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// Models given to the caller.
    pub models: u64,
    /// Models among them that lie in a cube blocked before. None, as long as blocking clauses are kept.
    pub duplicates: u64,
    /// Whether every model has been given or lies in a cube that was blocked; `false` after [`Cube::Enough`].
    pub complete: bool,
}

/// What searches took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Searches started.
    pub searches: u64,
    /// Models or products given to the caller.
    pub models: u64,
    /// Conflicts met.
    pub conflicts: u64,
    /// Decisions made.
    pub decisions: u64,
    /// Literals propagated.
    pub propagations: u64,
}

/// Assertions, if they are of the kind that is decided here, and what enumerations of their models have learned.
#[derive(Default)]
pub struct Differences {
    state: State,
    effort: Effort,
}

impl Differences {
    /// Answers nothing any more.
    pub fn give_up(&mut self) {
        self.state = State::Unfit;
    }

    /// What searches took since this was asked last.
    pub fn take_effort(&mut self) -> Effort {
        std::mem::take(&mut self.effort)
    }
}

/// Whether the assertions fit.
#[derive(Default)]
enum State {
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
            encoded: room(limits::TERMS_AT_START),
            unencoded: Vec::new(),
            asserted: 0,
            asserted_clauses: Vec::new(),
            assumed: Vec::new(),
            gates: Vec::new(),
            gate_ids: room(limits::TERMS_AT_START / 2),
            demanded: Vec::new(),
            pending: Vec::new(),
            trees: Vec::new(),
            tree_ids: room(limits::TERMS_AT_START / 4),
            depths: Vec::new(),
            comparisons: room(limits::TERMS_AT_START / 4),
            lifted: 0,
            atoms: room(limits::TERMS_AT_START / 4),
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
