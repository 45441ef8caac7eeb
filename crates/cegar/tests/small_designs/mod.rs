//! Random small designs, and whether a violation is reached, by looking at all states.

use std::collections::HashSet;
use tamis_design::{Condition, Design, Register, Signal};
use tamis_logic::{Bits, Model, Sort, Term, Terms, Value};
use tamis_testing::Random;

/// The most bits of all registers together.
const STATE_BITS: u32 = 9;

/// A design of a few words, maybe with a memory, with constraints, and with registers that lack a first or a next value.
pub fn random_design(terms: &mut Terms, random: &mut Random) -> Design {
    let mut left = 2 + random.below(STATE_BITS - 1);
    let mut registers = Vec::new();
    while left > 0 && registers.len() < 5 {
        let number = registers.len();
        let name = format!("r{number}");
        let sort = if left >= 4 && random.percent(15) {
            left -= 4;
            terms.array_sort(Sort::BitVec(1), Sort::BitVec(2))
        } else {
            let width = 1 + random.below(left.min(4));
            left -= width;
            if width == 1 && random.coin() { Sort::Bool } else { Sort::BitVec(width) }
        };
        let term = terms.var(&name, sort);
        registers.push(Register { signal: Signal::new(number, name, term), init: None, next: None });
    }
    let inputs: Vec<Signal> = (0..random.below(3usize))
        .map(|number| {
            let name = format!("i{number}");
            let term = terms.var(&name, Sort::BitVec(1 + random.below(2u32)));
            Signal::new(number, name, term)
        })
        .collect();
    let state: Vec<Term> = registers.iter().map(|r| r.signal.term).collect();
    let all: Vec<Term> = state.iter().copied().chain(inputs.iter().map(|i| i.term)).collect();
    for i in 0..registers.len() {
        let sort = terms.sort(state[i]);
        registers[i].init = match random.below(10u32) {
            0 => None,
            // A first value may read registers that stand before.
            1 | 2 if i > 0 => Some(random_term(terms, random, &state[..i], sort, 1)),
            _ => Some(terms.value(terms.default_value(sort))),
        };
        registers[i].next = match random.below(10u32) {
            0 => None,
            _ => Some(random_term(terms, random, &all, sort, 3)),
        };
    }
    let mut constraints = Vec::new();
    for number in 0..random.below(3usize) {
        let (a, b) = (
            random_term(terms, random, &all, Sort::Bool, 2),
            random_term(terms, random, &all, Sort::Bool, 1),
        );
        // A disjunction, so that not every design comes to a halt.
        constraints.push(Condition::new(number, "constraint", terms.or2(a, b)));
    }
    let (a, b) =
        (random_term(terms, random, &all, Sort::Bool, 2), random_term(terms, random, &state, Sort::Bool, 2));
    let bad = if random.coin() { terms.and2(a, b) } else { b };
    let properties = vec![Condition::new(0, "property", bad)];
    Design { inputs, registers, constraints, properties, ..Design::default() }
}

/// A term of a sort over variables.
fn random_term(terms: &mut Terms, random: &mut Random, variables: &[Term], sort: Sort, depth: u32) -> Term {
    if depth == 0 || random.percent(15) {
        let same: Vec<Term> = variables.iter().copied().filter(|&v| terms.sort(v) == sort).collect();
        if !same.is_empty() && random.percent(80) {
            return random.pick(&same);
        }
        let words: Vec<Term> =
            variables.iter().copied().filter(|&v| matches!(terms.sort(v), Sort::BitVec(_))).collect();
        return match sort {
            Sort::BitVec(width) if !words.is_empty() && random.percent(60) => {
                let word = random.pick(&words);
                terms.resize(width, random.coin(), word)
            }
            Sort::BitVec(width) => terms.bits(width, u128::from(random.next_u64()) & ((1 << width) - 1)),
            Sort::Bool => terms.bool(random.coin()),
            _ => terms.value(terms.default_value(sort)),
        };
    }
    if random.percent(25) {
        let c = random_term(terms, random, variables, Sort::Bool, depth - 1);
        let [a, b] = [0; 2].map(|_| random_term(terms, random, variables, sort, depth - 1));
        return terms.ite(c, a, b);
    }
    match sort {
        Sort::Bool => random_bool(terms, random, variables, depth),
        Sort::BitVec(_) => {
            let arrays = variables
                .iter()
                .copied()
                .filter(|&v| terms.array_parts(terms.sort(v)).is_some_and(|(_, element)| element == sort));
            let arrays: Vec<Term> = arrays.collect();
            if !arrays.is_empty() && random.percent(30) {
                let index = random_term(terms, random, variables, Sort::BitVec(1), depth - 1);
                let array = random.pick(&arrays);
                return terms.select(array, index);
            }
            let [a, b] = [0; 2].map(|_| random_term(terms, random, variables, sort, depth - 1));
            match random.below(9u32) {
                0 | 1 => terms.add(a, b),
                2 => terms.sub(a, b),
                3 => terms.bv_and(a, b),
                4 => terms.bv_or(a, b),
                5 => terms.bv_xor(a, b),
                6 => terms.mul(a, b),
                7 => terms.shl(a, b),
                _ => terms.urem(a, b),
            }
        }
        _ => {
            let Some((index, element)) = terms.array_parts(sort) else {
                return terms.value(terms.default_value(sort));
            };
            let array = random_term(terms, random, variables, sort, depth - 1);
            let index = random_term(terms, random, variables, index, depth - 1);
            let element = random_term(terms, random, variables, element, depth - 1);
            terms.store(array, index, element)
        }
    }
}

fn random_bool(terms: &mut Terms, random: &mut Random, variables: &[Term], depth: u32) -> Term {
    match random.below(8u32) {
        0 => {
            let a = random_term(terms, random, variables, Sort::Bool, depth - 1);
            terms.not(a)
        }
        1 => {
            let [a, b] = [0; 2].map(|_| random_term(terms, random, variables, Sort::Bool, depth - 1));
            terms.and2(a, b)
        }
        2 => {
            let [a, b] = [0; 2].map(|_| random_term(terms, random, variables, Sort::Bool, depth - 1));
            terms.or2(a, b)
        }
        choice => {
            let sorts: Vec<Sort> = variables.iter().map(|&v| terms.sort(v)).collect();
            let sort = random.pick(&sorts);
            let [a, b] = [0; 2].map(|_| random_term(terms, random, variables, sort, depth - 1));
            match sort {
                Sort::BitVec(_) if choice < 5 => terms.ult(a, b),
                Sort::BitVec(_) if choice == 5 => terms.slt(a, b),
                _ => terms.eq(a, b),
            }
        }
    }
}

/// All values of a sort.
fn values(terms: &Terms, sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::BitVec(width) => (0..1 << width).map(|n| Value::Bits(Bits::new(width, n))).collect(),
        _ => {
            let Some((index, element)) = terms.array_parts(sort) else { return Vec::new() };
            let mut arrays = vec![terms.constant_array(sort, terms.default_value(element))];
            for at in values(terms, index) {
                let with = |array: &tamis_logic::ArrayValue| {
                    let elements = values(terms, element).into_iter();
                    let stored = elements.map(|e| {
                        let mut array = array.clone();
                        array.store(at.clone(), e);
                        array
                    });
                    stored.collect::<Vec<_>>()
                };
                arrays = arrays.iter().flat_map(with).collect();
            }
            arrays.into_iter().map(|a| Value::Array(a.into())).collect()
        }
    }
}

/// All ways to give values to variables, on top of those that a model has.
fn extensions(terms: &Terms, model: Model, variables: &[Term]) -> Vec<Model> {
    let mut models = vec![model];
    for &v in variables {
        let all = values(terms, terms.sort(v));
        models = models
            .iter()
            .flat_map(|m| {
                all.iter().map(move |value| {
                    let mut m = m.clone();
                    m.set(v, value.clone());
                    m
                })
            })
            .collect();
    }
    models
}

/// Whether some cycle violates the property.
pub fn is_violated(terms: &Terms, design: &Design) -> bool {
    let state: Vec<Term> = design.state().collect();
    let inputs: Vec<Term> = design.inputs.iter().map(|i| i.term).collect();
    let key = |m: &Model| state.iter().map(|&v| m.get(v).cloned()).collect::<Vec<_>>();
    let free = |r: &&Register| r.init.is_none();
    let unset: Vec<Term> = design.registers.iter().filter(free).map(|r| r.signal.term).collect();
    let mut pending: Vec<Model> = Vec::new();
    for mut first in extensions(terms, Model::new(), &unset) {
        for register in &design.registers {
            if let Some(init) = register.init {
                let value = terms.eval(init, &first);
                first.set(register.signal.term, value);
            }
        }
        pending.push(first);
    }
    let constraints: Vec<Term> = design.constraints.iter().map(|c| c.term).collect();
    let any: Vec<Term> =
        design.registers.iter().filter(|r| r.next.is_none()).map(|r| r.signal.term).collect();
    let mut seen: HashSet<Vec<Option<Value>>> = HashSet::new();
    while let Some(now) = pending.pop() {
        if !seen.insert(key(&now)) {
            continue;
        }
        for cycle in extensions(terms, now, &inputs) {
            if !terms.eval_all(&constraints, &cycle).iter().all(Value::as_bool) {
                continue;
            }
            if terms.eval(design.properties[0].term, &cycle).as_bool() {
                return true;
            }
            let mut next = Model::new();
            for register in &design.registers {
                if let Some(t) = register.next {
                    next.set(register.signal.term, terms.eval(t, &cycle));
                }
            }
            pending.extend(extensions(terms, next, &any));
        }
    }
    false
}
