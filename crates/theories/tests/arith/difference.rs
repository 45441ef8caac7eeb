//! Difference logic against the algorithm of Bellman and Ford from scratch.

use crate::driver::{Counts, Subject, drive};
use tamis_testing::Random;
use tamis_theories::arith::{Delta, Difference, Domain, Integers, Rational, Reals, Var};
use tamis_theories::{Atom, Literal};

struct Graph<D: Domain> {
    theory: Difference<D>,
    variables: Vec<Var>,
    meanings: Vec<(usize, usize, D::Constant)>,
}

trait Constants: Domain {
    fn constant(value: i64) -> Self::Constant;
    fn rational(constant: &Self::Constant) -> Rational;
    /// The bound on the opposite difference when `≤ constant` fails.
    fn negated(constant: &Self::Constant) -> Delta;
}

impl Constants for Integers {
    fn constant(value: i64) -> i64 {
        value
    }
    fn rational(constant: &i64) -> Rational {
        Rational::from(*constant)
    }
    fn negated(constant: &i64) -> Delta {
        Delta::from(Rational::from(-i128::from(*constant) - 1))
    }
}

impl Constants for Reals {
    fn constant(value: i64) -> Rational {
        Rational::ratio(value, 2).unwrap()
    }
    fn rational(constant: &Rational) -> Rational {
        constant.clone()
    }
    fn negated(constant: &Rational) -> Delta {
        Delta::from(-constant).below()
    }
}

impl<D: Constants> Subject for Graph<D> {
    type Theory = Difference<D>;
    const ASSERT_IS_COMPLETE: bool = true;
    const PROPAGATION_IS_COMPLETE: bool = true;

    fn theory(&mut self) -> &mut Difference<D> {
        &mut self.theory
    }

    fn atoms(&self) -> u32 {
        self.meanings.len() as u32
    }

    fn create(&mut self, atom: Atom) {
        let (x, y, constant) = self.meanings[atom.0 as usize].clone();
        self.theory.difference(atom, self.variables[x], self.variables[y], constant);
    }

    fn consistent(&self, literals: &[Literal]) -> bool {
        let edges: Vec<(usize, usize, Delta)> = literals
            .iter()
            .map(|literal| {
                let (x, y, constant) = &self.meanings[literal.atom.0 as usize];
                if literal.positive {
                    (*y, *x, Delta::from(D::rational(constant)))
                } else {
                    (*x, *y, D::negated(constant))
                }
            })
            .collect();
        let mut distance = vec![Delta::ZERO; self.variables.len()];
        for _ in 0..=self.variables.len() {
            let mut changed = false;
            for (from, to, weight) in &edges {
                let reached = &distance[*from] + weight;
                if reached < distance[*to] {
                    distance[*to] = reached;
                    changed = true;
                }
            }
            if !changed {
                return true;
            }
        }
        false
    }

    fn check_model(&self, literals: &[Literal]) {
        let model = self.theory.model();
        for literal in literals {
            let (x, y, constant) = &self.meanings[literal.atom.0 as usize];
            let difference = &model[self.variables[*x].0 as usize] - &model[self.variables[*y].0 as usize];
            assert_eq!(difference <= D::rational(constant), literal.positive, "{literal:?}");
        }
    }

    fn conflicts_are_minimal(&self) -> bool {
        true
    }

    fn split(&mut self, _literals: &[Literal]) {
        panic!("difference logic needs no splits");
    }
}

fn random_systems<D: Constants>(seeds: std::ops::Range<u64>) -> Counts {
    let mut total = Counts::default();
    for seed in seeds {
        let mut random = Random::new(seed);
        let mut theory = Difference::<D>::new();
        let size = 2 + random.below(5);
        let variables: Vec<Var> = (0..size).map(|_| theory.variable()).collect();
        let range = if random.percent(20) { i64::MAX } else { 6 };
        let meanings = (0..4 + random.below(20))
            .map(|_| {
                let constant = D::constant(random.between(-range / 2, range / 2));
                (random.below(size), random.below(size), constant)
            })
            .filter(|(x, y, _)| x != y)
            .collect();
        let mut graph = Graph { theory, variables, meanings };
        if graph.meanings.is_empty() {
            continue;
        }
        let counts = drive(&mut graph, &mut random, 120, &[]);
        total.conflicts += counts.conflicts;
        total.implied += counts.implied;
        total.models += counts.models;
    }
    total
}

#[test]
fn integer_differences_agree_with_bellman_ford() {
    let counts = random_systems::<Integers>(0..1500);
    assert!(counts.conflicts > 1000 && counts.implied > 1000 && counts.models > 1000, "{counts:?}");
}

#[test]
fn real_differences_agree_with_bellman_ford() {
    let counts = random_systems::<Reals>(5000..6000);
    assert!(counts.conflicts > 500 && counts.implied > 500 && counts.models > 500, "{counts:?}");
}
