//! Automata of functions by themselves.

use std::path::PathBuf;
use tamis_front_c::{Options, load_functions};
use tamis_program::{Command, Edge, Summary, relevant_locations};

fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the folder of the test can be written");
    path
}

#[test]
fn every_function_with_a_body_has_an_automaton_that_ends_where_it_returns() {
    let text = "int g = 3; int other(int);
        static int small(int a) { return a + 1; }
        int loops(int n, int *p) { int i = 0; while (i < n) { if (*p > i) i = small(i); else i += other(g); } return i; }
        int never(void) { for (;;) ; }";
    let path = file("functions.i", text);
    let mut found = Vec::new();
    load_functions(&[path], &Options::default(), 1000, |name, program, _| {
        let program = program.expect("all of it is supported");
        let relevant = relevant_locations(&program);
        // Globals are arbitrary: nothing sets this one.
        let is_set =
            |e: &Edge| matches!(&e.command, Command::Assign(v, _) if program.variable(*v).name == "g");
        assert!(!program.edges().iter().any(is_set));
        found.push((
            name.to_owned(),
            relevant[program.error().index()] && !program.incoming(program.error()).is_empty(),
            Summary::new(&program).cutpoints().len(),
        ));
    })
    .expect("it can be read");
    let expected = [("small", true, 2), ("loops", true, 3), ("never", false, 2)];
    let expected = expected.map(|(name, ends, cutpoints)| (name.to_owned(), ends, cutpoints));
    assert_eq!(found, expected);
}

#[test]
fn calls_are_expanded_while_the_function_is_small() {
    let text = "int a(int x) { if (x > 0) return x; return -x; }
        int b(int x) { return a(x) + a(x + 1) + a(x + 2); }";
    let path = file("expanded.i", text);
    let edges = |limit: usize| {
        let mut edges = 0;
        load_functions(&[&path], &Options::default(), limit, |name, program, _| {
            if name == "b" {
                edges = program.expect("supported").edges().len();
            }
        })
        .expect("it can be read");
        edges
    };
    assert!(edges(1000) > edges(0));
}
