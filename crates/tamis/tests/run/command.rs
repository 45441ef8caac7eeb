//! The command line of `tamis run`.

use crate::support::Folder;

const GUARDED: &str = "extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { }
int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned char c = __VERIFIER_nondet_uchar();
    if (x == -7 && c == 255)
        reach_error();
    return c;
}
";

#[test]
fn inputs() {
    let folder = Folder::with("p.c", GUARDED);
    let run = folder.run(&["run", "p.c", "--input", "-7,0xff"]);
    assert_eq!(run.exit, Some(1), "{}", run.stderr);
    assert!(run.stderr.ends_with("VIOLATION: call of reach_error, p.c:8:9\n"), "{}", run.stderr);
    std::fs::write(folder.path.join("in"), "# inputs\n-7\n__VERIFIER_nondet_uchar 511 # cut off\n").unwrap();
    assert_eq!(folder.run(&["run", "p.c", "--inputs", "in"]).exit, Some(1));
    let run = folder.run(&["run", "p.c", "--input", "3"]);
    assert_eq!(run.exit, Some(3));
    assert!(run.stderr.contains("no input left for __VERIFIER_nondet_uchar"), "{}", run.stderr);
    for seed in ["1", "2"] {
        let run = folder.run(&["run", "p.c", "--seed", seed]);
        assert_eq!(run.stderr, folder.run(&["run", "p.c", "--seed", seed]).stderr);
        assert_eq!(run.exit, Some(0));
    }
    assert_eq!(folder.run(&["run", "p.c", "--input", "x"]).exit, Some(2));
    assert_eq!(folder.run(&["run", "p.c", "--inputs", "nowhere"]).exit, Some(4));
    assert_eq!(folder.run(&["run", "p.c", "--inputs", "in", "--seed", "1"]).exit, Some(2));
}

#[test]
fn an_alias_is_refused_and_a_plain_variable_is_not() {
    let text = |attribute: &str| {
        format!(
            "int a = 1; extern int b{attribute}; void reach_error(void) {{ }}
int main(void) {{ b = 2; if (a != 2) reach_error(); return 0; }}
int b;"
        )
    };
    let alias = text(" __attribute__((alias(\"a\")))").replace("\nint b;", "");
    let run = Folder::with("p.c", &alias).run(&["run", "p.c"]);
    assert_eq!(run.exit, Some(3), "{}", run.stderr);
    assert!(run.stderr.contains("unsupported: variable with an assembler name"), "{}", run.stderr);
    let run = Folder::with("p.c", text("")).run(&["run", "p.c"]);
    assert_eq!(run.exit, Some(1), "{}", run.stderr);
}

#[test]
fn a_trace_shows_values() {
    let folder = Folder::with("p.c", GUARDED);
    let run = folder.run(&["run", "p.c", "--trace", "--input", "-7,255"]);
    for part in ["__VERIFIER_nondet_int gives -7", "x = -7", "c = 255", "// true", "// VIOLATION"] {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
    assert!(run.stderr.contains("   5 | int x = __VERIFIER_nondet_int();"), "{}", run.stderr);
    let nested = "struct S { int a[3]; struct { char b : 3; } s; } g;
int f(struct S *p, int i) {
    p->a[i] = i + 1;
    p->s.b = 2;
    return i;
}
int main(void) {
    return f(&g, 2);
}
";
    let run = Folder::with("p.c", nested).run(&["run", "p.c", "--trace"]);
    for part in ["calls f", "g.a[2] = 3", "g.s.b = 2", "f returns", "exit status: 2"] {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
}

#[test]
fn output_and_arguments() {
    let program = "#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        printf(\"%s.\", argv[i]);
    fprintf(stderr, \"to stderr\\n\");
    if (argv[argc] == NULL)
        exit(300);
}
";
    let run = Folder::with("p.c", program).run(&["run", "p.c", "--", "a", "--b", "c d"]);
    assert_eq!(run.stdout, "a.--b.c d.");
    assert_eq!(run.stderr, "to stderr\nexit status: 44\n");
    assert_eq!(run.exit, Some(0));
}

#[test]
fn several_files() {
    let folder = Folder::with("a.c", "int twice(int); static int k = 3; int main(void) { return twice(k); }");
    std::fs::write(folder.path.join("b.c"), "static int k = 2; int twice(int x) { return k * x; }").unwrap();
    let run = folder.run(&["run", "a.c", "b.c"]);
    assert_eq!(run.stderr, "exit status: 6\n");
    assert_eq!(folder.run(&["run", "b.c"]).exit, Some(4));
}

#[test]
fn endings() {
    let ends = |program: &str, options: &[&str], exit: i32, last: &str| {
        let run = Folder::with("p.c", program).run(&[&["run", "p.c"], options].concat());
        assert_eq!(
            (run.exit, run.stderr.lines().last()),
            (Some(exit), Some(last)),
            "{program}: {}",
            run.stderr
        );
    };
    ends("#include <stdlib.h>\nint main(void) { abort(); }", &[], 0, "aborted, p.c:2:18");
    ends(
        "void __VERIFIER_assume(int); int main(void) { __VERIFIER_assume(0); }",
        &[],
        3,
        "stopped: an assumption does not hold, p.c:1:47",
    );
    ends(
        "#include <assert.h>\nint main(void) { int x = 1; assert(x == 2); }",
        &[],
        1,
        "VIOLATION: assertion `x == 2` fails, p.c:2:37",
    );
    ends("int main(void) { for (;;) ; }", &["--max-steps", "1000"], 3, "stopped: step limit, p.c:1:18");
    ends("int main(void) { for (;;) ; }", &["--timeout", "0.2"], 3, "stopped: timeout, p.c:1:18");
    ends(
        "int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }",
        &[],
        3,
        "stopped: limit of nested calls, p.c:1:23",
    );
    ends(
        "#include <stdlib.h>\nint main(void) { for (;;) *(char *)malloc(1000000) = 1; }",
        &["--memory", "200"],
        3,
        "stopped: memory limit, p.c:2:36",
    );
    ends("int main(void) { int x = ; }", &[], 4, "stopped: expected an expression, found `;`");
    ends("int f(void) { return 1; }", &[], 4, "error: there is no main");
}

#[test]
fn deep_expressions_end_in_a_message() {
    let chain = |n: usize| format!("int main(void) {{ int a = 1; return (a{}) & 255; }}", "+a".repeat(n));
    let run = Folder::with("p.c", chain(20_000)).run(&["run", "p.c"]);
    assert_eq!(run.stderr, format!("exit status: {}\n", 20_001 & 255));
    let run = Folder::with("p.c", chain(1_000_000)).run(&["run", "p.c"]);
    assert_eq!(run.exit, Some(3));
    let last = run.stderr.lines().last().unwrap_or_default();
    assert!(last.contains("nested") && last.ends_with("deep"), "{last}");
}
