//! Floating-point numbers, bit by bit as the processor has them.
//!
//! Exact are `float` and `double` where gcc computes in the registers of SSE, which is in 64 bits, and the program does not change how
//! results are rounded. In 32 bits gcc computes in the x87's registers, which are wider, and keeps results there as it
//! likes; those, `long double` and other formats are approximated. So are the bits of a result that is no number: which they are
//! differs between the processor and the compiler.

use super::Translator;
use crate::tree::{ArithOp, Callee, CompareOp, ExprKind, FloatType, Position, Type, Unit};
use tamis_diagnostics::Error;
use tamis_logic::{FloatFormat, Rounded, Term};
use tamis_program::{Command, Event, Havoc, IntType};

/// Functions that change how results are rounded, or may.
const ROUNDING: [&str; 6] =
    ["fesetround", "fesetenv", "feupdateenv", "fesetmode", "_mm_setcsr", "__builtin_ia32_ldmxcsr"];

/// Whether results are rounded to the nearest number all the time.
pub(super) fn rounds_to_nearest(unit: &Unit) -> bool {
    let changes = |f: crate::tree::FunctionId| ROUNDING.contains(&unit[f].name.as_str());
    !unit.exprs().any(|e| match unit[e].kind {
        ExprKind::Call { callee: Callee::Function(f), .. } | ExprKind::FunctionAddress(f) => changes(f),
        _ => false,
    })
}

impl Translator<'_> {
    /// The format of a type whose arithmetic is exact.
    fn format(&self, ty: Type) -> Option<FloatFormat> {
        match ty {
            Type::Float(FloatType::Single) if self.exact_floats => Some(FloatFormat::SINGLE),
            Type::Float(FloatType::Double) if self.exact_floats => Some(FloatFormat::DOUBLE),
            _ => None,
        }
    }

    /// `a op b` of a floating-point type.
    pub(super) fn float_arith(
        &mut self,
        op: ArithOp,
        ty: Type,
        a: Term,
        b: Term,
        at: Position,
    ) -> Result<Term, Error> {
        let int = IntType { bits: self.terms.width(a), signed: false };
        let Some(format) = self.format(ty) else {
            return self.inexact(int, "floating-point arithmetic", at);
        };
        let t = &mut *self.terms;
        let rounded = match op {
            ArithOp::Add => t.float_add(format, a, b),
            ArithOp::Sub => t.float_sub(format, a, b),
            ArithOp::Mul => t.float_mul(format, a, b),
            ArithOp::Div => t.float_div(format, a, b),
            _ => return self.inexact(int, "floating-point arithmetic", at),
        };
        self.number_or_none(format, rounded, at)
    }

    /// The truth of a comparison, if it is exact.
    pub(super) fn float_compare(&mut self, op: CompareOp, ty: Type, a: Term, b: Term) -> Option<Term> {
        let format = self.format(ty)?;
        let t = &mut *self.terms;
        Some(match op {
            CompareOp::Eq => t.float_eq(format, a, b),
            CompareOp::Ne => {
                let equal = t.float_eq(format, a, b);
                t.not(equal)
            }
            CompareOp::Lt => t.float_lt(format, a, b),
            CompareOp::Le => t.float_le(format, a, b),
            CompareOp::Gt => t.float_lt(format, b, a),
            CompareOp::Ge => t.float_le(format, b, a),
        })
    }

    /// Whether comparisons of a type are exact.
    pub(super) fn compares_exactly(&self, ty: Type) -> bool {
        self.format(ty).is_some()
    }

    /// A number in another type, where one of them is a floating-point type.
    pub(super) fn float_convert(
        &mut self,
        value: Term,
        from: Type,
        to: Type,
        at: Position,
    ) -> Result<Term, Error> {
        if from == to {
            return Ok(value);
        }
        match (self.format(from), self.format(to)) {
            (Some(a), Some(b)) => {
                let rounded = self.terms.float_to_float(a, b, value);
                return self.number_or_none(b, rounded, at);
            }
            (None, Some(format)) if !from.is_pointer() => {
                if let Some(int) = from.int() {
                    return Ok(self.terms.float_from_bits(format, int.signed, value));
                }
            }
            (Some(format), None) if !to.is_pointer() => {
                if let (Some(int), false) = (to.int(), to == Type::Bool) {
                    let (whole, fits) = self.terms.float_to_bits(format, int.signed, int.bits, value);
                    let what = "conversion of a floating-point number that does not fit";
                    return self.unless_undefined(fits, whole, int, what, at);
                }
            }
            _ => {}
        }
        match self.scalar(to) {
            Some(int) => self.inexact(int, "conversion of a floating-point number", at),
            None => self.refuse(at, "this conversion"),
        }
    }

    /// 1 of a floating-point type.
    pub(super) fn float_one(&mut self, ty: Type, bits: u32) -> Term {
        let one = self.format(ty).map_or(0, FloatFormat::one);
        self.terms.bits(bits, one)
    }

    /// A result, or some bits that are no number.
    fn number_or_none(&mut self, format: FloatFormat, rounded: Rounded, at: Position) -> Result<Term, Error> {
        let Rounded { value, nan } = rounded;
        if self.terms.is_false(nan) {
            return Ok(value);
        }
        let bits = format.width();
        let result = self.temporary("result", Type::Int(IntType { bits, signed: false }), at)?;
        let (number, none, join) = (self.node(), self.node(), self.node());
        self.fork(nan, none, number, at, Event::Step, Event::Step)?;
        self.cursor.resume(number);
        if self.cursor.here.is_some() {
            self.emit(Command::Assign(result, value), at, Event::Step)?;
            self.cursor.jump(join);
        }
        self.cursor.resume(none);
        if self.cursor.here.is_some() {
            let cause = Havoc::Inexact("the bits of a result that is no number".to_owned());
            self.emit(Command::Havoc(result, cause), at, Event::Step)?;
            let (any, quiet) = (self.builder.term(result), self.terms.bits(bits, format.quiet()));
            let quiet = self.terms.bv_or(any, quiet);
            self.emit(Command::Assign(result, quiet), at, Event::Step)?;
            self.cursor.jump(join);
        }
        self.cursor.resume(join);
        Ok(self.builder.term(result))
    }
}
