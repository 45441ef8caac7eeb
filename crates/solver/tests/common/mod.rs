//! Random formulas, and slow and obvious ways to know about them.

#![allow(dead_code, reason = "each test file uses some of this")]

use tamis_logic::{Bits, Model, Sort, Term, Terms, Value};
pub use tamis_testing::Random;

/// A bit-vector that is a corner case half of the time.
pub fn random_bits(random: &mut Random, width: u32) -> Bits {
    match random.below(12) {
        0 => Bits::zero(width),
        1 => Bits::one(width),
        2 => Bits::ones(width),
        3 => Bits::min_signed(width),
        4 => Bits::max_signed(width),
        5 => Bits::new(width, 1 << random.below(width as usize)),
        6 => Bits::new(width, u128::from(random.next_u64() % (u64::from(width) + 2))),
        _ => Bits::new(width, (u128::from(random.next_u64()) << 64) | u128::from(random.next_u64())),
    }
}

/// A generator of terms over a few variables.
pub struct Generator<'a> {
    pub terms: &'a mut Terms,
    pub random: &'a mut Random,
    pub vectors: Vec<Term>,
    pub bools: Vec<Term>,
    /// The widest term to make.
    pub widest: u32,
}

impl Generator<'_> {
    pub fn vars(&self) -> Vec<Term> {
        self.vectors.iter().chain(&self.bools).copied().collect()
    }

    fn width(&mut self) -> u32 {
        1 + self.random.below(self.widest as usize) as u32
    }

    pub fn vector(&mut self, width: u32, depth: u32) -> Term {
        if depth == 0 || self.random.below(10) == 0 {
            return self.vector_leaf(width);
        }
        let d = depth - 1;
        match self.random.below(20) {
            0 => {
                let cond = self.formula(d);
                let (a, b) = (self.vector(width, d), self.vector(width, d));
                self.terms.ite(cond, a, b)
            }
            1 => {
                let from = width + self.random.below((self.widest - width + 1) as usize) as u32;
                let low = self.random.below((from - width + 1) as usize) as u32;
                let a = self.vector(from, d);
                self.terms.extract(low + width - 1, low, a)
            }
            2 if width > 1 => {
                let low = 1 + self.random.below(width as usize - 1) as u32;
                let (a, b) = (self.vector(width - low, d), self.vector(low, d));
                self.terms.concat(a, b)
            }
            3 => {
                let from = 1 + self.random.below(width as usize) as u32;
                let a = self.vector(from, d);
                if self.random.coin() {
                    self.terms.zero_extend(width, a)
                } else {
                    self.terms.sign_extend(width, a)
                }
            }
            4 => {
                let a = self.vector(width, d);
                self.terms.neg(a)
            }
            5 => {
                let a = self.vector(width, d);
                self.terms.bv_not(a)
            }
            _ => {
                let (a, b) = (self.vector(width, d), self.vector(width, d));
                let op = self.random.pick(&VECTOR_OPS).1;
                op(self.terms, a, b)
            }
        }
    }

    fn vector_leaf(&mut self, width: u32) -> Term {
        if self.vectors.is_empty() || self.random.below(4) == 0 {
            let bits = random_bits(self.random, width);
            return self.terms.bits_value(bits);
        }
        let var = self.random.pick(&self.vectors);
        let signed = self.random.coin();
        self.terms.resize(width, signed, var)
    }

    pub fn formula(&mut self, depth: u32) -> Term {
        if depth == 0 || self.random.below(12) == 0 {
            if self.bools.is_empty() || self.random.below(8) == 0 {
                let value = self.random.coin();
                return self.terms.bool(value);
            }
            return self.random.pick(&self.bools);
        }
        let d = depth - 1;
        match self.random.below(10) {
            0 => {
                let a = self.formula(d);
                self.terms.not(a)
            }
            1 | 2 => {
                let args: Vec<Term> = (0..2 + self.random.below(3)).map(|_| self.formula(d)).collect();
                if self.random.coin() { self.terms.and(&args) } else { self.terms.or(&args) }
            }
            3 => {
                let (a, b) = (self.formula(d), self.formula(d));
                self.terms.eq(a, b)
            }
            4 => {
                let (c, a, b) = (self.formula(d), self.formula(d), self.formula(d));
                self.terms.ite(c, a, b)
            }
            _ => {
                let width = self.width();
                let (a, b) = (self.vector(width, d), self.vector(width, d));
                match self.random.below(5) {
                    0 => self.terms.ult(a, b),
                    1 => self.terms.slt(a, b),
                    2 => self.terms.ule(a, b),
                    3 => self.terms.sle(a, b),
                    _ => self.terms.eq(a, b),
                }
            }
        }
    }
}

pub type Binary = fn(&mut Terms, Term, Term) -> Term;

/// The operators from two bit-vectors of one width to a third.
pub const VECTOR_OPS: [(&str, Binary); 14] = [
    ("add", Terms::add),
    ("sub", Terms::sub),
    ("mul", Terms::mul),
    ("udiv", Terms::udiv),
    ("urem", Terms::urem),
    ("sdiv", Terms::sdiv),
    ("srem", Terms::srem),
    ("and", Terms::bv_and),
    ("or", Terms::bv_or),
    ("xor", Terms::bv_xor),
    ("shl", Terms::shl),
    ("lshr", Terms::lshr),
    ("ashr", Terms::ashr),
    ("add", Terms::add),
];

/// The operators from two bit-vectors of one width to a truth value.
pub const RELATIONS: [(&str, Binary); 5] =
    [("eq", Terms::eq), ("ult", Terms::ult), ("slt", Terms::slt), ("ule", Terms::ule), ("sle", Terms::sle)];

/// Every model over `vars`, whose bits are few.
pub fn all_models(terms: &Terms, vars: &[Term]) -> Vec<Model> {
    let widths: Vec<u32> = vars.iter().map(|&v| terms.sort(v).width().unwrap_or(1)).collect();
    let total: u32 = widths.iter().sum();
    assert!(total <= 16, "too many bits to enumerate");
    let model = |number: u128| {
        let mut rest = number;
        let mut model = Model::new();
        for (&var, &width) in vars.iter().zip(&widths) {
            let value = match terms.sort(var) {
                Sort::BitVec(width) => Value::Bits(Bits::new(width, rest)),
                _ => Value::Bool(rest & 1 == 1),
            };
            model.set(var, value);
            rest >>= width;
        }
        model
    };
    (0..1 << total).map(model).collect()
}

/// A few small variables: at most ten bits.
pub fn small_generator<'a>(terms: &'a mut Terms, random: &'a mut Random) -> Generator<'a> {
    let widths = random.pick(&[[4, 3, 2], [3, 3, 3], [5, 3, 1], [1, 2, 3]]);
    let vectors = widths.iter().enumerate().map(|(i, &w)| terms.var(&format!("v{i}_{w}"), Sort::BitVec(w)));
    let vectors: Vec<Term> = vectors.collect();
    let bools = vec![terms.var("p", Sort::Bool)];
    Generator { terms, random, vectors, bools, widest: 6 }
}
