//! The store of hash-consed terms.

use crate::bits::Bits;
use crate::op::{ConstId, Op};
use crate::sort::{ArrayParts, ArraySort, Sort, SortName};
use crate::symbols::Symbols;
use crate::value::Value;
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

#[derive(Clone)]
struct Node {
    op: Op,
    sort: Sort,
    first_arg: u32,
    arity: u32,
}

/// The store: makes terms, and answers what they are.
///
/// Constructors are methods named after the operator (`and`, `add`, `ult`, …); they check sorts with assertions,
/// since an ill-sorted term is a bug of the calling crate and never follows from user input alone.
#[derive(Clone, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    /// The arguments of all terms, each a run of this vector.
    args: Vec<Term>,
    table: HashTable<Term>,
    constants: Vec<Value>,
    constant_ids: HashTable<ConstId>,
    pub(crate) symbols: Symbols,
    pub(crate) arrays: Vec<ArrayParts>,
    pub(crate) array_ids: FxHashMap<(Sort, Sort), ArraySort>,
    pub(crate) sorts: Vec<String>,
    pub(crate) sort_ids: FxHashMap<String, SortName>,
}

fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Terms that room is made for at the start.
const TERMS_AT_START: usize = 448;

impl Terms {
    /// An empty store.
    pub fn new() -> Terms {
        // Most stores come to hundreds of terms: to grow to that again and again is a good part of the time that these take.
        Terms {
            nodes: Vec::with_capacity(TERMS_AT_START),
            args: Vec::with_capacity(2 * TERMS_AT_START),
            table: HashTable::with_capacity(TERMS_AT_START),
            ..Terms::default()
        }
    }

    /// The term `op(args)`, found or made, as it is: simplification happens in the constructors that call this.
    pub(crate) fn intern(&mut self, op: Op, sort: Sort, args: &[Term]) -> Term {
        let hash = hash_of((op, sort, args));
        let same = |t: &Term| {
            let node = &self.nodes[t.index()];
            node.op == op && node.sort == sort && run(&self.args, node) == args
        };
        if let Some(&term) = self.table.find(hash, same) {
            return term;
        }
        let term = Term(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms"));
        let first_arg = u32::try_from(self.args.len()).expect("fewer than 2^32 arguments");
        self.args.extend_from_slice(args);
        self.nodes.push(Node { op, sort, first_arg, arity: args.len() as u32 });
        let nodes = &self.nodes;
        let pool = &self.args;
        self.table.insert_unique(hash, term, |t| {
            let node = &nodes[t.index()];
            hash_of((node.op, node.sort, run(pool, node)))
        });
        term
    }

    /// The term `op(args)` as it is, of the sort of its first argument, if it has been made.
    pub fn find(&self, op: Op, args: &[Term]) -> Option<Term> {
        let sort = self.sort(*args.first()?);
        let same = |t: &Term| {
            let node = &self.nodes[t.index()];
            node.op == op && node.sort == sort && run(&self.args, node) == args
        };
        self.table.find(hash_of((op, sort, args)), same).copied()
    }

    /// The constant with this value, which is neither a `Bool` nor an array.
    pub(crate) fn intern_constant(&mut self, value: Value) -> Term {
        let (hash, sort) = (hash_of(&value), value.sort());
        let constants = &self.constants;
        let id = match self.constant_ids.find(hash, |id| constants[id.0 as usize] == value) {
            Some(&id) => id,
            None => {
                let id = ConstId(u32::try_from(constants.len()).expect("fewer than 2^32 constants"));
                self.constants.push(value);
                let constants = &self.constants;
                self.constant_ids.insert_unique(hash, id, |id| hash_of(&constants[id.0 as usize]));
                id
            }
        };
        self.intern(Op::Const(id), sort, &[])
    }

    /// The operator of a term.
    pub fn op(&self, t: Term) -> Op {
        self.nodes[t.index()].op
    }

    /// The arguments of a term.
    pub fn args(&self, t: Term) -> &[Term] {
        run(&self.args, &self.nodes[t.index()])
    }

    /// The sort of a term.
    pub fn sort(&self, t: Term) -> Sort {
        self.nodes[t.index()].sort
    }

    /// The width of a bit-vector term.
    ///
    /// # Panics
    /// If the term is of another sort.
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

    /// Whether the term is a constant, not counting arrays, which are built from their elements.
    pub fn is_constant(&self, t: Term) -> bool {
        matches!(self.op(t), Op::Bool(_) | Op::Const(_))
    }

    /// The value of a term that is a constant, not counting arrays: see [`array_constant`](Terms::array_constant).
    pub fn constant(&self, t: Term) -> Option<Value> {
        match self.op(t) {
            Op::Bool(b) => Some(Value::Bool(b)),
            _ => self.stored_constant(t).cloned(),
        }
    }

    /// The value of a constant that is not a `Bool`.
    pub(crate) fn stored_constant(&self, t: Term) -> Option<&Value> {
        match self.op(t) {
            Op::Const(id) => Some(&self.constants[id.0 as usize]),
            _ => None,
        }
    }

    /// The value of a term that is a bit-vector constant.
    pub fn bits_constant(&self, t: Term) -> Option<Bits> {
        match self.stored_constant(t) {
            Some(Value::Bits(bits)) => Some(bits.clone()),
            _ => None,
        }
    }
}

fn run<'a>(pool: &'a [Term], node: &Node) -> &'a [Term] {
    &pool[node.first_arg as usize..][..node.arity as usize]
}
