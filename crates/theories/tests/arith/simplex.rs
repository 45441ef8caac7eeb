//! Simplex over reals against Fourier–Motzkin elimination, and over integers and both against enumeration.

use crate::driver::{Counts, Subject, drive};
use crate::fourier_motzkin::{Inequality, satisfiable};
use tamis_testing::Random;
use tamis_theories::arith::{LinearForm, Rational, Relation, Simplex, Sort, Split, Var};
use tamis_theories::{Atom, Literal};

struct System {
    theory: Simplex,
    integers: Vec<Var>,
    reals: Vec<Var>,
    /// Coefficients of the integers, then of the reals.
    meanings: Vec<(Vec<Rational>, Relation, Rational)>,
    /// Integers are between minus this and this.
    radius: i64,
    cuts: usize,
}

fn negated(relation: Relation) -> Relation {
    match relation {
        Relation::Le => Relation::Gt,
        Relation::Lt => Relation::Ge,
        Relation::Ge => Relation::Lt,
        Relation::Gt => Relation::Le,
    }
}

impl System {
    fn random(random: &mut Random, integers: usize, reals: usize, radius: i64, atoms: usize) -> System {
        let mut theory = Simplex::new();
        let integers: Vec<Var> = (0..integers).map(|_| theory.variable(Sort::Int)).collect();
        let reals: Vec<Var> = (0..reals).map(|_| theory.variable(Sort::Real)).collect();
        let size = integers.len() + reals.len();
        let mut meanings = Vec::new();
        // The box comes first: it is asserted at the bottom.
        for var in 0..integers.len() {
            for relation in [Relation::Le, Relation::Ge] {
                let mut coefficients = vec![Rational::ZERO; size];
                coefficients[var] = Rational::ONE;
                let limit = if relation == Relation::Le { radius } else { -radius };
                meanings.push((coefficients, relation, Rational::from(limit)));
            }
        }
        let relations = [Relation::Le, Relation::Lt, Relation::Ge, Relation::Gt];
        for _ in 0..atoms {
            let coefficients = (0..size).map(|_| {
                let zero = random.percent(35);
                let denominator = if random.percent(15) { random.between(1, 3) } else { 1 };
                Rational::ratio(if zero { 0 } else { random.between(-4, 4) }, denominator).unwrap()
            });
            let coefficients: Vec<Rational> = coefficients.collect();
            let same = meanings.len() > 2 * integers.len() && random.percent(30);
            let coefficients =
                if same { meanings[random.below(meanings.len())].0.clone() } else { coefficients };
            let constant = Rational::ratio(random.between(-8, 8), random.between(1, 2)).unwrap();
            meanings.push((coefficients, relations[random.below(4)], constant));
        }
        System { theory, integers, reals, meanings, radius, cuts: 0 }
    }

    fn variables(&self) -> Vec<Var> {
        self.integers.iter().chain(&self.reals).copied().collect()
    }

    fn inequality(&self, literal: Literal) -> Inequality {
        let (coefficients, relation, constant) = &self.meanings[literal.atom.0 as usize];
        let relation = if literal.positive { *relation } else { negated(*relation) };
        let strict = matches!(relation, Relation::Lt | Relation::Gt);
        if matches!(relation, Relation::Le | Relation::Lt) {
            Inequality { coefficients: coefficients.clone(), constant: constant.clone(), strict }
        } else {
            Inequality {
                coefficients: coefficients.iter().map(|a| -a).collect(),
                constant: -constant,
                strict,
            }
        }
    }

    /// Whether inequalities have a solution. For the integers every point of a larger box is tried, so that reasons which
    /// leave out a side of the box they need are noticed.
    fn solvable(&self, system: &[Inequality]) -> bool {
        let (integers, radius) = (self.integers.len(), self.radius + 2);
        let mut point = vec![-radius; integers];
        loop {
            let residual = system.iter().map(|inequality| {
                let (fixed, free) = inequality.coefficients.split_at(integers);
                let sum =
                    fixed.iter().zip(&point).fold(Rational::ZERO, |sum, (a, x)| sum + a * Rational::from(*x));
                Inequality {
                    coefficients: free.to_vec(),
                    constant: &inequality.constant - sum,
                    strict: inequality.strict,
                }
            });
            let solved = if self.reals.is_empty() {
                residual.into_iter().all(|inequality| satisfiable(vec![inequality]))
            } else {
                satisfiable(residual.collect())
            };
            if solved {
                return true;
            }
            let Some(at) = point.iter().position(|&x| x < radius) else { return false };
            point[at] += 1;
            point[..at].fill(-radius);
        }
    }
}

impl Subject for System {
    type Theory = Simplex;
    const ASSERT_IS_COMPLETE: bool = false;
    const PROPAGATION_IS_COMPLETE: bool = false;

    fn theory(&mut self) -> &mut Simplex {
        &mut self.theory
    }

    fn atoms(&self) -> u32 {
        self.meanings.len() as u32
    }

    fn create(&mut self, atom: Atom) {
        let (coefficients, relation, constant) = self.meanings[atom.0 as usize].clone();
        let form: LinearForm = self.variables().into_iter().zip(coefficients).collect();
        self.theory.bound(atom, &form, relation, constant);
    }

    fn consistent(&self, literals: &[Literal]) -> bool {
        let system: Vec<Inequality> = literals.iter().map(|&literal| self.inequality(literal)).collect();
        self.solvable(&system)
    }

    fn check_model(&self, literals: &[Literal]) {
        let model = self.theory.model();
        for literal in literals {
            let (coefficients, relation, constant) = &self.meanings[literal.atom.0 as usize];
            let sum = self
                .variables()
                .iter()
                .zip(coefficients)
                .fold(Rational::ZERO, |sum, (var, a)| sum + a * &model[var.0 as usize]);
            assert_eq!(relation.holds(&sum, constant), literal.positive, "{literal:?} in {model:?}");
        }
        assert!(self.integers.iter().all(|var| model[var.0 as usize].is_integer()), "{model:?}");
    }

    /// Over the reals a conflict is a row, whose variables depend on each other in one way only.
    fn conflicts_are_minimal(&self) -> bool {
        self.integers.is_empty()
    }

    fn split(&mut self, literals: &[Literal]) {
        let splits = self.theory.take_splits();
        assert!(splits.iter().any(|split| matches!(split, Split::Branch { .. })));
        assert!(!self.theory.stopped());
        for split in splits {
            match split {
                Split::Branch { var, at } => assert!(self.integers.contains(&var) && at.is_integer()),
                Split::Cut { form, bound, reasons } => {
                    assert!(reasons.iter().all(|reason| literals.contains(reason)));
                    let mut system: Vec<Inequality> =
                        reasons.iter().map(|&literal| self.inequality(literal)).collect();
                    let coefficients = self.variables().into_iter().map(|var| {
                        let term = form.terms().iter().find(|(other, _)| *other == var);
                        term.map_or(Rational::ZERO, |(_, coefficient)| coefficient.clone())
                    });
                    let coefficients = coefficients.collect();
                    system.push(Inequality { coefficients, constant: bound, strict: true });
                    assert!(!self.solvable(&system), "a cut that loses a solution");
                    self.cuts += 1;
                }
            }
        }
    }
}

/// Drives random systems, with the box asserted at the bottom.
fn random_systems(
    seeds: std::ops::Range<u64>,
    integers: usize,
    reals: usize,
    dive: usize,
    effort: usize,
) -> (Counts, usize) {
    let (mut total, mut cuts) = (Counts::default(), 0);
    for seed in seeds {
        let mut random = Random::new(seed);
        let atoms = 3 + random.below(12);
        let mut system = System::random(&mut random, integers, reals, 2, atoms);
        system.theory.set_dive(dive);
        system.theory.set_effort(effort);
        let base: Vec<Literal> =
            (0..2 * integers as u32).map(|atom| Literal::new(Atom(atom), true)).collect();
        let counts = drive(&mut system, &mut random, 80, &base);
        total.conflicts += counts.conflicts;
        total.implied += counts.implied;
        total.models += counts.models;
        total.splits += counts.splits;
        cuts += system.cuts;
    }
    (total, cuts)
}

#[test]
fn reals_agree_with_fourier_motzkin() {
    let (counts, _) = random_systems(0..1200, 0, 3, 32, 0);
    assert!(counts.conflicts > 800 && counts.implied > 800 && counts.models > 800, "{counts:?}");
}

#[test]
fn integers_agree_with_enumeration() {
    let (counts, _) = random_systems(0..500, 3, 0, 10_000, 0);
    assert!(counts.conflicts > 200 && counts.implied > 200 && counts.models > 200, "{counts:?}");
    assert_eq!(counts.splits, 0, "the search inside the theory decides small boxes");
}

#[test]
fn integers_with_reals_agree_with_enumeration() {
    let (counts, _) = random_systems(0..400, 2, 2, 10_000, 0);
    assert!(counts.conflicts > 200 && counts.implied > 200 && counts.models > 200, "{counts:?}");
}

#[test]
fn splits_and_cuts_lose_no_solution() {
    let (counts, cuts) = random_systems(0..500, 3, 0, 0, 0);
    assert!(counts.splits > 100 && cuts > 10, "{counts:?}, {cuts} cuts");
    let (counts, cuts) = random_systems(500..900, 2, 2, 0, 0);
    assert!(counts.splits > 50 && cuts > 5, "{counts:?}, {cuts} cuts");
}

#[test]
fn integers_as_a_whole_agree_with_enumeration() {
    let (counts, _) = random_systems(0..500, 3, 0, 0, 10_000);
    assert!(counts.conflicts > 200 && counts.models > 200, "{counts:?}");
    assert_eq!(counts.splits, 0, "the search decides what it is given as a whole");
    let (counts, _) = random_systems(500..900, 2, 2, 0, 10_000);
    assert!(counts.conflicts > 100 && counts.models > 100, "{counts:?}");
}
