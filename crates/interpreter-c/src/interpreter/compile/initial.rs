//! Initial values.

use super::super::code::FunctionCode;
use super::super::instr::{Instr, Reg};
use super::super::scalar::Kind;
use super::Compiler;
use super::place::{Loc, Use, Where};
use tamis_front_c::tree::{ObjectId, Storage};

impl Compiler<'_> {
    /// The code that runs before `main`: it sets the objects of static storage.
    pub(super) fn start(&mut self) {
        self.code.start = self.here();
        self.frame.code = FunctionCode::default();
        for id in self.unit.objects() {
            let object = &self.unit[id];
            if let Storage::Static(Some(_)) = &object.storage {
                self.at = object.at;
                let Some(&off) = self.statics.get(&id) else { continue };
                self.set_entries(id, Loc::Static(off), 0);
            }
        }
        self.emit(Instr::Ready);
        self.code.start_registers = self.frame.code.registers;
        // Compound literals at file scope are static; anything that took a place in a frame has none to be in.
        self.code.functions.clear();
    }

    /// Gives a local its initial value.
    pub(super) fn initialise(&mut self, id: ObjectId, loc: Loc, d: Reg) {
        let unit = self.unit;
        let Some(init) = unit[id].init() else { return };
        let size = unit[id].size.unwrap_or(0);
        let whole = match init.entries[..] {
            [entry] => entry.bits.is_none() && unit.size_of(unit[entry.value].ty) == Some(size),
            _ => false,
        };
        if !whole && size > 0 {
            self.address_of(loc, d);
            self.emit(Instr::Clear { p: d, size: size as u32 });
            self.unpad(unit[id].ty, true, d);
        }
        self.set_entries(id, loc, d);
    }

    fn set_entries(&mut self, id: ObjectId, loc: Loc, d: Reg) {
        let unit = self.unit;
        let Some(init) = unit[id].init() else { return };
        let operands = self.fork_entries(&init.entries);
        for entry in &init.entries {
            self.check_first_value(id, entry.value);
            let loc = self.offset(loc, entry.offset, d, Use::Address);
            let place = Where { loc, bits: entry.bits, private: self.is_private(id) };
            match self.kind_of(entry.value) {
                Kind::Record { size, .. } => {
                    self.value(entry.value, d + 1);
                    self.address_of(place.loc, d);
                    self.emit(Instr::Copy { p: d, a: d + 1, size });
                    if unit[id].is_automatic() {
                        self.unpad(unit[entry.value].ty, false, d);
                    }
                }
                kind => {
                    self.value(entry.value, d);
                    self.store(place, kind, d, d + 4);
                    if unit[id].is_automatic() {
                        self.report(None, unit[entry.value].ty, place, d);
                    }
                }
            }
            self.side(operands);
        }
        self.join(operands);
    }
}
