//! The engine of linear decision diagrams against enumeration.

#![allow(clippy::unwrap_used)]

#[path = "common/fragments.rs"]
mod fragments;

use fragments::Shape;
use tamis_diagram::{Bdd, Diagrams};
use tamis_logic::{Op, RBig, Sort, Term, Terms};
use tamis_paq::{AllSat, Context, Engine, Predicate, ldd};
use tamis_solver::{Budget, Solver};
use tamis_testing::Random;

/// Random formulas of linear arithmetic, different for each seed.
struct Formulas {
    terms: Terms,
    sort: Sort,
    numbers: Vec<Term>,
    bools: Vec<Term>,
    random: Random,
    /// Coefficients are at most this.
    max_coefficient: u64,
}

impl Formulas {
    fn new(seed: u64, sort: Sort, max_coefficient: u64) -> Formulas {
        let mut terms = Terms::new();
        let numbers = ["x", "y", "z", "u"].map(|name| terms.var(name, sort)).to_vec();
        let bools = ["a", "b"].map(|name| terms.var(name, Sort::Bool)).to_vec();
        Formulas { terms, sort, numbers, bools, random: Random::new(seed), max_coefficient }
    }

    fn below(&mut self, n: u64) -> u64 {
        self.random.below(n)
    }

    fn constant(&mut self) -> Term {
        let value = self.below(9) as i64 - 4;
        let half = RBig::from(value) / RBig::from(1 + self.below(2) as i64);
        match self.sort {
            Sort::Int => self.terms.int(value),
            _ => self.terms.real(half),
        }
    }

    fn number(&mut self, depth: u32) -> Term {
        if depth > 0 && self.below(5) == 0 {
            let c = self.formula(0);
            let (a, b) = (self.number(depth - 1), self.number(depth - 1));
            return self.terms.ite(c, a, b);
        }
        let mut parts = vec![self.constant()];
        for _ in 0..self.below(3) {
            let x = self.below(self.numbers.len() as u64) as usize;
            let c = 1 + self.below(self.max_coefficient) as i64;
            let sign = 1 - 2 * self.below(2) as i64;
            parts.push(self.terms.multiple(RBig::from(c * sign), self.numbers[x]));
        }
        self.terms.plus(&parts)
    }

    fn atom(&mut self, depth: u32) -> Term {
        if self.below(6) == 0 {
            let which = self.below(2) as usize;
            return self.bools[which];
        }
        let (a, b) = (self.number(depth), self.number(depth));
        match self.below(4) {
            0 => self.terms.eq(a, b),
            1 => self.terms.lt(a, b),
            _ => self.terms.le(a, b),
        }
    }

    fn formula(&mut self, depth: u32) -> Term {
        let kind = if depth == 0 { 0 } else { self.below(6) };
        if kind < 2 {
            return self.atom(depth.min(1));
        }
        let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
        match kind {
            2 => self.terms.and2(a, b),
            3 => self.terms.or2(a, b),
            4 => self.terms.eq(a, b),
            _ => self.terms.not(a),
        }
    }
}

fn all_sat(terms: &mut Terms, formula: &[Term], predicates: &[Predicate], diagrams: &mut Diagrams) -> Bdd {
    let mut solver = Solver::new(&Budget::unlimited());
    for &conjunct in formula {
        solver.assert(terms, conjunct);
    }
    AllSat
        .abstraction(&mut Context { terms, diagrams, solver: &mut solver, formula }, &[], predicates)
        .unwrap()
        .function
}

/// The form that a query is tried in, or several as they come.
fn joining(seed: u64) -> Option<ldd::Joining> {
    [None, Some(ldd::Joining::Late), Some(ldd::Joining::Plain), Some(ldd::Joining::Bounded)]
        [seed as usize / 6 % 4]
}

/// Compares on one random query; says whether the answer was said to be exact.
fn agrees(seed: u64, sort: Sort, max_coefficient: u64, order: ldd::Order) -> bool {
    let mut f = Formulas::new(seed, sort, max_coefficient);
    let formula: Vec<Term> = (0..1 + f.below(3)).map(|_| f.formula(3)).collect();
    let mut diagrams = Diagrams::new(1 << 16);
    let predicates: Vec<Predicate> = (0..2 + f.below(5))
        .map(|_| Predicate { formula: f.formula(1), var: diagrams.new_var().unwrap() })
        .collect();
    let expected = all_sat(&mut f.terms, &formula, &predicates, &mut diagrams);
    let (assumptions, formula) = formula.split_at(1);
    let query = ldd::Query { formula, assumptions, predicates: &predicates };
    let options = ldd::Options { order, max_nodes: 1 << 20, joining: joining(seed) };
    let answer = ldd::solve(&mut f.terms, &query, &mut diagrams, &options, &Budget::unlimited())
        .unwrap_or_else(|e| panic!("{e:?} seed {seed}"));
    assert!(diagrams.is_subset(&expected, &answer.result), "unsound at seed {seed}");
    if answer.exact {
        assert_eq!(answer.result, expected, "seed {seed}");
    }
    answer.exact
}

#[test]
fn integers_with_units() {
    let mut exact = 0;
    for seed in 0..1500 {
        let order = if seed % 2 == 0 { ldd::Order::Static } else { ldd::Order::Dynamic };
        exact += usize::from(agrees(seed, Sort::Int, 1, order));
    }
    assert!(exact > 1300, "{exact}");
}

#[test]
fn integers_with_any_coefficients() {
    let exact = (0..1500).filter(|&seed| agrees(seed, Sort::Int, 3, ldd::Order::Dynamic)).count();
    assert!(exact > 500, "{exact}");
}

#[test]
fn reals_are_exact() {
    for seed in 0..1500 {
        assert!(agrees(seed, Sort::Real, 3, ldd::Order::Dynamic), "seed {seed}");
    }
}

#[test]
fn fragments_of_programs() {
    for seed in 0..400 {
        let sort = [Sort::Int, Sort::Real, Sort::BitVec(32)][seed as usize % 3];
        let fragments::Query { mut terms, conjuncts, predicates } =
            fragments::query(seed, sort, &Shape::SMALL);
        let mut diagrams = Diagrams::new(1 << 16);
        let predicates = named(predicates, &mut diagrams);
        let expected = all_sat(&mut terms, &conjuncts, &predicates, &mut diagrams);
        let query = ldd::Query { formula: &conjuncts, assumptions: &[], predicates: &predicates };
        let options = ldd::Options { joining: joining(seed), ..ldd::Options::default() };
        let answer = ldd::solve(&mut terms, &query, &mut diagrams, &options, &Budget::unlimited()).unwrap();
        assert!(answer.exact, "seed {seed}");
        assert_eq!(answer.result, expected, "seed {seed}");
    }
}

/// Predicates with variables of their own.
fn named(formulas: Vec<Term>, diagrams: &mut Diagrams) -> Vec<Predicate> {
    formulas.into_iter().map(|formula| Predicate { formula, var: diagrams.new_var().unwrap() }).collect()
}

/// Integers from -4 to 4: what is assigned wraps around.
fn wrapped(terms: &mut Terms, conjuncts: &mut Vec<Term>) {
    for conjunct in conjuncts.iter_mut() {
        if terms.op(*conjunct) == Op::Eq && terms.sort(terms.args(*conjunct)[0]) == Sort::Int {
            let (a, b) = (terms.args(*conjunct)[0], terms.args(*conjunct)[1]);
            let ways = [0, 9].map(|turn| {
                let turn = terms.int(turn);
                let moved = terms.plus(&[b, turn]);
                terms.eq(a, moved)
            });
            *conjunct = terms.or(&ways);
        }
    }
    let vars = terms.free_vars_of(conjuncts);
    let (low, high) = (terms.int(-4), terms.int(4));
    for x in vars.into_iter().filter(|&x| terms.sort(x) == Sort::Int).collect::<Vec<_>>() {
        conjuncts.extend([terms.le(low, x), terms.le(x, high)]);
    }
}

#[test]
fn values_with_bounds_join() {
    let joinings = [ldd::Joining::Late, ldd::Joining::Plain, ldd::Joining::Bounded];
    let mut answered = [0; 3];
    for seed in 0..200 {
        let fragments::Query { mut terms, mut conjuncts, predicates } =
            fragments::query(seed, Sort::Int, &Shape::SMALL);
        wrapped(&mut terms, &mut conjuncts);
        let mut diagrams = Diagrams::new(1 << 16);
        let predicates = named(predicates, &mut diagrams);
        let expected = all_sat(&mut terms, &conjuncts, &predicates, &mut diagrams);
        for (joining, answered) in joinings.into_iter().zip(&mut answered) {
            let query = ldd::Query { formula: &conjuncts, assumptions: &[], predicates: &predicates };
            let options =
                ldd::Options { joining: Some(joining), order: ldd::Order::Static, max_nodes: 1 << 14 };
            match ldd::solve(&mut terms, &query, &mut diagrams, &options, &Budget::unlimited()) {
                Ok(answer) => {
                    assert!(answer.exact, "seed {seed}");
                    assert_eq!(answer.result, expected, "seed {seed}, {joining:?}");
                    *answered += 1;
                }
                Err(failure) => assert_eq!(failure, ldd::Failure::OutOfNodes),
            }
        }
    }
    assert!(answered.iter().all(|&n| n > 100), "{answered:?}");
}

/// `x ≤ y`, as the only predicate of a query about `formula`.
fn small_query(
    options: &ldd::Options,
    budget: &Budget,
    formula: impl Fn(&mut Terms, Term, Term) -> Term,
) -> Result<ldd::Answer, ldd::Failure> {
    let (mut terms, mut diagrams) = (Terms::new(), Diagrams::new(1000));
    let (x, y) = (terms.var("x", Sort::Int), terms.var("y", Sort::Int));
    let formula = [formula(&mut terms, x, y)];
    let p = [Predicate { formula: terms.le(x, y), var: diagrams.new_var().unwrap() }];
    let query = ldd::Query { formula: &formula, assumptions: &[], predicates: &p };
    ldd::solve(&mut terms, &query, &mut diagrams, options, budget)
}

#[test]
fn what_cannot_be_answered_is_an_error() {
    let (options, unlimited) = (ldd::Options::default(), Budget::unlimited());
    let product = small_query(&options, &unlimited, |terms, x, y| {
        let (square, four) = (terms.times(&[x, y]), terms.int(4));
        terms.le(square, four)
    });
    assert!(matches!(product, Err(ldd::Failure::NotLinear(_))));
    let few = ldd::Options { max_nodes: 2, ..options };
    let small = small_query(&few, &unlimited, |terms, x, y| {
        let (minus, four) = (terms.minus(x, y), terms.int(4));
        let sum = terms.plus(&[x, y]);
        let (a, b) = (terms.le(minus, four), terms.le(sum, four));
        terms.or2(a, b)
    });
    assert!(matches!(small, Err(ldd::Failure::OutOfNodes)));
    let cancelled = Budget::unlimited();
    cancelled.cancel(tamis_solver::Stop::Cancelled);
    let stopped = small_query(&options, &cancelled, |terms, x, y| terms.le(y, x));
    assert!(matches!(stopped, Err(ldd::Failure::Stopped(tamis_solver::Stop::Cancelled))));
}
