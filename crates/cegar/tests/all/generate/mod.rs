//! Random tiny programs.

use tamis_logic::{Term, Terms};
use tamis_program::{Builder, Command, Event, Havoc, IntType, Program, Source, VariableType};
pub use tamis_testing::Random;

/// An expression; all variables of a program have one width, so every expression has it too.
#[derive(Clone, Debug)]
pub enum Expr {
    Const(u8),
    Var(usize),
    /// What memory holds at an address.
    Cell(Box<Expr>),
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
    /// Writes the second value to memory at the first.
    Write(Expr, Expr),
    HavocMemory,
    Assume(Cond),
}

/// A program: location 0 is the entry, the last one the error.
#[derive(Clone, Debug)]
pub struct TinyProgram {
    pub width: u32,
    pub variables: usize,
    /// Whether there is memory beside the variables: [`CELLS`] cells as wide as they are, each at the addresses that end in
    /// its number.
    pub memory: bool,
    pub locations: usize,
    pub edges: Vec<(usize, usize, Action)>,
}

/// The cells of memory.
pub const CELLS: usize = 4;
const ADDRESS_BITS: u32 = 2;

const ARITHMETIC: [&str; 9] = ["+", "-", "*", "&", "|", "^", "/", "%", ">>"];
const COMPARISONS: [&str; 3] = ["==", "<", "<s"];

impl TinyProgram {
    /// Entry edges initialise each variable; then come locations connected at random, with a bias to structured code:
    /// branches on a condition and its complement, increments, loops back.
    pub fn random(random: &mut Random) -> TinyProgram {
        TinyProgram::random_over(random, false)
    }

    /// A program of either shape with memory.
    pub fn with_memory(random: &mut Random) -> TinyProgram {
        if random.below(2) == 0 {
            TinyProgram::random_over(random, true)
        } else {
            TinyProgram::looping_over(random, true)
        }
    }

    fn random_over(random: &mut Random, memory: bool) -> TinyProgram {
        let variables = if memory { 2 } else { 1 + random.below(3) as usize };
        let width = match variables {
            _ if memory => 2,
            1 => 4 + random.below(5) as u32,
            2 => 4 + random.below(3) as u32,
            _ => 4,
        };
        let body = 2 + random.below(6) as usize;
        let first = variables + if memory { CELLS } else { 0 };
        let error = first + body;
        let mut p = TinyProgram { width, variables, memory, locations: error + 1, edges: Vec::new() };
        for v in 0..variables {
            let action = if random.below(4) == 0 {
                Action::Havoc(v)
            } else {
                Action::Assign(v, Expr::Const(p.constant(random)))
            };
            p.edges.push((v, v + 1, action));
        }
        p.initialize_memory(random);
        for l in first..error {
            // To anywhere in the body, more often forward; now and then to the error.
            let mut target = || match random.below(8) {
                0 => error,
                1..=4 => (l + 1).min(error - 1),
                _ => first + random.below(body as u64) as usize,
            };
            let (a, mut b) = (target(), target());
            // The last location always tests for the error, so that there is something to prove.
            let last = l + 1 == error;
            if last {
                b = error;
            }
            match if last { 0 } else { random.below(5) } {
                0 | 1 => {
                    let c = p.condition(random, 1);
                    p.edges.push((l, a, Action::Assume(c.clone())));
                    p.edges.push((l, b, Action::Assume(Cond::Not(Box::new(c)))));
                }
                2 => {
                    let action = p.choice(random);
                    p.edges.push((l, a.min(error - 1), action));
                }
                3 => {
                    // Overlapping guards: a nondeterministic choice.
                    let (c, d) = (p.condition(random, 1), p.condition(random, 0));
                    p.edges.push((l, a, Action::Assume(c)));
                    p.edges.push((l, b, Action::Assume(d)));
                }
                _ => {
                    let action = p.assignment(random);
                    p.edges.push((l, a.min(error - 1), action));
                }
            }
        }
        p
    }

    /// A `while` loop with a straight or branching body between constant initial values and a test for the error.
    pub fn looping(random: &mut Random) -> TinyProgram {
        TinyProgram::looping_over(random, false)
    }

    fn looping_over(random: &mut Random, memory: bool) -> TinyProgram {
        let variables = if memory { 2 } else { 1 + random.below(3) as usize };
        let width = match variables {
            _ if memory => 2,
            3 => 4,
            _ => 4 + random.below(3) as u32,
        };
        let body = 1 + random.below(3) as usize;
        let head = variables + if memory { CELLS } else { 0 };
        let exit = head + 1 + body;
        let error = exit + 1;
        let mut p = TinyProgram { width, variables, memory, locations: error + 1, edges: Vec::new() };
        for v in 0..variables {
            p.edges.push((v, v + 1, Action::Assign(v, Expr::Const(p.constant(random)))));
        }
        p.initialize_memory(random);
        let stay = p.condition(random, 1);
        p.edges.push((head, head + 1, Action::Assume(stay.clone())));
        p.edges.push((head, exit, Action::Assume(Cond::Not(Box::new(stay)))));
        for l in head + 1..exit {
            let next = if l + 1 == exit { head } else { l + 1 };
            match random.below(6) {
                0 => {
                    let action = p.choice(random);
                    p.edges.push((l, next, action));
                }
                1 => {
                    let c = p.condition(random, 0);
                    p.edges.push((l, next, Action::Assume(c.clone())));
                    p.edges.push((l, head, Action::Assume(Cond::Not(Box::new(c)))));
                }
                _ => {
                    let action = p.assignment(random);
                    p.edges.push((l, next, action));
                }
            }
        }
        let bad = p.condition(random, 1);
        p.edges.push((exit, error, Action::Assume(bad)));
        p
    }

    /// Gives each cell of memory, if there is any, a value, after the variables.
    fn initialize_memory(&mut self, random: &mut Random) {
        for cell in 0..if self.memory { CELLS } else { 0 } {
            let l = self.variables + cell;
            let value = Expr::Const(self.constant(random));
            self.edges.push((l, l + 1, Action::Write(Expr::Const(cell as u8), value)));
        }
    }

    /// Gives a variable, or memory, any value.
    fn choice(&self, random: &mut Random) -> Action {
        if self.memory && random.below(4) == 0 {
            return Action::HavocMemory;
        }
        Action::Havoc(random.below(self.variables as u64) as usize)
    }

    /// Gives a variable, or a cell of memory, the value of an expression.
    fn assignment(&self, random: &mut Random) -> Action {
        if self.memory && random.below(2) == 0 {
            return Action::Write(self.expression(random, 1), self.expression(random, 1));
        }
        let v = random.below(self.variables as u64) as usize;
        Action::Assign(v, self.expression(random, 2))
    }

    /// A variable, or what memory holds where it points to.
    fn operand(&self, random: &mut Random) -> Expr {
        let v = Expr::Var(random.below(self.variables as u64) as usize);
        if self.memory && random.below(2) == 0 { Expr::Cell(Box::new(v)) } else { v }
    }

    fn constant(&self, random: &mut Random) -> u8 {
        let mask = ((1u32 << self.width) - 1) as u8;
        (if random.below(2) == 0 { random.below(4) as u8 } else { random.below(256) as u8 }) & mask
    }

    fn expression(&self, random: &mut Random, depth: u32) -> Expr {
        match random.below(if depth == 0 { 2 } else { 5 }) {
            0 => Expr::Const(self.constant(random)),
            1 => self.operand(random),
            _ => {
                let op = if random.below(2) == 0 { "+" } else { random.pick(&ARITHMETIC) };
                let a = self.operand(random);
                Expr::Binary(op, Box::new(a), Box::new(self.expression(random, depth - 1)))
            }
        }
    }

    /// A condition over the variables.
    pub fn condition(&self, random: &mut Random, depth: u32) -> Cond {
        match random.below(if depth == 0 { 3 } else { 5 }) {
            3 => Cond::Not(Box::new(self.condition(random, depth - 1))),
            4 => Cond::And(
                Box::new(self.condition(random, depth - 1)),
                Box::new(self.condition(random, depth - 1)),
            ),
            _ => {
                let a = self.operand(random);
                Cond::Compare(random.pick(&COMPARISONS), a, self.expression(random, 1))
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
        let cells = VariableType::memory(terms, ADDRESS_BITS, self.width);
        let memory = self.memory.then(|| b.variable(terms, "memory", cells, Some(main)));
        // Memory comes after the variables.
        let values: Vec<Term> = vars.iter().chain(&memory).map(|&v| b.term(v)).collect();
        let locations: Vec<_> = (0..self.locations).map(|_| b.location(main)).collect();
        for (from, to, action) in &self.edges {
            let command = match action {
                Action::Assign(v, e) => Command::Assign(vars[*v], self.term(terms, &values, e)),
                Action::Havoc(v) => Command::Havoc(vars[*v], Havoc::Input("input".into())),
                Action::Write(address, e) => {
                    let (address, e) = (self.address(terms, &values, address), self.term(terms, &values, e));
                    let written = terms.store(values[self.variables], address, e);
                    Command::Assign(memory.expect("what is written to"), written)
                }
                Action::HavocMemory => {
                    Command::Havoc(memory.expect("what is chosen"), Havoc::Input("memory".into()))
                }
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
            Expr::Cell(address) => {
                let address = self.address(terms, values, address);
                terms.select(values[self.variables], address)
            }
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

    fn address(&self, terms: &mut Terms, values: &[Term], e: &Expr) -> Term {
        let e = self.term(terms, values, e);
        terms.extract(ADDRESS_BITS - 1, 0, e)
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
