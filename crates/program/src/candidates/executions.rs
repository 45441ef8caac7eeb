//! Executions with inputs chosen at random: states that are reached for certain.
//!
//! Inputs are small numbers, numbers near those that the text compares with, and any others: the first make loops end soon, the
//! second pass the checks before them.

use crate::automaton::{Command, EdgeId, Location, Program};
use crate::cutset::relevant_locations;
use tamis_logic::{Bits, Model, Op, Sort, Term, Terms, Value};

/// So many executions are tried.
const EXECUTIONS: u64 = 96;

/// An execution is followed over so many edges.
const MAX_EDGES: usize = 3000;

/// All executions together take so many edges.
const ALL_EDGES: usize = 60_000;

/// Of the states that one execution has at a place, so many are kept, and of later ones one in so many.
const FIRST_VISITS: usize = 6;
const ONE_IN: u64 = 16;

/// The states of executions at some places, at most so many at each; `places` says which place a location is.
pub(super) fn visited(
    terms: &Terms,
    program: &Program,
    places: (usize, &dyn Fn(Location) -> Option<usize>),
    live: &dyn Fn(usize) -> Vec<Term>,
    most: usize,
    stop: &dyn Fn() -> bool,
) -> Vec<Vec<Model>> {
    let (count, place_of) = places;
    let numbers = numbers(terms, program);
    let relevant = relevant_locations(program);
    let live: Vec<Vec<Term>> = (0..count).map(live).collect();
    let mut visited: Vec<Vec<Model>> = vec![Vec::new(); count];
    let mut edges = 0;
    for seed in 0..EXECUTIONS {
        if edges > ALL_EDGES || stop() {
            break;
        }
        let mut execution = Running::new(terms, program, &numbers, seed);
        let mut visits = vec![0usize; count];
        for _ in 0..MAX_EDGES {
            let at = execution.at;
            if !relevant[at.index()] || stop() {
                break;
            }
            if let Some(place) = place_of(at) {
                visits[place] += 1;
                let (nth, kept) = (visits[place], &mut visited[place]);
                // Later executions must find room too.
                let share = most * (seed as usize + 1) / EXECUTIONS as usize + FIRST_VISITS;
                if kept.len() < most.min(share) && (nth <= FIRST_VISITS || execution.below(ONE_IN) == 0) {
                    kept.push(execution.state(&live[place]));
                }
            }
            edges += 1;
            if execution.step().is_none() {
                break;
            }
        }
    }
    visited
}

/// The numbers of the text.
pub(crate) fn numbers(terms: &Terms, program: &Program) -> Vec<Bits> {
    const MOST: usize = 64;
    let mut roots: Vec<Term> = Vec::new();
    for edge in program.edges() {
        match edge.command {
            Command::Assign(_, term) | Command::Assume(term) => roots.push(term),
            Command::Havoc(..) => {}
        }
    }
    roots.sort_unstable();
    roots.dedup();
    let mut numbers: Vec<Bits> = Vec::new();
    for t in terms.post_order(&roots) {
        // What is compared or added, not what selects bits.
        if matches!(terms.op(t), Op::Eq | Op::Ult | Op::Slt | Op::Add) {
            for bits in terms.args(t).iter().filter_map(|&a| terms.bits_constant(a)) {
                if bits.width() <= 64 && !numbers.contains(&bits) && numbers.len() < MOST {
                    numbers.push(bits);
                }
            }
        }
    }
    numbers
}

/// An execution that goes on edge by edge.
pub(crate) struct Running<'a> {
    terms: &'a Terms,
    program: &'a Program,
    numbers: &'a [Bits],
    random: u64,
    /// Where it is.
    pub at: Location,
    values: Model,
}

impl<'a> Running<'a> {
    pub fn new(terms: &'a Terms, program: &'a Program, numbers: &'a [Bits], seed: u64) -> Running<'a> {
        let (at, random) = (program.entry(), seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
        let mut running = Running { terms, program, numbers, random, at, values: Model::new() };
        for v in program.vars() {
            let term = program.term(v);
            let value = running.input(terms.sort(term));
            running.values.set(term, value);
        }
        running
    }

    /// The state, as values of these variables.
    fn state(&self, variables: &[Term]) -> Model {
        variables.iter().filter_map(|&v| Some((v, self.values.get(v)?.clone()))).collect()
    }

    /// Takes an edge; `None` if none can be taken.
    pub fn step(&mut self) -> Option<EdgeId> {
        let (terms, program) = (self.terms, self.program);
        let passes = |e: &&EdgeId| match program.edge(**e).command {
            Command::Assume(guard) => terms.eval(guard, &self.values).as_bool(),
            _ => true,
        };
        let open: Vec<_> = program.outgoing(self.at).iter().filter(passes).copied().collect();
        if open.is_empty() {
            return None;
        }
        let taken = open[self.below(open.len() as u64) as usize];
        let edge = program.edge(taken);
        match edge.command {
            Command::Assign(v, value) => {
                let value = terms.eval(value, &self.values);
                self.values.set(program.term(v), value);
            }
            Command::Havoc(v, _) => {
                let value = self.input(terms.sort(program.term(v)));
                self.values.set(program.term(v), value);
            }
            Command::Assume(_) => {}
        }
        self.at = edge.to;
        Some(taken)
    }

    fn input(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.below(2) == 1),
            Sort::BitVec(width) => Value::Bits(self.number(width)),
            other => self.terms.default_value(other),
        }
    }

    fn number(&mut self, width: u32) -> Bits {
        let near = |b: &Bits, by: i128| Bits::from_signed(width, b.signed().wrapping_add(by));
        match self.below(8) {
            0..=2 => Bits::new(width, u128::from(self.below(8))),
            3 => Bits::from_signed(width, i128::from(self.below(41)) - 20),
            4..=6 if !self.numbers.is_empty() => {
                let number = &self.numbers[self.below(self.numbers.len() as u64) as usize];
                near(number, i128::from(self.below(3)) - 1)
            }
            _ => Bits::new(width, u128::from(self.next())),
        }
    }

    fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 16) % bound
    }

    /// Marsaglia's xorshift.
    fn next(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }
}
