//! Questions about floating-point numbers, as comparisons with the limits of their format.

use super::lower::Lower;
use crate::tree::{ArithOp, CompareOp, ExprId, ExprKind, FloatType, ObjectId, PlaceId, Position, Type};
use rucc_base::float::{Float, Format};
use rucc_sema::{Classify, ExprList, Sign};

/// A format's bounds: the smallest normal number, the largest finite one, and infinity.
struct Bounds {
    format: Format,
    /// The byte with the sign.
    last: u64,
}

impl Bounds {
    fn of(float: FloatType) -> Bounds {
        let (format, last) = match float {
            FloatType::Half => (Format::Half, 1),
            FloatType::Single => (Format::Single, 3),
            FloatType::Double => (Format::Double, 7),
            FloatType::Extended => (Format::X87Extended, 9),
            FloatType::Quad => (Format::Quad, 15),
        };
        Bounds { format, last }
    }
}

impl Lower<'_> {
    pub(super) fn classify(
        &mut self,
        op: Classify,
        lhs: rucc_sema::ExprId,
        rhs: Option<rucc_sema::ExprId>,
        ty: Type,
        at: Position,
    ) -> ExprId {
        let value = self.expr(lhs);
        let Type::Float(float) = self.unit[value].ty else {
            return self.unsupported("classification of this number", ty, at);
        };
        let x = self.temporary("(number)", value);
        let mut variables = vec![x];
        let answer = match (op, rhs) {
            (Classify::Unordered | Classify::LessGreater, Some(rhs)) => {
                let value = self.expr(rhs);
                let value = self.convert(value, Type::Float(float));
                let y = self.temporary("(number)", value);
                variables.push(y);
                if op == Classify::Unordered {
                    let (a, b) = (self.is_nan(x, at), self.is_nan(y, at));
                    self.either(a, b, at)
                } else {
                    let (a, b) =
                        (self.against(CompareOp::Lt, x, y, at), self.against(CompareOp::Gt, x, y, at));
                    self.either(a, b, at)
                }
            }
            (Classify::Nan, _) => self.is_nan(x, at),
            (Classify::Infinite, _) => self.is_infinite(x, float, at),
            (Classify::Finite, _) => self.is_finite(x, float, at),
            (Classify::Normal, _) => self.is_normal(x, float, at),
            (Classify::SignBit, _) => {
                let place = self.sign_byte(x, float, at);
                let byte = self.load_place(place, at);
                let set = self.masked(byte, 0x80, at);
                self.truth("signbit", set, at)
            }
            (Classify::InfiniteSign, _) => {
                let (up, down) = (self.is_limit(x, float, false, at), self.is_limit(x, float, true, at));
                let int = self.int();
                self.add_expr(ExprKind::Arith(ArithOp::Sub, up, down), int, at)
            }
            _ => return self.unsupported("this classification", ty, at),
        };
        let answer = self.convert(answer, ty);
        self.sequence(variables, Vec::new(), Vec::new(), answer, at)
    }

    pub(super) fn fp_classify(
        &mut self,
        value: rucc_sema::ExprId,
        answers: ExprList,
        ty: Type,
        at: Position,
    ) -> ExprId {
        let tast = self.tast;
        let value = self.expr(value);
        let (Type::Float(float), &[nan, infinite, normal, subnormal, zero]) =
            (self.unit[value].ty, &tast[answers])
        else {
            return self.unsupported("classification of this number", ty, at);
        };
        let x = self.temporary("(number)", value);
        let number = self.load_object(x, at);
        let nothing = self.add_expr(ExprKind::Float(0), Type::Float(float), at);
        let is_zero = self.compare(CompareOp::Eq, number, nothing, at);
        let tests = [
            (self.is_nan(x, at), nan),
            (self.is_infinite(x, float, at), infinite),
            (self.is_normal(x, float, at), normal),
            (is_zero, zero),
        ];
        let mut answer = self.converted(subnormal, ty);
        for (cond, then) in tests.into_iter().rev() {
            let then = self.converted(then, ty);
            answer = self.add_expr(ExprKind::Cond { cond, then, otherwise: answer }, ty, at);
        }
        self.sequence(vec![x], Vec::new(), Vec::new(), answer, at)
    }

    /// `fabs` and `copysign`. The second sets one bit in memory, which is exact for every number and for NaN.
    pub(super) fn sign(
        &mut self,
        op: Sign,
        lhs: rucc_sema::ExprId,
        rhs: Option<rucc_sema::ExprId>,
        ty: Type,
        at: Position,
    ) -> ExprId {
        let value = self.converted(lhs, ty);
        let Type::Float(float) = ty else {
            return self.unsupported("sign of this number", ty, at);
        };
        let Some(rhs) = rhs.filter(|_| op == Sign::Of) else {
            return self.add_expr(ExprKind::Magnitude(value), ty, at);
        };
        let x = self.temporary("(number)", value);
        let other = self.converted(rhs, ty);
        let y = self.temporary("(number)", other);
        let (to, from) = (self.sign_byte(x, float, at), self.sign_byte(y, float, at));
        let (old, new) = (self.load_place(to, at), self.load_place(from, at));
        let (old, new) = (self.masked(old, 0x7f, at), self.masked(new, 0x80, at));
        let int = self.int();
        let both = self.add_expr(ExprKind::Arith(ArithOp::Or, old, new), int, at);
        let stored = self.store(to, both, at);
        let result = self.load_object(x, at);
        self.sequence(vec![x, y], Vec::new(), vec![stored], result, at)
    }

    /// The byte of a variable that holds the sign of its number.
    fn sign_byte(&mut self, x: ObjectId, float: FloatType, at: Position) -> PlaceId {
        let place = self.object_place(x, at);
        let address = self.address_of(place, at);
        let (byte, difference) = (self.byte(), self.difference_type());
        let bytes = self.pointer(byte);
        let address = self.convert(address, bytes);
        let last = i128::from(Bounds::of(float).last);
        let index = self.add_expr(ExprKind::Const(last), difference, at);
        let address = self.byte_offset(address, index, false, at);
        self.deref(address, byte, at)
    }

    fn masked(&mut self, byte: ExprId, mask: i128, at: Position) -> ExprId {
        let int = self.int();
        let byte = self.convert(byte, int);
        let mask = self.add_expr(ExprKind::Const(mask), int, at);
        self.add_expr(ExprKind::Arith(ArithOp::And, byte, mask), int, at)
    }

    fn limit(&mut self, value: Float, at: Position, float: FloatType) -> ExprId {
        self.add_expr(ExprKind::Float(value.to_bits()), Type::Float(float), at)
    }

    fn is_limit(&mut self, x: ObjectId, float: FloatType, negative: bool, at: Position) -> ExprId {
        let infinity = Float::infinity(Bounds::of(float).format, negative);
        let (number, limit) = (self.load_object(x, at), self.limit(infinity, at, float));
        self.compare(CompareOp::Eq, number, limit, at)
    }

    fn is_nan(&mut self, x: ObjectId, at: Position) -> ExprId {
        self.against(CompareOp::Ne, x, x, at)
    }

    fn is_infinite(&mut self, x: ObjectId, float: FloatType, at: Position) -> ExprId {
        let (up, down) = (self.is_limit(x, float, false, at), self.is_limit(x, float, true, at));
        self.either(up, down, at)
    }

    /// Between the infinities, which no NaN is.
    fn is_finite(&mut self, x: ObjectId, float: FloatType, at: Position) -> ExprId {
        let format = Bounds::of(float).format;
        let (number, top) = (self.load_object(x, at), self.limit(Float::infinity(format, false), at, float));
        let below = self.compare(CompareOp::Lt, number, top, at);
        let (number, low) = (self.load_object(x, at), self.limit(Float::infinity(format, true), at, float));
        let above = self.compare(CompareOp::Gt, number, low, at);
        let int = self.int();
        self.add_expr(ExprKind::LogAnd(below, above), int, at)
    }

    fn is_normal(&mut self, x: ObjectId, float: FloatType, at: Position) -> ExprId {
        let format = Bounds::of(float).format;
        let finite = self.is_finite(x, float, at);
        let (number, least) =
            (self.load_object(x, at), self.limit(Float::smallest_normal(format, false), at, float));
        let above = self.compare(CompareOp::Ge, number, least, at);
        let (number, least) =
            (self.load_object(x, at), self.limit(Float::smallest_normal(format, true), at, float));
        let below = self.compare(CompareOp::Le, number, least, at);
        let large = self.either(above, below, at);
        let int = self.int();
        self.add_expr(ExprKind::LogAnd(finite, large), int, at)
    }

    fn against(&mut self, op: CompareOp, x: ObjectId, y: ObjectId, at: Position) -> ExprId {
        let (left, right) = (self.load_object(x, at), self.load_object(y, at));
        self.compare(op, left, right, at)
    }

    fn either(&mut self, a: ExprId, b: ExprId, at: Position) -> ExprId {
        let int = self.int();
        self.add_expr(ExprKind::LogOr(a, b), int, at)
    }
}
