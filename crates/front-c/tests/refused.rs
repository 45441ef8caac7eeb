//! Constructs that are not taken yet: each is refused where it stands, and only if `main` can reach it.

mod support;

use support::{translate, try_translate};
use tamis_front_c::{DataModel, Error};
use tamis_program::{Command, Havoc};

/// The message and the line that a program is refused with.
fn refusal(text: &str) -> (String, u32) {
    match try_translate(text, DataModel::Lp64) {
        Err(Error::Unsupported(d)) => {
            assert_eq!(d.file, "test.c");
            assert!(d.column > 0, "{d}");
            let line = d.source_line.expect("the text of the line");
            assert_eq!(Some(line.as_str()), text.lines().nth(d.line as usize - 1));
            (d.message, d.line)
        }
        Err(e) => panic!("not an unsupported construct: {e}\n{text}"),
        Ok(_) => panic!("taken:\n{text}"),
    }
}

#[test]
fn constructs_in_main() {
    // The construct is on the third line.
    let cases = [
        ("_Complex double z;", "_Bool b = z;", "complex number"),
        ("_Complex double z;", "z = z + z;", "complex number"),
        ("", "__builtin_frame_address(0);", "__builtin_frame_address"),
    ];
    for (declarations, construct, what) in cases {
        let text = format!("int main(void) {{\n{declarations}\n{construct}\nreturn 0; }}\n");
        let (message, line) = refusal(&text);
        assert_eq!(message, format!("{what} is not supported yet"), "{construct}");
        assert_eq!(line, 3, "{construct}");
    }
}

#[test]
fn the_same_constructs_are_taken_where_nothing_reaches_them() {
    translate(
        "struct s { int f : 3; double d; }; volatile int v; static __thread int t; _Atomic int a; struct s array[3];
         int *global = &array[1].f2; int main(void) { return 0; }"
            .replace("int *global = &array[1].f2;", "struct s *global = &array[1];")
            .as_str(),
    );
    translate(
        "double half(double x) { return x / 2; }
         int follow(int *p) { __asm__(\"nop\"); return *p + p[1]; }
         int many(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); return 0; }
         int forever(int n) { return forever(n - 1); }
         int main(void) { return 0; half(1.5); }",
    );
}

#[test]
fn a_name_that_an_expression_declares() {
    let expressions = [
        "sizeof(enum { A = 5 })",
        "(enum { A = 5 })1",
        "sizeof(struct s { int a; })",
        "sizeof(struct { enum { A } e; })",
    ];
    for expression in expressions {
        let text = format!("enum {{ A = 1 }};\nint main(void) {{\nif ({expression}) ;\nreturn A; }}\n");
        let (message, line) = refusal(&text);
        assert_eq!(message, "a type that is declared in an expression is not supported yet");
        assert_eq!(line, 3);
    }
    translate("int main(void) { return sizeof(struct { int a; }); }");
}

#[test]
fn functions_that_are_not_what_they_seem() {
    let cases = [
        (
            "__attribute__((noreturn)) void f(void) {}",
            "return from a function that is declared not to return",
        ),
        (
            "int _setjmp(int *); int *p; void f(void) { _setjmp(p) + 1; }",
            "call of function that returns twice",
        ),
        (
            "__attribute__((weak)) void g(void); void f(void) { if (g) g(); }",
            "address of a weak function without a definition",
        ),
        ("void g(void) {} extern int f(void) __asm__(\"g\");", "call of function declared with two types"),
    ];
    for (declarations, what) in cases {
        let (message, _) = refusal(&format!("{declarations}\nint main(void) {{\nf();\nreturn 0; }}\n"));
        assert_eq!(message, format!("{what} is not supported yet"), "{declarations}");
    }
}

#[test]
fn expansion_is_bounded() {
    let mut text = "int g;\nvoid f0(void) { g++; }\n".to_owned();
    for i in 1..30 {
        text += &format!("void f{i}(void) {{ f{p}(); f{p}(); }}\n", p = i - 1);
    }
    text += "int main(void) { f29(); return 0; }\n";
    // What does not fit is approximated.
    let translated = translate(&text);
    let approximates =
        |e: &tamis_program::Edge| matches!(&e.command, Command::Havoc(_, Havoc::Approximated(_)));
    assert!(translated.program.edges().iter().any(approximates));
    assert!(translated.program.edges().len() < 1_000_000);
    // A function that is too large by itself is refused.
    let long = format!("int g;\nint main(void) {{\n{} return 0; }}\n", "g++;".repeat(2_000_001));
    let (message, line) = refusal(&long);
    assert_eq!(message, "expanding the calls gives more than 2000000 steps");
    assert_eq!(line, 3);
}

#[test]
fn arguments_that_do_not_fit_the_definition() {
    let text = "int f();\nint main(void) {\n return f(1, 2); }\nint f(int a) { return a; }\n";
    assert_eq!(
        refusal(text),
        ("call with other arguments than the function takes is not supported yet".into(), 3)
    );
    let text = "int f();\nint main(void) {\n return f(1L); }\nint f(int a) { return a; }\n";
    assert_eq!(
        refusal(text),
        ("call with other arguments than the function takes is not supported yet".into(), 3)
    );
}

#[test]
fn code_that_runs_outside_of_main() {
    let text =
        "int x;\n__attribute__((constructor)) void start(int n) { x = n; }\nint main(void) { return x; }\n";
    let what = "constructor or destructor function with parameters is not supported yet";
    assert_eq!(refusal(text).0, what);
    let text = "\n__asm__(\"nop\");\nint main(void) { return 0; }\n";
    assert_eq!(refusal(text).0, "assembly at file scope is not supported yet");
}
