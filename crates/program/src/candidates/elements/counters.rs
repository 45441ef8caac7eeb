//! Counters: variables that loops step by a constant.

use crate::automaton::Var;
use crate::candidates::ways::Way;
use crate::system::ProgramSystem;
use tamis_logic::{Bits, Op, Term, Terms};
use tamis_system::Point;

/// So many bounds of each kind are kept of a counter.
const MOST_BOUNDS: usize = 3;

/// A variable that a way into some point changes by a constant.
pub(super) struct Counter {
    pub variable: Term,
    /// Where it is stepped.
    pub at: Vec<Point>,
    pub step: Bits,
    /// Whether it is compared as a signed number.
    pub signed: bool,
    /// What it starts from, over other variables.
    pub starts: Vec<Term>,
    /// What it stays below, and what it does not get below.
    pub below: Vec<Term>,
    pub from: Vec<Term>,
}

pub(super) fn counters(terms: &mut Terms, system: &ProgramSystem<'_>, ways: &[Way]) -> Vec<Counter> {
    let program = system.program();
    let mut counters: Vec<Counter> = Vec::new();
    for way in ways {
        for v in changed(terms, system, way) {
            let variable = program.term(v);
            let after = way.after(terms, system, v);
            let difference = terms.sub(after, variable);
            let Some(step) = terms.bits_constant(difference).filter(|step| !step.is_zero()) else { continue };
            match counters.iter_mut().find(|c| c.variable == variable) {
                Some(counter) => counter.at.push(way.to),
                None => counters.push(Counter {
                    variable,
                    at: vec![way.to],
                    step,
                    signed: true,
                    starts: Vec::new(),
                    below: Vec::new(),
                    from: Vec::new(),
                }),
            }
        }
    }
    let all: Vec<Term> = counters.iter().map(|c| c.variable).collect();
    for counter in &mut counters {
        bounds(terms, system, ways, counter, &all);
    }
    counters
}

/// The bit-vectors that a way changes and that matter after it.
fn changed(terms: &mut Terms, system: &ProgramSystem<'_>, way: &Way) -> Vec<Var> {
    let program = system.program();
    let live: Vec<Term> = system.live_at(system.location(way.to)).collect();
    program
        .vars()
        .filter(|&v| {
            let variable = program.term(v);
            terms.sort(variable).width().is_some_and(|w| w > 1)
                && live.contains(&variable)
                && way.after(terms, system, v) != variable
        })
        .collect()
}

fn bounds(
    terms: &mut Terms,
    system: &ProgramSystem<'_>,
    ways: &[Way],
    counter: &mut Counter,
    counters: &[Term],
) {
    let (program, variable) = (system.program(), counter.variable);
    let is_fixed = |terms: &Terms, way: &Way, t: Term| {
        !way.is_chosen(terms, t) && terms.free_vars(t).iter().all(|v| !counters.contains(v))
    };
    let push = |list: &mut Vec<Term>, t: Term| {
        if list.len() < MOST_BOUNDS && !list.contains(&t) {
            list.push(t);
        }
    };
    let v = program.var_of(variable).expect("a variable of the program");
    let (mut signed, mut unsigned, mut unequal) = (false, false, Vec::new());
    let down = counter.step.is_negative();
    let mut elsewhere = Vec::new();
    for way in ways {
        let start = way.after(terms, system, v);
        let start = way.told_after(terms, system, start);
        let own = terms.free_vars(start).contains(&variable);
        if !own && is_fixed(terms, way, start) {
            push(if counter.at.contains(&way.to) { &mut counter.starts } else { &mut elsewhere }, start);
        }
        for &guard in &way.guards {
            let (positive, atom) = match terms.op(guard) {
                Op::Not => (false, terms.args(guard)[0]),
                _ => (true, guard),
            };
            let (op, &[a, b]) = (terms.op(atom), terms.args(atom)) else { continue };
            if !matches!(op, Op::Slt | Op::Ult | Op::Eq) || (a == variable) == (b == variable) {
                continue;
            }
            let other = if a == variable { b } else { a };
            signed |= op == Op::Slt;
            unsigned |= op == Op::Ult;
            if !is_fixed(terms, way, other) {
                continue;
            }
            let one = terms.bits(terms.width(variable), 1);
            let next = terms.add(other, one);
            match (op, a == variable, positive) {
                // v < other, and its complement, other <= v.
                (Op::Slt | Op::Ult, true, true) if !down => push(&mut counter.below, other),
                (Op::Slt | Op::Ult, true, false) if down => push(&mut counter.from, other),
                // other < v, v <= other.
                (Op::Slt | Op::Ult, false, true) if down => push(&mut counter.from, next),
                (Op::Slt | Op::Ult, false, false) if !down => push(&mut counter.below, next),
                (Op::Eq, _, false) if way.to == way.from => push(&mut unequal, other),
                _ => {}
            }
        }
    }
    counter.signed = signed || !unsigned;
    if counter.starts.is_empty() {
        // What came before the loop may have set it.
        counter.starts = elsewhere;
    }
    let ends = if down { &mut counter.from } else { &mut counter.below };
    if ends.is_empty() {
        *ends = unequal;
    }
    if down {
        // It goes down from where it starts, to what it is not below.
        for start in counter.starts.clone() {
            let one = terms.bits(terms.width(start), 1);
            let next = terms.add(start, one);
            push(&mut counter.below, next);
        }
    } else {
        for start in counter.starts.clone() {
            push(&mut counter.from, start);
        }
    }
}

/// What may be true of counters at a point: their bounds and strides, and how they move together.
pub(super) fn facts(
    terms: &mut Terms,
    system: &ProgramSystem<'_>,
    counters: &[Counter],
    point: Point,
) -> Vec<Term> {
    let live: Vec<Term> = system.live_at(system.location(point)).collect();
    let here = |terms: &Terms, t: Term| terms.free_vars(t).iter().all(|v| live.contains(v));
    let mut found = Vec::new();
    let known: Vec<&Counter> = counters.iter().filter(|c| live.contains(&c.variable)).collect();
    for counter in &known {
        let v = counter.variable;
        let down = counter.step.is_negative();
        for &most in &counter.below {
            if here(terms, most) {
                let one = terms.bits(terms.width(v), 1);
                let last = if down { terms.sub(most, one) } else { most };
                found.push(if counter.signed { terms.sle(v, last) } else { terms.ule(v, last) });
            }
        }
        for &least in &counter.from {
            if here(terms, least) {
                let one = terms.bits(terms.width(v), 1);
                let before = if down { terms.sub(least, one) } else { least };
                found.push(if counter.signed { terms.sle(before, v) } else { terms.ule(before, v) });
            }
        }
        for &start in &counter.starts {
            if here(terms, start) {
                found.extend(stride(terms, v, start, &counter.step));
            }
        }
    }
    for (n, a) in known.iter().enumerate() {
        for b in &known[..n] {
            if terms.sort(a.variable) != terms.sort(b.variable) || !a.at.iter().any(|p| b.at.contains(p)) {
                continue;
            }
            for &x in &a.starts {
                for &y in &b.starts {
                    if here(terms, x) && here(terms, y) {
                        let (s, t) = (terms.bits_value(a.step.clone()), terms.bits_value(b.step.clone()));
                        let (da, db) = (terms.sub(a.variable, x), terms.sub(b.variable, y));
                        let (left, right) = (terms.mul(da, t), terms.mul(db, s));
                        found.push(terms.eq(left, right));
                    }
                }
            }
        }
    }
    found
}

/// That a number is so many steps from a start; nothing where every number is.
pub(super) fn stride(terms: &mut Terms, v: Term, start: Term, step: &Bits) -> Option<Term> {
    let size = step.signed().unsigned_abs();
    if size < 2 {
        return None;
    }
    let difference = terms.sub(v, start);
    let width = terms.width(v);
    let rest = if size.is_power_of_two() {
        terms.extract(size.trailing_zeros() - 1, 0, difference)
    } else {
        let size = terms.bits(width, size);
        terms.urem(difference, size)
    };
    let zero = terms.bits(terms.width(rest), 0);
    Some(terms.eq(rest, zero))
}
