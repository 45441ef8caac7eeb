//! Every kind of undefined behaviour is seen where it happens, and nothing else is.

use crate::support::Folder;

/// Runs a program and looks for a text in the last line on stderr.
#[track_caller]
fn ends(program: &str, options: &[&str], exit: i32, last: &str) {
    let folder = Folder::with("p.c", program);
    let run = folder.run(&[&["run", "p.c"], options].concat());
    let line = run.stderr.lines().last().unwrap_or_default();
    assert!(line.contains(last), "{program}\n{}", run.stderr);
    assert_eq!(run.exit, Some(exit), "{program}\n{}", run.stderr);
}

#[track_caller]
fn undefined(program: &str, what: &str) {
    ends(program, &[], 3, &format!("undefined behaviour: {what}"));
}

#[test]
fn accesses() {
    undefined("int main(void) { int *p = 0; return *p; }", "access through a null pointer: NULL is read");
    undefined(
        "struct S { int a, b; }; int main(void) { struct S *p = 0; p->b = 1; }",
        "access through a null pointer",
    );
    undefined(
        "int main(void) { int a[3] = { 1 }; int i = 3; return a[i]; }",
        "access out of bounds: byte 12 of the 12 of `a`",
    );
    undefined("int main(void) { int a[3]; int i = -1; a[i] = 2; }", "access out of bounds");
    undefined(
        "int g[4]; int main(void) { int i = 4; return g[i]; }",
        "access out of bounds: byte 16 of the 16 of `g`",
    );
    undefined(
        "int *f(void) { int x = 1, *p = &x; return p; } int main(void) { return *f(); }",
        "access to an object whose life is over",
    );
    undefined(
        "int main(void) { int *p; { int x = 1; p = &x; } return *p; }",
        "access to an object whose life is over: x",
    );
    undefined(
        "int main(void) { int *p = 0; for (;;) { int x = 1; p = &x; goto out; } out: return *p; }",
        "access to an object whose life is over: x",
    );
    undefined("int main(void) { char *p = \"abc\"; p[0] = 1; }", "write to read-only memory");
    undefined("int main(void) { long x = 1; return *(int *)x; }", "access through a null pointer");
}

#[test]
fn the_heap() {
    let with = |body: &str| {
        format!("#include <stdlib.h>\nint main(void) {{ char *p = malloc(3); {body} return 0; }}")
    };
    undefined(&with("p[3] = 1;"), "access out of bounds: byte 3 of the 3 of allocation 1 is written");
    undefined(&with("free(p); p[0] = 1;"), "use after free: allocation 1");
    undefined(&with("free(p); free(p);"), "double free: allocation 1");
    undefined(&with("free(p + 1);"), "free of what was not allocated");
    undefined(&with("int x; free(&x);"), "free of what was not allocated: x");
    undefined(&with("p = realloc(p, 100); p[99] = 0; p = realloc(p, 5); p[5] = 1;"), "access out of bounds");
    undefined(
        &with("char *q = calloc(2, 2); return q[4];"),
        "access out of bounds: byte 4 of the 4 of allocation 2",
    );
}

#[test]
fn arithmetic() {
    let with = |e: &str| format!("int main(int one, char **argv) {{ return {e}; }}");
    undefined(&with("5 / (one - 1)"), "division by zero");
    undefined(&with("5 % (one - 1)"), "division by zero");
    undefined(&with("(-2147483647 - 1) / -one"), "overflow in a division");
    undefined(&with("1 << (31 + one)"), "shift out of range: by 32 in 32 bits");
    undefined(&with("1 >> -one"), "shift out of range: by -1 in 32 bits");
    undefined(&with("(int)(1e10 * one)"), "conversion of a number that does not fit");
    // gcc defines these.
    ends(&with("(-1 << one) == -2"), &["--trap-ub"], 0, "exit status: 1");
    ends(&with("(unsigned char)(255 + one)"), &["--trap-ub"], 0, "exit status: 0");
    ends(&with("4294967295u + one == 0"), &["--trap-ub"], 0, "exit status: 1");
}

#[test]
fn overflow_is_noted_and_wraps() {
    let program = "int main(int one, char **argv) { int x = 2147483647; x += one; return x < 0; }";
    let folder = Folder::with("p.c", program);
    let run = folder.run(&["run", "p.c"]);
    assert_eq!(
        run.stderr,
        "note: undefined behaviour: signed overflow: 2147483647 + 1 in 32 bits, p.c:1:54\nexit status: 1\n"
    );
    ends(program, &["--trap-ub"], 3, "undefined behaviour: signed overflow");
    for e in ["-x - 1 - one", "x * 2", "- (-x - one)", "x - -one"] {
        let program = format!("int main(int one, char **argv) {{ int x = 2147483647; return ({e}) & 1; }}");
        ends(&program, &["--trap-ub"], 3, "undefined behaviour: signed overflow");
    }
}

#[test]
fn uninitialised_values() {
    let branch = "int main(void) { int x; if (x) return 1; return 1; }";
    ends(branch, &[], 0, "exit status: 1");
    ends(branch, &["--trap-ub"], 3, "use of an uninitialised value: x");
    ends("int f(void) { } int main(void) { return f() * 0; }", &["--trap-ub"], 3, "`f` returns no value");
    ends(
        "#include <stdlib.h>\nint main(void) { int *p = malloc(8); return p[1]; }",
        &["--trap-ub"],
        3,
        "allocation 1 + 4",
    );
    // Each time a declaration is reached, the variable has no value again.
    let again = "int main(void) { for (int i = 0; i < 2; i++) { int x; if (i) return x; x = 1; } }";
    ends(again, &["--trap-ub"], 3, "use of an uninitialised value: x");
    let jump = "int main(int c, char **v) { switch (c) { int x = 1; case 1: return x; } return 0; }";
    ends(jump, &["--trap-ub"], 3, "use of an uninitialised value: x");
    // Copies are no uses.
    let records =
        "struct S { int a; char b; }; int main(void) { struct S s, t; s.a = 1; t = s; return t.a; }";
    ends(records, &["--trap-ub"], 0, "exit status: 1");
    let bytes = "int main(void) { unsigned char s[4], t[4]; s[0] = 3; for (int i = 0; i < 4; i++) t[i] = s[i]; return t[0]; }";
    ends(bytes, &["--trap-ub"], 0, "exit status: 3");
    ends("int main(void) { int x; (void)x; static int y; return y; }", &["--trap-ub"], 0, "exit status: 0");
    // A value that was chosen stays.
    ends("int main(void) { int x; int a = x, b = x; return a == b; }", &[], 0, "exit status: 1");
}

#[test]
fn calls() {
    undefined(
        "int main(void) { int (*f)(int) = (int (*)(int))5; return f(1); }",
        "call of what is not such a function",
    );
    undefined("int main(void) { int (*f)(void) = 0; return f(); }", "access through a null pointer");
    undefined(
        "int g(int a, int b) { return a; } int main(void) { return ((int (*)(int))g)(1); }",
        "call of what is not such a function: `g`",
    );
    undefined(
        "double g(double a) { return a; } int main(void) { return ((int (*)(int))g)(1); }",
        "call of what is not such a function: `g`",
    );
    undefined("_Noreturn void f(void) { } int main(void) { f(); }", "unreachable code is reached");
    undefined("int main(void) { __builtin_unreachable(); }", "unreachable code is reached");
    undefined(
        "#include <stdarg.h>\nint f(int n, ...) { va_list l; va_start(l, n); return va_arg(l, int); } int main(void) { return f(1); }",
        "access out of bounds",
    );
    undefined(
        "#include <string.h>\nint main(void) { char a[9] = \"abc\"; memcpy(a + 1, a, 4); }",
        "copy between overlapping objects",
    );
    undefined(
        "#include <string.h>\nint main(void) { char a[3] = \"abc\"; return strlen(a); }",
        "access out of bounds",
    );
    undefined(
        "int main(int one, char **argv) { int a[-one]; a[0] = 1; }",
        "array length that is not positive",
    );
    ends("int g(int); int main(void) { return g(1); }", &[], 3, "unsupported: no body for `g`");
    ends("int main(void) { asm(\"wbinvd\"); }", &[], 3, "unsupported: inline assembly");
}
