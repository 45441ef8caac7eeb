//! The values of a design's words, cycle by cycle, as terms.

use tamis_design::Design;
use tamis_logic::{Substitution, Term, Terms};

/// What registers hold after a reset, in terms of those without a first value. Inputs, and registers without a first value,
/// are any values.
pub fn reset(terms: &mut Terms, design: &Design) -> Substitution {
    let mut values = Substitution::new();
    for register in &design.registers {
        if let Some(init) = register.init {
            // A first value reads registers that stand before.
            let value = terms.substitute(init, &values);
            values.insert(register.signal.term, value);
        }
    }
    values
}

/// What registers and inputs hold in the cycle after one with some values.
pub fn next(terms: &mut Terms, design: &Design, now: &Substitution) -> Substitution {
    let nexts: Vec<Term> = design.registers.iter().filter_map(|r| r.next).collect();
    let mut nexts = terms.substitute_all(&nexts, now).into_iter();
    let mut after = Substitution::new();
    for register in &design.registers {
        let (word, name) = (register.signal.term, &register.signal.name);
        let value = register.next.and_then(|_| nexts.next());
        let value = value.unwrap_or_else(|| terms.fresh(name, terms.sort(word)));
        after.insert(word, value);
    }
    for input in &design.inputs {
        let any = terms.fresh(&input.name, terms.sort(input.term));
        after.insert(input.term, any);
    }
    after
}

/// That a cycle with some values is one of an execution: its constraints.
pub fn constraints(terms: &mut Terms, design: &Design, now: &Substitution) -> Term {
    let all: Vec<Term> = design.constraints.iter().map(|c| c.term).collect();
    let all = terms.substitute_all(&all, now);
    terms.and(&all)
}

/// That registers differ in two cycles.
pub fn differ(terms: &mut Terms, design: &Design, one: &Substitution, other: &Substitution) -> Term {
    let mut differences = Vec::with_capacity(design.registers.len());
    for word in design.state() {
        let (a, b) = (one.get(word).unwrap_or(word), other.get(word).unwrap_or(word));
        differences.push(terms.ne(a, b));
    }
    terms.or(&differences)
}
