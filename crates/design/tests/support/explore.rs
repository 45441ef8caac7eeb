//! All executions of a small design, by enumeration of states: slow and obvious.

use std::collections::HashSet;
use tamis_design::Design;
use tamis_logic::{Model, Sort, Term, Terms, Value};

/// For each property the cycle in which it is violated first, if it is.
pub fn violations(terms: &Terms, design: &Design) -> Vec<Option<usize>> {
    let inputs: Vec<Term> = design.inputs.iter().map(|i| i.term).collect();
    let inputs = assignments(terms, &inputs);
    let free: Vec<Term> =
        design.registers.iter().filter(|r| r.next.is_none()).map(|r| r.signal.term).collect();
    let free = assignments(terms, &free);
    let nexts: Vec<(Term, Term)> =
        design.registers.iter().filter_map(|r| Some((r.signal.term, r.next?))).collect();
    let next_terms: Vec<Term> = nexts.iter().map(|&(_, next)| next).collect();
    let constraints: Vec<Term> = design.constraints.iter().map(|c| c.term).collect();
    let properties: Vec<Term> = design.properties.iter().map(|p| p.term).collect();
    let mut found = vec![None; properties.len()];
    let mut known: HashSet<Vec<Value>> = HashSet::new();
    let key = |state: &Model| -> Vec<Value> { design.state().map(|r| terms.eval(r, state)).collect() };
    let mut layer: Vec<Model> = first_states(terms, design);
    layer.retain(|state| known.insert(key(state)));
    for cycle in 0.. {
        if layer.is_empty() {
            break;
        }
        let mut after = Vec::new();
        for state in &layer {
            for input in &inputs {
                let mut now = state.clone();
                input.iter().for_each(|(input, value)| now.set(input, value.clone()));
                if !terms.eval_all(&constraints, &now).iter().all(Value::as_bool) {
                    continue;
                }
                for (i, violated) in terms.eval_all(&properties, &now).iter().enumerate() {
                    if violated.as_bool() && found[i].is_none() {
                        found[i] = Some(cycle);
                    }
                }
                let mut next = Model::new();
                for (value, (register, _)) in terms.eval_all(&next_terms, &now).into_iter().zip(&nexts) {
                    next.set(*register, value);
                }
                for chosen in &free {
                    let mut next = next.clone();
                    chosen.iter().for_each(|(register, value)| next.set(register, value.clone()));
                    if known.insert(key(&next)) {
                        after.push(next);
                    }
                }
            }
        }
        layer = after;
    }
    found
}

/// All states after a reset.
pub fn first_states(terms: &Terms, design: &Design) -> Vec<Model> {
    let mut states = vec![Model::new()];
    for register in &design.registers {
        let term = register.signal.term;
        let mut more = Vec::new();
        for state in states {
            let values = match register.init {
                Some(init) => vec![terms.eval(init, &state)],
                None => values(terms, terms.sort(term)),
            };
            for value in values {
                let mut state = state.clone();
                state.set(term, value);
                more.push(state);
            }
        }
        states = more;
    }
    states
}

/// All values of all words together.
pub fn assignments(terms: &Terms, words: &[Term]) -> Vec<Model> {
    let mut all = vec![Model::new()];
    for &word in words {
        let values = values(terms, terms.sort(word));
        let with = |(model, value): (&Model, &Value)| {
            let mut model = model.clone();
            model.set(word, value.clone());
            model
        };
        all = all.iter().flat_map(|model| values.iter().map(move |value| (model, value))).map(with).collect();
    }
    all
}

/// All values of a sort.
fn values(terms: &Terms, sort: Sort) -> Vec<Value> {
    let Some((index, element)) = terms.array_parts(sort) else {
        let width = sort.width().expect("a word");
        return (0..1u128 << width).map(|n| Value::Bits(tamis_logic::Bits::new(width, n))).collect();
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
