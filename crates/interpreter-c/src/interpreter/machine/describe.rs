//! Names for addresses.

use super::super::code::{Local, Static};
use super::super::memory::{Bases, GAP};
use super::super::observer::Value;
use super::Machine;
use std::fmt::Write as _;
use tamis_front_c::tree::{ObjectId, PlaceId, PlaceKind, StringId, Type};

impl Machine<'_> {
    /// The local at an address of the stack, and how far into it that is.
    pub(super) fn local_at(&self, address: u64) -> Option<(Local, u64)> {
        let at = address.checked_sub(self.memory.stack.base)?;
        let index = self.frames.partition_point(|f| u64::from(f.base) <= at).checked_sub(1)?;
        let frame = &self.frames[index];
        let code = self.code.functions[frame.function.index()].as_ref()?;
        let inside = at - u64::from(frame.base);
        code.locals.iter().find_map(|&(off, size, local)| {
            let offset = inside.checked_sub(off.into())?;
            (offset < u64::from(size)).then_some((local, offset))
        })
    }

    /// The variable at an address.
    pub(super) fn object_at(&self, address: u64) -> Option<ObjectId> {
        self.object_and_offset(address, 0).map(|(object, _)| object)
    }

    /// The variable at an address or at most `slack` bytes behind, and how far into it that is.
    fn object_and_offset(&self, address: u64, slack: u64) -> Option<(ObjectId, u64)> {
        for back in [0, slack] {
            let behind = |i: u64| self.local_at(address.checked_sub(i)?).map(|(local, at)| (local, at + i));
            let found = (0..=back).find_map(behind);
            if let Some((Local::Object(object), offset)) = found {
                return Some((object, offset));
            }
        }
        let at = address.checked_sub(self.memory.statics.base)?;
        let index = self.code.statics.partition_point(|p| u64::from(p.off) <= at).checked_sub(1)?;
        let place = self.code.statics[index];
        let offset = at - u64::from(place.off);
        match place.what {
            Static::Object(object) if offset < u64::from(place.size) + slack => Some((object, offset)),
            _ => None,
        }
    }

    /// Where the object begins that an address is in, or in the gap behind, and its size.
    pub fn extent_at(&self, address: u64) -> Option<(u64, u64)> {
        if let Some((base, block)) = self.memory.blocks.block_near(address) {
            return Some((base, block.size));
        }
        for back in 0..u64::from(GAP) {
            let Some(at) = address.checked_sub(back) else { break };
            if let Some((local, offset)) = self.local_at(at) {
                let size = match local {
                    Local::Object(object) => self.unit[object].size.unwrap_or(0),
                    _ => 0,
                };
                return Some((at - offset, size));
            }
        }
        let at = address.checked_sub(self.memory.statics.base)?;
        let index = self.code.statics.partition_point(|p| u64::from(p.off) <= at).checked_sub(1)?;
        let place = self.code.statics[index];
        let start = self.memory.statics.base + u64::from(place.off);
        (address < start + u64::from(place.size) + u64::from(GAP)).then(|| (start, place.size.into()))
    }

    /// A name for what is at an address.
    pub fn describe(&self, address: u64) -> String {
        self.describe_as(address, None)
    }

    /// A name for the object that begins at an address.
    pub(super) fn describe_start(&self, start: u64) -> String {
        if let Some((object, 0)) = self.object_and_offset(start, 0) {
            return format!("`{}`", self.unit[object].name);
        }
        if let Some((_, block)) = self.memory.blocks.block_near(start) {
            return format!("allocation {}", block.number);
        }
        if self.literal_at(start).is_some() {
            return "a string literal".to_owned();
        }
        "a piece of the stack".to_owned()
    }

    fn describe_as(&self, address: u64, ty: Option<Type>) -> String {
        if address == 0 {
            return "NULL".to_owned();
        }
        if let Some((object, offset)) = self.object_and_offset(address, 0) {
            let object = &self.unit[object];
            let mut name = if object.name.is_empty() { "(unnamed)".to_owned() } else { object.name.clone() };
            self.path(object.ty, offset, ty, &mut name);
            return name;
        }
        if let Some((base, block)) = self.memory.blocks.block_near(address) {
            let offset = address - base;
            let mut name = format!("allocation {}", block.number);
            if let Some(&record) = self.block_types.get(&base) {
                let size = self.unit.size_of(record).unwrap_or(1).max(1);
                if block.size >= 2 * size {
                    let _ = write!(name, "[{}]", offset / size);
                }
                self.path(record, offset % size, ty, &mut name);
                return name;
            }
            match ty.and_then(|ty| self.unit.size_of(ty)) {
                // A block of several such elements is an array of them.
                Some(size @ 1..) if offset.is_multiple_of(size) && block.size >= 2 * size => {
                    let _ = write!(name, "[{}]", offset / size);
                }
                _ if offset > 0 => {
                    let _ = write!(name, " + {offset}");
                }
                _ => {}
            }
            return name;
        }
        if let Some((object, offset)) = self.object_and_offset(address, GAP.into()) {
            let size = self.unit[object].size.unwrap_or(0);
            return format!("byte {offset} of the {size} of `{}`", self.unit[object].name);
        }
        let function = Bases::code_index(self.memory.bases.functions, address);
        if let Some(function) = function.and_then(|i| self.unit.functions().nth(i)) {
            return format!("function `{}`", self.unit[function].name);
        }
        format!("address {address:#x}")
    }

    /// Which part of an object of a type is at an offset: as deep as there are members, or down to a type.
    fn path(&self, mut ty: Type, mut offset: u64, wanted: Option<Type>, name: &mut String) {
        loop {
            if offset == 0 && wanted == Some(ty) {
                return;
            }
            match ty {
                Type::Array(array) => {
                    let element = self.unit[array].element;
                    let Some(size @ 1..) = self.unit.size_of(element) else { break };
                    let _ = write!(name, "[{}]", offset / size);
                    (ty, offset) = (element, offset % size);
                }
                Type::Record(record) => {
                    let fields = &self.unit[record].fields;
                    let inside = |f: &&tamis_front_c::tree::Field| {
                        let size = self.unit.size_of(f.ty).unwrap_or(0);
                        f.bits.is_none() && f.offset <= offset && offset < f.offset + size
                    };
                    let Some(field) = fields.iter().find(inside) else { break };
                    if let Some(field) = &field.name {
                        let _ = write!(name, ".{field}");
                    }
                    (ty, offset) = (field.ty, offset - field.offset);
                }
                _ => break,
            }
        }
        if offset != 0 {
            let _ = write!(name, " + {offset}");
        }
    }

    /// What an address is that of, as a C expression where there is one.
    pub fn points_to(&self, ty: Type, value: Value) -> Option<String> {
        let Value::Address(address @ 1..) = value else { return None };
        let function = Bases::code_index(self.memory.bases.functions, address);
        if let Some(function) = function.and_then(|i| self.unit.functions().nth(i)) {
            return Some(self.unit[function].name.clone());
        }
        if let Some((literal, offset)) = self.literal_at(address) {
            let text: String = self.unit[literal]
                .elements
                .iter()
                .skip(offset)
                .map_while(|&c| char::from_u32(c).filter(|&c| c != '\0'))
                .take(40)
                .collect();
            return Some(format!("{text:?}"));
        }
        let name = self.describe_as(address, self.unit.pointee(ty));
        match self.object_and_offset(address, 0) {
            Some(_) => Some(format!("&{name}")),
            None if name.starts_with("address ") => Some(format!("{address:#x}")),
            None => Some(name),
        }
    }

    /// The string literal at an address, and how far into it that is.
    fn literal_at(&self, address: u64) -> Option<(StringId, usize)> {
        let at = address.checked_sub(self.memory.statics.base)?;
        let index = self.code.statics.partition_point(|p| u64::from(p.off) <= at).checked_sub(1)?;
        let place = self.code.statics[index];
        let offset = at - u64::from(place.off);
        match place.what {
            Static::String(literal) if offset < u64::from(place.size) => Some((literal, offset as usize)),
            _ => None,
        }
    }

    /// A name for an lvalue that is at an address.
    pub(super) fn describe_place(&self, place: Option<PlaceId>, address: u64, ty: Type) -> String {
        if let Some(PlaceKind::Member { base, field }) = place.map(|p| self.unit[p].kind)
            && let Type::Record(record) = self.unit[base].ty
        {
            let field = self.unit[record].fields.get(field as usize);
            let heap = self.object_and_offset(address, 0).is_none();
            if let Some(field) = field.filter(|f| f.bits.is_some() || heap) {
                let object = self.describe_as(address - field.offset, Some(self.unit[base].ty));
                return format!("{object}.{}", field.name.as_deref().unwrap_or_default());
            }
        }
        let name = self.describe_as(address, Some(ty));
        match place.and_then(|place| self.variable_of(place)) {
            // An array of variable length is no object with a place of its own.
            Some(array) if name.starts_with("address ") => format!("{}[…]", self.unit[array].name),
            _ => name,
        }
    }

    /// The variable that an lvalue is a part of.
    fn variable_of(&self, mut place: PlaceId) -> Option<ObjectId> {
        loop {
            match self.unit[place].kind {
                PlaceKind::Object(object) => return Some(object),
                PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => place = base,
                _ => return None,
            }
        }
    }
}
