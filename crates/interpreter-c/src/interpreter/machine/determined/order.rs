//! Operands that C evaluates in any order.
//!
//! While they are evaluated, all that they read and write is noted, calls included. If no operand writes what another one
//! reads or writes, every order gives the same. What is on the stack above the expression's activation belongs to calls
//! of one operand alone.

use super::super::super::outcome::Stop;
use super::super::Machine;
use rustc_hash::FxHashMap;

/// What is read and written: for each eight bytes, which of them.
type Accesses = FxHashMap<u64, Access>;

#[derive(Clone, Copy, Default)]
struct Access {
    reads: u8,
    writes: u8,
}

impl Access {
    fn conflicts(self, other: Access) -> bool {
        self.writes & (other.reads | other.writes) != 0 || other.writes & self.reads != 0
    }
}

/// An expression whose operands are being evaluated.
#[derive(Default)]
pub(super) struct Region {
    /// Where the stack of the calls begins.
    limit: u64,
    /// What was accessed by operands that are evaluated.
    before: Accesses,
    /// What the current operand accesses.
    current: Accesses,
}

/// More is not remembered.
const MAX_ACCESSES: usize = 1 << 21;

/// For each eight bytes of a range, which of them are in it.
fn words(address: u64, size: u64) -> impl Iterator<Item = (u64, u8)> {
    let end = address.saturating_add(size);
    (address / 8..end.div_ceil(8)).map(move |word| {
        let first = address.saturating_sub(word * 8).min(8);
        let last = (end - word * 8).min(8);
        (word, ((1u16 << last) - (1u16 << first)) as u8)
    })
}

impl Machine<'_> {
    /// Bytes are read or written.
    #[inline]
    pub fn record(&mut self, address: u64, size: u64, write: bool) {
        if let Some(determined) = &mut self.determined
            && let Some(region) = determined.regions.last_mut()
            && address < region.limit
        {
            region.note(address, size, write);
        }
    }

    /// The operands of an expression are evaluated from here on.
    pub(super) fn fork(&mut self, _: u32) -> Result<(), Stop> {
        let limit = self.memory.stack.base + u64::from(self.stack_top);
        if let Some(determined) = &mut self.determined {
            determined.regions.push(Region { limit, ..Region::default() });
        }
        Ok(())
    }

    /// An operand is evaluated.
    pub(super) fn side(&mut self, pc: u32) -> Result<(), Stop> {
        let Some(region) = self.determined.as_mut().and_then(|d| d.regions.last_mut()) else { return Ok(()) };
        if region.take() { Ok(()) } else { Err(self.open("the order of evaluation", pc)) }
    }

    /// All operands are evaluated.
    pub(super) fn join(&mut self, pc: u32) -> Result<(), Stop> {
        self.side(pc)?;
        let Some(determined) = &mut self.determined else { return Ok(()) };
        let Some(region) = determined.regions.pop() else { return Ok(()) };
        if let Some(outer) = determined.regions.last_mut() {
            let limit = outer.limit;
            let kept = region.before.into_iter().filter(|&(word, _)| word * 8 < limit);
            kept.for_each(|(word, access)| outer.add(word, access));
            if outer.current.len() > MAX_ACCESSES {
                return Err(self.open("an order of evaluation with too many accesses", pc));
            }
        }
        Ok(())
    }

    /// The expression itself accesses what an operand must not have written: nothing orders the two.
    pub(super) fn own(&mut self, address: u64, size: u64, pc: u32) -> Result<(), Stop> {
        let Some(region) = self.determined.as_ref().and_then(|d| d.regions.last()) else { return Ok(()) };
        let meets = words(address, size).any(|(word, bytes)| {
            let written = |a: &Accesses| a.get(&word).is_some_and(|access| access.writes & bytes != 0);
            written(&region.before) || written(&region.current)
        });
        if meets { Err(self.open("the order of evaluation", pc)) } else { Ok(()) }
    }

    /// Whether a run that ends here ends in all orders of evaluation.
    pub fn is_between_operands(&self) -> bool {
        self.determined.as_ref().is_some_and(|d| !d.regions.is_empty())
    }
}

impl Region {
    fn note(&mut self, address: u64, size: u64, write: bool) {
        for (word, bytes) in words(address, size) {
            let access =
                if write { Access { reads: 0, writes: bytes } } else { Access { reads: bytes, writes: 0 } };
            self.add(word, access);
        }
    }

    fn add(&mut self, word: u64, access: Access) {
        let known = self.current.entry(word).or_default();
        known.reads |= access.reads;
        known.writes |= access.writes;
    }

    /// Ends an operand; `false` if it is in conflict with one before.
    fn take(&mut self) -> bool {
        let mut current = std::mem::take(&mut self.current);
        if self.before.is_empty() {
            self.before = current;
            return true;
        }
        for (word, access) in current.drain() {
            let known = self.before.entry(word).or_default();
            if known.conflicts(access) {
                return false;
            }
            known.reads |= access.reads;
            known.writes |= access.writes;
        }
        self.current = current;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_of_a_range() {
        assert_eq!(words(8, 4).collect::<Vec<_>>(), [(1, 0x0f)]);
        assert_eq!(words(14, 4).collect::<Vec<_>>(), [(1, 0xc0), (2, 0x03)]);
        assert_eq!(words(16, 0).count(), 0);
        assert_eq!(words(1, 16).collect::<Vec<_>>(), [(0, 0xfe), (1, 0xff), (2, 0x01)]);
    }
}
