//! The examples of *Predicate Abstraction with Minimum Predicates* [MIN].

use tamis_cegar::{Iteration, Observer, Outcome, Statistics, Strategy, check, preset};
use tamis_diagram::Bdd;
use tamis_logic::{Term, Terms};
use tamis_program::{Builder, Command, Event, IntType, Location, Program, ProgramSystem, Source, pred_infer};
use tamis_solver::Budget;

/// Builds automata from few words.
struct Script {
    terms: Terms,
    builder: Builder,
    at: Source,
    main: tamis_program::FrameId,
}

impl Script {
    fn new() -> Script {
        let mut builder = Builder::new();
        let (file, main) = (builder.file("example.c"), builder.frame("main", None));
        Script { terms: Terms::new(), builder, at: Source { file, line: 1, column: 1 }, main }
    }

    fn variable(&mut self, name: &str) -> tamis_program::Var {
        self.builder.variable(&mut self.terms, name, IntType { bits: 32, signed: true }, None)
    }

    fn locations<const N: usize>(&mut self) -> [Location; N] {
        std::array::from_fn(|_| self.builder.location(self.main))
    }

    fn assign(&mut self, from: Location, to: Location, v: tamis_program::Var, value: u128) {
        let value = self.terms.bits(32, value);
        self.builder.edge(from, to, Command::Assign(v, value), self.at, Event::Step);
    }

    /// `if (c) goto yes; else goto no;`
    fn branch(&mut self, from: Location, c: Term, yes: Location, no: Location) {
        let otherwise = self.terms.not(c);
        self.builder.edge(from, yes, Command::Assume(c), self.at, Event::Branch(true));
        self.builder.edge(from, no, Command::Assume(otherwise), self.at, Event::Branch(false));
    }

    fn is(&mut self, v: tamis_program::Var, value: u128) -> Term {
        let value = self.terms.bits(32, value);
        self.terms.eq(self.builder.term(v), value)
    }
}

/// The running example: `L0: x = 1; L1: y = 1; L2: if (x == y) L3: y = 1; else L4: y = 2;`, where L4 must not be
/// reached. Gives the locations L0 to L4. Small blocks would take it as one: before L2 there is a branch on something
/// else, both ways out of which lead to L2.
fn running_example() -> (Terms, Program, [Location; 5]) {
    let mut s = Script::new();
    let (x, y, z) = (s.variable("x"), s.variable("y"), s.variable("z"));
    let [l0, l1, between, l2, l3, l4, last] = s.locations();
    s.assign(l0, l1, x, 1);
    s.assign(l1, between, y, 1);
    let something_else = s.is(z, 0);
    s.branch(between, something_else, l2, l2);
    let c = s.terms.eq(s.builder.term(x), s.builder.term(y));
    s.branch(l2, c, l3, l4);
    s.assign(l3, last, y, 1);
    (s.terms, s.builder.finish(l0, l4), [l0, l1, l2, l3, l4])
}

/// Remembers the iterations.
#[derive(Default)]
struct Recorder(Vec<Iteration>);

impl Observer for Recorder {
    fn image(&mut self, _: &Bdd) {}
    fn iteration(&mut self, _: &Terms, _: &Statistics, iteration: &Iteration) {
        self.0.push(iteration.clone());
    }
}

fn run(terms: &mut Terms, program: &Program, strategy: &Strategy) -> (bool, Statistics, Vec<Iteration>) {
    let system = ProgramSystem::over(terms, program, strategy.summary.parse().expect("a summary"));
    let mut recorder = Recorder::default();
    let (outcome, statistics) = check(terms, &system, strategy, &Budget::unlimited(), &mut recorder);
    (
        matches!(outcome, Outcome::Safe(_) | Outcome::Exhausted(_) | Outcome::Unwound(_)),
        statistics,
        recorder.0,
    )
}

/// Example 2: `P_L2 = {x == y}`, `P_L1 = {x == 1}`, and all others are empty.
#[test]
fn predicate_inference_of_the_running_example() {
    let (mut terms, program, [l0, l1, l2, l3, l4]) = running_example();
    let inferred = pred_infer(&mut terms, &program, &[l2], 10);
    let [x, y] = [0, 1].map(|i| program.variables()[i].term);
    let one = terms.bits(32, 1);
    assert_eq!(inferred[&l2], [terms.eq(x, y)]);
    assert_eq!(inferred[&l1], [terms.eq(x, one)]);
    assert!([l0, l3, l4].iter().all(|l| !inferred.contains_key(l)));
    assert!(pred_infer(&mut terms, &program, &[], 10).is_empty());
}

/// In a loop weakest preconditions need not end: the size of every `P_s` is limited (section 2.1).
#[test]
fn predicate_inference_ends_in_loops() {
    let mut s = Script::new();
    let x = s.variable("x");
    let [head, body, error] = s.locations();
    let c = s.is(x, 100);
    s.branch(head, c, error, body);
    let (term, one) = (s.builder.term(x), s.terms.bits(32, 1));
    let next = s.terms.add(term, one);
    s.builder.edge(body, head, Command::Assign(x, next), s.at, Event::Step);
    let mut terms = s.terms;
    let program = s.builder.finish(head, error);
    let inferred = pred_infer(&mut terms, &program, &[head], 5);
    // x == 100, and x == 99, x == 98 and so on before the increments.
    assert_eq!(inferred[&head].len(), 5);
    assert_eq!(inferred[&body].len(), 5);
}

/// Examples 1 and 4: without predicates L4 is reached, with those of the only branch it is not.
#[test]
fn the_running_example_is_proved_with_its_only_branch() {
    for name in ["magic", "magic-greedy", "magic-minimize"] {
        let (mut terms, program, _) = running_example();
        let (safe, statistics, iterations) = run(&mut terms, &program, &preset(name).unwrap().unwrap());
        assert!(safe, "{name}");
        assert_eq!((statistics.iterations, statistics.branches), (2, 1), "{name}");
        assert!(iterations[0].predicates.is_empty() && iterations[0].counterexample.is_some());
        assert!(iterations[1].counterexample.is_none());
    }
}

/// Section 1: a trace that p₁ or p₂ eliminates, and one that only p₂ does.
fn two_traces() -> (Terms, Program) {
    let mut s = Script::new();
    let (x, y) = (s.variable("x"), s.variable("y"));
    let [a, b, c, inner, outer, last, error] = s.locations();
    s.assign(a, b, x, 1);
    s.assign(b, c, y, 1);
    let (x_is_1, y_is_1) = (s.is(x, 1), s.is(y, 1));
    s.branch(c, x_is_1, outer, inner);
    s.branch(inner, y_is_1, outer, error);
    s.branch(outer, y_is_1, last, error);
    (s.terms, s.builder.finish(a, error))
}

/// *Sample-and-Eliminate* ends with p₂ alone, where the traditional refinement may keep both.
#[test]
fn a_minimum_replaces_what_was_chosen_first() {
    let (mut terms, program) = two_traces();
    let minimize = preset("magic-minimize").unwrap().unwrap();
    let (safe, statistics, _) = run(&mut terms, &program, &minimize);
    assert!(safe);
    assert_eq!(statistics.branches, 1);
}

/// The five ways to cut the combinations, and laziness, change the effort and not the verdict.
#[test]
fn every_way_to_minimize_proves_the_same() {
    let variants = [
        "[refinement]\nsource = \"pred-infer\"\nkeep = \"minimize\"\nmax-size = 1",
        "[refinement]\nsource = \"pred-infer\"\nkeep = \"minimize\"\nstop-at-size = false",
        "[refinement]\nsource = \"pred-infer\"\nkeep = \"minimize\"\nwithin-blocks = true",
        "[refinement]\nsource = \"pred-infer\"\nkeep = \"minimize\"\nrelated-only = false",
        "[refinement]\nsource = \"pred-infer\"\nkeep = \"minimize\"\nmax-sub = 1\nmax-elm = 1",
        "[refinement]\nsource = \"core-wp\"\nkeep = \"minimize\"",
        "[refinement]\nsource = \"core-sp\"\nkeep = \"minimize\"",
    ];
    for exploration in ["explicit", "boolean-program", "tree", "rings"] {
        for variant in variants {
            let text = format!(
                "summary = \"sbe\"\nsearches = [\"cegar\"]\nexploration = \"{exploration}\"\n{variant}"
            );
            let (mut terms, program) = two_traces();
            let (safe, _, _) = run(&mut terms, &program, &Strategy::from_toml(&text).unwrap());
            assert!(safe, "{text}");
        }
    }
}
