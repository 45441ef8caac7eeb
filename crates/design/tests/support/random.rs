//! Small random designs: words, truth values, memories, constraints, several properties, branches, registers without a first or a
//! next value, first values that read other registers.

// Each test takes a part of it.
#![allow(dead_code)]

use tamis_design::{Condition, Design, Register, Signal};
use tamis_logic::{Sort, Term, Terms};
use tamis_testing::Random;

/// How large designs are, in bits.
pub struct Size {
    pub state: u32,
    pub inputs: u32,
}

/// A design of at most some size.
pub fn design(random: &mut Random, terms: &mut Terms, size: &Size) -> Design {
    let mut design = Design::default();
    let mut words: Vec<Term> = Vec::new();
    let mut left = 1 + random.below(size.state);
    while left > 0 {
        let number = design.registers.len();
        let (sort, bits) = sort(random, terms, left);
        left -= bits;
        let term = terms.var(&format!("r{number}"), sort);
        let init = match random.below(10u32) {
            0..2 => None,
            2..8 => Some(constant(random, terms, sort)),
            _ if words.is_empty() => Some(constant(random, terms, sort)),
            // Registers that stand before.
            _ => Some(value(random, terms, &words, sort, 1)),
        };
        words.push(term);
        let signal = Signal::new(number, format!("r{number}"), term);
        design.registers.push(Register { signal, init, next: None });
    }
    let mut left = random.below(size.inputs + 1);
    while left > 0 {
        let number = design.inputs.len();
        let width = 1 + random.below(left);
        left -= width;
        let sort = if width == 1 && random.percent(40) { Sort::Bool } else { Sort::BitVec(width) };
        let term = terms.var(&format!("i{number}"), sort);
        words.push(term);
        design.inputs.push(Signal::new(number, format!("i{number}"), term));
    }
    for register in &mut design.registers {
        let sort = terms.sort(register.signal.term);
        register.next = random.percent(90).then(|| value(random, terms, &words, sort, 3));
    }
    for number in 0..random.below(5usize) {
        let term = condition(random, terms, &words, 2);
        design.branches.push(Condition::new(number, format!("branch {number}"), term));
    }
    if random.percent(40) {
        for number in 0..1 + random.below(2usize) {
            let term = condition(random, terms, &words, 2);
            design.constraints.push(Condition::new(number, format!("c{number}"), term));
        }
    }
    for number in 0..1 + random.below(3usize) {
        let mut term = condition(random, terms, &words, 2);
        // Conditions that seldom hold are the interesting ones.
        for _ in 0..random.below(3u32) {
            let more = condition(random, terms, &words, 1);
            term = terms.and2(term, more);
        }
        design.properties.push(Condition::new(number, format!("p{number}"), term));
    }
    design
}

/// A word, or a memory if there is room for one.
fn sort(random: &mut Random, terms: &mut Terms, left: u32) -> (Sort, u32) {
    if left >= 4 && random.percent(15) {
        let (index, element) = if left >= 8 && random.coin() { (2, 2) } else { (1, 2) };
        return (terms.array_sort(Sort::BitVec(index), Sort::BitVec(element)), (1 << index) * element);
    }
    let width = 1 + random.below(left.min(4));
    (if width == 1 && random.percent(40) { Sort::Bool } else { Sort::BitVec(width) }, width)
}

fn constant(random: &mut Random, terms: &mut Terms, sort: Sort) -> Term {
    match terms.array_parts(sort) {
        Some((_, element)) => {
            let element = constant(random, terms, element);
            terms.const_array(sort, element)
        }
        None if sort == Sort::Bool => terms.bool(random.coin()),
        None => {
            let width = sort.width().unwrap_or(1);
            terms.bits(width, u128::from(random.next_u64() % (1 << width)))
        }
    }
}

/// A term of a sort.
fn value(random: &mut Random, terms: &mut Terms, words: &[Term], sort: Sort, depth: u32) -> Term {
    let fitting: Vec<Term> = words.iter().copied().filter(|&w| terms.sort(w) == sort).collect();
    if let Some((index, element)) = terms.array_parts(sort) {
        if fitting.is_empty() {
            return constant(random, terms, sort);
        }
        let memory = random.pick(&fitting);
        if depth == 0 || random.percent(20) {
            return memory;
        }
        let at = value(random, terms, words, index, depth - 1);
        let held = value(random, terms, words, element, depth - 1);
        let written = terms.store(memory, at, held);
        let when = condition(random, terms, words, depth - 1);
        return terms.ite(when, written, memory);
    }
    let width = sort.width().unwrap_or(1);
    if depth == 0 || random.percent(15) {
        return match (fitting.is_empty(), random.percent(75)) {
            (false, true) => random.pick(&fitting),
            _ => constant(random, terms, sort),
        };
    }
    if sort == Sort::Bool {
        return condition(random, terms, words, depth - 1);
    }
    let a = value(random, terms, words, sort, depth - 1);
    let b = value(random, terms, words, sort, depth - 1);
    match random.below(15u32) {
        0 => terms.add(a, b),
        1 => terms.sub(a, b),
        2 => terms.mul(a, b),
        3 => terms.bv_and(a, b),
        4 => terms.bv_or(a, b),
        5 => terms.bv_xor(a, b),
        6 => terms.bv_not(a),
        7 => terms.shl(a, b),
        8 => terms.udiv(a, b),
        9 => terms.urem(a, b),
        10 => resized(random, terms, words, width),
        11 => read(random, terms, words, sort).unwrap_or(a),
        _ => {
            let when = condition(random, terms, words, depth - 1);
            terms.ite(when, a, b)
        }
    }
}

/// A word of another width, cut or extended.
fn resized(random: &mut Random, terms: &mut Terms, words: &[Term], width: u32) -> Term {
    let others: Vec<Term> = words.iter().copied().filter(|&w| terms.sort(w).width().is_some()).collect();
    if others.is_empty() {
        return constant(random, terms, Sort::BitVec(width));
    }
    let other = random.pick(&others);
    let own = terms.width(other);
    if own > width {
        let low = random.below(own - width + 1);
        return terms.extract(low + width - 1, low, other);
    }
    terms.resize(width, random.coin(), other)
}

/// What a memory holds, if there is one that fits.
fn read(random: &mut Random, terms: &mut Terms, words: &[Term], sort: Sort) -> Option<Term> {
    let fits = |w: &Term| terms.array_parts(terms.sort(*w)).is_some_and(|(_, element)| element == sort);
    let memories: Vec<Term> = words.iter().copied().filter(fits).collect();
    if memories.is_empty() {
        return None;
    }
    let memory = random.pick(&memories);
    let (index, _) = terms.array_parts(terms.sort(memory))?;
    let at = value(random, terms, words, index, 1);
    Some(terms.select(memory, at))
}

/// A condition over words.
pub fn condition(random: &mut Random, terms: &mut Terms, words: &[Term], depth: u32) -> Term {
    if depth > 0 && random.percent(30) {
        let (a, b) = (condition(random, terms, words, depth - 1), condition(random, terms, words, depth - 1));
        return match random.below(3u32) {
            0 => terms.and2(a, b),
            1 => terms.or2(a, b),
            _ => terms.not(a),
        };
    }
    let word = random.pick(words);
    let sort = match terms.array_parts(terms.sort(word)) {
        Some((_, element)) => element,
        None => terms.sort(word),
    };
    if sort == Sort::Bool && depth == 0 {
        return word;
    }
    let (a, b) = (value(random, terms, words, sort, depth), value(random, terms, words, sort, depth));
    match random.below(4u32) {
        _ if sort == Sort::Bool => terms.xor(a, b),
        0 => terms.ult(a, b),
        1 => terms.slt(a, b),
        2 => terms.ne(a, b),
        _ => terms.eq(a, b),
    }
}
