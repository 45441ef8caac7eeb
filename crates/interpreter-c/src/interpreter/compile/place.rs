//! Lvalues.

use super::super::instr::{Instr, Reg};
use super::super::memory::{Bases, GAP};
use super::super::scalar::{Format, Int, Kind};
use super::Compiler;
use super::layout::Slot;
use tamis_front_c::Target;
use tamis_front_c::tree::{BitField, ExprId, ExprKind, ObjectId, PlaceId, PlaceKind, Type};

/// Where an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Loc {
    /// At an offset in the frame.
    Frame(u32),
    /// At an offset in static memory.
    Static(u32),
    /// At the address in a register.
    At(Reg),
}

/// What an lvalue is evaluated for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    /// It is read or written.
    Access,
    /// Only its address is taken.
    Address,
}

/// An lvalue, evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Where {
    pub loc: Loc,
    pub bits: Option<BitField>,
    /// Whether it is a local that no address leads to.
    pub private: bool,
}

impl Compiler<'_> {
    /// Evaluates an lvalue that is accessed. An address that has to be computed goes to `d`.
    pub(super) fn place(&mut self, p: PlaceId, d: Reg) -> Where {
        self.place_for(p, d, Use::Access)
    }

    /// Evaluates an lvalue.
    pub(super) fn place_for(&mut self, p: PlaceId, d: Reg, purpose: Use) -> Where {
        let mut result = Where { loc: Loc::At(d), bits: None, private: false };
        self.nested(self.unit[p].at, d, |c| result = c.place_inner(p, d, purpose));
        result
    }

    fn place_inner(&mut self, p: PlaceId, d: Reg, purpose: Use) -> Where {
        let loc = match self.unit[p].kind {
            PlaceKind::Object(object) => {
                let loc = self.object(object, d);
                return Where { loc, bits: None, private: self.is_private(object) };
            }
            PlaceKind::Compound(object) => {
                let loc = self.object(object, d);
                if let (Loc::Frame(_), Slot::Fixed { off, size }) = (loc, self.slot_of(object)) {
                    self.emit(Instr::Begin { off, size });
                    self.initialise(object, loc, d);
                    if self.determined || *self.unit.target() == Target::Memory {
                        // It lives as long as the block.
                        self.frame.scope.push(object);
                    }
                }
                loc
            }
            PlaceKind::String(string) => Loc::Static(self.string(string)),
            PlaceKind::Deref(e) => {
                match self.unit[e].kind {
                    ExprKind::PointerAdd { .. } => self.pointer_add(e, d, purpose),
                    _ => self.value(e, d),
                }
                Loc::At(d)
            }
            PlaceKind::Value(e) => {
                self.value(e, d);
                Loc::At(d)
            }
            PlaceKind::Member { base, field } => return self.member(base, field, d, purpose),
            PlaceKind::Index { base, index } => {
                let (base_facts, index_facts) =
                    if self.determined { (self.place_facts(base), self.facts(index)) } else { (0, 0) };
                let operands = self.fork(&[base_facts, index_facts]);
                let base_place = self.place_for(base, d, purpose).loc;
                let Some(size) = self.unit.size_of(self.unit[p].ty) else {
                    self.unsupported("an element whose size is not constant");
                    return Where { loc: base_place, bits: None, private: false };
                };
                let length = match self.unit[base].ty {
                    Type::Array(array) => self.unit[array].length.unwrap_or(0),
                    _ => 0,
                };
                let loc = match (base_place, &self.unit[index].kind) {
                    (loc @ (Loc::Frame(_) | Loc::Static(_)), &ExprKind::Const(i))
                        if i >= 0 && (i as u128) < u128::from(length) =>
                    {
                        self.offset(loc, i as u64 * size, d, purpose)
                    }
                    (loc, _) => {
                        self.address_of(loc, d);
                        self.side(operands);
                        self.value(index, d + 1);
                        self.scaled_add(d, d + 1, size, false, purpose);
                        Loc::At(d)
                    }
                };
                self.join(operands);
                loc
            }
        };
        Where { loc, bits: None, private: false }
    }

    fn member(&mut self, base: PlaceId, field: u32, d: Reg, purpose: Use) -> Where {
        let loc = self.place_for(base, d, purpose).loc;
        let Type::Record(record) = self.unit[base].ty else {
            self.unsupported("a member of what is not a record");
            return Where { loc, bits: None, private: false };
        };
        match self.unit[record].fields.get(field as usize) {
            Some(field) => {
                Where { loc: self.offset(loc, field.offset, d, purpose), bits: field.bits, private: false }
            }
            None => {
                self.unsupported("an unknown member");
                Where { loc, bits: None, private: false }
            }
        }
    }

    /// Whether a variable is a local that no address leads to.
    pub(super) fn is_private(&self, object: ObjectId) -> bool {
        self.unit[object].is_automatic() && !self.is_exposed(object)
    }

    fn slot_of(&mut self, object: ObjectId) -> Slot {
        if self.unit[object].is_automatic() { self.slot(object) } else { Slot::Dynamic { off: 0 } }
    }

    /// Where a variable is.
    pub(super) fn object(&mut self, object: ObjectId, d: Reg) -> Loc {
        if let Some(why) = self.unit[object].refused {
            self.unsupported(why);
        }
        if let Some(&off) = self.statics.get(&object) {
            return Loc::Static(off);
        }
        match self.slot(object) {
            Slot::Fixed { off, .. } => Loc::Frame(off),
            Slot::Dynamic { off } => {
                self.emit(Instr::LoadLocal { d, k: self.pointer(), off });
                Loc::At(d)
            }
        }
    }

    /// The format of an address.
    pub(super) fn pointer(&self) -> Int {
        Int::new(self.unit.word(), false)
    }

    /// The place some bytes further on.
    pub(super) fn offset(&mut self, loc: Loc, by: u64, d: Reg, purpose: Use) -> Loc {
        match loc {
            Loc::Frame(off) => Loc::Frame((u64::from(off) + by) as u32),
            Loc::Static(off) => Loc::Static((u64::from(off) + by) as u32),
            Loc::At(p) => {
                if by != 0 {
                    self.add_constant(p, by, d, purpose);
                    return Loc::At(d);
                }
                loc
            }
        }
    }

    /// Adds a constant to an address.
    pub(super) fn add_constant(&mut self, p: Reg, by: u64, d: Reg, purpose: Use) {
        let k = self.pointer();
        match i32::try_from(by as i64) {
            _ if self.determined => {
                self.emit(Instr::Const { d: d + 1, value: by });
                self.emit(Instr::Advance { d, a: p, b: d + 1, scale: 1, k });
            }
            _ if purpose == Use::Access && (by as i64).unsigned_abs() > u64::from(GAP) => {
                self.emit(Instr::Const { d: d + 1, value: by });
                self.emit(Instr::Reach { d, a: p, b: d + 1, scale: 1, k });
            }
            Ok(value) => {
                self.emit(Instr::AddConst { d, a: p, k, value });
            }
            Err(_) => {
                self.emit(Instr::Const { d: d + 1, value: by });
                self.emit(Instr::Add { d, a: p, b: d + 1, k });
            }
        }
    }

    /// Adds `index * size` to the address in `d`.
    pub(super) fn scaled_add(&mut self, d: Reg, index: Reg, size: u64, subtract: bool, purpose: Use) {
        let k = self.pointer();
        let scale = if subtract { (size as i64).wrapping_neg() } else { size as i64 };
        match i32::try_from(scale) {
            Ok(scale) => self.add_to_pointer(d, index, scale, k, purpose),
            Err(_) => {
                self.emit(Instr::Const { d: index + 1, value: scale as u64 });
                self.emit(Instr::Mul { d: index, a: index, b: index + 1, k: Int::U64 });
                self.add_to_pointer(d, index, 1, k, purpose);
            }
        }
    }

    fn add_to_pointer(&mut self, d: Reg, b: Reg, scale: i32, k: Int, purpose: Use) {
        self.emit(match purpose {
            _ if self.determined => Instr::Advance { d, a: d, b, scale, k },
            Use::Access => Instr::Reach { d, a: d, b, scale, k },
            Use::Address => Instr::PointerAdd { d, a: d, b, scale, k },
        });
    }

    /// `pointer + index`, or `pointer - index`.
    pub(super) fn pointer_add(&mut self, e: ExprId, d: Reg, purpose: Use) {
        let unit = self.unit;
        let ExprKind::PointerAdd { pointer, index, subtract, scale } = unit[e].kind else { return };
        let operands = self.fork_pair(pointer, index);
        self.value(pointer, d);
        self.side(operands);
        match unit[index].kind {
            ExprKind::Const(i) if i.unsigned_abs() < 1 << 31 && scale < 1 << 31 => {
                let by = (i as i64).wrapping_mul(scale as i64);
                let by = if subtract { by.wrapping_neg() } else { by };
                self.add_constant(d, by as u64, d, purpose);
            }
            _ => {
                self.value(index, d + 1);
                self.scaled_add(d, d + 1, scale, subtract, purpose);
            }
        }
        self.join(operands);
    }

    /// Notes an access to a local that no address leads to, where that is one of an operand.
    fn touched(&mut self, off: u32, k: Int, write: bool) {
        if self.determined && self.forks > 0 {
            self.emit(Instr::Touched { off, size: k.size() as u8, write });
        }
    }

    /// The address of a place, in `d`.
    pub(super) fn address_of(&mut self, loc: Loc, d: Reg) {
        match loc {
            Loc::Frame(off) => {
                self.emit(Instr::LocalAddress { d, off });
            }
            Loc::Static(off) => {
                self.emit(Instr::Const { d, value: self.bases.statics + u64::from(off) });
            }
            Loc::At(p) if p == d => {}
            Loc::At(p) => {
                self.emit(Instr::Move { d, a: p });
            }
        }
    }

    /// The value at a place, in `d`; a record's is its address.
    pub(super) fn load(&mut self, place: Where, kind: Kind, d: Reg) {
        if let (Some(bits), Kind::Int(k)) = (place.bits, kind) {
            self.address_of(place.loc, d);
            self.emit(Instr::LoadBits { d, p: d, first: bits.first as u8, width: bits.width as u8, k });
            return;
        }
        match (kind, memory_format(kind)) {
            (_, Some(k)) if self.determined && !place.private => {
                self.address_of(place.loc, d);
                self.emit(Instr::Load { d, p: d, k });
            }
            (_, Some(k)) => {
                if let Loc::Frame(off) = place.loc {
                    self.touched(off, k, false);
                }
                match place.loc {
                    Loc::Frame(off) => self.emit(Instr::LoadLocal { d, k, off }),
                    Loc::Static(off) => self.emit(Instr::LoadStatic { d, k, off }),
                    Loc::At(p) => self.emit(Instr::Load { d, p, k }),
                };
            }
            (Kind::Record { .. }, _) => self.address_of(place.loc, d),
            (Kind::Void, _) => {}
            (_, None) => {
                self.address_of(place.loc, d);
                self.emit(Instr::LoadPair { d, p: d, size: pair_size(kind) });
            }
        }
    }

    /// Stores the scalar in `a` at a place. `d` and the next register are free.
    pub(super) fn store(&mut self, place: Where, kind: Kind, a: Reg, d: Reg) {
        let address = |c: &mut Self| match place.loc {
            Loc::At(p) => p,
            loc => {
                c.address_of(loc, d);
                d
            }
        };
        if let Some(bits) = place.bits {
            let p = address(self);
            let wide = kind.registers() == 2;
            self.emit(Instr::StoreBits { p, a, first: bits.first as u8, width: bits.width as u8, wide });
            return;
        }
        match memory_format(kind) {
            Some(k) if self.determined && !place.private => {
                let p = address(self);
                self.emit(Instr::Store { p, a, k });
            }
            Some(k) => {
                if let Loc::Frame(off) = place.loc {
                    self.touched(off, k, true);
                }
                match place.loc {
                    Loc::Frame(off) => self.emit(Instr::StoreLocal { a, k, off }),
                    Loc::Static(off) => self.emit(Instr::StoreStatic { a, k, off }),
                    Loc::At(p) => self.emit(Instr::Store { p, a, k }),
                };
            }
            None if kind.registers() == 2 => {
                let p = address(self);
                self.emit(Instr::StorePair { p, a, size: pair_size(kind) });
            }
            None => {}
        }
    }

    /// The address of a function.
    pub(super) fn function_address(&self, index: usize) -> u64 {
        Bases::code_address(self.bases.functions, index)
    }
}

/// How a value of one register is moved to and from memory.
fn memory_format(kind: Kind) -> Option<Int> {
    match kind {
        Kind::Int(k) if !k.is_wide() => Some(k),
        Kind::Float(Format::Single) => Some(Int::U32),
        Kind::Float(Format::Double) => Some(Int::U64),
        _ => None,
    }
}

/// The bytes that a value of two registers takes.
fn pair_size(kind: Kind) -> u8 {
    if matches!(kind, Kind::Float(_)) { 10 } else { 16 }
}
