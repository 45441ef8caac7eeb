//! Calls, returns, and variable arguments.

use super::super::code::{Call, Callee, FunctionCode};
use super::super::instr::Reg;
use super::super::memory::{Bases, GAP, LIVE};
use super::super::observer::Event;
use super::super::outcome::{Limit, Outcome, Stop, Undefined};
use super::super::scalar::{Format, Int, Kind};
use super::{Frame, Machine};
use tamis_front_c::tree::FunctionId;

impl Machine<'_> {
    /// Calls a function, or the one at an address. Gives where to go on.
    pub(super) fn call(
        &mut self,
        d: Reg,
        args: Reg,
        index: u32,
        address: Option<u64>,
        pc: u32,
    ) -> Result<u32, Stop> {
        let code = self.code;
        let call = &code.calls[index as usize];
        let (function, library) = match (call.callee, address) {
            (Callee::Function(f), _) => (f, None),
            (Callee::Library(library, f), _) => (f, Some(library)),
            (Callee::Unknown, address) => {
                let id = self.function_at(address.unwrap_or(0), pc)?;
                (id, code.library[id.index()])
            }
        };
        if let Some(library) = library {
            let base = self.frames.last().map_or(0, |f| f.registers as usize);
            self.call_library(library, function, call, base, d, args, pc)?;
            return Ok(pc + 1);
        }
        let Some(target) = &code.functions[function.index()] else {
            let name = &self.unit[function].name;
            return Err(self.unsupported(format!("no body for `{name}`"), pc));
        };
        if address.is_some() {
            self.check_result(call, target, function, pc)?;
        }
        if self.determined.is_some() {
            self.check_types(call, target, pc)?;
        }
        self.enter(function, target, call, index, d, args, pc)?;
        Ok(target.entry)
    }

    /// The function at an address.
    fn function_at(&self, address: u64, pc: u32) -> Result<FunctionId, Stop> {
        let index = Bases::code_index(self.memory.bases.functions, address);
        index.and_then(|i| self.unit.functions().nth(i)).ok_or_else(|| {
            let kind = if address == 0 { Undefined::NullAccess } else { Undefined::InvalidCall };
            self.undefined(kind, format!("a call of address {address:#x}"), pc)
        })
    }

    fn check_result(&self, call: &Call, target: &FunctionCode, id: FunctionId, pc: u32) -> Result<(), Stop> {
        let record = |kind| matches!(kind, Kind::Record { .. });
        let Some(result) = target.result else { return Ok(()) };
        let fits = match (call.result, result) {
            (a, b) if a == b => true,
            (a, b) if record(a) || record(b) => false,
            (Kind::Void, _) => true,
            (_, Kind::Void) => !call.used,
            (Kind::Int(a), Kind::Int(b)) => a.size() <= b.size().max(4) && a.is_wide() == b.is_wide(),
            _ => false,
        };
        if fits { Ok(()) } else { Err(self.bad_call(id, "with another result", pc)) }
    }

    /// Fails where the call and the function are not of one type, which no promise covers.
    fn check_types(&self, call: &Call, target: &FunctionCode, pc: u32) -> Result<(), Stop> {
        let other = || self.open("a call of a function of another type", pc);
        let same_result = target.result == Some(call.result) || (!call.used && call.result == Kind::Void);
        let given = call.args.len();
        if !same_result || (given > target.params.len() && !target.variadic) {
            return Err(other());
        }
        let fits = |param: Kind, arg: Kind| match (param, arg) {
            (Kind::Int(p), Kind::Int(a)) => {
                let promoted = if target.old_style { p.size().max(4) } else { p.size() };
                a.size() == promoted && a.is_address() == p.is_address()
            }
            // The rest is compared where it is passed.
            _ => true,
        };
        let all = target.params.iter().zip(&call.args).all(|(&(_, param), &arg)| fits(param, arg));
        if all { Ok(()) } else { Err(other()) }
    }

    fn bad_call(&self, id: FunctionId, why: &str, pc: u32) -> Stop {
        self.undefined(Undefined::InvalidCall, format!("`{}` is called {why}", self.unit[id].name), pc)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a call instruction")]
    fn enter(
        &mut self,
        id: FunctionId,
        target: &FunctionCode,
        call: &Call,
        index: u32,
        d: Reg,
        args: Reg,
        pc: u32,
    ) -> Result<(), Stop> {
        let below = self.stack_top;
        let (caller_registers, registers) = match self.frames.last() {
            Some(f) => {
                let used = self.code.functions[f.function.index()].as_ref().map_or(0, |c| c.registers);
                (f.registers as usize, f.registers + u32::from(used))
            }
            None => (0, u32::from(self.code.start_registers).max(64)),
        };
        if self.frames.len() >= self.limits.depth {
            return Err(self.limit(Limit::Depth, pc));
        }
        let needed = registers as usize + target.registers as usize;
        if needed > self.registers.len() {
            self.registers.resize(needed + needed / 2 + 64, 0);
            self.check_memory(pc)?;
        }
        let base = self.push_frame(target, pc)?;
        let mut frame =
            Frame { function: id, back: pc + 1, registers, base, below, call: index, d, variable_args: 0 };
        let first = caller_registers + args as usize;
        let rest = self.pass(id, target, call, first, base, pc)?;
        if target.variadic {
            frame.variable_args = self.pass_variable(call, rest.0, rest.1, pc)?;
        }
        self.frames.push(frame);
        if !target.padding.is_empty() {
            self.unset_padding(self.memory.stack.base + u64::from(base), &target.padding);
        }
        if self.watched {
            let parameters = self.parameters(id, target, base);
            self.tell(pc, &Event::Call { function: id, parameters: &parameters })?;
        }
        Ok(())
    }

    /// Room for a frame at the top of the stack.
    fn push_frame(&mut self, target: &FunctionCode, pc: u32) -> Result<u32, Stop> {
        let base = u64::from(self.stack_top + GAP).next_multiple_of(u64::from(target.align.max(16)));
        let end = base + u64::from(target.frame_size);
        if end + u64::from(GAP) > self.memory.stack.len() as u64 {
            let room = self.memory.bases.top - self.memory.bases.stack;
            if end > room.min(u64::from(u32::MAX) - 4096) || end * 2 > self.limits.memory {
                return Err(self.limit(Limit::Memory, pc));
            }
            self.memory.stack.grow((end + u64::from(GAP)) as usize);
            self.check_memory(pc)?;
        }
        self.memory.stack.shade_as(base as usize, &target.shadow);
        self.stack_top = end as u32;
        Ok(base as u32)
    }

    /// Stores the arguments where the parameters are. Gives the first one left over, and its register.
    fn pass(
        &mut self,
        id: FunctionId,
        target: &FunctionCode,
        call: &Call,
        mut register: usize,
        base: u32,
        pc: u32,
    ) -> Result<(usize, usize), Stop> {
        if call.args.len() < target.params.len() {
            return Err(self.bad_call(id, "with too few arguments", pc));
        }
        if call.args.len() > target.params.len() && !target.variadic && !target.old_style {
            return Err(self.bad_call(id, "with too many arguments", pc));
        }
        for (&(off, param), &arg) in target.params.iter().zip(&call.args) {
            let at = (base + off) as usize;
            let address = self.memory.stack.base + at as u64;
            match (param, arg) {
                (Kind::Int(p), Kind::Int(a)) if p.size() <= a.size() && !p.is_wide() => {
                    let value = self.registers[register];
                    let stored = self.memory.stack.store(at, p.size(), value);
                    stored.map_err(|fault| self.fault(fault, "written", pc))?;
                    if a.is_address() && self.determined.is_some() && self.memory.bases.contains(value) {
                        self.memory.tag_address(address, p.size());
                    }
                }
                (Kind::Int(p), Kind::Int(a)) if p.is_wide() && a.is_wide() => {
                    self.store_registers(address, register, 16, pc)?;
                }
                (Kind::Float(p), Kind::Float(a)) if p == a => {
                    let size = [4, 8, 10][p as usize];
                    self.store_registers(address, register, size, pc)?;
                }
                (Kind::Float(Format::Single), Kind::Float(Format::Double)) if target.old_style => {
                    let value = f64::from_bits(self.registers[register]) as f32;
                    self.store(address, 4, value.to_bits().into(), pc)?;
                }
                (Kind::Record { size: p, .. }, Kind::Record { size: a, .. }) if p == a => {
                    self.copy(address, self.registers[register], p.into(), pc)?;
                }
                _ => return Err(self.bad_call(id, "with other arguments", pc)),
            }
            register += usize::from(arg.registers());
        }
        Ok((target.params.len(), register))
    }

    fn store_registers(&mut self, address: u64, register: usize, size: usize, pc: u32) -> Result<(), Stop> {
        self.store(address, size.min(8), self.registers[register], pc)?;
        if size > 8 {
            self.store(address + 8, size - 8, self.registers[register + 1], pc)?;
        }
        Ok(())
    }

    /// Lays out the variable arguments one after the other, as the ABIs do in memory.
    fn pass_variable(
        &mut self,
        call: &Call,
        first: usize,
        mut register: usize,
        pc: u32,
    ) -> Result<u64, Stop> {
        let word = self.word_bytes() as u64;
        let rest = call.args.get(first..).unwrap_or_default();
        let mut size = 0u64;
        for arg in rest {
            let (bytes, align) = arg.argument_layout(word);
            size = size.next_multiple_of(align) + bytes.next_multiple_of(word);
        }
        let area = self.push_stack(size, 16, pc)?;
        let mut at = area;
        for &arg in rest {
            let (bytes, align) = arg.argument_layout(word);
            at = at.next_multiple_of(align);
            let value = self.registers[register];
            match arg {
                Kind::Record { size, .. } => self.copy(at, self.registers[register], size.into(), pc)?,
                Kind::Float(Format::Extended) => self.store_registers(at, register, 10, pc)?,
                Kind::Int(k) if k.is_wide() => self.store_registers(at, register, 16, pc)?,
                // What is above a smaller argument in its word is not set.
                _ => self.store_registers(at, register, bytes as usize, pc)?,
            }
            self.argument_passed(at, arg, value);
            at += bytes.next_multiple_of(word);
            register += usize::from(arg.registers());
        }
        Ok(area)
    }

    /// The result of the activation goes to the caller.
    pub(super) fn give(&mut self, (low, high): (u64, u64), pair: bool) {
        let Some(frame) = self.frames.last() else { return };
        match self.frames.len().checked_sub(2).map(|i| self.frames[i].registers as usize) {
            Some(caller) => {
                self.registers[caller + frame.d as usize] = low;
                if pair {
                    self.registers[caller + frame.d as usize + 1] = high;
                }
            }
            None => self.status = low as i32,
        }
    }

    pub(super) fn give_record(&mut self, from: u64, size: u32, pc: u32) -> Result<(), Stop> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let slot = self.code.calls.get(frame.call as usize).map_or(0, |call| call.result_slot);
        let Some(caller) = self.frames.len().checked_sub(2).map(|i| self.frames[i]) else { return Ok(()) };
        let to = self.memory.stack.base + u64::from(caller.base + slot);
        self.copy(to, from, size.into(), pc)?;
        self.give((to, 0), false);
        Ok(())
    }

    /// The function ends without a result: a use of it is a use of an arbitrary value.
    pub(super) fn give_nothing(&mut self, pc: u32) -> Result<(), Stop> {
        let Some(&frame) = self.frames.last() else { return Ok(()) };
        let Some(call) = self.code.calls.get(frame.call as usize).filter(|call| call.used) else {
            return Ok(());
        };
        self.leave_open("a function that returns no value", pc)?;
        let name = self.unit[frame.function].name.clone();
        match call.result {
            Kind::Record { .. } => {
                let base = self.frames.len().checked_sub(2).map_or(0, |i| self.frames[i].base);
                self.give((self.memory.stack.base + u64::from(base + call.result_slot), 0), false);
            }
            kind => {
                self.note(Undefined::Uninitialised, &format!("`{name}` returns no value"), pc)?;
                let k = if let Kind::Int(k) = kind { k } else { Int::U64 };
                let value = k.normal_wide(self.unset(&name, k.bits(), pc)?);
                self.give((value as u64, (value >> 64) as u64), kind.registers() == 2);
            }
        }
        Ok(())
    }

    /// Ends the activation. Gives where the caller goes on.
    pub(super) fn leave(&mut self, pc: u32) -> Result<u32, Stop> {
        if self.watched
            && let Some(id) = self.frames.last().map(|f| f.function)
        {
            self.tell(pc, &Event::Return(id))?;
        }
        match self.frames.pop() {
            Some(frame) => {
                self.pop_stack(frame.below);
                if self.frames.is_empty() {
                    return Err(Box::new(Outcome::Exit(self.status)));
                }
                Ok(frame.back)
            }
            None => Err(Box::new(Outcome::Exit(self.status))),
        }
    }

    pub(super) fn va_start(&mut self, list: u64, pc: u32) -> Result<(), Stop> {
        let area = self.frames.last().map_or(0, |f| f.variable_args);
        if self.word_bytes() == 4 {
            return self.store_address(list, area, pc);
        }
        // As if all registers for arguments were used up: what is left is in memory.
        self.store(list, 4, 48, pc)?;
        self.store(list + 4, 4, 304, pc)?;
        self.store_address(list + 8, area, pc)?;
        self.store(list + 16, 8, 0, pc)?;
        if self.determined.is_some() {
            // What a list is made of is nobody's business.
            self.memory.tag_address(list, 8);
            self.memory.tag_address(list + 16, 8);
        }
        Ok(())
    }

    /// The address of the next variable argument.
    pub fn va_next(&mut self, list: u64, size: u64, align: u64, pc: u32) -> Result<u64, Stop> {
        let word = self.word_bytes();
        let pointer = if word == 4 { list } else { list + 8 };
        let k = Int::address(self.unit.word());
        let next = k.normal(self.load_as(pointer, k, pc)?);
        let at = next.next_multiple_of(align.max(1));
        self.store_as(pointer, k, at + size.next_multiple_of(word as u64), pc)?;
        Ok(at)
    }

    /// Copies bytes of objects.
    pub fn copy(&mut self, to: u64, from: u64, size: u64, pc: u32) -> Result<(), Stop> {
        self.memory.check(from, size, false).map_err(|fault| self.fault(fault, "read", pc))?;
        if self.determined.is_some() {
            self.copy_determined(to, from, size, pc)?;
        }
        self.memory.copy(to, from, size).map_err(|fault| self.fault(fault, "written", pc))
    }

    /// Starts `main`.
    pub fn enter_main(&mut self, id: FunctionId, args: &[u64]) -> Result<u32, Stop> {
        let code = self.code;
        let Some(target) = &code.functions[id.index()] else { return Err(self.unsupported("no main", 0)) };
        self.registers.resize(self.registers.len().max(256), 0);
        let kinds: Vec<Kind> = target.params.iter().map(|&(_, kind)| kind).collect();
        for (i, &arg) in args.iter().enumerate() {
            self.registers[i] = arg;
        }
        let call = Call {
            callee: Callee::Function(id),
            args: kinds,
            result: Kind::Int(Int::I32),
            result_type: self.unit[id].result,
            result_slot: 0,
            used: false,
            tested: false,
        };
        let pc = target.entry;
        self.enter(id, target, &call, u32::MAX, 0, 0, pc)?;
        if self.determined.is_some() {
            // What a program is called with is an input.
            let base = self.frames.last().map_or(0, |f| u64::from(f.base));
            for &(off, kind) in &target.params {
                let size = if let Kind::Int(k) = kind { k.size() } else { 0 };
                self.memory.shade(self.memory.stack.base + base + u64::from(off), size, LIVE);
            }
        }
        Ok(pc)
    }
}
