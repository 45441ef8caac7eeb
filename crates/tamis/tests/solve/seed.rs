//! `--seed` and `:random-seed`: the same seed gives the same run, and the seed matters.

use crate::support::{Folder, Run};

/// Factors of numbers in an interval: the seed matters after some ten thousand conflicts only.
const SCRIPT: &str = "(set-logic QF_BV)
(declare-const x (_ BitVec 28)) (declare-const y (_ BitVec 28)) (declare-const z (_ BitVec 28))
(assert (= (bvmul x y) (bvadd z (_ bv143116020 28))))
(assert (bvult x (_ bv16384 28))) (assert (bvult y (_ bv16384 28))) (assert (bvult z (_ bv4 28)))
(assert (bvult (_ bv1 28) x)) (assert (bvult x y))
(check-sat) (get-model)
(check-allsat ((bvult z (_ bv2 28)) (= ((_ extract 0 0) x) #b1)))";

fn run(seed: &str, options: &[&str]) -> Run {
    let folder = Folder::with("script.smt2", format!("{seed}{SCRIPT}"));
    let arguments: Vec<&str> = ["solve", "script.smt2", "--stats"].iter().chain(options).copied().collect();
    let run = folder.run(&arguments);
    assert_eq!(run.exit, Some(0), "{}{}", run.stdout, run.stderr);
    run
}

/// The statistics that count something, without those that measure.
fn counts(run: &Run) -> Vec<String> {
    let measured = ["search-seconds", "seconds", "megabytes"];
    let counted = |line: &&str| !measured.iter().any(|name| line.trim_start().starts_with(name));
    run.stderr.lines().filter(counted).map(str::to_owned).collect()
}

#[test]
fn a_run_can_be_repeated() {
    for seed in ["0", "17"] {
        let (first, second) = (run("", &["--seed", seed]), run("", &["--seed", seed]));
        assert_eq!(first.stdout, second.stdout);
        assert_eq!(counts(&first), counts(&second));
        assert!(counts(&first).iter().any(|line| line.contains("conflicts")));
    }
}

#[test]
fn the_option_of_the_script_is_the_same_seed() {
    let (option, argument) = (run("(set-option :random-seed 17)", &[]), run("", &["--seed", "17"]));
    assert_eq!((&option.stdout, counts(&option)), (&argument.stdout, counts(&argument)));
    // The script has the last word.
    let both = run("(set-option :random-seed 17)", &["--seed", "3"]);
    assert_eq!((&both.stdout, counts(&both)), (&argument.stdout, counts(&argument)));
}

#[test]
fn seeds_make_a_difference() {
    let runs: Vec<Vec<String>> =
        ["0", "1", "2"].iter().map(|seed| counts(&run("", &["--seed", seed]))).collect();
    assert!(runs.iter().any(|counted| *counted != runs[0]), "{runs:?}");
}
