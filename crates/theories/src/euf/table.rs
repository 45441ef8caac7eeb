//! A hash table of nodes that forgets its insertions in reverse order.

use super::Node;

/// Marks the end of a bucket's chain.
const END: u32 = u32::MAX;

/// A table of nodes under hashes of their signatures; what a signature is, the caller says by comparing.
///
/// Nothing is ever removed but the latest insertions. Congruence closure needs no more: a signature that mentions a
/// class that was merged into another is never looked up until that merge is undone, and then it is valid again. So
/// stale entries may stay, and backtracking is a truncation.
#[derive(Default)]
pub(super) struct Table {
    /// The latest entry of each bucket; the number of buckets is a power of two.
    buckets: Vec<u32>,
    entries: Vec<Entry>,
}

struct Entry {
    hash: u64,
    node: Node,
    /// The entry before this one in its bucket.
    next: u32,
}

impl Table {
    /// The latest node under `hash` that `matches`.
    pub(super) fn find(&self, hash: u64, mut matches: impl FnMut(Node) -> bool) -> Option<Node> {
        let mut at = *self.buckets.get(self.bucket(hash))?;
        while at != END {
            let entry = &self.entries[at as usize];
            if entry.hash == hash && matches(entry.node) {
                return Some(entry.node);
            }
            at = entry.next;
        }
        None
    }

    /// Puts `node` under `hash`, before what is there.
    pub(super) fn insert(&mut self, hash: u64, node: Node) {
        if self.entries.len() >= self.buckets.len() {
            self.grow();
        }
        let bucket = self.bucket(hash);
        self.entries.push(Entry { hash, node, next: self.buckets[bucket] });
        self.buckets[bucket] = (self.entries.len() - 1) as u32;
    }

    /// How many insertions there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Undoes all insertions but the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        while self.entries.len() > len {
            let Some(entry) = self.entries.pop() else { return };
            let bucket = self.bucket(entry.hash);
            self.buckets[bucket] = entry.next;
        }
    }

    fn bucket(&self, hash: u64) -> usize {
        hash as usize & self.buckets.len().wrapping_sub(1)
    }

    /// Doubles the buckets. Chaining the entries anew in the order of their insertion keeps the latest first.
    fn grow(&mut self) {
        let len = (self.buckets.len() * 2).max(16);
        self.buckets.clear();
        self.buckets.resize(len, END);
        for at in 0..self.entries.len() {
            let bucket = self.bucket(self.entries[at].hash);
            self.entries[at].next = self.buckets[bucket];
            self.buckets[bucket] = at as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncation_uncovers_what_was_there() {
        let mut table = Table::default();
        for i in 0..100 {
            table.insert(u64::from(i % 7), Node(i));
        }
        assert_eq!(table.find(3, |_| true), Some(Node(94)));
        table.truncate(20);
        assert_eq!(table.len(), 20);
        assert_eq!(table.find(3, |_| true), Some(Node(17)));
        assert_eq!(table.find(3, |node| node.0 < 5), Some(Node(3)));
        table.truncate(3);
        assert_eq!(table.find(3, |_| true), None);
        assert_eq!(table.find(2, |_| true), Some(Node(2)));
    }
}
