//! The bytes and bits of records that belong to no member.

use super::types::{FloatType, Type};
use super::{Array, Unit};

/// Padding is not looked for in records of more bytes.
const LARGEST: u64 = 1 << 24;

/// Nor is it noted for each of more bytes.
const MAX_PADDING_BYTES: usize = 1 << 16;

/// A byte that is not all a part of members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Padding {
    /// Where it is, in bytes from the start of the value.
    pub offset: u32,
    /// The bits that are a part of members.
    pub kept: u8,
}

impl Unit {
    /// The padding of a value, if that is not too much to be told byte by byte. With `first`, a union has no member but
    /// the first, as if it was given its first value.
    pub fn padding(&self, ty: Type, first: bool) -> Option<Vec<Padding>> {
        let found = match ty {
            Type::Array(array) => {
                let Array { element, length } = self[array];
                let of_one = self.padding(element, first)?;
                let (size, length) = (self.size_of(element).unwrap_or(0), length.unwrap_or(0));
                if of_one.len() as u64 * length > MAX_PADDING_BYTES as u64
                    || size * length > u64::from(u32::MAX)
                {
                    return of_one.is_empty().then_some(of_one);
                }
                let moved =
                    |i: u64| move |p: &Padding| Padding { offset: p.offset + (i * size) as u32, ..*p };
                (0..length).flat_map(|i| of_one.iter().map(moved(i))).collect()
            }
            Type::Record(_) | Type::Float(FloatType::Extended) => {
                let size = self.size_of(ty).filter(|&size| size <= LARGEST)?;
                let mut covered = vec![0; size as usize];
                self.cover(ty, 0, first, &mut covered);
                let open = covered.iter().enumerate().filter(|(_, bits)| **bits != u8::MAX);
                open.map(|(i, &kept)| Padding { offset: i as u32, kept }).collect()
            }
            _ => Vec::new(),
        };
        (found.len() <= MAX_PADDING_BYTES).then_some(found)
    }

    /// Marks the bits of a value of a type at an offset.
    fn cover(&self, ty: Type, offset: u64, first: bool, covered: &mut [u8]) {
        let mut mark = |size: u64| {
            if let Some(bytes) = covered.get_mut(offset as usize..(offset + size) as usize) {
                bytes.fill(u8::MAX);
            }
        };
        match ty {
            Type::Array(array) => {
                let Array { element, length } = self[array];
                let size = self.size_of(element).unwrap_or(0);
                for i in 0..length.unwrap_or(0) {
                    self.cover(element, offset + i * size, first, covered);
                }
            }
            Type::Record(record) => {
                let record = &self[record];
                let members = if record.union && first { 1 } else { record.fields.len() };
                let fields = record.fields.iter().filter(|f| f.bits.is_none() || f.name.is_some());
                for field in fields.take(members) {
                    let Some(bits) = field.bits else {
                        self.cover(field.ty, offset + field.offset, first, covered);
                        continue;
                    };
                    for bit in u64::from(bits.first)..u64::from(bits.first + bits.width) {
                        if let Some(byte) = covered.get_mut((offset + field.offset + bit / 8) as usize) {
                            *byte |= 1 << (bit % 8);
                        }
                    }
                }
            }
            Type::Float(FloatType::Extended) => mark(10),
            ty => mark(self.size_of(ty).unwrap_or(0)),
        }
    }
}
