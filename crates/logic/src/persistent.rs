//! Maps from numbers that are cheap to copy, to change a little and to merge.
//!
//! Big-endian Patricia tries: C. Okasaki, A. Gill, *Fast Mergeable Integer Maps*, ML Workshop 1998. Copies share their parts, a
//! change copies the way to it unless nobody else has it, and a merge looks only at parts that are not shared.

use std::sync::Arc;

/// A persistent map from numbers.
#[derive(Clone, Debug)]
pub struct PersistentMap<V> {
    root: Option<Arc<Node<V>>>,
}

/// A part of a map.
#[derive(Clone, Debug)]
pub(crate) enum Node<V> {
    Leaf(u64, V),
    Branch {
        /// The key's bits above the one that decides; the others are 0.
        prefix: u64,
        /// The number of the bit that decides.
        bit: u32,
        zero: Arc<Node<V>>,
        one: Arc<Node<V>>,
    },
}

impl<V> Default for PersistentMap<V> {
    fn default() -> PersistentMap<V> {
        PersistentMap { root: None }
    }
}

/// Makes a value of those that two maps have at a key.
type Choose<'a, V> = &'a mut dyn FnMut(u64, Option<&V>, Option<&V>) -> V;

/// The bits of a key above one.
fn above(key: u64, bit: u32) -> u64 {
    (key >> bit >> 1) << bit << 1
}

impl<V> Node<V> {
    /// Some key of the part.
    fn key(&self) -> u64 {
        match self {
            Node::Leaf(key, _) => *key,
            Node::Branch { prefix, .. } => *prefix,
        }
    }

    /// A part of two that have no key in common, and of which none has the prefix of the other.
    fn of_two(a: Arc<Node<V>>, b: Arc<Node<V>>) -> Arc<Node<V>> {
        let (x, y) = (a.key(), b.key());
        let bit = 63 - (x ^ y).leading_zeros();
        let (zero, one) = if x >> bit & 1 == 0 { (a, b) } else { (b, a) };
        Arc::new(Node::Branch { prefix: above(x, bit), bit, zero, one })
    }
}

impl<V: Clone + PartialEq> PersistentMap<V> {
    /// The empty map.
    pub fn new() -> PersistentMap<V> {
        PersistentMap::default()
    }

    pub(crate) fn root(&self) -> Option<&Node<V>> {
        self.root.as_deref()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Whether two maps are the same without a look at what is in them.
    pub fn is_shared(&self, other: &PersistentMap<V>) -> bool {
        match (&self.root, &other.root) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    /// What is at a key.
    pub fn get(&self, key: u64) -> Option<&V> {
        let mut node = self.root.as_deref()?;
        loop {
            match node {
                Node::Leaf(found, value) => return (*found == key).then_some(value),
                Node::Branch { prefix, bit, zero, one } => {
                    if above(key, *bit) != *prefix {
                        return None;
                    }
                    node = if key >> bit & 1 == 0 { zero } else { one };
                }
            }
        }
    }

    /// Puts something at a key, in place of what was there.
    pub fn insert(&mut self, key: u64, value: V) {
        match &mut self.root {
            None => self.root = Some(Arc::new(Node::Leaf(key, value))),
            Some(root) => insert(root, key, value),
        }
    }

    /// The entries with keys in a range, in their order.
    pub fn range(&self, first: u64, last: u64, visit: &mut dyn FnMut(u64, &V)) {
        if let Some(root) = &self.root {
            range(root, first, last, visit);
        }
    }

    /// All entries, in the order of their keys.
    pub fn for_each(&self, visit: &mut dyn FnMut(u64, &V)) {
        self.range(0, u64::MAX, visit);
    }

    /// The keys of both maps, with what `choose` makes of their values. It is not asked about parts that the maps share, since it
    /// has to leave equal values as they are.
    pub fn merge(&self, other: &PersistentMap<V>, choose: Choose<'_, V>) -> PersistentMap<V> {
        let root = match (&self.root, &other.root) {
            (Some(a), Some(b)) => Some(merge(a, b, choose)),
            (Some(a), None) => Some(one_sided(a, &mut |key, value| choose(key, Some(value), None))),
            (None, Some(b)) => Some(one_sided(b, &mut |key, value| choose(key, None, Some(value)))),
            (None, None) => None,
        };
        PersistentMap { root }
    }
}

fn insert<V: Clone + PartialEq>(node: &mut Arc<Node<V>>, key: u64, value: V) {
    let fits = match &**node {
        Node::Leaf(found, _) => *found == key,
        Node::Branch { prefix, bit, .. } => above(key, *bit) == *prefix,
    };
    if !fits {
        *node = Node::of_two(node.clone(), Arc::new(Node::Leaf(key, value)));
        return;
    }
    match Arc::make_mut(node) {
        Node::Leaf(_, there) => *there = value,
        Node::Branch { bit, zero, one, .. } => {
            insert(if key >> *bit & 1 == 0 { zero } else { one }, key, value);
        }
    }
}

fn range<V>(node: &Node<V>, first: u64, last: u64, visit: &mut dyn FnMut(u64, &V)) {
    match node {
        Node::Leaf(key, value) if (first..=last).contains(key) => visit(*key, value),
        Node::Leaf(..) => {}
        Node::Branch { prefix, bit, zero, one } => {
            let greatest = prefix | (u64::MAX >> (63 - bit));
            if *prefix <= last && greatest >= first {
                range(zero, first, last, visit);
                range(one, first, last, visit);
            }
        }
    }
}

fn one_sided<V: Clone + PartialEq>(
    node: &Arc<Node<V>>,
    choose: &mut dyn FnMut(u64, &V) -> V,
) -> Arc<Node<V>> {
    match &**node {
        Node::Leaf(key, value) => {
            let chosen = choose(*key, value);
            if chosen == *value { node.clone() } else { Arc::new(Node::Leaf(*key, chosen)) }
        }
        Node::Branch { prefix, bit, zero, one } => {
            let parts = [one_sided(zero, choose), one_sided(one, choose)];
            with_parts(node, (*prefix, *bit), [zero, one], parts)
        }
    }
}

/// A branch with new parts, or the one that there is if they are the same.
fn with_parts<V>(
    node: &Arc<Node<V>>,
    (prefix, bit): (u64, u32),
    before: [&Arc<Node<V>>; 2],
    [zero, one]: [Arc<Node<V>>; 2],
) -> Arc<Node<V>> {
    if Arc::ptr_eq(before[0], &zero) && Arc::ptr_eq(before[1], &one) {
        return node.clone();
    }
    Arc::new(Node::Branch { prefix, bit, zero, one })
}

fn merge<V: Clone + PartialEq>(a: &Arc<Node<V>>, b: &Arc<Node<V>>, choose: Choose<'_, V>) -> Arc<Node<V>> {
    if Arc::ptr_eq(a, b) {
        return a.clone();
    }
    match (&**a, &**b) {
        (Node::Leaf(key, x), Node::Leaf(other, y)) if key == other => {
            let chosen = choose(*key, Some(x), Some(y));
            if chosen == *x { a.clone() } else { Arc::new(Node::Leaf(*key, chosen)) }
        }
        (
            Node::Branch { prefix, bit, zero, one },
            Node::Branch { prefix: other, bit: of_other, zero: their_zero, one: their_one },
        ) if prefix == other && bit == of_other => {
            let parts = [merge(zero, their_zero, choose), merge(one, their_one, choose)];
            with_parts(a, (*prefix, *bit), [zero, one], parts)
        }
        (Node::Branch { prefix, bit, zero, one }, smaller)
            if above(smaller.key(), *bit) == *prefix && is_below(smaller, *bit) =>
        {
            let mut left = |key, value: &V| choose(key, Some(value), None);
            let parts = if smaller.key() >> bit & 1 == 0 {
                let one = one_sided(one, &mut left);
                [merge(zero, b, choose), one]
            } else {
                let zero = one_sided(zero, &mut left);
                [zero, merge(one, b, choose)]
            };
            with_parts(a, (*prefix, *bit), [zero, one], parts)
        }
        (smaller, Node::Branch { prefix, bit, zero, one })
            if above(smaller.key(), *bit) == *prefix && is_below(smaller, *bit) =>
        {
            let mut right = |key, value: &V| choose(key, None, Some(value));
            let parts = if smaller.key() >> bit & 1 == 0 {
                let one = one_sided(one, &mut right);
                [merge(a, zero, choose), one]
            } else {
                let zero = one_sided(zero, &mut right);
                [zero, merge(a, one, choose)]
            };
            with_parts(b, (*prefix, *bit), [zero, one], parts)
        }
        _ => {
            let left = one_sided(a, &mut |key, value| choose(key, Some(value), None));
            let right = one_sided(b, &mut |key, value| choose(key, None, Some(value)));
            Node::of_two(left, right)
        }
    }
}

/// Whether all keys of a part agree on the bits from one on upwards.
fn is_below<V>(node: &Node<V>, bit: u32) -> bool {
    match node {
        Node::Leaf(..) => true,
        Node::Branch { bit: own, .. } => *own < bit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Random maps, built by random changes of copies, against the standard library's.
    #[test]
    fn does_what_an_ordinary_map_does() {
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % below
        };
        let mut maps: Vec<(PersistentMap<u64>, BTreeMap<u64, u64>)> = vec![Default::default()];
        for step in 0..3000 {
            let at = random(maps.len() as u64) as usize;
            let (mut map, mut model) = maps[at].clone();
            if random(4) == 0 {
                let (other, theirs) = &maps[random(maps.len() as u64) as usize];
                let sum = |a: Option<&u64>, b: Option<&u64>| match (a, b) {
                    (Some(a), Some(b)) => (*a).max(*b),
                    (one, other) => *one.or(other).unwrap_or(&0),
                };
                map = map.merge(other, &mut |_, a, b| sum(a, b));
                let keys: Vec<u64> = model.keys().chain(theirs.keys()).copied().collect();
                model = keys.iter().map(|k| (*k, sum(model.get(k), theirs.get(k)))).collect();
            } else {
                let key = if random(3) == 0 { u64::MAX - random(5) } else { random(200) << random(8) };
                map.insert(key, step);
                model.insert(key, step);
            }
            let mut all = Vec::new();
            map.for_each(&mut |key, value| all.push((key, *value)));
            assert_eq!(all, model.iter().map(|(k, v)| (*k, *v)).collect::<Vec<_>>());
            let (first, last) = (random(300), random(3000));
            let mut some = Vec::new();
            map.range(first, last, &mut |key, _| some.push(key));
            assert!(first > last || some.iter().copied().eq(model.range(first..=last).map(|(k, _)| *k)));
            assert!((0..300).all(|key| map.get(key) == model.get(&key)));
            if maps.len() < 20 {
                maps.push((map, model));
            } else {
                let at = random(20) as usize;
                maps[at] = (map, model);
            }
        }
    }
}
