//! Proofs by k-induction against a direct check on all states of tiny programs: accepted exactly where facts, base and step hold.

#[path = "../../cegar/tests/explicit/mod.rs"]
#[allow(dead_code)]
mod explicit;
#[path = "../../cegar/tests/generate/mod.rs"]
#[allow(dead_code)]
mod generate;

use explicit::State;
use generate::{Cond, Random, TinyProgram};
use std::collections::BTreeSet;
use tamis_evidence::{Certificate, KInduction, Rejection, certify_k_inductive};
use tamis_logic::Terms;
use tamis_program::Location;
use tamis_solver::Budget;

type Facts = Vec<Option<Cond>>;

/// The locations between the entry and the error.
fn matters(tiny: &TinyProgram) -> Vec<bool> {
    let mut forward = vec![false; tiny.locations];
    let mut backward = forward.clone();
    forward[0] = true;
    backward[tiny.locations - 1] = true;
    for _ in 0..tiny.locations {
        for &(from, to, _) in &tiny.edges {
            forward[to] |= forward[from];
            backward[from] |= backward[to];
        }
    }
    forward.into_iter().zip(backward).map(|(f, b)| f && b).collect()
}

/// All that is one way further on.
fn further(tiny: &TinyProgram, facts: &Facts, at: &BTreeSet<(usize, State)>) -> BTreeSet<(usize, State)> {
    let (matters, error) = (matters(tiny), tiny.locations - 1);
    let mut arrived = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut pending: Vec<(usize, State)> =
        at.iter().filter(|(l, _)| *l != error).flat_map(|(l, s)| explicit::successors(tiny, *l, s)).collect();
    while let Some((l, s)) = pending.pop() {
        if !matters[l] || !seen.insert((l, s)) {
            continue;
        }
        if l == 0 || l == error || facts[l].is_some() {
            arrived.insert((l, s));
        } else {
            pending.extend(explicit::successors(tiny, l, &s));
        }
    }
    arrived
}

/// Whether the claim holds, by going through all states.
fn holds(tiny: &TinyProgram, facts: &Facts, k: usize) -> bool {
    let error = tiny.locations - 1;
    let fact = |l: usize, s: &State| facts[l].as_ref().is_none_or(|c| explicit::holds(tiny, c, s));
    let start = |l: usize| explicit::all_states(tiny).filter(move |s| fact(l, s)).map(move |s| (l, s));
    if start(0).count() < explicit::all_states(tiny).count() {
        return false;
    }
    let matters = matters(tiny);
    let cut: Vec<usize> = (0..error).filter(|&l| (l == 0 || facts[l].is_some()) && matters[l]).collect();
    for &l in &cut {
        let after = further(tiny, facts, &start(l).collect());
        if after.iter().any(|(l, s)| *l != error && !fact(*l, s)) {
            return false;
        }
        let mut now: BTreeSet<(usize, State)> = start(l).collect();
        for way in 1..=k {
            now = further(tiny, facts, &now);
            if (l == 0 || way == k) && now.iter().any(|&(at, _)| at == error) {
                return false;
            }
        }
    }
    true
}

#[test]
fn accepts_exactly_what_is_k_inductive() {
    let (mut accepted, mut rejected, mut by_more) = (0, 0, 0);
    for seed in 0..1200 {
        let random = &mut Random::new(seed);
        let tiny = if seed % 2 == 0 { TinyProgram::random(random) } else { TinyProgram::looping(random) };
        if tiny.width as usize * tiny.variables > 8 {
            continue;
        }
        let everything = Cond::Compare("==", generate::Expr::Const(0), generate::Expr::Const(0));
        let facts: Facts = (0..tiny.locations)
            .map(|l| match random.below(6) {
                _ if l == tiny.locations - 1 => None,
                0 => Some(tiny.condition(random, 1)),
                _ => Some(everything.clone()),
            })
            .collect();
        let mut before = true;
        for k in 1..4 {
            let mut terms = Terms::new();
            let program = tiny.build(&mut terms);
            let locations: Vec<Location> = program.locations().collect();
            let values: Vec<_> = program.variables().iter().map(|v| v.term).collect();
            let stated = facts.iter().enumerate();
            let stated = stated
                .filter_map(|(l, c)| Some((locations[l], tiny.formula(&mut terms, &values, c.as_ref()?))));
            let invariants = stated.collect();
            let mut proof = KInduction { k, simple_path: false, facts: Certificate { invariants } };
            let answer = certify_k_inductive(&mut terms, &program, &proof, &Budget::unlimited());
            let expected = holds(&tiny, &facts, k);
            assert_eq!(answer.is_ok(), expected, "seed {seed}, k = {k}: {answer:?}\n{facts:?}\n{tiny:#?}");
            if expected {
                accepted += 1
            } else {
                rejected += 1
            }
            by_more += usize::from(expected && !before);
            before = expected;
            // Simple paths let more through, and never a violation.
            proof.simple_path = true;
            let simple = certify_k_inductive(&mut terms, &program, &proof, &Budget::unlimited());
            assert!(simple.is_ok() || !expected, "seed {seed}, k = {k}: {simple:?}");
            assert!(simple.is_err() || !explicit::reaches_error(&tiny), "seed {seed}, k = {k}: {tiny:#?}");
            // A longer step claims another base, but nothing wrong.
            if let Err(Rejection::Stopped(stop)) = simple {
                panic!("seed {seed}: {stop:?}");
            }
        }
    }
    println!("{accepted} accepted, {by_more} of them for a larger k only, {rejected} rejected");
    assert!(accepted > 100 && rejected > 100 && by_more > 10, "{accepted}, {rejected}, {by_more}");
}
