//! Random formulas of each logic.

pub use crate::common::Random;
use tamis_logic::{FunctionId, RBig, Sort, Term, Terms};

/// What formulas are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Logic {
    Uf,
    Idl,
    Rdl,
    Lia,
    Lra,
    UfLia,
    UfLra,
    Ax,
    AufLia,
    Abv,
    UfBv,
    AufBv,
    /// Integers and reals with conversions.
    Lira,
    /// Arrays of arrays, arrays as arguments and as indices.
    Nested,
}

pub const LOGICS: [Logic; 14] = [
    Logic::Uf,
    Logic::Idl,
    Logic::Rdl,
    Logic::Lia,
    Logic::Lra,
    Logic::UfLia,
    Logic::UfLra,
    Logic::Ax,
    Logic::AufLia,
    Logic::Abv,
    Logic::UfBv,
    Logic::AufBv,
    Logic::Lira,
    Logic::Nested,
];

/// A generator of formulas of one logic.
pub struct Generator<'a> {
    pub t: &'a mut Terms,
    pub random: &'a mut Random,
    pub logic: Logic,
    /// Sorts that equalities are made at.
    sorts: Vec<Sort>,
    functions: Vec<FunctionId>,
}

impl<'a> Generator<'a> {
    pub fn new(t: &'a mut Terms, random: &'a mut Random, logic: Logic) -> Generator<'a> {
        let mut functions = Vec::new();
        let u = t.declare_sort("U");
        let word = Sort::BitVec(3);
        let mut function = |t: &mut Terms, name: &str, args: &[Sort], result| {
            functions.push(t.declare_function(name, args, result));
        };
        let array = |t: &mut Terms, index, element| t.array_sort(index, element);
        let sorts = match logic {
            Logic::Uf => {
                function(t, "f", &[u], u);
                function(t, "g", &[u, u], u);
                function(t, "p", &[u], Sort::Bool);
                function(t, "h", &[Sort::Bool, u], u);
                vec![u]
            }
            Logic::Idl | Logic::Lia => vec![Sort::Int],
            Logic::Rdl | Logic::Lra => vec![Sort::Real],
            Logic::Lira => vec![Sort::Int, Sort::Real],
            Logic::UfLia | Logic::UfLra => {
                let number = if logic == Logic::UfLia { Sort::Int } else { Sort::Real };
                function(t, "f", &[number], number);
                function(t, "g", &[number, u], number);
                function(t, "h", &[number], u);
                function(t, "p", &[number, number], Sort::Bool);
                vec![number, u]
            }
            Logic::Ax => {
                let element = t.declare_sort("E");
                vec![array(t, u, element), u, element]
            }
            Logic::AufLia => {
                function(t, "f", &[Sort::Int], Sort::Int);
                vec![array(t, Sort::Int, Sort::Int), Sort::Int]
            }
            Logic::Abv => vec![array(t, word, word), word, array(t, Sort::BitVec(8), word), Sort::BitVec(8)],
            Logic::UfBv => {
                function(t, "f", &[word], word);
                function(t, "g", &[word, word], word);
                function(t, "p", &[word], Sort::Bool);
                vec![word]
            }
            Logic::AufBv => {
                let arrays = array(t, word, word);
                function(t, "f", &[word], word);
                function(t, "g", &[u], word);
                function(t, "h", &[word], u);
                vec![arrays, word, u]
            }
            Logic::Nested => {
                let inner = array(t, u, Sort::Int);
                let outer = array(t, u, inner);
                let by_array = array(t, inner, Sort::Bool);
                function(t, "f", &[inner], u);
                function(t, "g", &[u], inner);
                vec![inner, outer, by_array, u, Sort::Int]
            }
        };
        Generator { t, random, logic, sorts, functions }
    }

    fn var(&mut self, sort: Sort) -> Term {
        let count = if matches!(sort, Sort::Array(_)) { 2 } else { 3 };
        let name =
            format!("x{}_{}", self.random.below(count), self.t.sort_text(sort).replace([' ', '(', ')'], "_"));
        self.t.var(&name, sort)
    }

    fn constant(&mut self, sort: Sort) -> Term {
        let n = self.random.below(7) - 3;
        match sort {
            Sort::Int => self.t.int(n),
            Sort::Real => {
                let d = self.random.pick(&[1u8, 1, 2, 3]);
                let n = RBig::from(n) / RBig::from(d);
                self.t.real(n)
            }
            Sort::BitVec(w) => self.t.bits(w, n as u128),
            _ => self.var(sort),
        }
    }

    /// Sorts with an array sort of the logic among their kinds.
    fn arrays_to(&self, element: Sort) -> Vec<Sort> {
        let parts = |s: &Sort| self.t.array_parts(*s).is_some_and(|(_, e)| e == element);
        self.sorts.iter().copied().filter(parts).collect()
    }

    pub fn term(&mut self, sort: Sort, depth: u32) -> Term {
        if sort == Sort::Bool {
            return self.formula(depth);
        }
        if depth == 0 || self.random.below(6) == 0 {
            return if self.random.below(3) == 0 { self.constant(sort) } else { self.var(sort) };
        }
        let d = depth - 1;
        let arrays = self.arrays_to(sort);
        let to_sort = |f: &FunctionId| self.t.signature(*f).1 == sort;
        let functions: Vec<FunctionId> = self.functions.iter().copied().filter(to_sort).collect();
        match self.random.below(10) {
            0 => {
                let c = self.formula(d);
                let (a, b) = (self.term(sort, d), self.term(sort, d));
                self.t.ite(c, a, b)
            }
            1..=3 if !functions.is_empty() => self.application(&functions, d),
            4 | 5 if !arrays.is_empty() => {
                let array = self.random.pick(&arrays);
                let (index, _) = self.t.array_parts(array).unwrap();
                let (a, i) = (self.term(array, d), self.term(index, d));
                self.t.select(a, i)
            }
            _ => match sort {
                Sort::Array(_) => {
                    let (index, element) = self.t.array_parts(sort).unwrap();
                    if self.random.below(5) == 0 && !matches!(index, Sort::Array(_) | Sort::Uninterpreted(_))
                    {
                        let v = self.term(element, d);
                        return self.t.const_array(sort, v);
                    }
                    let (a, i, v) = (self.term(sort, d), self.term(index, d), self.term(element, d));
                    self.t.store(a, i, v)
                }
                Sort::BitVec(_) => {
                    let (a, b) = (self.term(sort, d), self.term(sort, d));
                    match self.random.below(3) {
                        0 => self.t.add(a, b),
                        1 => self.t.bv_and(a, b),
                        _ => self.t.bv_xor(a, b),
                    }
                }
                Sort::Int | Sort::Real => self.number(sort, d),
                _ if !functions.is_empty() => self.application(&functions, d),
                _ => self.var(sort),
            },
        }
    }

    fn application(&mut self, functions: &[FunctionId], d: u32) -> Term {
        let f = self.random.pick(functions);
        let sorts = self.t.signature(f).0.to_vec();
        let args: Vec<Term> = sorts.iter().map(|&s| self.term(s, d)).collect();
        self.t.apply(f, &args)
    }

    fn number(&mut self, sort: Sort, d: u32) -> Term {
        if matches!(self.logic, Logic::Idl | Logic::Rdl) {
            return self.var(sort);
        }
        let a = self.term(sort, d);
        match self.random.below(8) {
            0..=2 => {
                let b = self.term(sort, d);
                self.t.plus(&[a, b])
            }
            3 | 4 => {
                let b = self.term(sort, d);
                self.t.minus(a, b)
            }
            5 => {
                let factor = RBig::from(self.random.below(7) - 3);
                self.t.multiple(factor, a)
            }
            6 if self.logic == Logic::Lira && sort == Sort::Int => {
                let real = self.term(Sort::Real, d);
                self.t.to_int(real)
            }
            6 if self.logic == Logic::Lira => {
                let int = self.term(Sort::Int, d);
                self.t.to_real(int)
            }
            _ if sort == Sort::Int => {
                let n = self.random.pick(&[2, 3, -2]);
                let n = self.t.int(n);
                match self.random.below(3) {
                    0 => self.t.int_div(a, n),
                    1 => self.t.modulo(a, n),
                    _ => self.t.abs(a),
                }
            }
            _ => self.t.abs(a),
        }
    }

    pub fn atom(&mut self, depth: u32) -> Term {
        let to_bool = |f: &FunctionId| self.t.signature(*f).1 == Sort::Bool;
        let predicates: Vec<FunctionId> = self.functions.iter().copied().filter(to_bool).collect();
        if !predicates.is_empty() && self.random.below(4) == 0 {
            return self.application(&predicates, depth);
        }
        let sort = self.random.pick(&self.sorts);
        if matches!(self.logic, Logic::Idl | Logic::Rdl) {
            let (a, b, c) = (self.var(sort), self.var(sort), self.constant(sort));
            let difference = self.t.minus(a, b);
            return if self.random.below(3) == 0 {
                self.t.eq(difference, c)
            } else {
                self.t.le(difference, c)
            };
        }
        let (a, b) = (self.term(sort, depth), self.term(sort, depth));
        match sort {
            Sort::Int | Sort::Real if self.random.below(3) > 0 => {
                if self.random.coin() {
                    self.t.le(a, b)
                } else {
                    self.t.lt(a, b)
                }
            }
            Sort::Real if self.logic == Logic::Lira && self.random.below(4) == 0 => self.t.is_int(a),
            Sort::BitVec(_) if self.random.coin() => self.t.ult(a, b),
            _ => self.t.eq(a, b),
        }
    }

    pub fn formula(&mut self, depth: u32) -> Term {
        if depth == 0 {
            let name = format!("b{}", self.random.below(2));
            return self.t.var(&name, Sort::Bool);
        }
        let d = depth - 1;
        match self.random.below(8) {
            0 => {
                let a = self.formula(d);
                self.t.not(a)
            }
            1 | 2 => {
                let args: Vec<Term> = (0..2 + self.random.below(2)).map(|_| self.formula(d)).collect();
                if self.random.coin() { self.t.and(&args) } else { self.t.or(&args) }
            }
            3 if self.random.coin() => {
                let (a, b) = (self.formula(d), self.formula(d));
                self.t.eq(a, b)
            }
            _ => {
                let atom = self.atom(d);
                if self.random.coin() { self.t.not(atom) } else { atom }
            }
        }
    }

    /// A conjunction that is neither always satisfiable nor never: clauses of atoms.
    pub fn query(&mut self) -> Vec<Term> {
        let clauses = 3 + self.random.below(9);
        let clause = |g: &mut Self| {
            let width = 1 + g.random.below(3);
            let depth = 1 + g.random.below(3) as u32;
            let lits: Vec<Term> = (0..width).map(|_| g.formula(depth)).collect();
            g.t.or(&lits)
        };
        (0..clauses).map(|_| clause(self)).collect()
    }
}
