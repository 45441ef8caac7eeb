//! Violations that the machine is to come to, in the sandbox.

use std::time::Duration;
use tamis_front_c::{Options, Preprocessed, Target, parse};
use tamis_interpreter_c::account::Account;
use tamis_interpreter_c::interpreter::{Inputs, Interpreter, Limits, Outcome, Undefined};
use tamis_interpreter_c::{Harness, Native, NativeLimits, NoHarness, harness, replay_natively};

/// Runs a program that ends with status 101 if it is content.
fn run(text: &str, limits: NativeLimits) -> Native {
    let program = [Preprocessed { name: "p.i".to_owned(), text: text.to_owned() }];
    replay_natively(
        &program,
        &Harness { text: "int harness;".to_owned(), options: Vec::new() },
        &[],
        0,
        limits,
    )
}

fn is_possible(native: &Native) -> bool {
    if let Native::Impossible(why) = native {
        let known = ["cannot be run", "no sandbox"];
        assert!(known.iter().any(|w| why.contains(w)), "{why}");
        tamis_testing::missing("sandbox", why);
        return false;
    }
    true
}

#[test]
fn the_sandbox_has_no_way_out() {
    let file = std::env::temp_dir().join(format!("tamis-sandbox-{}", std::process::id()));
    std::fs::write(&file, "precious").expect("a file");
    let text = r#"
        int open(const char *, int, ...); int socket(int, int, int); int fork(void); int unlink(const char *);
        int kill(int, int); int mkdir(const char *, int); int chmod(const char *, int); long write(int, const void *, long);
        int main(void) {
            if (open("NAME", 1) >= 0 || open("NAME", 2) >= 0 || open("NAME-new", 0101, 0600) >= 0) return 1;
            if (socket(2, 1, 0) >= 0 || socket(1, 1, 0) >= 0) return 2;
            if (fork() >= 0) return 3;
            if (unlink("NAME") == 0 || mkdir("NAME-dir", 0700) == 0 || chmod("NAME", 0) == 0) return 4;
            if (kill(1, 0) == 0) return 5;
            if (open("NAME", 0) < 0) return 6;
            return 101;
        }"#;
    let native = run(&text.replace("NAME", &file.display().to_string()), NativeLimits::default());
    let kept = std::fs::read_to_string(&file).expect("it is still there");
    std::fs::remove_file(&file).expect("its end");
    if is_possible(&native) {
        assert_eq!(native, Native::Confirmed);
    }
    assert_eq!(kept, "precious");
}

#[test]
fn time_and_memory_are_bounded() {
    let limits = NativeLimits { time: Duration::from_secs(5), memory: 256 << 20 };
    let native = run("int main(void) { for (;;) ; }", limits);
    if is_possible(&native) {
        assert_eq!(native, Native::Differs("does not end in time".to_owned()));
    }
    let greedy = "void *malloc(unsigned long); int main(void) { return malloc(1ul << 30) ? 1 : 101; }";
    let native = run(greedy, limits);
    if is_possible(&native) {
        assert_eq!(native, Native::Confirmed);
    }
}

/// The account of a run of the interpreter that ends in a violation.
struct Case {
    text: &'static str,
    inputs: &'static [(&'static str, i128)],
    wanted: &'static [Undefined],
}

/// Executes the program by the interpreter, writes the harness of what it did, and has the machine do the same.
fn replayed(case: &Case, others: &[(&str, i128)]) -> Native {
    let target = if case.wanted.is_empty() { Target::Errors } else { Target::Nothing };
    let unit = parse("p.i", case.text, &Options { target, ..Options::default() }).expect("C");
    let account = |given: &[(&str, i128)]| {
        let mut inputs = Inputs::list([]);
        given.iter().for_each(|(function, value)| inputs.give(function, *value));
        let mut account = Account::default();
        let trap = !case.wanted.is_empty();
        let limits = Limits { trap, ..Limits::default() };
        let outcome = Interpreter::new(&unit, inputs, limits).run(&mut account, &mut Vec::new());
        (account, outcome)
    };
    let (told, outcome) = account(case.inputs);
    assert!(matches!(outcome, Outcome::Violation { .. } | Outcome::Undefined { .. }), "{outcome:?}");
    let told = if others.is_empty() { told } else { account(others).0 };
    let harness = harness(&unit, &told, case.wanted).expect("a harness");
    let program = [Preprocessed { name: "p.i".to_owned(), text: case.text.to_owned() }];
    let limits = NativeLimits { time: Duration::from_secs(20), ..NativeLimits::default() };
    replay_natively(&program, &harness, case.wanted, 0, limits)
}

/// Programs with inputs that lead to a violation, and inputs that do not.
const CASES: [(Case, &[(&str, i128)]); 8] = [
    (
        Case {
            text: "void reach_error(void) { } long __VERIFIER_nondet_long(void); unsigned char __VERIFIER_nondet_uchar(void);
                int main(void) { long a = __VERIFIER_nondet_long(); if (a < -5000000000 && __VERIFIER_nondet_uchar() == 200
                && __VERIFIER_nondet_long() == a - a / 2 - a / 2 - 9223372036854775807 - 1) reach_error(); return 0; }",
            inputs: &[
                ("__VERIFIER_nondet_long", -6_000_000_000),
                ("__VERIFIER_nondet_uchar", 200),
                ("__VERIFIER_nondet_long", i64::MIN as i128),
            ],
            wanted: &[],
        },
        &[("__VERIFIER_nondet_long", -4_000_000_000)],
    ),
    (
        Case {
            text: "extern void __assert_fail(const char *, const char *, unsigned, const char *); _Bool __VERIFIER_nondet_bool(void);
                extern void __VERIFIER_assume(int); extern void unknown(int); extern int elsewhere;
                int main(void) { _Bool b = __VERIFIER_nondet_bool(), c = __VERIFIER_nondet_bool(); __VERIFIER_assume(b != c);
                if (b) __assert_fail(\"no\", \"p.c\", 1, \"main\"); if (!c) unknown(elsewhere); return 0; }",
            inputs: &[("__VERIFIER_nondet_bool", 1), ("__VERIFIER_nondet_bool", 0)],
            wanted: &[],
        },
        &[("__VERIFIER_nondet_bool", 1), ("__VERIFIER_nondet_bool", 1)],
    ),
    (
        Case {
            text: "void __VERIFIER_error(void); float __VERIFIER_nondet_float(void); void *__VERIFIER_nondet_pointer(void);
                int main(void) { if (__VERIFIER_nondet_float() == 1.5f && !__VERIFIER_nondet_pointer()) __VERIFIER_error(); return 0; }",
            inputs: &[("__VERIFIER_nondet_float", 0x3fc0_0000), ("__VERIFIER_nondet_pointer", 0)],
            wanted: &[],
        },
        &[("__VERIFIER_nondet_float", 0x3fc0_0001), ("__VERIFIER_nondet_pointer", 0)],
    ),
    // What memory holds that was never set is forced: the interpreter takes such a byte for 0, unless it is told otherwise.
    (
        Case {
            text: "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
                void reach_error(void); int __VERIFIER_nondet_int(void); struct s { long a; int *p; };
                int main(void) { struct s *s = malloc(sizeof *s), *t = calloc(1, sizeof *t);
                if (__VERIFIER_nondet_int() == 5 && s->a == 77 && !t->a) reach_error(); free(s); return 0; }",
            inputs: &[("__VERIFIER_nondet_int", 5), ("allocation 1.a", 77)],
            wanted: &[],
        },
        &[("__VERIFIER_nondet_int", 5), ("allocation 1.a", 78)],
    ),
    (
        Case {
            text: "int __VERIFIER_nondet_int(void); int main(void) { int x = __VERIFIER_nondet_int(); int y = x + 1; return y == 3; }",
            inputs: &[("__VERIFIER_nondet_int", 2_147_483_647)],
            wanted: &[Undefined::SignedOverflow, Undefined::DivisionOverflow],
        },
        &[("__VERIFIER_nondet_int", 2_147_483_646)],
    ),
    (
        Case {
            text: "int __VERIFIER_nondet_int(void); int main(void) { return 7 / __VERIFIER_nondet_int(); }",
            inputs: &[("__VERIFIER_nondet_int", 0)],
            wanted: &[Undefined::DivisionByZero],
        },
        &[("__VERIFIER_nondet_int", 1)],
    ),
    (
        Case {
            text: "int __VERIFIER_nondet_int(void); int main(void) { return 7 << __VERIFIER_nondet_int(); }",
            inputs: &[("__VERIFIER_nondet_int", 32)],
            wanted: &[Undefined::ShiftOutOfRange],
        },
        &[("__VERIFIER_nondet_int", 2)],
    ),
    (
        Case {
            text: "int __VERIFIER_nondet_int(void); int x; int main(void) { int *p = __VERIFIER_nondet_int() ? &x : 0; return *p; }",
            inputs: &[("__VERIFIER_nondet_int", 0)],
            wanted: &[Undefined::NullAccess],
        },
        &[("__VERIFIER_nondet_int", 1)],
    ),
];

#[test]
fn the_machine_comes_to_the_violation_on_its_inputs_only() {
    for (case, others) in CASES {
        let native = replayed(&case, &[]);
        if !is_possible(&native) {
            return;
        }
        assert_eq!(native, Native::Confirmed, "{}", case.text);
        let other = replayed(&case, others);
        assert_ne!(other, Native::Confirmed, "{}", case.text);
    }
}

#[test]
fn what_the_compiler_refuses() {
    let native = run("int main(void) { return nonsense; }", NativeLimits::default());
    let Native::Impossible(why) = native else { panic!("{native}") };
    assert!(why.contains("nonsense") || why.contains("cannot be run"), "{why}");
}

#[test]
fn a_label_is_seen_by_no_other_file() {
    let unit = parse("p.i", "int main(void) { ERROR: return 0; }", &Options::default()).expect("C");
    assert_eq!(harness(&unit, &Account::default(), &[]), Err(NoHarness::Label));
}
