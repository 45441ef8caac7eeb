//! Random expressions over all sorts, with two readings: terms by the constructors, and values by plain arithmetic and
//! maps.

use super::{Random, random_bits};
use std::sync::Arc;
use tamis_logic::{Bits, FunctionId, FunctionTable, IBig, Model, Op, RBig, Sort, Term, Terms, Value};

#[derive(Clone, Debug)]
pub enum Shape {
    Var,
    Value(Value),
    Not,
    And,
    Eq,
    Distinct,
    Ite,
    Plus,
    Minus,
    Negate,
    Times,
    Le,
    Lt,
    IntDiv,
    Mod,
    Divide,
    ToReal,
    ToInt,
    IsInt,
    Abs,
    Select,
    Store,
    ConstArray,
    Apply(usize),
    BvAdd,
}

pub struct Node {
    pub shape: Shape,
    pub args: Vec<usize>,
    pub sort: Sort,
}

/// The sorts and functions that the expressions are over, and the expressions.
pub struct Mixed {
    pub nodes: Vec<Node>,
    sorts: Vec<Sort>,
    pub functions: Vec<FunctionId>,
    signatures: Vec<(Vec<Sort>, Sort)>,
    by_zero: [FunctionId; 3],
}

impl Mixed {
    pub fn random(terms: &mut Terms, random: &mut Random, size: usize) -> Mixed {
        let bits = Sort::BitVec(2);
        let u = terms.declare_sort("U");
        let ints = terms.array_sort(Sort::Int, Sort::Int);
        let small = terms.array_sort(bits, bits);
        let truths = terms.array_sort(Sort::Bool, Sort::Bool);
        let nested = terms.array_sort(u, small);
        let over_arrays = terms.array_sort(truths, Sort::Int);
        let sorts = vec![
            Sort::Bool,
            Sort::Int,
            Sort::Int,
            Sort::Real,
            bits,
            u,
            ints,
            small,
            truths,
            nested,
            over_arrays,
        ];
        let signatures = vec![
            (vec![Sort::Int], Sort::Int),
            (vec![u, bits], u),
            (vec![Sort::Real, Sort::Bool], Sort::Bool),
            (vec![small], bits),
        ];
        let functions = signatures
            .iter()
            .enumerate()
            .map(|(i, (args, result))| terms.declare_function(&format!("f{i}"), args, *result))
            .collect();
        let by_zero = [Op::IntDiv, Op::Mod, Op::Divide].map(|op| terms.division_by_zero(op));
        let mut all = Mixed { nodes: Vec::new(), sorts, functions, signatures, by_zero };
        for sort in all.sorts.clone() {
            all.push(Shape::Var, &[], sort);
        }
        while all.nodes.len() < size {
            all.grow(terms, random);
        }
        all
    }

    fn push(&mut self, shape: Shape, args: &[usize], sort: Sort) -> usize {
        self.nodes.push(Node { shape, args: args.to_vec(), sort });
        self.nodes.len() - 1
    }

    fn pick(&mut self, terms: &Terms, random: &mut Random, sort: Sort) -> usize {
        let found: Vec<usize> = (0..self.nodes.len()).filter(|&i| self.nodes[i].sort == sort).collect();
        if random.below(4) == 0 {
            return self.push(Shape::Value(any_value(terms, random, sort)), &[], sort);
        }
        let late = found.len().saturating_sub(4);
        if random.below(2) == 0 { random.pick(&found[late..]) } else { random.pick(&found) }
    }

    fn picks(&mut self, terms: &Terms, random: &mut Random, sorts: &[Sort]) -> Vec<usize> {
        sorts.iter().map(|&sort| self.pick(terms, random, sort)).collect()
    }

    fn grow(&mut self, terms: &mut Terms, random: &mut Random) {
        let sort = random.pick(&self.sorts);
        let number = random.pick(&[Sort::Int, Sort::Int, Sort::Real]);
        let (shape, sorts, result) = match random.below(32) {
            0 => (Shape::Not, vec![Sort::Bool], Sort::Bool),
            1 => (Shape::And, vec![Sort::Bool; 3], Sort::Bool),
            2..=6 => (Shape::Eq, vec![sort; 2], Sort::Bool),
            7 => (Shape::Distinct, vec![sort; 3], Sort::Bool),
            8..=10 => (Shape::Ite, vec![Sort::Bool, sort, sort], sort),
            11..=13 => (Shape::Plus, vec![number; 1 + random.below(4) as usize], number),
            14 => (Shape::Minus, vec![number; 2], number),
            15 => (Shape::Negate, vec![number], number),
            16 | 17 => (Shape::Times, vec![number; 2], number),
            18 | 19 => (Shape::Le, vec![number; 2], Sort::Bool),
            20 => (Shape::Lt, vec![number; 2], Sort::Bool),
            21 => (random.pick(&[Shape::IntDiv, Shape::Mod]), vec![Sort::Int; 2], Sort::Int),
            22 => (Shape::Divide, vec![Sort::Real; 2], Sort::Real),
            23 => (Shape::ToReal, vec![Sort::Int], Sort::Real),
            24 => match random.below(3) {
                0 => (Shape::ToInt, vec![Sort::Real], Sort::Int),
                1 => (Shape::IsInt, vec![Sort::Real], Sort::Bool),
                _ => (Shape::Abs, vec![number], number),
            },
            25 => (Shape::BvAdd, vec![Sort::BitVec(2); 2], Sort::BitVec(2)),
            26 | 27 => {
                let i = random.below(self.signatures.len() as u32) as usize;
                let (args, result) = self.signatures[i].clone();
                (Shape::Apply(i), args, result)
            }
            _ => {
                let array = random.pick(&self.sorts[6..]);
                let (index, element) = terms.array_parts(array).expect("an array");
                match random.below(7) {
                    0 => (Shape::ConstArray, vec![element], array),
                    1..=3 => (Shape::Store, vec![array, index, element], array),
                    _ => (Shape::Select, vec![array, index], element),
                }
            }
        };
        let args = self.picks(terms, random, &sorts);
        self.push(shape, &args, result);
    }

    /// The terms of all nodes, by the constructors.
    pub fn terms(&self, t: &mut Terms) -> Vec<Term> {
        let mut built: Vec<Term> = Vec::with_capacity(self.nodes.len());
        for (i, node) in self.nodes.iter().enumerate() {
            let args: Vec<Term> = node.args.iter().map(|&i| built[i]).collect();
            built.push(match &node.shape {
                Shape::Var => t.var_at(&format!("v{i}"), node.sort),
                Shape::Value(value) => t.value(value.clone()),
                Shape::Not => t.not(args[0]),
                Shape::And => t.and(&args),
                Shape::Eq => t.eq(args[0], args[1]),
                Shape::Distinct => t.distinct(&args),
                Shape::Ite => t.ite(args[0], args[1], args[2]),
                Shape::Plus => t.plus(&args),
                Shape::Minus => t.minus(args[0], args[1]),
                Shape::Negate => t.negate(args[0]),
                Shape::Times => t.times(&args),
                Shape::Le => t.le(args[0], args[1]),
                Shape::Lt => t.lt(args[0], args[1]),
                Shape::IntDiv => t.int_div(args[0], args[1]),
                Shape::Mod => t.modulo(args[0], args[1]),
                Shape::Divide => t.divide(args[0], args[1]),
                Shape::ToReal => t.to_real(args[0]),
                Shape::ToInt => t.to_int(args[0]),
                Shape::IsInt => t.is_int(args[0]),
                Shape::Abs => t.abs(args[0]),
                Shape::Select => t.select(args[0], args[1]),
                Shape::Store => t.store(args[0], args[1], args[2]),
                Shape::ConstArray => t.const_array(node.sort, args[0]),
                Shape::Apply(f) => t.apply(self.functions[*f], &args),
                Shape::BvAdd => t.add(args[0], args[1]),
            });
        }
        built
    }

    /// Random values of the variables and tables of the functions.
    pub fn model(&self, terms: &Terms, random: &mut Random, built: &[Term]) -> Model {
        let mut model = Model::new();
        for (node, &t) in self.nodes.iter().zip(built) {
            if let Shape::Var = node.shape {
                model.set(t, any_value(terms, random, node.sort));
            }
        }
        for f in self.functions.iter().chain(&self.by_zero) {
            let (args, result) = terms.signature(*f);
            let mut table = FunctionTable::new(any_value(terms, random, result));
            for _ in 0..random.below(6) {
                let at = args.iter().map(|&sort| any_value(terms, random, sort)).collect();
                table.set(at, any_value(terms, random, result));
            }
            model.set_function(*f, table);
        }
        model
    }

    /// The values of all nodes in a model, without their terms.
    pub fn values(&self, terms: &Terms, built: &[Term], model: &Model) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::with_capacity(self.nodes.len());
        for (i, node) in self.nodes.iter().enumerate() {
            let args: Vec<Value> = node.args.iter().map(|&i| values[i].clone()).collect();
            let function =
                |f: FunctionId, args: &[Value]| model.function(f).expect("a table").get(args).clone();
            let number = |i: usize| args[i].as_number();
            let of = |n: RBig| if node.sort == Sort::Int { Value::Int(n.floor()) } else { Value::Real(n) };
            let zero = |i: usize| number(i) == RBig::ZERO;
            values.push(match &node.shape {
                Shape::Var => model.get(built[i]).expect("a value").clone(),
                Shape::Value(value) => value.clone(),
                Shape::Not => Value::Bool(!args[0].as_bool()),
                Shape::And => Value::Bool(args.iter().all(|a| a.as_bool())),
                Shape::Eq => Value::Bool(args[0] == args[1]),
                Shape::Distinct => {
                    Value::Bool(args[0] != args[1] && args[0] != args[2] && args[1] != args[2])
                }
                Shape::Ite => args[if args[0].as_bool() { 1 } else { 2 }].clone(),
                Shape::Plus => of((0..args.len()).fold(RBig::ZERO, |sum, i| sum + number(i))),
                Shape::Minus => of(number(0) - number(1)),
                Shape::Negate => of(-number(0)),
                Shape::Times => of(number(0) * number(1)),
                Shape::Le => Value::Bool(number(0) <= number(1)),
                Shape::Lt => Value::Bool(number(0) < number(1)),
                Shape::IntDiv if zero(1) => function(self.by_zero[0], &args[..1]),
                Shape::Mod if zero(1) => function(self.by_zero[1], &args[..1]),
                Shape::Divide if zero(1) => function(self.by_zero[2], &args[..1]),
                Shape::IntDiv => Value::Int(quotient(number(0), number(1))),
                Shape::Mod => of(number(0) - number(1) * RBig::from(quotient(number(0), number(1)))),
                Shape::Divide => of(number(0) / number(1)),
                Shape::ToReal => of(number(0)),
                Shape::ToInt => of(number(0)),
                Shape::IsInt => Value::Bool(number(0) == RBig::from(number(0).floor())),
                Shape::Abs => of(if number(0) < RBig::ZERO { -number(0) } else { number(0) }),
                Shape::Select => args[0].as_array().select(&args[1]).clone(),
                Shape::Store => {
                    let mut array = args[0].as_array().clone();
                    array.store(args[1].clone(), args[2].clone());
                    Value::Array(Arc::new(array))
                }
                Shape::ConstArray => Value::Array(Arc::new(terms.constant_array(node.sort, args[0].clone()))),
                Shape::Apply(f) => function(self.functions[*f], &args),
                Shape::BvAdd => Value::Bits(args[0].as_bits().add(args[1].as_bits())),
            });
        }
        values
    }
}

/// SMT-LIB: round down for a positive divisor, up for a negative one.
fn quotient(a: RBig, b: RBig) -> IBig {
    if b > RBig::ZERO { (a / b).floor() } else { (a / b).ceil() }
}

/// A value, small so that equal ones meet.
pub fn any_value(terms: &Terms, random: &mut Random, sort: Sort) -> Value {
    let small = |random: &mut Random| IBig::from(i64::from(random.below(9)) - 4);
    match sort {
        Sort::Bool => Value::Bool(random.below(2) == 0),
        Sort::BitVec(width) => Value::Bits(random_bits(random, width)),
        Sort::Int => Value::Int(small(random)),
        Sort::Real => Value::Real(RBig::from(small(random)) / RBig::from(1 + random.below(3))),
        Sort::Uninterpreted(sort) => Value::Uninterpreted { sort, index: random.below(3) },
        Sort::Array(_) => {
            let (index, element) = terms.array_parts(sort).expect("an array");
            let mut array = terms.constant_array(sort, any_value(terms, random, element));
            for _ in 0..random.below(5) {
                array.store(any_value(terms, random, index), any_value(terms, random, element));
            }
            Value::Array(Arc::new(array))
        }
    }
}

/// All values of two bits.
pub fn two_bits() -> Vec<Value> {
    (0..4).map(|n| Value::Bits(Bits::new(2, n))).collect()
}
