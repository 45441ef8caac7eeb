//! A run that must be the only one.
//!
//! C leaves open what a program does in some places: what bytes hold that were never set, where objects are, in which
//! order operands are evaluated. A run that never comes to such a place is the only execution of a program without
//! inputs. This is the part of the machine that notices: it ends the run with [`Outcome::Undetermined`].
//!
//! Addresses are known by their types. A pointer that is stored leaves tags in memory ([`Tags`]), so that neither its
//! bytes are taken for a number nor a number for an address; the conversions between the two are instructions of their
//! own. What is then done with addresses is in [`pointers`], and the order of evaluation in [`order`].

mod order;
mod pointers;

use super::super::code::Static;
use super::super::memory::{Fault, LIVE, PARTIAL, READ_ONLY, SET, Tags};
use super::super::outcome::{Outcome, Stop, Undefined};
use super::super::scalar::{Int, Kind};
use super::Machine;
use order::Region;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_front_c::Target;
use tamis_front_c::tree::{Padding, Position};

/// What is known of a run that must be the only one.
#[derive(Default)]
pub(in super::super) struct Determined {
    /// The expressions that are being evaluated and whose operands C orders in no way.
    regions: Vec<Region>,
    /// Which bits of a byte have been set, where not all have.
    partial: FxHashMap<u64, u8>,
    /// Memory on the stack that is no variable: where it begins, and its size.
    areas: Vec<(u64, u64)>,
    /// Below this place of the stack are variables whose addresses are kept where they outlive them. The place of such a
    /// variable is not used again: its address would become that of another.
    kept_below: u32,
    /// What the variable arguments at addresses are.
    arguments: FxHashMap<u64, Kind>,
    /// A number for the statements that were executed.
    pub course: u64,
    /// Where variables have been, if memory is what matters.
    begun: FxHashSet<usize>,
    /// How many bytes were looked through for pointers to them.
    searched: usize,
}

impl Determined {
    /// A statement is executed.
    pub fn pass(&mut self, at: Position) {
        let place = u64::from(at.line) << 20 ^ u64::from(at.column) << 8 ^ u64::from(at.file);
        self.course = (self.course.rotate_left(5) ^ place).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// So many bytes are looked through for pointers to variables whose lives are over.
const SEARCHED: usize = 1 << 24;

impl Machine<'_> {
    /// Fails if a variable comes into being again where it was, and a pointer to it was kept: the pointer is one to
    /// something that is gone.
    #[inline]
    pub(super) fn check_renewal(&mut self, offset: usize, size: u32, pc: u32) -> Result<(), Stop> {
        if self.determined.is_none() || *self.unit.target() != Target::Memory {
            return Ok(());
        }
        self.search_for_pointers(offset, size, pc)
    }

    #[cold]
    fn search_for_pointers(&mut self, offset: usize, size: u32, pc: u32) -> Result<(), Stop> {
        let (word, start) = (self.word_bytes(), self.memory.stack.base + offset as u64);
        let Some(determined) = &mut self.determined else { return Ok(()) };
        if determined.begun.insert(offset) {
            return Ok(());
        }
        let memory = &self.memory;
        let segments = [&memory.stack, &memory.statics, &memory.heap];
        determined.searched += segments.iter().map(|segment| segment.len()).sum::<usize>();
        let points = |at: u64| {
            memory.peek(at, word).is_some_and(|value| (start..start + u64::from(size)).contains(&value))
        };
        let is_kept = determined.searched > SEARCHED
            || segments.iter().any(|segment| (segment.base..segment.end()).any(points));
        let what = "a pointer to a variable whose life is over";
        if is_kept { Err(self.open(what, pc)) } else { Ok(()) }
    }

    /// C leaves open what follows.
    #[cold]
    pub fn open(&self, what: &'static str, pc: u32) -> Stop {
        Box::new(Outcome::Undetermined { what, at: self.position(pc) })
    }

    /// C leaves open what follows, which ends a run that must be the only one, and no other.
    pub fn leave_open(&self, what: &'static str, pc: u32) -> Result<(), Stop> {
        if self.determined.is_some() { Err(self.open(what, pc)) } else { Ok(()) }
    }

    /// Variables of static storage that are `const` are in memory that cannot be written once they have their values.
    pub(super) fn protect_constants(&mut self) {
        for place in &self.code.statics {
            if matches!(place.what, Static::Object(object) if self.unit[object].constant) {
                let address = self.memory.statics.base + u64::from(place.off);
                self.memory.protect(address, place.size as usize);
            }
        }
    }

    /// A value of a format that fits into a register.
    #[inline]
    pub fn load_as(&mut self, address: u64, k: Int, pc: u32) -> Result<u64, Stop> {
        if self.determined.is_some() {
            self.load_determined(address, k.size(), k.is_address(), pc)
        } else {
            self.load(address, k.size(), pc)
        }
    }

    #[inline]
    pub fn store_as(&mut self, address: u64, k: Int, value: u64, pc: u32) -> Result<(), Stop> {
        self.store(address, k.size(), value, pc)?;
        if k.is_address() && self.determined.is_some() && self.memory.bases.contains(value) {
            self.memory.tag_address(address, k.size());
            self.note_survivor(address, value);
        }
        Ok(())
    }

    /// Stores an address.
    pub fn store_address(&mut self, address: u64, value: u64, pc: u32) -> Result<(), Stop> {
        self.store_as(address, Int::address(self.unit.word()), value, pc)
    }

    pub(super) fn load_determined(
        &mut self,
        address: u64,
        size: usize,
        is_address: bool,
        pc: u32,
    ) -> Result<u64, Stop> {
        let tags = self.memory.tags(address, size);
        let value = self.memory.load(address, size).map_err(|fault| match fault {
            Fault::Unset(at) => self.undefined(Undefined::Uninitialised, self.describe(at), pc),
            fault => self.fault(fault, "read", pc),
        })?;
        self.record(address, size as u64, false);
        match (tags, is_address) {
            (Some(Tags::Number), false) | (Some(Tags::Address), true) => Ok(value),
            (Some(Tags::Number), true) => {
                let number = Int::new(size as u32 * 8, false).normal(value);
                self.pointed(number, pc).map(|()| value)
            }
            _ => Err(self.open("a part of an address is read", pc)),
        }
    }

    /// Before bytes are copied with what is known about them.
    pub(super) fn copy_determined(&mut self, to: u64, from: u64, size: u64, pc: u32) -> Result<(), Stop> {
        if size == 0 {
            return Ok(());
        }
        if self.memory.is_inside_address(from) || self.memory.is_inside_address(from.wrapping_add(size)) {
            return Err(self.open("a part of an address is copied", pc));
        }
        for value in self.memory.addresses_in(from, size, self.word_bytes()) {
            self.note_survivor(to, value);
        }
        let partial = self.memory.partial_bytes(from, size);
        self.record(from, size, false);
        self.record(to, size, true);
        if let Some(determined) = &mut self.determined {
            let known: Vec<(u64, u8)> = partial
                .into_iter()
                .map(|i| (to + i, determined.partial.get(&(from + i)).copied().unwrap_or(0)))
                .collect();
            determined.partial.extend(known);
        }
        Ok(())
    }

    /// Bits of a byte, all of which must have been set.
    pub(super) fn load_byte_bits(&mut self, address: u64, mask: u8, pc: u32) -> Result<u8, Stop> {
        if self.memory.shadow(address) & PARTIAL == 0 {
            return self.load_determined(address, 1, false, pc).map(|byte| byte as u8);
        }
        self.record(address, 1, false);
        let known = self.determined.as_ref().and_then(|d| d.partial.get(&address)).copied();
        if known.unwrap_or(0) & mask != mask {
            return Err(self.undefined(Undefined::Uninitialised, self.describe(address), pc));
        }
        Ok(self.memory.byte(address))
    }

    /// Sets bits of a byte.
    pub(super) fn store_byte_bits(&mut self, at: u64, mask: u8, value: u8, pc: u32) -> Result<(), Stop> {
        let shadow = self.memory.shadow(at);
        let byte = (self.memory.byte(at) & !mask) | (value & mask);
        self.store(at, 1, byte.into(), pc)?;
        if shadow & SET != 0 {
            return Ok(());
        }
        let Some(determined) = &mut self.determined else { return Ok(()) };
        let before = if shadow & PARTIAL != 0 { determined.partial.get(&at).copied() } else { None };
        let known = before.unwrap_or(0) | mask;
        determined.partial.insert(at, known);
        if known != u8::MAX {
            self.memory.shade(at, 1, LIVE | PARTIAL);
        }
        Ok(())
    }

    /// Lets padding have no value, bit by bit.
    pub(in super::super) fn unset_bits(&mut self, address: u64, padding: &[Padding]) {
        let Some(determined) = &mut self.determined else { return };
        for &Padding { offset, kept } in padding {
            let at = address.wrapping_add(offset.into());
            let shadow = self.memory.shadow(at);
            if shadow & (LIVE | READ_ONLY) != LIVE {
                continue;
            }
            let known = match shadow & (SET | PARTIAL) {
                0 => 0,
                PARTIAL => determined.partial.get(&at).copied().unwrap_or(0) & kept,
                _ => kept,
            };
            determined.partial.insert(at, known);
            self.memory.shade(at, 1, if known == 0 { LIVE } else { LIVE | PARTIAL });
        }
    }

    /// Memory on the stack came into being that is no variable.
    pub(super) fn area_begins(&mut self, address: u64, size: u64) {
        if let Some(determined) = &mut self.determined {
            determined.areas.push((address, size));
        }
    }

    /// The stack is given back from an address on.
    pub(super) fn areas_end(&mut self, from: u64) {
        if let Some(determined) = &mut self.determined {
            let kept = determined.areas.partition_point(|&(start, _)| start < from);
            determined.areas.truncate(kept);
        }
    }

    /// A variable argument is put at an address.
    pub(super) fn argument_passed(&mut self, address: u64, kind: Kind, value: u64) {
        if let Some(determined) = &mut self.determined {
            determined.arguments.insert(address, kind);
            if matches!(kind, Kind::Int(k) if k.is_address()) && self.memory.bases.contains(value) {
                self.memory.tag_address(address, self.unit.word() as usize / 8);
            }
        }
    }

    /// A variable argument is taken as one of a kind, which it must be but for a sign.
    pub fn argument_taken(&self, address: u64, wanted: Kind, pc: u32) -> Result<(), Stop> {
        let Some(determined) = &self.determined else { return Ok(()) };
        let fits = match (determined.arguments.get(&address), wanted) {
            (Some(Kind::Int(a)), Kind::Int(b)) => a.size() == b.size() && a.is_address() == b.is_address(),
            (Some(&passed), wanted) => passed == wanted,
            (None, _) => false,
        };
        if fits { Ok(()) } else { Err(self.open("an argument is taken for one of another type", pc)) }
    }
}
