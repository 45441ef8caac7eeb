//! Many short lists in one piece of memory.
//!
//! Every literal has lists of clauses, most of them short. If each were a vector of its own, to make them would take longer
//! than a small search. A list that is full moves to the end; the room that it leaves is lost, and is at most as
//! much as is in use.

/// Lists by number.
#[derive(Clone)]
pub(crate) struct Lists<T> {
    memory: Vec<T>,
    spans: Vec<Span>,
}

#[derive(Clone, Copy, Default)]
struct Span {
    start: u32,
    len: u32,
    room: u32,
}

impl Span {
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// The room of a list that is not empty, at first.
const FIRST: usize = 4;

impl<T> Default for Lists<T> {
    fn default() -> Lists<T> {
        Lists { memory: Vec::new(), spans: Vec::new() }
    }
}

impl<T: Copy> Lists<T> {
    /// No lists yet, and room for so many and for so many items.
    pub fn with_capacity(lists: usize, items: usize) -> Lists<T> {
        Lists { memory: Vec::with_capacity(items), spans: Vec::with_capacity(lists) }
    }

    /// Adds an empty list.
    pub fn add(&mut self) {
        self.spans.push(Span::default());
    }

    /// The places where a list is. It stays there while nothing is pushed to it.
    #[inline]
    pub fn places(&self, list: usize) -> std::ops::Range<usize> {
        self.spans[list].range()
    }

    #[inline]
    pub fn at(&self, place: usize) -> T {
        self.memory[place]
    }

    #[inline]
    pub fn set(&mut self, place: usize, item: T) {
        self.memory[place] = item;
    }

    #[inline(always)]
    pub fn push(&mut self, list: usize, item: T) {
        if self.spans[list].len == self.spans[list].room {
            self.make_room(list, item);
        }
        let span = &mut self.spans[list];
        span.len += 1;
        self.memory[span.range().end - 1] = item;
    }

    pub fn extend(&mut self, list: usize, items: &[T]) {
        let Span { len, room, .. } = self.spans[list];
        let needed = len as usize + items.len();
        if let (true, Some(&filler)) = (needed > room as usize, items.first()) {
            self.move_to_end(list, needed.max(2 * room as usize), filler);
        }
        let span = &mut self.spans[list];
        span.len = needed as u32;
        let end = span.range().end;
        self.memory[end - items.len()..end].copy_from_slice(items);
    }

    /// Makes twice the room for a list.
    fn make_room(&mut self, list: usize, filler: T) {
        let room = 2 * self.spans[list].room as usize;
        self.move_to_end(list, room.max(FIRST), filler);
    }

    /// Moves a list to the end, with so much room.
    fn move_to_end(&mut self, list: usize, room: usize, filler: T) {
        let start = self.memory.len();
        self.memory.extend_from_within(self.spans[list].range());
        self.memory.resize(start + room, filler);
        self.spans[list] = Span { start: start as u32, len: self.spans[list].len, room: room as u32 };
    }

    /// Drops what is between two places of a list.
    #[inline]
    pub fn drop_between(&mut self, list: usize, from: usize, to: usize) {
        let end = self.spans[list].range().end;
        if to < end && from < to {
            self.memory.copy_within(to..end, from);
        }
        self.spans[list].len -= (to - from) as u32;
    }

    pub fn retain(&mut self, list: usize, mut keep: impl FnMut(&T) -> bool) {
        let places = self.places(list);
        let mut kept = places.start;
        for at in places.clone() {
            let item = self.memory[at];
            if keep(&item) {
                self.memory[kept] = item;
                kept += 1;
            }
        }
        self.spans[list].len = (kept - places.start) as u32;
    }

    pub fn retain_all(&mut self, mut keep: impl FnMut(&T) -> bool) {
        (0..self.spans.len()).for_each(|list| self.retain(list, &mut keep));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_testing::Random;

    /// Random changes, against vectors.
    #[test]
    fn lists_are_like_vectors() {
        let mut source = Random::new(9);
        let mut random = |n: u64| source.below(n) as usize;
        let (mut lists, mut vectors) = (Lists::default(), Vec::new());
        for step in 0..5000 {
            if vectors.is_empty() || random(50) == 0 {
                lists.add();
                vectors.push(Vec::new());
            }
            let list = random(vectors.len() as u64);
            match random(20) {
                0 => {
                    lists.retain(list, |item| item % 3 > 0);
                    vectors[list].retain(|item| item % 3 > 0);
                }
                1 => {
                    lists.retain_all(|item| item % 5 > 0);
                    vectors.iter_mut().for_each(|vector| vector.retain(|item| item % 5 > 0));
                }
                2 => {
                    let to = random(vectors[list].len() as u64 + 1);
                    let from = random(to as u64 + 1);
                    let start = lists.places(list).start;
                    lists.drop_between(list, start + from, start + to);
                    vectors[list].drain(from..to);
                }
                3 => {
                    let items: Vec<u64> = (0..random(9) as u64).map(|at| step + at).collect();
                    lists.extend(list, &items);
                    vectors[list].extend_from_slice(&items);
                }
                _ => {
                    lists.push(list, step);
                    vectors[list].push(step);
                }
            }
            let list = |list: usize| lists.places(list).map(|at| lists.at(at)).collect::<Vec<_>>();
            assert!(vectors.iter().enumerate().all(|(number, vector)| &list(number) == vector));
        }
    }
}
