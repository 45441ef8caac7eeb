//! Simplifying constructors of the Boolean operators, equality and if-then-else.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, Terms};

/// Nested conjunctions, disjunctions, sums and products are merged with the one around them if they have at most this
/// many arguments: without a bound, a chain built one term at a time would cost its length squared.
pub(crate) const MAX_FLAT: usize = 64;

impl Terms {
    /// `¬a`.
    pub fn not(&mut self, a: Term) -> Term {
        assert_eq!(self.sort(a), Sort::Bool);
        match self.op(a) {
            Op::Bool(b) => self.bool(!b),
            Op::Not => self.args(a)[0],
            _ => self.intern(Op::Not, Sort::Bool, &[a]),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, args: &[Term]) -> Term {
        self.junction(Op::And, args)
    }

    /// Disjunction.
    pub fn or(&mut self, args: &[Term]) -> Term {
        self.junction(Op::Or, args)
    }

    /// `And` or `Or`: flattened, sorted, without neutral elements and repetitions; absorbing on `x` beside `¬x`.
    fn junction(&mut self, op: Op, args: &[Term]) -> Term {
        let neutral = op == Op::And;
        let mut flat: Vec<Term> = Vec::with_capacity(args.len());
        for &a in args {
            assert_eq!(self.sort(a), Sort::Bool);
            match self.op(a) {
                Op::Bool(b) if b == neutral => {}
                Op::Bool(b) => return self.bool(b),
                inner if inner == op && self.args(a).len() <= MAX_FLAT => {
                    flat.extend_from_slice(self.args(a));
                }
                _ => flat.push(a),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        // Most that are looked for are not there, and have no bit here.
        let bit = |t: Term| 1u64 << (t.index() % 64);
        let bits = flat.iter().fold(0, |bits, &t| bits | bit(t));
        let is_there = |t: Term| bits & bit(t) != 0 && flat.binary_search(&t).is_ok();
        let complementary = |t: Term| self.op(t) == Op::Not && is_there(self.args(t)[0]);
        if flat.iter().any(|&t| complementary(t)) {
            return self.bool(!neutral);
        }
        match flat[..] {
            [] => self.bool(neutral),
            [one] => one,
            _ => self.intern(op, Sort::Bool, &flat),
        }
    }

    /// `a = b`; for `Bool`, equivalence.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(a), self.sort(b), "equality between two sorts");
        if a == b {
            return self.tru();
        }
        if self.is_constant(a) && self.is_constant(b) {
            // Equal constants are one term.
            return self.fals();
        }
        match self.sort(a) {
            Sort::Bool => self.iff(a, b),
            Sort::BitVec(_) => self.eq_bv(a, b),
            Sort::Int | Sort::Real => self.eq_numbers(a, b),
            Sort::Array(_) => self.eq_arrays(a, b),
            Sort::Uninterpreted(_) => self.eq_uninterpreted(a, b),
        }
    }

    fn eq_uninterpreted(&mut self, a: Term, b: Term) -> Term {
        let [a, b] = self.commuted(a, b);
        match self.lift_into_ite(Op::Eq, a, b) {
            Some(lifted) => lifted,
            None => self.intern(Op::Eq, Sort::Bool, &[a, b]),
        }
    }

    fn iff(&mut self, a: Term, b: Term) -> Term {
        for (x, y) in [(a, b), (b, a)] {
            match self.op(x) {
                Op::Bool(true) => return y,
                Op::Bool(false) => return self.not(y),
                _ => {}
            }
        }
        // ¬x = y is ¬(x = y): negations move out, so that both polarities share one atom.
        let (a, flip_a) = self.strip_not(a);
        let (b, flip_b) = self.strip_not(b);
        let eq = if a == b { self.tru() } else { self.intern(Op::Eq, Sort::Bool, &sorted(a, b)) };
        if flip_a == flip_b { eq } else { self.not(eq) }
    }

    /// Whether one of two terms is the negation of the other.
    fn is_negation(&self, a: Term, b: Term) -> bool {
        self.strip_not(a) == (b, true) || self.strip_not(b) == (a, true)
    }

    fn strip_not(&self, t: Term) -> (Term, bool) {
        match self.op(t) {
            Op::Not => (self.args(t)[0], true),
            _ => (t, false),
        }
    }

    /// `if cond then a else b`, at any sort.
    pub fn ite(&mut self, cond: Term, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(cond), Sort::Bool);
        assert_eq!(self.sort(a), self.sort(b), "if-then-else between two sorts");
        match self.op(cond) {
            Op::Bool(true) => return a,
            Op::Bool(false) => return b,
            Op::Not => {
                let inner = self.args(cond)[0];
                return self.ite(inner, b, a);
            }
            _ => {}
        }
        if a == b {
            return a;
        }
        // A branch that asks the same condition again already knows the answer.
        let a = if self.op(a) == Op::Ite && self.args(a)[0] == cond { self.args(a)[1] } else { a };
        let b = if self.op(b) == Op::Ite && self.args(b)[0] == cond { self.args(b)[2] } else { b };
        if a == b {
            return a;
        }
        if self.sort(a) == Sort::Bool {
            return self.ite_bool(cond, a, b);
        }
        self.intern(Op::Ite, self.sort(a), &[cond, a, b])
    }

    fn ite_bool(&mut self, cond: Term, a: Term, b: Term) -> Term {
        let not_cond = self.not(cond);
        match (self.op(a), self.op(b)) {
            (Op::Bool(true), _) => self.or2(cond, b),
            (Op::Bool(false), _) => self.and2(not_cond, b),
            (_, Op::Bool(true)) => self.or2(not_cond, a),
            (_, Op::Bool(false)) => self.and2(cond, a),
            _ if a == cond => self.or2(cond, b),
            _ if b == cond => self.and2(cond, a),
            _ if self.is_negation(a, b) => self.eq(cond, a),
            _ => self.intern(Op::Ite, Sort::Bool, &[cond, a, b]),
        }
    }
}

/// The two arguments of a commutative operator in the order in which they are stored.
pub(crate) fn sorted(a: Term, b: Term) -> [Term; 2] {
    if a <= b { [a, b] } else { [b, a] }
}
