//! Equality of sums and products of bit-vectors, as polynomials modulo 2^width.

use crate::bits::Bits;
use crate::op::Op;
use crate::store::{Term, Terms};
use std::collections::BTreeMap;

/// How many nodes of a term, read as a tree, are looked at.
const NODES: usize = 64;

/// How many monomials a polynomial may have, and of what degree.
const MONOMIALS: usize = 64;
const DEGREE: usize = 8;

/// A sum of products: for each product, its factors in order and its coefficient, which is not 0. The constant is the
/// product without factors.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Polynomial {
    width: u32,
    monomials: BTreeMap<Vec<Term>, Bits>,
}

impl Polynomial {
    /// 0.
    pub fn zero(width: u32) -> Polynomial {
        Polynomial { width, monomials: BTreeMap::new() }
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    /// The products with their coefficients.
    pub fn monomials(&self) -> impl Iterator<Item = (&[Term], &Bits)> {
        self.monomials.iter().map(|(factors, c)| (factors.as_slice(), c))
    }

    fn new(width: u32, factors: Vec<Term>, coefficient: Bits) -> Polynomial {
        let mut polynomial = Polynomial::zero(width);
        polynomial.add(factors, &coefficient);
        polynomial
    }

    pub fn add(&mut self, factors: Vec<Term>, coefficient: &Bits) {
        let zero = Bits::new(self.width, 0);
        let sum = self.monomials.get(&factors).unwrap_or(&zero).add(coefficient);
        if sum.is_zero() {
            self.monomials.remove(&factors);
        } else {
            self.monomials.insert(factors, sum);
        }
    }

    pub fn plus(mut self, other: &Polynomial) -> Option<Polynomial> {
        for (factors, coefficient) in &other.monomials {
            self.add(factors.clone(), coefficient);
        }
        (self.monomials.len() <= MONOMIALS).then_some(self)
    }

    pub fn negated(mut self) -> Polynomial {
        for coefficient in self.monomials.values_mut() {
            *coefficient = coefficient.neg();
        }
        self
    }

    fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::zero(self.width);
        if self.monomials.len() * other.monomials.len() > 4 * MONOMIALS {
            return None;
        }
        for (a, c) in &self.monomials {
            for (b, d) in &other.monomials {
                let mut factors = [a.as_slice(), b].concat();
                factors.sort_unstable();
                if factors.len() > DEGREE {
                    return None;
                }
                product.add(factors, &c.mul(d));
            }
        }
        (product.monomials.len() <= MONOMIALS).then_some(product)
    }

    fn is_linear(&self) -> bool {
        self.monomials.keys().all(|factors| factors.len() <= 1)
    }
}

impl Terms {
    /// `a = b` in simpler terms, where one of them is a sum or a product.
    ///
    /// The difference of both sides is 0, or a constant, or an odd number plus even ones: then the equality is decided.
    /// Otherwise what linear sums have in common is taken off both sides.
    pub(crate) fn eq_polynomials(&mut self, a: Term, b: Term) -> Option<Term> {
        let is_sum = |t: Term| matches!(self.op(t), Op::Add | Op::Mul | Op::Neg);
        if !is_sum(a) && !is_sum(b) {
            return None;
        }
        let mut nodes = NODES;
        let (left, right) = (self.polynomial(a, &mut nodes)?, self.polynomial(b, &mut nodes)?);
        let count = left.monomials.len() + right.monomials.len();
        let linear = left.is_linear() && right.is_linear();
        let difference = left.plus(&right.negated())?;
        let constant: Vec<Term> = Vec::new();
        let even = |(factors, c): (&Vec<Term>, &Bits)| factors.is_empty() || !c.bit(0);
        match difference.monomials.get(&constant) {
            None if difference.monomials.is_empty() => return Some(self.tru()),
            Some(c)
                if difference.monomials.len() == 1 || c.bit(0) && difference.monomials.iter().all(even) =>
            {
                return Some(self.fals());
            }
            _ => {}
        }
        if !linear || difference.monomials.len() >= count {
            return None;
        }
        // Coefficients that are closer to 0 from below go to the other side.
        let zero = self.bits(difference.width, 0);
        let [mut left, mut right] = [zero, zero];
        for (factors, coefficient) in difference.monomials {
            let side = if coefficient.is_negative() { &mut right } else { &mut left };
            let coefficient = if coefficient.is_negative() { coefficient.neg() } else { coefficient };
            let coefficient = self.bits_value(coefficient);
            let monomial = match factors.first() {
                Some(&factor) => self.mul(factor, coefficient),
                None => coefficient,
            };
            *side = self.add(*side, monomial);
        }
        Some(self.eq(left, right))
    }

    /// A term as a polynomial over terms that are neither sums nor products; `None` if it is too large.
    pub(crate) fn polynomial(&self, t: Term, nodes: &mut usize) -> Option<Polynomial> {
        *nodes = nodes.checked_sub(1)?;
        let (width, args) = (self.width(t), self.args(t));
        match self.op(t) {
            Op::Add => {
                let (a, b) = (self.polynomial(args[0], nodes)?, self.polynomial(args[1], nodes)?);
                a.plus(&b)
            }
            Op::Mul => {
                let (a, b) = (self.polynomial(args[0], nodes)?, self.polynomial(args[1], nodes)?);
                a.times(&b)
            }
            Op::Neg => Some(self.polynomial(args[0], nodes)?.negated()),
            _ => Some(match self.bits_constant(t) {
                Some(c) => Polynomial::new(width, Vec::new(), c),
                None => Polynomial::new(width, vec![t], Bits::one(width)),
            }),
        }
    }
}
