//! `--solver`. With z3 in the path or in `TAMIS_Z3`; without it only what needs none is tested, and a note says so.

use crate::support::Folder;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

/// A solver that is a shell script.
fn folder_with_solver(shell: &str) -> Folder {
    let folder = Folder::with("script.smt2", "(check-sat)\n");
    let solver = folder.path.join("solver");
    fs::write(&solver, format!("#!/bin/sh\n{shell}\n")).expect("a written file");
    fs::set_permissions(&solver, fs::Permissions::from_mode(0o755)).expect("a program");
    folder
}

fn run(shell: &str) -> crate::support::Run {
    folder_with_solver(shell).run(&["solve", "script.smt2", "--solver", "./solver", "--timeout", "1"])
}

#[test]
fn z3_answers_a_script() {
    let z3 = std::env::var("TAMIS_Z3").unwrap_or_else(|_| "z3".into());
    let script = "(set-logic QF_LIA) (declare-const x Int) (assert (< 2 x 4)) (check-sat) (get-value (x))";
    let folder = Folder::with("script.smt2", script);
    let run = folder.run(&["solve", "script.smt2", "--solver", &z3]);
    if run.stderr.contains("no solver") {
        println!("skipped: no z3 in the path or in TAMIS_Z3");
        return;
    }
    assert_eq!((run.exit, &*run.stdout), (Some(0), "sat\n((x 3))\n"), "{}", run.stderr);
}

#[test]
fn the_script_goes_in_and_answers_come_out() {
    let run = run("cat > got; grep -q check-sat got && echo sat");
    assert_eq!((run.exit, &*run.stdout), (Some(0), "sat\n"), "{}", run.stderr);
}

#[test]
fn exit_codes() {
    assert_eq!(run("echo unknown").exit, Some(3));
    assert_eq!(run("echo '(error \"what?\")'").exit, Some(4));
    let crashed = run("kill -SEGV $$");
    assert_eq!(crashed.exit, Some(5));
    crashed.says("the solver crashed: signal: 11");
    let failed = run("echo broken >&2; exit 3");
    assert_eq!(failed.exit, Some(5));
    failed.says("exit status: 3: broken");
}

#[test]
fn a_solver_that_does_not_end_is_ended_with_its_children() {
    let run = run("sleep 60 & sleep 60");
    assert_eq!((run.exit, &*run.stdout), (Some(3), "unknown\n"), "{}", run.stderr);
    assert!(run.took < Duration::from_secs(10), "it took {:?}", run.took);
}

#[test]
fn no_such_solver() {
    let folder = Folder::with("script.smt2", "(check-sat)");
    let run = folder.run(&["solve", "script.smt2", "--solver", "no-such-solver"]);
    assert_eq!(run.exit, Some(2));
    run.says("no solver `no-such-solver` was found");
}
