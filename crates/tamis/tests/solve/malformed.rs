//! Whatever the input is: exit code 4, an error that says where, bounded time and memory, never a panic.

use crate::support::Folder;
use std::time::Duration;

#[track_caller]
fn rejected(script: impl AsRef<[u8]>, message: &str) {
    let folder = Folder::with("script.smt2", script);
    let run = folder.run(&["solve", "script.smt2", "--memory", "2000", "--timeout", "50"]);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    assert_eq!(run.exit, Some(4), "{}{}", run.stdout, run.stderr);
    assert!(run.took < Duration::from_secs(30), "it took {:?}", run.took);
    let last = run.stdout.lines().last().unwrap_or_default();
    assert!(last.starts_with("(error \"line "), "{last}");
    assert!(last.contains(message), "no '{message}' in {last}");
    run.says("script.smt2:");
}

#[test]
fn truncated_anywhere() {
    let script =
        "(set-logic QF_BV)(declare-const x (_ BitVec 8))(assert (! (= x (bvadd #x01 |x|)) :named a))";
    let whole: Vec<usize> =
        script.match_indices("(declare").chain(script.match_indices("(assert")).map(|m| m.0).collect();
    for end in 1..script.len() {
        if !whole.contains(&end) {
            rejected(&script[..end], "");
        }
    }
}

#[test]
fn bytes_that_are_no_text() {
    rejected([0xff, 0xfe, 0x00, 0x01, b'(', 0x80], "not a token");
    rejected(b"(assert |\xff\xff|)", "UTF-8");
    let mut state = 1u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(100_000)
    .collect();
    rejected(noise, "");
}

#[test]
fn not_smtlib() {
    rejected("int main(void) { return 0; }", "`(` expected");
    rejected("(make-coffee)", "no such command");
    rejected("(assert (forall ((x Bool)) x))", "not supported");
    rejected("(declare-const s String)", "String");
    rejected("(pop 1)", "0 are open");
    rejected("(push 99999999999999999999)", "too many levels");
    rejected(")", "`(` expected");
}

#[test]
fn absurd_widths() {
    rejected("(declare-const x (_ BitVec 99999999999999999999))", "");
    rejected("(declare-const x (_ BitVec 4294967295))", "");
    rejected("(declare-const x (_ BitVec 0))", "");
    rejected("(declare-const x (_ BitVec 64))(assert (= x ((_ zero_extend 4294967295) x)))", "");
    rejected("(declare-const x (_ BitVec 64))(assert (= x ((_ repeat 4294967295) x)))", "");
    rejected("(assert (= #b1 ((_ extract 4294967295 0) #b1)))", "");
}

#[test]
fn twenty_megabytes_of_parentheses() {
    rejected("(".repeat(20 << 20), "");
    rejected(format!("(assert {})", "(".repeat(20 << 20)), "");
    rejected(format!("(set-info :x {}", "(".repeat(20 << 20)), "");
}

#[test]
fn deep_nesting_is_no_error_by_itself() {
    let deep = |levels: usize| {
        let (open, close) = ("(not ".repeat(levels), ")".repeat(levels));
        format!("(declare-const p Bool)(assert {open}p{close})(check-sat)")
    };
    let run = Folder::with("deep.smt2", deep(1_000_000)).run(&["solve", "deep.smt2"]);
    assert_eq!((run.exit, &*run.stdout), (Some(0), "sat\n"), "{}", run.stderr);
    let (open, close) = ("(bvadd x (bvmul x ".repeat(2_000), "))".repeat(2_000));
    let script = format!("(declare-const x (_ BitVec 2))(assert (= #b01 {open}x{close}))(check-sat)");
    let run = Folder::with("deep.smt2", script).run(&["solve", "deep.smt2"]);
    assert_eq!(run.exit, Some(0), "{}{}", run.stdout, run.stderr);
}

#[test]
fn the_caret_stands_under_the_mistake() {
    let script = "(declare-const x (_ BitVec 8))\n(assert\n\t(= x unknown-name))\n";
    let run = Folder::with("script.smt2", script).run(&["solve", "script.smt2"]);
    assert_eq!(run.stdout, "(error \"line 3 column 7: no such symbol at `unknown-name`\")\n");
    let message = "error: no such symbol at `unknown-name`
  --> script.smt2:3:7
   |
 3 | \t(= x unknown-name))
   | \t     ^
";
    assert_eq!(run.stderr, message);
}

#[test]
fn no_such_file_and_no_file_at_all() {
    let folder = Folder::new();
    let run = folder.run(&["solve", "missing.smt2"]);
    assert_eq!(run.exit, Some(4));
    run.says("missing.smt2");
    assert_eq!(folder.run(&["solve", "."]).exit, Some(4));
    assert_eq!(folder.run(&["solve"]).exit, Some(2));
    let empty = folder.run(&["solve", "-"]);
    assert_eq!((empty.exit, &*empty.stdout), (Some(0), ""));
}
