//! Properties by name and by file, one and several.

use crate::support::{Folder, Run};
use std::fs;

const COUNTER: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    x = x + 1;
    if (x == 7)
        reach_error();
    return 0;
}
";

fn check(program: &str, options: &[&str]) -> Run {
    let folder = Folder::with("p.c", program);
    for (name, formula) in [
        ("call.prp", "G ! call(reach_error())"),
        ("old-call.prp", "G ! call(__VERIFIER_error())"),
        ("label.prp", "G ! label(ERROR)"),
        ("overflow.prp", "G ! overflow"),
        ("end.prp", "F end"),
    ] {
        let text = format!("CHECK( init(main()), LTL({formula}) )\n");
        fs::write(folder.path.join(name), text).expect("a written file");
    }
    folder.run(&[&["check", "p.c"], options].concat())
}

#[test]
fn by_name() {
    check(COUNTER, &[]).ends_with(1, "false(unreach-call)");
    check(COUNTER, &["--property", "unreach-call"]).ends_with(1, "false(unreach-call)");
    let run = check(COUNTER, &["--property", "no-overflow"]);
    run.ends_with(1, "false(no-overflow)");
    run.says("6 | x = x + 1;");
    run.says("VIOLATION: signed overflow: 2147483647 + 1 in 32 bits");
    let run = check(COUNTER, &["--property", "no-such-thing"]);
    assert_eq!(run.exit, Some(2));
    run.says("no such property; there are unreach-call, no-overflow");
}

#[test]
fn each_kind_of_undefined_behaviour() {
    let with = |body: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void); extern int printf(const char *, ...); int a[4];\n\
             int main(void) {{ int x = __VERIFIER_nondet_int(); if (x < -5 || x > 40) return 0;\n{body}\nreturn 0; }}\n"
        )
    };
    for (property, safe, unsafe_) in [
        ("no-overflow", "printf(\"%d\", x + 1000);", "printf(\"%d\", x + 2147483640);"),
        ("no-overflow", "x = (x & 1) << 30;", "x = (x & 3) << 30;"),
        ("no-division-by-zero", "if (x) x = 100 / x;", "x = 100 % x;"),
        ("no-shift-out-of-range", "if (x >= 0 && x < 32) x = 1u << x;", "x = 1u << x;"),
        ("no-null-dereference", "int *p = a; p[x & 3] = 1;", "int *p = x == 3 ? 0 : a; p[1] = 1;"),
    ] {
        let options = ["--property", property];
        check(&with(safe), &options).ends_with(0, "true");
        check(&with(unsafe_), &options).ends_with(1, &format!("false({property})"));
    }
}

const BLOCK: &str = "#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int *p = malloc(8), i = __VERIFIER_nondet_int();
    if (i < 0 || i > 1)
        return 0;
    p[i] = 1;
    if (!i)
        free(p);
    return 0;
}
";

/// The properties of memory are looked for together or by themselves, and the verdict names the one.
#[test]
fn memory() {
    check(BLOCK, &["--property", "valid-deref"]).ends_with(0, "true");
    check(BLOCK, &["--property", "valid-free"]).ends_with(0, "true");
    check(BLOCK, &["--property", "valid-memtrack"]).ends_with(1, "false(valid-memtrack)");
    check(BLOCK, &["--property", "valid-memcleanup"]).ends_with(1, "false(valid-memcleanup)");
    let run = check(BLOCK, &["--property", "memory-safety"]);
    run.ends_with(1, "false(valid-memtrack)");
    run.says("VIOLATION: loss of allocated memory: nothing points to allocation 1 of 8 bytes");
    let beyond = BLOCK.replace("i > 1", "i > 2");
    check(&beyond, &["--property", "valid-memsafety"]).ends_with(1, "false(valid-memtrack)");
    let run = check(&beyond, &["--property", "valid-deref"]);
    run.ends_with(1, "false(valid-deref)");
    run.says("VIOLATION: access out of bounds: byte 8 of the 8 of allocation 1 is written");
}

/// A proof of something else says that memory was not looked at, where there is something to look at.
#[test]
fn what_was_not_asked_is_said() {
    const NOTE: &str = "accesses to memory were not checked";
    check(BLOCK, &[]).says(NOTE);
    let run = check(COUNTER, &["--property", "no-division-by-zero"]);
    assert!(!run.stderr.contains(NOTE), "{}", run.stderr);
}

#[test]
fn all_of_them() {
    let program = BLOCK.replace("p[i] = 1;", "p[i] = 100 / i;");
    let run = check(&program, &["--property", "all"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(
        lines,
        [
            "property unreach-call: true",
            "property memory-safety: false(valid-memtrack)",
            "property no-overflow: true",
            "property no-division-by-zero: false(no-division-by-zero)",
            "property no-shift-out-of-range: true",
            "VERDICT: false(valid-memtrack)",
        ]
    );
}

#[test]
fn error_functions_mean_nothing_to_other_properties() {
    let program = "extern int __VERIFIER_nondet_int(void); extern void abort(void);
        void reach_error(void) { int x = 2147483647; x++; }
        int main(void) { if (__VERIFIER_nondet_int()) reach_error(); return 0; }";
    check(program, &["--property", "no-overflow"]).ends_with(1, "false(no-overflow)");
    let program = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        int main(void) { if (__VERIFIER_nondet_int()) { reach_error(); int x = 2147483647; x++; } return 0; }";
    check(program, &["--property", "no-overflow"]).ends_with(0, "true");
}

#[test]
fn recursion_that_is_not_unfolded_is_not_taken_for_safe() {
    let program = "extern int __VERIFIER_nondet_int(void);
        int f(int n, int x) { return n > 0 ? f(n - 1, x + 1) : x; }
        int main(void) { return f(__VERIFIER_nondet_int(), 2147483600); }";
    let run = check(program, &["--property", "no-overflow", "--timeout", "10"]);
    assert_ne!(run.exit, Some(0), "{}", run.stdout);
}

#[test]
fn by_file() {
    check(COUNTER, &["--property", "call.prp"]).ends_with(1, "false(unreach-call)");
    check(COUNTER, &["--property", "old-call.prp"]).ends_with(0, "true");
    check(COUNTER, &["--property", "overflow.prp"]).ends_with(1, "false(no-overflow)");
    check(COUNTER, &["--property", "end.prp"]).ends_with(3, "unknown(unsupported property: termination)");
    let labelled = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        int main(void) { if (__VERIFIER_nondet_int()) goto ERROR; return 0; ERROR: return 1; reach_error(); }";
    check(labelled, &["--property", "label.prp"]).ends_with(1, "false(unreach-call)");
    check(labelled, &["--property", "call.prp"]).ends_with(0, "true");
}

/// A property file speaks of one function: a failing assertion is none of its calls.
#[test]
fn a_property_file_is_exact() {
    let program = "extern int __VERIFIER_nondet_int(void); extern void __assert_fail(void);
        int main(void) { if (__VERIFIER_nondet_int()) __assert_fail(); return 0; }";
    check(program, &[]).ends_with(1, "false(unreach-call)");
    check(program, &["--property", "call.prp"]).ends_with(0, "true");
}

#[test]
fn a_file_that_is_no_property_file() {
    let folder = Folder::with("p.c", COUNTER);
    fs::write(folder.path.join("wrong.prp"), "CHECK( init(main()), LTK(F end) )\n").expect("a written file");
    let run = folder.run(&["check", "p.c", "--property", "wrong.prp"]);
    run.ends_with(4, "unknown(input: `LTL` is expected here)");
    run.says("--> wrong.prp:1:22");
    let run = folder.run(&["check", "p.c", "--property", "missing.prp"]);
    assert_eq!(run.exit, Some(4));
    run.says("--> missing.prp");
}

#[test]
fn several() {
    let lines = |run: &Run| run.stdout.lines().map(str::to_owned).collect::<Vec<_>>();
    let run = check(COUNTER, &["--property", "no-division-by-zero", "--property", "overflow.prp"]);
    assert_eq!(
        lines(&run),
        [
            "property no-division-by-zero: true",
            "property no-overflow: false(no-overflow)",
            "VERDICT: false(no-overflow)"
        ]
    );
    assert_eq!(run.exit, Some(1));
    let run = check(COUNTER, &["--property", "no-division-by-zero", "--property", "termination"]);
    assert_eq!(
        lines(&run).last().map(String::as_str),
        Some("VERDICT: unknown(unsupported property: termination)")
    );
    assert_eq!(run.exit, Some(3));
    let run = check(COUNTER, &["--property", "termination", "--property", "no-overflow"]);
    assert_eq!(run.exit, Some(1));
    let both = ["--property", "no-division-by-zero", "--property", "no-shift-out-of-range"];
    let run = check(COUNTER, &both);
    assert_eq!(lines(&run).last().map(String::as_str), Some("VERDICT: true"));
    // One that is given twice is checked once.
    check(COUNTER, &["--property", "no-overflow", "--property", "overflow.prp"])
        .ends_with(1, "false(no-overflow)");
}
