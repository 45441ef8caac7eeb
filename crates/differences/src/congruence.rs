//! Functions are functions: equal arguments give equal results.
//!
//! When nothing is left to decide, every number has a value. Where two applications of a function have arguments of the same
//! values and results of different ones, the instance of congruence that says so becomes a clause [Ackermann 1954]. There
//! are finitely many, so the search ends; and there are few that a search ever meets.

use crate::Formulas;
use crate::clauses::Lit;
use crate::limits;
use crate::number::{Given, Leaf, NO_VERTEX};

/// The factor of Fibonacci hashing, 2⁶⁴ over the golden ratio.
const SPREAD: i64 = 0x9e37_79b9_7f4a_7c15_u64 as i64;

/// Two applications of a function, by their places.
pub(crate) type Instance = (usize, usize, usize);

/// What a check of the functions came to.
pub(crate) enum Check {
    /// There is a model.
    Model,
    /// The values violate these instances of congruence, which are no clauses yet.
    Missing(Vec<Instance>),
    /// An instance is violated that is a clause; this literal, over its arguments, has to be decided.
    Open(Lit),
    /// None of these: the query is left to CaDiCaL.
    Stuck,
}

impl Formulas {
    pub(crate) fn value_of(&self, leaf: Leaf) -> i64 {
        if leaf.vertex == NO_VERTEX {
            leaf.offset
        } else {
            self.search.graph.value(leaf.vertex) + leaf.offset
        }
    }

    pub(crate) fn same_arguments(&self, f: usize, a: usize, b: usize) -> bool {
        let (a, b) = (&self.functions[f][a].args, &self.functions[f][b].args);
        a.iter().zip(b).all(|(&x, &y)| self.value_of(x) == self.value_of(y))
    }

    /// Whether two results are equal, or can still become equal because one has no value yet.
    fn same_results(&self, f: usize, a: usize, b: usize) -> bool {
        match (self.functions[f][a].result, self.functions[f][b].result) {
            (Given::Number(x), Given::Number(y)) => self.search.graph.value(x) == self.search.graph.value(y),
            (Given::Truth(x), Given::Truth(y)) => match (self.search.value(x), self.search.value(y)) {
                (Some(x), Some(y)) => x == y,
                _ => true,
            },
            _ => false,
        }
    }

    /// Gives results that no bound restricts the value of the other application. `false` if there are none.
    fn follow(&mut self, violated: &[Instance]) -> bool {
        let mut changed = false;
        for &(f, a, b) in violated {
            let (Given::Number(x), Given::Number(y)) =
                (self.functions[f][a].result, self.functions[f][b].result)
            else {
                continue;
            };
            let graph = &mut self.search.graph;
            let (follows, leads) = if graph.is_free(y) { (y, x) } else { (x, y) };
            if graph.is_free(follows) {
                graph.set_value(follows, graph.value(leads));
                changed = true;
            }
        }
        changed
    }

    /// Whether the present values respect congruence, after values that are free have been changed to do so.
    pub(crate) fn check_functions(&mut self) -> Check {
        let mut violated = self.violated();
        for _ in 0..2 {
            if !violated.is_empty() && self.follow(&violated) {
                violated = self.violated();
            }
        }
        if violated.is_empty() {
            return Check::Model;
        }
        let mut missing: Vec<Instance> =
            violated.iter().copied().filter(|instance| !self.instances.contains(instance)).collect();
        if !missing.is_empty() {
            missing.extend(self.of_small_functions());
            return Check::Missing(missing);
        }
        // One of the equalities should be open, or else propagation would have found a conflict.
        for (f, a, b) in violated {
            for lit in self.equalities_of(f, a, b) {
                if self.search.value(lit).is_none() {
                    return Check::Open(!lit);
                }
            }
        }
        Check::Stuck
    }

    fn violated(&mut self) -> Vec<Instance> {
        let mut found = Vec::new();
        let mut firsts = std::mem::take(&mut self.firsts);
        for (f, applications) in self.functions.iter().enumerate() {
            firsts.clear();
            firsts.extend(applications.iter().map(|a| a.args.first().map_or(0, |&arg| self.value_of(arg))));
            // A set of hashes, so that most values need not be compared with all before them.
            let mut met = 0u64;
            for (b, first) in firsts.iter().enumerate() {
                let bit = 1 << (first.wrapping_mul(SPREAD) as u64 >> 58);
                if met & bit == 0 {
                    met |= bit;
                    continue;
                }
                for a in (0..b).filter(|&a| firsts[a] == *first) {
                    if self.same_arguments(f, a, b) && !self.same_results(f, a, b) {
                        found.push((f, a, b));
                    }
                }
            }
        }
        self.firsts = firsts;
        found.sort_unstable();
        found
    }

    /// All instances of functions with few applications that are no clauses yet.
    fn of_small_functions(&self) -> Vec<Instance> {
        let counts = self
            .functions
            .iter()
            .map(Vec::len)
            .enumerate()
            .filter(|&(_, count)| count <= limits::APPLICATIONS_AT_ONCE);
        let pairs =
            counts.flat_map(|(f, count)| (0..count).flat_map(move |b| (0..b).map(move |a| (f, a, b))));
        // Arguments that are truth values are equal only if they are the same constant.
        let alike = |&(x, y): &(Leaf, Leaf)| x.vertex != NO_VERTEX && y.vertex != NO_VERTEX || x == y;
        let possible = |&(f, a, b): &Instance| {
            let (a, b) = (&self.functions[f][a].args, &self.functions[f][b].args);
            a.iter().copied().zip(b.iter().copied()).all(|pair| alike(&pair))
        };
        let open = pairs.filter(|instance| !self.instances.contains(instance));
        open.filter(possible).collect()
    }

    /// The equalities of the arguments, and of results that are numbers, as far as they are not facts.
    fn equalities_of(&mut self, f: usize, a: usize, b: usize) -> Vec<Lit> {
        let pairs: Vec<(Leaf, Leaf)> = self.functions[f][a]
            .args
            .iter()
            .copied()
            .zip(self.functions[f][b].args.iter().copied())
            .collect();
        let mut lits = Vec::new();
        for (x, y) in pairs {
            if x.vertex != NO_VERTEX && x != y {
                lits.push(self.equality(x.vertex, y.vertex, y.offset - x.offset));
            }
        }
        if let (Given::Number(x), Given::Number(y)) =
            (self.functions[f][a].result, self.functions[f][b].result)
        {
            lits.push(self.equality(x, y, 0));
        }
        lits
    }

    /// Adds an instance, at level 0.
    pub(crate) fn add_instance(&mut self, instance: Instance) {
        let (f, a, b) = instance;
        if !self.instances.insert(instance) {
            return;
        }
        let mut clause: Vec<Lit> = self.equalities_of(f, a, b);
        let results = (self.functions[f][a].result, self.functions[f][b].result);
        let equal_results = matches!(results.0, Given::Number(_)).then(|| clause.pop()).flatten();
        clause.iter_mut().for_each(|lit| *lit = !*lit);
        for &lit in clause.iter().chain(&equal_results) {
            self.demand(lit);
            self.demand(!lit);
        }
        match (equal_results, results) {
            (Some(lit), _) => {
                clause.push(lit);
                self.search.add_clause(&clause);
            }
            (None, (Given::Truth(x), Given::Truth(y))) => {
                for (x, y) in [(x, !y), (!x, y)] {
                    let whole: Vec<Lit> = clause.iter().copied().chain([x, y]).collect();
                    self.search.add_clause(&whole);
                }
            }
            _ => {}
        }
    }
}
