//! Accesses through lvalues that are marked: null pointers, indices outside of their arrays, what is outside of every object.

use super::Translator;
use super::addresses::MARGIN;
use super::assumption::Assumption;
use super::place::Spot;
use super::validity::Way;
use crate::memory::{Thing, constant, field_of};
use crate::tree::{ExprId, PlaceId, PlaceKind, Position, Type, Unit};
use tamis_diagnostics::Error;
use tamis_logic::Term;
use tamis_program::Undefined;

/// The size of the first page of memory.
const PAGE: u128 = 4096;

impl Translator<'_> {
    /// Where the scalar of an lvalue is that is written after `value` is evaluated: where memory matters, the access is
    /// marked only then.
    pub(super) fn spot_before(&mut self, place: PlaceId, value: ExprId) -> Result<Spot, Error> {
        let (unit, at) = (self.unit, self.unit[place].at);
        let plain = matches!(unit[place].kind, PlaceKind::Object(object) if self.memory.is_plain(object));
        if !self.follows_memory() || plain || matches!(unit[place].ty, Type::Other(_)) {
            return self.spot(place);
        }
        let address = self.address(place)?;
        let root = self.whole(place);
        if let (true, Some(&from)) = (self.facts.writes(value), self.lvalues.roots.get(&root)) {
            // What the address was computed from is not known any more then.
            let target = self.memory.place(place);
            self.mark_move(Some(target), from, address, at);
        }
        self.cell(place, address)
    }

    /// Marks an access to a place that was found before `value` was evaluated.
    pub(super) fn mark_after(&mut self, place: PlaceId, address: Term, value: ExprId) -> Result<(), Error> {
        if !self.follows_memory() {
            return Ok(());
        }
        let root = self.whole(place);
        if self.facts.writes(value) && self.lvalues.roots.contains_key(&root) {
            self.lvalues.roots.insert(root, address);
        }
        self.mark_outside_of(place, address)
    }

    /// What lies near the null pointer is not mapped: an access there traps. One outside of every object is marked.
    pub(super) fn guard_null(&mut self, place: PlaceId, address: Term) -> Result<(), Error> {
        let Some(pointer) = self.pointer_to(place) else {
            return self.mark_outside_of(place, address);
        };
        // Null is outside of every object.
        if self.follows_memory() {
            return self.mark_outside_of(place, address);
        }
        self.mark_null(pointer, self.unit[place].at);
        let valid = self.terms.nonzero(pointer);
        self.assume(valid, Assumption::NullAccess, self.unit[place].at)?;
        self.mark_outside_of(place, address)
    }

    /// Marks an access to a whole structure: to where there is none.
    pub(super) fn mark_access(&mut self, place: PlaceId, address: Term) -> Result<(), Error> {
        self.mark_bounds(place);
        if let Some(pointer) = self.pointer_to(place).filter(|_| !self.follows_memory()) {
            self.mark_null(pointer, self.unit[place].at);
        }
        self.mark_outside_of(place, address)
    }

    /// Marks an access through a null pointer: into the first page, where no object is.
    pub(super) fn mark_null(&mut self, pointer: Term, at: Position) {
        let page = self.terms.bits(self.unit.word(), PAGE);
        let null = self.terms.ult(pointer, page);
        self.mark(Undefined::NullAccess, null, at);
    }

    pub(super) fn mark_outside_of(&mut self, place: PlaceId, address: Term) -> Result<(), Error> {
        let (unit, at) = (self.unit, self.unit[place].at);
        let Some(size) = accessed(unit, place) else { return Ok(()) };
        let root = self.whole(place);
        let thing = match unit[root].kind {
            PlaceKind::Deref(_) => {
                let target = self.memory.place(place);
                let size = self.terms.bits(unit.word(), u128::from(size));
                let pointer = self.lvalues.roots.get(&root).copied().unwrap_or(address);
                // Small distances do not lead from the slot of one variable into another.
                let near = self.lvalues.pointers.get(&root) == Some(&pointer) && self.is_near(place);
                self.mark_outside(target, Way { root: pointer, address, near }, size, at);
                return Ok(());
            }
            _ if !self.follows_memory() || root == place => return Ok(()),
            PlaceKind::Object(object) | PlaceKind::Compound(object) => Thing::Object(object),
            PlaceKind::String(literal) => Thing::Literal(self.memory.literal(literal)),
            // The value of an expression is as large as its type.
            PlaceKind::Value(_) => {
                let Some(length) = unit.size_of(unit[root].ty) else { return Ok(()) };
                let base = self.value_address(root)?;
                let length = self.terms.bits(unit.word(), u128::from(length));
                self.mark_outside_object((base, length), address, size, at);
                return Ok(());
            }
            _ => return Ok(()),
        };
        let (base, length) = match thing {
            Thing::Object(object) if unit[object].dynamic_size.is_some() => {
                match self.activations.current().arrays.get(&object).copied() {
                    Some(area) => self.area(area),
                    None => return Ok(()),
                }
            }
            Thing::Object(object) if unit[object].size.is_none() => {
                let target = self.memory.place(place);
                let size = self.terms.bits(unit.word(), u128::from(size));
                self.mark_outside(target, Way::to(address), size, at);
                return Ok(());
            }
            _ => {
                let base = self.base(thing, at)?;
                let (length, _) = self.extent(thing);
                (base, self.terms.bits(unit.word(), u128::from(length)))
            }
        };
        self.mark_outside_object((base, length), address, size, at);
        Ok(())
    }

    /// The address of the value that a place is a part of.
    fn value_address(&mut self, root: PlaceId) -> Result<Term, Error> {
        match self.lvalues.pointers.get(&root) {
            Some(&address) => Ok(address),
            None => self.refuse(self.unit[root].at, "a part of this value"),
        }
    }

    /// Whether a place is less than a margin away from the pointer that it was found by.
    fn is_near(&self, place: PlaceId) -> bool {
        let (mut at, mut distance) = (place, 0);
        loop {
            match self.unit[at].kind {
                PlaceKind::Member { base, field } => {
                    if let Type::Record(record) = self.unit[base].ty {
                        distance += i128::from(self.unit[record].fields[field as usize].offset);
                    }
                    at = base;
                }
                PlaceKind::Index { base, index } => {
                    let (Some(by), Some(size)) =
                        (constant(self.unit, index), self.unit.size_of(self.unit[at].ty))
                    else {
                        return false;
                    };
                    let Some(bytes) = by.checked_mul(i128::from(size)) else { return false };
                    distance += bytes;
                    at = base;
                }
                _ => return distance.unsigned_abs() < u128::from(MARGIN),
            }
        }
    }

    /// Marks the indices of an access that are outside of their arrays. A flexible array has no bound.
    pub(super) fn mark_bounds(&mut self, place: PlaceId) {
        if self.follows_memory() {
            return;
        }
        let mut at = place;
        loop {
            match self.unit[at].kind {
                PlaceKind::Member { base, .. } => at = base,
                PlaceKind::Index { base, index } => {
                    let length = match self.unit[base].ty {
                        Type::Array(array) => self.unit[array].length.filter(|&n| n > 0),
                        _ => None,
                    };
                    if let (Some(length), Some(&i)) = (length, self.lvalues.indices.get(&at)) {
                        let wide = self.terms.resize(72, self.unit[index].ty.extends_sign(), i);
                        let length = self.terms.bits(72, u128::from(length));
                        let inside = self.terms.ult(wide, length);
                        let outside = self.terms.not(inside);
                        self.mark(Undefined::OutOfBounds, outside, self.unit[place].at);
                    }
                    at = base;
                }
                _ => return,
            }
        }
    }
}

/// How many bytes an access to a place is about.
pub(super) fn accessed(unit: &Unit, place: PlaceId) -> Option<u64> {
    match field_of(unit, place) {
        Some(bits) => Some(u64::from((bits.first + bits.width).div_ceil(8))),
        None => unit.size_of(unit[place].ty),
    }
}
