//! Cutsets, blocks and path conditions on small automata.

use tamis_logic::{Bits, Model, Terms, Value};
use tamis_program::{
    Builder, Command, EdgeId, Event, Havoc, IntType, Liveness, Location, Program, ProgramSystem, Source,
    State, Summary, Var, encode,
};
use tamis_system::{GuardId, System};

/// An automaton under construction, with one byte-sized variable for each name.
struct Automaton {
    terms: Terms,
    builder: Builder,
    at: Source,
    locations: Vec<Location>,
    variables: Vec<Var>,
}

impl Automaton {
    fn new(locations: usize, variables: &[&str]) -> Automaton {
        let (mut terms, mut builder) = (Terms::new(), Builder::new());
        let (file, main) = (builder.file("test.c"), builder.frame("main", None));
        let ty = IntType { bits: 8, signed: false };
        let variables = variables.iter().map(|v| builder.variable(&mut terms, v, ty, Some(main))).collect();
        let locations = (0..locations).map(|_| builder.location(main)).collect();
        Automaton { terms, builder, at: Source { file, line: 1, column: 1 }, locations, variables }
    }

    fn edge(&mut self, from: usize, to: usize, command: Command) -> EdgeId {
        self.builder.edge(self.locations[from], self.locations[to], command, self.at, Event::Step)
    }

    fn skip(&mut self, from: usize, to: usize) -> EdgeId {
        let truth = self.terms.tru();
        self.edge(from, to, Command::Assume(truth))
    }

    fn finish(self) -> (Terms, Program, Vec<Location>, Vec<Var>) {
        let error = *self.locations.last().expect("a location");
        (self.terms, self.builder.finish(self.locations[0], error), self.locations, self.variables)
    }
}

/// Three nested loops, as in [SUM] Fig. 5: the cutset is the entry, the exit and the three loop heads.
#[test]
fn nested_loops_are_cut_at_their_heads() {
    let mut a = Automaton::new(10, &[]);
    for (from, to) in
        [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 5), (5, 7), (7, 3), (3, 8), (8, 1), (1, 9)]
    {
        a.skip(from, to);
    }
    let (_, program, locations, _) = a.finish();
    let cutset: Vec<usize> = Summary::new(&program)
        .cutpoints()
        .iter()
        .map(|c| locations.iter().position(|l| l == c).unwrap())
        .collect();
    assert_eq!(cutset, [0, 1, 3, 5, 9]);
}

/// A loop with two entries has no single head, but every cycle is cut.
#[test]
fn irreducible_loops_are_cut() {
    let mut a = Automaton::new(5, &[]);
    for (from, to) in [(0, 1), (0, 2), (1, 2), (2, 1), (1, 3), (3, 4)] {
        a.skip(from, to);
    }
    let (_, program, locations, _) = a.finish();
    let summary = Summary::new(&program);
    let inner = |b: &tamis_program::Block| b.inner.iter().map(|&(l, _)| l).collect::<Vec<_>>();
    assert_eq!(summary.cutpoints().len(), 3);
    for block in summary.blocks() {
        // Topological: no edge of the block leads back.
        let order = inner(block);
        for e in block.edges() {
            let edge = program.edge(e);
            let place = |l: Location| order.iter().position(|&o| o == l);
            if let (Some(from), Some(to)) = (place(edge.from), place(edge.to)) {
                assert!(from < to);
            }
        }
    }
    assert!(locations.len() == 5);
}

#[test]
fn what_cannot_reach_the_error_is_left_out() {
    let mut a = Automaton::new(5, &[]);
    // 1 loops on itself over 2, from which nothing leads to the error.
    for (from, to) in [(0, 1), (1, 2), (2, 2), (0, 3), (3, 4)] {
        a.skip(from, to);
    }
    let (_, program, _, _) = a.finish();
    let summary = Summary::new(&program);
    assert_eq!(summary.cutpoints().len(), 2);
    assert_eq!(summary.blocks().len(), 1);
    assert_eq!(summary.blocks()[0].edges().count(), 2);
}

/// A diamond that adds 1 or 10 to `x` on a choice of the environment: the formula has both, and nothing else.
#[test]
fn a_block_is_all_its_paths() {
    let mut a = Automaton::new(5, &["x", "c"]);
    let (x, c) = (a.variables[0], a.variables[1]);
    let (x_term, c_term) = (a.builder.term(x), a.builder.term(c));
    let (one, ten) = (a.terms.bits(8, 1), a.terms.bits(8, 10));
    let nonzero = a.terms.nonzero(c_term);
    let zero = a.terms.not(nonzero);
    let (plus_one, plus_ten) = (a.terms.add(x_term, one), a.terms.add(x_term, ten));
    a.edge(0, 1, Command::Havoc(c, Havoc::Input("c".into())));
    a.edge(1, 2, Command::Assume(nonzero));
    a.edge(1, 3, Command::Assume(zero));
    a.edge(2, 4, Command::Assign(x, plus_one));
    a.edge(3, 4, Command::Assign(x, plus_ten));
    let (mut terms, program, _, _) = a.finish();
    let summary = Summary::new(&program);
    let block = &summary.blocks()[0];
    let live = Liveness::new(&terms, &program);
    let mut encoded = encode(&mut terms, &program, &live, block, &State::symbolic(&program));
    let after = encoded.post.value(&mut terms, &program, x);
    let formula = terms.and(&encoded.constraints);
    let vars = encoded.free_vars(&terms);
    // `x` is dead at the error, so its value there is open; its value on each path is still in the execution.
    assert!(!live.is_live(block.to, x) && terms.is_var(after));
    let mut paths = Vec::new();
    for value in [0, 7] {
        let mut model = Model::new();
        for &v in &vars {
            let value = match terms.sort(v) {
                tamis_logic::Sort::BitVec(width) => Value::Bits(Bits::new(width, value)),
                _ => Value::Bool(true),
            };
            model.set(v, value);
        }
        assert!(terms.eval(formula, &model).as_bool());
        let path = encoded.execution(&terms, &program, block, &model).expect("an execution");
        paths.push(path.len());
        assert_eq!(path[0].1, Some(Value::Bits(Bits::new(8, value))));
    }
    assert_eq!(paths, [3, 3]);
}

/// x := x + 1; assume x = 5; havoc x; assume x = y: the first guard is x = 4 before, the second input = y.
#[test]
fn path_conditions_are_weakest_preconditions() {
    let mut a = Automaton::new(5, &["x", "y"]);
    let (x, y) = (a.variables[0], a.variables[1]);
    let (x_term, y_term) = (a.builder.term(x), a.builder.term(y));
    let (one, four, five) = (a.terms.bits(8, 1), a.terms.bits(8, 4), a.terms.bits(8, 5));
    let (next, is_five, same) =
        (a.terms.add(x_term, one), a.terms.eq(x_term, five), a.terms.eq(x_term, y_term));
    let path = [
        a.edge(0, 1, Command::Assign(x, next)),
        a.edge(1, 2, Command::Assume(is_five)),
        a.edge(2, 3, Command::Havoc(x, Havoc::Input("x".into()))),
        a.edge(3, 4, Command::Assume(same)),
    ];
    let (mut terms, program, _, _) = a.finish();
    let condition = ProgramSystem::new(&terms, &program).guards(&mut terms, &path);
    let [input] = condition.inputs[..] else { panic!("one input: {:?}", condition.inputs) };
    let guard = |edge| GuardId { edge, index: 0 };
    assert_eq!(condition.guards, [(guard(1), terms.eq(x_term, four)), (guard(3), terms.eq(input, y_term))]);
}
