//! Random small designs, and what they can do, found out by exploring all states.

// Each test takes a part of it.
#![allow(dead_code)]

use std::collections::{HashSet, VecDeque};
use tamis_design::{Condition, Design, DesignSystem, Register, Signal};
use tamis_logic::{Bits, Model, Sort, Term, Terms, Value};
use tamis_solver::{Answer, Budget, Solver};
use tamis_system::{Invariants, StepId, System};
use tamis_testing::Random;

/// Makes designs.
pub struct Generator {
    pub random: Random,
    /// The most bits of state.
    pub state_bits: u32,
    /// The most bits of inputs.
    pub input_bits: u32,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator { random: Random::new(seed), state_bits: 7, input_bits: 4 }
    }

    /// A design with one property.
    pub fn design(&mut self, terms: &mut Terms) -> Design {
        let mut design = Design::default();
        let mut left = 1 + self.random.below(self.state_bits);
        while left > 0 {
            let term = self.word(terms, &format!("r{left}"), left.min(4));
            left -= width(terms, term);
            let signal = Signal::new(design.registers.len(), format!("r{left}"), term);
            design.registers.push(Register { signal, init: None, next: None });
        }
        let mut left = self.random.below(self.input_bits + 1);
        while left > 0 {
            let term = self.word(terms, &format!("i{left}"), left.min(2));
            left -= width(terms, term);
            design.inputs.push(Signal::new(design.inputs.len(), format!("i{left}"), term));
        }
        let state: Vec<Term> = design.state().collect();
        let all: Vec<Term> = design.signals().map(|s| s.term).collect();
        for i in 0..state.len() {
            let sort = terms.sort(state[i]);
            if self.random.percent(85) {
                let init = if i > 0 && self.random.percent(15) {
                    self.expression(terms, &state[..i], sort, 1)
                } else {
                    self.constant(terms, sort)
                };
                design.registers[i].init = Some(init);
            }
            if self.random.percent(93) {
                let next = self.expression(terms, &all, sort, 3);
                design.registers[i].next = Some(next);
            }
        }
        if self.random.percent(25) {
            let constraint = self.expression(terms, &all, Sort::Bool, 2);
            design.constraints.push(Condition::new(0, "constraint", constraint));
        }
        let about = if self.random.percent(30) { &all } else { &state };
        let mut bad = self.expression(terms, about, Sort::Bool, 2);
        for _ in 0..self.random.below(3) {
            let more = self.expression(terms, about, Sort::Bool, 1);
            bad = terms.and2(bad, more);
        }
        design.properties.push(Condition::new(0, "property", bad));
        for i in 0..self.random.below(5) {
            let about = if self.random.percent(40) { &all } else { &state };
            let branch = self.expression(terms, about, Sort::Bool, 2);
            design.branches.push(Condition::new(i, format!("branch {i}"), branch));
        }
        design
    }

    fn word(&mut self, terms: &mut Terms, name: &str, most: u32) -> Term {
        match self.random.below(most + 1) {
            0 => terms.var(name, Sort::Bool),
            bits => terms.var(name, Sort::BitVec(bits)),
        }
    }

    fn constant(&mut self, terms: &mut Terms, sort: Sort) -> Term {
        match sort {
            Sort::BitVec(bits) => {
                let value = self.random.below(1u64 << bits);
                terms.bits(bits, u128::from(value))
            }
            _ => {
                let value = self.random.coin();
                terms.bool(value)
            }
        }
    }

    /// A random term of a sort over words.
    pub fn expression(&mut self, terms: &mut Terms, words: &[Term], sort: Sort, depth: usize) -> Term {
        let fitting: Vec<Term> = words.iter().copied().filter(|&w| terms.sort(w) == sort).collect();
        if depth == 0 || self.random.percent(15) {
            if !fitting.is_empty() && self.random.percent(80) {
                return self.random.pick(&fitting);
            }
            if depth == 0 {
                return self.constant(terms, sort);
            }
        }
        let Sort::BitVec(bits) = sort else { return self.condition(terms, words, depth) };
        let mut part = |terms: &mut Terms| self.expression(terms, words, sort, depth - 1);
        let (a, b) = (part(terms), part(terms));
        match self.random.below(8) {
            0 => terms.add(a, b),
            1 => terms.bv_and(a, b),
            2 => terms.bv_or(a, b),
            3 => terms.bv_xor(a, b),
            4 => {
                let one = terms.bits(bits, 1);
                terms.add(a, one)
            }
            _ => {
                let condition = self.expression(terms, words, Sort::Bool, depth - 1);
                terms.ite(condition, a, b)
            }
        }
    }

    fn condition(&mut self, terms: &mut Terms, words: &[Term], depth: usize) -> Term {
        let word = self.random.pick(words);
        let sort = terms.sort(word);
        if sort != Sort::Bool && self.random.percent(60) {
            let a = self.expression(terms, words, sort, depth - 1);
            return if self.random.coin() { terms.eq(word, a) } else { terms.ult(word, a) };
        }
        let a = self.expression(terms, words, Sort::Bool, depth - 1);
        let b = self.expression(terms, words, Sort::Bool, depth - 1);
        match self.random.below(4) {
            0 => terms.and2(a, b),
            1 => terms.or2(a, b),
            2 => terms.not(a),
            _ => terms.xor(a, b),
        }
    }
}

pub fn width(terms: &Terms, t: Term) -> u32 {
    terms.sort(t).width().unwrap_or(1)
}

/// All values of words together, each as a model.
pub fn valuations(terms: &Terms, words: &[Term]) -> Vec<Model> {
    let mut models = vec![Model::new()];
    for &word in words {
        let values: Vec<Value> = match terms.sort(word) {
            Sort::BitVec(bits) => (0..1u128 << bits).map(|v| Value::Bits(Bits::new(bits, v))).collect(),
            _ => vec![Value::Bool(false), Value::Bool(true)],
        };
        let extend = |model: &Model| {
            let with = |value: &Value| {
                let mut model = model.clone();
                model.set(word, value.clone());
                model
            };
            values.iter().map(with).collect::<Vec<_>>()
        };
        models = models.iter().flat_map(extend).collect();
    }
    models
}

/// The states of a design.
pub struct Explorer<'a> {
    pub design: &'a Design,
    state: Vec<Term>,
    inputs: Vec<Model>,
}

impl<'a> Explorer<'a> {
    pub fn new(terms: &Terms, design: &'a Design) -> Explorer<'a> {
        let inputs: Vec<Term> = design.inputs.iter().map(|i| i.term).collect();
        Explorer { design, state: design.state().collect(), inputs: valuations(terms, &inputs) }
    }

    /// The states after the reset.
    pub fn initial(&self, terms: &Terms) -> Vec<Model> {
        let free: Vec<Term> =
            self.design.registers.iter().filter(|r| r.init.is_none()).map(|r| r.signal.term).collect();
        let complete = |free: Model| {
            let mut state = Model::new();
            for register in &self.design.registers {
                let variable = register.signal.term;
                let value = match register.init {
                    Some(init) => terms.eval(init, &state),
                    None => free.get(variable).expect("a value").clone(),
                };
                state.set(variable, value);
            }
            state
        };
        valuations(terms, &free).into_iter().map(complete).collect()
    }

    /// The state and inputs of each cycle that fulfils the constraints.
    pub fn cycles(&self, terms: &Terms, state: &Model) -> Vec<Model> {
        let with = |inputs: &Model| {
            let mut cycle = state.clone();
            inputs.iter().for_each(|(v, value)| cycle.set(v, value.clone()));
            cycle
        };
        let fulfils =
            |cycle: &Model| self.design.constraints.iter().all(|c| terms.eval(c.term, cycle).as_bool());
        self.inputs.iter().map(with).filter(fulfils).collect()
    }

    /// The states after a cycle.
    pub fn next(&self, terms: &Terms, cycle: &Model) -> Vec<Model> {
        let free: Vec<Term> =
            self.design.registers.iter().filter(|r| r.next.is_none()).map(|r| r.signal.term).collect();
        let complete = |mut next: Model| {
            for register in &self.design.registers {
                if let Some(value) = register.next {
                    next.set(register.signal.term, terms.eval(value, cycle));
                }
            }
            next
        };
        valuations(terms, &free).into_iter().map(complete).collect()
    }

    pub fn is_bad(&self, terms: &Terms, cycle: &Model) -> bool {
        terms.eval(self.design.properties[0].term, cycle).as_bool()
    }

    fn key(&self, state: &Model) -> Vec<Value> {
        self.state.iter().map(|&v| state.get(v).expect("a value").clone()).collect()
    }

    /// Whether no execution violates the property.
    pub fn is_safe(&self, terms: &Terms) -> bool {
        let mut queue: VecDeque<Model> = self.initial(terms).into();
        let mut seen: HashSet<String> = HashSet::new();
        while let Some(state) = queue.pop_front() {
            if !seen.insert(format!("{:?}", self.key(&state))) {
                continue;
            }
            for cycle in self.cycles(terms, &state) {
                if self.is_bad(terms, &cycle) {
                    return false;
                }
                queue.extend(self.next(terms, &cycle));
            }
        }
        true
    }
}

/// Whether formulas are inductive and false at the error.
pub fn is_proof(terms: &mut Terms, system: &DesignSystem<'_>, proof: &Invariants) -> bool {
    (0..system.steps().len()).all(|i| {
        let ends = system.steps()[i];
        let mut formula = system.encode(terms, StepId(i as u32), &system.symbolic());
        let mut solver = Solver::new(&Budget::unlimited());
        formula.constraints.iter().for_each(|&c| solver.assert(terms, c));
        solver.assert(terms, proof[ends.from]);
        let after = system.read(terms, &mut formula.post, proof[ends.to]);
        let not = terms.not(after);
        solver.assert(terms, not);
        solver.check(terms, &[]) == Ok(Answer::Unsat)
    })
}
