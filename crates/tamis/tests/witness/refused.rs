//! What is not a witness, or not one for the program, is refused with its place.

use crate::support::{Folder, Run};
use crate::{head, invariant, segment, sha256};
use std::fs::{self, File};

const PROGRAM: &str = "extern void reach_error(void);
int f(void) { return 1; }
int main(void) {
  int x = 0;
  while (x < 3)
    x++;
  if (x != 3) reach_error();
  return 0;
}
";

fn certify(witness: impl AsRef<[u8]>) -> Run {
    let folder = Folder::with("main.c", PROGRAM);
    fs::write(folder.path.join("w.yml"), witness).expect("a written file");
    folder.run(&["certify", "w.yml", "main.c"])
}

#[track_caller]
fn refused(run: &Run, message: &str, line: u32) {
    assert_eq!(run.exit, Some(4), "{}", run.stderr);
    assert!(run.stdout.starts_with("VERDICT: unknown(input: "), "{}", run.stdout);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    run.says(message);
    if line > 0 {
        run.says(&format!("--> w.yml:{line}:"));
    }
}

fn with(value: &str) -> String {
    head("invariant_set", PROGRAM) + &invariant("loop_invariant", 5, value)
}

#[test]
fn expressions_that_do_something() {
    for (value, message) in [
        ("x = 1", "assigns nothing"),
        ("x++ < 10", "assigns nothing"),
        ("f() == 1", "calls no function"),
        ("({ x = 1; x; })", "statements are not allowed"),
        ("1) || (1", "a parenthesis is closed that is not open"),
        ("x < 4; reach_error()", "statements are not allowed"),
        ("(x", "a parenthesis is not closed"),
        ("x <", "expected"),
        ("nothing < 4", "nothing"),
        ("", "an expression is expected"),
        ("x < 4 /* ", "comments"),
        ("x < 4\n#define x 7\n", "statements are not allowed"),
        ("x < 4 \\\\ ", "not an expression"),
        ("\"abc\"[0] == x", "strings"),
        ("sizeof(f()) + f() > 0", "calls no function"),
    ] {
        refused(&certify(with(value)), message, 18);
    }
    let deep = format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000));
    let run = certify(with(&deep));
    assert!(matches!(run.exit, Some(3 | 4)) && !run.stderr.contains("panicked"), "{}", run.stderr);
}

#[test]
fn places_that_are_not_there() {
    let nowhere = |kind: &str, line| head("invariant_set", PROGRAM) + &invariant(kind, line, "x < 4");
    refused(&certify(nowhere("loop_invariant", 6)), "there is no loop at main.c:6", 18);
    refused(&certify(nowhere("location_invariant", 500)), "there is no statement at main.c:500", 18);
    let sequence = |item: &str| head("violation_sequence", PROGRAM) + item;
    let target = segment(&[("follow", "target", 99, 1, "")]);
    refused(&certify(sequence(&target)), "there is no statement at main.c:99", 0);
    let value = "\\result == f()";
    let call = segment(&[("follow", "function_return", 7, 27, value)])
        + &segment(&[("follow", "target", 7, 15, "")]);
    refused(&certify(sequence(&call)), "a comparison and a constant are expected", 0);
}

#[test]
fn other_programs() {
    let right = with("x <= 3");
    certify(&right).ends_with(0, "true");
    let hash = sha256(PROGRAM);
    refused(&certify(right.replace(&hash, &sha256("other"))), "its hash is another", 10);
    refused(&certify(right.replace("main.c", "../../main2.c")), "the witness is not for main.c", 8);
    refused(&certify(right.replace("[main.c]", "[main.c, b.c]")), "the witness is for 2 files", 1);
    refused(&certify(right.replace("LP64", "LP65")), "the data model is ILP32 or LP64", 12);
    refused(&certify(right.replace("language: C", "language: Java")), "only programs in C", 13);
    let folder = Folder::with("main.c", PROGRAM);
    fs::write(folder.path.join("w.yml"), &right).expect("a written file");
    refused(&folder.run(&["certify", "w.yml", "main.c", "--32"]), "another data model", 12);
    let run = folder.run(&["certify", "w.yml", "main.c", "--property", "no-overflow"]);
    refused(&run, "the witness is not for the property no-overflow", 11);
    // A path in a witness is a name and nothing else: no file is opened by it.
    let elsewhere = right.replace("file_name: main.c", "file_name: ../../../etc/main.c");
    certify(elsewhere).ends_with(0, "true");
}

#[test]
fn what_lacks_something() {
    let right = with("x <= 3");
    for (part, message) in [
        ("entry_type: invariant_set", "`entry_type` is missing"),
        ("format_version: \"2.0\"", "`format_version` is missing"),
        ("line: 5, ", "`line` is missing"),
        ("file_name: main.c, ", "`file_name` is missing"),
        ("      language: C\n", "`language` is missing"),
    ] {
        let key = part.trim().split(':').next().expect("a key");
        refused(&certify(right.replace(part, &part.replace(key, "something"))), message, 0);
    }
    refused(&certify(right.replace("\"2.0\"", "\"7.0\"")), "this version of the format is not known", 3);
    refused(&certify(right.replace("line: 5", "line: 99999999999999999999")), "a number of a line", 17);
    refused(&certify(right.replace("line: 5", "line: -1")), "a number of a line", 17);
    refused(&certify(""), "a witness is a list of entries", 0);
    refused(&certify("[]"), "at least one entry", 1);
    let both =
        with("x <= 3") + &head("violation_sequence", PROGRAM) + &segment(&[("follow", "target", 7, 15, "")]);
    refused(&certify(both), "not of both", 0);
    let twice =
        [segment(&[("follow", "target", 7, 15, "")]), segment(&[("follow", "target", 7, 15, "")])].concat();
    refused(&certify(head("violation_sequence", PROGRAM) + &twice), "the target is in the last segment", 0);
}

#[test]
fn files_that_are_meant_to_hurt() {
    let mut laughs = "- &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for i in 1..12 {
        laughs += &format!("- &a{i} [{}]\n", vec![format!("*a{}", i - 1); 10].join(", "));
    }
    for text in
        [laughs.into_bytes(), b"[".repeat(1_000_000), b"- ".repeat(1_000_000), b"{a: ".repeat(100_000)]
    {
        let run = certify(text);
        assert_eq!(run.exit, Some(4), "{}", run.stderr);
        assert!(!run.stderr.contains("panicked") && run.took.as_secs() < 30, "{}", run.stderr);
    }
    refused(&certify(b"- entry_type: \xff\xfe\n"), "is not UTF-8", 0);
    refused(&certify(b"a: \x00b"), "", 0);
    let folder = Folder::with("main.c", PROGRAM);
    let large = File::create(folder.path.join("w.yml")).expect("a file");
    large.set_len(1 << 30).expect("a file with a hole");
    refused(&folder.run(&["certify", "w.yml", "main.c"]), "is too large: 1024 MB", 0);
    refused(&folder.run(&["certify", "no-such.yml", "main.c"]), "cannot be read", 0);
}
