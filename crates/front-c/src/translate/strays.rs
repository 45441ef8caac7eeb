//! Accesses that stray from an array within a structure.
//!
//! Such an array is apart from the members around it ([`crate::memory`]'s parts), so an access by an index, or through a pointer
//! into it, sees what is in the array and nothing else. C does not let it leave the array, but machines do, and as long as it stays
//! in the object it is no violation of memory safety either. So where an access is in an object and outside of the array that it
//! is taken to be in, the model gives up: anything may happen from there, which is remembered as approximated. If a violation depends on that, the program
//! is translated again without such arrays.
//!
//! Which objects there are is known only when all is translated: until then variables stand for the conditions.

use super::Translator;
use super::bounds::accessed;
use super::pieces::{Piece, Pieces, Settling, start_of};
use super::validity::{Way, inside};
use crate::memory::{Extent, OPEN, Pointer, Thing, member_array};
use crate::tree::{PlaceId, PlaceKind, Position};
use tamis_diagnostics::Error;
use tamis_logic::{Bits, Sort, Term};

/// Why the model gives up there.
pub(crate) const OUTSIDE: &str = "an access outside of an array within a structure";

/// An access, by the variable that stands for its being in an object and outside of its array.
pub(super) struct Stray {
    pub(super) strays: Term,
    pub(super) pointer: Pointer,
    pub(super) way: Way,
    /// In bytes, as wide as an address.
    pub(super) size: Term,
    /// When it is known to be in the array.
    pub(super) within: Term,
}

impl Translator<'_> {
    /// Gives up where an access to a place is outside of the arrays that it is taken to be in.
    pub(super) fn check_strays(&mut self, place: PlaceId, address: Term) -> Result<(), Error> {
        let (unit, position) = (self.unit, self.unit[place].at);
        let Some(size) = accessed(unit, place) else { return Ok(()) };
        let size = self.terms.bits(unit.word(), u128::from(size));
        let root = self.whole(place);
        let way = match (self.lvalues.roots.get(&root), self.lvalues.pointers.get(&root)) {
            (Some(&root), _) | (None, Some(&root)) => Way { root, address, near: false },
            _ => Way::to(address),
        };
        let mut at = place;
        loop {
            match unit[at].kind {
                PlaceKind::Member { base, .. } => at = base,
                PlaceKind::Index { base, .. } => {
                    let element = self.memory.place(at);
                    let mut array = base;
                    while let PlaceKind::Index { base, .. } = unit[array].kind {
                        array = base;
                    }
                    if self.memory.may_stray(element)
                        && let Some((length, last)) = member_array(unit, array)
                    {
                        let within = self.is_in_array(at, array, length);
                        if last || !self.terms.is_true(within) {
                            self.give_up_outside(element, way, (size, within), position)?;
                        }
                    }
                    at = array;
                }
                PlaceKind::Deref(_) => {
                    let pointer = self.memory.place(at);
                    if self.memory.may_stray(pointer) {
                        let nowhere = self.terms.fals();
                        self.give_up_outside(pointer, way, (size, nowhere), position)?;
                    }
                    return Ok(());
                }
                _ => return Ok(()),
            }
        }
    }

    /// Likewise, for an access to `size` bytes through a pointer.
    pub(super) fn check_piece(
        &mut self,
        pointer: Pointer,
        address: Term,
        size: Term,
        at: Position,
    ) -> Result<(), Error> {
        if !self.memory.may_stray(pointer) {
            return Ok(());
        }
        let some = self.terms.nonzero(size);
        let nothing = self.terms.not(some);
        self.give_up_outside(pointer, Way::to(address), (size, nothing), at)
    }

    /// Whether an element is in an array of so many bytes, by its indices.
    fn is_in_array(&mut self, element: PlaceId, array: PlaceId, length: i64) -> Term {
        let (unit, word) = (self.unit, self.unit.word());
        let size = unit.size_of(unit[element].ty).unwrap_or(0);
        let Some(last) = u64::try_from(length).ok().and_then(|length| length.checked_sub(size)) else {
            return self.terms.fals();
        };
        let mut offset = self.terms.bits(word, 0);
        let mut at = element;
        while let PlaceKind::Index { base, index } = unit[at].kind
            && at != array
        {
            let Some(&value) = self.lvalues.indices.get(&at) else { return self.terms.fals() };
            let step = unit.size_of(unit[at].ty).unwrap_or(0);
            offset = self.indexed(offset, value, unit[index].ty, step, false);
            at = base;
        }
        // As an index that is masked, or a remainder, is.
        if self.terms.unsigned_range(offset).1 <= last {
            return self.terms.tru();
        }
        let last = self.terms.bits(word, u128::from(last));
        self.terms.ule(offset, last)
    }

    fn give_up_outside(
        &mut self,
        pointer: Pointer,
        way: Way,
        (size, within): (Term, Term),
        at: Position,
    ) -> Result<(), Error> {
        let strays = self.terms.fresh("strays", Sort::Bool);
        self.validity.strays.push(Stray { strays, pointer, way, size, within });
        let mut conditions = self.enclosing.under.clone();
        conditions.push(strays);
        let guard = self.terms.and(&conditions);
        self.give_up_if(guard, OUTSIDE, at)
    }
}

impl Settling<'_> {
    /// Whether an access is in an object, and outside of the array that it is taken to be in.
    pub(super) fn strays(&mut self, pieces: &Pieces, extents: &[Extent<Thing>], stray: &Stray) -> Term {
        let (mut there_is, mut within) = (Vec::new(), vec![stray.within]);
        for piece in pieces.all.iter() {
            let (there, (base, length), thing) = match piece {
                Piece::Object { base, size, thing, .. } => (self.terms.tru(), (*base, *size), *thing),
                Piece::Arena(arena) => {
                    let there = self.in_arena(arena, stray.way.root);
                    let base = start_of(self.terms, arena, self.word, stray.way.root);
                    (there, (base, self.length_of(arena, base)), arena.thing)
                }
            };
            let here = inside(self.terms, (base, length), stray.way.address, stray.size);
            let here = self.terms.and2(there, here);
            there_is.push(here);
            for extent in extents.iter().filter(|extent| extent.thing == thing) {
                let fits = self.is_in_extent((base, length), extent, stray);
                within.push(self.terms.and2(here, fits));
            }
        }
        let exists = if pieces.more { self.terms.tru() } else { self.terms.or(&there_is) };
        let within = self.terms.or(&within);
        let outside = self.terms.not(within);
        self.terms.and2(exists, outside)
    }

    /// Whether an access in an object is in an array within it.
    fn is_in_extent(&mut self, (base, length): (Term, Term), extent: &Extent<Thing>, stray: &Stray) -> Term {
        let mut conditions = Vec::new();
        let (mut stride, mut offset) = (extent.stride, self.terms.sub(stray.way.address, base));
        offset = self.moved(offset, extent.at);
        // Offsets are not larger than this, nor negative where elements are counted off.
        let mut most = self
            .terms
            .bits_constant(length)
            .map(|bits| bits.unsigned() + u128::from(extent.at.unsigned_abs()));
        for step in &extent.steps {
            if stride > 0 {
                offset = self.remainder(offset, stride, most);
            }
            let start = self.signed(step.start);
            if step.end >= OPEN {
                conditions.push(self.terms.sle(start, offset));
            }
            offset = self.terms.sub(offset, start);
            if step.end < OPEN {
                let (zero, length) = (self.number(0), self.signed(step.end - step.start));
                conditions.push(inside(self.terms, (zero, length), offset, stray.size));
            }
            stride = step.stride;
            let inner = if stride > 0 { step.inner.rem_euclid(stride) } else { step.inner };
            offset = self.moved(offset, inner);
            most = most.map(|most| most + u128::from(inner.unsigned_abs()));
        }
        self.terms.and(&conditions)
    }

    fn signed(&mut self, value: i64) -> Term {
        self.terms.bits_value(Bits::from_signed(self.word, i128::from(value)))
    }

    fn moved(&mut self, offset: Term, by: i64) -> Term {
        let by = self.signed(by);
        self.terms.add(offset, by)
    }

    /// What is left of an offset where elements are counted off.
    fn remainder(&mut self, offset: Term, stride: i64, most: Option<u128>) -> Term {
        // Few bits are divided faster.
        let most = most.map(|most| most.max(stride.unsigned_abs().into()));
        let bits = most.map_or(self.word, |most| (most.ilog2() + 1).min(self.word));
        let low = self.terms.extract(bits - 1, 0, offset);
        let divisor = self.terms.bits(bits, stride.unsigned_abs().into());
        let rest = self.terms.urem(low, divisor);
        self.terms.resize(self.word, false, rest)
    }
}
