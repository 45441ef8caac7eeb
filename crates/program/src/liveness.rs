//! Live variables: which values can still matter on the way to the error location.

use crate::automaton::{Command, Location, Program, Var};
use rustc_hash::FxHashMap;
use tamis_logic::{Term, Terms};

/// For each location, the variables that some path from there reads before it writes them.
#[derive(Clone, Debug)]
pub struct Liveness {
    words: usize,
    live: Vec<u64>,
}

impl Liveness {
    /// Computes the live variables of every location, by backward iteration to the least fixed point.
    pub fn new(terms: &Terms, program: &Program) -> Liveness {
        let words = program.variables().len().div_ceil(64);
        let count = program.locations().count();
        let mut this = Liveness { words, live: vec![0; words * count] };
        let mut reads = Reads { terms, program, cache: FxHashMap::default() };
        let mut queued = vec![true; count];
        // Later locations first: translation numbers them roughly in program order.
        let mut pending: Vec<Location> = program.locations().collect();
        while let Some(l) = pending.pop() {
            queued[l.index()] = false;
            if this.update(l, &mut reads) {
                for &e in program.incoming(l) {
                    let from = program.edge(e).from;
                    if !std::mem::replace(&mut queued[from.index()], true) {
                        pending.push(from);
                    }
                }
            }
        }
        this
    }

    fn update(&mut self, l: Location, reads: &mut Reads<'_>) -> bool {
        let mut now = self.row(l).to_vec();
        for &e in reads.program.outgoing(l) {
            let edge = reads.program.edge(e);
            let mut through = self.row(edge.to).to_vec();
            match &edge.command {
                Command::Assign(v, value) => {
                    clear(&mut through, *v);
                    reads.of(*value).iter().for_each(|&v| set(&mut through, v));
                }
                Command::Havoc(v, _) => clear(&mut through, *v),
                Command::Assume(guard) => reads.of(*guard).iter().for_each(|&v| set(&mut through, v)),
            }
            now.iter_mut().zip(through).for_each(|(n, t)| *n |= t);
        }
        let changed = now != self.row(l);
        self.live[l.index() * self.words..][..self.words].copy_from_slice(&now);
        changed
    }

    fn row(&self, l: Location) -> &[u64] {
        &self.live[l.index() * self.words..][..self.words]
    }

    /// Whether the value of `v` can matter at `l`.
    pub fn is_live(&self, l: Location, v: Var) -> bool {
        self.row(l)[v.index() / 64] >> (v.index() % 64) & 1 == 1
    }
}

fn set(row: &mut [u64], v: Var) {
    row[v.index() / 64] |= 1 << (v.index() % 64);
}

fn clear(row: &mut [u64], v: Var) {
    row[v.index() / 64] &= !(1 << (v.index() % 64));
}

/// The variables that each term reads, computed once a term.
struct Reads<'a> {
    terms: &'a Terms,
    program: &'a Program,
    cache: FxHashMap<Term, Vec<Var>>,
}

impl Reads<'_> {
    fn of(&mut self, t: Term) -> &[Var] {
        self.cache.entry(t).or_insert_with(|| {
            self.terms.free_vars(t).into_iter().filter_map(|v| self.program.var_of(v)).collect()
        })
    }
}
