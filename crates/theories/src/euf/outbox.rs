//! What the closure found and its user has not taken yet.

/// A queue that backtracks: what was put in above a level goes, and what was taken above it can be taken again,
/// because whoever took it there has forgotten it too.
pub(super) struct Outbox<T> {
    items: Vec<T>,
    taken: usize,
}

/// A state of an [`Outbox`] to come back to.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    len: usize,
    taken: usize,
}

impl<T> Outbox<T> {
    pub(super) fn new() -> Outbox<T> {
        Outbox { items: Vec::new(), taken: 0 }
    }

    pub(super) fn put(&mut self, item: T) {
        self.items.push(item);
    }

    /// What was not taken yet.
    pub(super) fn take(&mut self) -> &[T] {
        let from = std::mem::replace(&mut self.taken, self.items.len());
        &self.items[from..]
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { len: self.items.len(), taken: self.taken }
    }

    pub(super) fn restore(&mut self, mark: Mark) {
        self.items.truncate(mark.len);
        self.taken = mark.taken;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_taken_above_a_level_is_given_again_below() {
        let mut outbox = Outbox::new();
        outbox.put('a');
        let mark = outbox.mark();
        outbox.put('b');
        assert_eq!(outbox.take(), ['a', 'b']);
        assert_eq!(outbox.take(), []);
        outbox.restore(mark);
        assert_eq!(outbox.take(), ['a']);
    }
}
