//! `p(j) = t` solved for index variables: by what both are as sums.
//!
//! `p` is a sum of a rest without index variables and of multiples of terms with them, `c·f(j)`. What `t` has beside the rest is
//! divided among these, the largest multiple first, as an element of a row-major array is a row and a column. What `f(j)` is to be
//! is known then, and solved in turn where `f` widens or cuts bits. Nothing hangs on the solution being right.

use crate::bits::Bits;
use crate::bv_poly::Polynomial;
use crate::op::Op;
use crate::store::{Term, Terms};
use crate::substitute::Substitution;

/// How deep terms stand in each other.
const DEPTH: usize = 8;

/// Wider indices are not solved.
const MOST_BITS: u32 = 64;

/// How many nodes of a term, read as a tree, are looked at.
const NODES: usize = 64;

impl Terms {
    /// Values of `variables` that make `pattern` be `target`, as far as can be told; several where division leaves a choice.
    pub fn solve_index(&mut self, pattern: Term, target: Term, variables: &[Term]) -> Vec<Substitution> {
        let found = self.solutions_at(pattern, target, variables, DEPTH);
        found.into_iter().map(|pairs| pairs.into_iter().collect()).collect()
    }

    /// The variables of an index, those first that move it furthest.
    pub fn by_stride(&self, index: Term, variables: &[Term]) -> Vec<Term> {
        let mut strides: Vec<(u128, Term)> = Vec::new();
        for &v in variables {
            if let Some(stride) = self.stride(index, v, DEPTH) {
                strides.push((stride, v));
            }
        }
        strides.sort_by_key(|&(stride, _)| std::cmp::Reverse(stride));
        strides.into_iter().map(|(_, v)| v).collect()
    }

    /// How far an index moves with a variable; nothing if it does not have it.
    fn stride(&self, index: Term, variable: Term, depth: usize) -> Option<u128> {
        if index == variable {
            return Some(1);
        }
        if depth == 0 || self.sort(index).width().is_none() {
            return None;
        }
        let polynomial = self.polynomial(index, &mut NODES.clone())?;
        polynomial
            .monomials()
            .flat_map(|(factors, c)| factors.iter().map(move |&f| (f, size(c))))
            .filter_map(|(f, size)| match (self.op(f), self.args(f)) {
                _ if f == variable => Some(size),
                (_, args) => {
                    let inner = args.iter().filter_map(|&a| self.stride(a, variable, depth - 1)).max()?;
                    Some(size.saturating_mul(inner))
                }
            })
            .max()
    }

    fn solutions_at(
        &mut self,
        pattern: Term,
        target: Term,
        variables: &[Term],
        depth: usize,
    ) -> Vec<Vec<(Term, Term)>> {
        if variables.contains(&pattern) {
            return vec![vec![(pattern, target)]];
        }
        let width = self.sort(pattern).width().filter(|&width| depth > 0 && width <= MOST_BITS);
        let Some(width) = width else { return Vec::new() };
        let [p, t] = [pattern, target].map(|t| self.polynomial(t, &mut NODES.clone()));
        let (Some(p), Some(t)) = (p, t) else { return Vec::new() };
        let mut rest = Polynomial::zero(width);
        let mut wanted: Vec<(Bits, Term, Vec<Term>)> = Vec::new();
        for (factors, c) in p.monomials() {
            let mut inside = self.free_vars_of(factors);
            inside.retain(|v| variables.contains(v));
            match factors {
                _ if inside.is_empty() => rest.add(factors.to_vec(), c),
                // A variable that occurs twice cannot be told from one place.
                &[f] if wanted.iter().all(|(_, _, vs)| vs.iter().all(|v| !inside.contains(v))) => {
                    wanted.push((c.clone(), f, inside));
                }
                _ => return Vec::new(),
            }
        }
        let Some(difference) = t.plus(&rest.negated()) else { return Vec::new() };
        wanted.sort_by_key(|(c, ..)| std::cmp::Reverse(size(c)));
        let Some(((last, f, _), others)) = wanted.split_last() else { return Vec::new() };
        // What each is to be, for one choice of how the constant is divided or another.
        let mut choices: Vec<(Vec<(Term, Term)>, Polynomial)> = vec![(Vec::new(), difference)];
        for (c, f, _) in others {
            let mut more = Vec::new();
            for (values, left) in choices {
                for (quotient, left) in divided(&left, c) {
                    let mut values = values.clone();
                    values.push((*f, self.sum(&quotient)));
                    if !more.contains(&(values.clone(), left.clone())) {
                        more.push((values, left));
                    }
                }
            }
            choices = more;
        }
        let mut found = Vec::new();
        for (mut values, left) in choices {
            let Some(quotient) = self.quotient(&left, last) else { continue };
            values.push((*f, quotient));
            let mut solutions: Vec<Vec<(Term, Term)>> = vec![Vec::new()];
            for (f, value) in values {
                let part = self.factor(f, value, variables, depth - 1);
                let both = |a: &Vec<(Term, Term)>| {
                    part.iter().map(|b| [a.as_slice(), b].concat()).collect::<Vec<_>>()
                };
                solutions = solutions.iter().flat_map(both).collect();
            }
            found.extend(solutions);
        }
        found
    }

    /// A term that is no sum is to be `value`.
    fn factor(&mut self, f: Term, value: Term, variables: &[Term], depth: usize) -> Vec<Vec<(Term, Term)>> {
        if variables.contains(&f) {
            return vec![vec![(f, value)]];
        }
        let args = self.args(f).to_vec();
        let inner = match self.op(f) {
            Op::SignExtend | Op::ZeroExtend => {
                let width = self.width(args[0]);
                self.low_bits(value, width)
            }
            Op::Extract { low: 0, .. } => {
                let width = self.width(args[0]);
                self.sign_extend(width, value)
            }
            _ => return Vec::new(),
        };
        self.solutions_at(args[0], inner, variables, depth)
    }

    /// The low bits of a term: of a sum, the sum of the low bits.
    fn low_bits(&mut self, t: Term, width: u32) -> Term {
        let Some(polynomial) = self.polynomial(t, &mut NODES.clone()) else {
            return self.extract(width - 1, 0, t);
        };
        let mut sum = self.bits(width, 0);
        for (factors, c) in polynomial.monomials() {
            let mut product = self.bits_value(c.extract(width - 1, 0));
            for &f in factors {
                let f = self.extract(width - 1, 0, f);
                product = self.mul(product, f);
            }
            sum = self.add(sum, product);
        }
        sum
    }

    /// A polynomial as a term.
    fn sum(&mut self, polynomial: &Polynomial) -> Term {
        let mut sum = self.bits(polynomial.width(), 0);
        for (factors, c) in polynomial.monomials() {
            let mut product = self.bits_value(c.clone());
            for &f in factors {
                product = self.mul(product, f);
            }
            sum = self.add(sum, product);
        }
        sum
    }

    /// A polynomial divided by a number, towards what is a multiple of it; `None` if it never is one, as its last bits tell.
    fn quotient(&mut self, polynomial: &Polynomial, by: &Bits) -> Option<Term> {
        let width = polynomial.width();
        let (mut common, mut varying) = (size(by), size(by));
        for (factors, c) in polynomial.monomials() {
            common = gcd(common, size(c));
            if !factors.is_empty() {
                varying = gcd(varying, size(c));
            }
        }
        if common.trailing_zeros() < varying.trailing_zeros() {
            return None;
        }
        let by = by.signed() / common as i128;
        let mut divided = Polynomial::zero(width);
        for (factors, c) in polynomial.monomials() {
            let c = c.signed() / common as i128;
            divided.add(factors.to_vec(), &Bits::from_signed(width, if by < 0 { -c } else { c }));
        }
        let dividend = self.sum(&divided);
        let by = by.unsigned_abs();
        Some(match by {
            1 => dividend,
            _ if by.is_power_of_two() => {
                let amount = self.bits(width, u128::from(by.trailing_zeros()));
                self.ashr(dividend, amount)
            }
            _ => {
                let by = self.bits(width, by);
                self.sdiv(dividend, by)
            }
        })
    }
}

/// How far a number is from 0.
fn size(c: &Bits) -> u128 {
    c.signed().unsigned_abs()
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Quotients and remainders: what has a multiple of `by` as its coefficient is divided, and of the constant as much as can be,
/// rounded down and to the nearest.
fn divided(polynomial: &Polynomial, by: &Bits) -> Vec<(Polynomial, Polynomial)> {
    let width = polynomial.width();
    let [mut quotient, mut left] = [Polynomial::zero(width), Polynomial::zero(width)];
    let (by, mut constant) = (by.signed(), 0);
    for (factors, c) in polynomial.monomials() {
        let c = c.signed();
        if factors.is_empty() {
            constant = c;
        } else if c % by == 0 {
            quotient.add(factors.to_vec(), &Bits::from_signed(width, c / by));
        } else {
            left.add(factors.to_vec(), &Bits::from_signed(width, c));
        }
    }
    let down = constant.div_euclid(by);
    let mut found = Vec::new();
    for q in [down, if constant.rem_euclid(by) * 2 > by.abs() { down + by.signum() } else { down }] {
        let (mut quotient, mut left) = (quotient.clone(), left.clone());
        quotient.add(Vec::new(), &Bits::from_signed(width, q));
        left.add(Vec::new(), &Bits::from_signed(width, constant - q * by));
        if !found.contains(&(quotient.clone(), left.clone())) {
            found.push((quotient, left));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;

    fn solved(terms: &mut Terms, pattern: Term, target: Term, variables: &[Term]) -> Vec<Vec<Term>> {
        let found = terms.solve_index(pattern, target, variables);
        found.iter().map(|s| variables.iter().filter_map(|&v| s.get(v)).collect()).collect()
    }

    #[test]
    fn addresses_of_elements() {
        let mut t = Terms::new();
        let (i, j) = (t.var("i", Sort::BitVec(32)), t.index_variable(0, 32));
        let (base, four, one) = (t.bits(64, 1 << 20), t.bits(64, 4), t.bits(32, 1));
        let address = |t: &mut Terms, index| {
            let wide = t.sign_extend(64, index);
            let offset = t.mul(wide, four);
            t.add(offset, base)
        };
        let (pattern, target) = (address(&mut t, j), address(&mut t, i));
        assert_eq!(solved(&mut t, pattern, target, &[j]), [vec![i]]);
        // The element before, as an address 4 bytes lower.
        let back = t.bits(64, 4);
        let before = t.sub(target, back);
        assert_eq!(solved(&mut t, pattern, before, &[j]), [vec![t.sub(i, one)]]);
        // No byte of another element is the first one of an element.
        let second = t.bits(64, 1);
        let second = t.add(target, second);
        assert!(solved(&mut t, pattern, second, &[j]).is_empty());
        // Every second element.
        let two = t.bits(32, 2);
        let (even, twice) = (t.mul(j, two), t.mul(i, two));
        let (pattern, target) = (address(&mut t, even), address(&mut t, twice));
        assert_eq!(solved(&mut t, pattern, target, &[j]), [vec![i]]);
    }

    #[test]
    fn rows_and_columns() {
        let mut t = Terms::new();
        let [i, k, base] = ["i", "k", "base"].map(|name| t.var(name, Sort::BitVec(32)));
        let (r, c) = (t.index_variable(0, 32), t.index_variable(1, 32));
        let element = |t: &mut Terms, row, column| {
            let (size, four) = (t.bits(32, 4000), t.bits(32, 4));
            let (row, column) = (t.mul(row, size), t.mul(column, four));
            let offset = t.add(row, column);
            t.add(offset, base)
        };
        let (pattern, target) = (element(&mut t, r, c), element(&mut t, i, k));
        assert_eq!(solved(&mut t, pattern, target, &[r, c]), [vec![i, k]]);
        assert_eq!(t.by_stride(pattern, &[c, r]), [r, c]);
        // The last row from behind.
        let most = t.bits(32, 999);
        let (row, column) = (t.sub(most, i), t.sub(most, k));
        let target = element(&mut t, row, column);
        assert!(solved(&mut t, pattern, target, &[r, c]).contains(&vec![row, column]));
        // The column before.
        let one = t.bits(32, 1);
        let before = t.sub(k, one);
        let target = element(&mut t, i, before);
        assert!(solved(&mut t, pattern, target, &[r, c]).contains(&vec![i, before]));
    }
}
