//! Undefined behaviour is marked on the edges where it can happen, and only where it can.

mod support;

use support::{Outcome, Translated, run};
use tamis_front_c::{Options, Target, translate_source};
use tamis_logic::Terms;
use tamis_program::Undefined;

fn translate(text: &str) -> Translated {
    let mut terms = Terms::new();
    let options = Options { target: Target::Nothing, ..Options::default() };
    let program = translate_source("test.c", text, &options, &mut terms).expect("it is taken");
    Translated { terms, program }
}

/// The kinds of undefined behaviour that a body runs into on inputs `x` and `y`, by itself: each turned into a check
/// alone.
fn met(body: &str, x: i64, y: i64) -> Vec<Undefined> {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void); int a[4]; struct s {{ int f; }} v;
         int main(void) {{ int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); long z; {body} return 0; }}"
    );
    let kinds = Undefined::ALL.into_iter().filter(|&kind| {
        let Translated { terms, program } = translate(&text);
        let checked = program.checked(&[kind]);
        let mut hit = false;
        // The check is one of two enabled edges: it is looked for by its guard, along the run of the plain program.
        support::observe(&Translated { terms, program }, &[x as u64, y as u64], |terms, state, at| {
            let into = checked.outgoing(at).iter().map(|&e| checked.edge(e));
            hit |= into.filter(|e| e.to == checked.error()).any(|e| match e.command {
                tamis_program::Command::Assume(when) => terms.eval(when, state).as_bool(),
                _ => true,
            });
        });
        hit
    });
    kinds.collect()
}

#[test]
fn arithmetic() {
    let (max, min) = (i64::from(i32::MAX), i64::from(i32::MIN));
    use Undefined::*;
    for (body, x, y, expected) in [
        ("x = x + y;", max, 1, vec![SignedOverflow]),
        ("x = x + y;", max, 0, vec![]),
        ("x = x - y;", min, 1, vec![SignedOverflow]),
        ("x = x * y;", 65536, 32768, vec![SignedOverflow]),
        ("x = x * y;", -65536, 32768, vec![]),
        ("x = -x;", min, 0, vec![SignedOverflow]),
        ("x++;", max, 0, vec![SignedOverflow]),
        ("--x;", min, 0, vec![SignedOverflow]),
        ("x += y;", max, 1, vec![SignedOverflow]),
        ("z = (long)x + y;", max, max, vec![]),
        ("unsigned u = (unsigned)x + y;", max, max, vec![]),
        ("char c = 127; c++;", 0, 0, vec![]),
        ("x = x / y;", 1, 0, vec![DivisionByZero]),
        ("x = x % y;", min, -1, vec![SignedOverflow]),
        ("x = x << y;", 1, 32, vec![SignedOverflow, ShiftOutOfRange]),
        ("x = x << y;", 0, 32, vec![ShiftOutOfRange]),
        ("x = x << y;", 1, -1, vec![ShiftOutOfRange]),
        ("x = x << y;", 1, 31, vec![SignedOverflow]),
        ("x = x << y;", 1, 30, vec![]),
        ("x = x << y;", -1, 31, vec![]),
        ("x = x << y;", -2, 31, vec![SignedOverflow]),
        ("unsigned u = x; u = u << y;", 1, 31, vec![]),
        ("x = __builtin_abs(x);", min, 0, vec![SignedOverflow]),
        ("x = x >> y;", 1, -1, vec![ShiftOutOfRange]),
        ("x = x >> y;", 1, 31, vec![]),
    ] {
        assert_eq!(met(body, x, y), expected, "{body} with {x}, {y}");
    }
}

#[test]
fn memory() {
    use Undefined::*;
    for (body, x, expected) in [
        ("a[x] = 1;", 3, vec![]),
        ("a[x] = 1;", 4, vec![OutOfBounds]),
        ("y = a[x];", -1, vec![OutOfBounds]),
        ("int *p = &a[x];", 4, vec![]),
        ("struct s *p = x ? &v : 0; p->f = 1;", 0, vec![NullAccess]),
        ("struct s *p = x ? &v : 0; p->f = 1;", 1, vec![]),
        ("int *p = a + 2; p[x] = 1;", 1, vec![]),
        ("int *p = a + 2; p[x] = 1;", 2, vec![OutOfBounds]),
        ("int *p = a + 2; p[x] = 1;", -2, vec![]),
        ("int *p = a + 2; p[x] = 1;", -3, vec![OutOfBounds]),
        ("char *p = (char *)a; *(int *)(p + x) = 1;", 12, vec![]),
        ("char *p = (char *)a; *(int *)(p + x) = 1;", 13, vec![OutOfBounds]),
        ("__builtin_memset(a + 1, 0, x);", 12, vec![]),
        ("__builtin_memset(a + 1, 0, x);", 13, vec![OutOfBounds]),
        ("int *p = x ? &y : (int *)&v; *p = 1;", 1, vec![]),
    ] {
        assert_eq!(met(body, x, 0), expected, "{body} with {x}");
    }
}

/// C computes what nobody uses, and what is computed before the execution ends.
#[test]
fn what_is_computed_is_marked() {
    use Undefined::*;
    let max = i64::from(i32::MAX);
    for (body, x, expected) in [
        ("x + 1;", max, vec![SignedOverflow]),
        ("(void)(x + 1);", max, vec![SignedOverflow]),
        ("extern int printf(const char *, ...); printf(\"%d\", x + 1);", max, vec![SignedOverflow]),
        ("extern void other(int); other(x + 1);", max, vec![SignedOverflow]),
        ("extern void exit(int); exit(x + 1);", max, vec![SignedOverflow]),
        ("extern void __VERIFIER_assume(int); __VERIFIER_assume((x + 1, 0));", max, vec![SignedOverflow]),
        ("return x + 1;", max, vec![SignedOverflow]),
        ("1 / x;", 0, vec![DivisionByZero]),
        ("x ? 0 : 1 / x;", 0, vec![DivisionByZero]),
        ("int *p = x ? &y : 0; *p;", 0, vec![NullAccess]),
        ("int *p = x ? a : 0; p[2];", 0, vec![NullAccess]),
        ("struct s *p = x ? &v : 0; v = *p;", 0, vec![NullAccess]),
        ("struct s *p = x ? &v : 0; *p = v;", 0, vec![NullAccess]),
        ("__builtin_memset(x ? a : 0, 0, 4);", 0, vec![NullAccess]),
        ("__builtin_memset(x ? a : 0, 0, 0);", 0, vec![]),
        ("extern void f(void); void (*p)(void) = x ? f : 0; p();", 0, vec![NullAccess]),
        ("extern void reach_error(void); if (x) reach_error();", 1, vec![]),
    ] {
        let met: Vec<Undefined> = met(body, x, 0).into_iter().filter(|&kind| kind != OutOfBounds).collect();
        assert_eq!(met, expected, "{body} with {x}");
    }
}

#[test]
fn what_is_not_computed_is_not_marked() {
    for body in [
        "if (x != 0 && 10 / x > 1) y = 1;",
        "if (x == 0 || 10 / x > 1) y = 1;",
        "y = x ? 10 / x : 0;",
        "y = x != 0 && x + 2147483647 > 0;",
        "y = x > 0 ? 1 : 2147483647 + x;",
    ] {
        assert_eq!(met(body, 0, 0), vec![], "{body}");
    }
    assert_eq!(met("y = x > 0 ? 2147483647 + x : 1;", 1, 0), vec![Undefined::SignedOverflow]);
}

#[test]
fn marks_change_nothing_by_themselves() {
    let text = "extern void reach_error(void); int main(void) { int x = 2147483647; x++;
        if (x < 0) reach_error(); return 0; }";
    assert_eq!(run(&support::translate(text), &[]), Outcome::Error(0));
}
