//! The bytes and bits of records that belong to no member, for a run that must be the only one.

use super::super::code::Padding;
use super::super::instr::{Instr, Reg};
use super::Compiler;
use tamis_front_c::tree::{FloatType, Type, Unit};

/// Of larger records nobody looks for padding.
const LARGEST: u64 = 1 << 16;

impl Compiler<'_> {
    /// The padding of the record whose address is in `p` has no value: it was copied, or is given its first value.
    pub(super) fn unpad(&mut self, ty: Type, first: bool, p: Reg) {
        if !self.determined {
            return;
        }
        match self.padding(ty, first) {
            Some(padding) if padding.is_empty() => {}
            Some(padding) => {
                self.code.padding.push(padding);
                let padding = self.code.padding.len() as u32 - 1;
                self.emit(Instr::Unpad { p, padding });
            }
            None => self.open("the padding of a large record"),
        }
    }

    /// What no member of a type covers. Of a union, a first value covers the `first` member alone.
    pub(super) fn padding(&self, ty: Type, first: bool) -> Option<Vec<Padding>> {
        if !matches!(ty, Type::Record(_) | Type::Array(_)) {
            return Some(Vec::new());
        }
        let size = self.unit.size_of(ty).filter(|&size| size <= LARGEST)?;
        let mut covered = vec![0; size as usize];
        cover(self.unit, ty, 0, first, &mut covered);
        let open = covered.iter().enumerate().filter(|(_, bits)| **bits != u8::MAX);
        Some(open.map(|(i, &kept)| Padding { offset: i as u32, kept }).collect())
    }
}

/// Marks the bits of a value of a type at an offset.
fn cover(unit: &Unit, ty: Type, offset: u64, first: bool, covered: &mut [u8]) {
    let mut mark = |offset: u64, size: u64| {
        if let Some(bytes) = covered.get_mut(offset as usize..(offset + size) as usize) {
            bytes.fill(u8::MAX);
        }
    };
    match ty {
        Type::Array(array) => {
            let array = &unit[array];
            let size = unit.size_of(array.element).unwrap_or(0);
            for i in 0..array.length.unwrap_or(0) {
                cover(unit, array.element, offset + i * size, first, covered);
            }
        }
        Type::Record(record) => {
            let record = &unit[record];
            let members = if record.union && first { 1 } else { record.fields.len() };
            for field in record.fields.iter().filter(|f| f.bits.is_none() || f.name.is_some()).take(members) {
                let Some(bits) = field.bits else {
                    cover(unit, field.ty, offset + field.offset, first, covered);
                    continue;
                };
                for bit in u64::from(bits.first)..u64::from(bits.first + bits.width) {
                    if let Some(byte) = covered.get_mut((offset + field.offset + bit / 8) as usize) {
                        *byte |= 1 << (bit % 8);
                    }
                }
            }
        }
        Type::Float(FloatType::Extended) => mark(offset, 10),
        ty => mark(offset, unit.size_of(ty).unwrap_or(0)),
    }
}
