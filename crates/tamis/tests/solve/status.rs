//! `:status`, unknown answers, limits and enumerations.

use crate::support::{Folder, Run};
use std::time::Duration;

fn solve(script: &str, options: &[&str]) -> Run {
    let arguments: Vec<&str> = ["solve", "script.smt2"].iter().chain(options).copied().collect();
    Folder::with("script.smt2", script).run(&arguments)
}

/// The factors of a product of two primes of 32 bits.
const FACTORING: &str = "(set-logic QF_BV)
(declare-const x (_ BitVec 96)) (declare-const y (_ BitVec 96))
(assert (= (bvmul x y) (_ bv79228162458924105385300197375 96)))
(assert (bvult x (_ bv18446744073709551616 96))) (assert (bvult y (_ bv18446744073709551616 96)))
(assert (bvult #x000000000000000000000001 x)) (assert (bvult #x000000000000000000000001 y))
(assert (= (bvurem x #x000000000000000000000003) #x000000000000000000000001))
(check-sat) (get-model) (check-sat)";

#[test]
fn an_answer_against_the_status_is_loud() {
    let run = solve("(set-info :status sat) (assert false) (check-sat) (check-sat) (echo \"on\")", &[]);
    assert_eq!((run.exit, &*run.stdout), (Some(5), "unsat\nunsat\n\"on\"\n"));
    run.says("CONTRADICTION: the answer is unsat, but the script says :status sat");
}

#[test]
fn each_status_is_for_the_next_check() {
    let run = solve(
        "(set-info :status sat) (push) (check-sat) (set-info :status unsat) (assert false) (check-sat)
         (pop) (set-info :status unknown) (check-sat)",
        &[],
    );
    assert_eq!((run.exit, &*run.stdout, &*run.stderr), (Some(0), "sat\nunsat\nsat\n", ""));
}

#[test]
fn an_exhausted_time_is_unknown_and_ends_the_run() {
    let run = solve(FACTORING, &["--timeout", "1"]);
    assert_eq!((run.exit, &*run.stdout), (Some(3), "unknown\n"));
    run.says("unknown: timeout: 1 s");
    assert!(run.took < Duration::from_secs(6), "it took {:?}", run.took);
}

#[test]
fn an_exhausted_memory_is_unknown() {
    let run = solve(FACTORING, &["--memory", "12", "--timeout", "30"]);
    // If it is exhausted before the check, nothing has been asked yet.
    assert!(["", "unknown\n"].contains(&&*run.stdout), "{}", run.stdout);
    assert_eq!(run.exit, Some(3));
    run.says("unknown: memory limit: 12 MB");
}

#[test]
fn every_combination_is_printed_once_and_counted() {
    let run = solve(
        "(declare-const x (_ BitVec 32)) (declare-const p Bool)
         (assert (= p (bvult x #x00000005)))
         (check-allsat (p (bvult x #x00000009) (= x #x00000004)))",
        &[],
    );
    let mut lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.pop(), Some("sat"));
    lines.sort();
    assert_eq!(
        lines,
        [
            "((not p) (bvult x #x00000009) (not (= x #x00000004)))",
            "((not p) (not (bvult x #x00000009)) (not (= x #x00000004)))",
            "(p (bvult x #x00000009) (= x #x00000004))",
            "(p (bvult x #x00000009) (not (= x #x00000004)))",
        ]
    );
    run.says("4 models");
    assert_eq!(run.exit, Some(0));
}

#[test]
fn combinations_can_all_be_confirmed() {
    let script = |option: &str| {
        format!(
            "(set-option :check-models {option}) (declare-const x (_ BitVec 8))
             (assert (bvult x #xf0)) (check-allsat ({}))",
            (0..8).map(|i| format!("(= ((_ extract {i} {i}) x) #b1)")).collect::<Vec<_>>().join(" ")
        )
    };
    for option in ["true", "false"] {
        let run = solve(&script(option), &[]);
        assert_eq!((run.exit, run.stdout.lines().count()), (Some(0), 241), "{}", run.stderr);
        run.says("240 models");
    }
}

#[test]
fn what_no_theory_decides_is_named_with_its_place() {
    let script = "(declare-const i Int) (declare-const j Int)\n(assert (= 2 (* i\n i)))\n(check-sat)(get-info :reason-unknown)";
    let run = solve(script, &[]);
    let reason = "not decided: a product of terms that are no constants, at line 2 column 14";
    assert_eq!(run.stdout, format!("unknown\n(:reason-unknown \"{reason}\")\n"));
    run.says(&format!("unknown: {reason}"));
    assert_eq!(run.exit, Some(4));
    // Where the answer does not depend on it, there is one.
    let run = solve("(declare-const i Int) (assert (= 2 (* i i))) (assert false) (check-sat)", &[]);
    assert_eq!((run.exit, &*run.stdout), (Some(0), "unsat\n"));
}

#[test]
fn statistics_go_to_stderr() {
    let run = solve("(declare-const p Bool) (assert p) (check-sat)", &["--stats", "--seed", "7"]);
    assert_eq!((run.exit, &*run.stdout), (Some(0), "sat\n"));
    run.says("searches                    1");
}

#[test]
fn an_activation_literal_cannot_be_named_by_a_script() {
    let names = ["activation!0", "|activation!0|", "level!0"];
    for name in names {
        let run = solve(
            &format!(
                "(set-option :produce-unsat-cores true)
                 (declare-const p Bool) (push) (assert (! p :named a)) (assert p)
                 (declare-const {name} Bool) (assert (not {name})) (check-sat)"
            ),
            &[],
        );
        assert_eq!((run.exit, &*run.stdout), (Some(0), "sat\n"), "{name}");
    }
}
