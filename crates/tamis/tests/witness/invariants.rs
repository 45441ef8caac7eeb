//! Invariant sets: confirmed if they hold, refuted if they do not, whatever they are.

use crate::support::Folder;
use crate::{certify, head, invariant};
use tamis_testing::Random;

const PROGRAM: &str = "extern void reach_error(void);
int main(void) {
  int x = 0, y = 10;
  while (x < 10) {
    x++;
    y--;
  }
  if (x + y != 10) reach_error();
  return 0;
}
";

/// A comparison, as C and as what it means.
fn comparison(random: &mut Random) -> (String, Box<dyn Fn(i64, i64) -> bool>) {
    let (a, b) = (random.below(3) as i64 - 1, random.below(3) as i64 - 1);
    let c = random.below(25) as i64 - 6;
    let operator = ["<=", ">=", "==", "!=", "<", ">"][random.below(6) as usize];
    let text = format!("{a} * x + {b} * y {operator} {c}");
    let holds = move |x: i64, y: i64| {
        let value = a * x + b * y;
        match operator {
            "<=" => value <= c,
            ">=" => value >= c,
            "==" => value == c,
            "!=" => value != c,
            "<" => value < c,
            _ => value > c,
        }
    };
    (text, Box::new(holds))
}

/// The states at the loop's head are known: (i, 10 - i) for i from 0 to 10.
#[test]
fn random_ones_are_confirmed_if_and_only_if_they_hold() {
    let mut random = Random::new(7);
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..40 {
        let (first, first_holds) = comparison(&mut random);
        let (second, second_holds) = comparison(&mut random);
        let or = random.below(3) > 0;
        let text = if or { format!("{first} || {second}") } else { format!("{first} && !({second})") };
        let holds = (0..=10).all(|i| {
            let (a, b) = (first_holds(i, 10 - i), second_holds(i, 10 - i));
            if or { a || b } else { a && !b }
        });
        let run =
            certify(PROGRAM, &(head("invariant_set", PROGRAM) + &invariant("loop_invariant", 4, &text)));
        if holds {
            right += 1;
            run.ends_with(0, "true");
        } else {
            wrong += 1;
            let reason =
                format!("witness refuted: invariant `{text}`, line 18, does not hold in some execution");
            run.ends_with(3, &format!("unknown({reason})"));
        }
    }
    assert!(right >= 5 && wrong >= 5, "{right} are right and {wrong} are wrong");
}

#[test]
fn a_proof_is_told_from_a_help() {
    let whole = invariant("loop_invariant", 4, "x + y == 10");
    let run = certify(PROGRAM, &(head("invariant_set", PROGRAM) + &whole));
    run.ends_with(0, "true");
    run.says("confirmed: the invariants are preserved, and the property follows from them alone");
    let part = invariant("loop_invariant", 4, "x <= 10");
    let run = certify(PROGRAM, &(head("invariant_set", PROGRAM) + &part));
    run.ends_with(0, "true");
    run.says("confirmed: the invariants are preserved, and the property was proved with them");
}

#[test]
fn at_any_statement() {
    let program = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) n = 0; else n = 1;
  int m = n + 1;
  do {
    m--;
  } while (m > 0);
again:
  if (m < 3) { m++; goto again; }
  switch (n) { case 0: n = 5; break; default: n = 6; }
  if (m != 3) reach_error();
}
";
    let with = |items: &[String]| certify(program, &(head("invariant_set", program) + &items.concat()));
    let right = [
        invariant("location_invariant", 6, "n == 0 || n == 1"),
        invariant("location_invariant", 8, "1 <= m && m <= 2"),
        invariant("loop_invariant", 7, "0 <= m && m <= 1"),
        invariant("location_invariant", 11, "0 <= m && m <= 3"),
        invariant("location_invariant", 13, "n > 4"),
    ];
    with(&right).ends_with(0, "true");
    for (line, kind, value) in [
        (6, "location_invariant", "n == 0"),
        (8, "location_invariant", "m == 1"),
        (7, "loop_invariant", "m >= 1"),
        (11, "location_invariant", "m > 0"),
        (13, "location_invariant", "n == 5"),
    ] {
        let run = with(&[invariant(kind, line, value)]);
        assert!(run.stdout.contains("unknown(witness refuted: invariant"), "{value}: {}", run.stderr);
    }
}

#[test]
fn a_program_that_is_wrong_has_no_proof() {
    let program = PROGRAM.replace("x + y != 10", "x + y == 10");
    let run =
        certify(&program, &(head("invariant_set", &program) + &invariant("loop_invariant", 4, "x <= 10")));
    run.ends_with(3, "unknown(witness refuted: the program violates the property)");
}

/// Where an invariant cannot be evaluated, execution must not be taken to end.
#[test]
fn an_undefined_invariant_proves_nothing() {
    let program = "extern void reach_error(void);
int main(void) {
  int *p = 0, d = 0;
  while (d < 1)
    d++;
  reach_error();
}
";
    for value in ["*p == 0 || *p != 0", "1 / d == 0 || 1"] {
        let run =
            certify(program, &(head("invariant_set", program) + &invariant("loop_invariant", 4, value)));
        assert_eq!(run.exit, Some(3), "{value}: {}", run.stderr);
        assert!(run.stdout.contains("refuted"), "{value}: {}", run.stdout);
    }
}

#[test]
fn the_older_format() {
    let old = head("loop_invariant", PROGRAM).replace("\"2.0\"", "\"0.1\"").replace("  content:\n", "")
        + "  location: {file_name: main.c, line: 4, column: 2, function: main}\n  loop_invariant:\n    string: x + y == 10\n    type: assertion\n    format: C\n";
    certify(PROGRAM, &old).ends_with(0, "true");
}

/// A witness has no quantifiers: what holds of all elements is left out, what is left helps, and is checked.
#[test]
fn what_holds_of_all_elements_is_left_out() {
    let program = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[100000];
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) return 0;
  for (int i = 0; i < n; i++) a[i] = 42;
  for (int x = 0; x < n; x++) if (a[x] != 42) reach_error();
  return 0;
}
";
    let folder = Folder::with("main.c", program);
    let run = folder.run(&["check", "main.c", "--preset", "invariants", "--witness", "w.yml"]);
    run.ends_with(0, "true");
    run.says("the witness is weaker than the proof");
    let witness = std::fs::read_to_string(folder.path.join("w.yml")).expect("a witness");
    folder.run(&["certify", "w.yml", "main.c"]).ends_with(0, "true");
    let changed = witness.replace("value: \"x >= 0\"", "value: \"x >= 1\"");
    assert_ne!(changed, witness);
    std::fs::write(folder.path.join("w.yml"), changed).expect("a witness");
    let run = folder.run(&["certify", "w.yml", "main.c"]);
    assert_eq!(run.exit, Some(3), "{}", run.stderr);
}
