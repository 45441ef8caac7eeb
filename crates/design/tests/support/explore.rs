//! All executions of a small design, by enumeration of states: slow and obvious.

// Each test takes a part of it.
#![allow(dead_code)]

use std::collections::HashSet;
use tamis_design::Design;
use tamis_logic::{Bits, Model, Sort, Term, Terms, Value};

/// The states and cycles of a design.
pub struct Explorer<'a> {
    design: &'a Design,
    /// All values of the inputs.
    inputs: Vec<Model>,
    /// All values of the registers without a next one.
    free: Vec<Model>,
}

impl<'a> Explorer<'a> {
    pub fn new(terms: &Terms, design: &'a Design) -> Explorer<'a> {
        let inputs: Vec<Term> = design.inputs.iter().map(|i| i.term).collect();
        let free = design.registers.iter().filter(|r| r.next.is_none());
        let free: Vec<Term> = free.map(|r| r.signal.term).collect();
        Explorer { design, inputs: valuations(terms, &inputs), free: valuations(terms, &free) }
    }

    /// The states after the reset.
    pub fn first(&self, terms: &Terms) -> Vec<Model> {
        let mut states = vec![Model::new()];
        for register in &self.design.registers {
            let term = register.signal.term;
            let mut more = Vec::new();
            for state in states {
                let values = match register.init {
                    Some(init) => vec![terms.eval(init, &state)],
                    None => values(terms, terms.sort(term)),
                };
                more.extend(values.into_iter().map(|value| with(&state, [(term, value)])));
            }
            states = more;
        }
        states
    }

    /// The state and inputs of each cycle that fulfils the constraints.
    pub fn cycles(&self, terms: &Terms, state: &Model) -> Vec<Model> {
        let constraints: Vec<Term> = self.design.constraints.iter().map(|c| c.term).collect();
        let fulfils = |cycle: &Model| terms.eval_all(&constraints, cycle).iter().all(Value::as_bool);
        self.inputs.iter().map(|inputs| merged(state, inputs)).filter(fulfils).collect()
    }

    /// The states after a cycle.
    pub fn next(&self, terms: &Terms, cycle: &Model) -> Vec<Model> {
        let nexts = self.design.registers.iter().filter_map(|r| Some((r.signal.term, r.next?)));
        let (registers, nexts): (Vec<Term>, Vec<Term>) = nexts.unzip();
        let values = registers.into_iter().zip(terms.eval_all(&nexts, cycle));
        let next = with(&Model::new(), values);
        self.free.iter().map(|free| merged(&next, free)).collect()
    }

    /// What tells states apart.
    pub fn key(&self, terms: &Terms, state: &Model) -> Vec<Value> {
        self.design.state().map(|r| terms.eval(r, state)).collect()
    }
}

/// For each property the cycle in which it is violated first, if it is.
pub fn violations(terms: &Terms, design: &Design) -> Vec<Option<usize>> {
    let explorer = Explorer::new(terms, design);
    let properties: Vec<Term> = design.properties.iter().map(|p| p.term).collect();
    let mut found = vec![None; properties.len()];
    let mut known: HashSet<Vec<Value>> = HashSet::new();
    let mut layer = explorer.first(terms);
    layer.retain(|state| known.insert(explorer.key(terms, state)));
    for number in 0.. {
        if layer.is_empty() {
            break;
        }
        let mut after = Vec::new();
        for cycle in layer.iter().flat_map(|state| explorer.cycles(terms, state)) {
            for (i, violated) in terms.eval_all(&properties, &cycle).iter().enumerate() {
                if violated.as_bool() && found[i].is_none() {
                    found[i] = Some(number);
                }
            }
            let next = explorer.next(terms, &cycle);
            after.extend(next.into_iter().filter(|state| known.insert(explorer.key(terms, state))));
        }
        layer = after;
    }
    found
}

/// All values of all words together.
pub fn valuations(terms: &Terms, words: &[Term]) -> Vec<Model> {
    let mut all = vec![Model::new()];
    for &word in words {
        let values = values(terms, terms.sort(word));
        let extended = |model: &Model| -> Vec<Model> {
            values.iter().map(|value| with(model, [(word, value.clone())])).collect()
        };
        all = all.iter().flat_map(extended).collect();
    }
    all
}

fn with(model: &Model, values: impl IntoIterator<Item = (Term, Value)>) -> Model {
    let mut model = model.clone();
    values.into_iter().for_each(|(word, value)| model.set(word, value));
    model
}

fn merged(one: &Model, other: &Model) -> Model {
    with(one, other.iter().map(|(word, value)| (word, value.clone())))
}

/// All values of a sort.
fn values(terms: &Terms, sort: Sort) -> Vec<Value> {
    if sort == Sort::Bool {
        return vec![Value::Bool(false), Value::Bool(true)];
    }
    let Some((index, element)) = terms.array_parts(sort) else {
        let width = sort.width().expect("a word");
        return (0..1u128 << width).map(|n| Value::Bits(Bits::new(width, n))).collect();
    };
    let Value::Array(empty) = terms.default_value(sort) else { panic!("a memory") };
    let mut all = vec![(*empty).clone()];
    for at in values(terms, index) {
        let elements = values(terms, element);
        let mut more = Vec::new();
        for memory in &all {
            for held in &elements {
                let mut memory = memory.clone();
                memory.store(at.clone(), held.clone());
                more.push(memory);
            }
        }
        all = more;
    }
    all.into_iter().map(|memory| Value::Array(memory.into())).collect()
}
