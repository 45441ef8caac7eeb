//! Sorts of terms.

use crate::store::Terms;
use std::fmt::Write;

/// The sort of a term.
///
/// Array sorts and declared sorts are kept in the [`Terms`] that made them, so that a sort stays a small copyable
/// thing: equal array sorts have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Bit-vectors of the given width, which is not 0.
    BitVec(u32),
    /// The integers.
    Int,
    /// The real numbers.
    Real,
    /// Arrays; see [`Terms::array_parts`].
    Array(ArraySort),
    /// A declared sort, of which nothing is known but that it has a value.
    Uninterpreted(SortName),
}

/// An array sort, by its id in the [`Terms`] that made it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ArraySort(pub(crate) u32);

/// A declared sort, by its id in the [`Terms`] that made it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct SortName(pub(crate) u32);

impl Sort {
    /// The width of a bit-vector sort; `None` for any other.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width),
            _ => None,
        }
    }

    /// Whether this is `Int` or `Real`.
    pub fn is_arithmetic(self) -> bool {
        matches!(self, Sort::Int | Sort::Real)
    }
}

/// An array sort's parts, and how large its text is.
#[derive(Clone)]
pub(crate) struct ArrayParts {
    pub index: Sort,
    pub element: Sort,
    /// The number of sorts in it, as a tree.
    size: u64,
}

impl Terms {
    /// The sort of arrays from `index` to `element`.
    ///
    /// ```
    /// use tamis_logic::{Sort, Terms};
    /// let mut t = Terms::new();
    /// let memory = t.array_sort(Sort::BitVec(32), Sort::BitVec(8));
    /// assert_eq!(t.array_parts(memory), Some((Sort::BitVec(32), Sort::BitVec(8))));
    /// assert_eq!(t.sort_text(memory), "(Array (_ BitVec 32) (_ BitVec 8))");
    /// ```
    pub fn array_sort(&mut self, index: Sort, element: Sort) -> Sort {
        let next = ArraySort(self.arrays.len() as u32);
        let id = *self.array_ids.entry((index, element)).or_insert(next);
        if id == next {
            let size = self.sort_size(index).saturating_add(self.sort_size(element)).saturating_add(1);
            self.arrays.push(ArrayParts { index, element, size });
        }
        Sort::Array(id)
    }

    /// The index sort and the element sort of an array sort.
    pub fn array_parts(&self, sort: Sort) -> Option<(Sort, Sort)> {
        match sort {
            Sort::Array(id) => {
                let parts = &self.arrays[id.0 as usize];
                Some((parts.index, parts.element))
            }
            _ => None,
        }
    }

    /// The number of sorts in a sort, read as a tree: what its text is proportional to.
    pub fn sort_size(&self, sort: Sort) -> u64 {
        match sort {
            Sort::Array(id) => self.arrays[id.0 as usize].size,
            _ => 1,
        }
    }

    /// The declared sort called `name`, found or made.
    pub fn declare_sort(&mut self, name: &str) -> Sort {
        let next = SortName(self.sorts.len() as u32);
        let id = *self.sort_ids.entry(name.to_owned()).or_insert(next);
        if id == next {
            self.sorts.push(name.to_owned());
        }
        Sort::Uninterpreted(id)
    }

    /// The name of a declared sort; `None` for any other.
    pub fn sort_name(&self, sort: Sort) -> Option<&str> {
        match sort {
            Sort::Uninterpreted(id) => Some(&self.sorts[id.0 as usize]),
            _ => None,
        }
    }

    /// The sort as SMT-LIB writes it.
    pub fn sort_text(&self, sort: Sort) -> String {
        enum Piece {
            Sort(Sort),
            Text(&'static str),
        }
        let mut text = String::new();
        let mut pending = vec![Piece::Sort(sort)];
        while let Some(piece) = pending.pop() {
            let _ = match piece {
                Piece::Text(t) => write!(text, "{t}"),
                Piece::Sort(Sort::Bool) => write!(text, "Bool"),
                Piece::Sort(Sort::Int) => write!(text, "Int"),
                Piece::Sort(Sort::Real) => write!(text, "Real"),
                Piece::Sort(Sort::BitVec(width)) => write!(text, "(_ BitVec {width})"),
                Piece::Sort(Sort::Array(id)) => {
                    let parts = &self.arrays[id.0 as usize];
                    let (index, element) = (Piece::Sort(parts.index), Piece::Sort(parts.element));
                    pending.extend([Piece::Text(")"), element, Piece::Text(" "), index]);
                    write!(text, "(Array ")
                }
                Piece::Sort(declared) => write!(text, "{}", self.printed_sort_name(declared)),
            };
        }
        text
    }
}
