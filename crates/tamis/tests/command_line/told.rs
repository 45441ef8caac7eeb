//! What a person reads, and what a machine does.

use crate::support::{Folder, Run};

const LIST: &str = "extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);
struct node { int value; struct node *next; } *list;
static void push(int value)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = value;
    fresh->next = list;
    list = fresh;
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    push(3);
    if (n > 40)
        push(n);
    if (list->value > 50)
        reach_error();
    return 0;
}
";

const LONG: &str = "extern void reach_error(void);
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 50; i++) {
        sum += 2;
    }
    if (sum == 100)
        reach_error();
    return 0;
}
";

fn check(program: &str, options: &[&str]) -> Run {
    Folder::with("p.c", program).run(&[&["check", "p.c"], options].concat())
}

#[test]
fn a_bug_in_a_list() {
    let run = check(LIST, &[]);
    run.ends_with(1, "false(unreach-call)");
    for line in [
        "14 | int n = __VERIFIER_nondet_int();",
        "// n = __VERIFIER_nondet_int() = ",
        "// calls push(value = 3)",
        "   7 |   struct node *fresh = malloc(sizeof *fresh);",
        "// fresh = allocation 2",
        "// allocation 2.next = allocation 1",
        "VIOLATION: call of reach_error",
    ] {
        let line = line.trim_start();
        assert!(run.stderr.contains(line), "no '{line}' in:\n{}", run.stderr);
    }
}

/// What IC3 says by bits is told by numbers, under the names that the program has for them.
#[test]
fn invariants_are_ranges_of_members() {
    let program = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct { unsigned char head, tail; int items[5]; } q;
int main(void)
{
    while (__VERIFIER_nondet_int()) {
        if (q.head > 4)
            reach_error();
        q.items[q.head] = 1;
        q.head++;
        if (q.head == 5)
            q.head = 0;
    }
    return 0;
}
";
    for preset in ["ic3", "default"] {
        let run = check(program, &["--preset", preset]);
        run.ends_with(0, "true");
        run.says("p.c:6 in main: q.head < 5\n");
    }
}

#[test]
fn long_loops_are_folded() {
    let run = check(LONG, &[]);
    run.ends_with(1, "false(unreach-call)");
    run.says("… 47 more times, lines 5 to 6");
    run.says("sum = 100");
    assert!(run.stderr.lines().count() < 20, "{}", run.stderr);
    let run = check(LONG, &["--full-trace"]);
    assert!(run.stderr.lines().count() > 100, "{}", run.stderr);
}

#[test]
fn quiet() {
    for (program, exit, verdict) in
        [(LIST, 1, "false(unreach-call)"), ("int main(void) { return 0; }", 0, "true")]
    {
        let run = check(program, &["--quiet", "--stats"]);
        run.ends_with(exit, verdict);
        assert_eq!(run.stderr, "");
    }
}

#[test]
fn values_that_were_never_set() {
    let run = check(
        "extern void reach_error(void); int main(void) { int x; if (x == 5) reach_error(); return 0; }",
        &[],
    );
    run.ends_with(1, "false(unreach-call)");
    run.says("x was never set, say 5");
}

#[test]
fn json() {
    let run = check(LIST, &["--json"]);
    let mut lines = run.stdout.lines();
    let document: serde_json::Value = serde_json::from_str(lines.next().expect("a line")).expect("JSON");
    assert_eq!(lines.next(), Some("VERDICT: false(unreach-call)"));
    assert_eq!(document["verdict"], "false(unreach-call)");
    let property = &document["properties"][0];
    assert_eq!((&property["verdict"], &property["exit_code"]), (&"false".into(), &1.into()));
    assert_eq!(property["counterexample"]["confirmed"], true);
    let steps = property["counterexample"]["steps"].as_array().expect("steps");
    assert_eq!((&steps[0]["file"], &steps[0]["line"]), (&"p.c".into(), &14.into()));
    assert_eq!(steps[0]["does"][0]["input"]["from"], "__VERIFIER_nondet_int");
    let last = steps.last().expect("steps");
    assert!(last["does"].as_array().expect("notes").iter().any(|n| n["violation"] == "call of reach_error"));
    assert!(property["statistics"]["iterations"].is_number());
}

#[test]
fn json_of_a_proof_in_a_file() {
    let program = "extern void reach_error(void);\nint main(void)\n{\n    unsigned x = 0;\n    while (x < 1000)\n        x++;\n    if (x != 1000)\n        reach_error();\n    return 0;\n}\n";
    let folder = Folder::with("p.c", program);
    let run = folder.run(&["check", "p.c", "--json=out.json"]);
    run.ends_with(0, "true");
    let text = std::fs::read_to_string(folder.path.join("out.json")).expect("the document");
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let invariant = &document["properties"][0]["invariants"][0];
    assert_eq!((&invariant["file"], &invariant["line"]), (&"p.c".into(), &5.into()));
    assert!(invariant["invariant"].as_str().expect("a text").contains("x"), "{text}");
}

#[test]
fn json_of_what_cannot_be_read() {
    let run = check("int main(void) { return", &["--json"]);
    let line = run.stdout.lines().next().expect("a line");
    let document: serde_json::Value = serde_json::from_str(line).expect("JSON");
    assert_eq!(document["properties"][0]["exit_code"], 4);
    assert_eq!(run.exit, Some(4));
}
