//! Constants, and the constructors that are abbreviations of others.

use crate::sort::Sort;
use crate::store::{Op, Term, Terms};
use crate::value::{Bits, Value};

impl Terms {
    /// A truth value.
    pub fn bool(&mut self, value: bool) -> Term {
        self.intern(Op::Bool(value), Sort::Bool, &[])
    }

    /// Truth.
    pub fn tru(&mut self) -> Term {
        self.bool(true)
    }

    /// Falsehood.
    pub fn fals(&mut self) -> Term {
        self.bool(false)
    }

    /// The number `value` modulo 2^`width`.
    pub fn bits(&mut self, width: u32, value: u128) -> Term {
        self.bits_value(Bits::new(width, value))
    }

    /// A bit-vector constant.
    pub fn bits_value(&mut self, bits: Bits) -> Term {
        self.intern(Op::Bits(bits), Sort::BitVec(bits.width()), &[])
    }

    /// A constant of any sort.
    pub fn value(&mut self, value: Value) -> Term {
        match value {
            Value::Bool(b) => self.bool(b),
            Value::Bits(bits) => self.bits_value(bits),
        }
    }

    /// Whether the term is the constant `true`.
    pub fn is_true(&self, t: Term) -> bool {
        self.op(t) == Op::Bool(true)
    }

    /// Whether the term is the constant `false`.
    pub fn is_false(&self, t: Term) -> bool {
        self.op(t) == Op::Bool(false)
    }

    /// `a ∧ b`.
    pub fn and2(&mut self, a: Term, b: Term) -> Term {
        self.and(&[a, b])
    }

    /// `a ∨ b`.
    pub fn or2(&mut self, a: Term, b: Term) -> Term {
        self.or(&[a, b])
    }

    /// `a ⇒ b`.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or2(not_a, b)
    }

    /// `a ≠ b`, at any sort; exclusive or for `Bool`.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    /// `bvsub`.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let minus_b = self.neg(b);
        self.add(a, minus_b)
    }

    /// `bvule`.
    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let gt = self.ult(b, a);
        self.not(gt)
    }

    /// `bvsle`.
    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let gt = self.slt(b, a);
        self.not(gt)
    }

    /// 1 for `true` and 0 for `false`, in `width` bits: C's value of a comparison.
    pub fn bool_to_bits(&mut self, width: u32, b: Term) -> Term {
        let (one, zero) = (self.bits(width, 1), self.bits(width, 0));
        self.ite(b, one, zero)
    }

    /// `t ≠ 0`: C's reading of a value as a condition.
    pub fn nonzero(&mut self, t: Term) -> Term {
        let zero = self.bits(self.width(t), 0);
        self.ne(t, zero)
    }

    /// `t` in `width` bits: cut off, or extended by its sign or by zeros. C's conversion between integer types.
    pub fn resize(&mut self, width: u32, signed: bool, t: Term) -> Term {
        let old = self.width(t);
        if width <= old {
            self.extract(width - 1, 0, t)
        } else if signed {
            self.sign_extend(width, t)
        } else {
            self.zero_extend(width, t)
        }
    }
}
