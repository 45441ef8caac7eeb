//! Random expressions as plain data, with three readings: terms by the constructors, values by `Bits` alone, and
//! SMT-LIB text.

#![allow(dead_code, reason = "each test file uses some of this")]

pub mod mixed;
pub mod script;

use tamis_logic::{Bits, Model, Sort, Term, Terms, UBig, Value};
pub use tamis_testing::Random;

/// A constant, most often one that a rule looks for.
pub fn random_bits(random: &mut Random, width: u32) -> Bits {
    let words: Vec<u64> = (0..width.div_ceil(64)).map(|_| random.next_u64()).collect();
    let any = Bits::from_ubig(width, UBig::from_words(&words));
    let small = any.zero_extend(width + 64).urem(&Bits::new(width + 64, u128::from(width) + 2));
    let power = Bits::power(width, random.below(width));
    match random.below(12) {
        0 => Bits::zero(width),
        1 => Bits::one(width),
        2 => Bits::ones(width),
        3 => Bits::min_signed(width),
        4 => Bits::max_signed(width),
        5 => power,
        6 => power.sub(&Bits::one(width)),
        7 => power.neg(),
        8 | 9 => small.extract(width - 1, 0),
        _ => any,
    }
}

/// What an expression is made of; the numbers in [`Node::args`] are indices of earlier nodes.
#[derive(Clone, Debug)]
pub enum Shape {
    Var(u32),
    Bool(bool),
    Bits(Bits),
    Not,
    And,
    Or,
    Implies,
    Eq,
    Ne,
    Ite,
    Vector(VectorOp),
    Relation(Relation),
    Neg,
    BvNot,
    Concat,
    Extract(u32, u32),
    ZeroExtend,
    SignExtend,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VectorOp {
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Smod,
    Nand,
    Nor,
    Xnor,
    And,
    Or,
    Xor,
    Shl,
    Lshr,
    Ashr,
}

pub const VECTOR_OPS: [VectorOp; 17] = {
    use VectorOp::*;
    [Add, Sub, Mul, Udiv, Urem, Sdiv, Srem, Smod, Nand, Nor, Xnor, And, Or, Xor, Shl, Lshr, Ashr]
};

#[derive(Clone, Copy, Debug)]
pub enum Relation {
    Ult,
    Ule,
    Slt,
    Sle,
    Uaddo,
    Saddo,
    Usubo,
    Ssubo,
    Umulo,
    Smulo,
    Sdivo,
}

pub const RELATIONS: [Relation; 11] = {
    use Relation::*;
    [Ult, Ule, Slt, Sle, Uaddo, Saddo, Usubo, Ssubo, Umulo, Smulo, Sdivo]
};

#[derive(Clone, Debug)]
pub struct Node {
    pub shape: Shape,
    pub args: Vec<usize>,
    pub sort: Sort,
}

/// Expressions that share parts: each node is one.
pub struct Expressions {
    pub nodes: Vec<Node>,
}

impl Expressions {
    /// `size` nodes over a few widths, so that operators find arguments of their width and rules their patterns.
    pub fn random(random: &mut Random, size: usize, widest: u32) -> Expressions {
        let usual: Vec<u32> = [1, 2, 3, 4, 8, 16, 32, 64, 127, 128, 129, 192, 300]
            .into_iter()
            .filter(|&w| w <= widest)
            .collect();
        let widths: Vec<u32> = (0..3)
            .map(|_| if random.below(4) == 0 { 1 + random.below(widest) } else { random.pick(&usual) })
            .collect();
        let mut all = Expressions { nodes: Vec::new() };
        for (i, &width) in widths.iter().enumerate() {
            all.push(Shape::Var(i as u32), &[], Sort::BitVec(width));
        }
        all.push(Shape::Var(3), &[], Sort::BitVec(widths[0]));
        all.push(Shape::Var(4), &[], Sort::Bool);
        all.push(Shape::Var(5), &[], Sort::Bool);
        while all.nodes.len() < size {
            all.grow(random, &widths, widest);
        }
        all
    }

    fn push(&mut self, shape: Shape, args: &[usize], sort: Sort) -> usize {
        self.nodes.push(Node { shape, args: args.to_vec(), sort });
        self.nodes.len() - 1
    }

    /// An earlier node of a sort, a late one more likely, or a constant.
    fn pick(&mut self, random: &mut Random, sort: Sort) -> usize {
        let found: Vec<usize> = (0..self.nodes.len()).filter(|&i| self.nodes[i].sort == sort).collect();
        if found.is_empty() || random.below(4) == 0 {
            return match sort {
                Sort::BitVec(width) => self.push(Shape::Bits(random_bits(random, width)), &[], sort),
                _ => self.push(Shape::Bool(random.below(2) == 0), &[], sort),
            };
        }
        let late = found.len().saturating_sub(4);
        if random.below(2) == 0 { random.pick(&found[late..]) } else { random.pick(&found) }
    }

    /// An earlier node, a constant, or an operator on an earlier node and a constant: half of the rules are about those.
    fn operand(&mut self, random: &mut Random, width: u32) -> usize {
        let a = self.pick(random, Sort::BitVec(width));
        if random.below(3) > 0 {
            return a;
        }
        use VectorOp::{Add, And, Mul, Or, Xor};
        let constant = self.push(Shape::Bits(random_bits(random, width)), &[], Sort::BitVec(width));
        let op = if random.below(2) == 0 { Add } else { random.pick(&[Mul, And, Or, Xor]) };
        self.push(Shape::Vector(op), &[a, constant], Sort::BitVec(width))
    }

    fn pick_vector(&mut self, random: &mut Random) -> (usize, u32) {
        loop {
            let i = random.below(self.nodes.len() as u32) as usize;
            if let Sort::BitVec(width) = self.nodes[i].sort {
                return (i, width);
            }
        }
    }

    fn grow(&mut self, random: &mut Random, widths: &[u32], widest: u32) {
        let width = random.pick(widths);
        let sort = Sort::BitVec(width);
        match random.below(24) {
            0 => {
                let a = self.pick(random, Sort::Bool);
                self.push(Shape::Not, &[a], Sort::Bool);
            }
            1 | 2 => {
                let shape = random.pick(&[Shape::And, Shape::Or, Shape::Implies, Shape::Eq, Shape::Ne]);
                let count = if matches!(shape, Shape::And | Shape::Or) { 1 + random.below(4) } else { 2 };
                let args: Vec<usize> = (0..count).map(|_| self.pick(random, Sort::Bool)).collect();
                self.push(shape, &args, Sort::Bool);
            }
            3..=6 => {
                let sort = if random.below(4) == 0 { Sort::Bool } else { sort };
                let c = self.pick(random, Sort::Bool);
                let (a, b) = (self.pick(random, sort), self.pick(random, sort));
                self.push(Shape::Ite, &[c, a, b], sort);
            }
            7..=9 => {
                let (a, b) = (self.operand(random, width), self.operand(random, width));
                let known = if random.below(3) == 0 { 11 } else { 4 };
                let relation = random.pick(&RELATIONS[..known]);
                self.push(Shape::Relation(relation), &[a, b], Sort::Bool);
            }
            10 | 11 => {
                let (a, b) = (self.operand(random, width), self.operand(random, width));
                let shape = random.pick(&[Shape::Eq, Shape::Ne]);
                self.push(shape, &[a, b], Sort::Bool);
            }
            12 => {
                let a = self.pick(random, sort);
                let shape = random.pick(&[Shape::Neg, Shape::BvNot]);
                self.push(shape, &[a], sort);
            }
            13 | 14 => {
                let (a, width) = self.pick_vector(random);
                let low = random.below(width) * random.below(2);
                let high = low + random.below(width - low);
                self.push(Shape::Extract(high, low), &[a], Sort::BitVec(high - low + 1));
            }
            15 => {
                let ((a, m), (b, n)) = (self.pick_vector(random), self.pick_vector(random));
                if m + n <= widest {
                    self.push(Shape::Concat, &[a, b], Sort::BitVec(m + n));
                }
            }
            16 | 17 => {
                let (a, width) = self.pick_vector(random);
                let to = if random.below(2) == 0 { random.pick(widths) } else { width + random.below(9) };
                if (width..=widest).contains(&to) {
                    let shape = random.pick(&[Shape::ZeroExtend, Shape::SignExtend]);
                    self.push(shape, &[a], Sort::BitVec(to));
                }
            }
            _ => {
                let op = random.pick(&VECTOR_OPS);
                let (a, b) = (self.operand(random, width), self.operand(random, width));
                self.push(Shape::Vector(op), &[a, b], sort);
            }
        }
    }

    /// The terms of all nodes, by the constructors.
    pub fn terms(&self, t: &mut Terms) -> Vec<Term> {
        let mut built: Vec<Term> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let args: Vec<Term> = node.args.iter().map(|&i| built[i]).collect();
            built.push(build(t, node, &args));
        }
        built
    }

    /// The values of all nodes, where `vars` gives those of the variables, without a term in sight.
    pub fn values(&self, vars: &[Value]) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let args: Vec<Value> = node.args.iter().map(|&i| values[i].clone()).collect();
            values.push(value(node, &args, vars));
        }
        values
    }

    /// Random values for the variables, by their number.
    pub fn assignment(&self, random: &mut Random) -> Vec<Value> {
        let vars = self.nodes.iter().filter(|n| matches!(n.shape, Shape::Var(_)));
        let mut values = vec![Value::Bool(false); 6];
        for node in vars {
            if let Shape::Var(number) = node.shape {
                values[number as usize] = match node.sort {
                    Sort::BitVec(width) => Value::Bits(random_bits(random, width)),
                    _ => Value::Bool(random.below(2) == 0),
                };
            }
        }
        values
    }

    /// The model that gives the variables these values.
    pub fn model(&self, built: &[Term], vars: &[Value]) -> Model {
        let mut model = Model::new();
        for (node, &term) in self.nodes.iter().zip(built) {
            if let Shape::Var(number) = node.shape {
                model.set(term, vars[number as usize].clone());
            }
        }
        model
    }
}

fn build(t: &mut Terms, node: &Node, args: &[Term]) -> Term {
    let width = node.sort.width().unwrap_or(0);
    match &node.shape {
        Shape::Var(number) => t.var(&format!("v{number}"), node.sort),
        Shape::Bool(b) => t.bool(*b),
        Shape::Bits(bits) => t.bits_value(bits.clone()),
        Shape::Not => t.not(args[0]),
        Shape::And => t.and(args),
        Shape::Or => t.or(args),
        Shape::Implies => t.implies(args[0], args[1]),
        Shape::Eq => t.eq(args[0], args[1]),
        Shape::Ne => t.ne(args[0], args[1]),
        Shape::Ite => t.ite(args[0], args[1], args[2]),
        Shape::Neg => t.neg(args[0]),
        Shape::BvNot => t.bv_not(args[0]),
        Shape::Concat => t.concat(args[0], args[1]),
        Shape::Extract(high, low) => t.extract(*high, *low, args[0]),
        Shape::ZeroExtend => t.zero_extend(width, args[0]),
        Shape::SignExtend => t.sign_extend(width, args[0]),
        Shape::Relation(relation) => match relation {
            Relation::Ult => t.ult(args[0], args[1]),
            Relation::Ule => t.ule(args[0], args[1]),
            Relation::Slt => t.slt(args[0], args[1]),
            Relation::Sle => t.sle(args[0], args[1]),
            Relation::Uaddo => t.uaddo(args[0], args[1]),
            Relation::Saddo => t.saddo(args[0], args[1]),
            Relation::Usubo => t.usubo(args[0], args[1]),
            Relation::Ssubo => t.ssubo(args[0], args[1]),
            Relation::Umulo => t.umulo(args[0], args[1]),
            Relation::Smulo => t.smulo(args[0], args[1]),
            Relation::Sdivo => t.sdivo(args[0], args[1]),
        },
        Shape::Vector(op) => match op {
            VectorOp::Add => t.add(args[0], args[1]),
            VectorOp::Sub => t.sub(args[0], args[1]),
            VectorOp::Mul => t.mul(args[0], args[1]),
            VectorOp::Udiv => t.udiv(args[0], args[1]),
            VectorOp::Urem => t.urem(args[0], args[1]),
            VectorOp::Sdiv => t.sdiv(args[0], args[1]),
            VectorOp::Srem => t.srem(args[0], args[1]),
            VectorOp::Smod => t.smod(args[0], args[1]),
            VectorOp::Nand => t.bv_nand(args[0], args[1]),
            VectorOp::Nor => t.bv_nor(args[0], args[1]),
            VectorOp::Xnor => t.bv_xnor(args[0], args[1]),
            VectorOp::And => t.bv_and(args[0], args[1]),
            VectorOp::Or => t.bv_or(args[0], args[1]),
            VectorOp::Xor => t.bv_xor(args[0], args[1]),
            VectorOp::Shl => t.shl(args[0], args[1]),
            VectorOp::Lshr => t.lshr(args[0], args[1]),
            VectorOp::Ashr => t.ashr(args[0], args[1]),
        },
    }
}

fn value(node: &Node, args: &[Value], vars: &[Value]) -> Value {
    let width = node.sort.width().unwrap_or(0);
    let truth = |i: usize| args[i].as_bool();
    let bits = |i: usize| args[i].as_bits();
    match &node.shape {
        Shape::Var(number) => vars[*number as usize].clone(),
        Shape::Bool(b) => Value::Bool(*b),
        Shape::Bits(b) => Value::Bits(b.clone()),
        Shape::Not => Value::Bool(!truth(0)),
        Shape::And => Value::Bool(args.iter().all(|a| a.as_bool())),
        Shape::Or => Value::Bool(args.iter().any(|a| a.as_bool())),
        Shape::Implies => Value::Bool(!truth(0) || truth(1)),
        Shape::Eq => Value::Bool(args[0] == args[1]),
        Shape::Ne => Value::Bool(args[0] != args[1]),
        Shape::Ite => args[if truth(0) { 1 } else { 2 }].clone(),
        Shape::Neg => Value::Bits(bits(0).neg()),
        Shape::BvNot => Value::Bits(bits(0).not()),
        Shape::Concat => Value::Bits(bits(0).concat(bits(1))),
        Shape::Extract(high, low) => Value::Bits(bits(0).extract(*high, *low)),
        Shape::ZeroExtend => Value::Bits(bits(0).zero_extend(width)),
        Shape::SignExtend => Value::Bits(bits(0).sign_extend(width)),
        Shape::Relation(relation) => Value::Bool(relation_value(*relation, bits(0), bits(1))),
        Shape::Vector(op) => Value::Bits(vector_value(*op, bits(0), bits(1))),
    }
}

pub fn vector_value(op: VectorOp, a: &Bits, b: &Bits) -> Bits {
    match op {
        VectorOp::Add => a.add(b),
        VectorOp::Sub => a.sub(b),
        VectorOp::Mul => a.mul(b),
        VectorOp::Udiv => a.udiv(b),
        VectorOp::Urem => a.urem(b),
        VectorOp::Sdiv => a.sdiv(b),
        VectorOp::Srem => a.srem(b),
        VectorOp::Smod => a.smod(b),
        VectorOp::Nand => a.and(b).not(),
        VectorOp::Nor => a.or(b).not(),
        VectorOp::Xnor => a.xor(b).not(),
        VectorOp::And => a.and(b),
        VectorOp::Or => a.or(b),
        VectorOp::Xor => a.xor(b),
        VectorOp::Shl => a.shl(b),
        VectorOp::Lshr => a.lshr(b),
        VectorOp::Ashr => a.ashr(b),
    }
}

/// The relations on numbers: an overflow is a result that the width does not hold.
pub fn relation_value(relation: Relation, a: &Bits, b: &Bits) -> bool {
    use tamis_logic::IBig;
    let (x, y) = (IBig::from(a.to_ubig()), IBig::from(b.to_ubig()));
    let (sx, sy) = (a.to_ibig(), b.to_ibig());
    let half = IBig::ONE << (a.width() - 1) as usize;
    let unsigned = |n: IBig| n < IBig::ZERO || n >= &half + &half;
    let signed = |n: IBig| n < -&half || n >= half;
    match relation {
        Relation::Ult => x < y,
        Relation::Ule => x <= y,
        Relation::Slt => sx < sy,
        Relation::Sle => sx <= sy,
        Relation::Uaddo => unsigned(x + y),
        Relation::Saddo => signed(sx + sy),
        Relation::Usubo => unsigned(x - y),
        Relation::Ssubo => signed(sx - sy),
        Relation::Umulo => unsigned(x * y),
        Relation::Smulo => signed(sx * sy),
        Relation::Sdivo => sy != IBig::ZERO && signed(sx / sy),
    }
}
