//! The linear reading of machine integers: formulas over bit-vectors as formulas over integers, \[SUM\] section 5, step 3.
//!
//! A bit-vector is read as an integer that is equal to it modulo `2^w`, with an interval it lies in ([`Value`]).
//! Sums, and products with constants, need not wrap; only where the value itself matters, in a comparison or an
//! extension, the wrap-around appears as cases, as many as the interval needs. What has no linear reading (products of
//! variables, bitwise operations, loads from memory, functions) becomes an arbitrary integer of the width's range, the
//! same one for the same term. The formula that is read then allows more than the one that was written, so that what is
//! computed from it is an over-approximation, and [`LinearReading::is_exact`] says no.

mod two_variables;
mod value;

pub use two_variables::TwoVariables;

use crate::limits;
use rustc_hash::FxHashMap;
use tamis_logic::{IBig, Op, Sort, Term, Terms};
use value::Value;

/// Reads formulas, all with the same meaning of the same variable.
///
/// ```
/// use tamis_logic::{Sort, Terms};
/// use tamis_paq::LinearReading;
/// let mut terms = Terms::new();
/// let (x, y) = (terms.var("x", Sort::BitVec(8)), terms.var("y", Sort::BitVec(8)));
/// let one = terms.bits(8, 1);
/// let next = terms.add(y, one);
/// let increment = terms.eq(x, next);
/// let mut reading = LinearReading::new();
/// let read = reading.formula(&mut terms, increment);
/// // x = y + 1, or x = y + 1 - 256; both from -128 to 127.
/// assert!(reading.is_exact());
/// assert_eq!(terms.atoms(read).len(), 2);
/// assert_eq!(reading.take_constraints().len(), 4);
/// ```
#[derive(Debug, Default)]
pub struct LinearReading {
    formulas: FxHashMap<Term, Term>,
    values: FxHashMap<Term, Value>,
    /// What holds of the integers that were introduced.
    constraints: Vec<Term>,
    /// Whether something had no linear reading.
    approximated: bool,
}

impl LinearReading {
    /// A reading of nothing yet.
    pub fn new() -> LinearReading {
        LinearReading::default()
    }

    /// Whether all that was read has a linear reading: then the formulas together with the constraints say of the
    /// Boolean variables just what was said before.
    pub fn is_exact(&self) -> bool {
        !self.approximated
    }

    /// What is to be assumed beside the formulas read so far, and has not been taken yet: the ranges of variables, and
    /// definitions of values that are used in several cases.
    pub fn take_constraints(&mut self) -> Vec<Term> {
        std::mem::take(&mut self.constraints)
    }

    /// The reading of a formula.
    pub fn formula(&mut self, terms: &mut Terms, formula: Term) -> Term {
        for t in terms.post_order(&[formula]) {
            match terms.sort(t) {
                Sort::Bool if !self.formulas.contains_key(&t) => {
                    let read = self.boolean(terms, t);
                    self.formulas.insert(t, read);
                }
                Sort::BitVec(_) if !self.values.contains_key(&t) => {
                    let value = self.value(terms, t);
                    self.values.insert(t, value);
                }
                _ => {}
            }
        }
        self.formulas[&formula]
    }

    /// The reading of a formula whose arguments have been read.
    fn boolean(&mut self, terms: &mut Terms, t: Term) -> Term {
        let args = terms.args(t).to_vec();
        let read = |i: usize| self.formulas[&args[i]];
        match terms.op(t) {
            Op::Bool(_) | Op::Var(_) => t,
            Op::Not => terms.not(read(0)),
            Op::And => {
                let parts: Vec<Term> = (0..args.len()).map(read).collect();
                terms.and(&parts)
            }
            Op::Or => {
                let parts: Vec<Term> = (0..args.len()).map(read).collect();
                terms.or(&parts)
            }
            Op::Ite => terms.ite(read(0), read(1), read(2)),
            Op::Eq => match terms.sort(args[0]) {
                Sort::Bool => terms.eq(read(0), read(1)),
                Sort::BitVec(width) => self.equal(terms, width, args[0], args[1]),
                Sort::Int | Sort::Real if !contains_bits(terms, t) => t,
                _ => self.anything(terms),
            },
            Op::Ult => self.less(terms, &args, false),
            Op::Slt => self.less(terms, &args, true),
            Op::Le if !contains_bits(terms, t) => t,
            _ => self.anything(terms),
        }
    }

    fn anything(&mut self, terms: &mut Terms) -> Term {
        self.approximated = true;
        terms.fresh("any", Sort::Bool)
    }

    /// Equality modulo `2^width`: the difference is a multiple.
    fn equal(&mut self, terms: &mut Terms, width: u32, a: Term, b: Term) -> Term {
        let difference = self.values[&a].minus(terms, &self.values[&b]);
        let Some(multiples) = difference.multiples_within(width, limits::WRAP_CASES) else {
            return self.anything(terms);
        };
        let cases: Vec<Term> = multiples
            .into_iter()
            .map(|multiple| {
                let multiple = terms.int(multiple);
                terms.eq(difference.expression, multiple)
            })
            .collect();
        terms.or(&cases)
    }

    /// A comparison of the values themselves, in all cases of either wrapping around.
    fn less(&mut self, terms: &mut Terms, args: &[Term], signed: bool) -> Term {
        let width = terms.width(args[0]);
        let mut sides = Vec::with_capacity(2);
        for &arg in &args[..2] {
            // Two sides have cases that multiply.
            let cases = self.values[&arg].wrapped(terms, width, signed, limits::WRAP_CASES / 2);
            sides.push(cases.unwrap_or_else(|| vec![(self.settled(terms, arg, signed), terms.tru())]));
        }
        let mut cases = Vec::new();
        for (a, in_a) in &sides[0] {
            for (b, in_b) in &sides[1] {
                let less = terms.lt(a.expression, b.expression);
                cases.push(terms.and(&[*in_a, *in_b, less]));
            }
        }
        terms.or(&cases)
    }

    /// The reading of a bit-vector whose arguments have been read.
    fn value(&mut self, terms: &mut Terms, t: Term) -> Value {
        let width = terms.width(t);
        if let Some(bits) = terms.bits_constant(t) {
            return Value::constant(terms, bits.to_ibig());
        }
        let args = terms.args(t).to_vec();
        match terms.op(t) {
            Op::Var(_) => {
                let name = terms.var_name(t).unwrap_or("i").to_owned();
                self.variable(terms, &name, width)
            }
            Op::Neg => self.values[&args[0]].times(terms, &IBig::NEG_ONE),
            Op::BvNot => {
                let negative = self.values[&args[0]].times(terms, &IBig::NEG_ONE);
                let one = Value::constant(terms, IBig::ONE);
                negative.minus(terms, &one)
            }
            Op::Add => {
                let summands: Vec<Value> = args.iter().map(|a| self.values[a].clone()).collect();
                Value::sum(terms, &summands)
            }
            Op::Mul => match args.iter().position(|&a| terms.bits_constant(a).is_some()) {
                Some(i) if args.len() == 2 => {
                    let factor = self.values[&args[i]].low.clone();
                    self.values[&args[1 - i]].times(terms, &factor)
                }
                _ => self.unknown(terms, width),
            },
            Op::Shl => match terms.bits_constant(args[1]).and_then(|by| by.amount()) {
                Some(by) if by < width => self.values[&args[0]].times(terms, &value::power(by)),
                _ => self.unknown(terms, width),
            },
            Op::Lshr => match terms.bits_constant(args[1]).and_then(|by| by.amount()) {
                Some(by) if by < width => self.quotient(terms, args[0], &value::power(by)),
                _ => self.unknown(terms, width),
            },
            Op::Udiv | Op::Urem => match terms.bits_constant(args[1]).map(|by| IBig::from(by.to_ubig())) {
                Some(by) if by > IBig::ZERO => {
                    let quotient = self.quotient(terms, args[0], &by);
                    if terms.op(t) == Op::Udiv {
                        quotient
                    } else {
                        self.remainder(terms, args[0], &quotient, &by)
                    }
                }
                _ => self.unknown(terms, width),
            },
            Op::BvAnd => self.mask(terms, width, &args),
            Op::Ite => self.either(terms, width, &args),
            Op::ZeroExtend => self.settled(terms, args[0], false),
            Op::SignExtend => self.settled(terms, args[0], true),
            // The low bits are equal modulo the smaller power already.
            Op::Extract { low: 0, .. } => self.values[&args[0]].clone(),
            Op::Extract { low, .. } => self.quotient(terms, args[0], &value::power(low)),
            Op::Concat => {
                let mut value = self.values[&args[0]].clone();
                for &part in &args[1..] {
                    let (low, shift) = (self.settled(terms, part, false), value::power(terms.width(part)));
                    let high = value.times(terms, &shift);
                    value = Value::sum(terms, &[high, low]);
                }
                value
            }
            _ => self.unknown(terms, width),
        }
    }

    /// An integer in the signed range.
    fn variable(&mut self, terms: &mut Terms, name: &str, width: u32) -> Value {
        let half = value::power(width - 1);
        self.between(terms, name, -half.clone(), half - IBig::ONE)
    }

    fn between(&mut self, terms: &mut Terms, name: &str, low: IBig, high: IBig) -> Value {
        let expression = terms.fresh(name, Sort::Int);
        let value = Value { expression, low, high };
        let bounds = value.bounds(terms);
        self.constraints.extend(bounds);
        value
    }

    fn unknown(&mut self, terms: &mut Terms, width: u32) -> Value {
        self.approximated = true;
        self.variable(terms, "any", width)
    }

    /// `v & (2^k - 1)`: the value modulo `2^k`.
    fn mask(&mut self, terms: &mut Terms, width: u32, args: &[Term]) -> Value {
        let mask = |a: &Term| terms.bits_constant(*a).map(|m| IBig::from(m.to_ubig()) + IBig::ONE);
        let modulus = args.iter().position(|a| mask(a).is_some()).and_then(|i| Some((i, mask(&args[i])?)));
        match modulus {
            Some((i, modulus)) if args.len() == 2 && value::is_power(&modulus) => {
                self.settled_value(terms, &self.values[&args[1 - i]].clone(), &modulus, &IBig::ZERO)
            }
            _ => self.unknown(terms, width),
        }
    }

    fn either(&mut self, terms: &mut Terms, width: u32, args: &[Term]) -> Value {
        let condition = self.formulas[&args[0]];
        let (yes, no) = (self.values[&args[1]].clone(), self.values[&args[2]].clone());
        let low = yes.low.clone().min(no.low.clone());
        let high = yes.high.clone().max(no.high.clone());
        let limit = value::power(width + 3);
        if low < -limit.clone() || high > limit {
            return self.unknown(terms, width);
        }
        let value = self.between(terms, "case", low, high);
        let (is_yes, is_no) =
            (terms.eq(value.expression, yes.expression), terms.eq(value.expression, no.expression));
        let otherwise = terms.not(condition);
        let cases = [terms.and2(condition, is_yes), terms.and2(otherwise, is_no)];
        self.constraints.push(terms.or(&cases));
        value
    }

    /// The value itself, as a number without or with a sign.
    fn settled(&mut self, terms: &mut Terms, t: Term, signed: bool) -> Value {
        let width = terms.width(t);
        let start = if signed { -value::power(width - 1) } else { IBig::ZERO };
        self.settled_value(terms, &self.values[&t].clone(), &value::power(width), &start)
    }

    /// The number from `start` up that is equal to a value modulo `modulus`.
    fn settled_value(&mut self, terms: &mut Terms, value: &Value, modulus: &IBig, start: &IBig) -> Value {
        let end = start + modulus - IBig::ONE;
        let Some(cases) = value.moved_into(modulus, start, limits::WRAP_CASES) else {
            return self.reduced(terms, value, modulus, start);
        };
        if let [only] = &cases[..] {
            let shift = Value::constant(terms, only.clone());
            return value.minus(terms, &shift);
        }
        let settled = self.between(terms, "settled", start.clone(), end);
        let mut is = Vec::new();
        for shift in cases {
            let shift = Value::constant(terms, shift);
            let moved = value.minus(terms, &shift);
            is.push(terms.eq(settled.expression, moved.expression));
        }
        self.constraints.push(terms.or(&is));
        settled
    }

    /// The same, with an integer that says which multiple is subtracted.
    fn reduced(&mut self, terms: &mut Terms, value: &Value, modulus: &IBig, start: &IBig) -> Value {
        let (first, last) = value.turns(modulus, start);
        let turns = self.between(terms, "turns", first, last);
        let whole = turns.times(terms, modulus);
        let reduced =
            Value { low: start.clone(), high: start + modulus - IBig::ONE, ..value.minus(terms, &whole) };
        let bounds = reduced.bounds(terms);
        self.constraints.extend(bounds);
        reduced
    }

    /// The unsigned value divided by a constant: `by·q ≤ value < by·(q + 1)`.
    fn quotient(&mut self, terms: &mut Terms, t: Term, by: &IBig) -> Value {
        let dividend = self.settled(terms, t, false);
        let quotient = self.between(terms, "quotient", &dividend.low / by, &dividend.high / by);
        let (low, last) = (quotient.times(terms, by), Value::constant(terms, by - IBig::ONE));
        let high = Value::sum(terms, &[low.clone(), last]);
        let within =
            [terms.le(low.expression, dividend.expression), terms.le(dividend.expression, high.expression)];
        self.constraints.extend(within);
        quotient
    }

    fn remainder(&mut self, terms: &mut Terms, t: Term, quotient: &Value, by: &IBig) -> Value {
        let (dividend, whole) = (self.settled(terms, t, false), quotient.times(terms, by));
        let rest = dividend.minus(terms, &whole);
        Value { low: IBig::ZERO, high: by - IBig::ONE, ..rest }
    }
}

/// Whether a term of arithmetic has bit-vectors inside, in the condition of an if-then-else for instance.
fn contains_bits(terms: &Terms, t: Term) -> bool {
    terms.post_order(&[t]).into_iter().any(|part| matches!(terms.sort(part), Sort::BitVec(_)))
}
