//! Expressions.

use super::{Checked, ensure};
use crate::tree::{ArithOp, AssignOp, Callee, Expr, ExprId, ExprKind, FloatType, PlaceId, Type, Unit};

impl Unit {
    pub(super) fn check_expr(&self, expr: &Expr) -> Checked {
        let ty = expr.ty;
        ensure(!matches!(ty, Type::Array(_) | Type::Function(_)), || {
            "array or function that has not become a pointer".to_owned()
        })?;
        match &expr.kind {
            ExprKind::Const(_) => ensure(ty.int().is_some(), || "constant of this type".to_owned()),
            ExprKind::Float(bits) => self.check_float(ty, *bits),
            ExprKind::Load(place) => {
                self.same(self[*place].ty, ty, "load")?;
                ensure(!matches!(ty, Type::Void | Type::Other(_)), || "load of no value".to_owned())
            }
            ExprKind::AddressOf(place) => self.check_address(*place, ty),
            ExprKind::FunctionAddress(function) => {
                let to = self.pointee(ty);
                ensure(to == Some(Type::Function(self[*function].signature)), || {
                    "address of a function of another type".to_owned()
                })
            }
            ExprKind::LabelAddress(_) | ExprKind::Alloca(_) => self.pointer(ty),
            ExprKind::Neg(e) | ExprKind::BitNot(e) | ExprKind::Magnitude(e) => {
                ensure(!ty.is_pointer(), || "arithmetic on a pointer".to_owned())?;
                self.operand(*e, ty)
            }
            ExprKind::SwapBytes(e) => {
                ensure(matches!(ty, Type::Int(_)), || "bytes of what is no integer swapped".to_owned())?;
                self.operand(*e, ty)
            }
            ExprKind::Not(e) => self.truth(*e).and_then(|()| self.integer(ty)),
            ExprKind::Arith(op, left, right) => self.check_arith(*op, *left, *right, ty),
            ExprKind::PointerAdd { pointer, index, .. } => {
                self.pointer(ty)?;
                self.operand(*pointer, ty)?;
                ensure(self.is_int(*index), || "index that is no integer".to_owned())
            }
            ExprKind::PointerDiff { left, right, scale } => {
                ensure(*scale > 0, || "difference in elements without a size".to_owned())?;
                self.pointer(self.type_of(*left))?;
                self.operand(*right, self.type_of(*left)).and_then(|()| self.integer(ty))
            }
            ExprKind::Compare(_, left, right) => {
                self.truth(*left)?;
                self.operand(*right, self.type_of(*left)).and_then(|()| self.integer(ty))
            }
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                self.truth(*a)?;
                self.truth(*b).and_then(|()| self.integer(ty))
            }
            ExprKind::Convert(e) => self.check_convert(*e, ty),
            ExprKind::Assign { place, op, value } => self.check_assign(*place, *op, *value, ty),
            ExprKind::Step { place, .. } => {
                self.same(self[*place].ty, ty, "step")?;
                ensure(ty.int().is_some() || matches!(ty, Type::Float(_)), || "step of no scalar".to_owned())
            }
            ExprKind::Cond { cond, then, otherwise } => {
                self.truth(*cond)?;
                self.operand(*then, ty)?;
                self.operand(*otherwise, ty)
            }
            ExprKind::Elvis { value, then, otherwise } => {
                self.truth(*value)?;
                self.operand(*then, ty)?;
                self.operand(*otherwise, ty)
            }
            ExprKind::Comma(_, b) => self.operand(*b, ty),
            ExprKind::Call { callee, args } => self.check_call(*callee, args, ty),
            ExprKind::Block { value: Some(value), .. } => self.operand(*value, ty),
            ExprKind::Block { value: None, .. } => {
                ensure(ty == Type::Void, || "statement expression without its value".to_owned())
            }
            ExprKind::BitCount(_, e) => {
                ensure(self.is_int(*e), || "bits of what is no integer counted".to_owned())?;
                self.integer(ty)
            }
            ExprKind::Overflow { operands, result, stores, .. } => {
                let all = operands.iter().all(|&o| self.is_int(o));
                ensure(all, || "overflow of what is no integer".to_owned())?;
                let to = self.type_of(*result);
                let to = if *stores { self.pointee(to) } else { Some(to) };
                ensure(to.is_some_and(|to| matches!(to, Type::Bool | Type::Int(_))), || {
                    "overflow into what is no integer".to_owned()
                })?;
                self.integer(ty)
            }
            ExprKind::VaStart(list) | ExprKind::VaEnd(list) | ExprKind::VaArg(list) => {
                self.pointer_operand(*list)
            }
            ExprKind::VaCopy(to, from) => {
                self.pointer_operand(*to)?;
                self.pointer_operand(*from)
            }
            ExprKind::Bound | ExprKind::Trap | ExprKind::Unreachable | ExprKind::Unsupported(_) => Ok(()),
        }
    }

    fn check_float(&self, ty: Type, bits: u128) -> Checked {
        let width = match ty {
            Type::Float(FloatType::Half) => 16,
            Type::Float(FloatType::Single) => 32,
            Type::Float(FloatType::Double) => 64,
            Type::Float(FloatType::Extended) => 80,
            Type::Float(FloatType::Quad) => return Ok(()),
            _ => return Err("floating-point constant of another type".to_owned()),
        };
        ensure(bits >> width == 0, || "floating-point constant with too many bits".to_owned())
    }

    fn check_address(&self, place: PlaceId, ty: Type) -> Checked {
        ensure(!self.is_bit_field(place), || "address of a bit-field".to_owned())?;
        let object = self[place].ty;
        let element = match object {
            Type::Array(array) => Some(self[array].element),
            _ => None,
        };
        let to = self.pointee(ty);
        ensure(to == Some(object) || (to.is_some() && to == element), || {
            format!("address of {} as {}", self.spell(object), self.spell(ty))
        })
    }

    fn check_arith(&self, op: ArithOp, left: ExprId, right: ExprId, ty: Type) -> Checked {
        self.operand(left, ty)?;
        match (op, ty) {
            (ArithOp::Shl | ArithOp::Shr, Type::Int(_)) => {
                ensure(self.is_int(right), || "shift by what is no integer".to_owned())
            }
            (ArithOp::Add | ArithOp::Sub | ArithOp::Mul | ArithOp::Div, Type::Float(_))
            | (_, Type::Int(_)) => self.operand(right, ty),
            _ => Err(format!("{op:?} on {}", self.spell(ty))),
        }
    }

    fn check_convert(&self, from: ExprId, ty: Type) -> Checked {
        let number = |ty: Type| matches!(ty, Type::Float(_));
        let from_ty = self.type_of(from);
        let taken = ty == Type::Void
            || self.is_unsupported(from)
            || (from_ty.int().is_some() && (ty.int().is_some() || number(ty)))
            || (number(from_ty) && (number(ty) || matches!(ty, Type::Bool | Type::Int(_))));
        ensure(taken && !(from_ty.is_pointer() && number(ty)), || {
            format!("conversion of {} to {}", self.spell(from_ty), self.spell(ty))
        })
    }

    fn check_assign(&self, place: PlaceId, op: Option<AssignOp>, value: ExprId, ty: Type) -> Checked {
        let own = self[place].ty;
        self.same(own, ty, "assignment")?;
        match op {
            None => self.operand(value, own),
            Some(AssignOp::Arith(ArithOp::Shl | ArithOp::Shr, _)) => {
                ensure(self.is_int(value), || "shift by what is no integer".to_owned())
            }
            Some(AssignOp::Arith(_, computation)) => self.operand(value, computation),
            Some(AssignOp::Pointer { .. }) => {
                self.pointer(own)?;
                ensure(self.is_int(value), || "index that is no integer".to_owned())
            }
        }
    }

    fn check_call(&self, callee: Callee, args: &[ExprId], ty: Type) -> Checked {
        let signature = match callee {
            Callee::Function(function) if self[function].refused.is_some() => return Ok(()),
            Callee::Function(function) => self[function].signature,
            Callee::Pointer(pointer, signature) => {
                self.pointer_operand(pointer)?;
                signature
            }
        };
        let signature = &self[signature];
        self.same(signature.result, ty, "call")?;
        let Some(params) = &signature.params else { return Ok(()) };
        let counted =
            if signature.variadic { args.len() >= params.len() } else { args.len() == params.len() };
        ensure(counted, || format!("{} arguments for {} parameters", args.len(), params.len()))?;
        args.iter().zip(params).try_for_each(|(&arg, &param)| self.operand(arg, param))
    }

    fn operand(&self, expr: ExprId, ty: Type) -> Checked {
        let unsupported = self.is_unsupported(expr);
        ensure(unsupported || self.type_of(expr) == ty, || {
            format!("operand of {} where {} is due", self.spell(self.type_of(expr)), self.spell(ty))
        })
    }

    fn same(&self, found: Type, wanted: Type, what: &str) -> Checked {
        ensure(found == wanted, || format!("{what} of {} as {}", self.spell(found), self.spell(wanted)))
    }

    fn truth(&self, expr: ExprId) -> Checked {
        ensure(self.is_scalar(expr), || format!("{} where a scalar is due", self.spell(self.type_of(expr))))
    }

    fn integer(&self, ty: Type) -> Checked {
        ensure(matches!(ty, Type::Bool | Type::Int(_)), || format!("truth as {}", self.spell(ty)))
    }

    fn pointer(&self, ty: Type) -> Checked {
        ensure(ty.is_pointer(), || format!("{} where a pointer is due", self.spell(ty)))
    }

    fn pointer_operand(&self, expr: ExprId) -> Checked {
        if self.is_unsupported(expr) { Ok(()) } else { self.pointer(self.type_of(expr)) }
    }
}
