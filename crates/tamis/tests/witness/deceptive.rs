//! Witnesses that would be confirmed if they were taken for what they seem to say.

use crate::support::{Folder, Run};
use crate::{certify, head, invariant, segment};

/// Whatever else is said of a witness, it is not confirmed.
fn unconfirmed(run: &Run) {
    assert!(matches!(run.exit, Some(3 | 4)), "{run:?}");
    assert!(!run.stderr.contains("confirmed:"), "{run:?}");
}

#[test]
fn a_constant_is_a_number() {
    let program = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int g;
int set() { g = 1; return 5; }
int main(int argc, char **argv) {
  int x = __VERIFIER_nondet_int();
  if (g)
    reach_error();
  return 0;
}
";
    for constraint in ["\\result == (set())", "\\result == (value)", "\\result == g", "\\result == 1 + set()"]
    {
        let way = [("follow", "function_return", 6, 31, constraint)];
        let sequence = segment(&way) + &segment(&[("follow", "target", 8, 5, "")]);
        unconfirmed(&certify(program, &(head("violation_sequence", program) + &sequence)));
    }
}

#[test]
fn brackets_in_disguise() {
    let program = "extern void reach_error(void);
int main(void) {
  int *p = 0;
  for (int i = 0; i < 3; i++)
    ;
  reach_error();
  return 0;
}
";
    for value in ["p<:0:> == 0 || 1", "p[0] == 0 || 1", "*p == 0 || 1"] {
        unconfirmed(&certify(
            program,
            &(head("invariant_set", program) + &invariant("loop_invariant", 4, value)),
        ));
    }
}

const TWO: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void foo(void) { }
void (*f)(void) = foo;
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 123456)
    f();
  x = x + 1;
  return 0;
}
";

fn for_property(specification: &str, options: &[&str]) -> Run {
    let folder = Folder::with("main.c", TWO);
    let witness = head("invariant_set", TWO)
        .replace("G ! call(reach_error())", specification)
        .replace("content:", "content: []");
    std::fs::write(folder.path.join("w.yml"), witness).expect("a written file");
    std::fs::write(
        folder.path.join("both.prp"),
        "CHECK( init(main()), LTL(G ! call(reach_error())) )\nCHECK( init(main()), LTL(G ! overflow) )\n",
    )
    .expect("a written file");
    folder.run(&[&["certify", "w.yml", "main.c", "--timeout", "50"], options].concat())
}

#[test]
fn the_property_that_is_asked_for() {
    let both =
        r#""CHECK( init(main()), LTL(G ! call(reach_error())) )\nCHECK( init(main()), LTL(G ! overflow) )""#;
    unconfirmed(&for_property(both, &["--property", "no-overflow"]));
    unconfirmed(&for_property(both, &[]));
    for_property(both, &["--property", "unreach-call"]).ends_with(0, "true");
    unconfirmed(&for_property("G ! call(reach_error())", &["--property", "both.prp"]));
    unconfirmed(&for_property("G ! call(bar())", &["--property", "unreach-call"]));
    // It is called by its address.
    unconfirmed(&for_property("G ! call(foo())", &[]));
}

#[test]
fn entries_about_other_tasks() {
    let empty = head("invariant_set", TWO).replace("content:", "content: []");
    certify(TWO, &(empty.clone() + &empty)).ends_with(0, "true");
    let other = empty.replace("G ! call(reach_error())", "G ! overflow");
    unconfirmed(&certify(TWO, &(empty.clone() + &other)));
    unconfirmed(&certify(TWO, &(empty + &head("invariant_set", "other").replace("content:", "content: []"))));
}

#[test]
fn waypoints_that_are_not_there() {
    let program = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 7)
    reach_error();
  return 0;
}
";
    let target = segment(&[("follow", "target", 6, 5, "")]);
    let with = |way: (&'static str, &'static str, u32, u32, &'static str)| {
        certify(program, &(head("violation_sequence", program) + &segment(&[way]) + &target))
    };
    with(("follow", "branching", 5, 3, "true")).ends_with(1, "false(unreach-call)");
    unconfirmed(&with(("follow", "branching", 5, 3, "false")));
    unconfirmed(&with(("follow", "branching", 999, 3, "true")));
}

#[test]
fn what_a_witness_computes_is_no_violation() {
    let program = "extern int __VERIFIER_nondet_int(void);
static void f(int n) {
  n = n;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  f(n);
  if (n == 2147483647)
    n = n + 1;
  return 0;
}
";
    let avoiding = [("avoid", "assumption", 3, 3, "n + 1 > 5"), ("follow", "target", 7, 3, "")];
    let sequence =
        segment(&[("follow", "function_return", 6, 32, "\\result == 2147483647")]) + &segment(&avoiding);
    let witness = head("violation_sequence", program).replace("G ! call(reach_error())", "G ! overflow");
    unconfirmed(&certify(program, &(witness + &sequence)));
}

#[test]
fn places_that_only_look_alike() {
    let program = "#include \"inc/main.c\"
int main(void) {
  int x = 0, y = 0;
  M; while (x < 3) x++;  while (y < 3) y++;
  while (y < 6)
    y++;
  return 0;
}
";
    let folder = Folder::with("main.c", program);
    std::fs::create_dir(folder.path.join("inc")).expect("a folder");
    let included = "#define M x=0+0+0+0+0+0+0+0+0+0\nstatic void g(void) {\n  int y = 0;\n  int x = 0;\n  while (x < 6)\n    x++;\n}\n";
    std::fs::write(folder.path.join("inc/main.c"), included).expect("a written file");
    let behind_macro = invariant("loop_invariant", 4, "y == 0").replace("line: 4", "line: 4, column: 26");
    for invariant in [behind_macro, invariant("loop_invariant", 5, "y == 0")] {
        std::fs::write(folder.path.join("w.yml"), head("invariant_set", program) + &invariant)
            .expect("a file");
        unconfirmed(&folder.run(&["certify", "w.yml", "main.c", "--timeout", "50"]));
    }
}
