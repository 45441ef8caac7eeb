//! The heap.

use super::super::machine::Machine;
use super::super::memory::FreeError;
use super::super::observer::{Event, Value};
use super::super::outcome::{Limit, Stop, Undefined};
use super::{Answer, Args, Routine};
use tamis_front_c::tree::vocabulary::MALLOC_FAILS;

pub(super) fn routine(name: &str) -> Option<Routine> {
    Some(match name {
        "malloc" | "valloc" => malloc,
        "calloc" => calloc,
        "realloc" => realloc,
        "free" | "cfree" => free,
        "aligned_alloc" | "memalign" => aligned,
        "posix_memalign" => posix_memalign,
        "strdup" | "__strdup" => strdup,
        "strndup" | "__strndup" => strndup,
        "malloc_usable_size" => usable,
        _ => return None,
    })
}

impl Machine<'_> {
    /// A fresh block. What the address space has no room for is refused as the C library does, by a null pointer.
    fn fresh(&mut self, size: u64, align: u64, zeroed: bool, pc: u32) -> Result<u64, Stop> {
        let largest = if self.word_bytes() == 4 { (1 << 31) - 1 } else { 1 << 47 };
        let fails = self.unit.malloc_may_fail() && self.allocation_fails(pc)?;
        let address = if fails || size > largest {
            0
        } else {
            let block = self.memory.allocate(size, align, zeroed, self.limits.memory);
            block.ok_or_else(|| self.limit(Limit::Memory, pc))?
        };
        self.tell(pc, &Event::Allocation { address, size, asked: true })?;
        Ok(address)
    }
}

impl Machine<'_> {
    /// Whether an allocation fails that may do so.
    fn allocation_fails(&mut self, pc: u32) -> Result<bool, Stop> {
        let fails = self.inputs.allocation_fails();
        if fails.is_none() {
            self.leave_open("whether an allocation succeeds", pc)?;
        }
        let fails = fails.unwrap_or(false);
        let value = Value::Unsigned(fails.into());
        self.tell(pc, &Event::Input { name: MALLOC_FAILS, value, points_to: None, chosen: None })?;
        Ok(fails)
    }
}

fn malloc(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let size = m.size_arg(args, 0);
    m.fresh(size, 16, false, pc).map(Answer::Int)
}

fn calloc(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let size = m.size_arg(args, 0).saturating_mul(m.size_arg(args, 1));
    m.fresh(size, 16, true, pc).map(Answer::Int)
}

fn aligned(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let (align, size) = (m.size_arg(args, 0), m.size_arg(args, 1));
    if !align.is_power_of_two() || align > 1 << 20 {
        return Err(m.undefined(Undefined::InvalidArgument, format!("alignment {align}"), pc));
    }
    m.fresh(size, align, false, pc).map(Answer::Int)
}

fn posix_memalign(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let (align, size) = (m.size_arg(args, 1), m.size_arg(args, 2));
    if !align.is_power_of_two() || align > 1 << 20 {
        return Ok(Answer::Int(22));
    }
    let block = m.fresh(size, align, false, pc)?;
    if block == 0 {
        return Ok(Answer::Int(12));
    }
    m.store(args.int(0), m.word_bytes(), block, pc)?;
    Ok(Answer::Int(0))
}

fn realloc(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let (old, size) = (args.int(0), m.size_arg(args, 1));
    if old == 0 {
        return m.fresh(size, 16, false, pc).map(Answer::Int);
    }
    let Some(block) = m.memory.blocks.block_at(old).filter(|b| !b.freed) else {
        return release(m, old, pc).map(|()| Answer::Int(0));
    };
    let new = m.fresh(size, 16, false, pc)?;
    if new != 0 {
        m.copy(new, old, block.size.min(size), pc)?;
        release(m, old, pc)?;
    }
    Ok(Answer::Int(new))
}

fn free(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    if args.int(0) != 0 {
        release(m, args.int(0), pc)?;
    }
    Ok(Answer::Nothing)
}

fn release(m: &mut Machine<'_>, address: u64, pc: u32) -> Result<(), Stop> {
    m.memory.free(address).map_err(|error| {
        let kind = match error {
            FreeError::Twice => Undefined::DoubleFree,
            FreeError::NotABlock => Undefined::InvalidFree,
        };
        m.undefined(kind, m.describe(address), pc)
    })
}

fn duplicate(m: &mut Machine<'_>, address: u64, limit: u64, pc: u32) -> Result<Answer, Stop> {
    let mut text = m.string_up_to(address, limit, pc)?;
    text.push(0);
    let copy = m.fresh(text.len() as u64, 16, false, pc)?;
    if copy != 0 {
        m.write_bytes(copy, &text, pc)?;
    }
    Ok(Answer::Int(copy))
}

fn strdup(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    duplicate(m, args.int(0), u64::MAX, pc)
}

fn strndup(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    duplicate(m, args.int(0), m.size_arg(args, 1), pc)
}

fn usable(m: &mut Machine<'_>, args: &Args<'_>, _: u32) -> Result<Answer, Stop> {
    let block = m.memory.blocks.block_at(args.int(0)).filter(|b| !b.freed);
    Ok(Answer::Int(block.map_or(0, |b| b.size)))
}
