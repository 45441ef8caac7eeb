//! Simplifying constructors of the operators on integers and reals.
//!
//! Sums are kept in the normal form of [`Linear`], comparisons with all terms on one side and the constant on the
//! other, divided by what the coefficients have in common; over the integers the constant is rounded too. Every rule
//! is tried by the fuzzer in `tests/simplify.rs`.

use crate::linear::Linear;
use crate::op::Op;
use crate::simplify_bool::MAX_FLAT;
use crate::sort::Sort;
use crate::store::{Term, Terms};
use dashu_int::IBig;
use dashu_int::ops::{Abs, DivEuclid, RemEuclid};
use dashu_ratio::RBig;

impl Terms {
    fn number_sort(&self, args: &[Term]) -> Sort {
        let sort = self.sort(args[0]);
        assert!(sort.is_arithmetic(), "a number");
        assert!(args.iter().all(|&a| self.sort(a) == sort), "numbers of two sorts");
        sort
    }

    /// The sum of one or more terms of sort `Int`, or of sort `Real`.
    pub fn plus(&mut self, args: &[Term]) -> Term {
        let sort = self.number_sort(args);
        let mut sum = Linear::default();
        for &a in args {
            self.add_shallow(&mut sum, RBig::ONE, a, false);
        }
        self.sum_with(sort, &sum)
    }

    /// `-a`.
    pub fn negate(&mut self, a: Term) -> Term {
        self.multiple(RBig::from(-1), a)
    }

    /// `a - b`.
    pub fn minus(&mut self, a: Term, b: Term) -> Term {
        let minus_b = self.negate(b);
        self.plus(&[a, minus_b])
    }

    /// `c·a`; for `Int`, `c` is an integer.
    pub fn multiple(&mut self, c: RBig, a: Term) -> Term {
        let sort = self.number_sort(&[a]);
        let mut sum = Linear::default();
        self.add_shallow(&mut sum, c, a, false);
        self.sum_with(sort, &sum)
    }

    /// The product of one or more terms of sort `Int`, or of sort `Real`.
    pub fn times(&mut self, args: &[Term]) -> Term {
        let sort = self.number_sort(args);
        let mut c = RBig::ONE;
        let mut factors: Vec<Term> = Vec::new();
        for &a in args {
            let inner =
                if self.op(a) == Op::Times && self.args(a).len() <= MAX_FLAT { self.args(a) } else { &[a] };
            for &factor in inner {
                match self.number_constant(factor) {
                    Some(number) => c *= number,
                    None => factors.push(factor),
                }
            }
        }
        if c.is_zero() {
            return self.number(sort, c);
        }
        factors.sort_unstable();
        match factors[..] {
            [] => self.number(sort, c),
            [only] => self.multiple(c, only),
            _ => {
                let product = self.intern(Op::Times, sort, &factors);
                self.scaled(sort, c, product)
            }
        }
    }

    /// `a ≤ b`.
    pub fn le(&mut self, a: Term, b: Term) -> Term {
        let sort = self.number_sort(&[a, b]);
        if let Some([x, y]) = self.plain_pair(sort, a, b) {
            // x - y ≤ 0, or y - x ≤ 0, which is ¬(x - y ≤ -1).
            let minus_y = self.scaled(sort, RBig::from(-1), y);
            let left = self.intern(Op::Plus, sort, &[x, minus_y]);
            let bound = self.int(if x == a { 0 } else { -1 });
            let le = self.intern(Op::Le, Sort::Bool, &[left, bound]);
            return if x == a { le } else { self.not(le) };
        }
        if let Some((x, c)) = self.plain_and_constant(sort, a, b) {
            return self.intern(Op::Le, Sort::Bool, &[x, c]);
        }
        if let Some((x, c)) = self.plain_and_constant(sort, b, a)
            && let Some(c) = self.number_constant(c)
        {
            // c ≤ x is ¬(x ≤ c - 1).
            let below = self.number(sort, c - RBig::ONE);
            let le = self.intern(Op::Le, Sort::Bool, &[x, below]);
            return self.not(le);
        }
        let mut sum = self.difference(a, b);
        if sum.terms.is_empty() {
            return self.bool(sum.constant <= RBig::ZERO);
        }
        sum.make_primitive();
        if let Some(integers) = self.over_integers(sort, &sum) {
            return self.at_most(Sort::Int, integers);
        }
        self.at_most(sort, sum)
    }

    /// Two different integers that are neither sums, products nor constants, by id. Most comparisons are of such, and their
    /// normal form is known without computing.
    fn plain_pair(&self, sort: Sort, a: Term, b: Term) -> Option<[Term; 2]> {
        let plain = |t: Term| !matches!(self.op(t), Op::Plus | Op::Times | Op::Const(_));
        (sort == Sort::Int && a != b && plain(a) && plain(b)).then(|| if a < b { [a, b] } else { [b, a] })
    }

    /// An integer that is neither a sum, a product, a constant nor conditional, and a constant.
    fn plain_and_constant(&self, sort: Sort, a: Term, b: Term) -> Option<(Term, Term)> {
        let plain = !matches!(self.op(a), Op::Plus | Op::Times | Op::Const(_) | Op::Ite);
        (sort == Sort::Int && plain && self.is_constant(b)).then_some((a, b))
    }

    /// `sum ≤ 0`, where the coefficients are integers without a common factor.
    fn at_most(&mut self, sort: Sort, mut sum: Linear) -> Term {
        let negative = sum.leads_negative();
        if negative {
            sum.negate();
        }
        let bound = -std::mem::take(&mut sum.constant);
        let left = self.sum_of(sort, &sum);
        match (sort, negative) {
            (Sort::Int, false) => {
                let bound = self.int(bound.floor());
                self.le_constant(left, bound)
            }
            // left ≥ bound
            (Sort::Int, true) => {
                let below = self.int(bound.ceil() - IBig::ONE);
                let below = self.le_constant(left, below);
                self.not(below)
            }
            (_, false) => {
                let bound = self.real(bound);
                self.le_constant(left, bound)
            }
            (_, true) => {
                let bound = self.real(bound);
                self.intern(Op::Le, Sort::Bool, &[bound, left])
            }
        }
    }

    fn le_constant(&mut self, left: Term, bound: Term) -> Term {
        match self.lift_into_ite(Op::Le, left, bound) {
            Some(lifted) => lifted,
            None => self.intern(Op::Le, Sort::Bool, &[left, bound]),
        }
    }

    /// A sum of integers read as reals, with integer coefficients, as a sum of integers; the constant may be any.
    fn over_integers(&mut self, sort: Sort, sum: &Linear) -> Option<Linear> {
        if sort == Sort::Int {
            return None;
        }
        let mut integers = Linear { constant: sum.constant.clone(), ..Linear::default() };
        for (&t, c) in &sum.terms {
            if self.op(t) != Op::ToReal {
                return None;
            }
            integers.add(self.args(t)[0], c.clone());
        }
        Some(integers)
    }

    /// `a < b`.
    pub fn lt(&mut self, a: Term, b: Term) -> Term {
        let ge = self.le(b, a);
        self.not(ge)
    }

    /// `a ≥ b`.
    pub fn ge(&mut self, a: Term, b: Term) -> Term {
        self.le(b, a)
    }

    /// `a > b`.
    pub fn gt(&mut self, a: Term, b: Term) -> Term {
        self.lt(b, a)
    }

    /// Equality of numbers; neither the same term nor two constants.
    pub(crate) fn eq_numbers(&mut self, a: Term, b: Term) -> Term {
        let sort = self.number_sort(&[a, b]);
        if let Some(pair) = self.plain_pair(sort, a, b) {
            return self.intern(Op::Eq, Sort::Bool, &pair);
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some((x, c)) = self.plain_and_constant(sort, x, y) {
                return self.intern(Op::Eq, Sort::Bool, &[x, c]);
            }
        }
        let mut sum = self.difference(a, b);
        if sum.terms.is_empty() {
            return self.bool(sum.constant.is_zero());
        }
        sum.make_primitive();
        let (sort, mut sum) = match self.over_integers(sort, &sum) {
            Some(integers) => (Sort::Int, integers),
            None => (sort, sum),
        };
        if sort == Sort::Int && !sum.constant.is_int() {
            return self.fals();
        }
        if sum.leads_negative() {
            sum.negate();
        }
        // x - y = 0 is x = y.
        let minus_one = RBig::from(-1);
        let mut terms = sum.terms.iter();
        if let (Some((&x, c)), Some((&y, d)), None) = (terms.next(), terms.next(), terms.next())
            && sum.constant.is_zero()
            && c.is_one()
            && *d == minus_one
        {
            return self.intern(Op::Eq, Sort::Bool, &[x, y]);
        }
        let right = -std::mem::take(&mut sum.constant);
        let (left, right) = (self.sum_of(sort, &sum), self.number(sort, right));
        match self.lift_into_ite(Op::Eq, left, right) {
            Some(lifted) => lifted,
            None => self.intern(Op::Eq, Sort::Bool, &[left, right]),
        }
    }

    /// `(div a b)`: the integer quotient that leaves a remainder from 0 up to below |b|. By 0, it is
    /// [some function](Terms::division_by_zero) of `a`.
    pub fn int_div(&mut self, a: Term, b: Term) -> Term {
        match self.divisor(Op::IntDiv, a, b) {
            Divisor::Zero(applied) => applied,
            Divisor::Constant(n) if n < IBig::ZERO => {
                let positive = self.int(-n);
                let quotient = self.int_div(a, positive);
                self.negate(quotient)
            }
            Divisor::Constant(n) => {
                let (quotient, rest) = self.split(a, &n);
                let rest = self.sum_with(Sort::Int, &rest);
                let small = match self.number_constant(rest) {
                    // A remainder alone.
                    Some(_) => self.int(0),
                    None => self.intern(Op::IntDiv, Sort::Int, &[rest, b]),
                };
                let quotient = self.sum_with(Sort::Int, &quotient);
                self.plus(&[quotient, small])
            }
            Divisor::Term => self.intern(Op::IntDiv, Sort::Int, &[a, b]),
        }
    }

    /// `(mod a b)`: the remainder of [`int_div`](Terms::int_div).
    pub fn modulo(&mut self, a: Term, b: Term) -> Term {
        match self.divisor(Op::Mod, a, b) {
            Divisor::Zero(applied) => applied,
            Divisor::Constant(n) => {
                let n = n.abs();
                let (_, rest) = self.split(a, &n);
                let rest = self.sum_with(Sort::Int, &rest);
                let n = self.int(n);
                match self.number_constant(rest) {
                    Some(_) => rest,
                    None => self.intern(Op::Mod, Sort::Int, &[rest, n]),
                }
            }
            Divisor::Term => self.intern(Op::Mod, Sort::Int, &[a, b]),
        }
    }

    /// `a / b` for reals. By 0, it is [some function](Terms::division_by_zero) of `a`.
    pub fn divide(&mut self, a: Term, b: Term) -> Term {
        assert_eq!(self.number_sort(&[a, b]), Sort::Real);
        match self.number_constant(b) {
            Some(n) if n.is_zero() => {
                let by_zero = self.division_by_zero(Op::Divide);
                self.apply(by_zero, &[a])
            }
            Some(n) => self.multiple(RBig::ONE / n, a),
            None => self.intern(Op::Divide, Sort::Real, &[a, b]),
        }
    }

    fn divisor(&mut self, op: Op, a: Term, b: Term) -> Divisor {
        assert_eq!(self.number_sort(&[a, b]), Sort::Int);
        match self.number_constant(b) {
            Some(n) if n.is_zero() => {
                let by_zero = self.division_by_zero(op);
                Divisor::Zero(self.apply(by_zero, &[a]))
            }
            Some(n) => Divisor::Constant(n.floor()),
            None => Divisor::Term,
        }
    }

    /// `a` as `n·q + r`, the coefficients and the constant of `r` being from 0 up to below `n`.
    fn split(&mut self, a: Term, n: &IBig) -> (Linear, Linear) {
        let mut sum = Linear::default();
        self.add_shallow(&mut sum, RBig::ONE, a, false);
        let divide = |c: &RBig| {
            let c = c.floor();
            (RBig::from((&c).div_euclid(n)), RBig::from(IBig::from(c.rem_euclid(n))))
        };
        let (mut quotient, mut rest) = (Linear::default(), Linear::default());
        (quotient.constant, rest.constant) = divide(&sum.constant);
        for (&t, c) in &sum.terms {
            let (q, r) = divide(c);
            quotient.add(t, q);
            rest.add(t, r);
        }
        (quotient, rest)
    }

    /// `to_real`, applied to the terms of a sum.
    pub fn to_real(&mut self, a: Term) -> Term {
        assert_eq!(self.sort(a), Sort::Int);
        let mut sum = Linear::default();
        self.add_shallow(&mut sum, RBig::ONE, a, false);
        let mut reals = Linear { constant: sum.constant, ..Linear::default() };
        for (&t, c) in &sum.terms {
            let t = self.intern(Op::ToReal, Sort::Real, &[t]);
            reals.add(t, c.clone());
        }
        self.sum_with(Sort::Real, &reals)
    }

    /// `to_int`: the greatest integer that is not greater.
    pub fn to_int(&mut self, a: Term) -> Term {
        assert_eq!(self.sort(a), Sort::Real);
        if let Some(n) = self.number_constant(a) {
            return self.int(n.floor());
        }
        if self.op(a) == Op::ToReal {
            return self.args(a)[0];
        }
        self.intern(Op::ToInt, Sort::Int, &[a])
    }

    /// `is_int`.
    pub fn is_int(&mut self, a: Term) -> Term {
        assert_eq!(self.sort(a), Sort::Real);
        if let Some(n) = self.number_constant(a) {
            return self.bool(n.is_int());
        }
        if self.op(a) == Op::ToReal {
            return self.tru();
        }
        self.intern(Op::IsInt, Sort::Bool, &[a])
    }

    /// `abs`, of integers or reals.
    pub fn abs(&mut self, a: Term) -> Term {
        let sort = self.number_sort(&[a]);
        let zero = self.number(sort, RBig::ZERO);
        let (negative, minus_a) = (self.lt(a, zero), self.negate(a));
        self.ite(negative, minus_a, a)
    }
}

enum Divisor {
    /// 0: what the quotient or remainder is.
    Zero(Term),
    /// Another constant.
    Constant(IBig),
    /// Not a constant.
    Term,
}
