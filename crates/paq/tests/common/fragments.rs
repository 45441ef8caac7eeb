//! Random loop-free fragments with two variables per inequality, as queries in the form of [SUM] section 4.2.

#![allow(dead_code)] // Each user takes its part.

use tamis_logic::{RBig, Sort, Term, Terms};
use tamis_testing::Random;

/// A guard `v ≤ c` or `v ≤ w + c` over the program's variables.
#[derive(Clone, Copy)]
struct Guard {
    v: usize,
    w: Option<usize>,
    c: i64,
}

struct Generator {
    random: Random,
    terms: Terms,
    sort: Sort,
    conjuncts: Vec<Term>,
    fresh: usize,
}

impl Generator {
    fn var(&mut self, name: &str, sort: Sort) -> Term {
        self.fresh += 1;
        self.terms.var(&format!("{name}{}", self.fresh), sort)
    }

    fn constant(&mut self, c: i64) -> Term {
        match self.sort {
            Sort::Int => self.terms.int(c),
            Sort::Real => self.terms.real(RBig::from(c)),
            _ => self.terms.bits(32, c as u128),
        }
    }

    fn sum(&mut self, a: Term, c: i64) -> Term {
        let c = self.constant(c);
        if self.sort.is_arithmetic() { self.terms.plus(&[a, c]) } else { self.terms.add(a, c) }
    }

    fn read(&mut self, guard: Guard, state: &[Term]) -> Term {
        let right = match guard.w {
            Some(w) => self.sum(state[w], guard.c),
            None => self.constant(guard.c),
        };
        if self.sort.is_arithmetic() {
            self.terms.le(state[guard.v], right)
        } else {
            self.terms.sle(state[guard.v], right)
        }
    }

    fn guard(&mut self, vars: usize) -> Guard {
        let v = self.random.below(vars as u64) as usize;
        let w = self.random.below(vars as u64) as usize;
        let w = (w != v && self.random.below(2) == 0).then_some(w);
        Guard { v, w, c: self.random.below(9) as i64 - 4 }
    }

    /// One to three assignments, each defining a new name.
    fn assign(&mut self, state: &mut [Term]) {
        for _ in 0..1 + self.random.below(3) {
            let v = self.random.below(state.len() as u64) as usize;
            let w = self.random.below(state.len() as u64) as usize;
            let c = self.random.below(5) as i64 - 2;
            let name = self.var("v", self.sort);
            let value = match self.random.below(6) {
                0 => self.constant(c),
                1 => self.var("havoc", self.sort),
                2 => self.sum(state[w], c),
                _ => self.sum(state[v], c),
            };
            let defined = self.terms.eq(name, value);
            self.conjuncts.push(defined);
            state[v] = name;
        }
    }
}

/// A query in the form of [SUM] section 4.2.
pub struct Query {
    pub terms: Terms,
    pub conjuncts: Vec<Term>,
    pub predicates: Vec<Term>,
}

/// How large fragments are, each number being the least and how many more there may be.
pub struct Shape {
    pub variables: (usize, u64),
    pub branches: (usize, u64),
    pub predicates: (usize, u64),
}

impl Shape {
    /// 10 to 40 predicates.
    pub const LARGE: Shape = Shape { variables: (3, 6), branches: (2, 8), predicates: (10, 31) };
    /// Few enough for all to be tried.
    pub const SMALL: Shape = Shape { variables: (2, 2), branches: (1, 3), predicates: (2, 5) };
}

impl Generator {
    fn pick(&mut self, (least, more): (usize, u64)) -> usize {
        least + self.random.below(more) as usize
    }

    /// A branch whose ways meet again, one of which may contain another branch. The state changes to that after it.
    fn branch(&mut self, reached: Term, state: &mut [Term], guards: &mut Vec<Guard>, depth: u32) -> Term {
        let guard = self.guard(state.len());
        guards.push(guard);
        let condition = self.read(guard, state);
        // A branch may also be taken at will.
        let at_will = self.random.below(6) == 0;
        let mut arms = Vec::new();
        for taken in [true, false] {
            let mut after = state.to_vec();
            let way = match (at_will, taken) {
                (true, _) => self.terms.tru(),
                (false, true) => condition,
                (false, false) => self.terms.not(condition),
            };
            let mut b = self.var("B", Sort::Bool);
            let both = self.terms.and2(reached, way);
            let r = self.terms.implies(b, both);
            self.conjuncts.push(r);
            if taken || self.random.below(2) == 0 {
                self.assign(&mut after);
            }
            if depth > 0 && self.random.below(4) == 0 {
                b = self.branch(b, &mut after, guards, depth - 1);
            }
            arms.push((b, after));
        }
        let mut ways: Vec<Vec<Term>> = arms.iter().map(|arm| vec![arm.0]).collect();
        for (v, current) in state.iter_mut().enumerate() {
            *current = arms[0].1[v];
            if arms[0].1[v] != arms[1].1[v] {
                *current = self.var("phi", self.sort);
                for (way, arm) in ways.iter_mut().zip(&arms) {
                    way.push(self.terms.eq(*current, arm.1[v]));
                }
            }
        }
        let ways: Vec<Term> = ways.iter().map(|way| self.terms.and(way)).collect();
        let joined = self.var("B", Sort::Bool);
        let some = self.terms.or(&ways);
        let r = self.terms.implies(joined, some);
        self.conjuncts.push(r);
        joined
    }
}

/// The query of a chain of branches, with predicates over the variables before and after.
pub fn query(seed: u64, sort: Sort, shape: &Shape) -> Query {
    let random = Random::new(seed);
    let mut g = Generator { random, terms: Terms::new(), sort, conjuncts: Vec::new(), fresh: 0 };
    let vars = g.pick(shape.variables);
    let before: Vec<Term> = (0..vars).map(|_| g.var("x", sort)).collect();
    let mut state = before.clone();
    let mut guards = Vec::new();
    let mut reached = g.var("B", Sort::Bool);
    for _ in 0..g.pick(shape.branches) {
        reached = g.branch(reached, &mut state, &mut guards, 1);
    }
    g.conjuncts.push(reached);
    let wanted = g.pick(shape.predicates);
    let mut predicates = Vec::new();
    while predicates.len() < wanted {
        let guard = match guards.pop() {
            Some(guard) => guard,
            None => g.guard(vars),
        };
        for state in [&before, &state] {
            predicates.push(g.read(guard, state));
        }
    }
    Query { terms: g.terms, conjuncts: g.conjuncts, predicates }
}
