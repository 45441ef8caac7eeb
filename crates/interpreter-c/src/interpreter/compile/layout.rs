//! Where objects are in memory.

use super::super::code::{Local, Static, StaticPlace};
use super::super::memory::{GAP, LIVE, READ_ONLY, SET};
use super::Compiler;
use tamis_front_c::tree::{ObjectId, Storage, StringId, Type};

/// Where a local is in its frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    Fixed {
        off: u32,
        size: u32,
    },
    /// At the address in the slot: an array of variable length.
    Dynamic {
        off: u32,
    },
}

/// The largest frame, and the largest static memory.
const MAX_SIZE: u64 = 1 << 31;

impl Compiler<'_> {
    /// Gives every object of static storage its place.
    pub(super) fn lay_out_statics(&mut self) -> Result<(), String> {
        for id in self.unit.objects() {
            let object = &self.unit[id];
            if object.is_automatic() {
                continue;
            }
            let size = object.size.unwrap_or(0);
            let elsewhere = matches!(object.storage, Storage::Elsewhere);
            let shadow = if elsewhere { LIVE } else { LIVE | SET };
            let off = self
                .place_static(size, object.align, shadow, Static::Object(id))
                .ok_or_else(|| format!("`{}` is too large", object.name))?;
            self.statics.insert(id, off);
        }
        Ok(())
    }

    fn place_static(&mut self, size: u64, align: u64, shadow: u8, what: Static) -> Option<u32> {
        let start = u64::from(self.code.static_size + GAP).next_multiple_of(align.clamp(1, 1 << 16));
        let end = start.checked_add(size).filter(|&end| end + u64::from(GAP) < MAX_SIZE)?;
        self.code.static_shadow.resize(start as usize, 0);
        self.code.static_shadow.resize(end as usize, shadow);
        self.code.static_bytes.resize(end as usize, 0);
        self.code.static_size = end as u32;
        self.code.statics.push(StaticPlace { off: start as u32, size: size as u32, what });
        Some(start as u32)
    }

    /// Where a string literal is.
    pub(super) fn string(&mut self, id: StringId) -> u32 {
        if let Some(&off) = self.strings.get(&id) {
            return off;
        }
        let literal = &self.unit[id];
        let width = self.element_size(literal.ty).clamp(1, 4) as usize;
        let size = (literal.elements.len() * width) as u64;
        let Some(off) = self.place_static(size, 16, LIVE | SET | READ_ONLY, Static::String(id)) else {
            self.unsupported("a string that is too large");
            return 0;
        };
        let bytes = literal.elements.iter().flat_map(|e| e.to_le_bytes().into_iter().take(width));
        for (i, byte) in bytes.enumerate() {
            self.code.static_bytes[off as usize + i] = byte;
        }
        self.strings.insert(id, off);
        off
    }

    /// The size of an element of an array type, or 0.
    pub(super) fn element_size(&self, ty: Type) -> u64 {
        match ty {
            Type::Array(array) => self.unit.size_of(self.unit[array].element).unwrap_or(0),
            _ => 0,
        }
    }

    /// Where a local is; it gets a place when it is first met.
    pub(super) fn slot(&mut self, id: ObjectId) -> Slot {
        if let Some(&slot) = self.frame.slots.get(&id) {
            return slot;
        }
        let object = &self.unit[id];
        let slot = if object.dynamic_size.is_some() {
            Slot::Dynamic { off: self.place_local(8, 8, Local::Temporary, 0) }
        } else {
            let size = object.size.unwrap_or(0);
            let gap = if self.is_exposed(id) { GAP } else { 0 };
            let off = self.place_local(size, object.align, Local::Object(id), gap);
            Slot::Fixed { off, size: size as u32 }
        };
        self.frame.slots.insert(id, slot);
        slot
    }

    /// Whether an object can be accessed through an address.
    pub(super) fn is_exposed(&self, id: ObjectId) -> bool {
        self.exposed[id.index()] || matches!(self.unit[id].ty, Type::Array(_) | Type::Record(_))
    }

    /// A place in the frame for a value on the way.
    pub(super) fn temporary(&mut self, size: u32, align: u32) -> u32 {
        self.place_local(u64::from(size), u64::from(align), Local::Temporary, GAP)
    }

    fn place_local(&mut self, size: u64, align: u64, what: Local, gap: u32) -> u32 {
        let align = align.clamp(1, 1 << 16);
        let start = u64::from(self.frame.code.frame_size + gap).next_multiple_of(align);
        let Some(end) = start.checked_add(size + u64::from(gap)).filter(|&end| end < MAX_SIZE) else {
            self.unsupported("a variable that is too large");
            return 0;
        };
        let frame = &mut self.frame.code;
        frame.shadow.resize(start as usize, 0);
        frame.shadow.resize((start + size) as usize, LIVE);
        frame.shadow.resize(end as usize, 0);
        frame.frame_size = end as u32;
        frame.align = frame.align.max(align as u32);
        frame.locals.push((start as u32, size as u32, what));
        start as u32
    }
}
