//! What the program does not say itself: functions of other units, names for the linker, addresses.

mod support;

use support::{Outcome, run, translate, try_translate, violations};
use tamis_front_c::DataModel;

const DECLARATIONS: &str = "extern void reach_error(void); extern void exit(int);\n";

fn outcome(program: &str, inputs: &[u64]) -> Outcome {
    run(&translate(&format!("{DECLARATIONS}{program}")), inputs)
}

#[test]
fn a_function_declared_noreturn_ends_the_execution() {
    for declaration in [
        "extern void die(void) __attribute__((noreturn));",
        "extern _Noreturn void die(void);",
        "extern void die(void); extern void die(void) __attribute__((__noreturn__));",
        "_Noreturn void die(void) { exit(1); }",
    ] {
        let t = translate(&format!(
            "{DECLARATIONS}{declaration} int main(void) {{ die(); reach_error(); return 0; }}"
        ));
        assert!(violations(&t).is_empty(), "{declaration}");
    }
}

#[test]
fn a_path_through_an_undefined_function_is_marked() {
    for call in ["extern void f(void); f();", "extern int f(void); f();", "extern int f(void); int x = f();"]
    {
        let program = format!("int main(void) {{ {call} reach_error(); return 0; }}");
        assert_eq!(outcome(&program, &[]), Outcome::Approximated, "{call}");
    }
}

#[test]
fn a_result_of_output_is_marked_where_it_is_used() {
    let program =
        |call: &str| format!("extern int putchar(int); int main(void) {{ {call} reach_error(); return 0; }}");
    assert_eq!(outcome(&program("putchar(65);"), &[]), Outcome::Error(0));
    assert_eq!(outcome(&program("if (putchar(65) == 66)"), &[]), Outcome::Approximated);
}

#[test]
fn a_function_is_the_one_of_its_assembler_name() {
    let failing = [
        "extern void other(void) __asm__(\"reach_error\"); int main(void) { other(); return 0; }",
        "static void other(void) __attribute__((weakref(\"reach_error\"))); int main(void) { other(); return 0; }",
        "static int n; void h(void) __asm__(\"hh\"); void h(void) { n = 1; } extern void k(void) __asm__(\"hh\");
         int main(void) { k(); if (n) reach_error(); return 0; }",
        "extern int abs(int) __asm__(\"third\"); int third(int x) { return x + 1; }
         int main(void) { if (abs(-3) == -2) reach_error(); return 0; }",
    ];
    for program in failing {
        assert_eq!(outcome(program, &[]), Outcome::Error(0), "{program}");
    }
    let redirected = "extern int scan(const char *, ...) __asm__(\"\" \"__isoc99_scan\");
        int main(void) { scan(\"\"); reach_error(); return 0; }";
    assert_eq!(outcome(redirected, &[]), Outcome::Approximated);
}

#[test]
fn arguments_of_the_error_function_are_evaluated() {
    let program = "extern void __VERIFIER_error(int); int main(void) { __VERIFIER_error(({ exit(0); 1; })); return 0; }";
    assert_eq!(outcome(program, &[]), Outcome::Finished(0));
    let program = "extern void __assert_fail(const char *, const char *, unsigned, const char *);
        int main(void) { __assert_fail(\"0\", \"f.c\", 3, __extension__ __PRETTY_FUNCTION__); return 0; }";
    assert_eq!(outcome(program, &[]), Outcome::Error(0));
}

#[test]
fn a_division_is_made_if_anybody_gets_its_value() {
    let bodies = [
        "double d = 7 / z;",
        "volatile int v = 7 / z;",
        "real(7 / z);",
        "many(1, 7 / z);",
        "back(z);",
        "exit(7 / z);",
        "reach_error(7 / z);",
    ];
    for body in bodies {
        let program = format!(
            "extern void reach_error(int); extern void exit(int);
             int real(double d) {{ return 0; }} int many(int n, ...) {{ return n; }} double back(int z) {{ return 7 / z; }}
             int main(void) {{ int z = 0; {body} reach_error(0); return 0; }}"
        );
        assert_eq!(run(&translate(&program), &[]), Outcome::Approximated, "{body}");
    }
}

#[test]
fn literals_have_addresses_of_their_own() {
    let outcome = |condition: &str| {
        let before = "char *s = \"x\"; int main(void) { char *a = \"a\", *b = \"b\";";
        outcome(&format!("{before} if ({condition}) reach_error(); return 0; }}"), &[])
    };
    assert_eq!(outcome("s && a"), Outcome::Error(0));
    assert_eq!(outcome("!s"), Outcome::Finished(0));
    assert_eq!(outcome("a != b && a != s"), Outcome::Error(0));
    assert_eq!(outcome("a == b"), Outcome::Finished(0));
    // The bits of an address are those of a layout, which is an input; the first one has its objects at round numbers.
    assert_eq!(outcome("(char)(long)a == 0"), Outcome::Error(0));
    assert_eq!(outcome("(char)(long)a != 0"), Outcome::Finished(0));
}

#[test]
fn a_pointer_extends_its_sign() {
    let text = format!(
        "{DECLARATIONS}int main(void) {{ char *p = (char *)-1; unsigned long long n = (unsigned long long)p;
         if (n == 0xffffffffffffffffULL && p > (char *)1) reach_error(); return 0; }}"
    );
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let t = try_translate(&text, model).unwrap();
        assert_eq!(run(&t, &[]), Outcome::Error(0));
    }
    let program = "int main(void) { unsigned char c = 255; signed char d = -1;
        if ((unsigned long)(void *)c == 255 && (unsigned long)(void *)d == -1ul) reach_error(); return 0; }";
    assert_eq!(outcome(program, &[]), Outcome::Error(0));
}

#[test]
fn a_tested_pointer_is_evaluated_once() {
    let program = "int n; char *f(void) { n++; return (char *)8; }
        int main(void) { void *q = 0; void *r = f() ?: q; if (r && n == 1) reach_error(); return 0; }";
    assert_eq!(outcome(program, &[]), Outcome::Error(0));
}

#[test]
fn constants_are_initialised_before_what_uses_them() {
    let program = "static const int a = 3; int b = a; int f(void) { static int c = a + 1; return c; }
        int main(void) { if (b == 3 && f() == 4) reach_error(); return 0; }";
    assert_eq!(outcome(program, &[]), Outcome::Error(0));
}

#[test]
fn functions_that_are_handed_over_may_be_called() {
    let violations = |body: &str| {
        let program = format!(
            "{DECLARATIONS}static void cb(void) {{ reach_error(); }} typedef void (*fn)(void); struct s {{ int i; fn f; }};
             static fn give(void) {{ return cb; }} extern void e(); extern void many(int, ...);
             extern void typed(fn); extern void by_value(struct s); extern fn hook;
             extern void by_pointer(struct s *); int main(void) {{ {body} return 0; }}"
        );
        violations(&translate(&program))
    };
    let handed = [
        "typed(cb);",
        "e(cb);",
        "e((void *)cb);",
        "e((long)cb);",
        "many(1, cb);",
        "e(1 ? cb : 0);",
        "struct s s = {1, cb}; by_value(s);",
        "struct s s = {1, cb}; typed(s.f);",
        "e(give);",
        "((void (*)(fn))hook)(cb);",
        "void (*p)(fn, int) = (void (*)(fn, int))typed; p(cb, 1);",
    ];
    for body in handed {
        assert_eq!(violations(body), ["in cb"], "{body}");
    }
    // Who looks for handlers in memory is taken not to call them.
    for body in ["e(cb == 0);", "struct s s = {1, cb}; by_pointer(&s);", "fn f = cb; e(&f);", "e(1);"] {
        assert!(violations(body).is_empty(), "{body}");
    }
}
