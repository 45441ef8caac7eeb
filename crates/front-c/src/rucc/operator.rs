//! Operators, with pointer arithmetic scaled by the size of what is pointed to.

use super::expression::unsupported;
use super::lower::Lower;
use crate::tree::{ArithOp, AssignOp, CompareOp, ExprId, ExprKind, Position, Type};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_types::{LayoutError, TypeId, pointee};

/// By how much a pointer moves for each element.
enum Scale {
    Bytes(u64),
    /// The pointer is to a variable-length array, of this size.
    Computed(ExprId),
}

impl Lower<'_> {
    pub(super) fn unary(
        &mut self,
        op: UnaryOp,
        operand: rucc_sema::ExprId,
        ty: Type,
        at: Position,
    ) -> ExprId {
        let steps = matches!(op, UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec);
        if !steps && rucc_types::is_vector(self.types, self.tast[operand].ty) {
            let value = self.expr(operand);
            return if op == UnaryOp::Plus { value } else { self.vector_unary(op, value, ty, at) };
        }
        let kind = match op {
            UnaryOp::Plus => return self.converted(operand, ty),
            UnaryOp::Minus => ExprKind::Neg(self.converted(operand, ty)),
            UnaryOp::BitNot => ExprKind::BitNot(self.converted(operand, ty)),
            UnaryOp::Not => ExprKind::Not(self.expr(operand)),
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                return self.step(op, operand, ty, at);
            }
            UnaryOp::AddrOf => return self.address(operand, ty, at),
            UnaryOp::Real | UnaryOp::Imag => unsupported("complex number"),
            UnaryOp::Deref => unsupported("this lvalue"),
        };
        self.add_expr(kind, ty, at)
    }

    fn step(&mut self, op: UnaryOp, operand: rucc_sema::ExprId, ty: Type, at: Position) -> ExprId {
        let up = matches!(op, UnaryOp::PreInc | UnaryOp::PostInc);
        let target = self.tast[operand].ty;
        let place = match self.place(operand) {
            Ok(place) => place,
            Err(what) => return self.unsupported(what, ty, at),
        };
        if self.lanes_of(self.unit[place].ty).is_some() {
            let post = op.is_postfix();
            let own = self.unit[place].ty;
            let (op, ones) = (if up { ArithOp::Add } else { ArithOp::Sub }, self.ones(own, at));
            return self.vector_update(op, place, ones, post, at);
        }
        let by = if self.is_pointer(target) {
            match self.scale(target, at) {
                Ok(Scale::Bytes(bytes)) => bytes,
                Ok(Scale::Computed(size)) => {
                    // `p++` is `(p += 1) - 1`.
                    let (own, difference) = (self.unit[place].ty, self.difference_type());
                    let value = self.convert(size, difference);
                    let assign = Some(AssignOp::Pointer { subtract: !up, scale: 1 });
                    let stepped = self.add_expr(ExprKind::Assign { place, op: assign, value }, own, at);
                    return if op.is_postfix() { self.byte_offset(stepped, value, up, at) } else { stepped };
                }
                Err(what) => return self.unsupported(what, ty, at),
            }
        } else {
            1
        };
        let own = self.unit[place].ty;
        let kind = ExprKind::Step { place, up, post: op.is_postfix(), by };
        let value = self.add_expr(kind, own, at);
        self.convert(value, ty)
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        lhs: rucc_sema::ExprId,
        rhs: rucc_sema::ExprId,
        ty: Type,
        at: Position,
    ) -> ExprId {
        let (left_type, right_type) = (self.tast[lhs].ty, self.tast[rhs].ty);
        let pointers = (self.is_pointer(left_type), self.is_pointer(right_type));
        let (left, right) = (self.expr(lhs), self.expr(rhs));
        let Some(op) = arith(op) else { return self.comparison(op, left, right, ty, at) };
        if self.lanes_of(ty).is_some() {
            return self.vector_arith(op, left, right, ty, at);
        }
        let result = match (op, pointers) {
            (ArithOp::Sub, (true, true)) => self.pointer_difference(left, right, left_type, ty, at),
            (ArithOp::Add | ArithOp::Sub, (true, false)) => {
                self.pointer_add(left, right, op == ArithOp::Sub, left_type, at)
            }
            (ArithOp::Add, (false, true)) => self.pointer_add(right, left, false, right_type, at),
            (_, (false, false)) => {
                let left = self.convert(left, ty);
                let shift = matches!(op, ArithOp::Shl | ArithOp::Shr);
                let right = if shift { right } else { self.convert(right, ty) };
                Ok(self.add_expr(ExprKind::Arith(op, left, right), ty, at))
            }
            _ => Err("this operator on pointers".to_owned()),
        };
        match result {
            Ok(value) => self.convert(value, ty),
            Err(what) => self.unsupported(what, ty, at),
        }
    }

    fn comparison(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        mut right: ExprId,
        ty: Type,
        at: Position,
    ) -> ExprId {
        let compare = match op {
            BinaryOp::Lt => CompareOp::Lt,
            BinaryOp::Gt => CompareOp::Gt,
            BinaryOp::Le => CompareOp::Le,
            BinaryOp::Ge => CompareOp::Ge,
            BinaryOp::Eq => CompareOp::Eq,
            BinaryOp::Ne => CompareOp::Ne,
            BinaryOp::LogAnd => return self.add_expr(ExprKind::LogAnd(left, right), ty, at),
            _ => return self.add_expr(ExprKind::LogOr(left, right), ty, at),
        };
        if self.lanes_of(self.unit[left].ty).is_some() {
            return self.vector_compare(compare, left, right, ty, at);
        }
        // Two pointers, or a pointer and an integer with a warning: addresses are compared.
        let (a, b) = (self.unit[left].ty, self.unit[right].ty);
        let mut left = left;
        if a != b && b.is_pointer() && !a.is_pointer() {
            left = self.convert(left, b);
        } else if a != b {
            right = self.convert(right, a);
        }
        self.add_expr(ExprKind::Compare(compare, left, right), ty, at)
    }

    pub(super) fn assign(
        &mut self,
        op: Option<BinaryOp>,
        computation: TypeId,
        lhs: rucc_sema::ExprId,
        rhs: rucc_sema::ExprId,
        ty: Type,
        at: Position,
    ) -> ExprId {
        let target = self.tast[lhs].ty;
        let place = match self.place(lhs) {
            Ok(place) => place,
            Err(what) => return self.unsupported(what, ty, at),
        };
        let own = self.unit[place].ty;
        let value = self.expr(rhs);
        let (op, value) = match op.map(arith) {
            None => (None, self.convert(value, own)),
            Some(Some(op @ (ArithOp::Add | ArithOp::Sub))) if self.is_pointer(target) => {
                let subtract = op == ArithOp::Sub;
                match self.scale(target, at) {
                    Ok(Scale::Bytes(scale)) => (Some(AssignOp::Pointer { subtract, scale }), value),
                    Ok(Scale::Computed(size)) => {
                        let bytes = self.product(value, size, at);
                        (Some(AssignOp::Pointer { subtract, scale: 1 }), bytes)
                    }
                    Err(what) => return self.unsupported(what, ty, at),
                }
            }
            Some(Some(op)) if self.lanes_of(own).is_some() => {
                return self.vector_update(op, place, value, false, at);
            }
            Some(Some(op)) => match self.value_ty(computation) {
                Type::Other(what) => return self.unsupported(what, ty, at),
                computation => {
                    let shift = matches!(op, ArithOp::Shl | ArithOp::Shr);
                    let value = if shift { value } else { self.convert(value, computation) };
                    (Some(AssignOp::Arith(op, computation)), value)
                }
            },
            Some(None) => return self.unsupported("this assignment operator", ty, at),
        };
        let value = self.add_expr(ExprKind::Assign { place, op, value }, own, at);
        self.convert(value, ty)
    }

    /// `pointer + index` or `pointer - index`, given the pointer's type.
    pub(super) fn pointer_add(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        subtract: bool,
        pointer_type: TypeId,
        at: Position,
    ) -> Result<ExprId, String> {
        let ty = self.unit[pointer].ty;
        match self.scale(pointer_type, at)? {
            Scale::Bytes(scale) => {
                Ok(self.add_expr(ExprKind::PointerAdd { pointer, index, subtract, scale }, ty, at))
            }
            Scale::Computed(size) => {
                let bytes = self.product(index, size, at);
                Ok(self.byte_offset(pointer, bytes, subtract, at))
            }
        }
    }

    /// A pointer moved by a number of bytes.
    pub(super) fn byte_offset(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        subtract: bool,
        at: Position,
    ) -> ExprId {
        let (ty, byte) = (self.unit[pointer].ty, self.byte());
        let bytes = self.pointer(byte);
        let pointer = self.convert(pointer, bytes);
        let moved = self.add_expr(ExprKind::PointerAdd { pointer, index, subtract, scale: 1 }, bytes, at);
        self.convert(moved, ty)
    }

    fn pointer_difference(
        &mut self,
        left: ExprId,
        right: ExprId,
        pointer_type: TypeId,
        ty: Type,
        at: Position,
    ) -> Result<ExprId, String> {
        let wanted = self.unit[left].ty;
        let right = self.convert(right, wanted);
        match self.scale(pointer_type, at)? {
            Scale::Bytes(0) => Err("difference of pointers to objects without a size".to_owned()),
            Scale::Bytes(scale) => Ok(self.add_expr(ExprKind::PointerDiff { left, right, scale }, ty, at)),
            Scale::Computed(size) => {
                let difference = self.difference_type();
                let bytes = self.add_expr(ExprKind::PointerDiff { left, right, scale: 1 }, difference, at);
                let size = self.convert(size, difference);
                Ok(self.add_expr(ExprKind::Arith(ArithOp::Div, bytes, size), difference, at))
            }
        }
    }

    /// `index * size` as a signed number of bytes.
    fn product(&mut self, index: ExprId, size: ExprId, at: Position) -> ExprId {
        let ty = self.difference_type();
        let (index, size) = (self.convert(index, ty), self.convert(size, ty));
        self.add_expr(ExprKind::Arith(ArithOp::Mul, index, size), ty, at)
    }

    fn scale(&mut self, pointer: TypeId, at: Position) -> Result<Scale, String> {
        let Some(to) = pointee(self.types, pointer) else {
            return Err("arithmetic on this pointer".to_owned());
        };
        match self.layout_size(to) {
            Ok(bytes) => Ok(Scale::Bytes(bytes)),
            Err(LayoutError::Function) => Ok(Scale::Bytes(1)),
            Err(LayoutError::Incomplete) if rucc_types::is_void(self.types, to) => Ok(Scale::Bytes(1)),
            Err(LayoutError::Variable) => Ok(Scale::Computed(self.size_expr(to, at)?)),
            Err(LayoutError::Incomplete | LayoutError::TooLarge) => {
                Err("arithmetic on a pointer to an incomplete type".to_owned())
            }
        }
    }
}

fn arith(op: BinaryOp) -> Option<ArithOp> {
    Some(match op {
        BinaryOp::Mul => ArithOp::Mul,
        BinaryOp::Div => ArithOp::Div,
        BinaryOp::Rem => ArithOp::Rem,
        BinaryOp::Add => ArithOp::Add,
        BinaryOp::Sub => ArithOp::Sub,
        BinaryOp::Shl => ArithOp::Shl,
        BinaryOp::Shr => ArithOp::Shr,
        BinaryOp::BitAnd => ArithOp::And,
        BinaryOp::BitXor => ArithOp::Xor,
        BinaryOp::BitOr => ArithOp::Or,
        _ => return None,
    })
}
