//! States that lead to the error and are to be blocked, those of early frames first.

use super::cube::Cube;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Index;
use tamis_solver::Lit;

/// A cube, each of whose states leads to the error. `O` is what is to be known of the step out of it.
pub(crate) struct Obligation<L = Lit, O = Vec<Lit>> {
    /// The frame in which it is to be blocked.
    pub frame: usize,
    pub cube: Cube<L>,
    /// The step out of it: over bits, the inputs that are set.
    pub out: O,
    /// Where that step leads to; `None` for the error.
    pub next: Option<ObligationId>,
    /// How many steps it is from the error, less one.
    pub depth: usize,
    /// How often it was tried to block it.
    pub tries: usize,
}

/// So many obligations on the way to the error say how hard that way is to block.
const WAY: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ObligationId(u32);

pub(crate) struct Obligations<L = Lit, O = Vec<Lit>> {
    all: Vec<Obligation<L, O>>,
    /// By frame, then the ones nearest to the error first, then by how many literals.
    queue: BinaryHeap<Reverse<(usize, usize, usize, ObligationId)>>,
}

impl<L, O> Default for Obligations<L, O> {
    fn default() -> Obligations<L, O> {
        Obligations { all: Vec::new(), queue: BinaryHeap::new() }
    }
}

impl<L, O> Obligations<L, O> {
    pub fn push(&mut self, obligation: Obligation<L, O>) -> ObligationId {
        self.all.push(obligation);
        let id = ObligationId(self.all.len() as u32 - 1);
        self.put_back(id);
        id
    }

    /// How many there have been.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn put_back(&mut self, id: ObligationId) {
        let Obligation { frame, cube, depth, .. } = &self[id];
        self.queue.push(Reverse((*frame, *depth, cube.len(), id)));
    }

    /// Counts that it is tried to block a cube; the most tries that one of the next few on its way to the error has had.
    pub fn note_try(&mut self, id: ObligationId) -> usize {
        self.all[id.0 as usize].tries += 1;
        let way = std::iter::successors(self[id].next, |&next| self[next].next);
        way.take(WAY).map(|id| self[id].tries).max().unwrap_or(0)
    }

    /// Has a cube blocked in a later frame. Tries count less there.
    pub fn put_off(&mut self, id: ObligationId, frame: usize) {
        let obligation = &mut self.all[id.0 as usize];
        obligation.frame = frame;
        obligation.tries -= 2 * obligation.tries / 5;
        self.put_back(id);
    }

    /// The next to be blocked, unless it is for a frame after `last`.
    pub fn pop(&mut self, last: usize) -> Option<ObligationId> {
        let Reverse((frame, ..)) = self.queue.peek()?;
        if *frame > last {
            return None;
        }
        self.queue.pop().map(|Reverse((.., id))| id)
    }
}

impl<L, O> Index<ObligationId> for Obligations<L, O> {
    type Output = Obligation<L, O>;

    fn index(&self, id: ObligationId) -> &Obligation<L, O> {
        &self.all[id.0 as usize]
    }
}
