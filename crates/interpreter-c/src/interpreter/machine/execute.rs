//! The instructions, one after the other.

use super::super::instr::Instr;
use super::super::observer::Event;
use super::super::outcome::{Outcome, Stop, Undefined};
use super::{Machine, arith};
use crate::interpreter::memory::Bases;

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
        macro_rules! at {
            ($off:expr) => {
                frame + $off as usize
            };
        }
        macro_rules! go_to {
            ($to:expr) => {{
                pc = $to;
                continue;
            }};
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
            // What an instruction does is told by the function that its arm calls.
            match instr {
                Instr::Step => self.statement(pc)?,
                Instr::Const { d, value } => r!(d) = value,
                Instr::Move { d, a } => r!(d) = r!(a),
                // Memory.
                Instr::LocalAddress { d, off } => r!(d) = self.local_address(at!(off)),
                Instr::LoadLocal { d, k, off } => r!(d) = self.load_local(at!(off), k, pc)?,
                Instr::LoadStatic { d, k, off } => r!(d) = self.load_static(off, k, pc)?,
                Instr::Load { d, p, k } => r!(d) = k.normal(self.load_as(r!(p), k, pc)?),
                Instr::LoadPair { d, p, size } => {
                    (r!(d), r!(d + 1)) = self.load_halves(r!(p), size, pc)?;
                }
                Instr::StoreLocal { a, k, off } => self.store_local(at!(off), k, r!(a), pc)?,
                Instr::StoreStatic { a, k, off } => self.store_static(off, k, r!(a), pc)?,
                Instr::Store { p, a, k } => self.store_as(r!(p), k, r!(a), pc)?,
                Instr::StorePair { p, a, size } => {
                    self.store_halves(r!(p), size, (r!(a), r!(a + 1)), pc)?;
                }
                Instr::LoadBits { d, p, first, width, k } => {
                    let value = self.load_bits(r!(p), first.into(), width.into(), k, pc)?;
                    r!(d) = value as u64;
                    if k.is_wide() {
                        r!(d + 1) = (value >> 64) as u64;
                    }
                }
                Instr::StoreBits { p, a, first, width, wide } => {
                    let high = if wide { r!(a + 1) } else { 0 };
                    let value = u128::from(high) << 64 | u128::from(r!(a));
                    self.store_bits(r!(p), first.into(), width.into(), value, pc)?;
                }
                Instr::Copy { p, a, size } => self.copy_record(r!(p), r!(a), size.into(), pc)?,
                Instr::Clear { p, size } => self.clear(r!(p), size.into(), pc)?,
                Instr::Begin { off, size } => {
                    self.check_renewal(at!(off), size, pc)?;
                    self.begin(at!(off), size);
                }
                Instr::End { off, size } => self.end(at!(off), size),
                Instr::Alloca { d, a, align } => r!(d) = self.allocate_on_stack(r!(a), align, pc)?,
                Instr::Release { off } => self.release(at!(off), pc)?,
                // Arithmetic.
                Instr::Add { d, a, b, k } => r!(d) = self.add(k, r!(a), r!(b), pc)?,
                Instr::AddConst { d, a, k, value } => {
                    r!(d) = self.add(k, r!(a), i64::from(value) as u64, pc)?;
                }
                Instr::Sub { d, a, b, k } => r!(d) = self.subtract(k, r!(a), r!(b), pc)?,
                Instr::Mul { d, a, b, k } => r!(d) = self.multiply(k, r!(a), r!(b), pc)?,
                Instr::Div { d, a, b, k, constant } => {
                    r!(d) = self.divide(k, r!(a), r!(b), false, constant, pc)?;
                }
                Instr::Rem { d, a, b, k, constant } => {
                    r!(d) = self.divide(k, r!(a), r!(b), true, constant, pc)?;
                }
                Instr::Neg { d, a, k } => r!(d) = self.negate(k, r!(a), pc)?,
                Instr::Shl { d, a, b, k } => r!(d) = self.shift_left(k, r!(a), r!(b), pc)?,
                Instr::Shr { d, a, b, k } => r!(d) = self.shift_right(k, r!(a), r!(b), pc)?,
                Instr::And { d, a, b } => r!(d) = r!(a) & r!(b),
                Instr::Or { d, a, b } => r!(d) = r!(a) | r!(b),
                Instr::Xor { d, a, b } => r!(d) = r!(a) ^ r!(b),
                Instr::BitNot { d, a, k } => r!(d) = k.normal(!r!(a)),
                Instr::Normal { d, a, k } => r!(d) = k.normal(r!(a)),
                Instr::PointerAdd { d, a, b, scale, k } => r!(d) = arith::moved(k, r!(a), r!(b), scale),
                Instr::Reach { d, a, b, scale, k } => {
                    let to = arith::moved(k, r!(a), r!(b), scale);
                    self.reach(r!(a), to, pc)?;
                    r!(d) = to;
                }
                Instr::PointerDiff { d, a, b, scale, k } => r!(d) = arith::distance(k, r!(a), r!(b), scale),
                Instr::Related { a, b } => self.check_related(r!(a), r!(b), pc)?,
                // Truth values.
                Instr::Not { d, a } => r!(d) = u64::from(r!(a) == 0),
                Instr::NonZero { d, a } => r!(d) = u64::from(r!(a) != 0),
                Instr::Eq { d, a, b } => r!(d) = u64::from(r!(a) == r!(b)),
                Instr::Ne { d, a, b } => r!(d) = u64::from(r!(a) != r!(b)),
                Instr::Lt { d, a, b, signed } => r!(d) = u64::from(arith::is_less(signed, r!(a), r!(b))),
                Instr::Le { d, a, b, signed } => r!(d) = u64::from(!arith::is_less(signed, r!(b), r!(a))),
                // Control.
                Instr::Jump { to } => go_to!(to),
                Instr::JumpIf { a, to } => {
                    if r!(a) != 0 {
                        go_to!(to)
                    }
                }
                Instr::JumpIfNot { a, to } => {
                    if r!(a) == 0 {
                        go_to!(to)
                    }
                }
                Instr::Switch { a, table } => go_to!(self.switch(table, r!(a))),
                Instr::JumpTo { p } => go_to!(self.label_at(r!(p), pc)?),
                Instr::Call { d, args, call } => switch_frame!(self.call(d, args, call, None, pc)?),
                Instr::CallPointer { d, p, args, call } => {
                    switch_frame!(self.call(d, args, call, Some(r!(p)), pc)?)
                }
                Instr::Return => switch_frame!(self.leave(pc)?),
                Instr::ReturnValue { a, pair } => {
                    let value = (r!(a), if pair { r!(a + 1) } else { 0 });
                    self.check_returned(value.0, pc)?;
                    self.give(value, pair);
                    switch_frame!(self.leave(pc)?)
                }
                Instr::ReturnRecord { p, size } => {
                    self.give_record(r!(p), size, pc)?;
                    switch_frame!(self.leave(pc)?)
                }
                Instr::ReturnNothing => {
                    self.give_nothing(pc)?;
                    switch_frame!(self.leave(pc)?)
                }
                Instr::Trap => return Err(Box::new(Outcome::Aborted { at: self.position(pc) })),
                Instr::Unreachable => return Err(self.undefined(Undefined::Unreachable, "", pc)),
                Instr::Unsupported { message } => {
                    let message = code.messages.get(message as usize).cloned().unwrap_or_default();
                    return Err(self.unsupported(message, pc));
                }
                // What is told to observers.
                Instr::Stored { a, p, ty } => {
                    if self.watched {
                        self.stored((r!(a), r!(a + 1)), r!(p), ty, pc)?;
                    }
                }
                Instr::Branched { taken } => {
                    if self.watched {
                        self.tell(pc, &Event::Branch(taken))?;
                    }
                }
                Instr::Ready => return Ok(()),
                // What is rare or long is elsewhere, on the registers of this activation.
                other => self.execute_rare(other, base, pc)?,
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

    /// Where `goto *address` goes.
    fn label_at(&self, address: u64, pc: u32) -> Result<u32, Stop> {
        let index = Bases::code_index(self.memory.bases.labels, address);
        let label = index.and_then(|i| self.code.labels.get(&i));
        match (label, self.frames.last()) {
            (Some(&(to, function)), Some(f)) if f.function == function => Ok(to),
            _ => Err(self.undefined(Undefined::InvalidJump, "", pc)),
        }
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
