//! An unknown says what stopped it, and what to do.

use crate::support::{Folder, Run};

fn check(program: &str, options: &[&str]) -> Run {
    Folder::with("p.c", program).run(&[&["check", "p.c"], options].concat())
}

/// Violated after a billion rounds and no sooner, by numbers in which nothing is simple.
pub const DIVERGES: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    unsigned long long x = 1, y = 1;
    while (__VERIFIER_nondet_int()) {
        x = x * 6364136223846793005ULL + y;
        y = y * 2862933555777941757ULL + x;
    }
    int last = 2147483647;
    if (x == 13750785757397282230ULL) {
        last++;
        reach_error();
    }
    return 0;
}
";

#[test]
fn a_timeout_names_the_loop_in_two_lines_and_shows_statistics_when_asked() {
    let run = check(DIVERGES, &["--timeout", "4"]);
    assert_eq!(run.stderr.lines().count(), 2, "{}", run.stderr);
    run.says("p.c:6 in main");
    run.says("try a larger --timeout");
    let run = check(DIVERGES, &["--timeout", "3", "--stats"]);
    run.ends_with(3, "unknown(timeout: 3 s)");
    run.says("stopped while searching");
    run.says("statistics so far:");
    run.says("iterations");
    run.says("p.c:6 in main");
    // What it took is what it took.
    let number = |name: &str| {
        let line = run.stderr.lines().find(|line| line.trim_start().starts_with(name)).expect("a number");
        line.split_whitespace().rev().nth(1).and_then(|n| n.parse::<f64>().ok()).expect("a number")
    };
    assert!(number("search time") > 0.5 && number("total time") >= 3.0, "{}", run.stderr);
    assert!(number("memory") > 5.0, "{}", run.stderr);
}

#[test]
fn a_timeout_in_the_document() {
    let run = check(DIVERGES, &["--timeout", "2", "--json"]);
    let document: serde_json::Value =
        serde_json::from_str(run.stdout.lines().next().expect("a line")).expect("JSON");
    assert_eq!(document["verdict"], "unknown(timeout: 2 s)");
    assert!(document["properties"][0]["advice"].as_array().is_some_and(|a| !a.is_empty()));
}

#[test]
fn a_timeout_is_the_verdict_on_what_was_not_checked() {
    let run = check(DIVERGES, &["--timeout", "2", "--property", "unreach-call", "--property", "no-overflow"]);
    assert_eq!(
        run.stdout,
        "property unreach-call: unknown(timeout: 2 s)\nproperty no-overflow: unknown(timeout: 2 s)\nVERDICT: unknown(timeout: 2 s)\n"
    );
}

#[test]
fn pointers_of_an_unconfirmed_trace_are_objects() {
    let program = "extern void reach_error(void);
extern float sensor(void);
extern void *malloc(unsigned long);
struct node { int value; struct node *next; } first;
int table[4];
int main(void)
{
    int *p = &table[1];
    struct node *q = &first, **r = &first.next, *s = malloc(16);
    *p = 3;
    *r = q;
    if (sensor() > 3 && q->next == &first && s)
        reach_error();
    return 0;
}
";
    let run = check(program, &[]);
    assert_eq!(run.exit, Some(3), "{}", run.stderr);
    run.says("counterexample, not confirmed:");
    for object in ["p = &table[1]", "q = &first", "r = &first.next", "s = allocation 1"] {
        run.says(object);
    }
}

#[test]
fn an_approximation_is_named_with_its_remedy() {
    let program = "extern void reach_error(void);
extern int sensor(void);
int main(void)
{
    if (sensor() > 3)
        reach_error();
    return 0;
}
";
    let run = check(program, &[]);
    run.ends_with(3, "unknown(approximated: call of undefined function sensor, p.c:5)");
    run.says("counterexample, not confirmed:");
    run.says("  p.c:5: call of undefined function sensor");
    run.says("give a definition of sensor");
}
