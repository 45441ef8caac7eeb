//! Places of the machine at given addresses: a load from there is an input, and a store changes nothing that the program
//! can see.

use crate::tree::{
    AssignOp, Callee, ExprId, ExprKind, Growing, PlaceId, PlaceKind, Position, Type, Unit, vocabulary,
};

/// A program whose accesses to addresses in some ranges, first and last, are none.
pub(crate) fn as_inputs(unit: Unit, devices: &[(u64, u64)]) -> Unit {
    if devices.is_empty() {
        return unit;
    }
    let mut tree = Growing::new(unit);
    for e in tree.unit.exprs().collect::<Vec<_>>() {
        let (ty, at) = (tree.unit[e].ty, tree.unit[e].at);
        let is_one = |tree: &Growing, place: PlaceId| {
            let scalar = tree.unit[place].ty.int().is_some();
            scalar
                && address(&tree.unit, place)
                    .is_some_and(|a| devices.iter().any(|&(low, high)| low <= a && a <= high))
        };
        let new = match tree.unit[e].kind {
            ExprKind::Load(place) if is_one(&tree, place) => input(&mut tree, ty, at),
            ExprKind::Assign { place, op, value } if is_one(&tree, place) => match op {
                None => value,
                Some(AssignOp::Arith(op, wide)) => {
                    let read = input(&mut tree, ty, at);
                    let left = tree.convert(read, wide);
                    // A shift's right operand has a type of its own.
                    let sum = tree.expr(ExprKind::Arith(op, left, value), wide, at);
                    tree.convert(sum, ty)
                }
                Some(AssignOp::Pointer { .. }) => continue,
            },
            ExprKind::Step { place, .. } if is_one(&tree, place) => input(&mut tree, ty, at),
            _ => continue,
        };
        let new = tree.unit[new].clone();
        tree.unit.exprs[e.index()] = crate::tree::Expr { ty, ..new };
    }
    tree.unit
}

/// Any value of a type.
fn input(tree: &mut Growing, ty: Type, at: Position) -> ExprId {
    let int = ty.int().unwrap_or(tamis_program::IntType { bits: 8, signed: false });
    let sign = if int.signed { "int" } else { "uint" };
    let name = format!("{}volatile_{sign}{}", vocabulary::INPUT, int.bits);
    let function = tree.declare(&name, Type::Int(int), Vec::new(), at);
    let call = ExprKind::Call { callee: Callee::Function(function), args: Vec::new() };
    let call = tree.expr(call, Type::Int(int), at);
    tree.convert(call, ty)
}

/// The address of the object that a place is in or begins at, if the program gives it as a number.
fn address(unit: &Unit, place: PlaceId) -> Option<u64> {
    match unit[place].kind {
        PlaceKind::Deref(pointer) => number(unit, pointer),
        PlaceKind::Member { base, field } => {
            let Type::Record(record) = unit[base].ty else { return None };
            Some(address(unit, base)?.wrapping_add(unit[record].fields[field as usize].offset))
        }
        PlaceKind::Index { base, index } => {
            let start = address(unit, base)?;
            let size = unit.size_of(unit[place].ty)?;
            let index = if let ExprKind::Const(index) = unit[index].kind { index as u64 } else { 0 };
            Some(start.wrapping_add(index.wrapping_mul(size)))
        }
        _ => None,
    }
}

/// A pointer that is a number.
fn number(unit: &Unit, e: ExprId) -> Option<u64> {
    match unit[e].kind {
        ExprKind::Const(value) => Some(value as u64),
        ExprKind::Convert(a) => number(unit, a),
        ExprKind::AddressOf(place) => address(unit, place),
        ExprKind::PointerAdd { pointer, index, subtract, scale } => {
            let start = number(unit, pointer)?;
            let ExprKind::Const(index) = unit[index].kind else { return None };
            let distance = (index as u64).wrapping_mul(scale);
            Some(if subtract { start.wrapping_sub(distance) } else { start.wrapping_add(distance) })
        }
        ExprKind::Arith(crate::tree::ArithOp::Add, a, b) => {
            Some(number(unit, a)?.wrapping_add(number(unit, b)?))
        }
        _ => None,
    }
}
