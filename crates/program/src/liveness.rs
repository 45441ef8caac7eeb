//! Live variables: which values can still matter on the way to the error location.
//!
//! A variable matters if its value can reach a guard: a value that is only copied into variables that matter to nobody
//! is as dead as they are (such variables are also called faint). So `x := x + 1` alone does not keep `x` alive.

use crate::automaton::{Command, Location, Program, Var};
use crate::flow::Flow;
use rustc_hash::FxHashMap;
use tamis_logic::{Term, Terms};

/// For each location, the variables whose values there some guard after it depends on.
#[derive(Clone, Debug)]
pub struct Liveness {
    words: usize,
    /// Where a location's words start; `NONE` for one where nothing is live.
    rows: Vec<usize>,
    /// The bit of a variable; `NONE` for one that is live nowhere.
    columns: Vec<usize>,
    live: Vec<u64>,
}

const NONE: usize = usize::MAX;

impl Liveness {
    /// Computes the live variables of every location, by backward iteration to the least fixed point.
    pub fn new(terms: &Terms, program: &Program) -> Liveness {
        Liveness::of(terms, program)
    }

    pub(crate) fn of(terms: &Terms, flow: &impl Flow) -> Liveness {
        let mut reads = Reads::new(terms);
        let mut columns = vec![NONE; flow.variable_bound()];
        let mut width = 0;
        for v in guard_slice(flow, &mut reads) {
            columns[v.index()] = width;
            width += 1;
        }
        let words = width.div_ceil(64);
        let mut rows = vec![NONE; flow.location_bound()];
        let mut size = 0;
        for l in flow.all_locations().filter(|&l| !flow.edges_out(l).is_empty()) {
            rows[l.index()] = size;
            size += words;
        }
        let mut this = Liveness { words, rows, columns, live: vec![0; size] };
        this.solve(flow, &mut reads);
        this
    }

    fn solve(&mut self, flow: &impl Flow, reads: &mut Reads<'_>) {
        let mut queued = vec![true; flow.location_bound()];
        // Later locations first: translation numbers them roughly in program order.
        let mut pending: Vec<Location> = flow.all_locations().collect();
        let mut now = vec![0; self.words];
        while let Some(l) = pending.pop() {
            queued[l.index()] = false;
            if self.rows[l.index()] != NONE && self.update(flow, l, reads, &mut now) {
                for from in flow.predecessors(l) {
                    if !std::mem::replace(&mut queued[from.index()], true) {
                        pending.push(from);
                    }
                }
            }
        }
    }

    fn update(&mut self, flow: &impl Flow, l: Location, reads: &mut Reads<'_>, now: &mut [u64]) -> bool {
        let mut through = vec![0; self.words];
        now.copy_from_slice(self.row(l).unwrap_or(&through));
        for &e in flow.edges_out(l) {
            let edge = flow.edge_data(e);
            match self.row(edge.to) {
                Some(row) => through.copy_from_slice(row),
                None => through.fill(0),
            }
            match &edge.command {
                Command::Assign(v, value) => {
                    if self.is_live(edge.to, *v) {
                        self.clear(&mut through, *v);
                        reads.of(flow, *value).iter().for_each(|&v| self.set(&mut through, v));
                    }
                }
                Command::Havoc(v, _) => self.clear(&mut through, *v),
                Command::Assume(guard) => {
                    reads.of(flow, *guard).iter().for_each(|&v| self.set(&mut through, v));
                }
            }
            now.iter_mut().zip(&through).for_each(|(n, t)| *n |= t);
        }
        let row = &mut self.live[self.rows[l.index()]..][..now.len()];
        let changed = row != now;
        row.copy_from_slice(now);
        changed
    }

    fn row(&self, l: Location) -> Option<&[u64]> {
        let start = self.rows[l.index()];
        (start != NONE).then(|| &self.live[start..][..self.words])
    }

    fn set(&self, row: &mut [u64], v: Var) {
        let column = self.columns[v.index()];
        if column != NONE {
            row[column / 64] |= 1 << (column % 64);
        }
    }

    fn clear(&self, row: &mut [u64], v: Var) {
        let column = self.columns[v.index()];
        if column != NONE {
            row[column / 64] &= !(1 << (column % 64));
        }
    }

    /// Whether the value of `v` can matter at `l`.
    pub fn is_live(&self, l: Location, v: Var) -> bool {
        let column = self.columns[v.index()];
        column != NONE && self.row(l).is_some_and(|row| row[column / 64] >> (column % 64) & 1 == 1)
    }
}

/// The variables that some guard depends on, wherever it stands and whatever is assigned in which order.
pub(crate) fn guard_slice(flow: &impl Flow, reads: &mut Reads<'_>) -> Vec<Var> {
    let mut sources: Vec<Vec<Term>> = vec![Vec::new(); flow.variable_bound()];
    let mut found = vec![false; flow.variable_bound()];
    let mut pending: Vec<Var> = Vec::new();
    for l in flow.all_locations() {
        for &e in flow.edges_out(l) {
            match &flow.edge_data(e).command {
                Command::Assign(v, value) => sources[v.index()].push(*value),
                Command::Assume(guard) => pending.extend(reads.of(flow, *guard)),
                Command::Havoc(..) => {}
            }
        }
    }
    while let Some(v) = pending.pop() {
        if !std::mem::replace(&mut found[v.index()], true) {
            for value in std::mem::take(&mut sources[v.index()]) {
                pending.extend(reads.of(flow, value));
            }
        }
    }
    (0..found.len()).filter(|&v| found[v]).map(|v| Var(v as u32)).collect()
}

/// The variables that each term reads, computed once a term.
pub(crate) struct Reads<'a> {
    terms: &'a Terms,
    cache: FxHashMap<Term, Vec<Var>>,
}

impl<'a> Reads<'a> {
    pub fn new(terms: &'a Terms) -> Reads<'a> {
        Reads { terms, cache: FxHashMap::default() }
    }

    pub fn of(&mut self, flow: &impl Flow, t: Term) -> &[Var] {
        let terms = self.terms;
        self.cache
            .entry(t)
            .or_insert_with(|| terms.free_vars(t).into_iter().filter_map(|v| flow.variable_of(v)).collect())
    }
}
