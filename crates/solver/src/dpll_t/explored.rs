//! What is known of all combinations of free predicates, whatever the rest of a model is.

use rustc_hash::FxHashMap;
use tamis_theories::Atom;

/// More nodes are not kept: what they would say is found again.
const NODES: usize = 1 << 22;

/// A node of the tree: a combination of values of the first free predicates, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place(u32);

/// A node that is not kept.
const UNKNOWN: Place = Place(0);

/// A node behind which there is nothing left: every combination there has been visited, or is inconsistent by itself.
const DONE: Place = Place(1);

/// A binary tree of the combinations that need not be looked at again in one enumeration.
///
/// The regions of a formula, such as the commands of a program, often have combinations in common. In each one after the
/// first only those are looked for that no other has had.
#[derive(Default)]
pub(crate) struct Explored {
    free: Vec<Atom>,
    /// The root of the tree for the values of the other important literals.
    roots: FxHashMap<Vec<bool>, Place>,
    /// The nodes below each node that is kept, from number 2 on.
    below: Vec<[Place; 2]>,
}

impl Explored {
    /// Goes on with these free predicates, in this order.
    pub(super) fn go_on_with(&mut self, free: &[Atom]) {
        if self.free != free {
            *self = Explored { free: free.to_vec(), ..Explored::default() };
        }
    }

    /// The root of the tree for these values of the other important literals.
    pub(super) fn root(&mut self, others: Vec<bool>) -> Place {
        if let Some(&root) = self.roots.get(&others) {
            return root;
        }
        let root = self.node();
        self.roots.insert(others, root);
        root
    }

    fn node(&mut self) -> Place {
        if self.below.len() >= NODES {
            return UNKNOWN;
        }
        self.below.push([UNKNOWN; 2]);
        Place(self.below.len() as u32 + 1)
    }

    fn children(&mut self, at: Place) -> Option<&mut [Place; 2]> {
        self.below.get_mut((at.0 as usize).checked_sub(2)?)
    }

    /// Whether nothing is left behind a node when the next predicate has this value.
    pub(super) fn is_done(&mut self, at: Place, value: bool) -> bool {
        self.children(at).is_some_and(|below| below[usize::from(value)] == DONE)
    }

    /// Whether nothing is left behind a node.
    pub(super) fn is_all_done(&mut self, at: Place) -> bool {
        self.children(at).is_some_and(|below| *below == [DONE; 2])
    }

    /// Notes that nothing is left behind a node when the next predicate has this value.
    pub(super) fn set_done(&mut self, at: Place, value: bool) {
        if let Some(below) = self.children(at) {
            below[usize::from(value)] = DONE;
        }
    }

    /// The node where the next predicate has this value.
    pub(super) fn next(&mut self, at: Place, value: bool) -> Place {
        match self.children(at).map(|below| below[usize::from(value)]) {
            None => UNKNOWN,
            Some(UNKNOWN) => {
                let node = self.node();
                if let Some(below) = self.children(at) {
                    below[usize::from(value)] = node;
                }
                node
            }
            Some(known) => known,
        }
    }
}
