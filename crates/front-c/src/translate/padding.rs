//! The padding of records, in which C promises nothing after they were copied or given their first value.
//!
//! It matters only where a program looks at the bytes of a record: elsewhere no cell of memory lies in padding. That gcc
//! makes all of an object 0 that an initialiser sets in part, as it does for some, is not relied on. A member that is
//! assigned leaves the padding around it alone, as gcc does, though C would let it change.

use super::Translator;
use super::object::CELL_LIMIT;
use crate::memory::{Pointer, RegionId};
use crate::tree::{Position, Type};
use std::collections::BTreeMap;
use tamis_diagnostics::Error;
use tamis_logic::{Bits, Term};
use tamis_program::{Command, Event, Havoc, IntType};

impl Translator<'_> {
    /// Makes the padding of a value in memory arbitrary.
    pub(super) fn unpad(&mut self, to: Pointer, base: Term, ty: Type, at: Position) -> Result<(), Error> {
        let what = "the padding of a large struct";
        let Some(padding) = self.unit.padding(ty, false) else {
            return self.approximate_regions(to, what, at);
        };
        // The bits of padding in each cell, which may begin before the value.
        let mut open: BTreeMap<(RegionId, i64), Bits> = BTreeMap::new();
        for byte in padding {
            for (region, start, first) in self.memory.bits_at(to, byte.offset.into()) {
                let width = self.cell_width(region);
                let cell = open.entry((region, start)).or_insert_with(|| Bits::zero(width));
                for bit in (0..8).filter(|bit| byte.kept >> bit & 1 == 0) {
                    if let Ok(bit) = u32::try_from(first + bit)
                        && bit < width
                    {
                        *cell = cell.or(&Bits::power(width, bit));
                    }
                }
            }
        }
        if open.len() > CELL_LIMIT {
            return self.approximate_regions(to, what, at);
        }
        let base = if open.is_empty() { base } else { self.settled(base, at)? };
        for ((region, start), open) in open.into_iter().filter(|(_, open)| !open.is_zero()) {
            self.forget_bits(region, base, start, open, at)?;
        }
        Ok(())
    }

    /// Makes some bits of a cell arbitrary.
    fn forget_bits(
        &mut self,
        region: RegionId,
        base: Term,
        start: i64,
        open: Bits,
        at: Position,
    ) -> Result<(), Error> {
        let (bits, frame) = (self.cell_width(region), self.activations.frame());
        let any = self.builder.temporary(self.terms, "padding", IntType { bits, signed: false }, frame);
        self.emit(Command::Havoc(any, Havoc::Uninitialised), at, Event::Step)?;
        let mut value = self.builder.term(any);
        if !open.is_ones() {
            let var = self.region_var(region);
            let (memory, address) = (self.builder.term(var), self.offset(base, start));
            let before = self.terms.select(memory, address);
            let (kept, open) = (self.terms.bits_value(open.not()), self.terms.bits_value(open));
            let (before, any) = (self.terms.bv_and(before, kept), self.terms.bv_and(value, open));
            value = self.terms.bv_or(before, any);
        }
        self.store_raw(region, base, start as u64, value, at)
    }
}
