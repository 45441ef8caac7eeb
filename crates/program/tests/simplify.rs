//! Simplification against the exploration of all states: what a program can do, it can do before and after each pass.

mod common;

use common::{initial_states, model, random_program, steps, violation};
use tamis_logic::{Terms, Value};
use tamis_program::{
    Builder, Command, EdgeId, Event, Havoc, IntType, Program, Simplified, Source, pass_names, run_pass,
    simplify,
};

const PROGRAMS: u64 = 800;

fn agree(terms: &mut Terms, program: &Program, simplified: &Simplified, what: &str) -> bool {
    let found = violation(terms, &simplified.program);
    assert_eq!(violation(terms, program).is_some(), found.is_some(), "{what}");
    let exact = |p: &Program, terms: &mut Terms| {
        let exact = p.without_approximations(terms);
        violation(terms, &exact).is_some()
    };
    assert_eq!(exact(program, terms), exact(&simplified.program, terms), "{what}, without approximations");
    if let Some((start, path)) = &found {
        let initial = model(&simplified.program, start);
        let lifted = simplified.lift(terms, program, &initial, path);
        let lifted = lifted.unwrap_or_else(|| panic!("{what}: the execution is none of the original"));
        replay(terms, program, &lifted, what);
        let marks = |p: &Program, path: &[(EdgeId, Option<Value>)]| {
            let mark = |e: &EdgeId| matches!(p.edge(*e).command, Command::Havoc(_, Havoc::Approximated(_)));
            path.iter().filter(|(e, _)| mark(e)).map(|(e, _)| p.edge(*e).source).collect::<Vec<_>>()
        };
        assert_eq!(marks(program, &lifted), marks(&simplified.program, path), "{what}");
    }
    found.is_some()
}

/// Some initial state takes the path to the error, step by step.
fn replay(terms: &Terms, program: &Program, path: &[(EdgeId, Option<Value>)], what: &str) {
    let reaches = initial_states(terms, program).into_iter().any(|start| {
        let mut at = (program.entry(), start);
        for (e, input) in path {
            let ways = steps(terms, program, *e, &at.1);
            let Some((_, after)) = ways.into_iter().find(|(i, _)| i == input) else { return false };
            if program.edge(*e).from != at.0 {
                return false;
            }
            at = (program.edge(*e).to, after);
        }
        at.0 == program.error()
    });
    assert!(reaches, "{what}: the lifted execution does not reach the error");
}

#[test]
fn each_pass_keeps_what_can_be_reached() {
    let mut reached = 0;
    for seed in 0..PROGRAMS {
        for pass in pass_names() {
            let mut terms = Terms::new();
            let program = random_program(&mut terms, seed);
            let simplified = run_pass(pass, &program, &mut terms).expect("a pass of that name");
            reached += usize::from(agree(&mut terms, &program, &simplified, &format!("{pass}, seed {seed}")));
        }
    }
    assert!(reached > 500, "only {reached} violations");
}

#[test]
fn all_passes_together_keep_what_can_be_reached() {
    let (mut smaller, mut reached) = (0, 0);
    for seed in 0..4 * PROGRAMS {
        let mut terms = Terms::new();
        let program = random_program(&mut terms, seed);
        let simplified = simplify(&program, &mut terms);
        reached += usize::from(agree(&mut terms, &program, &simplified, &format!("seed {seed}")));
        smaller += usize::from(simplified.program.edges().len() < program.edges().len());
    }
    assert!(reached > 400 && smaller > 400, "{reached} violations, {smaller} programs smaller");
}

/// What a guard has said of a variable is forgotten when the variable changes, by assignment or by choice, and what is
/// known of its copies is not.
#[test]
fn facts_end_where_variables_change() {
    let mut terms = Terms::new();
    let mut b = Builder::new();
    let (file, main) = (b.file("f.c"), b.frame("main", None));
    let at = Source { file, line: 1, column: 1 };
    let int = IntType { bits: 2, signed: false };
    let [x, y] = ["x", "y"].map(|name| b.variable(&mut terms, name, int, Some(main)));
    let (x_term, y_term) = (b.term(x), b.term(y));
    let numbers = [0, 1, 2, 3].map(|n| terms.bits(2, n));
    let commands = [
        Command::Assume(terms.eq(x_term, numbers[1])),
        Command::Assign(y, x_term),
        Command::Havoc(x, Havoc::Input("x".into())),
        Command::Assume(terms.eq(x_term, numbers[2])),
        Command::Assume(terms.eq(y_term, numbers[1])),
        Command::Assign(x, terms.add(x_term, numbers[1])),
        Command::Assume(terms.eq(x_term, numbers[3])),
        Command::Assign(x, y_term),
        Command::Assign(y, numbers[0]),
        Command::Assume(terms.eq(x_term, numbers[1])),
    ];
    let locations: Vec<_> = (0..=commands.len()).map(|_| b.location(main)).collect();
    for (i, command) in commands.into_iter().enumerate() {
        b.edge(locations[i], locations[i + 1], command, at, Event::Step);
    }
    let program = b.finish(locations[0], locations[locations.len() - 1]);
    for pass in pass_names() {
        let simplified = run_pass(pass, &program, &mut terms).expect("a pass of that name");
        assert!(agree(&mut terms, &program, &simplified, pass), "{pass}");
    }
    let simplified = simplify(&program, &mut terms);
    assert!(agree(&mut terms, &program, &simplified, "all passes"));
}
