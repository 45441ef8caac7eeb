//! Evaluation of terms under a model.

use crate::bits::Bits;
use crate::model::Model;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, Terms};
use crate::symbols::find_by_zero;
use crate::value::Value;
use dashu_int::IBig;
use dashu_int::ops::{DivEuclid, RemEuclid};
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Terms {
    /// The value of `t` in `model`.
    ///
    /// ```
    /// use tamis_logic::{Bits, Model, Sort, Terms, Value};
    /// let mut t = Terms::new();
    /// let x = t.var("x", Sort::BitVec(8));
    /// let square = t.mul(x, x);
    /// let model: Model = [(x, Value::Bits(Bits::new(8, 17)))].into_iter().collect();
    /// assert_eq!(t.eval(square, &model), Value::Bits(Bits::new(8, 33)));
    /// ```
    pub fn eval(&self, t: Term, model: &Model) -> Value {
        self.eval_all(&[t], model).swap_remove(0)
    }

    /// The values of several terms in one model, shared parts computed once.
    pub fn eval_all(&self, roots: &[Term], model: &Model) -> Vec<Value> {
        let order = self.post_order(roots);
        let mut places: FxHashMap<Term, usize> = FxHashMap::default();
        let mut values: Vec<Value> = Vec::with_capacity(order.len());
        let mut uses = self.array_uses(&order, roots);
        for (place, &t) in order.iter().enumerate() {
            let value = if self.op(t) == Op::Store {
                self.eval_store(t, &places, &mut values, &mut uses)
            } else {
                let args: Vec<&Value> = self.args(t).iter().map(|a| &values[places[a]]).collect();
                for arg in self.args(t) {
                    count_use(&mut uses, *arg);
                }
                self.eval_node(t, &args, model)
            };
            debug_assert_eq!(value.sort(), self.sort(t));
            places.insert(t, place);
            values.push(value);
        }
        roots.iter().map(|t| values[places[t]].clone()).collect()
    }

    /// How often each array is used: at its last use by a `store`, it can be changed in place, so that a chain of
    /// stores costs its length and not its square.
    fn array_uses(&self, order: &[Term], roots: &[Term]) -> FxHashMap<Term, u32> {
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        let is_array = |t: &&Term| matches!(self.sort(**t), Sort::Array(_));
        for &t in order {
            for &arg in self.args(t).iter().filter(is_array) {
                *uses.entry(arg).or_default() += 1;
            }
        }
        for &root in roots.iter().filter(is_array) {
            *uses.entry(root).or_default() += 1;
        }
        uses
    }

    fn eval_store(
        &self,
        t: Term,
        places: &FxHashMap<Term, usize>,
        values: &mut [Value],
        uses: &mut FxHashMap<Term, u32>,
    ) -> Value {
        let args = self.args(t);
        let (index, element) = (values[places[&args[1]]].clone(), values[places[&args[2]]].clone());
        for arg in &args[1..] {
            count_use(uses, *arg);
        }
        let last = count_use(uses, args[0]) == Some(0);
        let array = &mut values[places[&args[0]]];
        let mut array = if last { std::mem::replace(array, Value::Bool(false)) } else { array.clone() };
        if let Value::Array(array) = &mut array {
            Arc::make_mut(array).store(index, element);
        }
        array
    }

    /// The value of a term that is not a `store`, from those of its arguments.
    fn eval_node(&self, t: Term, args: &[&Value], model: &Model) -> Value {
        let sort = self.sort(t);
        let default = || self.default_value(sort);
        let function = |f: Option<_>, args: &[&Value]| {
            let args: Vec<Value> = args.iter().map(|&a| a.clone()).collect();
            f.and_then(|f| model.function(f)).map_or_else(default, |table| table.get(&args).clone())
        };
        match self.op(t) {
            Op::Var(_) => model.get(t).cloned().unwrap_or_else(default),
            Op::Const(_) => self.constant(t).unwrap_or_else(default),
            Op::Apply(f) => function(Some(f), args),
            op @ (Op::IntDiv | Op::Mod | Op::Divide) if is_zero(args[1]) => {
                function(find_by_zero(op), &args[..1])
            }
            Op::ConstArray => Value::Array(Arc::new(self.constant_array(sort, args[0].clone()))),
            Op::Select => args[0].as_array().select(args[1]).clone(),
            op => apply(op, sort, args),
        }
    }
}

/// One use less; how many are left.
fn count_use(uses: &mut FxHashMap<Term, u32>, t: Term) -> Option<u32> {
    let left = uses.get_mut(&t)?;
    *left -= 1;
    Some(*left)
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Int(n) => n.is_zero(),
        Value::Real(n) => n.is_zero(),
        _ => false,
    }
}

/// The value of an operator of Core, bit-vectors or numbers on `args`, where `sort` is that of the result. A divisor
/// is not 0.
pub(crate) fn apply(op: Op, sort: Sort, args: &[&Value]) -> Value {
    let bits = |i: usize| args[i].as_bits();
    let unary = |f: fn(&Bits) -> Bits| Value::Bits(f(bits(0)));
    let binary = |f: fn(&Bits, &Bits) -> Bits| Value::Bits(f(bits(0), bits(1)));
    let width = sort.width().unwrap_or(0);
    match op {
        Op::Bool(b) => Value::Bool(b),
        Op::Not => Value::Bool(!args[0].as_bool()),
        Op::And => Value::Bool(args.iter().all(|a| a.as_bool())),
        Op::Or => Value::Bool(args.iter().any(|a| a.as_bool())),
        Op::Eq => Value::Bool(args[0] == args[1]),
        Op::Ite => args[if args[0].as_bool() { 1 } else { 2 }].clone(),
        Op::Neg => unary(Bits::neg),
        Op::Add => binary(Bits::add),
        Op::Mul => binary(Bits::mul),
        Op::Udiv => binary(Bits::udiv),
        Op::Urem => binary(Bits::urem),
        Op::Sdiv => binary(Bits::sdiv),
        Op::Srem => binary(Bits::srem),
        Op::BvNot => unary(Bits::not),
        Op::BvAnd => binary(Bits::and),
        Op::BvOr => binary(Bits::or),
        Op::BvXor => binary(Bits::xor),
        Op::Shl => binary(Bits::shl),
        Op::Lshr => binary(Bits::lshr),
        Op::Ashr => binary(Bits::ashr),
        Op::Concat => binary(Bits::concat),
        Op::Extract { high, low } => Value::Bits(bits(0).extract(high, low)),
        Op::ZeroExtend => Value::Bits(bits(0).zero_extend(width)),
        Op::SignExtend => Value::Bits(bits(0).sign_extend(width)),
        Op::Ult => Value::Bool(bits(0).ult(bits(1))),
        Op::Slt => Value::Bool(bits(0).slt(bits(1))),
        op => apply_number(op, sort, args),
    }
}

fn apply_number(op: Op, sort: Sort, args: &[&Value]) -> Value {
    let number = |i: usize| args[i].as_number();
    match op {
        Op::Plus if sort == Sort::Int => Value::Int(args.iter().map(|a| a.as_int()).sum()),
        Op::Times if sort == Sort::Int => Value::Int(args.iter().fold(IBig::ONE, |p, a| p * a.as_int())),
        Op::Plus => Value::Real(args.iter().fold(RBig::ZERO, |s, a| s + a.as_number())),
        Op::Times => Value::Real(args.iter().fold(RBig::ONE, |p, a| p * a.as_number())),
        Op::Le => Value::Bool(number(0) <= number(1)),
        Op::IntDiv => Value::Int(args[0].as_int().div_euclid(args[1].as_int())),
        Op::Mod => Value::Int(args[0].as_int().rem_euclid(args[1].as_int()).into()),
        Op::Divide => Value::Real(number(0) / number(1)),
        Op::ToReal => Value::Real(number(0)),
        Op::ToInt => Value::Int(number(0).floor()),
        Op::IsInt => Value::Bool(number(0).is_int()),
        op => unreachable!("{op:?} is not an operator on values alone"),
    }
}
