//! What may be done with addresses where nobody knows where objects are.
//!
//! An address stays inside its object, or just behind it. Two of them can be ordered and subtracted inside of one object.
//! They can be compared for equality if neither is behind its object, which another one may begin at; whether string
//! literals share memory is open. An object whose life is over has no address.

use super::super::super::code::Static;
use super::super::super::instr::Instr;
use super::super::super::memory::{Bases, GAP, LIVE};
use super::super::super::outcome::Stop;
use super::super::Machine;

/// What an address is that of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    Null,
    /// A number that is where no object is.
    Number,
    Function(u64),
    Label(u64),
    /// A living object: where it begins, and where it ends.
    Object {
        start: u64,
        end: u64,
        literal: bool,
    },
    /// Nothing that is known.
    Nothing,
}

/// So far from null are members of structures, as `offsetof` has them.
const NULL_MEMBERS: u64 = 1 << 16;

impl Machine<'_> {
    /// The instructions that only a run has that must be the only one.
    pub(in super::super) fn execute_determined(
        &mut self,
        instr: Instr,
        base: usize,
        pc: u32,
    ) -> Result<(), Stop> {
        let r = |r: u16| self.registers[base + r as usize];
        match instr {
            Instr::Advance { d, a, b, scale, k } => {
                let (old, by) = (r(a), r(b).wrapping_mul(i64::from(scale) as u64));
                let new = k.normal(old.wrapping_add(by));
                self.moved(old, new, pc)?;
                self.registers[base + d as usize] = new;
                Ok(())
            }
            Instr::Moved { a, b } => self.moved(r(a), r(b), pc),
            Instr::Compared { a, b, ordered } => self.compared(r(a), r(b), ordered, pc),
            Instr::Tested { a } => self.tested(r(a), pc),
            Instr::Exposed { a } => self.exposed(r(a), pc),
            Instr::Pointed { a } => self.pointed(r(a), pc),
            Instr::Truth { a } if r(a) > 1 => Err(self.open("a _Bool is neither 0 nor 1", pc)),
            Instr::Truth { .. } => Ok(()),
            Instr::Fork => self.fork(pc),
            Instr::Side => self.side(pc),
            Instr::Join => self.join(pc),
            Instr::Own { p, size } => self.own(r(p), size.into(), pc),
            Instr::Touched { off, size, write } => {
                let frame = self.frames.last().map_or(0, |f| u64::from(f.base));
                self.record(self.memory.stack.base + frame + u64::from(off), size.into(), write);
                Ok(())
            }
            Instr::Protect { off, size } => {
                let frame = self.frames.last().map_or(0, |f| u64::from(f.base));
                self.memory.protect(self.memory.stack.base + frame + u64::from(off), size as usize);
                Ok(())
            }
            Instr::Taken { p, kind } => match self.code.kinds.get(kind as usize) {
                Some(&kind) => self.argument_taken(r(p), kind, pc),
                None => Ok(()),
            },
            Instr::Open { what } => {
                let what = self.code.open.get(what as usize).copied().unwrap_or_default();
                Err(self.open(what, pc))
            }
            other => Err(self.unsupported(format!("the instruction {other:?}"), pc)),
        }
    }

    /// Notes that an address is stored somewhere, if that outlives what is at the address.
    pub(super) fn note_survivor(&mut self, place: u64, address: u64) {
        let stack = self.memory.stack.base;
        let Some(at) = address.checked_sub(stack) else { return };
        let frame = self.frames.partition_point(|f| u64::from(f.base) <= at);
        let lives_in = frame.checked_sub(1).map_or(0, |i| u64::from(self.frames[i].base));
        if place >= stack + lives_in {
            return;
        }
        let end = self.frames.get(frame).map_or(self.stack_top, |f| f.base);
        if let Some(determined) = &mut self.determined {
            determined.kept_below = determined.kept_below.max(end);
        }
    }

    /// From where on the stack may be used again when it is given back down to a place.
    pub(in super::super) fn reusable_from(&self, to: u32) -> u32 {
        self.determined.as_ref().map_or(to, |d| d.kept_below.max(to))
    }

    /// Fails if a function returns the address of one of its variables.
    pub(in super::super) fn check_returned(&self, value: u64, pc: u32) -> Result<(), Stop> {
        let (base, stack) = (self.frames.last().map_or(0, |f| u64::from(f.base)), &self.memory.stack);
        if (stack.base + base..stack.end()).contains(&value) {
            return self.leave_open("the address of a variable whose life is over", pc);
        }
        Ok(())
    }

    fn target(&self, address: u64) -> Target {
        let bases = &self.memory.bases;
        if address == 0 {
            return Target::Null;
        }
        if !bases.contains(address) {
            return Target::Number;
        }
        if address < bases.labels {
            let known =
                Bases::code_index(bases.functions, address).is_some_and(|i| i < self.code.library.len());
            return if known { Target::Function(address) } else { Target::Nothing };
        }
        if address < bases.statics {
            return Target::Label(address);
        }
        if address <= self.memory.statics.end() {
            return self.static_target(address - bases.statics);
        }
        let found = if address >= bases.stack { self.on_stack(address) } else { self.in_heap(address) };
        match found {
            Some((start, end)) if start == end || self.memory.shadow(start) & LIVE != 0 => {
                Target::Object { start, end, literal: false }
            }
            _ => Target::Nothing,
        }
    }

    fn static_target(&self, at: u64) -> Target {
        let index = self.code.statics.partition_point(|p| u64::from(p.off) <= at);
        let Some(place) = index.checked_sub(1).map(|i| self.code.statics[i]) else { return Target::Nothing };
        let (start, end) = (u64::from(place.off), u64::from(place.off) + u64::from(place.size));
        if at > end {
            return Target::Nothing;
        }
        let base = self.memory.bases.statics;
        let literal = matches!(place.what, Static::String(_));
        Target::Object { start: base + start, end: base + end, literal }
    }

    fn on_stack(&self, address: u64) -> Option<(u64, u64)> {
        let areas = &self.determined.as_ref()?.areas;
        let index = areas.partition_point(|&(start, _)| start <= address);
        if let Some(&(start, size)) = index.checked_sub(1).and_then(|i| areas.get(i))
            && address <= start + size
        {
            return Some((start, start + size));
        }
        let at = address.checked_sub(self.memory.stack.base)?;
        let frame = self.frames.partition_point(|f| u64::from(f.base) <= at).checked_sub(1)?;
        let frame = &self.frames[frame];
        let code = self.code.functions[frame.function.index()].as_ref()?;
        let inside = at - u64::from(frame.base);
        let found = code.locals.iter().find(|&&(off, size, _)| {
            inside.checked_sub(off.into()).is_some_and(|offset| offset <= u64::from(size))
        });
        let base = self.memory.stack.base + u64::from(frame.base);
        found.map(|&(off, size, _)| (base + u64::from(off), base + u64::from(off) + u64::from(size)))
    }

    fn in_heap(&self, address: u64) -> Option<(u64, u64)> {
        if let Some((start, block)) = self.memory.blocks.block_near(address) {
            let inside = address - start <= block.size && !block.freed;
            return inside.then_some((start, start + block.size));
        }
        // What the library keeps is no block, and small.
        let live = |at: u64| self.memory.shadow(at) & LIVE != 0;
        let inside = if live(address) { address } else { address - 1 };
        if !live(inside) {
            return None;
        }
        let start = (0..inside).rev().find(|&at| !live(at)).map_or(0, |at| at + 1);
        let end = (inside..).find(|&at| !live(at)).unwrap_or(inside);
        Some((start, end))
    }

    /// An address is computed from another one.
    fn moved(&self, old: u64, new: u64, pc: u32) -> Result<(), Stop> {
        let live = |at: u64| self.memory.shadow(at) & LIVE != 0;
        // Objects are further apart than this.
        if old == new || (old.abs_diff(new) < u64::from(GAP) && live(old) && live(new)) {
            return Ok(());
        }
        match self.target(old) {
            Target::Object { start, end, .. } if start <= new && new <= end => Ok(()),
            Target::Null if new < NULL_MEMBERS => Ok(()),
            _ => Err(self.open("an address outside of its object", pc)),
        }
    }

    /// Two addresses are compared, or subtracted.
    fn compared(&self, a: u64, b: u64, ordered: bool, pc: u32) -> Result<(), Stop> {
        use Target::{Function, Label, Nothing, Null, Number, Object};
        let (x, y) = (self.target(a), self.target(b));
        let known = match (x, y) {
            (Nothing, _) | (_, Nothing) => false,
            (Null | Number, Null | Number) => true,
            (Object { start: s, .. }, Object { start: t, .. }) if s == t => true,
            _ if ordered => false,
            (Null, _) | (_, Null) => true,
            (Function(_), Function(_)) => true,
            (Label(l), Label(m)) => l == m,
            (Object { literal: true, .. }, Object { literal: true, .. }) => false,
            (Object { end: e, .. }, Object { end: f, .. }) => a < e && b < f,
            (Function(_), Object { .. }) | (Object { .. }, Function(_)) => true,
            _ => false,
        };
        if known { Ok(()) } else { Err(self.open("a comparison of addresses", pc)) }
    }

    /// An address is compared with null.
    fn tested(&self, a: u64, pc: u32) -> Result<(), Stop> {
        match self.target(a) {
            Target::Nothing => Err(self.open("the address of an object whose life is over", pc)),
            _ => Ok(()),
        }
    }

    /// An address becomes a number.
    fn exposed(&self, a: u64, pc: u32) -> Result<(), Stop> {
        if self.memory.bases.contains(a) { Err(self.open("an address as a number", pc)) } else { Ok(()) }
    }

    /// A number becomes an address.
    pub(super) fn pointed(&self, a: u64, pc: u32) -> Result<(), Stop> {
        if self.memory.bases.contains(a) { Err(self.open("a number as an address", pc)) } else { Ok(()) }
    }
}
