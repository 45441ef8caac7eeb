//! Simplifying constructors of the array operators.
//!
//! Every rule is tried by the fuzzer in `tests/simplify.rs`.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, Terms};
use crate::value::Value;
use std::sync::Arc;

/// How many stores a `select` looks through, and how many a constant array may have to be recognised as one.
const MAX_STORES: usize = 256;

impl Terms {
    fn parts(&self, array: Term) -> (Sort, Sort) {
        self.array_parts(self.sort(array)).expect("an array")
    }

    /// `((as const sort) element)`: the array with `element` everywhere.
    pub fn const_array(&mut self, sort: Sort, element: Term) -> Term {
        let (_, element_sort) = self.array_parts(sort).expect("an array sort");
        assert_eq!(self.sort(element), element_sort, "an element of another sort");
        self.intern(Op::ConstArray, sort, &[element])
    }

    /// `(select array index)`.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let (index_sort, element_sort) = self.parts(array);
        assert_eq!(self.sort(index), index_sort, "an index of another sort");
        let mut inner = array;
        for _ in 0..MAX_STORES {
            let args = self.args(inner);
            match self.op(inner) {
                Op::ConstArray => return args[0],
                Op::Store if args[1] == index => return args[2],
                Op::Store if self.differ(args[1], index) => inner = args[0],
                _ => return self.intern(Op::Select, element_sort, &[inner, index]),
            }
        }
        self.intern(Op::Select, element_sort, &[array, index])
    }

    /// `(store array index element)`.
    pub fn store(&mut self, array: Term, index: Term, element: Term) -> Term {
        let (index_sort, element_sort) = self.parts(array);
        assert_eq!(self.sort(index), index_sort, "an index of another sort");
        assert_eq!(self.sort(element), element_sort, "an element of another sort");
        // What was stored there before is lost.
        let mut array = array;
        while self.op(array) == Op::Store && self.args(array)[1] == index {
            array = self.args(array)[0];
        }
        let there = match self.op(array) {
            Op::ConstArray => self.args(array)[0] == element,
            _ => self.op(element) == Op::Select && self.args(element) == [array, index],
        };
        if there { array } else { self.intern(Op::Store, self.sort(array), &[array, index, element]) }
    }

    /// Whether two terms differ by their form, whatever the values of the variables: constants, sums of the same terms
    /// with another constant, and what is too narrow to be a constant, as the address of an element that an index reaches
    /// is not that of a member before the array.
    fn differ(&self, a: Term, b: Term) -> bool {
        if self.is_constant(a) && self.is_constant(b) {
            return a != b;
        }
        match self.sort(a) {
            Sort::BitVec(_) => {
                let (x, c) = self.with_constant(Op::Add, a).map_or((a, None), |(x, c)| (x, Some(c)));
                let (y, d) = self.with_constant(Op::Add, b).map_or((b, None), |(y, d)| (y, Some(d)));
                (x == y && c != d) || self.is_out_of_reach(a, b) || self.is_out_of_reach(b, a)
            }
            Sort::Int | Sort::Real => {
                let ((x, c), (y, d)) = (self.without_constant(a), self.without_constant(b));
                x == y && c != d
            }
            _ => false,
        }
    }

    /// Whether `b` is a constant that `a` is no value of, since what `a` is made from is too narrow.
    fn is_out_of_reach(&self, a: Term, b: Term) -> bool {
        self.bits_constant(b).is_some_and(|c| self.undo(a, c).is_err())
    }

    /// The terms of a sum, and its constant.
    fn without_constant(&self, t: Term) -> (Vec<Term>, Option<Term>) {
        match (self.op(t), self.args(t)) {
            (Op::Plus, [terms @ .., last]) if self.is_constant(*last) => (terms.to_vec(), Some(*last)),
            (Op::Plus, terms) => (terms.to_vec(), None),
            _ => (vec![t], None),
        }
    }

    /// Equality of arrays that are not the same term.
    pub(crate) fn eq_arrays(&mut self, a: Term, b: Term) -> Term {
        if let (Some(x), Some(y)) = (self.array_constant(a), self.array_constant(b)) {
            return self.bool(x == y);
        }
        match (self.op(a), self.op(b)) {
            (Op::ConstArray, Op::ConstArray) => {
                let (x, y) = (self.args(a)[0], self.args(b)[0]);
                return self.eq(x, y);
            }
            (Op::Store, Op::Store) if self.args(a)[..2] == self.args(b)[..2] => {
                let (x, y) = (self.args(a)[2], self.args(b)[2]);
                return self.eq(x, y);
            }
            _ => {}
        }
        // a = store(a, i, x) says what a has at i.
        for (a, b) in [(a, b), (b, a)] {
            if self.op(b) == Op::Store && self.args(b)[0] == a {
                let (index, element) = (self.args(b)[1], self.args(b)[2]);
                let there = self.select(a, index);
                return self.eq(there, element);
            }
        }
        self.intern(Op::Eq, Sort::Bool, &crate::simplify_bool::sorted(a, b))
    }

    /// The value of an array term that is made of constants alone.
    pub fn array_constant(&self, t: Term) -> Option<Value> {
        // An array of arrays of arrays … would be walked once for each path through it.
        if self.sort_size(self.sort(t)) > 8 {
            return None;
        }
        let mut stores = Vec::new();
        let mut array = t;
        while self.op(array) == Op::Store && stores.len() < MAX_STORES {
            let &[inner, index, element] = self.args(array) else { return None };
            stores.push((index, element));
            array = inner;
        }
        if self.op(array) != Op::ConstArray {
            return None;
        }
        let element = |t: Term| self.constant(t).or_else(|| self.array_constant(t));
        let mut value = self.constant_array(self.sort(array), element(self.args(array)[0])?);
        for (index, stored) in stores.into_iter().rev() {
            value.store(element(index)?, element(stored)?);
        }
        Some(Value::Array(Arc::new(value)))
    }
}
