//! Violation sequences: confirmed if an execution follows them, refuted if none does.

use crate::{certify, head, segment};

const PROGRAM: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  if (a > 3)
    b = b - a;
  else
    b = b + a;
  if (b == 2)
    reach_error();
  return 0;
}
";

const TARGET: (&str, &str, u32, u32, &str) = ("follow", "target", 11, 5, "");

fn run(segments: &[String]) -> crate::support::Run {
    certify(PROGRAM, &(head("violation_sequence", PROGRAM) + &segments.concat()))
}

/// Whether an execution follows, by trying all values in a range that holds all that matters.
fn exists(fits: impl Fn(i64, i64) -> bool) -> bool {
    let violates = |a: i64, b: i64| if a > 3 { b - a == 2 } else { b + a == 2 };
    (-40..40).any(|a| (-90..90).any(|b| violates(a, b) && fits(a, b)))
}

#[test]
fn values_and_branches_are_followed() {
    let (mut right, mut wrong) = (0, 0);
    for first in ["==", "<", ">="] {
        let first_holds = |x: i64, a: i64| match first {
            "==" => x == a,
            "<" => x < a,
            _ => x >= a,
        };
        for (a, b) in [(3, -1), (4, 6), (5, 6), (0, 2)] {
            for taken in [true, false] {
                let waypoints = [
                    segment(&[("follow", "function_return", 4, 33, &format!("\\result {first} {a}"))]),
                    segment(&[("follow", "function_return", 5, 33, &format!("\\result == {b}"))]),
                    segment(&[("follow", "branching", 6, 3, if taken { "true" } else { "false" })]),
                    segment(&[TARGET]),
                ];
                let expected = exists(|x, y| first_holds(x, a) && y == b && (x > 3) == taken);
                let run = run(&waypoints);
                if expected {
                    right += 1;
                    run.ends_with(1, "false(unreach-call)");
                } else {
                    wrong += 1;
                    run.ends_with(
                        3,
                        "unknown(witness refuted: no execution follows the sequence to a violation)",
                    );
                }
            }
        }
    }
    assert!(right >= 5 && wrong >= 5, "{right} are right and {wrong} are wrong");
}

#[test]
fn assumptions_and_what_is_avoided() {
    for (value, expected) in [("a == 20", true), ("a == 20 && b == 21", false), ("a == b - 2", true)] {
        let sequence = [segment(&[("follow", "assumption", 6, 3, value)]), segment(&[TARGET])];
        let run = run(&sequence);
        assert_eq!(run.exit == Some(1), expected, "{value}: {}", run.stderr);
    }
    for (taken, assumed, expected) in
        [("true", "a > 7", false), ("false", "a > 7", true), ("true", "a < 3", true)]
    {
        let sequence = [
            segment(&[("follow", "assumption", 6, 3, assumed)]),
            segment(&[("avoid", "branching", 6, 3, taken), TARGET]),
        ];
        let run = run(&sequence);
        assert_eq!(run.exit == Some(1), expected, "{taken} {assumed}: {}", run.stderr);
        if !expected {
            assert!(run.stdout.contains("refuted"), "{}", run.stdout);
        }
    }
}

#[test]
fn a_target_elsewhere_is_none() {
    for line in [7, 9, 12] {
        let run = run(&[segment(&[("follow", "target", line, if line == 12 { 3 } else { 5 }, "")])]);
        run.ends_with(3, "unknown(witness refuted: no execution follows the sequence to a violation)");
    }
}

/// Each round of a loop passes one segment.
#[test]
fn rounds_are_counted() {
    let program = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int square(int x) { return x * x; }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++)
    sum += square(__VERIFIER_nondet_int());
  switch (sum) {
  case 14: reach_error();
  }
}
";
    let certify = |values: &[i32]| {
        let mut text = head("violation_sequence", program);
        for value in values {
            text += &segment(&[("follow", "branching", 6, 3, "true")]);
            text += &segment(&[("follow", "function_return", 7, 41, &format!("\\result == {value}"))]);
            text += &segment(&[("follow", "function_enter", 7, 42, "")]);
        }
        text += &segment(&[("follow", "branching", 8, 3, "14")]);
        text += &segment(&[("follow", "target", 9, 12, "")]);
        certify(program, &text)
    };
    certify(&[1, 2, 3]).ends_with(1, "false(unreach-call)");
    certify(&[-3, 1, -2]).ends_with(1, "false(unreach-call)");
    certify(&[3]).ends_with(1, "false(unreach-call)");
    for wrong in [&[1, 2, 4][..], &[1, 2, 3, 0]] {
        let run = certify(wrong);
        assert!(run.stdout.contains("refuted"), "{wrong:?}: {}", run.stderr);
    }
}
