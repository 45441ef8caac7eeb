//! Transition systems under every preset: registers, wide registers, memories, cycles with many conditions.

use crate::transition::{Register, Transition};
use std::time::Duration;
use tamis_cegar::{Outcome, Silent, Statistics, Strategy, check, preset, preset_names};
use tamis_logic::{Bits, Sort, Term, Terms};
use tamis_solver::Budget;

/// The presets, and the sources of predicates that none of them has. The bounded search and random walks alone prove
/// nothing here, and neither does induction, which this formalism does not check.
fn strategies() -> impl Iterator<Item = (String, Strategy)> {
    let read = |name| preset(name).expect("there is one").expect("that can be read");
    let named = preset_names()
        .filter(|name| !["bounded", "accelerated", "k-induction", "walks"].contains(name))
        .map(move |name| (name.to_owned(), read(name)));
    let sources = ["core-sp", "branch-candidates"].map(|source| {
        let text = format!("searches = [\"cegar\"]\n[refinement]\nsource = \"{source}\"");
        (source.to_owned(), Strategy::from_toml(&text).expect("a strategy"))
    });
    named.chain(sources)
}

/// Checks a system under every strategy, and the evidence; what it took.
fn decide(safe: bool, system: impl Fn(&mut Terms) -> Transition) -> Vec<(String, Statistics)> {
    let decided = strategies().map(|(name, strategy)| {
        let mut terms = Terms::new();
        let system = system(&mut terms);
        let budget = Budget::with_timeout(Duration::from_secs(60));
        let (outcome, statistics) = check(&mut terms, &system, &strategy, &budget, &mut Silent);
        match outcome {
            Outcome::Safe(invariants) => assert!(safe && system.is_proof(&mut terms, &invariants), "{name}"),
            Outcome::Exhausted(_) | Outcome::Unwound(_) | Outcome::Bounded(_) => {
                panic!("{name}: the clock never stops")
            }
            Outcome::Unsafe(trace) => {
                assert!(!safe && system.is_violation(&terms, &trace.execution), "{name}")
            }
            Outcome::KInductive(_) => panic!("{name}: a proof that is not checked"),
            Outcome::Unknown(why) => panic!("{name}: {why:?}"),
        }
        (name, statistics)
    });
    decided.collect()
}

/// Counts while it is enabled, and goes back to 0 after 5.
fn counter(terms: &mut Terms, bad: u128) -> Transition {
    let (count, enable) = (terms.var("count", Sort::BitVec(8)), terms.var("enable", Sort::Bool));
    let [zero, one, five, bad] = [0, 1, 5, bad].map(|n| terms.bits(8, n));
    let (last, more) = (terms.eq(count, five), terms.add(count, one));
    let next = terms.ite(last, zero, more);
    let next = terms.ite(enable, next, count);
    let bad = terms.eq(count, bad);
    let registers = vec![Register { var: count, init: zero, next }];
    Transition { registers, inputs: vec![enable], constraints: Vec::new(), bad, branches: Vec::new() }
}

#[test]
fn a_counter_goes_no_further_than_it_goes() {
    decide(true, |terms| counter(terms, 9));
    decide(false, |terms| counter(terms, 4));
}

/// As the one above, with the conditions of its branches.
#[test]
fn a_cycle_is_of_many_branches() {
    let branching = |terms: &mut Terms, bad| {
        let mut system = counter(terms, bad);
        let count = system.registers[0].var;
        system.branches = [2, 5, 6, 100].map(|n| terms.bits(8, n)).map(|n| terms.ult(count, n)).to_vec();
        system
    };
    let took = decide(true, |terms| branching(terms, 9));
    decide(false, |terms| branching(terms, 4));
    // The counter is below 6: one branch is enough, and the minimisation finds that one.
    let (_, minimum) = took.iter().find(|(name, _)| name == "magic-minimize").expect("a preset");
    assert_eq!((minimum.branches, minimum.branches_at_least), (1, 1));
}

/// A register that takes any odd number of its width.
fn wide(terms: &mut Terms, bits: u32, bad: impl FnOnce(&mut Terms, Term) -> Term) -> Transition {
    let [x, data] = ["x", "data"].map(|name| terms.var(name, Sort::BitVec(bits)));
    let load = terms.var("load", Sort::Bool);
    let one = terms.bits(bits, 1);
    let odd = terms.bv_or(data, one);
    let next = terms.ite(load, odd, x);
    let bad = bad(terms, x);
    let registers = vec![Register { var: x, init: one, next }];
    Transition { registers, inputs: vec![load, data], constraints: Vec::new(), bad, branches: Vec::new() }
}

#[test]
fn registers_may_be_wide() {
    let even = |terms: &mut Terms, x: Term| {
        let far = terms.bits_value(Bits::power(300, 260));
        terms.eq(x, far)
    };
    let odd = |terms: &mut Terms, x: Term| {
        let far = terms.bits_value(Bits::power(200, 160).add(&Bits::one(200)));
        terms.eq(x, far)
    };
    decide(true, |terms| wide(terms, 300, even));
    decide(false, |terms| wide(terms, 200, odd));
}

/// A memory that is written at an index that depends on a register and an input, with numbers below a limit. Any of its
/// elements may be read, and is not to be a certain number.
fn memory(terms: &mut Terms, bits: u32, limit: u128, bad: u128) -> Transition {
    let (word, index) = (Sort::BitVec(bits), Sort::BitVec(2));
    let sort = terms.array_sort(index, word);
    let mem = terms.var("mem", sort);
    let [base, offset, read] = ["base", "offset", "read"].map(|name| terms.var(name, index));
    let data = terms.var("data", word);
    let (zero, first, one, limit) =
        (terms.bits(bits, 0), terms.bits(2, 0), terms.bits(2, 1), terms.bits(bits, limit));
    let at = terms.add(base, offset);
    let written = terms.store(mem, at, data);
    let further = terms.add(base, one);
    let small = terms.ult(data, limit);
    let element = terms.select(mem, read);
    let bad = terms.bits(bits, bad);
    let bad = terms.eq(element, bad);
    let registers = vec![
        Register { var: mem, init: terms.const_array(sort, zero), next: written },
        Register { var: base, init: first, next: further },
    ];
    let inputs = vec![offset, read, data];
    Transition { registers, inputs, constraints: vec![small], bad, branches: Vec::new() }
}

#[test]
fn memories_are_written_where_a_cycle_says() {
    decide(true, |terms| memory(terms, 8, 200, 255));
    decide(true, |terms| memory(terms, 200, 1 << 100, 1 << 120));
    decide(false, |terms| memory(terms, 8, 200, 150));
}

/// A memory that is loaded as a whole, with one of two others.
fn loaded(terms: &mut Terms, bad: u128) -> Transition {
    let (index, word) = (Sort::BitVec(1), Sort::BitVec(8));
    let sort = terms.array_sort(index, word);
    let [mem, a, b, image] = ["mem", "a", "b", "image"].map(|name| terms.var(name, sort));
    let read = terms.var("read", index);
    let [one, two, bad] = [1, 2, bad].map(|n| terms.bits(8, n));
    let (ones, twos) = (terms.const_array(sort, one), terms.const_array(sort, two));
    let (is_a, is_b) = (terms.eq(image, a), terms.eq(image, b));
    let constraints = vec![terms.or2(is_a, is_b)];
    let element = terms.select(mem, read);
    let bad = terms.eq(element, bad);
    let registers = vec![
        Register { var: mem, init: ones, next: image },
        Register { var: a, init: ones, next: a },
        Register { var: b, init: twos, next: b },
    ];
    Transition { registers, inputs: vec![image, read], constraints, bad, branches: Vec::new() }
}

#[test]
fn memories_are_inputs_and_are_compared() {
    decide(true, |terms| loaded(terms, 3));
    decide(false, |terms| loaded(terms, 2));
}

/// The counter, with fifty conditions on each cycle that have nothing to do with it.
fn constrained(terms: &mut Terms) -> Transition {
    let mut system = counter(terms, 9);
    let hundred = terms.bits(8, 100);
    for i in 0..50 {
        let var = terms.var(&format!("held{i}"), Sort::BitVec(8));
        system.constraints.push(terms.ult(var, hundred));
        system.registers.push(Register { var, init: terms.bits(8, i), next: var });
    }
    system
}

#[test]
fn a_core_keeps_one_condition_of_a_cycle() {
    let alone = decide(true, |terms| counter(terms, 9));
    let among_others = decide(true, constrained);
    for ((name, alone), (_, among_others)) in alone.iter().zip(&among_others) {
        assert!(
            among_others.predicates <= alone.predicates + 2,
            "{name}: {} predicates",
            among_others.predicates
        );
    }
}
