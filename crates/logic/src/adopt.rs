//! Terms of one store in another.
//!
//! Whoever rewrites terms on a large scale makes many that nobody asks for again. A store of its own keeps them apart:
//! it takes over sorts, functions and variables of the original under the same ids, so that values and models mean the
//! same in both, while the terms have ids of their own.

use crate::op::{Op, Symbol};
use crate::sort::Sort;
use crate::store::{Term, Terms};

impl Terms {
    /// The term of this store that `t` of the store `original` is, given those of its arguments; simplified anew. The
    /// sorts and functions of `original` have been [taken over](Terms::adopt_sorts).
    ///
    /// ```
    /// use tamis_logic::{Sort, Terms};
    /// let mut original = Terms::new();
    /// let (x, y) = (original.var("x", Sort::BitVec(8)), original.var("y", Sort::BitVec(8)));
    /// let sum = original.add(x, y);
    /// let mut copy = Terms::new();
    /// copy.adopt_sorts(&original);
    /// let five = copy.bits(8, 5);
    /// let y = copy.adopt(&original, y, &[]);
    /// let same = copy.adopt(&original, sum, &[five, y]);
    /// assert_eq!(same, copy.add(y, five));
    /// ```
    pub fn adopt(&mut self, original: &Terms, t: Term, args: &[Term]) -> Term {
        match original.op(t) {
            Op::Bool(value) => self.bool(value),
            Op::Const(_) => {
                let value = original.stored_constant(t).cloned();
                self.intern_constant(value.expect("a constant that is not a Bool is stored"))
            }
            op => self.build(op, original.sort(t), args),
        }
    }

    /// Takes over the sorts and functions of `original`. All sorts and functions of this store are from it.
    pub fn adopt_sorts(&mut self, original: &Terms) {
        self.adopt_symbols(original);
    }

    /// A variable that no other store has, the one with this number. It has no name.
    pub fn hidden(&mut self, number: u32, sort: Sort) -> Term {
        self.intern(Op::Var(Symbol(u32::MAX - number)), sort, &[])
    }
}
