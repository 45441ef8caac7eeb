//! The machine that executes compiled code.

mod access;
mod arith;
mod bits;
mod call;
mod describe;
mod determined;
mod execute;
mod float;
mod leaks;
mod padding;
mod report;
mod wide;

pub(super) use determined::Determined;
pub(super) use float::convert;

use super::code::Code;
use super::inputs::Inputs;
use super::instr::Reg;
use super::memory::{Fault, Memory};
use super::observer::{Event, Moment, Observer};
use super::outcome::{Limit, Limits, Outcome, Stop, Undefined};
use super::output::Output;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::ops::Range;
use std::time::Instant;
use tamis_front_c::tree::{FunctionId, Position, Type, Unit};
use tamis_solver::Budget;

/// An activation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub function: FunctionId,
    /// Where the caller goes on.
    back: u32,
    /// The first register.
    registers: u32,
    /// Where in the stack segment the frame is, and how much of that was taken before.
    base: u32,
    below: u32,
    /// Which call made it, and where its result goes.
    call: u32,
    d: Reg,
    /// Where the variable arguments begin.
    variable_args: u64,
}

/// A run.
pub(super) struct Machine<'a> {
    pub unit: &'a Unit,
    pub code: &'a Code,
    pub memory: Memory,
    pub inputs: &'a mut Inputs,
    pub limits: Limits,
    pub observer: &'a mut dyn Observer,
    pub output: &'a mut dyn Output,
    pub frames: Vec<Frame>,
    registers: Vec<u64>,
    /// How much of the stack segment is taken.
    stack_top: u32,
    pub steps: u64,
    deadline: Option<Instant>,
    /// What structures are in allocated blocks, by the first pointer to their start that was stored.
    block_types: FxHashMap<u64, Type>,
    /// What functions of which nothing is known have given, by their names and arguments.
    pub uninterpreted: FxHashMap<(String, Vec<(u64, u64)>), u128>,
    /// The top of the stack and the number of allocations where functions were entered whose contracts are enforced.
    pub entered: FxHashMap<u64, (u32, u32)>,
    /// What uninitialised pointers point to.
    unknown_objects: FxHashMap<u128, u64>,
    /// What was reported already.
    noted: FxHashSet<(u32, Undefined)>,
    /// What `rand` remembers.
    pub random: Option<VecDeque<u32>>,
    /// What `strtok` keeps between calls.
    pub token: u64,
    pub errno: Option<u64>,
    /// The tables of `<ctype.h>`.
    pub tables: [Option<u64>; 3],
    /// What `stdout` and `stderr` point to.
    pub streams: [Option<u64>; 2],
    /// Room for the library's own use.
    pub scratch: Option<u64>,
    /// What is known of the run if it must be the only one.
    pub determined: Option<Box<Determined>>,
    /// What ends the run early.
    pub budget: Option<&'a Budget>,
    /// Whether the observer wants to know of every statement, and of which ones not.
    watched: bool,
    skipped: Range<u64>,
    /// After so many steps there is something to look at.
    next_look: u64,
    /// What `main` returns.
    status: i32,
}

/// Between looks at the clock, so many steps go by.
const LOOK: u64 = 1 << 14;

impl<'a> Machine<'a> {
    pub fn new(
        unit: &'a Unit,
        code: &'a Code,
        inputs: &'a mut Inputs,
        limits: Limits,
        observer: &'a mut dyn Observer,
        output: &'a mut dyn Output,
    ) -> Machine<'a> {
        let (watched, skipped) = (observer.wants_all(), observer.skips());
        let mut memory = Memory::new(unit.word(), code.static_size as usize);
        memory.statics.shade_as(0, &code.static_shadow);
        memory.statics.write_raw(0, &code.static_bytes);
        Machine {
            unit,
            code,
            memory,
            inputs,
            limits,
            observer,
            output,
            frames: Vec::new(),
            registers: Vec::new(),
            stack_top: 0,
            steps: 0,
            deadline: limits.time.map(|time| Instant::now() + time),
            block_types: FxHashMap::default(),
            uninterpreted: FxHashMap::default(),
            entered: FxHashMap::default(),
            unknown_objects: FxHashMap::default(),
            noted: FxHashSet::default(),
            random: None,
            token: 0,
            errno: None,
            tables: [None; 3],
            streams: [None; 2],
            scratch: None,
            determined: None,
            budget: None,
            watched,
            skipped,
            next_look: 1,
            status: 0,
        }
    }

    /// Initialises the program and runs its `main`.
    pub fn start(&mut self, main: FunctionId, arguments: &[String]) -> Result<(), Stop> {
        self.registers.resize(usize::from(self.code.start_registers).max(256), 0);
        self.check_memory(self.code.start)?;
        self.scratch = Some(self.keep(&[0; 16], 0)?);
        self.open_streams()?;
        let watched = std::mem::replace(&mut self.watched, false);
        self.execute(self.code.start)?;
        self.protect_constants();
        self.watched = watched;
        let word = self.word_bytes();
        let mut pointers = Vec::new();
        for argument in arguments {
            let mut bytes = argument.clone().into_bytes();
            bytes.push(0);
            let address = self.keep(&bytes, 0)?;
            pointers.push(address);
        }
        let argv = self.keep(&vec![0; (pointers.len() + 1) * word], 0)?;
        for (i, pointer) in pointers.into_iter().enumerate() {
            self.store_address(argv + (i * word) as u64, pointer, 0)?;
        }
        let envp = self.keep(&[0; 8], 0)?;
        let entry = self.enter_main(main, &[arguments.len() as u64, argv, envp])?;
        self.execute(entry)
    }

    /// Puts bytes into memory that the program did not allocate.
    pub fn keep(&mut self, bytes: &[u8], pc: u32) -> Result<u64, Stop> {
        let limit = self.limits.memory;
        let address = self.memory.allocate(bytes.len() as u64, 16, true, limit);
        let address = address.ok_or_else(|| self.limit(Limit::Memory, pc))?;
        self.memory.blocks.forget(address);
        self.memory.write(address, bytes).map_err(|fault| self.fault(fault, "written", pc))?;
        Ok(address)
    }

    /// Two neighbouring registers, counted from the first of all.
    pub fn register_pair(&self, at: usize) -> (u64, u64) {
        (self.registers[at], self.registers.get(at + 1).copied().unwrap_or(0))
    }

    pub fn set_register_pair(&mut self, at: usize, value: (u64, u64), pair: bool) {
        self.registers[at] = value.0;
        if pair {
            self.registers[at + 1] = value.1;
        }
    }

    /// The bytes of an address.
    pub fn word_bytes(&self) -> usize {
        self.unit.word() as usize / 8
    }

    pub fn position(&self, pc: u32) -> Position {
        self.code.positions.get(pc as usize).copied().unwrap_or_default()
    }

    pub fn moment(&self, pc: u32) -> Moment {
        Moment {
            at: self.position(pc),
            function: self.frames.last().map(|f| f.function),
            depth: self.frames.len(),
            steps: self.steps,
        }
    }

    /// Tells the observer, who may end the run.
    pub fn tell(&mut self, pc: u32, event: &Event<'_>) -> Result<(), Stop> {
        let moment = self.moment(pc);
        match self.observer.event(&moment, event) {
            std::ops::ControlFlow::Continue(()) => Ok(()),
            std::ops::ControlFlow::Break(()) => Err(Box::new(Outcome::Stopped(moment.at))),
        }
    }

    /// Counts a statement.
    #[inline]
    fn step(&mut self, pc: u32) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps >= self.next_look { self.look(pc) } else { Ok(()) }
    }

    /// Looks at the clock and the limits, and whether the observer goes on watching.
    #[cold]
    fn look(&mut self, pc: u32) -> Result<(), Stop> {
        let Range { start, end } = self.skipped;
        if self.steps == start && start < end {
            self.watched = false;
        } else if self.steps == end && start < end {
            self.watched = true;
        }
        let limit = self.limits.steps.map(|limit| limit.saturating_add(1));
        let ahead = [limit, Some(start), Some(end)].into_iter().flatten().filter(|&s| s > self.steps);
        self.next_look = ahead.fold(self.steps + LOOK, u64::min);
        if self.limits.steps.is_some_and(|limit| self.steps > limit) {
            return Err(self.limit(Limit::Steps, pc));
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(self.limit(Limit::Time, pc));
        }
        if self.budget.is_some_and(|budget| budget.check().is_err()) {
            return Err(self.limit(Limit::Time, pc));
        }
        Ok(())
    }

    pub fn limit(&self, limit: Limit, pc: u32) -> Stop {
        Box::new(Outcome::Limit(limit, self.position(pc)))
    }

    pub fn undefined(&self, kind: Undefined, detail: impl Into<String>, pc: u32) -> Stop {
        Box::new(Outcome::Undefined { kind, detail: detail.into(), at: self.position(pc), address: None })
    }

    pub fn unsupported(&self, what: impl Into<String>, pc: u32) -> Stop {
        Box::new(Outcome::Unsupported { what: what.into(), at: self.position(pc) })
    }

    /// Reports a behaviour that C leaves undefined and gcc does not, once for each place.
    #[cold]
    pub fn note(&mut self, kind: Undefined, detail: &str, pc: u32) -> Result<(), Stop> {
        if self.limits.trap {
            return Err(self.undefined(kind, detail, pc));
        }
        if self.noted.insert((pc, kind)) {
            self.tell(pc, &Event::Undefined(kind, detail))?;
        }
        Ok(())
    }

    /// Up to 8 bytes of memory. Bytes that were never set get a value.
    #[inline]
    pub fn load(&mut self, address: u64, size: usize, pc: u32) -> Result<u64, Stop> {
        if self.determined.is_some() {
            return self.load_determined(address, size, false, pc);
        }
        match self.memory.load(address, size) {
            Ok(value) => Ok(value),
            Err(fault) => {
                self.read_fault(fault, address, size, pc)?;
                self.memory.load(address, size).map_err(|fault| self.fault(fault, "read", pc))
            }
        }
    }

    /// What to do about a read that failed: bytes that were never set get a value, all else ends the run.
    #[cold]
    fn read_fault(&mut self, fault: Fault, address: u64, size: usize, pc: u32) -> Result<(), Stop> {
        match fault {
            Fault::Unset(_) => self.choose(address, size, pc),
            fault => Err(self.fault(fault, "read", pc)),
        }
    }

    #[inline]
    pub fn store(&mut self, address: u64, size: usize, value: u64, pc: u32) -> Result<(), Stop> {
        match self.memory.store(address, size, value) {
            Ok(()) => {
                self.record(address, size as u64, true);
                Ok(())
            }
            Err(fault) => Err(self.fault(fault, "written", pc)),
        }
    }

    /// Fails if the program's memory is more than it may be.
    pub fn check_memory(&self, pc: u32) -> Result<(), Stop> {
        let books = (self.registers.len() * 8 + self.frames.len() * size_of::<Frame>()) as u64;
        if self.memory.footprint() + books > self.limits.memory {
            return Err(self.limit(Limit::Memory, pc));
        }
        Ok(())
    }

    /// How much of the stack is taken.
    pub fn stack_top(&self) -> u32 {
        self.stack_top
    }

    /// Fresh bytes at the top of the stack.
    pub fn push_stack(&mut self, size: u64, align: u32, pc: u32) -> Result<u64, Stop> {
        let gap = super::memory::GAP;
        let start = u64::from(self.stack_top + gap).next_multiple_of(u64::from(align.max(1)));
        let end = start.saturating_add(size);
        let room = self.memory.bases.top - self.memory.bases.stack;
        if end > room.min(u64::from(u32::MAX) - 4096) || end.saturating_mul(2) > self.limits.memory {
            return Err(self.limit(Limit::Memory, pc));
        }
        self.memory.stack.grow((end + u64::from(gap)) as usize);
        self.check_memory(pc)?;
        self.memory.stack.shade(start as usize, size as usize, super::memory::LIVE);
        self.stack_top = end as u32;
        self.area_begins(self.memory.stack.base + start, size);
        Ok(self.memory.stack.base + start)
    }

    /// Gives back the stack down to a place.
    pub fn pop_stack(&mut self, to: u32) {
        if to < self.stack_top {
            self.memory.stack.shade(to as usize, (self.stack_top - to) as usize, 0);
            self.stack_top = self.reusable_from(to).min(self.stack_top);
            self.areas_end(self.memory.stack.base + u64::from(to));
        }
    }
}
