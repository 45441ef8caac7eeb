//! Designs on which other model checkers have gone wrong, under every search.

use std::time::Duration;
use tamis_cegar::{Outcome, Search, Silent, Strategy, check};
use tamis_design::{DesignSystem, Run};
use tamis_front_rtl::btor2;
use tamis_logic::Terms;
use tamis_solver::Budget;

const PROVERS: [&[Search]; 4] = [
    &[Search::Ic3],
    &[Search::Ic3Innards],
    &[Search::KInduction],
    &[Search::Ic3, Search::Bounded, Search::KInduction],
];

/// Checks that every search comes to a verdict.
fn decide(safe: bool, text: &str) {
    for searches in PROVERS {
        let mut terms = Terms::new();
        let source = btor2::read(&mut terms, "trap.btor2", text.as_bytes()).expect("it can be read");
        let design = source.design.cone(&terms, 0);
        let system = DesignSystem::new(&mut terms, &design, 0);
        let strategy = Strategy { searches: searches.to_vec(), ..Strategy::default() };
        let budget = Budget::with_timeout(Duration::from_secs(60));
        let found = match check(&mut terms, &system, &strategy, &budget, &mut Silent).0 {
            Outcome::Safe(_) | Outcome::KInductive(_) | Outcome::Exhausted(_) | Outcome::Unwound(_) => true,
            Outcome::Unsafe(trace) => {
                let run = Run::new(&terms, &design, &DesignSystem::stimulus(&trace)).expect("an execution");
                assert!(run.violates(&terms, &design, 0), "{searches:?}");
                false
            }
            other @ (Outcome::Bounded(_) | Outcome::Unknown(_)) => panic!("{searches:?}: {other:?}"),
        };
        assert_eq!(found, safe, "{searches:?}");
    }
}

/// A register starts with what another one starts with, which is anything: the two are equal, and not 0.
#[test]
fn first_values_of_registers_without_one() {
    let design = |bad: &str| {
        format!(
            "1 sort bitvec 4\n2 sort bitvec 1\n3 state 1 a\n4 state 1 b\n5 init 1 4 3\n6 next 1 3 3\n7 next 1 4 4\n\
             8 neq 2 3 4\n9 constd 1 5\n10 eq 2 4 9\n11 bad {bad}\n"
        )
    };
    decide(true, &design("8"));
    decide(false, &design("10"));
}

/// A constraint holds in the cycle of the violation, and in all before it.
#[test]
fn constraints_hold_in_every_cycle() {
    let design = |bad: u32| {
        format!(
            "1 sort bitvec 3\n2 sort bitvec 1\n3 zero 1\n4 state 1 count\n5 init 1 4 3\n6 one 1\n7 add 1 4 6\n8 next 1 4 7\n\
             9 constd 1 4\n10 ult 2 4 9\n11 constraint 10\n12 constd 1 {bad}\n13 eq 2 4 12\n14 bad 13\n"
        )
    };
    decide(false, &design(3));
    // The cycle in which the count is 4 is none, and neither is any later one.
    decide(true, &design(4));
    decide(true, &design(5));
}

/// What is bad reads an input that a constraint reads too, and only in that cycle.
#[test]
fn constraints_and_inputs_in_what_is_bad() {
    let design = |constrained: &str| {
        format!(
            "1 sort bitvec 1\n2 zero 1\n3 input 1 in\n4 state 1 s\n5 init 1 4 2\n6 or 1 4 3\n7 next 1 4 6\n\
             8 and 1 4 3\n9 bad 8\n10 xor 1 3 4\n11 constraint {constrained}\n"
        )
    };
    // in = s: s stays 0.
    decide(true, &design("-10"));
    // in or s: s is 1 after a cycle, and in may be 1 then.
    decide(false, &design("6"));
    // in and s differ: s becomes 1, and then in is 0.
    decide(true, &design("10"));
}

/// A register without a next value takes any in each cycle, whatever its first value.
#[test]
fn registers_without_a_next_value() {
    let design = |next: &str| {
        format!(
            "1 sort bitvec 2\n2 sort bitvec 1\n3 zero 1\n4 state 1 s\n5 init 1 4 3\n6 constd 1 2\n7 eq 2 4 6\n8 bad 7\n{next}"
        )
    };
    decide(false, &design(""));
    decide(true, &design("9 next 1 4 4\n"));
}

/// No first state, and no cycle at all.
#[test]
fn nothing_happens() {
    decide(true, "1 sort bitvec 1\n2 zero 1\n3 state 1 s\n4 next 1 3 3\n5 bad 3\n6 constraint 2\n");
}
