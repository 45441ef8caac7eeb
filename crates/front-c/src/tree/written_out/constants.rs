//! Which variables hold which constants.

use crate::tree::{ArithOp, CompareOp, ExprId, ExprKind, ObjectId, PlaceKind, Type, Unit};
use rustc_hash::FxHashMap;
use tamis_logic::Bits;
use tamis_program::IntType;

/// What is known of variables at a point of a function.
#[derive(Clone, Default)]
pub(super) struct Known {
    values: FxHashMap<ObjectId, i128>,
    /// Whether control does not come there.
    pub(super) dead: bool,
}

impl Known {
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub(super) fn get(&self, object: ObjectId) -> Option<i128> {
        self.values.get(&object).copied()
    }

    /// A variable gets a value, which is converted to its type.
    pub(super) fn set(&mut self, unit: &Unit, object: ObjectId, value: i128) {
        match number(unit[object].ty) {
            Some(int) => self.values.insert(object, normal(int, value)),
            None => self.values.remove(&object),
        };
    }

    pub(super) fn forget(&mut self, objects: impl IntoIterator<Item = ObjectId>) {
        for object in objects {
            self.values.remove(&object);
        }
    }

    pub(super) fn forget_all(&mut self) {
        self.values.clear();
    }

    /// What is known on both of two ways that meet.
    pub(super) fn meet(self, other: Known) -> Known {
        match (self.dead, other.dead) {
            (true, _) => other,
            (_, true) => self,
            _ => {
                let mut both = self;
                both.values.retain(|object, value| other.get(*object) == Some(*value));
                both
            }
        }
    }

    /// The value of an expression that changes nothing, if it is known. Wider numbers than 64 bits are not.
    pub(super) fn value(&self, unit: &Unit, e: ExprId) -> Option<i128> {
        let truth = |known: Option<i128>| known.map(|value| value != 0);
        let ty = unit[e].ty;
        match unit[e].kind {
            ExprKind::Const(value) => Some(normal(number(ty)?, value)),
            ExprKind::Load(place) => match unit[place].kind {
                PlaceKind::Object(object) => self.get(object),
                _ => None,
            },
            ExprKind::Convert(a) => {
                let value = self.value(unit, a)?;
                match ty {
                    Type::Bool => Some(i128::from(value != 0)),
                    _ => Some(normal(number(ty)?, value)),
                }
            }
            ExprKind::Neg(a) => Some(normal(number(ty)?, -self.value(unit, a)?)),
            ExprKind::BitNot(a) => Some(normal(number(ty)?, !self.value(unit, a)?)),
            ExprKind::Not(a) => Some(i128::from(self.value(unit, a)? == 0)),
            ExprKind::Arith(op, a, b) => arith(op, number(ty)?, self.value(unit, a)?, self.value(unit, b)?),
            ExprKind::Compare(op, a, b) => {
                let (a, b) = (self.value(unit, a)?, self.value(unit, b)?);
                let holds = match op {
                    CompareOp::Lt => a < b,
                    CompareOp::Gt => a > b,
                    CompareOp::Le => a <= b,
                    CompareOp::Ge => a >= b,
                    CompareOp::Eq => a == b,
                    CompareOp::Ne => a != b,
                };
                Some(i128::from(holds))
            }
            ExprKind::LogAnd(a, b) => match truth(self.value(unit, a))? {
                true => truth(self.value(unit, b)).map(i128::from),
                false => Some(0),
            },
            ExprKind::LogOr(a, b) => match truth(self.value(unit, a))? {
                true => Some(1),
                false => truth(self.value(unit, b)).map(i128::from),
            },
            ExprKind::Cond { cond, then, otherwise } => {
                let side = if self.value(unit, cond)? != 0 { then } else { otherwise };
                self.value(unit, side)
            }
            _ => None,
        }
    }
}

/// The type of a number that is followed. Addresses are not.
pub(super) fn number(ty: Type) -> Option<IntType> {
    match ty {
        Type::Bool => ty.int(),
        Type::Int(int) => Some(int).filter(|int| int.bits <= 64),
        _ => None,
    }
}

/// A number modulo the width of a type, as a value of the type.
fn normal(int: IntType, value: i128) -> i128 {
    let bits = Bits::from_signed(int.bits, value);
    if int.signed { bits.signed() } else { bits.unsigned() as i128 }
}

/// The result of an operation whose operands are values of its type, where the machine gives one.
pub(super) fn arith(op: ArithOp, int: IntType, a: i128, b: i128) -> Option<i128> {
    let amount = u32::try_from(b).ok().filter(|&b| b < int.bits);
    let least = int.signed && a == -(1 << (int.bits - 1)) && b == -1;
    let result = match op {
        ArithOp::Add => a + b,
        ArithOp::Sub => a - b,
        ArithOp::Mul => a.wrapping_mul(b),
        ArithOp::Div | ArithOp::Rem if b == 0 || least => return None,
        ArithOp::Div => a / b,
        ArithOp::Rem => a % b,
        ArithOp::Shl => a.wrapping_shl(amount?),
        ArithOp::Shr => a >> amount?,
        ArithOp::And => a & b,
        ArithOp::Or => a | b,
        ArithOp::Xor => a ^ b,
    };
    Some(normal(int, result))
}
