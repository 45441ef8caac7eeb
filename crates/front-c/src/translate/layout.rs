//! Addresses as numbers.
//!
//! Objects have fixed addresses in the automaton, which is one layout of many. Where a program makes a number of an address and
//! looks at it, the number is that of any layout: each object that is there all the time has a *shift*, an input, and the number is
//! the address plus the shift of the object that the address is in. The shifted objects are aligned, apart, not at null and do
//! not wrap around; otherwise shifts are free. A number that becomes an address again is searched for among the shifted objects.
//! So a proof holds for every layout, while all that is done with pointers themselves stays as it is.
//!
//! Objects have shifts that live whenever others do: static ones, the variables of `main`'s outermost block, and blocks that are
//! allocated once, if nothing is ever freed. The address of anything else may be had again by what comes later, and stays
//! approximated; so does an address that is read as a number from memory, or a number as an address, without a conversion.

use super::Translator;
use super::addresses::Addresses;
use super::assumption::Assumption;
use super::graph::Graph;
use crate::memory::{Library, Memory, Pointer, Thing, constant, library};
use crate::tree::vocabulary::SHIFT;
use crate::tree::{Callee, ExprId, ExprKind, Position, StmtKind, Storage, Type, Unit};
use rustc_hash::FxHashSet;
use tamis_diagnostics::Error;
use tamis_logic::{Sort, Substitution, Term, Terms};
use tamis_program::{Command, Event, FrameId, Havoc, IntType};

/// So many objects have shifts: any two of them are said to be apart.
const OBJECTS: usize = 12;

/// What is known of numbers that are addresses.
#[derive(Default)]
pub(super) struct Layout {
    /// Whether numbers are addresses in conversions alone, so that all can be followed.
    active: bool,
    conversions: Vec<Conversion>,
    objects: Vec<Shifted>,
}

/// An address that becomes a number, or a number that becomes an address, by the variables that stand for whether it is one of
/// an object with a shift, and for that shift.
struct Conversion {
    known: Term,
    shift: Term,
    pointer: Pointer,
    value: Term,
    to_number: bool,
}

/// An object with a shift.
struct Shifted {
    thing: Thing,
    base: u64,
    size: u64,
    shift: Term,
}

impl Layout {
    /// Decides whether numbers that are addresses can be followed.
    pub(super) fn new(unit: &Unit, memory: &mut Memory<'_>, exposed: &FxHashSet<ExprId>) -> Layout {
        let active = !exposed.is_empty() && !memory.puns(unit);
        memory.exact_numbers = active;
        Layout { active, ..Layout::default() }
    }
}

impl Translator<'_> {
    /// An address as a number that is looked at.
    pub(super) fn number_of(
        &mut self,
        a: ExprId,
        value: Term,
        e: ExprId,
        at: Position,
    ) -> Result<Term, Error> {
        let unit = self.unit;
        let Type::Int(int) = unit[e].ty else { return self.refuse(at, "this conversion") };
        let address = self.terms.nonzero(value);
        let null = self.terms.not(address);
        let zero = self.terms.bits(int.bits, 0);
        let target = self.memory.target(a).filter(|_| self.layout.active);
        let Some(pointer) = target else {
            return self.unless_undefined(null, zero, int, NUMBER, at);
        };
        let value = self.settled(value, at)?;
        let (known, shift) = self.conversion(pointer, value, true);
        let number = self.terms.add(value, shift);
        let number = self.convert(number, unit[a].ty, unit[e].ty);
        let (known, number) = (self.terms.or2(null, known), self.terms.ite(null, zero, number));
        self.unless_undefined(known, number, int, NUMBER, at)
    }

    /// Whether a conversion makes an address of a number that may be one of a shifted object.
    pub(super) fn is_address_of_number(&self, e: ExprId, a: ExprId) -> bool {
        let unit = self.unit;
        self.layout.active
            && unit[e].ty.is_pointer()
            && matches!(unit[a].ty, Type::Int(_))
            && constant(unit, a).is_none()
            && !matches!(unit[a].kind, ExprKind::Convert(b) if unit[b].ty.is_pointer() && !self.facts.exposed.contains(&a))
    }

    /// A number as an address.
    pub(super) fn address_of(
        &mut self,
        e: ExprId,
        a: ExprId,
        value: Term,
        at: Position,
    ) -> Result<Term, Error> {
        let converted = self.convert(value, self.unit[a].ty, self.unit[e].ty);
        let Some(pointer) = self.memory.target(e) else { return Ok(converted) };
        let word = IntType { bits: self.unit.word(), signed: false };
        let converted = self.settled(converted, at)?;
        let (known, shift) = self.conversion(pointer, converted, false);
        let address = self.terms.nonzero(converted);
        let null = self.terms.not(address);
        let found = self.terms.sub(converted, shift);
        let (known, found) = (self.terms.or2(null, known), self.terms.ite(null, converted, found));
        self.unless_undefined(known, found, word, NUMBER, at)
    }

    /// `(T *)((uintptr_t)p & mask)`: the address, or null. Of other masks nothing is known.
    pub(super) fn masked_address(
        &mut self,
        address: ExprId,
        mask: ExprId,
        at: Position,
    ) -> Result<Term, Error> {
        let ty = self.unit[mask].ty;
        let (address, mask) = self.operands(address, mask, at)?;
        let word = self.unit.word();
        let t = &mut *self.terms;
        let mask = t.resize(word, ty.extends_sign(), mask);
        let (zero, one) = (t.bits(word, 0), t.bits(word, 1));
        let ones = t.sub(zero, one);
        let (all, none) = (t.eq(mask, ones), t.eq(mask, zero));
        let known = t.or2(all, none);
        let unknown = t.not(known);
        let found = t.ite(all, address, zero);
        let found = self.settled(found, at)?;
        self.give_up_if(unknown, "a part of an address", at)?;
        Ok(found)
    }

    fn conversion(&mut self, pointer: Pointer, value: Term, to_number: bool) -> (Term, Term) {
        let known = self.terms.fresh("shifted", Sort::Bool);
        let shift = self.terms.fresh("shift", Sort::BitVec(self.unit.word()));
        self.layout.conversions.push(Conversion { known, shift, pointer, value, to_number });
        (known, shift)
    }

    /// Before `main` the objects are where they are in some layout.
    pub(super) fn initialise_layout(&mut self, frame: FrameId) -> Result<(), Error> {
        if self.layout.conversions.is_empty() {
            return Ok(());
        }
        let (word, at) = (self.unit.word(), Position::default());
        let int = IntType { bits: word, signed: false };
        for (thing, base, size) in self.shifted_objects() {
            let shift = self.builder.temporary(self.terms, "shift", int, frame);
            self.emit(Command::Havoc(shift, Havoc::Input(SHIFT.to_owned())), at, Event::Step)?;
            let shift = self.builder.term(shift);
            let (_, align) = self.extent(thing);
            let (least, end) = Addresses::of_processes(word);
            let t = &mut *self.terms;
            let mask = t.bits(word, u128::from(align.max(1) - 1));
            let (low, zero) = (t.bv_and(shift, mask), t.bits(word, 0));
            let start = t.bits(word, u128::from(base));
            let start = t.add(start, shift);
            let (first, last) = (t.bits(word, u128::from(least)), t.bits(word, u128::from(end - size)));
            let mut there = vec![t.eq(low, zero), t.ule(first, start), t.ule(start, last)];
            for other in &self.layout.objects {
                let (theirs, length) =
                    (t.bits(word, u128::from(other.base)), t.bits(word, u128::from(other.size)));
                let theirs = t.add(theirs, other.shift);
                let their_end = t.add(theirs, length);
                let length = t.bits(word, u128::from(size));
                let own_end = t.add(start, length);
                let (before, after) = (t.ule(own_end, theirs), t.ule(their_end, start));
                there.push(t.or2(before, after));
            }
            let there = self.terms.and(&there);
            self.assume(there, Assumption::Layout, at)?;
            self.layout.objects.push(Shifted { thing, base, size, shift });
        }
        Ok(())
    }

    /// The objects that live whenever others do and whose addresses become numbers.
    fn shifted_objects(&mut self) -> Vec<(Thing, u64, u64)> {
        let unit = self.unit;
        let mut nodes = FxHashSet::default();
        for i in 0..self.layout.conversions.len() {
            let pointer = self.layout.conversions[i].pointer;
            nodes.extend(self.memory.things_at(pointer));
        }
        let frees = |e: ExprId| match unit[e].kind {
            ExprKind::Call { callee: Callee::Function(f), .. } => {
                matches!(library(unit, f), Some(Library::Frees | Library::Reallocates))
            }
            ExprKind::Call { callee: Callee::Pointer(..), .. } => true,
            _ => false,
        };
        let never_freed = !unit.expressions().any(frees);
        let outermost: FxHashSet<_> = unit
            .main()
            .and_then(|main| unit[main].body)
            .and_then(
                |body| if let StmtKind::Block(body) = &unit[body].kind { Some(body.clone()) } else { None },
            )
            .into_iter()
            .flatten()
            .filter_map(|s| {
                if let StmtKind::Declare(objects) = &unit[s].kind { Some(objects.clone()) } else { None }
            })
            .flatten()
            .collect();
        let lasts = |thing: Thing, base: u64| match thing {
            Thing::Object(object) if unit[object].dynamic_size.is_some() => None,
            Thing::Object(object) if !unit[object].is_automatic() => {
                matches!(unit[object].storage, Storage::Static(_)).then_some(unit[object].size?)
            }
            Thing::Object(object) => outermost.contains(&object).then_some(unit[object].size?),
            Thing::Literal(literal) => unit.size_of(unit[literal].ty),
            Thing::Allocated(_) if never_freed => self.addresses.block_sizes.get(&base).copied(),
            _ => None,
        };
        let placed = self.addresses.placed.iter().filter(|(thing, _)| nodes.contains(thing));
        let mut found: Vec<(Thing, u64, u64)> =
            placed.filter_map(|&(thing, base)| Some((thing, base, lasts(thing, base)?.max(1)))).collect();
        found.truncate(OBJECTS);
        found
    }
}

const NUMBER: &str = "an address as a number";

/// Puts what is known of conversions in the place of the variables that stand for it.
pub(super) fn settle(
    memory: &mut Memory<'_>,
    layout: &Layout,
    word: u32,
    graph: &mut Graph,
    terms: &mut Terms,
) {
    if layout.conversions.is_empty() {
        return;
    }
    let mut settled = Substitution::default();
    for conversion in &layout.conversions {
        let things: FxHashSet<Thing> = memory.things_at(conversion.pointer).into_iter().collect();
        let here = layout.objects.iter().filter(|object| things.contains(&object.thing));
        let (mut known, mut ends) = (Vec::new(), Vec::new());
        let mut shift = terms.bits(word, 0);
        for object in here {
            let start = terms.bits(word, u128::from(object.base));
            let start = if conversion.to_number { start } else { terms.add(start, object.shift) };
            let size = terms.bits(word, u128::from(object.size));
            let offset = terms.sub(conversion.value, start);
            let (inside, is_end) = (terms.ult(offset, size), terms.eq(offset, size));
            let within = terms.ule(offset, size);
            shift = terms.ite(within, object.shift, shift);
            known.push(inside);
            ends.push(is_end);
        }
        // Where one object ends another may begin, which is meant then; of two that end there it is not known.
        let mut certain = vec![terms.or(&known)];
        let nowhere = terms.not(certain[0]);
        let end = match &ends[..] {
            [one] => *one,
            several => {
                let twice: Vec<Term> = (0..several.len())
                    .flat_map(|i| (0..i).map(move |j| (i, j)))
                    .map(|(i, j)| terms.and2(several[i], several[j]))
                    .collect();
                let (any, twice) = (terms.or(several), terms.or(&twice));
                let once = terms.not(twice);
                terms.and2(any, once)
            }
        };
        certain.push(terms.and2(nowhere, end));
        let is_known = terms.or(&certain);
        settled.insert(conversion.known, is_known);
        settled.insert(conversion.shift, shift);
    }
    graph.rewrite(|command, marks| {
        marks.iter_mut().for_each(|mark| mark.when = terms.substitute(mark.when, &settled));
        vec![match command {
            Command::Assume(guard) => Command::Assume(terms.substitute(*guard, &settled)),
            Command::Assign(var, value) => Command::Assign(*var, terms.substitute(*value, &settled)),
            Command::Havoc(..) => command.clone(),
        }]
    });
}
