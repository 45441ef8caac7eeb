//! Lvalues: plain variables, and places in memory.

use super::Translator;
use super::facts::place_operands;
use crate::memory::{Layout, Pointer, RegionId, Shown, Thing, field_of, plus, width};
use crate::tree::{BitField, ExprId, ExprKind, ObjectId, PlaceId, PlaceKind, Position, Type};
use rustc_hash::FxHashMap;
use tamis_diagnostics::Error;
use tamis_logic::Term;
use tamis_program::{Command, Event, Havoc, IntType, Var, VariableType};

/// Where a scalar is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    /// In a variable of the program.
    Variable(Var),
    /// In memory.
    Memory(Cell),
}

/// A scalar in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) region: RegionId,
    pub(super) address: Term,
    pub(super) bits: Option<BitField>,
    pub(super) ty: Type,
    /// Which bit of the cell is the first, of one that is only read in part.
    pub(super) part: Option<u32>,
}

/// What lvalues were found by.
#[derive(Default)]
pub(super) struct Lvalues {
    /// The pointers.
    pub(super) pointers: FxHashMap<PlaceId, Term>,
    /// The pointers that those were computed from, where that was done to find the lvalue.
    pub(super) roots: FxHashMap<PlaceId, Term>,
    /// The indices of elements.
    pub(super) indices: FxHashMap<PlaceId, Term>,
}

impl Translator<'_> {
    /// Where the scalar of an lvalue is. The parts of the lvalue are evaluated, and a null pointer ends the execution.
    pub(super) fn spot(&mut self, place: PlaceId) -> Result<Spot, Error> {
        let (unit, at) = (self.unit, self.unit[place].at);
        if let PlaceKind::Object(object) = unit[place].kind
            && self.memory.is_plain(object)
        {
            return Ok(Spot::Variable(self.var(object, at)?));
        }
        if let Type::Other(what) = unit[place].ty {
            return self.refuse(at, what);
        }
        let address = self.address(place)?;
        self.mark_bounds(place);
        self.guard_null(place, address)?;
        self.cell(place, address)
    }

    /// The scalar at the address of a place.
    pub(super) fn cell(&mut self, place: PlaceId, address: Term) -> Result<Spot, Error> {
        let (unit, at) = (self.unit, self.unit[place].at);
        let Some(region) = self.memory.place_region(place) else {
            return self.refuse(at, "access to memory of unknown layout");
        };
        self.check_strays(place, address)?;
        let part = self.memory.part_of_cell(place);
        let address = match part {
            None => {
                self.note_member(place, region);
                address
            }
            Some(first) => self.offset(address, -i64::from(first / 8)),
        };
        Ok(Spot::Memory(Cell { region, address, bits: field_of(unit, place), ty: unit[place].ty, part }))
    }

    /// The place that a place is a part of.
    pub(super) fn whole(&self, place: PlaceId) -> PlaceId {
        let mut root = place;
        while let PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } = self.unit[root].kind {
            root = base;
        }
        root
    }

    /// The pointer that a place was found by, if there is one.
    pub(super) fn pointer_to(&self, place: PlaceId) -> Option<Term> {
        let root = self.whole(place);
        match self.unit[root].kind {
            PlaceKind::Deref(_) => self.lvalues.pointers.get(&root).copied(),
            _ => None,
        }
    }

    /// The address of an lvalue as a value: a pointer that was computed.
    pub(super) fn address_value(&mut self, place: PlaceId) -> Result<Term, Error> {
        let address = self.address(place)?;
        let root = self.whole(place);
        let from = match self.unit[root].kind {
            PlaceKind::Deref(_) => {
                let pointer = self.lvalues.pointers.get(&root).copied();
                self.lvalues.roots.get(&root).copied().or(pointer)
            }
            PlaceKind::Object(object) if !self.memory.is_plain(object) && root != place => {
                Some(self.object_address(object, self.unit[root].at)?)
            }
            _ => None,
        };
        if let Some(from) = from {
            let target = self.memory.place(place);
            self.mark_move(Some(target), from, address, self.unit[place].at);
        }
        Ok(address)
    }

    /// The value of a pointer that is looked through, and the pointer that it is computed from.
    fn looked_through(&mut self, pointer: ExprId) -> Result<(Term, Term), Error> {
        let unit = self.unit;
        match unit[pointer].kind {
            ExprKind::PointerAdd { pointer: from, index, subtract, scale } if self.follows_memory() => {
                let ty = unit[index].ty;
                let (from, index) = self.operands(from, index, unit[pointer].at)?;
                Ok((from, self.indexed(from, index, ty, scale, subtract)))
            }
            ExprKind::Convert(from) if unit[from].ty.is_pointer() && unit[pointer].ty.is_pointer() => {
                self.looked_through(from)
            }
            _ => {
                let value = self.value(pointer)?;
                Ok((value, value))
            }
        }
    }

    /// The address of an lvalue.
    pub(super) fn address(&mut self, place: PlaceId) -> Result<Term, Error> {
        let (unit, at) = (self.unit, self.unit[place].at);
        match unit[place].kind {
            PlaceKind::Object(object) => self.object_address(object, at),
            PlaceKind::Compound(object) => {
                if unit[object].is_automatic() {
                    self.declare(object)?;
                    self.activations.current().compounds.push(object);
                }
                self.object_address(object, at)
            }
            PlaceKind::String(literal) => {
                let literal = self.memory.literal(literal);
                self.base(Thing::Literal(literal), at)
            }
            PlaceKind::Deref(pointer) => {
                let (from, pointer) = self.looked_through(pointer)?;
                self.lvalues.roots.insert(place, from);
                self.lvalues.pointers.insert(place, pointer);
                Ok(pointer)
            }
            PlaceKind::Member { base, field } => {
                let base_address = self.address(base)?;
                let offset = match unit[base].ty {
                    Type::Record(record) => unit[record].fields[field as usize].offset,
                    _ => 0,
                };
                Ok(self.offset(base_address, offset as i64))
            }
            PlaceKind::Index { base, index } => {
                let mut parts = place_operands(unit, base);
                parts.push(index);
                self.check_order(&parts, at)?;
                let address = self.address(base)?;
                let Some(size) = unit.size_of(unit[place].ty) else {
                    return self.refuse(at, "array with elements of variable size");
                };
                let index_type = unit[index].ty;
                let index = self.value(index)?;
                self.lvalues.indices.insert(place, index);
                Ok(self.indexed(address, index, index_type, size, false))
            }
            PlaceKind::Value(e) => {
                let address = self.aggregate(e)?;
                self.lvalues.pointers.insert(place, address);
                Ok(address)
            }
        }
    }

    /// `address ± index * size`.
    pub(super) fn indexed(
        &mut self,
        address: Term,
        index: Term,
        ty: Type,
        size: u64,
        subtract: bool,
    ) -> Term {
        let t = &mut *self.terms;
        let word = self.unit.word();
        let index = t.resize(word, ty.extends_sign(), index);
        let size = t.bits(word, u128::from(size));
        let by = t.mul(index, size);
        if subtract { t.sub(address, by) } else { t.add(address, by) }
    }

    /// `address + offset`.
    pub(super) fn offset(&mut self, address: Term, offset: i64) -> Term {
        let word = self.unit.word();
        let by = self.terms.bits_value(tamis_logic::Bits::from_signed(word, i128::from(offset)));
        self.terms.add(address, by)
    }

    fn object_address(&mut self, object: ObjectId, at: Position) -> Result<Term, Error> {
        if let Some(what) = self.unit[object].refused {
            return self.refuse(at, what);
        }
        if self.unit[object].dynamic_size.is_some() {
            let var = self.dynamic_base(object, at)?;
            return Ok(self.builder.term(var));
        }
        self.base(Thing::Object(object), at)
    }

    /// How a scalar type is stored, floating-point numbers as their bits.
    pub(super) fn scalar(&self, ty: Type) -> Option<IntType> {
        match ty {
            Type::Float(_) => Some(IntType { bits: width(self.unit, ty), signed: false }),
            _ => ty.int(),
        }
    }

    /// The variable of a region.
    pub(super) fn region_var(&mut self, region: RegionId) -> Var {
        if let Some(var) = self.variables.regions[region.index()] {
            return var;
        }
        let cell = match self.memory.regions[region.index()].layout {
            Layout::Cells { width } => width,
            Layout::Bytes => 8,
        };
        let name = self.region_name(region);
        let ty = VariableType::memory(self.terms, self.unit.word(), cell);
        let var = self.builder.variable(self.terms, &name, ty, None);
        self.variables.regions[region.index()] = Some(var);
        var
    }

    /// What a scalar place holds.
    pub(super) fn load(&mut self, spot: Spot) -> Term {
        match spot {
            Spot::Variable(var) => self.builder.term(var),
            Spot::Memory(cell) => self.load_cell(cell),
        }
    }

    /// What the program gets to see of a scalar place: where an address was stored and is read as a number, in whole or
    /// in part, that is arbitrary.
    pub(super) fn read(&mut self, place: PlaceId, spot: Spot, at: Position) -> Result<Term, Error> {
        let value = self.load(spot);
        self.mark_unset(place, spot, at);
        if let Spot::Memory(cell) = spot
            && self.follows_memory()
            && self.unit[place].ty.is_pointer()
            && self.memory.regions[cell.region.index()].layout == Layout::Bytes
            && self.memory.pointed_from(place).is_some_and(|at| self.memory.holds_objects(at))
        {
            self.mark_parts(cell, value, at);
        }
        let (Spot::Memory(cell), Some(int)) = (spot, self.scalar(self.unit[place].ty)) else {
            return Ok(value);
        };
        match self.memory.shows(place) {
            None => Ok(value),
            Some(Shown::Part) => match (cell.part, self.are_plain(cell)) {
                (Some(first), _) => {
                    let memory = self.region_var(cell.region);
                    let whole = self.terms.select(self.builder.term(memory), cell.address);
                    let number = self.number_in_memory(whole);
                    let part = self.terms.extract(first + int.bits - 1, first, number);
                    let address = self.terms.nonzero(whole);
                    let null = self.terms.not(address);
                    self.unless_address((null, value), part, int, "a part of an address", at)
                }
                (None, Some(plain)) => self.unless_undefined(plain, value, int, "a part of an address", at),
                (None, None) => self.approximate(int, "a part of an address", at),
            },
            Some(Shown::Whole) => {
                let address = self.terms.nonzero(value);
                let null = self.terms.not(address);
                let exact = match self.are_plain(cell) {
                    Some(plain) => self.terms.or2(null, plain),
                    None => null,
                };
                let number = self.number_in_memory(value);
                self.unless_address((exact, value), number, int, "an address as a number", at)
            }
        }
    }

    /// A value where it is no address, and otherwise a number that depends on where objects are, which is remembered.
    fn unless_address(
        &mut self,
        (exact, value): (Term, Term),
        number: Term,
        int: IntType,
        what: &str,
        at: Position,
    ) -> Result<Term, Error> {
        let frame = self.activations.frame();
        let result = self.builder.temporary(self.terms, "number", int, frame);
        let (fine, address, join) = (self.node(), self.node(), self.node());
        self.fork(exact, fine, address, at, Event::Step, Event::Step)?;
        self.cursor.resume(fine);
        self.emit(Command::Assign(result, value), at, Event::Step)?;
        self.cursor.jump(join);
        self.cursor.resume(address);
        self.emit(Command::Havoc(result, Havoc::Approximated(what.to_owned())), at, Event::Step)?;
        self.emit(Command::Assign(result, number), at, Event::Step)?;
        self.cursor.jump(join);
        self.cursor.resume(join);
        Ok(self.builder.term(result))
    }

    pub(super) fn load_cell(&mut self, cell: Cell) -> Term {
        let bits = width(self.unit, cell.ty);
        let memory = self.region_var(cell.region);
        let memory = self.builder.term(memory);
        let stored = match self.memory.regions[cell.region.index()].layout {
            Layout::Cells { .. } => {
                let whole = self.terms.select(memory, cell.address);
                match cell.part {
                    Some(first) => self.terms.extract(first + bits - 1, first, whole),
                    None => whole,
                }
            }
            Layout::Bytes => {
                let (first, wide) = cell.bits.map_or((0, bits), |b| (b.first, b.width));
                let mut number = None;
                for byte in 0..(first + wide).div_ceil(8) {
                    let address = self.offset(cell.address, i64::from(byte));
                    let next = self.terms.select(memory, address);
                    number = Some(number.map_or(next, |low| self.terms.concat(next, low)));
                }
                let number = number.unwrap_or(memory);
                self.terms.extract(first + wide - 1, first, number)
            }
        };
        match cell.bits {
            Some(_) => self.terms.resize(bits, cell.ty.extends_sign(), stored),
            None => stored,
        }
    }

    /// Puts a value of the type of the place there.
    pub(super) fn store(&mut self, spot: Spot, value: Term, at: Position) -> Result<(), Error> {
        match spot {
            Spot::Variable(var) if value == self.builder.term(var) => Ok(()),
            Spot::Variable(var) => self.emit(Command::Assign(var, value), at, Event::Step),
            Spot::Memory(cell) => {
                let value = self.as_address(cell, value, at)?;
                self.store_cell(cell, value, at)
            }
        }
    }

    /// Likewise, of a number that is no address.
    pub(super) fn store_number(&mut self, spot: Spot, value: Term, at: Position) -> Result<(), Error> {
        match spot {
            Spot::Variable(_) => self.store(spot, value, at),
            Spot::Memory(cell) => self.store_cell(cell, value, at),
        }
    }

    pub(super) fn store_cell(&mut self, cell: Cell, value: Term, at: Position) -> Result<(), Error> {
        let var = self.region_var(cell.region);
        let memory = self.builder.term(var);
        let value = match cell.bits {
            Some(field) => self.terms.extract(field.width - 1, 0, value),
            None => value,
        };
        match self.memory.regions[cell.region.index()].layout {
            // What is written is never only a part of a cell.
            Layout::Cells { .. } if cell.part.is_some() => self.refuse(at, "a write to a part of a value"),
            Layout::Cells { .. } => self.put(var, cell.address, value, at),
            Layout::Bytes => {
                let address = self.settled(cell.address, at)?;
                let value = self.settled(value, at)?;
                let first = cell.bits.map_or(0, |b| b.first);
                let wide = self.terms.sort(value).width().unwrap_or(8);
                for byte in 0..(first + wide).div_ceil(8) {
                    let address = self.offset(address, i64::from(byte));
                    let new = self.byte_with(memory, address, value, first, wide, byte);
                    self.put(var, address, new, at)?;
                }
                Ok(())
            }
        }
    }

    /// A byte of memory in which the bits of `value`, whose lowest is bit `first` of byte 0, replace the old ones.
    fn byte_with(
        &mut self,
        memory: Term,
        address: Term,
        value: Term,
        first: u32,
        wide: u32,
        byte: u32,
    ) -> Term {
        let (low, high) = (first.max(8 * byte), (first + wide).min(8 * byte + 8));
        let mut new = self.terms.extract(high - 1 - first, low - first, value);
        if low == 8 * byte && high == 8 * byte + 8 {
            return new;
        }
        let old = self.terms.select(memory, address);
        if low > 8 * byte {
            let below = self.terms.extract(low - 8 * byte - 1, 0, old);
            new = self.terms.concat(new, below);
        }
        if high < 8 * byte + 8 {
            let above = self.terms.extract(7, high - 8 * byte, old);
            new = self.terms.concat(above, new);
        }
        new
    }

    /// The scalar of a type at an address.
    pub(super) fn cell_at(
        &mut self,
        pointer: Pointer,
        address: Term,
        offset: u64,
        ty: Type,
        bits: Option<BitField>,
    ) -> Option<Cell> {
        let region = self.memory.region(plus(pointer, offset as i64), ty, bits)?;
        let address = self.offset(address, offset as i64);
        Some(Cell { region, address, bits, ty, part: None })
    }
}
