//! Random tiny programs.

use tamis_logic::{Term, Terms};
use tamis_program::{Builder, Command, Event, Havoc, IntType, Program, Source};

/// A small, fast, seeded generator (xorshift64*): runs are reproducible.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % n
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// An expression; all variables of a program have one width, so every expression has it too.
#[derive(Clone, Debug)]
pub enum Expr {
    Const(u8),
    Var(usize),
    Binary(&'static str, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Cond {
    Compare(&'static str, Expr, Expr),
    Not(Box<Cond>),
    And(Box<Cond>, Box<Cond>),
}

#[derive(Clone, Debug)]
pub enum Action {
    Assign(usize, Expr),
    Havoc(usize),
    Assume(Cond),
}

/// A program: location 0 is the entry, the last one the error.
#[derive(Clone, Debug)]
pub struct TinyProgram {
    pub width: u32,
    pub variables: usize,
    pub locations: usize,
    pub edges: Vec<(usize, usize, Action)>,
}

const ARITHMETIC: [&str; 9] = ["+", "-", "*", "&", "|", "^", "/", "%", ">>"];
const COMPARISONS: [&str; 3] = ["==", "<", "<s"];

impl TinyProgram {
    /// Entry edges initialise each variable; then come locations connected at random, with a bias to structured code:
    /// branches on a condition and its complement, increments, loops back.
    pub fn random(rng: &mut Rng) -> TinyProgram {
        let variables = 1 + rng.below(3) as usize;
        let width = match variables {
            1 => 4 + rng.below(5) as u32,
            2 => 4 + rng.below(3) as u32,
            _ => 4,
        };
        let body = 2 + rng.below(6) as usize;
        let first = variables;
        let error = first + body;
        let mut p = TinyProgram { width, variables, locations: error + 1, edges: Vec::new() };
        for v in 0..variables {
            let action = if rng.below(4) == 0 {
                Action::Havoc(v)
            } else {
                Action::Assign(v, Expr::Const(p.constant(rng)))
            };
            p.edges.push((v, v + 1, action));
        }
        for l in first..error {
            // To anywhere in the body, more often forward; now and then to the error.
            let mut target = || match rng.below(8) {
                0 => error,
                1..=4 => (l + 1).min(error - 1),
                _ => first + rng.below(body as u64) as usize,
            };
            let (a, mut b) = (target(), target());
            // The last location always tests for the error, so that there is something to prove.
            let last = l + 1 == error;
            if last {
                b = error;
            }
            match if last { 0 } else { rng.below(5) } {
                0 | 1 => {
                    let c = p.condition(rng, 1);
                    p.edges.push((l, a, Action::Assume(c.clone())));
                    p.edges.push((l, b, Action::Assume(Cond::Not(Box::new(c)))));
                }
                2 => {
                    let v = rng.below(variables as u64) as usize;
                    p.edges.push((l, a.min(error - 1), Action::Havoc(v)));
                }
                3 => {
                    // Overlapping guards: a nondeterministic choice.
                    let (c, d) = (p.condition(rng, 1), p.condition(rng, 0));
                    p.edges.push((l, a, Action::Assume(c)));
                    p.edges.push((l, b, Action::Assume(d)));
                }
                _ => {
                    let v = rng.below(variables as u64) as usize;
                    let e = p.expression(rng, 2);
                    p.edges.push((l, a.min(error - 1), Action::Assign(v, e)));
                }
            }
        }
        p
    }

    /// A `while` loop with a straight or branching body between constant initial values and a test for the error.
    pub fn looping(rng: &mut Rng) -> TinyProgram {
        let variables = 1 + rng.below(3) as usize;
        let width = if variables == 3 { 4 } else { 4 + rng.below(3) as u32 };
        let body = 1 + rng.below(3) as usize;
        let (head, exit) = (variables, variables + 1 + body);
        let error = exit + 1;
        let mut p = TinyProgram { width, variables, locations: error + 1, edges: Vec::new() };
        for v in 0..variables {
            p.edges.push((v, v + 1, Action::Assign(v, Expr::Const(p.constant(rng)))));
        }
        let stay = p.condition(rng, 1);
        p.edges.push((head, head + 1, Action::Assume(stay.clone())));
        p.edges.push((head, exit, Action::Assume(Cond::Not(Box::new(stay)))));
        for l in head + 1..exit {
            let next = if l + 1 == exit { head } else { l + 1 };
            let v = rng.below(variables as u64) as usize;
            match rng.below(6) {
                0 => p.edges.push((l, next, Action::Havoc(v))),
                1 => {
                    let c = p.condition(rng, 0);
                    p.edges.push((l, next, Action::Assume(c.clone())));
                    p.edges.push((l, head, Action::Assume(Cond::Not(Box::new(c)))));
                }
                _ => {
                    let e = p.expression(rng, 2);
                    p.edges.push((l, next, Action::Assign(v, e)));
                }
            }
        }
        let bad = p.condition(rng, 1);
        p.edges.push((exit, error, Action::Assume(bad)));
        p
    }

    fn constant(&self, rng: &mut Rng) -> u8 {
        let mask = ((1u32 << self.width) - 1) as u8;
        (if rng.below(2) == 0 { rng.below(4) as u8 } else { rng.below(256) as u8 }) & mask
    }

    fn expression(&self, rng: &mut Rng, depth: u32) -> Expr {
        match rng.below(if depth == 0 { 2 } else { 5 }) {
            0 => Expr::Const(self.constant(rng)),
            1 => Expr::Var(rng.below(self.variables as u64) as usize),
            _ => {
                let op = if rng.below(2) == 0 { "+" } else { rng.pick(&ARITHMETIC) };
                let a = Expr::Var(rng.below(self.variables as u64) as usize);
                Expr::Binary(op, Box::new(a), Box::new(self.expression(rng, depth - 1)))
            }
        }
    }

    /// A condition over the variables.
    pub fn condition(&self, rng: &mut Rng, depth: u32) -> Cond {
        match rng.below(if depth == 0 { 3 } else { 5 }) {
            3 => Cond::Not(Box::new(self.condition(rng, depth - 1))),
            4 => {
                Cond::And(Box::new(self.condition(rng, depth - 1)), Box::new(self.condition(rng, depth - 1)))
            }
            _ => {
                let a = Expr::Var(rng.below(self.variables as u64) as usize);
                Cond::Compare(rng.pick(&COMPARISONS), a, self.expression(rng, 1))
            }
        }
    }

    /// The same program as an automaton.
    pub fn build(&self, terms: &mut Terms) -> Program {
        let mut b = Builder::new();
        let (file, main) = (b.file("tiny.c"), b.frame("main", None));
        let at = Source { file, line: 1, column: 1 };
        let ty = IntType { bits: self.width, signed: false };
        let vars: Vec<_> =
            (0..self.variables).map(|i| b.variable(terms, &format!("v{i}"), ty, Some(main))).collect();
        let values: Vec<Term> = vars.iter().map(|&v| b.term(v)).collect();
        let locations: Vec<_> = (0..self.locations).map(|_| b.location(main)).collect();
        for (from, to, action) in &self.edges {
            let command = match action {
                Action::Assign(v, e) => Command::Assign(vars[*v], self.term(terms, &values, e)),
                Action::Havoc(v) => Command::Havoc(vars[*v], Havoc::Input("input".into())),
                Action::Assume(c) => Command::Assume(self.formula(terms, &values, c)),
            };
            b.edge(locations[*from], locations[*to], command, at, Event::Step);
        }
        b.finish(locations[0], locations[self.locations - 1])
    }

    fn term(&self, terms: &mut Terms, values: &[Term], e: &Expr) -> Term {
        match e {
            Expr::Const(c) => terms.bits(self.width, u128::from(*c)),
            Expr::Var(v) => values[*v],
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.term(terms, values, a), self.term(terms, values, b));
                match *op {
                    "+" => terms.add(a, b),
                    "-" => terms.sub(a, b),
                    "*" => terms.mul(a, b),
                    "&" => terms.bv_and(a, b),
                    "|" => terms.bv_or(a, b),
                    "^" => terms.bv_xor(a, b),
                    "/" => terms.udiv(a, b),
                    "%" => terms.urem(a, b),
                    _ => terms.lshr(a, b),
                }
            }
        }
    }

    /// A condition as a formula.
    pub fn formula(&self, terms: &mut Terms, values: &[Term], c: &Cond) -> Term {
        match c {
            Cond::Compare(op, a, b) => {
                let (a, b) = (self.term(terms, values, a), self.term(terms, values, b));
                match *op {
                    "==" => terms.eq(a, b),
                    "<" => terms.ult(a, b),
                    _ => terms.slt(a, b),
                }
            }
            Cond::Not(c) => {
                let c = self.formula(terms, values, c);
                terms.not(c)
            }
            Cond::And(a, b) => {
                let (a, b) = (self.formula(terms, values, a), self.formula(terms, values, b));
                terms.and2(a, b)
            }
        }
    }
}
