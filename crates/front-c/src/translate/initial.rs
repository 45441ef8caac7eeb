//! What objects in memory hold at first.

use super::Translator;
use super::object::CELL_LIMIT;
use crate::memory::{Pointer, RegionId, Thing, is_aggregate, plus};
use crate::tree::{Init, InitEntry, Position, Storage, StringId, Type};
use tamis_diagnostics::Error;
use tamis_logic::Term;
use tamis_program::{Command, Event};

impl Translator<'_> {
    /// Gives an object in memory its initial value: what no entry covers is 0, but for padding.
    pub(super) fn initialise_memory(
        &mut self,
        pointer: Pointer,
        base: Term,
        ty: Type,
        size: u64,
        init: &Init,
        at: Position,
    ) -> Result<(), Error> {
        self.check_entries(init, at)?;
        // A single struct value covers all.
        let whole = |entry: &InitEntry| entry.offset == 0 && self.unit[entry.value].ty == ty;
        if !matches!(init.entries.as_slice(), [only] if whole(only)) {
            let zero = self.terms.bits(8, 0);
            self.fill(pointer, base, size, zero, at)?;
            self.unpad(pointer, base, ty, at)?;
        }
        init.entries.iter().try_for_each(|&entry| self.initialise_entry(pointer, base, entry, at))
    }

    /// What static objects in memory hold before `main`.
    pub(super) fn initialise_static_memory(&mut self) -> Result<(), Error> {
        // A region is cleared as a whole, so all is cleared before anything is put there.
        let mut cleared = vec![false; self.memory.regions.len()];
        let filled = self.node();
        let mut clearing = self.cursor.here.replace(filled);
        let mut next = 0;
        self.begin_tables();
        while let Some(&(thing, base)) = self.addresses.statics.get(next) {
            next += 1;
            let base = self.terms.bits(self.unit.word(), u128::from(base));
            let pointer = self.memory.thing(thing);
            match thing {
                Thing::Literal(literal) => self.initialise_literal(literal, pointer, base)?,
                Thing::Object(object) => {
                    let data = &self.unit[object];
                    let Storage::Static(init) = &data.storage else { continue };
                    let size = data.size.unwrap_or(0);
                    std::mem::swap(&mut self.cursor.here, &mut clearing);
                    self.clear(pointer, base, size, &mut cleared, data.at)?;
                    std::mem::swap(&mut self.cursor.here, &mut clearing);
                    for entry in init.iter().flat_map(|init| &init.entries) {
                        self.initialise_entry(pointer, base, *entry, data.at)?;
                    }
                }
                _ => {}
            }
        }
        std::mem::swap(&mut self.cursor.here, &mut clearing);
        self.cursor.jump(filled);
        self.cursor.here = clearing;
        self.end_tables()
    }

    fn initialise_entry(
        &mut self,
        pointer: Pointer,
        base: Term,
        entry: InitEntry,
        at: Position,
    ) -> Result<(), Error> {
        let ty = self.unit[entry.value].ty;
        if is_aggregate(ty) {
            let from = self.memory.value(entry.value);
            let from_address = self.aggregate(entry.value)?;
            let to = plus(pointer, entry.offset as i64);
            let to_address = self.offset(base, entry.offset as i64);
            return self.copy(to, to_address, from, from_address, ty, at);
        }
        let value = self.value(entry.value)?;
        match self.cell_at(pointer, base, entry.offset, ty, entry.bits) {
            Some(cell) => {
                let value = self.as_address(cell, value, at)?;
                self.store_cell(cell, value, at)
            }
            None => Ok(()),
        }
    }

    fn initialise_literal(&mut self, literal: StringId, pointer: Pointer, base: Term) -> Result<(), Error> {
        let data = &self.unit[literal];
        let Type::Array(array) = data.ty else { return Ok(()) };
        let size = self.unit.size_of(self.unit[array].element).unwrap_or(1) as usize;
        let bytes: Vec<u8> =
            data.elements.iter().flat_map(|c| c.to_le_bytes()[..size.min(4)].to_vec()).collect();
        for region in self.memory.node_regions(pointer) {
            if self.is_static(region) {
                self.is_table(region, bytes.len() as u64);
            }
        }
        // It may be read at another width than that of its characters, but not beyond its end.
        let what = "the contents of a string literal";
        let (cells, _) = self.memory.cells_within(pointer, bytes.len() as u64);
        for cell in cells {
            let bits = self.cell_width(cell.region);
            if !bits.is_multiple_of(8)
                || bits > 128
                || self.memory.regions[cell.region.index()].start % 8 != 0
            {
                return self.approximate_regions(pointer, what, Position::default());
            }
            let here = &bytes[cell.offset as usize..][..bits as usize / 8];
            let value = here.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte));
            let value = self.terms.bits(bits, value);
            self.store_raw(cell.region, base, cell.offset, value, Position::default())?;
        }
        Ok(())
    }

    /// Whether only static objects are in a region.
    fn is_static(&mut self, region: RegionId) -> bool {
        let unit = self.unit;
        let is_static = |thing: &Thing| match *thing {
            Thing::Object(object) => matches!(unit[object].storage, Storage::Static(_)),
            Thing::Literal(_) => true,
            _ => false,
        };
        self.memory.objects(region).iter().all(|(thing, _)| is_static(thing))
            && !self.memory.is_external(region)
    }

    /// Makes a static object 0: with its whole region, where only such objects are in it.
    fn clear(
        &mut self,
        pointer: Pointer,
        base: Term,
        size: u64,
        cleared: &mut [bool],
        at: Position,
    ) -> Result<(), Error> {
        let mut partly = Vec::new();
        for region in self.memory.node_regions(pointer) {
            if !self.is_static(region) {
                partly.push(region);
            } else if self.is_table(region, size) {
                cleared[region.index()] = true;
            } else if !std::mem::replace(&mut cleared[region.index()], true) {
                let var = self.region_var(region);
                let sort = self.terms.sort(self.builder.term(var));
                let zero = self.terms.bits(self.cell_width(region), 0);
                let zeros = self.terms.const_array(sort, zero);
                self.emit(Command::Assign(var, zeros), at, Event::Step)?;
            }
        }
        if partly.is_empty() {
            return Ok(());
        }
        let cells = if size <= 8 * CELL_LIMIT as u64 { self.memory.cells(pointer, size) } else { None };
        match cells.filter(|cells| cells.len() <= CELL_LIMIT) {
            None => self.approximate_regions(pointer, "the initial value of a large object", at),
            Some(cells) => {
                for cell in cells.into_iter().filter(|cell| partly.contains(&cell.region)) {
                    let zero = self.terms.bits(self.cell_width(cell.region), 0);
                    self.store_raw(cell.region, base, cell.offset, zero, at)?;
                }
                Ok(())
            }
        }
    }
}
