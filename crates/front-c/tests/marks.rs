//! Undefined behaviour is marked on the edges where it can happen, and only where it can.

mod support;

use support::{Outcome, Translated, run, translate};
use tamis_program::Undefined;

const ALL: [Undefined; 5] = [
    Undefined::SignedOverflow,
    Undefined::DivisionByZero,
    Undefined::ShiftOutOfRange,
    Undefined::NullAccess,
    Undefined::OutOfBounds,
];

/// The kinds of undefined behaviour that a body runs into on inputs `x` and `y`, by itself: each turned into a check
/// alone.
fn met(body: &str, x: i64, y: i64) -> Vec<Undefined> {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void); int a[4]; struct s {{ int f; }} v;
         int main(void) {{ int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); long z; {body} return 0; }}"
    );
    let kinds = ALL.into_iter().filter(|&kind| {
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
        ("x = x << y;", 1, 32, vec![ShiftOutOfRange]),
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
    assert_eq!(run(&translate(text), &[]), Outcome::Error(0));
}
