//! Comparisons of floating-point numbers, by their bits.
//!
//! Without the sign, the bits of numbers have the order of the numbers, whatever the exponent; what is above infinity is no
//! number, of which no comparison but `!=` holds; and both zeros are equal.

use super::Translator;
use crate::tree::{CompareOp, FloatType, Type};
use tamis_logic::{Term, Terms};

impl Translator<'_> {
    /// The truth of a comparison of two numbers of a type. The x87 computes with more bits than a variable has, and its own
    /// format has numbers twice.
    pub(super) fn float_comparison(&mut self, op: CompareOp, ty: Type, a: Term, b: Term) -> Option<Term> {
        let exponent = match ty {
            Type::Float(FloatType::Half) => 5,
            Type::Float(FloatType::Single) => 8,
            Type::Float(FloatType::Double) => 11,
            Type::Float(FloatType::Quad) => 15,
            _ => return None,
        };
        if self.unit.word() != 64 {
            return None;
        }
        let t = &mut *self.terms;
        let (less, more, equal, ordered) = relations(t, exponent, a, b);
        Some(match op {
            CompareOp::Lt => less,
            CompareOp::Gt => more,
            CompareOp::Le => t.or2(less, equal),
            CompareOp::Ge => t.or2(more, equal),
            CompareOp::Eq => equal,
            CompareOp::Ne => {
                let equal = t.and2(ordered, equal);
                t.not(equal)
            }
        })
    }
}

/// Whether `a` is less than `b`, greater, equal to it, and whether both are numbers.
fn relations(t: &mut Terms, exponent: u32, a: Term, b: Term) -> (Term, Term, Term, Term) {
    let width = t.width(a);
    let fraction = width - 1 - exponent;
    let ones = t.bits(exponent, (1 << exponent) - 1);
    let zeros = t.bits(fraction, 0);
    let infinity = t.concat(ones, zeros);
    let part = |t: &mut Terms, x: Term| {
        let (sign, rest) = (t.extract(width - 1, width - 1, x), t.extract(width - 2, 0, x));
        (t.nonzero(sign), rest)
    };
    let ((minus_a, rest_a), (minus_b, rest_b)) = (part(t, a), part(t, b));
    let (number_a, number_b) = (t.ule(rest_a, infinity), t.ule(rest_b, infinity));
    let ordered = t.and2(number_a, number_b);
    let (some_a, some_b) = (t.nonzero(rest_a), t.nonzero(rest_b));
    let some = t.or2(some_a, some_b);
    let zero = t.not(some);
    let same = t.eq(a, b);
    let equal = t.or2(same, zero);
    let equal = t.and2(ordered, equal);
    let below = |t: &mut Terms, (minus_x, x): (Term, Term), (minus_y, y): (Term, Term)| {
        let (up, down) = (t.ult(x, y), t.ult(y, x));
        let among_negative = t.ite(minus_y, down, some);
        let plus_y = t.not(minus_y);
        let among_positive = t.and2(plus_y, up);
        t.ite(minus_x, among_negative, among_positive)
    };
    let less = below(t, (minus_a, rest_a), (minus_b, rest_b));
    let more = below(t, (minus_b, rest_b), (minus_a, rest_a));
    (t.and2(ordered, less), t.and2(ordered, more), equal, ordered)
}
