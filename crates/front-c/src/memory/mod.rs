//! Which lvalues may be the same memory, decided before the translation begins.
//!
//! A scalar variable whose address is never taken is a variable of the program. The rest of memory is split into
//! *regions*: two accesses of different regions never touch the same byte, as long as no pointer leaves the object it was
//! made for. Each region is one array in the program, indexed by address.
//!
//! - A unification-based points-to analysis with byte offsets (`nodes`, `analysis`) visits the tree once, whoever calls
//!   whom. A node stands for objects that it cannot tell apart; pointers that meet merge their nodes; a pointer that
//!   moves by an unknown distance folds its node: all of it repeats after that distance. Calls through pointers are resolved by the same
//!   analysis.
//! - An array that is a member of a structure is a node of its own (`parts`): an index into it folds nothing else.
//! - Functions are copied for their callers before that (`tree::contexts`), as far as the program stays small: calls are
//!   expanded in the end anyway, and what the pointers of a function point to is then known for each call by itself.
//! - Bits of a node that are accessed together are a region (`regions`): an array of cells where all accesses agree on place
//!   and width, an array of bytes otherwise.
//! - Integers as wide as an address are followed like pointers. What is computed from addresses otherwise than by adding
//!   to one is a *number* (`analysis::number`): taken as an address again, it may point to every object whose address became
//!   a number.

mod analysis;
mod doubt;
mod lasting;
mod nodes;
mod parts;
mod regions;
mod split;
mod touches;

pub(crate) use analysis::{
    Callees, Library, Thing, field_of, is_aggregate, library, member_array, plus, width,
};
pub(crate) use doubt::Doubt;
pub(crate) use lasting::Lasting;
pub(crate) use nodes::Pointer;
pub(crate) use parts::{Extent, OPEN};
pub(crate) use regions::{Cell, Layout, Memory, RegionId, SMALL_PIECE, Shown, is_plain};
pub(crate) use touches::Touches;

use crate::tree::{ArithOp, ExprId, ExprKind, PlaceId, PlaceKind, Type, Unit};

/// The value of an expression that is plainly constant.
pub(crate) fn constant(unit: &Unit, e: ExprId) -> Option<i128> {
    let int = unit[e].ty.int()?;
    let raw = match unit[e].kind {
        ExprKind::Const(value) => value,
        ExprKind::Neg(a) => constant(unit, a)?.wrapping_neg(),
        ExprKind::Convert(a) if unit[e].ty == Type::Bool => i128::from(constant(unit, a)? != 0),
        ExprKind::Convert(a) => constant(unit, a)?,
        ExprKind::AddressOf(place) => constant_address(unit, place)?,
        _ => return None,
    };
    let bits = tamis_logic::Bits::from_signed(int.bits, raw);
    // An unsigned 128-bit value above the signed range is not told apart from a negative one: no caller needs it.
    Some(if unit[e].ty.extends_sign() { bits.signed() } else { bits.unsigned() as i128 })
}

/// Whether an expression is computed from constants alone.
pub(crate) fn is_constant(unit: &Unit, e: ExprId) -> bool {
    match unit[e].kind {
        ExprKind::Const(_) | ExprKind::Float(_) => true,
        ExprKind::Neg(a) | ExprKind::BitNot(a) | ExprKind::Not(a) | ExprKind::Convert(a) => {
            is_constant(unit, a)
        }
        ExprKind::Arith(_, a, b) | ExprKind::Compare(_, a, b) => is_constant(unit, a) && is_constant(unit, b),
        _ => constant(unit, e).is_some(),
    }
}

/// The address of a place that is found from a number, as in `&((struct s *)0)->member`.
fn constant_address(unit: &Unit, place: PlaceId) -> Option<i128> {
    match unit[place].kind {
        PlaceKind::Deref(pointer) => constant(unit, pointer),
        PlaceKind::Member { base, field } => match unit[base].ty {
            Type::Record(record) => {
                let offset = unit[record].fields[field as usize].offset;
                Some(constant_address(unit, base)? + i128::from(offset))
            }
            _ => None,
        },
        PlaceKind::Index { base, index } => {
            let size = unit.size_of(unit[place].ty)?;
            let index = constant(unit, index)?;
            constant_address(unit, base)?.checked_add(index.checked_mul(i128::from(size))?)
        }
        _ => None,
    }
}

/// The address and the mask in `(T *)((uintptr_t)p & mask)`, by what is converted and to what: a mask that is computed is
/// either all ones or 0 where a program guards against speculation, and the address is `p` then, or null.
pub(crate) fn masked(unit: &Unit, a: ExprId, to: Type) -> Option<(ExprId, ExprId)> {
    let whole = |e: ExprId| unit[e].ty.int().is_some_and(|int| int.bits == unit.word());
    let (ExprKind::Arith(ArithOp::And, left, right), true, true) = (&unit[a].kind, to.is_pointer(), whole(a))
    else {
        return None;
    };
    let address = |e: ExprId| match unit[e].kind {
        ExprKind::Convert(p) if unit[p].ty.is_pointer() && constant(unit, p).is_none() => Some(p),
        _ => None,
    };
    match (address(*left), address(*right)) {
        (Some(p), None) if constant(unit, *right).is_none() => Some((p, *right)),
        (None, Some(p)) if constant(unit, *left).is_none() => Some((p, *left)),
        _ => None,
    }
}
