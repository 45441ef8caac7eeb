//! Values of array sorts.

use crate::bits::Bits;
use crate::sort::Sort;
use crate::store::Terms;
use crate::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An array that has one element at all but finitely many indices.
///
/// The form is canonical, so that equal arrays are equal as data: no entry repeats the default; and where the indices
/// are so few that another element could be the default, it is the most frequent one, the least of several.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayValue {
    sort: Sort,
    indices: Arc<Domain>,
    default: Value,
    entries: BTreeMap<Value, Value>,
}

impl ArrayValue {
    /// The sort of the array.
    pub fn sort(&self) -> Sort {
        self.sort
    }

    /// The element at every index without an entry.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The indices with another element than the default, with it.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }

    /// The element at `index`.
    pub fn select(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Puts `element` at `index`.
    pub fn store(&mut self, index: Value, element: Value) {
        if element == self.default {
            self.entries.remove(&index);
            return;
        }
        self.entries.insert(index, element);
        // A default at more than half of the indices is the most frequent element.
        let enough = self.entries.len().saturating_mul(2);
        if let Some(indices) = self.indices.values(enough) {
            self.choose_default(&indices);
        }
    }

    /// Makes the most frequent element the default.
    fn choose_default(&mut self, indices: &[Value]) {
        let mut count: BTreeMap<&Value, usize> = BTreeMap::new();
        for index in indices {
            *count.entry(self.select(index)).or_default() += 1;
        }
        let most = count.values().copied().max().unwrap_or(0);
        let Some(default) = count.iter().find(|&(_, &n)| n == most).map(|(&v, _)| v.clone()) else { return };
        let elements = indices.iter().map(|i| (i.clone(), self.select(i).clone()));
        self.entries = elements.filter(|(_, element)| *element != default).collect();
        self.default = default;
    }
}

/// The values of a sort, as far as it matters whether they are few.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Domain {
    Infinite,
    Bool,
    Bits(u32),
    Array { sort: Sort, indices: Arc<Domain>, elements: Arc<Domain> },
}

impl Domain {
    /// All values, if they are at most `limit`.
    fn values(&self, limit: usize) -> Option<Vec<Value>> {
        match self {
            Domain::Infinite => None,
            Domain::Bool => (limit >= 2).then(|| vec![Value::Bool(false), Value::Bool(true)]),
            Domain::Bits(width) => {
                let count = 1u128.checked_shl(*width).filter(|&n| n <= limit as u128)?;
                Some((0..count).map(|n| Value::Bits(Bits::new(*width, n))).collect())
            }
            Domain::Array { sort, indices, elements } => {
                // No sort has one value only, so there are more arrays than indices.
                let all = indices.values(limit)?;
                let elements = elements.values(limit)?;
                let arrays = elements.len().checked_pow(u32::try_from(all.len()).ok()?)?;
                (arrays <= limit).then(|| {
                    let default = elements[0].clone();
                    let first = ArrayValue {
                        sort: *sort,
                        indices: indices.clone(),
                        default,
                        entries: BTreeMap::new(),
                    };
                    arrays_over(first, &all, &elements)
                })
            }
        }
    }
}

/// All arrays from `indices` to `elements`, of which `first` is one.
fn arrays_over(first: ArrayValue, indices: &[Value], elements: &[Value]) -> Vec<Value> {
    let mut found = vec![first];
    for index in indices {
        let with = |array: &ArrayValue, element: &Value| {
            let mut array = array.clone();
            array.store(index.clone(), element.clone());
            array
        };
        found = found.iter().flat_map(|array| elements.iter().map(move |e| with(array, e))).collect();
    }
    found.into_iter().map(|array| Value::Array(Arc::new(array))).collect()
}

impl Terms {
    /// The array of sort `sort` with `element` everywhere.
    ///
    /// # Panics
    /// If `sort` is not an array sort, or `element` not of its element sort.
    pub fn constant_array(&self, sort: Sort, element: Value) -> ArrayValue {
        let (index, element_sort) = self.array_parts(sort).expect("an array sort");
        assert_eq!(element.sort(), element_sort, "an element of another sort");
        ArrayValue { sort, indices: Arc::new(self.domain(index)), default: element, entries: BTreeMap::new() }
    }

    fn domain(&self, sort: Sort) -> Domain {
        match sort {
            Sort::Bool => Domain::Bool,
            Sort::BitVec(width) => Domain::Bits(width),
            Sort::Int | Sort::Real | Sort::Uninterpreted(_) => Domain::Infinite,
            Sort::Array(_) => {
                // Sorts with more parts than this have so many values that their number does not matter.
                let few = self.sort_size(sort) <= 16;
                match self.array_parts(sort) {
                    Some((index, element)) if few => Domain::Array {
                        sort,
                        indices: Arc::new(self.domain(index)),
                        elements: Arc::new(self.domain(element)),
                    },
                    _ => Domain::Infinite,
                }
            }
        }
    }
}
