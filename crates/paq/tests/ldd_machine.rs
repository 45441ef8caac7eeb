//! The linear reading of machine integers against all values of two small words.

#![allow(clippy::unwrap_used)]

use tamis_diagram::Diagrams;
use tamis_logic::{Bits, Model, Sort, Term, Terms, Value};
use tamis_paq::{Predicate, ldd};
use tamis_solver::Budget;
use tamis_testing::Random;

const WIDTH: u32 = 4;

struct Formulas {
    terms: Terms,
    x: Term,
    y: Term,
    random: Random,
    /// Whether terms without a linear reading are made too.
    nonlinear: bool,
}

impl Formulas {
    fn new(seed: u64, nonlinear: bool) -> Formulas {
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", Sort::BitVec(WIDTH)), terms.var("y", Sort::BitVec(WIDTH)));
        Formulas { terms, x, y, random: Random::new(seed), nonlinear }
    }

    fn below(&mut self, n: u64) -> u64 {
        self.random.below(n)
    }

    fn constant(&mut self) -> Term {
        let value = self.below(1 << WIDTH);
        self.terms.bits(WIDTH, value.into())
    }

    fn word(&mut self, depth: u32) -> Term {
        if depth == 0 {
            return match self.below(5) {
                0 | 1 => self.x,
                2 | 3 => self.y,
                _ => self.constant(),
            };
        }
        let a = self.word(depth - 1);
        let k = self.constant();
        match self.below(if self.nonlinear { 17 } else { 14 }) {
            0 | 1 => {
                let b = self.word(depth - 1);
                self.terms.add(a, b)
            }
            2 => {
                let b = self.word(depth - 1);
                self.terms.sub(a, b)
            }
            3 => self.terms.neg(a),
            4 => self.terms.mul(a, k),
            5 => self.terms.shl(a, k),
            6 => self.terms.bv_not(a),
            7 => {
                let (c, b) = (self.formula(0), self.word(depth - 1));
                self.terms.ite(c, a, b)
            }
            8 => {
                let low = self.below(3) as u32;
                let part = self.terms.extract(low + 1, low, a);
                if self.below(2) == 0 {
                    self.terms.zero_extend(WIDTH, part)
                } else {
                    self.terms.sign_extend(WIDTH, part)
                }
            }
            9 => {
                let high = self.terms.extract(1, 0, a);
                let b = self.word(depth - 1);
                let low = self.terms.extract(3, 2, b);
                self.terms.concat(high, low)
            }
            10 => self.terms.lshr(a, k),
            11 => self.terms.ashr(a, k),
            12 => {
                let three = self.terms.bits(WIDTH, 3);
                self.terms.bv_and(a, three)
            }
            13 => {
                let divisor = self.terms.bits(WIDTH, 3);
                if self.below(2) == 0 { self.terms.udiv(a, divisor) } else { self.terms.urem(a, divisor) }
            }
            14 => self.terms.mul(a, self.y),
            15 => self.terms.bv_xor(a, self.x),
            _ => self.terms.bv_or(a, k),
        }
    }

    fn formula(&mut self, depth: u32) -> Term {
        if depth == 0 || self.below(3) == 0 {
            let (a, b) = (self.word(1), self.word(1));
            return match self.below(3) {
                0 => self.terms.eq(a, b),
                1 => self.terms.ult(a, b),
                _ => self.terms.slt(a, b),
            };
        }
        let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
        match self.below(3) {
            0 => self.terms.and2(a, b),
            1 => self.terms.or2(a, b),
            _ => self.terms.not(a),
        }
    }
}

/// Compares on one random query; says whether the answer was said to be exact.
fn agrees(seed: u64, nonlinear: bool) -> bool {
    let mut f = Formulas::new(seed, nonlinear);
    let formula = f.formula(2);
    let mut diagrams = Diagrams::new(1 << 16);
    let predicates: Vec<Predicate> = (0..2 + f.below(3))
        .map(|_| Predicate { formula: f.formula(1), var: diagrams.new_var().unwrap() })
        .collect();
    let mut minterms = Vec::new();
    for (a, b) in (0..1 << WIDTH).flat_map(|a| (0..1 << WIDTH).map(move |b| (a, b))) {
        let value = |v: u128| Value::Bits(Bits::new(WIDTH, v));
        let model: Model = [(f.x, value(a)), (f.y, value(b))].into_iter().collect();
        if f.terms.eval(formula, &model).as_bool() {
            let value = |p: &Predicate| (p.var, f.terms.eval(p.formula, &model).as_bool());
            minterms.push(predicates.iter().map(value).collect());
        }
    }
    let expected = diagrams.union_of_cubes(&minterms).unwrap();
    let query = ldd::Query { formula: &[formula], assumptions: &[], predicates: &predicates };
    let options = ldd::Options { max_nodes: 1 << 20, ..ldd::Options::default() };
    let answer = ldd::solve(&mut f.terms, &query, &mut diagrams, &options, &Budget::unlimited()).unwrap();
    let text = || f.terms.to_smtlib(formula);
    assert!(diagrams.is_subset(&expected, &answer.result), "unsound at seed {seed}: {}", text());
    if answer.exact {
        assert_eq!(answer.result, expected, "seed {seed}: {}", text());
    }
    answer.exact
}

#[test]
fn linear_words_are_read_exactly() {
    let exact = (0..600).filter(|&seed| agrees(seed, false)).count();
    assert!(exact > 500, "{exact}");
}

#[test]
fn what_is_not_linear_is_approximated() {
    let exact = (0..400).filter(|&seed| agrees(seed, true)).count();
    assert!(exact > 100, "{exact}");
}
