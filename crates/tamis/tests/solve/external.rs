//! `--solver`. With z3 in the path or in `TAMIS_Z3`; without it only what needs none is tested, and a note says so.

use crate::support::Folder;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

/// A script, and a solver of some name that is a shell script.
fn with_solver(name: &str, shell: &str, script: &str) -> Folder {
    let folder = Folder::with("script.smt2", script);
    let solver = folder.path.join(name);
    fs::write(&solver, format!("#!/bin/sh\n{shell}\n")).expect("a written file");
    fs::set_permissions(&solver, fs::Permissions::from_mode(0o755)).expect("a program");
    folder
}

fn run(shell: &str) -> crate::support::Run {
    with_solver("solver", shell, "(check-sat)\n").run(&[
        "solve",
        "script.smt2",
        "--solver",
        "./solver",
        "--timeout",
        "3",
    ])
}

#[test]
fn z3_answers_a_script() {
    let Some(z3) = tamis_testing::z3() else { return };
    let script = "(set-logic QF_LIA) (declare-const x Int) (assert (< 2 x 4)) (check-sat) (get-value (x))";
    let folder = Folder::with("script.smt2", script);
    let run = folder.run(&["solve", "script.smt2", "--solver", &z3]);
    assert_eq!((run.exit, &*run.stdout), (Some(0), "sat\n((x 3))\n"), "{}", run.stderr);
    let folder = Folder::with("script.smt2", format!("(set-info :status unsat) {script}"));
    let run = folder.run(&["solve", "script.smt2", "--solver", &z3, "--memory", "1000", "--seed", "2"]);
    assert_eq!((run.exit, &*run.stdout), (Some(5), "sat\n((x 3))\n"), "{}", run.stderr);
    run.says("CONTRADICTION: the answer is sat, but the script says :status unsat");
}

#[test]
fn a_status_that_another_solver_contradicts_is_loud() {
    let script =
        "(set-info :status unsat) (check-sat) (echo \"on\") (check-sat) (set-info :status sat) (check-sat)";
    let answers = |lines: &str| {
        let folder = with_solver("solver", &format!("cat > /dev/null; printf '{lines}'"), script);
        folder.run(&["solve", "script.smt2", "--solver", "./solver"])
    };
    let wrong = answers("sat\\non\\nunsat\\nsat\\n");
    assert_eq!((wrong.exit, &*wrong.stdout), (Some(5), "sat\non\nunsat\nsat\n"));
    wrong.says("CONTRADICTION: the answer is sat, but the script says :status unsat");
    assert!(!wrong.stderr.contains("says :status sat"), "{}", wrong.stderr);
    assert_eq!(answers("unsat\\non\\nsat\\nsat\\n").exit, Some(0));
    assert_eq!(answers("unknown\\non\\nsat\\nsat\\n").exit, Some(3));
    let more = answers("sat\\nsat\\nunsat\\nsat\\n");
    assert_eq!(more.exit, Some(0));
    more.says("more answers than checks");
}

#[test]
fn output_that_is_no_answer_is_an_error() {
    let garbage = run("echo Segmentation fault");
    assert_eq!(garbage.exit, Some(5));
    garbage.says(
        "the solver's output is not understood: 0 answers to 1 checks; last it said: Segmentation fault",
    );
    let silent = run("true");
    assert_eq!(silent.exit, Some(5));
    silent.says("last it said: nothing");
    let noise = run("head -c 100000 /dev/urandom");
    assert_eq!(noise.exit, Some(5));
}

#[test]
fn what_was_said_before_the_end_is_kept() {
    let stopped = run("echo sat; sleep 60");
    assert_eq!((stopped.exit, &*stopped.stdout), (Some(3), "sat\nunknown\n"), "{}", stopped.stderr);
    stopped.says("timeout of the solver: 3 s");
    let crashed = run("echo sat; kill -SEGV $$");
    assert_eq!(crashed.exit, Some(5));
    assert!(crashed.stdout.starts_with("sat\n(error "), "{}", crashed.stdout);
}

#[test]
fn exhausted_memory_is_unknown() {
    let solver = "cat > /dev/null; echo 'terminate called: std::bad_alloc' >&2; kill -ABRT $$";
    let folder = with_solver("solver", solver, "(check-sat)");
    let run = folder.run(&["solve", "script.smt2", "--solver", "./solver", "--memory", "100"]);
    assert_eq!((run.exit, &*run.stdout), (Some(3), "unknown\n"), "{}", run.stderr);
    run.says("memory limit of the solver: 100 MB");
}

#[test]
fn known_solvers_get_limits_and_seeds_their_way() {
    let shown = |name: &str| {
        let folder = with_solver(name, "cat > got; echo \"; $@\"; head -n 1 got; echo sat", "(check-sat)\n");
        let solver = format!("./{name}");
        let options = ["solve", "script.smt2", "--solver", &solver, "--memory", "900", "--seed", "5"];
        let run = folder.run(&options);
        assert_eq!(run.exit, Some(0), "{}", run.stderr);
        run.stdout.lines().take(2).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(shown("z3-4"), "; -smt2 -in -memory:900 smt.random_seed=5 sat.random_seed=5\n(check-sat)");
    assert_eq!(shown("bitwuzla"), "; --lang=smt2 --memory-limit=900 --seed=5\n(check-sat)");
    assert_eq!(shown("yices-smt2"), "; --incremental\n(set-option :random-seed 5)");
}

#[test]
fn a_file_that_is_no_program() {
    let folder = Folder::with("script.smt2", "(check-sat)");
    let run = folder.run(&["solve", "script.smt2", "--solver", "./script.smt2"]);
    assert_eq!(run.exit, Some(2));
    run.says("./script.smt2 is not executable");
    assert_eq!(folder.run(&["solve", "script.smt2", "--solver", "./missing"]).exit, Some(2));
    assert_eq!(folder.run(&["solve", "script.smt2", "--solver", "/"]).exit, Some(2));
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
