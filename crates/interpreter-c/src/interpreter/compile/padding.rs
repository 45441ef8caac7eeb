//! The padding of records that are copied or given their first value.

use super::super::instr::{Instr, Reg};
use super::Compiler;
use tamis_front_c::tree::Type;

impl Compiler<'_> {
    /// The padding of the record whose address is in `p` has no value: it was copied, or is given its first value. gcc
    /// makes the members of a union that it does not give a value 0: only where the run must be the only one, which
    /// does not depend on that, have they none either.
    pub(super) fn unpad(&mut self, ty: Type, first: bool, p: Reg) {
        match self.unit.padding(ty, first && self.determined) {
            Some(padding) if padding.is_empty() => {}
            Some(padding) => {
                self.code.padding.push(padding);
                let padding = self.code.padding.len() as u32 - 1;
                self.emit(Instr::Unpad { p, padding });
            }
            None if self.determined => self.open("the padding of a large record"),
            None => {}
        }
    }
}
