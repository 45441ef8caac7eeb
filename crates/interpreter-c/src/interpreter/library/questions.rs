//! Questions about memory, as CBMC's functions ask them, and functions of which nothing is known.

use super::super::machine::Machine;
use super::super::outcome::{Outcome, Stop};
use super::super::scalar::Kind;
use super::{Answer, Args, Routine};
use tamis_front_c::tree::Type;
use tamis_front_c::tree::vocabulary::{ENTER_CONTRACT, UNINTERPRETED};

pub(super) fn routine(name: &str) -> Option<Routine> {
    Some(match name {
        "__CPROVER_r_ok"
        | "__CPROVER_w_ok"
        | "__CPROVER_rw_ok"
        | "__CPROVER_LIVE_OBJECT"
        | "__CPROVER_WRITEABLE_OBJECT" => accessible,
        "__CPROVER_POINTER_OBJECT" => object,
        "__CPROVER_OBJECT_SIZE" => size,
        "__CPROVER_POINTER_OFFSET" => offset,
        "__CPROVER_same_object" => same,
        "__CPROVER_DYNAMIC_OBJECT" => dynamic,
        "__CPROVER_havoc_slice" | "__VERIFIER_nondet_memory" => havoc_slice,
        "__CPROVER_havoc_object" => havoc_object,
        ENTER_CONTRACT => enter,
        "__VERIFIER_new_in_contract" => is_new,
        _ if name.starts_with(UNINTERPRETED) => uninterpreted,
        _ => return None,
    })
}

fn accessible(m: &mut Machine<'_>, args: &Args<'_>, _: u32) -> Result<Answer, Stop> {
    let (address, size) = (args.int(0), m.size_arg(args, 1));
    let there = match size {
        0 => m.object_around(address).is_some() && m.is_live_or_behind(address),
        size => address != 0 && m.memory.check(address, size, false).is_ok(),
    };
    Ok(Answer::Int(there.into()))
}

fn object(m: &mut Machine<'_>, args: &Args<'_>, _: u32) -> Result<Answer, Stop> {
    Ok(Answer::Int(m.object_around(args.int(0)).map_or(0, |(base, _)| base)))
}

fn size(m: &mut Machine<'_>, args: &Args<'_>, _: u32) -> Result<Answer, Stop> {
    Ok(Answer::Int(m.object_around(args.int(0)).map_or(0, |(_, size)| size)))
}

fn offset(m: &mut Machine<'_>, args: &Args<'_>, _: u32) -> Result<Answer, Stop> {
    let base = m.object_around(args.int(0)).map_or(0, |(base, _)| base);
    Ok(Answer::Int(args.int(0).wrapping_sub(base)))
}

fn same(m: &mut Machine<'_>, args: &Args<'_>, _: u32) -> Result<Answer, Stop> {
    let base = |address: u64| m.object_around(address).map(|(base, _)| base);
    Ok(Answer::Int((base(args.int(0)) == base(args.int(1))).into()))
}

fn dynamic(m: &mut Machine<'_>, args: &Args<'_>, _: u32) -> Result<Answer, Stop> {
    let heap = m.memory.blocks.block_near(args.int(0)).is_some();
    Ok(Answer::Int(heap.into()))
}

/// Objects from now on are new in a function.
fn enter(m: &mut Machine<'_>, args: &Args<'_>, _: u32) -> Result<Answer, Stop> {
    let there = (m.stack_top(), m.memory.blocks.allocations());
    m.entered.insert(args.int(0), there);
    Ok(Answer::Nothing)
}

/// Whether an object came into being since a function was entered.
fn is_new(m: &mut Machine<'_>, args: &Args<'_>, _: u32) -> Result<Answer, Stop> {
    let (number, address) = (args.int(0), args.int(1));
    let new = m.entered.get(&number).is_some_and(|&(top, blocks)| {
        let block = m.memory.blocks.block_near(address);
        let above = address.checked_sub(m.memory.stack.base).is_some_and(|at| at >= u64::from(top));
        block.map_or(above, |(_, block)| block.number > blocks)
    });
    Ok(Answer::Int(new.into()))
}

/// What is made arbitrary was never set, as far as is known.
fn havoc_slice(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let (address, size) = (args.int(0), m.size_arg(args, 1));
    if let Err(fault) = m.memory.forget(address, size) {
        return Err(m.fault(fault, "made arbitrary", pc));
    }
    Ok(Answer::Nothing)
}

fn havoc_object(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    if let Some((base, size)) = m.object_around(args.int(0))
        && let Err(fault) = m.memory.forget(base, size)
    {
        return Err(m.fault(fault, "made arbitrary", pc));
    }
    Ok(Answer::Nothing)
}

/// Equal arguments give equal results; a result that is not known yet is an input.
fn uninterpreted(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let name = m.unit[args.function].name.clone();
    let key = (name.clone(), args.values.clone());
    if let Some(&bits) = m.uninterpreted.get(&key) {
        return Ok(Answer::Wide(bits));
    }
    let Ok(Kind::Int(k)) = Kind::of(m.unit, args.result_type) else {
        return Err(m.unsupported(format!("a result of the type that `{name}` returns"), pc));
    };
    let Some(input) = m.inputs.next(&name, k.bits()) else {
        return Err(Box::new(Outcome::OutOfInputs { function: name, at: m.position(pc) }));
    };
    let bits = if args.result_type == Type::Bool { input & 1 } else { k.normal_wide(input) };
    m.uninterpreted.insert(key, bits);
    Ok(Answer::Wide(bits))
}

impl Machine<'_> {
    /// The object that an address is in or just behind: where it begins, and its size.
    fn object_around(&self, address: u64) -> Option<(u64, u64)> {
        if address == 0 {
            return None;
        }
        self.extent_at(address)
    }

    /// Whether an address is in an object that lives, or just behind one.
    fn is_live_or_behind(&self, address: u64) -> bool {
        let live = |address: u64| self.memory.check(address, 1, false).is_ok();
        live(address) || live(address.wrapping_sub(1))
    }
}
