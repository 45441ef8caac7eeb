//! What C programs mean, one rule a test: each program violates its property exactly where the rule says so.

mod support;

use support::{Outcome, run, translate, try_translate, violations};
use tamis_front_c::DataModel;
use tamis_program::{Command, Event, Havoc};

const DECLARATIONS: &str = "
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
";

/// Whether a program whose `main` has this body violates its property.
fn fails(body: &str, inputs: &[u64]) -> bool {
    program_fails(&format!("int main(void) {{ {body} return 0; }}"), inputs)
}

fn program_fails(program: &str, inputs: &[u64]) -> bool {
    let t = translate(&format!("{DECLARATIONS}{program}"));
    match run(&t, inputs) {
        Outcome::Error(_) => true,
        Outcome::Finished(_) | Outcome::Stopped => false,
        other => panic!("{other:?}\n{program}"),
    }
}

/// Whether a condition holds after some statements.
fn holds(before: &str, condition: &str) -> bool {
    fails(&format!("{before} if ({condition}) reach_error();"), &[0])
}

const ALL_ONES: u64 = u64::MAX;

#[test]
fn signed_arithmetic_wraps() {
    assert!(holds("int x = 2147483647; x = x + 1;", "x == -2147483647 - 1"));
    assert!(holds("int x = -2147483647 - 1; x = -x;", "x == -2147483647 - 1"));
    assert!(holds("int x = 65536;", "x * x == 0"));
}

#[test]
fn a_division_without_a_value_is_approximated() {
    for op in ["/", "%"] {
        let t = translate(&format!(
            "{DECLARATIONS}int main(void) {{ int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
             int q = x {op} y; reach_error(); return 0; }}"
        ));
        assert_eq!(run(&t, &[7, 2]), Outcome::Error(0));
        assert_eq!(run(&t, &[7, 0]), Outcome::Approximated);
        assert_eq!(run(&t, &[0x8000_0000, ALL_ONES]), Outcome::Approximated);
        assert_eq!(run(&t, &[0x8000_0001, ALL_ONES]), Outcome::Error(0));
    }
}

#[test]
fn division_truncates_and_the_remainder_follows_the_dividend() {
    assert!(holds("int a = -7, b = 2;", "a / b == -3 && a % b == -1"));
    assert!(holds("unsigned a = -7, b = 2;", "a / b == 2147483644u && a % b == 1"));
}

#[test]
fn a_division_behind_a_short_circuit_is_guarded() {
    let body = "int x = __VERIFIER_nondet_int(); if (x != 0 && 10 / x >= 0) abort(); reach_error();";
    assert!(fails(body, &[0]));
    assert!(!fails(body, &[3]));
}

#[test]
fn shifts_out_of_range_are_approximated() {
    let text = format!(
        "{DECLARATIONS}int main(void) {{ int n = __VERIFIER_nondet_int(); int x = 1 << n; if (x == 8) reach_error(); return 0; }}"
    );
    let t = translate(&text);
    assert_eq!(run(&t, &[3]), Outcome::Error(0));
    assert_eq!(run(&t, &[2]), Outcome::Finished(0));
    assert_eq!(run(&t, &[32]), Outcome::Approximated);
    assert_eq!(run(&t, &[ALL_ONES]), Outcome::Approximated);
}

#[test]
fn a_right_shift_keeps_the_sign() {
    assert!(holds("int x = -8;", "x >> 1 == -4"));
    assert!(holds("unsigned x = -8;", "x >> 1 == 2147483644"));
}

#[test]
fn integer_promotions_come_before_arithmetic() {
    assert!(holds("unsigned char c = 255;", "c + 1 == 256"));
    assert!(holds("unsigned char c = 255; c++;", "c == 0"));
    assert!(holds("unsigned char c = 1;", "~c == -2"));
    assert!(holds("signed char c = 200;", "c == -56"));
    assert!(holds("int x = -1; unsigned y = 1;", "x > y"));
    assert!(holds("int x = -1; long y = 1;", "x < y"));
}

#[test]
fn a_boolean_is_zero_or_one() {
    assert!(holds("_Bool b = 256;", "b == 1"));
    assert!(holds("_Bool b = 0; b += 2;", "b == 1"));
    assert!(holds("_Bool b = 1; b--; b--;", "b == 1"));
    assert!(holds("_Bool b = 1; b++;", "b == 1"));
    assert!(holds("_Bool b = 1; int old = b--;", "old == 1 && b == 0"));
    assert!(!fails("_Bool b = __VERIFIER_nondet_bool(); if (b > 1) reach_error();", &[255]));
}

#[test]
fn the_data_model_decides_the_width_of_long() {
    let text = format!(
        "{DECLARATIONS}int main(void) {{ if (sizeof(long) + sizeof(void *) == 8) reach_error(); return 0; }}"
    );
    for (model, expected) in [(DataModel::Ilp32, Outcome::Error(0)), (DataModel::Lp64, Outcome::Finished(0))]
    {
        let t = try_translate(&text, model).unwrap();
        assert_eq!(run(&t, &[]), expected);
    }
}

#[test]
fn increments_give_the_value_before_or_after() {
    assert!(holds("int x = 5, y = x++;", "x == 6 && y == 5"));
    assert!(holds("int x = 5, y = --x;", "x == 4 && y == 4"));
    assert!(holds("short x = 32767, y = x++;", "x == -32768 && y == 32767"));
}

#[test]
fn compound_assignments_compute_in_the_common_type() {
    assert!(holds("unsigned char c = 200; c += 100;", "c == 44"));
    assert!(holds("unsigned char c = 200; c /= 3;", "c == 66"));
    assert!(holds("int x = -1; x >>= 1u;", "x == -1"));
    assert!(holds("char c = 1; c <<= 7;", "c == -128"));
}

#[test]
fn a_missing_middle_operand_is_evaluated_once() {
    assert!(holds("int x = 4, y = (x++) ?: 9;", "x == 5 && y == 4"));
    assert!(holds("int x = 0, y = (x++) ?: 9;", "x == 1 && y == 9"));
}

#[test]
fn a_statement_expression_has_the_value_of_its_last_statement() {
    assert!(holds("int x = ({ int y = 3; y *= 2; y + 1; });", "x == 7"));
}

#[test]
fn switches_fall_through_and_default_may_stand_anywhere() {
    let body = |x: i32| {
        format!(
            "int n = 0; switch ({x}) {{ default: n += 1; case 1: n += 10; break; case 2 ... 4: n += 100; }}
            if (n == __VERIFIER_nondet_int()) reach_error();"
        )
    };
    assert!(fails(&body(9), &[11]));
    assert!(fails(&body(1), &[10]));
    assert!(fails(&body(2), &[100]));
    assert!(fails(&body(4), &[100]));
    assert!(fails(&body(5), &[11]));
}

#[test]
fn a_switch_may_jump_into_a_loop() {
    // Duff's device.
    let body = "int n = 0, count = __VERIFIER_nondet_int(), turns = (count + 3) / 4;
        switch (count % 4) {
        case 0: do { n++;
        case 3: n++;
        case 2: n++;
        case 1: n++;
            } while (--turns > 0);
        }
        if (n == count) reach_error();";
    for count in 1..10 {
        assert!(fails(body, &[count]));
    }
}

#[test]
fn goto_goes_forwards_backwards_and_into_blocks() {
    assert!(holds("int n = 0; again: n++; if (n < 5) goto again;", "n == 5"));
    assert!(holds("int n = 0; goto in; while (n < 10) { n += 100; in: n++; }", "n == 102"));
    assert!(holds("int n = 1; goto end; n = 2; end:;", "n == 1"));
}

#[test]
fn break_and_continue_belong_to_the_innermost_statement() {
    let body = "int n = 0;
        for (int i = 0; i < 10; i++) { switch (i) { case 3: continue; case 5: break; default: n++; } if (i == 7) break; }";
    assert!(holds(body, "n == 6"));
}

#[test]
fn a_declaration_without_a_value_is_arbitrary_each_time() {
    let t = translate("int main(void) { for (int i = 0; i < 2; i++) { int x; x = x + 1; } return 0; }");
    let havocs =
        t.program.edges().iter().filter(|e| matches!(e.command, Command::Havoc(_, Havoc::Uninitialised)));
    assert_eq!(havocs.count(), 1);
}

#[test]
fn a_jump_past_a_declaration_leaves_the_variable_arbitrary() {
    for body in
        ["goto in; { int x = 1; in: if (x) return 1; }", "switch (2) { int x; case 2: if (x) return 1; }"]
    {
        let t = translate(&format!("int main(void) {{ {body} return 0; }}"));
        let x = t.program.variables().iter().position(|v| v.name == "x").unwrap();
        let arbitrary = t
            .program
            .edges()
            .iter()
            .any(|e| matches!(&e.command, Command::Havoc(v, Havoc::Uninitialised) if v.index() == x));
        assert!(arbitrary, "{body}");
    }
}

#[test]
fn each_call_has_variables_of_its_own() {
    let program = "int twice(int x) { x = x * 2; return x; }
        int main(void) { int x = 3; if (twice(x) + twice(twice(x)) == 18) if (x == 3) reach_error(); return 0; }";
    assert!(program_fails(program, &[]));
}

#[test]
fn a_static_local_lives_on() {
    let program = "int count(void) { static int n = 40; return ++n; }
        int main(void) { count(); if (count() == 42) reach_error(); return 0; }";
    assert!(program_fails(program, &[]));
}

#[test]
fn globals_are_initialised_before_main() {
    assert!(program_fails(
        "enum { A = 3, B }; int zero; int b = B * 2; static unsigned char c = 300;
         int main(void) { if (zero == 0 && b == 8 && c == 44) reach_error(); return 0; }",
        &[]
    ));
}

#[test]
fn a_variable_of_another_unit_is_arbitrary() {
    let program = "extern int elsewhere; int main(void) { if (elsewhere == 7) reach_error(); return 0; }";
    assert!(program_fails(program, &[7]));
    assert!(!program_fails(program, &[8]));
}

#[test]
fn old_definitions_and_empty_prototypes_work() {
    let program = "int add(); int add(a, b) char a; int b; { return a + b; }
        int main() { if (add(300, 1) == 45) reach_error(); return 0; }";
    assert!(program_fails(program, &[]));
    let program =
        "int f(); int main() { if (f(2) == 4) reach_error(); return 0; } int f(int x) { return x * 2; }";
    assert!(program_fails(program, &[]));
}

#[test]
fn the_number_of_arguments_is_not_negative() {
    let program = "int main(int argc, char **argv) { (void)argv; if (argc < 0) reach_error(); return 0; }";
    assert!(!program_fails(program, &[ALL_ONES]));
    let program = program.replace("argc < 0", "argc == 0");
    assert!(program_fails(&program, &[0]));
}

#[test]
fn pointers_are_compared_but_not_followed() {
    assert!(holds("void *p = 0; char *q = (char *)p;", "p == q && !p"));
    assert!(holds("void *p = (void *)8;", "(unsigned long)p == 8"));
    assert!(holds("char *s = 0;", "s < (char *)1"));
}

#[test]
fn a_string_literal_has_one_address() {
    assert!(fails("const char *s = \"text\"; if (s) reach_error();", &[16]));
    assert!(!fails(
        "const char *s, *t; int i = 0; again: s = \"text\"; if (i && s != t) reach_error();
        t = s; if (!i++) goto again;",
        &[16, 32]
    ));
}

#[test]
fn end_of_execution() {
    for end in ["abort();", "__builtin_trap();", "exit(0);", "__VERIFIER_assume(0);", "while (1);"] {
        let text = format!(
            "{DECLARATIONS}extern void exit(int); int main(void) {{ {end} reach_error(); return 0; }}"
        );
        let t = translate(&text);
        assert!(violations(&t).is_empty(), "{end}");
    }
}

#[test]
fn a_definition_of_the_program_comes_first() {
    let program = "void exit(int code) { if (code) reach_error(); }
        int abs(int x) { return x - 1; }
        void __VERIFIER_assert(int c) { if (!c) { ERROR: reach_error(); } }
        int main(void) { exit(0); __VERIFIER_assert(abs(-3) == 3); return 0; }";
    assert!(program_fails(program, &[]));
}

#[test]
fn absolute_values() {
    let program =
        "extern int abs(int); int main(void) { if (abs(-3) == 3 && abs(4) == 4) reach_error(); return 0; }";
    assert!(program_fails(program, &[]));
}

#[test]
fn the_property() {
    let texts = |body: &str| {
        let program = format!(
            "{DECLARATIONS}extern void __assert_fail(const char *, const char *, unsigned, const char *);
             extern void assert(int); extern void __VERIFIER_assert(int); extern void __VERIFIER_error(void);
             int main(void) {{ int x = __VERIFIER_nondet_int(); {body} return 0; }}"
        );
        violations(&translate(&program))
    };
    assert_eq!(texts("reach_error();"), ["call of reach_error"]);
    assert_eq!(texts("__VERIFIER_error();"), ["call of __VERIFIER_error"]);
    assert_eq!(
        texts("(x > 0) ? (void)0 : __assert_fail(\"x > 0\", \"f.c\", 3, \"main\");"),
        ["assertion `x > 0` fails"]
    );
    assert_eq!(texts("assert(x > 0);"), ["an assertion fails"]);
    assert_eq!(texts("__VERIFIER_assert(x);"), ["an assertion fails"]);
    assert_eq!(texts("assert(1);"), [""; 0]);
    // A label counts where nothing else does.
    assert_eq!(texts("ERROR: x = 1;"), ["label ERROR is reached"]);
    assert_eq!(texts("if (x) goto ERROR; return 0; ERROR: return 1;"), ["label ERROR is reached"]);
    assert_eq!(texts("assert(1); if (x) goto ERROR; return 0; ERROR: return 1;"), [""; 0]);
}

#[test]
fn reach_error_is_the_violation_even_with_a_body() {
    let program =
        "void abort(void); void reach_error(void) { abort(); } int main(void) { reach_error(); return 0; }";
    assert_eq!(violations(&translate(program)), ["call of reach_error"]);
}

#[test]
fn an_undefined_function_may_change_what_it_can_name() {
    let program = "extern int mystery(int); extern void reach_error(void);
        int shared = 1; static int own = 1; int unread;
        int main(void) { unread = 2; int x = mystery(3); if (x == shared + own) reach_error(); return 0; }";
    let t = translate(program);
    let mut approximated: Vec<&str> = Vec::new();
    for edge in t.program.edges() {
        if let Command::Havoc(var, Havoc::Approximated(why)) = &edge.command {
            assert_eq!(why, "call of undefined function mystery");
            approximated.push(&t.program.variable(*var).name);
        }
    }
    approximated.sort_unstable();
    assert_eq!(approximated, ["shared", "x"]);
}

#[test]
fn output_changes_nothing() {
    let program = "extern int printf(const char *, ...); extern int puts(const char *); extern int mystery;
        int main(void) { int x = 3; printf(\"%d\\n\", x++); puts(\"done\"); if (x == 4) reach_error(); return 0; }";
    assert!(program_fails(program, &[]));
}

#[test]
fn every_input_function_gives_its_declared_type() {
    let inputs = [
        ("char", "char"),
        ("unsigned char", "uchar"),
        ("short", "short"),
        ("unsigned short", "ushort"),
        ("int", "int"),
        ("unsigned", "uint"),
        ("unsigned", "unsigned"),
        ("long", "long"),
        ("unsigned long", "ulong"),
        ("long long", "longlong"),
        ("unsigned long long", "ulonglong"),
        ("unsigned char", "u8"),
        ("unsigned short", "u16"),
        ("unsigned int", "u32"),
        ("unsigned long long", "u64"),
        ("__int128", "int128"),
        ("unsigned __int128", "uint128"),
        ("unsigned long", "size_t"),
    ];
    for (ty, name) in inputs {
        let program = format!(
            "extern {ty} __VERIFIER_nondet_{name}(void);
             int main(void) {{ {ty} x = __VERIFIER_nondet_{name}(); if (x == ({ty})-2) reach_error(); return 0; }}"
        );
        assert!(program_fails(&program, &[ALL_ONES - 1]), "{ty} {name}");
        assert!(!program_fails(&program, &[1]), "{ty} {name}");
    }
}

#[test]
fn an_input_nobody_looks_at_is_still_consumed() {
    let body = "__VERIFIER_nondet_int(); (void)__VERIFIER_nondet_int(); int x = __VERIFIER_nondet_int(); if (x == 3) reach_error();";
    assert!(fails(body, &[1, 2, 3]));
}

#[test]
fn pure_conditions_are_one_pair_of_edges() {
    let t = translate(
        "int f(void); int main(void) { int a = f(), b = f(), c = f(); if (a < b && (b < c || !c)) return 1; return 0; }",
    );
    let branches = t.program.edges().iter().filter(|e| matches!(e.event, Event::Branch(_)));
    assert_eq!(branches.count(), 2);
    assert_eq!(t.program.edges().len(), 5);
}

#[test]
fn calls_and_returns_are_seen_in_the_frames() {
    let t = translate("int id(int x) { return x; } int main(void) { int y = id(4); return y; }");
    let events: Vec<&Event> = t.program.edges().iter().map(|e| &e.event).collect();
    assert_eq!(events, [&Event::Call("id".into()), &Event::Return("id".into())]);
    let [call, back] = t.program.edges() else { panic!("two edges") };
    let inside = t.program.frame_of(call.to);
    assert_eq!(t.program.frame(inside).function, "id");
    assert_eq!(t.program.frame(inside).caller.map(|(_, at)| at.line), Some(1));
    assert_eq!(t.program.frame_of(back.from), inside);
    assert_eq!(t.program.frame(t.program.frame_of(back.to)).function, "main");
}

#[test]
fn places_follow_line_markers() {
    let text = "# 1 \"head.h\" 1\nextern void reach_error(void);\n# 10 \"user.c\" 2\nint main(void) {\n  int x;\n  if (x)\n    reach_error();\n  return 0;\n}\n";
    let t = translate(text);
    let edge = t.program.incoming(t.program.error()).first().map(|&e| t.program.edge(e)).unwrap();
    assert_eq!(t.program.file(edge.source.file), "user.c");
    assert_eq!((edge.source.line, edge.source.column), (13, 5));
}
