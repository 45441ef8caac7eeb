//! Arrays whose elements at constant indices are known one by one.
//!
//! A term for an array that was written a thousand times is a chain of a thousand stores, and to read from it is to walk the
//! chain. Here the elements at constant indices are in a map, and an element is a term of its own:
//!
//! - a read at a constant index is a look into the map;
//! - a read elsewhere is a decision over the bits of the index, along the map, which is a trie: about one choice for each
//!   element that the index can be at;
//! - a write elsewhere changes each of the elements that it can be at, if it is there.
//!
//! What is not in the map is in the array below it.

use crate::persistent::{Node, PersistentMap};
use crate::sort::Sort;
use crate::store::{Term, Terms};

/// An array: the elements of a map, and those of a term elsewhere.
#[derive(Clone, Debug)]
pub struct Cells {
    below: Term,
    /// By the number that the index is.
    elements: PersistentMap<Term>,
}

impl Cells {
    /// The array that a term is.
    pub fn of(terms: &Terms, array: Term) -> Cells {
        assert!(terms.array_parts(terms.sort(array)).is_some(), "an array");
        Cells { below: array, elements: PersistentMap::new() }
    }

    /// The width of indices, if they are numbers that can be keys.
    fn index_width(&self, terms: &Terms) -> Option<u32> {
        match terms.array_parts(terms.sort(self.below)) {
            Some((Sort::BitVec(width), _)) if width <= 64 => Some(width),
            _ => None,
        }
    }

    /// The element at a constant index.
    fn at(&self, terms: &mut Terms, width: u32, key: u64) -> Term {
        match self.elements.get(key) {
            Some(&element) => element,
            None => {
                let index = terms.bits(width, u128::from(key));
                terms.select(self.below, index)
            }
        }
    }

    /// The element at an index.
    pub fn select(&self, terms: &mut Terms, index: Term) -> Term {
        let Some(width) = self.index_width(terms) else { return terms.select(self.below, index) };
        if let Some(key) = terms.small_constant(index) {
            return self.at(terms, width, key);
        }
        if let Some(element) = terms.over_choices(index, &mut |terms, index| {
            let key = terms.small_constant(index).expect("a choice among constants");
            self.at(terms, width, key)
        }) {
            return element;
        }
        let elsewhere = terms.select(self.below, index);
        let within = terms.unsigned_range(index);
        match self.elements.root() {
            Some(root) => decide(terms, root, index, (width, within), elsewhere),
            None => elsewhere,
        }
    }

    /// Puts an element at an index.
    pub fn store(&mut self, terms: &mut Terms, index: Term, element: Term) {
        let Some(width) = self.index_width(terms) else {
            self.below = terms.store(self.below, index, element);
            return;
        };
        if let Some(key) = terms.small_constant(index) {
            self.elements.insert(key, element);
            return;
        }
        let mut keys: Vec<u64> = Vec::new();
        let choices = terms.over_choices(index, &mut |terms, index| {
            keys.extend(terms.small_constant(index));
            index
        });
        if choices.is_none() {
            let (first, last) = terms.unsigned_range(index);
            self.elements.range(first, last, &mut |key, _| keys.push(key));
            self.below = terms.store(self.below, index, element);
        }
        for key in keys {
            let here = terms.bits(width, u128::from(key));
            let is_here = terms.eq_over_choices(index, here);
            if !terms.is_false(is_here) {
                let before = self.at(terms, width, key);
                let after = terms.choose(is_here, element, before);
                self.elements.insert(key, after);
            }
        }
    }

    /// The array that is one if a condition holds, and else another.
    pub fn choose(terms: &mut Terms, condition: Term, one: &Cells, other: &Cells) -> Cells {
        let below = terms.ite(condition, one.below, other.below);
        let Some(width) = one.index_width(terms) else { return Cells { below, ..Cells::of(terms, below) } };
        let elements = one.elements.merge(&other.elements, &mut |key, a, b| {
            let a = a.copied().unwrap_or_else(|| one.at(terms, width, key));
            let b = b.copied().unwrap_or_else(|| other.at(terms, width, key));
            terms.choose(condition, a, b)
        });
        Cells { below, elements }
    }

    /// The array as a term.
    pub fn term(&self, terms: &mut Terms) -> Term {
        let Some(width) = self.index_width(terms) else { return self.below };
        let mut array = self.below;
        self.elements.for_each(&mut |key, &element| {
            let index = terms.bits(width, u128::from(key));
            array = terms.store(array, index, element);
        });
        array
    }

    /// Whether two arrays are the same without a look at their elements: they can be the same otherwise.
    pub(crate) fn is_same(&self, other: &Cells) -> bool {
        self.below == other.below && self.elements.is_shared(&other.elements)
    }
}

/// The element at an index that is no constant, among those of a part of the map; `elsewhere` if the index is none of theirs. The
/// index's bits from `width` on are as those of the part's keys.
fn decide(
    terms: &mut Terms,
    part: &Node<Term>,
    index: Term,
    (width, within): (u32, (u64, u64)),
    elsewhere: Term,
) -> Term {
    match part {
        Node::Leaf(key, element) => {
            if !(within.0..=within.1).contains(key) {
                return elsewhere;
            }
            let is_here = agrees(terms, index, (width, 0), *key);
            terms.ite(is_here, *element, elsewhere)
        }
        Node::Branch { prefix, bit, zero, one } => {
            let greatest = prefix | (u64::MAX >> (63 - bit));
            if *prefix > within.1 || greatest < within.0 {
                return elsewhere;
            }
            let is_one = agrees(terms, index, (bit + 1, *bit), 1 << bit);
            let zero = decide(terms, zero, index, (*bit, within), elsewhere);
            let one = decide(terms, one, index, (*bit, within), elsewhere);
            let element = terms.ite(is_one, one, zero);
            let fits = agrees(terms, index, (width, bit + 1), *prefix);
            terms.ite(fits, element, elsewhere)
        }
    }
}

/// Whether the bits of an index below one number, down to another, are those of a key.
fn agrees(terms: &mut Terms, index: Term, (above, low): (u32, u32), key: u64) -> Term {
    if above <= low {
        return terms.tru();
    }
    let bits = terms.extract(above - 1, low, index);
    let width = above - low;
    let wanted = terms.bits(width, u128::from(key >> low) & (u128::MAX >> (128 - width)));
    terms.eq(bits, wanted)
}
