//! The engines against the definition of `G_P(φ)`, by going through all values of two small variables.

#![allow(clippy::unwrap_used)]

use tamis_diagram::{Bdd, Diagrams};
use tamis_logic::{Bits, Model, Sort, Term, Terms, Value};
use tamis_paq::{AllSat, Cartesian, Context, Engine, Predicate, Query, weakest};
use tamis_solver::{Budget, Solver};
use tamis_testing::Random;

const WIDTH: u32 = 3;

/// Formulas over `x` and `y`, different for each seed.
struct Formulas {
    terms: Terms,
    x: Term,
    y: Term,
    random: Random,
}

impl Formulas {
    fn new(seed: u64) -> Formulas {
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", Sort::BitVec(WIDTH)), terms.var("y", Sort::BitVec(WIDTH)));
        Formulas { terms, x, y, random: Random::new(seed) }
    }

    fn below(&mut self, n: u64) -> u64 {
        self.random.below(n)
    }

    fn number(&mut self) -> Term {
        match self.below(5) {
            0 => self.x,
            1 => self.y,
            2 => {
                let value = self.below(8);
                self.terms.bits(WIDTH, value.into())
            }
            3 => self.terms.add(self.x, self.y),
            _ => self.terms.mul(self.x, self.y),
        }
    }

    fn formula(&mut self, depth: u32) -> Term {
        let kind = if depth == 0 { self.below(3) } else { self.below(6) };
        if kind < 3 {
            let (a, b) = (self.number(), self.number());
            return match kind {
                0 => self.terms.eq(a, b),
                1 => self.terms.ult(a, b),
                _ => self.terms.slt(a, b),
            };
        }
        let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
        match kind {
            3 => self.terms.and2(a, b),
            4 => self.terms.or2(a, b),
            _ => self.terms.not(a),
        }
    }

    /// The values of `terms` in every model of `formula`.
    fn images(&self, formula: Term, of: &[Term]) -> Vec<Vec<bool>> {
        let value = |v: u128| Value::Bits(Bits::new(WIDTH, v));
        let mut images = Vec::new();
        for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
            let model: Model = [(self.x, value(a)), (self.y, value(b))].into_iter().collect();
            if self.terms.eval(formula, &model).as_bool() {
                images.push(of.iter().map(|&p| self.terms.eval(p, &model).as_bool()).collect());
            }
        }
        images
    }
}

/// A query and its answer, in a solver that has answered another query before.
fn ask(engine: &dyn Engine, seed: u64) -> (Diagrams, Bdd, Vec<Predicate>, Vec<Vec<bool>>) {
    let mut f = Formulas::new(seed);
    let (asserted, assumed) = (f.formula(2), f.formula(1));
    let formulas: Vec<Term> = (0..5).map(|_| f.formula(1)).collect();
    let mut diagrams = Diagrams::new(1 << 16);
    let predicates: Vec<Predicate> =
        formulas.iter().map(|&formula| Predicate { formula, var: diagrams.new_var().unwrap() }).collect();
    let mut solver = Solver::new(&Budget::unlimited());
    solver.assert(&f.terms, asserted);
    let (terms, whole) = (&mut f.terms, [asserted, assumed]);
    let mut context = Context { terms, diagrams: &mut diagrams, solver: &mut solver, formula: &[asserted] };
    engine.abstraction(&mut context, &[], &predicates[..2]).unwrap();
    context.formula = &whole;
    let answer = engine.abstraction(&mut context, &[assumed], &predicates).unwrap().function;
    let both = f.terms.and2(asserted, assumed);
    let images = f.images(both, &formulas);
    (diagrams, answer, predicates, images)
}

#[test]
fn all_sat_is_the_strongest_combination() {
    assert!(AllSat.is_exact());
    for seed in 0..400 {
        let (diagrams, answer, predicates, images) = ask(&AllSat, seed);
        let minterms: Vec<_> =
            images.iter().map(|i| predicates.iter().zip(i).map(|(p, &v)| (p.var, v)).collect()).collect();
        assert_eq!(answer, diagrams.union_of_cubes(&minterms).unwrap(), "seed {seed}");
    }
}

#[test]
fn cartesian_keeps_exactly_the_literals_that_hold_throughout() {
    assert!(!Cartesian.is_exact());
    for seed in 0..400 {
        let (diagrams, answer, predicates, images) = ask(&Cartesian, seed);
        let expected = if images.is_empty() {
            diagrams.fals()
        } else {
            let constant = |i: usize| images.iter().all(|image| image[i] == images[0][i]);
            let literals: Vec<_> = (0..predicates.len())
                .filter(|&i| constant(i))
                .map(|i| (predicates[i].var, images[0][i]))
                .collect();
            diagrams.cube(&literals).unwrap()
        };
        assert_eq!(answer, expected, "seed {seed}");
    }
}

/// An equivalence of two predicates is part of the formula also where one of them is defined, whichever comes first.
#[test]
fn what_predicates_are_said_to_be_is_not_what_they_mean() {
    for defined_first in [true, false] {
        let (mut terms, mut diagrams) = (Terms::new(), Diagrams::new(1 << 12));
        let [x, y] = ["x", "y"].map(|name| terms.var(name, Sort::Int));
        let [a, b] = ["a", "b"].map(|name| terms.var(name, Sort::Bool));
        let less = terms.lt(x, y);
        let mut formula = [terms.eq(a, less), terms.eq(a, b)];
        if !defined_first {
            formula.reverse();
        }
        let predicates = [a, b].map(|formula| Predicate { formula, var: diagrams.new_var().unwrap() });
        let budget = Budget::unlimited();
        let mut query = Query {
            terms: &mut terms,
            diagrams: &mut diagrams,
            formula: &formula,
            predicates: &predicates,
            budget: &budget,
        };
        let answer = weakest(&AllSat, &mut query).unwrap().function;
        let [a, b] = predicates.map(|p| p.var);
        let equal = [vec![(a, true), (b, true)], vec![(a, false), (b, false)]];
        assert_eq!(answer, diagrams.union_of_cubes(&equal).unwrap());
    }
}
