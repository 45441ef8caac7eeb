//! Memory that is allocated when the program ends.

use super::super::outcome::{Outcome, Stop, Undefined};
use super::Machine;
use std::collections::BTreeSet;
use tamis_front_c::tree::Position;

impl Machine<'_> {
    /// The wanted violation that the end of the program is: a block that was not freed, or one that nothing points to.
    pub fn leak(&self, wanted: &[Undefined], at: Position) -> Option<Stop> {
        let blocks = || self.memory.blocks.living();
        let found = |kind, address: u64, detail: String| {
            Some(Box::new(Outcome::Undefined { kind, detail, at, address: Some(address) }))
        };
        if wanted.contains(&Undefined::NotFreed)
            && let Some((base, block)) = blocks().next()
        {
            let detail = format!("allocation {} of {} bytes is not freed", block.number, block.size);
            return found(Undefined::NotFreed, base, detail);
        }
        if wanted.contains(&Undefined::Lost) {
            let tracked = self.tracked();
            if let Some((base, block)) = blocks().find(|(base, _)| !tracked.contains(base)) {
                let detail = format!("nothing points to allocation {} of {} bytes", block.number, block.size);
                return found(Undefined::Lost, base, detail);
            }
        }
        None
    }

    /// The blocks that can be found from variables: whatever looks like an address is one.
    fn tracked(&self) -> BTreeSet<u64> {
        let word = self.word_bytes();
        let mut tracked = BTreeSet::new();
        let mut work = Vec::new();
        let mut see = |value: u64, work: &mut Vec<(u64, u64)>| {
            if let Some((base, block)) = self.memory.blocks.block_near(value)
                && !block.freed
                && (value - base < block.size || value == base)
                && tracked.insert(base)
            {
                work.push((base, block.size));
            }
        };
        for (first, end) in [&self.memory.statics, &self.memory.stack].map(|part| (part.base, part.end())) {
            (first..end).for_each(|at| see(self.memory.peek(at, word).unwrap_or(0), &mut work));
        }
        see(self.token, &mut work);
        while let Some((base, size)) = work.pop() {
            (base..base + size).for_each(|at| see(self.memory.peek(at, word).unwrap_or(0), &mut work));
        }
        tracked
    }
}
