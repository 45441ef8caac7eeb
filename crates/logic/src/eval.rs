//! Evaluation of terms under a model.

use crate::store::{Op, Term, Terms};
use crate::value::{Bits, Value};
use rustc_hash::FxHashMap;

/// Values of variables; a variable without one has [`Value::default_of`] its sort.
#[derive(Clone, Default, Debug)]
pub struct Model {
    values: FxHashMap<Term, Value>,
}

impl Model {
    /// A model in which every variable has its default value.
    pub fn new() -> Model {
        Model::default()
    }

    /// Gives variable `var` the value `value`.
    pub fn set(&mut self, var: Term, value: Value) {
        self.values.insert(var, value);
    }

    /// The value given to `var`, if one was.
    pub fn get(&self, var: Term) -> Option<Value> {
        self.values.get(&var).copied()
    }

    /// The variables that were given a value, with it.
    pub fn iter(&self) -> impl Iterator<Item = (Term, Value)> + '_ {
        self.values.iter().map(|(&var, &value)| (var, value))
    }
}

impl FromIterator<(Term, Value)> for Model {
    fn from_iter<I: IntoIterator<Item = (Term, Value)>>(pairs: I) -> Model {
        Model { values: pairs.into_iter().collect() }
    }
}

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
        self.eval_all(&[t], model)[0]
    }

    /// The values of several terms in one model, shared parts computed once.
    pub fn eval_all(&self, roots: &[Term], model: &Model) -> Vec<Value> {
        let mut values: FxHashMap<Term, Value> = FxHashMap::default();
        for t in self.post_order(roots) {
            let value = match self.op(t) {
                Op::Var(_) => model.get(t).unwrap_or_else(|| Value::default_of(self.sort(t))),
                op => {
                    let args: Vec<Value> = self.args(t).iter().map(|a| values[a]).collect();
                    apply(op, self.sort(t).width().unwrap_or(0), &args)
                }
            };
            debug_assert_eq!(value.sort(), self.sort(t));
            values.insert(t, value);
        }
        roots.iter().map(|t| values[t]).collect()
    }
}

/// The value of operator `op` on `args`, where `width` is the width of the result if that is a bit-vector.
pub(crate) fn apply(op: Op, width: u32, args: &[Value]) -> Value {
    let bits = |i: usize| args[i].as_bits();
    let unary = |f: fn(Bits) -> Bits| Value::Bits(f(bits(0)));
    let binary = |f: fn(Bits, Bits) -> Bits| Value::Bits(f(bits(0), bits(1)));
    match op {
        Op::Bool(b) => Value::Bool(b),
        Op::Bits(b) => Value::Bits(b),
        Op::Var(_) => unreachable!("a variable has its value from the model"),
        Op::Not => Value::Bool(!args[0].as_bool()),
        Op::And => Value::Bool(args.iter().all(|a| a.as_bool())),
        Op::Or => Value::Bool(args.iter().any(|a| a.as_bool())),
        Op::Eq => Value::Bool(args[0] == args[1]),
        Op::Ite => args[if args[0].as_bool() { 1 } else { 2 }],
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
    }
}
