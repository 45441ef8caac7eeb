//! Which variable is decided next: the one that was in most conflicts, recent ones counting more.
//!
//! A heap of all variables of a question would take longer to build than most questions to answer, which have no conflict at
//! all: it has only those that were in conflicts of the question itself.

/// Variables by activity: a binary heap.
#[derive(Clone)]
pub(super) struct Order {
    activity: Vec<f64>,
    bump: f64,
    heap: Vec<u32>,
    /// Where a variable is in the heap, or `ABSENT`.
    places: Vec<u32>,
    /// The last question in which a variable was in a conflict.
    touched: Vec<u32>,
    question: u32,
}

const ABSENT: u32 = u32::MAX;
/// How much more each conflict counts than the one before.
const GROWTH: f64 = 1.0 / 0.95;
const TOO_LARGE: f64 = 1e100;

impl Order {
    pub fn new(variables: usize) -> Order {
        Order {
            activity: vec![0.0; variables],
            bump: 1.0,
            heap: Vec::new(),
            places: vec![ABSENT; variables],
            touched: vec![0; variables],
            question: 1,
        }
    }

    /// Starts another question.
    pub fn clear(&mut self) {
        for &v in &self.heap {
            self.places[v as usize] = ABSENT;
        }
        self.heap.clear();
        self.question += 1;
    }

    /// A variable is to be decided again, if it was in a conflict of this question.
    pub fn insert_if_touched(&mut self, v: usize) {
        if self.places[v] == ABSENT && self.touched[v] == self.question {
            self.places[v] = self.heap.len() as u32;
            self.heap.push(v as u32);
            self.up(self.heap.len() - 1);
        }
    }

    pub fn pop(&mut self) -> Option<usize> {
        let first = *self.heap.first()?;
        self.places[first as usize] = ABSENT;
        let last = self.heap.pop()?;
        if last != first {
            self.heap[0] = last;
            self.places[last as usize] = 0;
            self.down(0);
        }
        Some(first as usize)
    }

    pub fn bump(&mut self, v: usize) {
        self.touched[v] = self.question;
        self.activity[v] += self.bump;
        if self.activity[v] > TOO_LARGE {
            self.activity.iter_mut().for_each(|a| *a /= TOO_LARGE);
            self.bump /= TOO_LARGE;
        }
        if self.places[v] != ABSENT {
            self.up(self.places[v] as usize);
        }
    }

    pub fn grow(&mut self) {
        self.bump *= GROWTH;
    }

    fn up(&mut self, mut at: usize) {
        let v = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            let above = self.heap[parent];
            if self.activity[above as usize] >= self.activity[v as usize] {
                break;
            }
            self.set(at, above);
            at = parent;
        }
        self.set(at, v);
    }

    fn down(&mut self, mut at: usize) {
        let v = self.heap[at];
        loop {
            let left = 2 * at + 1;
            let Some(&l) = self.heap.get(left) else { break };
            let (mut child, mut below) = (left, l);
            if let Some(&r) = self.heap.get(left + 1)
                && self.activity[r as usize] > self.activity[l as usize]
            {
                (child, below) = (left + 1, r);
            }
            if self.activity[below as usize] <= self.activity[v as usize] {
                break;
            }
            self.set(at, below);
            at = child;
        }
        self.set(at, v);
    }

    fn set(&mut self, at: usize, v: u32) {
        self.heap[at] = v;
        self.places[v as usize] = at as u32;
    }
}
