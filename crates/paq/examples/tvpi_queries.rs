//! Linear decision diagrams against enumeration, on queries of random loop-free fragments with two variables per
//! inequality, in the form of [SUM] section 4.2.
//!
//! `cargo run --release -p tamis-paq --example tvpi_queries -- [queries] [seconds per query] [first seed] [int|real|bv]`

use std::time::{Duration, Instant};
use tamis_diagram::{Bdd, Diagrams};
use tamis_logic::{RBig, Sort, Term, Terms};
use tamis_paq::{AllSat, Context, Engine, Predicate, ldd};
use tamis_solver::{Budget, Solver};

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }
}

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

struct Query {
    terms: Terms,
    conjuncts: Vec<Term>,
    predicates: Vec<Term>,
}

/// A chain of branches that meet again, with predicates over the variables before and after.
fn query(seed: u64, sort: Sort) -> Query {
    let random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut g = Generator { random, terms: Terms::new(), sort, conjuncts: Vec::new(), fresh: 0 };
    let vars = 3 + g.random.below(6) as usize;
    let before: Vec<Term> = (0..vars).map(|_| g.var("x", sort)).collect();
    let mut state = before.clone();
    let mut guards = Vec::new();
    let mut reached = g.var("B", Sort::Bool);
    for _ in 0..2 + g.random.below(8) {
        let guard = g.guard(vars);
        guards.push(guard);
        let condition = g.read(guard, &state);
        let mut arms = Vec::new();
        for taken in [true, false] {
            let mut after = state.clone();
            if taken || g.random.below(2) == 0 {
                g.assign(&mut after);
            }
            let way = if taken { condition } else { g.terms.not(condition) };
            let b = g.var("B", Sort::Bool);
            let both = g.terms.and2(reached, way);
            let r = g.terms.implies(b, both);
            g.conjuncts.push(r);
            arms.push((b, after));
        }
        let mut ways: Vec<Vec<Term>> = arms.iter().map(|arm| vec![arm.0]).collect();
        for (v, current) in state.iter_mut().enumerate().take(vars) {
            if arms[0].1[v] != arms[1].1[v] {
                *current = g.var("phi", sort);
                for (way, arm) in ways.iter_mut().zip(&arms) {
                    way.push(g.terms.eq(*current, arm.1[v]));
                }
            } else {
                *current = arms[0].1[v];
            }
        }
        let ways: Vec<Term> = ways.iter().map(|way| g.terms.and(way)).collect();
        let joined = g.var("B", Sort::Bool);
        let some = g.terms.or(&ways);
        let r = g.terms.implies(joined, some);
        g.conjuncts.push(r);
        reached = joined;
    }
    g.conjuncts.push(reached);
    let wanted = 10 + g.random.below(31) as usize;
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

fn with_variables(query: &Query, diagrams: &mut Diagrams) -> Vec<Predicate> {
    let make = |&formula: &Term| Some(Predicate { formula, var: diagrams.new_var().ok()? });
    query.predicates.iter().filter_map(make).collect()
}

fn by_enumeration(
    query: &mut Query,
    diagrams: &mut Diagrams,
    p: &[Predicate],
    budget: &Budget,
) -> Option<Bdd> {
    let mut solver = Solver::new(budget);
    for &conjunct in &query.conjuncts {
        solver.assert(&query.terms, conjunct);
    }
    let formula = &query.conjuncts;
    let mut context = Context { terms: &mut query.terms, diagrams, solver: &mut solver, formula };
    AllSat.abstraction(&mut context, &[], p).ok().map(|answer| answer.function)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: u64| arguments.get(i).and_then(|a| a.parse().ok()).unwrap_or(default);
    let (queries, seconds, first) = (number(0, 20), number(1, 10), number(2, 0));
    let sort = match arguments.get(3).map(String::as_str) {
        Some("real") => Sort::Real,
        Some("bv") => Sort::BitVec(32),
        _ => Sort::Int,
    };
    let limit = Duration::from_secs(seconds);
    let mut totals = [(0, Duration::ZERO); 3];
    println!("seed predicates  minterms   allsat  dynamic   static (seconds)");
    for seed in first..first + queries {
        let mut query = query(seed, sort);
        let mut diagrams = Diagrams::new(1 << 21);
        let predicates = with_variables(&query, &mut diagrams);
        let mut answers: Vec<Option<Bdd>> = Vec::new();
        let mut times = String::new();
        for engine in 0..3 {
            let budget = Budget::with_timeout(limit);
            let start = Instant::now();
            let mut note = "";
            let answer = if engine == 0 {
                by_enumeration(&mut query, &mut diagrams, &predicates, &budget)
            } else {
                let order = [ldd::Order::Dynamic, ldd::Order::Static][engine - 1];
                let options = ldd::Options { order, max_nodes: 10_000_000 };
                let asked =
                    ldd::Query { formula: &query.conjuncts, assumptions: &[], predicates: &predicates };
                match ldd::solve(&mut query.terms, &asked, &mut diagrams, &options, &budget) {
                    Ok(answer) => {
                        note = if answer.exact { "" } else { "~" };
                        Some(answer.result)
                    }
                    Err(ldd::Failure::OutOfNodes) => {
                        note = "memory";
                        None
                    }
                    Err(ldd::Failure::NotLinear(_)) => {
                        note = "not linear";
                        None
                    }
                    Err(_) => None,
                }
            };
            let time = start.elapsed();
            totals[engine].1 += if answer.is_some() { time } else { limit };
            totals[engine].0 += usize::from(answer.is_some());
            times += &match &answer {
                Some(_) => format!(" {:>8.3}{note}", time.as_secs_f64()),
                None => format!(" {:>8}", if note.is_empty() { "-" } else { note }),
            };
            answers.push(answer);
        }
        let known: Vec<&Bdd> = answers.iter().flatten().collect();
        let count = known.last().map_or(f64::NAN, |b| {
            let vars: Vec<_> = predicates.iter().map(|p| p.var).collect();
            diagrams.minterm_count(b, &vars)
        });
        let disagree = known.windows(2).any(|pair| pair[0] != pair[1]);
        let verdict = if disagree { "DISAGREE" } else { "" };
        println!("{seed:>4} {:>10} {count:>9.3e}{times} {verdict}", predicates.len());
    }
    for (name, (solved, time)) in ["allsat", "dynamic", "static"].iter().zip(totals) {
        println!("{name}: {solved} of {queries} solved, {:.1} s", time.as_secs_f64());
    }
}
