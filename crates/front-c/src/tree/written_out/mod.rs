//! Loops over the bytes of a record, written out for its size.
//!
//! `for (i = 0; i < sizeof s; i++) if (((char *)&s)[i]) …` reads a structure by an index. An index that may be anything may
//! lead to any member, and the analysis of [`memory`](crate::memory) then keeps the whole structure as bytes, for all who use
//! it. But the size is a constant. So variables that hold constants are replaced by these, and loops whose rounds are counted by
//! constants are written out, round by round: every access then has one place, as if the program named the members. That is
//! done where a function indexes a record as something else, and where it is handed one with a constant, as in `is_zero(&s,
//! sizeof s)`: in the copy of the function that belongs to the call ([`contexts`](super::contexts)).
//!
//! Nothing else changes: a variable is replaced where its value is known on all ways, and a loop is written out only if it
//! ends by its condition or by a `return`.

mod constants;
mod gather;
mod rounds;

use super::{Callee, ExprId, ExprKind, FunctionId, ObjectId, PlaceKind, StmtId, Type, Unit};
use crate::memory::constant;
use constants::Known;
use gather::Gather;
use rounds::Rounds;
use rustc_hash::{FxHashMap, FxHashSet};

/// So many nodes are added to a program at most.
const ADDED_LIMIT: usize = 100_000;

/// Writes out the functions that look at the bytes of records.
pub(crate) fn for_records(program: &mut Unit) {
    let mut calls: FxHashMap<FunctionId, usize> = FxHashMap::default();
    let mut work = Vec::new();
    for e in program.exprs() {
        match program[e].kind {
            ExprKind::Call { callee: Callee::Function(function), .. } => {
                *calls.entry(function).or_default() += 1;
                work.push((e, FxHashSet::default()));
            }
            // Calls of these are not all known.
            ExprKind::FunctionAddress(function) => *calls.entry(function).or_default() += 2,
            _ => {}
        }
    }
    // What is called stands behind what calls it.
    work.reverse();
    let most = program.exprs.len() + ADDED_LIMIT;
    for function in program.functions() {
        let Some(body) = program[function].body else { continue };
        if Gather::of_stmt(program, body).indexes_record {
            written_out(program, body, &mut Known::default(), most, &mut calls);
        }
    }
    while let Some((call, records)) = work.pop() {
        let ExprKind::Call { callee: Callee::Function(function), ref args } = program[call].kind else {
            continue;
        };
        let Some(body) = program[function].body.filter(|_| calls.get(&function) == Some(&1)) else {
            continue;
        };
        let is_odd = program[function].params.len() != args.len() || program[function].variadic;
        if is_odd || program.main == Some(function) {
            continue;
        }
        let (mut known, mut bytes) = (Known::default(), FxHashSet::default());
        for (&param, &arg) in program[function].params.iter().zip(args) {
            if is_record_as_bytes(program, arg, &records) {
                bytes.insert(param);
            } else if let (Type::Int(_), Some(value)) = (program[param].ty, constant(program, arg)) {
                known.set(program, param, value);
            }
        }
        if bytes.is_empty() || known.is_empty() {
            continue;
        }
        // The function is done; what it calls may be handed the same, where it still calls it once.
        calls.insert(function, 0);
        let called = written_out(program, body, &mut known, most, &mut calls);
        work.extend(called.into_iter().map(|call| (call, bytes.clone())));
    }
}

/// Writes out the loops of a body; the calls in it then, of which there may be more.
fn written_out(
    program: &mut Unit,
    body: StmtId,
    known: &mut Known,
    most: usize,
    calls: &mut FxHashMap<FunctionId, usize>,
) -> Vec<ExprId> {
    let gathered = Gather::of_stmt(program, body);
    // Other ways than those of structured code, and expressions in two places, are not followed.
    if gathered.jumps || gathered.shared || program.exprs.len() > most {
        return Vec::new();
    }
    // What may change without being named is no constant.
    known.forget(gathered.addressed.iter().copied());
    let before = gathered.calls;
    Rounds::new(program, gathered.addressed, most).stmt(body, known);
    let after = Gather::of_stmt(program, body).calls;
    let called = |call: &ExprId| match program[*call].kind {
        ExprKind::Call { callee: Callee::Function(function), .. } => Some(function),
        _ => None,
    };
    after.iter().filter_map(called).for_each(|f| *calls.entry(f).or_default() += 1);
    for f in before.iter().filter_map(called) {
        calls.entry(f).and_modify(|count| *count -= 1);
    }
    after
}

/// Whether a pointer is converted from one to a record, or is a parameter that is.
pub(super) fn is_record_as_bytes(unit: &Unit, arg: ExprId, records: &FxHashSet<ObjectId>) -> bool {
    let is_record = |ty: Type| matches!(unit.pointee(ty), Some(Type::Record(_)));
    let mut at = arg;
    while let ExprKind::Convert(inner) = unit[at].kind
        && unit[inner].ty.is_pointer()
    {
        at = inner;
    }
    match unit[at].kind {
        _ if is_record(unit[arg].ty) || !unit[arg].ty.is_pointer() => false,
        _ if is_record(unit[at].ty) => true,
        ExprKind::Load(place) => {
            matches!(unit[place].kind, PlaceKind::Object(object) if records.contains(&object))
        }
        _ => false,
    }
}
