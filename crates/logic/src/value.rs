//! Concrete values.

use crate::array_value::ArrayValue;
use crate::bits::Bits;
use crate::sort::{Sort, SortName};
use crate::store::Terms;
use dashu_int::IBig;
use dashu_ratio::RBig;
use std::sync::Arc;

/// A value of any sort. Two values are equal exactly if they are the same element of their sort.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    Bits(Bits),
    /// An integer.
    Int(IBig),
    /// A rational number: the real numbers that a formula can name.
    Real(RBig),
    /// An element of a declared sort; two with different indices differ.
    Uninterpreted {
        /// The sort.
        sort: SortName,
        /// Which of its elements.
        index: u32,
    },
    /// An array, shared by its copies until one is changed.
    Array(Arc<ArrayValue>),
}

impl Value {
    /// The sort this is a value of.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bits(bits) => Sort::BitVec(bits.width()),
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
            Value::Uninterpreted { sort, .. } => Sort::Uninterpreted(*sort),
            Value::Array(array) => array.sort(),
        }
    }

    /// The truth value.
    ///
    /// # Panics
    /// If this is not a `Bool`: the term it came from was not, which is a bug in the caller.
    pub fn as_bool(&self) -> bool {
        match self {
            Value::Bool(b) => *b,
            other => panic!("{other:?} where a truth value was expected"),
        }
    }

    /// The bit-vector.
    ///
    /// # Panics
    /// As [`as_bool`](Value::as_bool), for a value of another sort.
    pub fn as_bits(&self) -> &Bits {
        match self {
            Value::Bits(bits) => bits,
            other => panic!("{other:?} where a bit-vector was expected"),
        }
    }

    /// The integer.
    ///
    /// # Panics
    /// As [`as_bool`](Value::as_bool), for a value of another sort.
    pub fn as_int(&self) -> &IBig {
        match self {
            Value::Int(number) => number,
            other => panic!("{other:?} where an integer was expected"),
        }
    }

    /// The number, of sort `Int` or `Real`.
    ///
    /// # Panics
    /// As [`as_bool`](Value::as_bool), for a value of another sort.
    pub fn as_number(&self) -> RBig {
        match self {
            Value::Int(number) => RBig::from(number.clone()),
            Value::Real(number) => number.clone(),
            other => panic!("{other:?} where a number was expected"),
        }
    }

    /// The array.
    ///
    /// # Panics
    /// As [`as_bool`](Value::as_bool), for a value of another sort.
    pub fn as_array(&self) -> &ArrayValue {
        match self {
            Value::Array(array) => array,
            other => panic!("{other:?} where an array was expected"),
        }
    }

    /// The number as a value of `sort`, `Int` or `Real`.
    pub(crate) fn number(sort: Sort, number: RBig) -> Value {
        if sort == Sort::Int { Value::Int(number.floor()) } else { Value::Real(number) }
    }
}

impl Terms {
    /// `false`, 0, the first element, or the array of these: the value of a variable that nothing constrains.
    pub fn default_value(&self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVec(width) => Value::Bits(Bits::zero(width)),
            Sort::Int => Value::Int(IBig::ZERO),
            Sort::Real => Value::Real(RBig::ZERO),
            Sort::Uninterpreted(sort) => Value::Uninterpreted { sort, index: 0 },
            Sort::Array(_) => {
                // The innermost element's value first, so that depth costs no stack.
                let mut sorts = vec![sort];
                let mut element = sort;
                while let Some((_, inner)) = self.array_parts(element) {
                    sorts.push(inner);
                    element = inner;
                }
                sorts.pop();
                let innermost = self.default_value(element);
                let wrap = |value, sort| Value::Array(Arc::new(self.constant_array(sort, value)));
                sorts.into_iter().rev().fold(innermost, wrap)
            }
        }
    }
}
