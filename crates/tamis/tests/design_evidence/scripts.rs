//! The scripts under `contrib/`: words, exit codes and witnesses of the tools in whose place they stand.

use crate::Folder;
use std::path::Path;

const TOGGLE: &str = "aag 2 1 1 0 0 1\n2\n4 5\n4\n";

fn run(folder: &Folder, script: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let contrib = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib");
    let output = folder.run(contrib.join(script), arguments);
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn the_aiger_engines_of_symbiyosys_are_spoken_for() {
    let folder = Folder::new("sby-aiger");
    folder.write("bad.aag", TOGGLE);
    folder.write("good.aag", TOGGLE.replace("4 5\n4\n", "4 4\n4\n"));
    folder.write("live.aag", "aag 2 1 1 0 0 0 0 1\n2\n4 5\n1\n4\n");
    folder.write("two.aag", TOGGLE.replace("0 1\n2\n4 5\n4\n", "0 2\n2\n4 5\n0\n4\n"));
    let violated = (Some(0), "1\nb0\n0\n0\n0\n.\n".to_owned());
    assert_eq!(run(&folder, "sby-tamis", &["--witness", "bad.aag"]), violated);
    assert_eq!(run(&folder, "sby-tamis", &["-e", "bmc", "--end", "9", "--witness", "bad.aag"]), violated);
    assert_eq!(run(&folder, "sby-tamis", &["9", "bad.aag"]), violated);
    assert_eq!(run(&folder, "sby-tamis", &["--witness", "good.aag"]), (Some(0), "0\n".to_owned()));
    let (code, said) = run(&folder, "sby-tamis", &["+simple_liveness", "live.aag"]);
    assert!(code == Some(0) && said.starts_with("1\nj0\n0\n") && said.ends_with(".\n"), "{said}");
    assert_eq!(run(&folder, "sby-tamis", &["two.aag"]).1, violated.1.replace("b0", "b1"));
    assert_eq!(run(&folder, "sby-tamis", &["none.aag"]), (Some(0), "2\n".to_owned()));
    assert_eq!(run(&folder, "sby-tamis", &["9", "none.aag"]), (Some(1), String::new()));
}

#[test]
fn pono_is_spoken_for() {
    let folder = Folder::new("pono");
    // The second of two properties is violated in cycle 2.
    let counter = "1 sort bitvec 2\n2 sort bitvec 1\n3 zero 1\n4 state 1\n5 init 1 4 3\n6 inc 1 4\n7 next 1 4 6\n8 zero 2\n\
        9 bad 8 never\n10 constd 1 2\n11 eq 2 4 10\n12 bad 11 two\n";
    folder.write("counter.btor2", counter);
    let witness = "sat\nb1\n#0\n@0\n@1\n@2\n.\n";
    let pono = |arguments: &[&str]| run(&folder, "pono-tamis", arguments);
    assert_eq!(
        pono(&["--witness", "-v", "1", "-e", "bmc", "-k", "9", "-p", "1", "counter.btor2"]),
        (Some(0), witness.to_owned())
    );
    assert_eq!(
        pono(&["-p", "1", "--dump-btor2-witness", "w.wit", "counter.btor2"]),
        (Some(0), "sat\nb1\n".to_owned())
    );
    assert_eq!(folder.text("w.wit"), witness);
    assert_eq!(pono(&["-e", "ind", "counter.btor2"]), (Some(1), "unsat\nb0\n".to_owned()));
    // Without an engine it is a bounded search, which finds nothing up to its bound.
    assert_eq!(pono(&["counter.btor2"]), (Some(255), "unknown\nb0\n".to_owned()));
    assert_eq!(pono(&["-e", "ind", "none.btor2"]), (Some(2), "error\n".to_owned()));
    assert_eq!(pono(&["-p", "7", "counter.btor2"]), (Some(2), "error\n".to_owned()));
    assert_eq!(pono(&["--unheard-of", "counter.btor2"]), (Some(2), String::new()));
    assert_eq!(pono(&["-p", "1", "counter.btor2", "--", "--vcd", "w.vcd"]).0, Some(0));
    assert!(folder.text("w.vcd").contains("violation_of_two"));
}

#[test]
fn the_competition_has_witnesses_of_aiger() {
    let folder = Folder::new("hwmcc-aiger");
    folder.write("bad.aag", TOGGLE);
    folder.write("good.aag", TOGGLE.replace("4 5\n4\n", "4 4\n4\n"));
    assert_eq!(run(&folder, "hwmcc-tamis", &["bad.aag", "b.wit"]), (Some(10), "sat\n".to_owned()));
    assert_eq!(folder.text("b.wit"), "1\nb0\n0\n0\n0\n.\n");
    assert_eq!(
        run(&folder, "hwmcc-tamis", &["good.aag", "g.wit", "g.aag"]),
        (Some(20), "unsat\n".to_owned())
    );
    assert!(folder.text("g.aag").starts_with("aag "));
}
