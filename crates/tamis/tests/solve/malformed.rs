//! Whatever the input is: exit code 4, an error that says where, bounded time and memory, never a panic.

use crate::support::Folder;
use std::time::Duration;
use tamis_testing::Random;

#[track_caller]
fn rejected(script: impl AsRef<[u8]>, message: &str) {
    rejected_within(script, message, "2000");
}

/// Rejected with no more than so many megabytes.
#[track_caller]
fn rejected_within(script: impl AsRef<[u8]>, message: &str, memory: &str) {
    let folder = Folder::with("script.smt2", script);
    let run = folder.run(&["solve", "script.smt2", "--memory", memory, "--timeout", "50"]);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    assert_eq!(run.exit, Some(4), "{}{}", run.stdout, run.stderr);
    assert!(run.took < Duration::from_secs(30), "it took {:?}", run.took);
    let last = run.stdout.lines().last().unwrap_or_default();
    assert!(last.starts_with("(error \"line "), "{last}");
    assert!(last.contains(message), "no '{message}' in {last}");
    run.says("script.smt2:");
}

/// A script is one command after the other: cut off anywhere else, it is rejected.
#[test]
fn truncated_anywhere() {
    let scripts = [
        "(set-logic QF_BV)(declare-const x (_ BitVec 8))(assert (! (= x (bvadd #x01 |x|)) :named a))",
        "(declare-sort U 0)(declare-fun f (U Int) U)(define-sort A (X) (Array X U))(declare-const a (A Int))",
        "(set-info :status sat)(set-option :random-seed 1)(echo \"a \"\"b\"\"\")(push 1)(check-sat)(pop 1)",
        "(declare-const r Real)(assert (let ((r 1.5) (s (- r))) (< s (/ r 2.0))))(check-sat-assuming (true))",
    ];
    for script in scripts {
        let mut depth = 0;
        for (end, byte) in script.bytes().enumerate() {
            if depth > 0 {
                rejected(&script[..end], "");
            }
            depth += match byte {
                b'(' => 1,
                b')' => -1,
                _ => 0,
            };
        }
    }
}

#[test]
fn bytes_that_are_no_text() {
    rejected([0xff, 0xfe, 0x00, 0x01, b'(', 0x80], "not a token");
    rejected(b"(assert |\xff\xff|)", "UTF-8");
    rejected(Random::new(1).bytes(100_000), "");
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
fn outside_of_the_logics() {
    rejected("(assert (exists ((x Int)) (> x 0)))", "`exists` is not supported");
    rejected("(declare-const f Float32)", "a sort that is not supported at `Float32`");
    rejected("(declare-fun f () (_ FloatingPoint 8 24))", "a sort that is not supported at `FloatingPoint`");
    rejected("(assert (fp.isNaN (fp #b0 #xff #b1)))", "an operator that is not supported at `fp.isNaN`");
    rejected("(assert (= 1 (str.len \"a\")))", "an operator that is not supported at `str.len`");
    rejected("(declare-datatypes ((L 0)) (((nil))))", "a command that is not supported");
    rejected("(define-fun-rec f ((n Int)) Int (f n))", "a command that is not supported");
    rejected("(get-interpolant A true)", "a command that is not supported");
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

/// A hundred megabytes of one thing, in far less than half a gigabyte.
#[test]
fn a_hundred_megabytes() {
    const MUCH: usize = 100 << 20;
    let small = |script: String, message: &str| rejected_within(script, message, "400");
    small("(".repeat(MUCH), "a symbol expected");
    small(")".repeat(MUCH), "`(` expected");
    small("(".repeat(MUCH / 2) + &")".repeat(MUCH / 2), "a symbol expected");
    small("(assert ".to_owned() + &"(".repeat(MUCH), "`_` or `as` expected");
    small("(set-info :x ".to_owned() + &"(".repeat(MUCH), "too long");
    small("(assert |".to_owned() + &"x".repeat(MUCH), "a token longer than");
    small("(assert (= 1 ".to_owned() + &"7".repeat(MUCH), "a token longer than");
    small("\0".repeat(MUCH), "not a token");
    small("(push 1)".repeat(MUCH / 8), "too many levels");
}

#[test]
fn nesting_without_an_end() {
    let declared = "(declare-const p Bool)(assert ";
    for part in ["(and p ", "(not ", "(! ", "(let ((p ", "(let ((p p)) ", "(ite p p "] {
        rejected_within(declared.to_owned() + &part.repeat(3_000_000), "nested too deeply", "900");
    }
    rejected("(declare-const x ".to_owned() + &"(Array Int ".repeat(1_000_000), "nested too deeply");
}

#[test]
fn numbers_and_names_beyond_all_bounds() {
    let declared = "(declare-const x (_ BitVec 8))(declare-const i Int)";
    let refused = |command: &str, message: &str| rejected(format!("{declared}{command}"), message);
    refused(&format!("(assert (= i {}))", "9".repeat(1_000_000)), "too many digits");
    refused(&format!("(assert (= x (_ bv{} 8)))", "9".repeat(1_000_000)), "does not fit");
    refused(&format!("(assert (= x ((_ rotate_left {}) x)))", "9".repeat(1000)), "index too large");
    refused("(assert (= x ((_ extract 0 7) x)))", "bits 0 to 7 of 8");
    refused("(assert (= x ((_ extract 4294967296 0) x)))", "index too large");
    refused("(assert (= x ((_ repeat 0) x)))", "repeated no times");
    refused("(assert ((_ divisible 0) i))", "divisible by 0");
    refused(&format!("(assert (= x {}))", "y".repeat(10_000_000)), "no such symbol");
    refused("(push 1)(pop 2)", "1 are open");
    refused("(push 1)(pop 1)(pop 1)", "0 are open");
    refused(&format!("(get-value ({}", "x ".repeat(2_000_000)), "more terms");
    refused("(assert (= x \0))", "not a token");
}

/// Wide terms made of narrow ones are not as large as the square of their width.
#[test]
fn the_widest_terms_fit() {
    let width = 1 << 20;
    let script = format!(
        "(declare-const x (_ BitVec 1))(assert (= ((_ repeat {width}) x) (bvnot (concat {}))))(check-sat)",
        "x ".repeat(width)
    );
    let run = Folder::with("wide.smt2", script).run(&["solve", "wide.smt2", "--memory", "2000"]);
    assert_eq!((run.exit, &*run.stdout), (Some(0), "unsat\n"), "{}", run.stderr);
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
