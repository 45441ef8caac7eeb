//! The store of hash-consed terms.

use crate::sort::Sort;
use crate::value::{Bits, Value};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// A term, by its id in the [`Terms`] that made it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(pub(crate) u32);

impl Term {
    /// The id as an index, for tables beside the store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable's identity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub(crate) u32);

/// What a term is made of, beside its arguments.
///
/// Orders come as the strict ones only: `a ≤ b` is built as `¬(b < a)`, so that a predicate and its complement share
/// their atom. Subtraction is built as the addition of a negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A truth value.
    Bool(bool),
    /// A bit-vector value.
    Bits(Bits),
    /// A variable.
    Var(Symbol),
    /// Negation.
    Not,
    /// Conjunction of two or more arguments, ordered by id.
    And,
    /// Disjunction of two or more arguments, ordered by id.
    Or,
    /// Equality of two terms of the same sort.
    Eq,
    /// If-then-else; the branches may be of either sort.
    Ite,
    /// `bvneg`.
    Neg,
    /// `bvadd`.
    Add,
    /// `bvmul`.
    Mul,
    /// `bvudiv`.
    Udiv,
    /// `bvurem`.
    Urem,
    /// `bvsdiv`.
    Sdiv,
    /// `bvsrem`.
    Srem,
    /// `bvnot`.
    BvNot,
    /// `bvand`.
    BvAnd,
    /// `bvor`.
    BvOr,
    /// `bvxor`.
    BvXor,
    /// `bvshl`.
    Shl,
    /// `bvlshr`.
    Lshr,
    /// `bvashr`.
    Ashr,
    /// `concat`, the first argument being the high part.
    Concat,
    /// `(_ extract high low)`.
    Extract {
        /// The highest bit taken.
        high: u32,
        /// The lowest bit taken.
        low: u32,
    },
    /// `(_ zero_extend …)` to the term's width.
    ZeroExtend,
    /// `(_ sign_extend …)` to the term's width.
    SignExtend,
    /// `bvult`.
    Ult,
    /// `bvslt`.
    Slt,
}

struct Node {
    op: Op,
    sort: Sort,
    first_arg: u32,
    arity: u32,
}

struct SymbolData {
    name: String,
    sort: Sort,
    term: Term,
}

/// The store: makes terms, and answers what they are.
///
/// Constructors are methods named after the operator (`and`, `add`, `ult`, …); they check sorts with assertions,
/// since an ill-sorted term is a bug of the calling crate and never follows from user input alone.
pub struct Terms {
    nodes: Vec<Node>,
    /// The arguments of all terms, each a run of this vector.
    args: Vec<Term>,
    table: HashTable<Term>,
    symbols: Vec<SymbolData>,
    by_name: FxHashMap<String, Symbol>,
    fresh: u64,
}

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}

fn hash_of(op: Op, sort: Sort, args: &[Term]) -> u64 {
    let mut hasher = FxHasher::default();
    (op, sort, args).hash(&mut hasher);
    hasher.finish()
}

impl Terms {
    /// An empty store.
    pub fn new() -> Terms {
        Terms {
            nodes: Vec::new(),
            args: Vec::new(),
            table: HashTable::new(),
            symbols: Vec::new(),
            by_name: FxHashMap::default(),
            fresh: 0,
        }
    }

    /// The term `op(args)`, found or made, as it is: simplification happens in the constructors that call this.
    pub(crate) fn intern(&mut self, op: Op, sort: Sort, args: &[Term]) -> Term {
        let hash = hash_of(op, sort, args);
        let same = |t: &Term| {
            let node = &self.nodes[t.index()];
            node.op == op && node.sort == sort && self.args_of(node) == args
        };
        if let Some(&term) = self.table.find(hash, same) {
            return term;
        }
        let term = Term(u32::try_from(self.nodes.len()).expect("more than 2^32 terms"));
        let first_arg = self.args.len() as u32;
        self.args.extend_from_slice(args);
        self.nodes.push(Node { op, sort, first_arg, arity: args.len() as u32 });
        let nodes = &self.nodes;
        let pool = &self.args;
        self.table.insert_unique(hash, term, |t| {
            let node = &nodes[t.index()];
            hash_of(node.op, node.sort, run(pool, node))
        });
        term
    }

    fn args_of(&self, node: &Node) -> &[Term] {
        run(&self.args, node)
    }

    /// The operator of a term.
    pub fn op(&self, t: Term) -> Op {
        self.nodes[t.index()].op
    }

    /// The arguments of a term.
    pub fn args(&self, t: Term) -> &[Term] {
        self.args_of(&self.nodes[t.index()])
    }

    /// The sort of a term.
    pub fn sort(&self, t: Term) -> Sort {
        self.nodes[t.index()].sort
    }

    /// The width of a bit-vector term.
    ///
    /// # Panics
    /// If the term is a `Bool`.
    pub fn width(&self, t: Term) -> u32 {
        self.sort(t).width().expect("a bit-vector term")
    }

    /// How many terms the store holds; every [`Term::index`] is below it.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no term has been made yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The variable called `name`, found or made.
    ///
    /// # Panics
    /// If a variable of that name exists with another sort.
    pub fn var(&mut self, name: &str, sort: Sort) -> Term {
        if let Some(&symbol) = self.by_name.get(name) {
            let data = &self.symbols[symbol.0 as usize];
            assert_eq!(data.sort, sort, "variable {name} used at two sorts");
            return data.term;
        }
        let symbol = Symbol(self.symbols.len() as u32);
        let term = self.intern(Op::Var(symbol), sort, &[]);
        self.symbols.push(SymbolData { name: name.to_owned(), sort, term });
        self.by_name.insert(name.to_owned(), symbol);
        term
    }

    /// A variable that did not exist before, called after `prefix`.
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> Term {
        loop {
            let name = format!("{prefix}!{}", self.fresh);
            self.fresh += 1;
            if !self.by_name.contains_key(&name) {
                return self.var(&name, sort);
            }
        }
    }

    /// The name of a variable; `None` if the term is not one.
    pub fn var_name(&self, t: Term) -> Option<&str> {
        match self.op(t) {
            Op::Var(symbol) => Some(&self.symbols[symbol.0 as usize].name),
            _ => None,
        }
    }

    /// Whether the term is a variable.
    pub fn is_var(&self, t: Term) -> bool {
        matches!(self.op(t), Op::Var(_))
    }

    /// The value of a term that is a constant.
    pub fn constant(&self, t: Term) -> Option<Value> {
        match self.op(t) {
            Op::Bool(b) => Some(Value::Bool(b)),
            Op::Bits(bits) => Some(Value::Bits(bits)),
            _ => None,
        }
    }

    /// The value of a term that is a bit-vector constant.
    pub fn bits_constant(&self, t: Term) -> Option<Bits> {
        match self.op(t) {
            Op::Bits(bits) => Some(bits),
            _ => None,
        }
    }
}

fn run<'a>(pool: &'a [Term], node: &Node) -> &'a [Term] {
    &pool[node.first_arg as usize..][..node.arity as usize]
}
