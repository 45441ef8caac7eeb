//! Where a program could see at which addresses its objects are.
//!
//! Objects get fixed addresses, which is one layout of many. A conversion of an address to an integer shows it, unless
//! all that happens to the integer is the same in every layout: it becomes an address again, is tested for null, or is
//! compared for equality. Any other such conversion gives an arbitrary number.

use crate::memory::constant;
use crate::tree::{CompareOp, ExprId, ExprKind, Type, Unit};
use rustc_hash::FxHashSet;

/// The conversions that would show an address.
pub(super) fn exposed(unit: &Unit) -> FxHashSet<ExprId> {
    let converts = |e: ExprId| match unit[e].kind {
        ExprKind::Convert(a) => {
            let number = constant(unit, a).is_some();
            unit[a].ty.is_pointer() && matches!(unit[e].ty, Type::Int(_)) && !number
        }
        _ => false,
    };
    let wide = |e: ExprId| unit[e].ty.int().is_some_and(|int| int.bits >= unit.word());
    let mut exposed: FxHashSet<ExprId> = unit.expressions().filter(|&e| converts(e)).collect();
    if exposed.is_empty() {
        return exposed;
    }
    for e in unit.expressions() {
        let harmless: &[ExprId] = match unit[e].kind {
            ExprKind::Convert(a) if unit[e].ty.is_pointer() || unit[e].ty == Type::Bool => &[a],
            ExprKind::Convert(a) if unit[e].ty == Type::Void => &[a],
            ExprKind::Not(a) => &[a],
            ExprKind::Compare(CompareOp::Eq | CompareOp::Ne, a, b) => {
                let fixed = |e: ExprId| converts(e) || constant(unit, e) == Some(0);
                if fixed(a) && fixed(b) { &[a, b] } else { &[] }
            }
            // Error codes are the highest addresses, where no object is.
            ExprKind::Compare(_, a, b) => {
                let signed = unit[a].ty.extends_sign() && unit.word() == 32;
                let limit = |e: ExprId| !signed && constant(unit, e).is_some_and(|c| beyond(unit, c));
                if limit(b) {
                    &[a]
                } else if limit(a) {
                    &[b]
                } else {
                    &[]
                }
            }
            _ => &[],
        };
        for a in harmless {
            // A narrower number shows the lower part.
            if wide(*a) {
                exposed.remove(a);
            }
        }
    }
    exposed
}

/// Whether every object is on the same side of an address. No system puts one into the first page, but programs are
/// written that assume just that of what is allocated: only null is told apart there.
pub(super) fn beyond(unit: &Unit, address: i128) -> bool {
    let top: i128 = if unit.word() == 32 { 0xffff_f000 } else { 0x7fff_ffff_0000_0000 };
    let modulus = 1i128 << unit.word();
    let address = address.rem_euclid(modulus);
    address <= 1 || address > top
}
