//! Constants, and the constructors that are abbreviations of others.

use crate::bits::Bits;
use crate::op::{FunctionId, Op};
use crate::sort::Sort;
use crate::store::{Term, Terms};
use crate::value::Value;
use dashu_int::IBig;
use dashu_ratio::RBig;

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
        self.intern_constant(Value::Bits(bits))
    }

    /// An integer.
    pub fn int(&mut self, value: impl Into<IBig>) -> Term {
        self.intern_constant(Value::Int(value.into()))
    }

    /// A rational number of sort `Real`.
    pub fn real(&mut self, value: RBig) -> Term {
        self.intern_constant(Value::Real(value))
    }

    /// A number of sort `Int` or `Real`.
    pub(crate) fn number(&mut self, sort: Sort, value: RBig) -> Term {
        self.intern_constant(Value::number(sort, value))
    }

    /// A constant of any sort. An array is built from its elements.
    pub fn value(&mut self, value: Value) -> Term {
        let array = match value {
            Value::Bool(b) => return self.bool(b),
            Value::Array(array) => array,
            other => return self.intern_constant(other),
        };
        let default = self.value(array.default().clone());
        let mut built = self.const_array(array.sort(), default);
        for (index, element) in array.entries() {
            let (index, element) = (self.value(index.clone()), self.value(element.clone()));
            built = self.store(built, index, element);
        }
        built
    }

    /// Function `f` at `args`.
    pub fn apply(&mut self, f: FunctionId, args: &[Term]) -> Term {
        let (sorts, result) = self.signature(f);
        assert!(
            sorts.len() == args.len() && sorts.iter().zip(args).all(|(&s, &a)| s == self.sort(a)),
            "arguments of other sorts than {} has",
            self.function_name(f)
        );
        self.intern(Op::Apply(f), result, args)
    }

    /// No two of the terms are equal.
    pub fn distinct(&mut self, args: &[Term]) -> Term {
        let mut different = Vec::new();
        for (i, &a) in args.iter().enumerate() {
            for &b in &args[i + 1..] {
                let ne = self.ne(a, b);
                if self.is_false(ne) {
                    return ne;
                }
                different.push(ne);
            }
        }
        self.and(&different)
    }

    /// Exclusive or of two truth values.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        self.ne(a, b)
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
