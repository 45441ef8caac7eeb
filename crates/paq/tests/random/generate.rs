//! Random queries over several theories.

use tamis_logic::{FunctionId, Sort, Term, Terms};
use tamis_testing::Random;

/// What the atoms of a query are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theory {
    Bool,
    BitVectors,
    Functions,
    Differences,
    Linear,
    Arrays,
    BitArrays,
    NumberFunctions,
}

pub const THEORIES: [Theory; 8] = [
    Theory::Bool,
    Theory::BitVectors,
    Theory::Functions,
    Theory::Differences,
    Theory::Linear,
    Theory::Arrays,
    Theory::BitArrays,
    Theory::NumberFunctions,
];

/// A query: the conjuncts of a formula, and predicates.
pub struct RandomQuery {
    pub terms: Terms,
    pub formula: Vec<Term>,
    pub predicates: Vec<Term>,
}

struct Generator {
    theory: Theory,
    terms: Terms,
    vars: Vec<Term>,
    arrays: Vec<Term>,
    functions: Vec<FunctionId>,
    /// Booleans that are nothing else.
    booleans: Vec<Term>,
    random: Random,
}

/// The query of a seed.
pub fn query(theory: Theory, seed: u64, most: u64) -> RandomQuery {
    let mut g = Generator {
        theory,
        terms: Terms::new(),
        vars: Vec::new(),
        arrays: Vec::new(),
        functions: Vec::new(),
        booleans: Vec::new(),
        random: Random::new(seed),
    };
    g.declare();
    let mut formula: Vec<Term> = (0..1 + g.below(3)).map(|_| g.formula(3)).collect();
    let count = 1 + g.below(most);
    let mut predicates = Vec::new();
    for i in 0..count {
        let depth = g.below(2) as u32;
        let meaning = g.formula(depth);
        // Every other predicate is a Boolean that an assertion defines, as in MathSAT's convention.
        predicates.push(if g.below(2) == 0 {
            let named = g.terms.var(&format!("p{i}"), Sort::Bool);
            formula.push(g.terms.eq(named, meaning));
            named
        } else {
            meaning
        });
    }
    // Equations are what definitions are made of.
    for _ in 0..g.below(3) {
        let (a, b) = (g.value(1), g.value(1));
        let equation = g.terms.eq(a, b);
        formula.push(equation);
    }
    RandomQuery { terms: g.terms, formula, predicates }
}

impl Generator {
    fn below(&mut self, n: u64) -> u64 {
        self.random.below(n)
    }

    fn declare(&mut self) {
        let terms = &mut self.terms;
        let sort = match self.theory {
            Theory::Bool => Sort::Bool,
            Theory::BitVectors | Theory::BitArrays => Sort::BitVec(3),
            Theory::Functions => terms.declare_sort("U"),
            Theory::Differences | Theory::Linear | Theory::Arrays | Theory::NumberFunctions => Sort::Int,
        };
        self.vars = (0..6).map(|i| terms.var(&format!("x{i}"), sort)).collect();
        self.booleans = (0..2).map(|i| terms.var(&format!("b{i}"), Sort::Bool)).collect();
        match self.theory {
            Theory::Functions | Theory::NumberFunctions => {
                self.functions = vec![
                    terms.declare_function("f", &[sort], sort),
                    terms.declare_function("g", &[sort, sort], sort),
                ];
            }
            Theory::Arrays | Theory::BitArrays => {
                let array = terms.array_sort(sort, sort);
                self.arrays = (0..2).map(|i| terms.var(&format!("a{i}"), array)).collect();
            }
            _ => {}
        }
    }

    fn var(&mut self) -> Term {
        let i = self.below(self.vars.len() as u64) as usize;
        self.vars[i]
    }

    fn array(&mut self, depth: u32) -> Term {
        let i = self.below(self.arrays.len() as u64) as usize;
        if depth == 0 || self.below(2) == 0 {
            return self.arrays[i];
        }
        let (array, index, value) = (self.array(depth - 1), self.value(0), self.value(0));
        self.terms.store(array, index, value)
    }

    fn value(&mut self, depth: u32) -> Term {
        if depth > 0 && self.below(8) == 0 {
            let (c, a, b) = (self.atom(0), self.value(depth - 1), self.value(depth - 1));
            return self.terms.ite(c, a, b);
        }
        let kind = if depth == 0 { 0 } else { self.below(3) };
        match (self.theory, kind) {
            (Theory::BitVectors, 1) => {
                let (a, b) = (self.value(depth - 1), self.value(depth - 1));
                match self.below(4) {
                    0 => self.terms.add(a, b),
                    1 => self.terms.mul(a, b),
                    2 => self.terms.bv_and(a, b),
                    _ => self.terms.sub(a, b),
                }
            }
            (Theory::BitVectors | Theory::BitArrays, 2) => {
                let value = self.below(8);
                self.terms.bits(3, value.into())
            }
            (Theory::Functions | Theory::NumberFunctions, 1) => {
                let a = self.value(depth - 1);
                self.terms.apply(self.functions[0], &[a])
            }
            (Theory::Functions, 2) => {
                let (a, b) = (self.value(depth - 1), self.value(depth - 1));
                self.terms.apply(self.functions[1], &[a, b])
            }
            (Theory::Differences, 1 | 2) | (Theory::NumberFunctions, 2) => {
                let offset = self.below(5) as i64 - 2;
                let (x, offset) = (self.var(), self.terms.int(offset));
                self.terms.plus(&[x, offset])
            }
            (Theory::Linear, 1) => {
                let (c, x, y) = (self.below(7) as i64 - 3, self.var(), self.var());
                let product = self.terms.multiple(c.into(), x);
                self.terms.plus(&[product, y])
            }
            (Theory::Linear | Theory::Arrays, 2) => {
                let value = self.below(5) as i64 - 2;
                self.terms.int(value)
            }
            (Theory::Arrays | Theory::BitArrays, 1) => {
                let (array, index) = (self.array(1), self.value(0));
                self.terms.select(array, index)
            }
            _ => self.var(),
        }
    }

    fn atom(&mut self, depth: u32) -> Term {
        if self.below(6) == 0 {
            let i = self.below(self.booleans.len() as u64) as usize;
            return self.booleans[i];
        }
        if self.theory == Theory::Bool {
            return self.var();
        }
        if !self.arrays.is_empty() && self.below(10) == 0 {
            let (a, b) = (self.array(1), self.array(1));
            return self.terms.eq(a, b);
        }
        let (a, b) = (self.value(depth), self.value(depth));
        match (self.theory, self.below(3)) {
            (Theory::Functions, _) | (_, 0) => self.terms.eq(a, b),
            (Theory::BitVectors | Theory::BitArrays, 1) => self.terms.ult(a, b),
            (Theory::BitVectors | Theory::BitArrays, _) => self.terms.slt(a, b),
            _ => self.terms.le(a, b),
        }
    }

    fn formula(&mut self, depth: u32) -> Term {
        if depth == 0 || self.below(4) == 0 {
            return self.atom(1);
        }
        let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
        match self.below(6) {
            0 => self.terms.and2(a, b),
            1 | 2 => self.terms.or2(a, b),
            3 => self.terms.not(a),
            4 => self.terms.eq(a, b),
            _ => {
                let c = self.formula(depth - 1);
                self.terms.ite(c, a, b)
            }
        }
    }
}
