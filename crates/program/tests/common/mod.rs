//! Random small programs, and all that they can do.
#![allow(dead_code, reason = "each test uses its part")]

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use tamis_logic::{Bits, Model, Sort, Term, Terms, Value};
use tamis_program::{
    Builder, Command, EdgeId, Event, Havoc, IntType, Location, Program, Source, Var, VariableType,
};
pub use tamis_testing::Random;

const WIDTH: u32 = 2;

/// A random program over three variables of two bits and a memory of two cells.
pub fn random_program(terms: &mut Terms, seed: u64) -> Program {
    let mut random = Random::new(seed);
    let mut b = Builder::new();
    let (file, main) = (b.file("random.c"), b.frame("main", None));
    let int = IntType { bits: WIDTH, signed: false };
    let mut vars = vec![b.variable(terms, "x", int, Some(main)), b.variable(terms, "y", int, None)];
    vars.push(b.temporary(terms, "t", int, main));
    let memory = {
        let ty = VariableType::memory(terms, 1, WIDTH);
        b.variable(terms, "m", ty, None)
    };
    let count = 5 + random.below(8);
    let locations: Vec<Location> = (0..count).map(|_| b.location(main)).collect();
    let at = |line: usize| Source { file, line: line as u32 + 1, column: 1 };
    let (entry, error) = (locations[0], locations[count - 1]);
    // Memory begins with zeros: all its beginnings would be too many.
    let sort = VariableType::memory(terms, 1, WIDTH).sort;
    let zero = terms.bits(WIDTH, 0);
    let blank = terms.const_array(sort, zero);
    b.edge(entry, locations[1], Command::Assign(memory, blank), at(0), Event::Step);
    let mut g = Generator { terms, random, vars, memory, builder: &b };
    let mut edges = Vec::new();
    for i in 1..count - 1 {
        let target = |r: &mut Random| {
            // Mostly forward.
            if r.below(4) > 0 { i + 1 + r.below(count - i - 1) } else { 1 + r.below(count - 1) }
        };
        match g.random.below(8) {
            0..=2 => {
                let guard = g.guard();
                let not = g.terms.not(guard);
                edges.push((i, target(&mut g.random), Command::Assume(guard), Event::Branch(true)));
                edges.push((i, target(&mut g.random), Command::Assume(not), Event::Branch(false)));
            }
            3 => {
                let guard = g.guard();
                edges.push((i, target(&mut g.random), Command::Assume(guard), Event::Step));
            }
            4 => {
                let skip = g.terms.tru();
                edges.push((i, target(&mut g.random), Command::Assume(skip), Event::Step));
            }
            5 => {
                let v = g.variable();
                let why = match g.random.below(3) {
                    0 => Havoc::Input("input".into()),
                    1 => Havoc::Uninitialised,
                    _ => Havoc::Approximated("test".into()),
                };
                edges.push((i, target(&mut g.random), Command::Havoc(v, why), Event::Step));
            }
            6 => {
                let value = g.stored();
                edges.push((i, target(&mut g.random), Command::Assign(memory, value), Event::Step));
            }
            _ => {
                let (v, value) = (g.variable(), g.number(2));
                edges.push((i, target(&mut g.random), Command::Assign(v, value), Event::Step));
            }
        }
        // A choice between doing something and not, often again and again.
        if g.random.below(3) == 0 {
            let to = if g.random.below(2) == 0 { i } else { target(&mut g.random) };
            let (v, value) = (g.variable(), g.number(1));
            edges.push((i, to, Command::Assign(v, value), Event::Step));
        }
    }
    for (from, to, command, event) in edges {
        b.edge(locations[from], locations[to], command, at(from), event);
    }
    b.finish(entry, error)
}

struct Generator<'a> {
    terms: &'a mut Terms,
    random: Random,
    vars: Vec<Var>,
    memory: Var,
    builder: &'a Builder,
}

impl Generator<'_> {
    fn variable(&mut self) -> Var {
        self.vars[self.random.below(self.vars.len())]
    }

    fn number(&mut self, depth: usize) -> Term {
        match self.random.below(if depth == 0 { 4 } else { 6 }) {
            0 => self.terms.bits(WIDTH, self.random.below(4) as u128),
            1..=3 => {
                let v = self.variable();
                self.builder.term(v)
            }
            4 => {
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                self.terms.add(a, b)
            }
            _ => {
                let index = self.address();
                let memory = self.builder.term(self.memory);
                self.terms.select(memory, index)
            }
        }
    }

    fn address(&mut self) -> Term {
        let value = self.number(0);
        self.terms.extract(0, 0, value)
    }

    fn stored(&mut self) -> Term {
        let (index, value) = (self.address(), self.number(1));
        let memory = self.builder.term(self.memory);
        self.terms.store(memory, index, value)
    }

    fn guard(&mut self) -> Term {
        let (a, b) = (self.number(1), self.number(1));
        match self.random.below(5) {
            3 | 4 => {
                let (v, c) = (self.variable(), self.random.below(4) as u128);
                let (v, c) = (self.builder.term(v), self.terms.bits(WIDTH, c));
                self.terms.eq(v, c)
            }
            0 => self.terms.ult(a, b),
            1 => self.terms.eq(a, b),
            _ => {
                let c = self.number(0);
                let (p, q) = (self.terms.eq(a, b), self.terms.ult(b, c));
                self.terms.or2(p, q)
            }
        }
    }
}

/// A path, with the value that each `havoc` on it chooses.
pub type Path = Vec<(EdgeId, Option<Value>)>;

/// The values of all variables, by index.
pub type Values = Vec<Value>;

pub fn model(program: &Program, values: &Values) -> Model {
    program.vars().map(|v| (program.term(v), values[v.index()].clone())).collect()
}

fn all_values(terms: &Terms, sort: Sort) -> Vec<Value> {
    match sort {
        Sort::BitVec(width) => (0..1u128 << width).map(|n| Value::Bits(Bits::new(width, n))).collect(),
        other => vec![terms.default_value(other)],
    }
}

/// Every initial state, memories blank.
pub fn initial_states(terms: &Terms, program: &Program) -> Vec<Values> {
    let mut states = vec![Vec::new()];
    for v in program.vars() {
        let values = all_values(terms, terms.sort(program.term(v)));
        states = states
            .iter()
            .flat_map(|s: &Values| values.iter().map(|x| [s.as_slice(), std::slice::from_ref(x)].concat()))
            .collect();
    }
    states
}

/// Every way to pass an edge: the value chosen and the state after.
pub fn steps(terms: &Terms, program: &Program, e: EdgeId, values: &Values) -> Vec<(Option<Value>, Values)> {
    let with = |v: Var, value: Value| {
        let mut after = values.clone();
        after[v.index()] = value;
        after
    };
    match &program.edge(e).command {
        Command::Assume(guard) => {
            let holds = terms.eval(*guard, &model(program, values)).as_bool();
            if holds { vec![(None, values.clone())] } else { Vec::new() }
        }
        Command::Assign(v, value) => vec![(None, with(*v, terms.eval(*value, &model(program, values))))],
        Command::Havoc(v, _) => all_values(terms, terms.sort(program.term(*v)))
            .into_iter()
            .map(|value| (Some(value.clone()), with(*v, value)))
            .collect(),
    }
}

/// An execution to the error location and the state it starts in, if there is one: by breadth-first search of all
/// states.
pub fn violation(terms: &Terms, program: &Program) -> Option<(Values, Path)> {
    type State = (Location, Values);
    let mut from: BTreeMap<State, Option<(State, EdgeId, Option<Value>)>> = BTreeMap::new();
    let mut pending: VecDeque<State> = VecDeque::new();
    for values in initial_states(terms, program) {
        let state = (program.entry(), values);
        from.insert(state.clone(), None);
        pending.push_back(state);
    }
    while let Some(state) = pending.pop_front() {
        if state.0 == program.error() {
            let (mut path, mut at) = (Vec::new(), state);
            while let Some(Some((before, e, input))) = from.remove(&at) {
                path.push((e, input));
                at = before;
            }
            path.reverse();
            return Some((at.1, path));
        }
        for &e in program.outgoing(state.0) {
            for (input, after) in steps(terms, program, e, &state.1) {
                let next = (program.edge(e).to, after);
                if !from.contains_key(&next) {
                    from.insert(next.clone(), Some((state.clone(), e, input)));
                    pending.push_back(next);
                }
            }
        }
    }
    None
}

/// All pairs of states before and after paths from `from` to `to` that pass no location of `cut` in between.
pub fn relation(
    terms: &Terms,
    program: &Program,
    from: Location,
    to: Location,
    cut: &[Location],
) -> BTreeSet<(Values, Values)> {
    let mut pairs = BTreeSet::new();
    for start in initial_states(terms, program) {
        let mut pending = vec![(from, start.clone())];
        let mut seen = BTreeSet::new();
        while let Some((l, values)) = pending.pop() {
            for &e in program.outgoing(l) {
                for (_, after) in steps(terms, program, e, &values) {
                    let end = program.edge(e).to;
                    if end == to {
                        pairs.insert((start.clone(), after.clone()));
                    }
                    if !cut.contains(&end) && seen.insert((end, after.clone())) {
                        pending.push((end, after));
                    }
                }
            }
        }
    }
    pairs
}
