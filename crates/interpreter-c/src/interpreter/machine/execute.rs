//! The instructions, one after the other.

use super::super::instr::Instr;
use super::super::observer::Event;
use super::super::outcome::{Outcome, Stop, Undefined};
use super::super::scalar::Int;
use super::Machine;
use crate::interpreter::memory::{Bases, LIVE};

impl Machine<'_> {
    /// Executes from `pc` on, until the run ends or all is initialised.
    pub fn execute(&mut self, start: u32) -> Result<(), Stop> {
        let code = self.code;
        let mut pc = start;
        let mut base = self.frames.last().map_or(0, |f| f.registers as usize);
        let mut frame = self.frames.last().map_or(0, |f| f.base as usize);
        macro_rules! r {
            ($r:expr) => {
                self.registers[base + $r as usize]
            };
        }
        // After a call or return the activation is another.
        macro_rules! switch_frame {
            ($next:expr) => {{
                pc = $next;
                match self.frames.last() {
                    Some(f) => (base, frame) = (f.registers as usize, f.base as usize),
                    None => return Ok(()),
                }
                continue;
            }};
        }
        loop {
            let Some(&instr) = code.instrs.get(pc as usize) else { return Ok(()) };
            match instr {
                Instr::Step => self.statement(pc)?,
                Instr::Const { d, value } => r!(d) = value,
                Instr::Move { d, a } => r!(d) = r!(a),
                Instr::LocalAddress { d, off } => {
                    r!(d) = self.memory.stack.base + (frame + off as usize) as u64;
                }
                Instr::LoadLocal { d, k, off } => {
                    let value = match self.memory.stack.load(frame + off as usize, k.size()) {
                        Ok(value) => value,
                        Err(_) => {
                            let address = self.memory.stack.base + (frame + off as usize) as u64;
                            self.load(address, k.size(), pc)?
                        }
                    };
                    r!(d) = k.normal(value);
                }
                Instr::LoadStatic { d, k, off } => {
                    let value = match self.memory.statics.load(off as usize, k.size()) {
                        Ok(value) => value,
                        Err(_) => self.load(self.memory.statics.base + u64::from(off), k.size(), pc)?,
                    };
                    r!(d) = k.normal(value);
                }
                Instr::Load { d, p, k } => {
                    let address = r!(p);
                    r!(d) = k.normal(self.load_as(address, k, pc)?);
                }
                Instr::LoadPair { d, p, size } => {
                    let address = r!(p);
                    self.load(address, size.min(8).into(), pc)?;
                    if size > 8 {
                        self.load(address + 8, usize::from(size) - 8, pc)?;
                    }
                    let pair = self.memory.load_pair(address, size.into());
                    let (low, high) = pair.map_err(|fault| self.fault(fault, "read", pc))?;
                    r!(d) = low;
                    r!(d + 1) = high;
                }
                Instr::StoreLocal { a, k, off } => {
                    let value = r!(a);
                    if let Err(fault) = self.memory.stack.store(frame + off as usize, k.size(), value) {
                        return Err(self.fault(fault, "written", pc));
                    }
                }
                Instr::StoreStatic { a, k, off } => {
                    let value = r!(a);
                    if let Err(fault) = self.memory.statics.store(off as usize, k.size(), value) {
                        return Err(self.fault(fault, "written", pc));
                    }
                }
                Instr::Store { p, a, k } => {
                    let (address, value) = (r!(p), r!(a));
                    self.store_as(address, k, value, pc)?;
                }
                Instr::StorePair { p, a, size } => {
                    let (address, low, high) = (r!(p), r!(a), r!(a + 1));
                    self.store(address, size.min(8).into(), low, pc)?;
                    if size > 8 {
                        self.store(address.wrapping_add(8), usize::from(size) - 8, high, pc)?;
                    }
                }
                Instr::LoadBits { d, p, first, width, k } => {
                    let address = r!(p);
                    let value = self.load_bits(address, first.into(), width.into(), k, pc)?;
                    r!(d) = value as u64;
                    if k.is_wide() {
                        r!(d + 1) = (value >> 64) as u64;
                    }
                }
                Instr::StoreBits { p, a, first, width, wide } => {
                    let high = if wide { r!(a + 1) } else { 0 };
                    let (address, value) = (r!(p), u128::from(high) << 64 | u128::from(r!(a)));
                    self.store_bits(address, first.into(), width.into(), value, pc)?;
                }
                Instr::Copy { p, a, size } => {
                    let (to, from) = (r!(p), r!(a));
                    if to != from && to.abs_diff(from) < size.into() {
                        self.leave_open("an assignment between overlapping objects", pc)?;
                    }
                    self.copy(to, from, size.into(), pc)?;
                }
                Instr::Clear { p, size } => {
                    let address = r!(p);
                    self.record(address, size.into(), true);
                    let filled = self.memory.fill(address, size.into(), 0);
                    filled.map_err(|fault| self.fault(fault, "written", pc))?;
                }
                Instr::Begin { off, size } => {
                    self.memory.stack.shade(frame + off as usize, size as usize, LIVE);
                }
                Instr::End { off, size } => self.memory.stack.shade(frame + off as usize, size as usize, 0),
                Instr::Add { d, a, b, k } => {
                    let (x, y) = (r!(a), r!(b));
                    let sum = x.wrapping_add(y);
                    let value = k.normal(sum);
                    if k.signed()
                        && (value != sum || (k.bits() == 64 && (x as i64).checked_add(y as i64).is_none()))
                    {
                        self.overflowed(k, "+", x, y, pc)?;
                    }
                    r!(d) = value;
                }
                Instr::Sub { d, a, b, k } => {
                    let (x, y) = (r!(a), r!(b));
                    let difference = x.wrapping_sub(y);
                    let value = k.normal(difference);
                    if k.signed()
                        && (value != difference
                            || (k.bits() == 64 && (x as i64).checked_sub(y as i64).is_none()))
                    {
                        self.overflowed(k, "-", x, y, pc)?;
                    }
                    r!(d) = value;
                }
                Instr::Mul { d, a, b, k } => {
                    let (x, y) = (r!(a), r!(b));
                    let value = k.normal(x.wrapping_mul(y));
                    if k.signed() && (x as i64).checked_mul(y as i64) != Some(value as i64) {
                        self.overflowed(k, "*", x, y, pc)?;
                    }
                    r!(d) = value;
                }
                Instr::AddConst { d, a, k, value } => {
                    let (x, y) = (r!(a), i64::from(value) as u64);
                    let sum = x.wrapping_add(y);
                    let value = k.normal(sum);
                    if k.signed()
                        && (value != sum || (k.bits() == 64 && (x as i64).checked_add(y as i64).is_none()))
                    {
                        self.overflowed(k, "+", x, y, pc)?;
                    }
                    r!(d) = value;
                }
                Instr::And { d, a, b } => r!(d) = r!(a) & r!(b),
                Instr::Or { d, a, b } => r!(d) = r!(a) | r!(b),
                Instr::Xor { d, a, b } => r!(d) = r!(a) ^ r!(b),
                Instr::Div { d, a, b, k, constant } => {
                    let (x, y) = (r!(a), r!(b));
                    r!(d) = self.divide(k, x, y, false, constant, pc)?;
                }
                Instr::Rem { d, a, b, k, constant } => {
                    let (x, y) = (r!(a), r!(b));
                    r!(d) = self.divide(k, x, y, true, constant, pc)?;
                }
                Instr::Shl { d, a, b, k } => {
                    let (x, y) = (r!(a), r!(b));
                    if y >= u64::from(k.bits()) {
                        if k.signed() && x != 0 && y as i64 >= 0 {
                            self.overflowed(k, "<<", x, y, pc)?;
                        }
                        return Err(self.bad_shift(y, k, pc));
                    }
                    let value = k.normal(x << y);
                    if k.signed() && ((value as i64) >> y) as u64 != x {
                        self.overflowed(k, "<<", x, y, pc)?;
                    }
                    r!(d) = value;
                }
                Instr::Shr { d, a, b, k } => {
                    let (x, y) = (r!(a), r!(b));
                    if y >= u64::from(k.bits()) {
                        return Err(self.bad_shift(y, k, pc));
                    }
                    r!(d) = if k.signed() { ((x as i64) >> y) as u64 } else { x >> y };
                }
                Instr::Neg { d, a, k } => {
                    let x = r!(a);
                    let value = k.normal(x.wrapping_neg());
                    if k.signed() && x != 0 && value == x {
                        self.overflowed(k, "-", 0, x, pc)?;
                    }
                    r!(d) = value;
                }
                Instr::BitNot { d, a, k } => r!(d) = k.normal(!r!(a)),
                Instr::Not { d, a } => r!(d) = u64::from(r!(a) == 0),
                Instr::NonZero { d, a } => r!(d) = u64::from(r!(a) != 0),
                Instr::Eq { d, a, b } => r!(d) = u64::from(r!(a) == r!(b)),
                Instr::Ne { d, a, b } => r!(d) = u64::from(r!(a) != r!(b)),
                Instr::Lt { d, a, b, signed } => {
                    let (x, y) = (r!(a), r!(b));
                    r!(d) = u64::from(if signed { (x as i64) < y as i64 } else { x < y });
                }
                Instr::Le { d, a, b, signed } => {
                    let (x, y) = (r!(a), r!(b));
                    r!(d) = u64::from(if signed { x as i64 <= y as i64 } else { x <= y });
                }
                Instr::Normal { d, a, k } => r!(d) = k.normal(r!(a)),
                Instr::PointerAdd { d, a, b, scale, k } => {
                    let by = r!(b).wrapping_mul(i64::from(scale) as u64);
                    r!(d) = k.normal(r!(a).wrapping_add(by));
                }
                Instr::PointerDiff { d, a, b, scale, k } => {
                    let bytes = k.normal(r!(a).wrapping_sub(r!(b))) as i64;
                    r!(d) = (bytes / i64::from(scale)) as u64;
                }
                Instr::Jump { to } => {
                    pc = to;
                    continue;
                }
                Instr::JumpIf { a, to } => {
                    if r!(a) != 0 {
                        pc = to;
                        continue;
                    }
                }
                Instr::JumpIfNot { a, to } => {
                    if r!(a) == 0 {
                        pc = to;
                        continue;
                    }
                }
                Instr::Switch { a, table } => {
                    pc = self.switch(table, r!(a));
                    continue;
                }
                Instr::JumpTo { p } => {
                    let index = Bases::code_index(self.memory.bases.labels, r!(p));
                    let label = index.and_then(|i| code.labels.get(&i));
                    match (label, self.frames.last()) {
                        (Some(&(to, function)), Some(f)) if f.function == function => pc = to,
                        _ => return Err(self.undefined(Undefined::InvalidJump, "", pc)),
                    }
                    continue;
                }
                Instr::Call { d, args, call } => switch_frame!(self.call(d, args, call, None, pc)?),
                Instr::CallPointer { d, p, args, call } => {
                    let address = r!(p);
                    switch_frame!(self.call(d, args, call, Some(address), pc)?)
                }
                Instr::Return => switch_frame!(self.leave(pc)?),
                Instr::ReturnValue { a, pair } => {
                    let value = (r!(a), if pair { r!(a + 1) } else { 0 });
                    self.check_returned(value.0, pc)?;
                    self.give(value, pair);
                    switch_frame!(self.leave(pc)?)
                }
                Instr::ReturnRecord { p, size } => {
                    let from = r!(p);
                    self.give_record(from, size, pc)?;
                    switch_frame!(self.leave(pc)?)
                }
                Instr::ReturnNothing => {
                    self.give_nothing(pc)?;
                    switch_frame!(self.leave(pc)?)
                }
                Instr::Alloca { d, a, align } => {
                    let size = r!(a);
                    if size > u64::from(u32::MAX) {
                        return Err(self.undefined(Undefined::ArrayLength, "", pc));
                    }
                    r!(d) = self.push_stack(size, align, pc)?;
                }
                Instr::Release { off } => {
                    let slot = self.memory.stack.base + (frame + off as usize) as u64;
                    let address = self.load(slot, self.word_bytes(), pc)?;
                    let address = Int::new(self.unit.word(), false).normal(address);
                    self.pop_stack((address - self.memory.stack.base) as u32);
                }
                Instr::Trap => return Err(Box::new(Outcome::Aborted { at: self.position(pc) })),
                Instr::Unreachable => return Err(self.undefined(Undefined::Unreachable, "", pc)),
                Instr::Unsupported { message } => {
                    let message = code.messages.get(message as usize).cloned().unwrap_or_default();
                    return Err(self.unsupported(message, pc));
                }
                Instr::Stored { a, p, ty } => {
                    let (low, high, address) = (r!(a), r!(a + 1), r!(p));
                    self.stored((low, high), address, ty, pc)?;
                }
                Instr::Branched { taken } => self.tell(pc, &Event::Branch(taken))?,
                Instr::Ready => return Ok(()),
                other => {
                    // What is rare or long is elsewhere, on the registers of this activation.
                    self.execute_rare(other, base, pc)?;
                }
            }
            pc += 1;
        }
    }

    /// A statement begins.
    #[inline]
    fn statement(&mut self, pc: u32) -> Result<(), Stop> {
        self.step(pc)?;
        if let Some(determined) = &mut self.determined {
            let at = self.code.positions.get(pc as usize).copied().unwrap_or_default();
            determined.pass(at);
        }
        if self.watched { self.tell(pc, &Event::Statement) } else { Ok(()) }
    }

    fn switch(&self, table: u32, value: u64) -> u32 {
        let Some(table) = self.code.switches.get(table as usize) else { return 0 };
        let value = table.k.map_or(0, |k| k.widen(value)) as i128;
        if let Some(&(low, _, _)) = table.ranges.first().filter(|_| !table.dense.is_empty()) {
            let index = usize::try_from(value - low).unwrap_or(usize::MAX);
            return table.dense.get(index).copied().unwrap_or(table.default);
        }
        let after = table.ranges.partition_point(|&(low, _, _)| low <= value);
        match after.checked_sub(1).map(|i| table.ranges[i]) {
            Some((_, high, target)) if value <= high => target,
            _ => table.default,
        }
    }
}
