//! The worked examples of the papers: [MIN] Examples 1 to 4 with Fig. 1, [SUM] Example 1 with Fig. 2, and Fig. 5.

use std::collections::BTreeSet;
use tamis_logic::{Model, Sort, Term, Terms, Value};
use tamis_program::{
    Builder, Command, EdgeId, Event, IntType, Liveness, Location, Program, Source, Summary, SummaryKind, Var,
    edge_query, weakest_precondition,
};
use tamis_solver::{Answer, Budget, Solver};

struct Example {
    terms: Terms,
    builder: Builder,
    locations: Vec<Location>,
    at: Source,
}

impl Example {
    fn new(locations: usize) -> Example {
        let mut builder = Builder::new();
        let (file, main) = (builder.file("paper.c"), builder.frame("main", None));
        let locations = (0..locations).map(|_| builder.location(main)).collect();
        Example { terms: Terms::new(), builder, locations, at: Source { file, line: 1, column: 1 } }
    }

    fn int(&mut self, name: &str) -> (Var, Term) {
        let v = self.builder.variable(&mut self.terms, name, IntType { bits: 32, signed: true }, None);
        (v, self.builder.term(v))
    }

    fn number(&mut self, value: u128) -> Term {
        self.terms.bits(32, value)
    }

    fn edge(&mut self, from: usize, to: usize, command: Command) -> EdgeId {
        self.builder.edge(self.locations[from], self.locations[to], command, self.at, Event::Step)
    }

    fn skip(&mut self, from: usize, to: usize) -> EdgeId {
        let truth = self.terms.tru();
        self.edge(from, to, Command::Assume(truth))
    }
}

/// The running example of [MIN] section 2.1: states L0 to L4 and `final`, in Fig. 1(a).
struct Min {
    terms: Terms,
    program: Program,
    locations: Vec<Location>,
    x: Term,
    y: Term,
}

const FINAL: usize = 5;

fn min_example() -> Min {
    let mut e = Example::new(6);
    let ((x, x_term), (y, y_term)) = (e.int("x"), e.int("y"));
    let (one, two) = (e.number(1), e.number(2));
    let same = e.terms.eq(x_term, y_term);
    let different = e.terms.not(same);
    e.edge(0, 1, Command::Assign(x, one));
    e.edge(1, 2, Command::Assign(y, one));
    e.edge(2, 3, Command::Assume(same));
    e.edge(2, 4, Command::Assume(different));
    e.edge(3, FINAL, Command::Assign(y, one));
    e.edge(4, FINAL, Command::Assign(y, two));
    let program = e.builder.finish(e.locations[0], e.locations[FINAL]);
    Min { terms: e.terms, program, locations: e.locations, x: x_term, y: y_term }
}

impl Min {
    /// PredInfer of Fig. 2 for a program without loops, where it ends: the branch conditions and their weakest
    /// preconditions, trivial ones left out.
    fn infer(&mut self) -> Vec<Vec<Term>> {
        let mut predicates: Vec<Vec<Term>> = vec![Vec::new(); self.locations.len()];
        loop {
            let before = predicates.clone();
            for (i, &l) in self.locations.clone().iter().enumerate() {
                for &e in self.program.outgoing(l) {
                    let edge = self.program.edge(e).clone();
                    let to = self.locations.iter().position(|&t| t == edge.to).expect("there is one");
                    let mut found: Vec<Term> = match &edge.command {
                        // A branch: its condition, as a predicate and not its complement, and what is behind it.
                        Command::Assume(_) => before[to].clone(),
                        assignment => before[to]
                            .iter()
                            .filter_map(|&p| {
                                weakest_precondition(&mut self.terms, &self.program, assignment, p)
                            })
                            .collect(),
                    };
                    if let Command::Assume(guard) = edge.command {
                        found.extend(self.terms.atoms(guard));
                    }
                    found.retain(|&p| !self.terms.is_constant(p));
                    predicates[i].extend(found);
                    predicates[i].sort_unstable();
                    predicates[i].dedup();
                }
            }
            if predicates == before {
                return predicates;
            }
        }
    }
}

#[test]
fn min_example_1_the_states_of_the_automaton() {
    let m = min_example();
    let next = |i: usize| {
        let to = m.program.outgoing(m.locations[i]).iter().map(|&e| m.program.edge(e).to);
        to.map(|t| m.locations.iter().position(|&l| l == t).expect("there is one")).collect::<Vec<_>>()
    };
    assert_eq!(
        (0..6).map(next).collect::<Vec<_>>(),
        [vec![1], vec![2], vec![3, 4], vec![5], vec![5], vec![]]
    );
}

#[test]
fn min_example_2_predicates_by_weakest_preconditions() {
    let mut m = min_example();
    let predicates = m.infer();
    let one = m.terms.bits(32, 1);
    let (same, x_is_1) = (m.terms.eq(m.x, m.y), m.terms.eq(m.x, one));
    assert_eq!(predicates, [vec![], vec![x_is_1], vec![same], vec![], vec![], vec![]]);
}

/// Γ of a valuation is the conjunction of the predicates and complements that it says.
fn concretization(terms: &mut Terms, predicates: &[Term], valuation: usize) -> Term {
    let literals: Vec<Term> = predicates
        .iter()
        .enumerate()
        .map(|(i, &p)| if valuation >> i & 1 == 1 { p } else { terms.not(p) })
        .collect();
    terms.and(&literals)
}

#[test]
fn min_example_3_concretization_of_valuations() {
    let mut terms = Terms::new();
    let int = |terms: &mut Terms, name: &str| terms.var(name, Sort::BitVec(32));
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| int(&mut terms, name));
    let (zero, five) = (terms.bits(32, 0), terms.bits(32, 5));
    let predicates = [terms.eq(a, zero), terms.slt(five, b), terms.slt(c, d)];
    // The first predicate is the lowest bit: {0, 1, 1} and {1, 0, 1}.
    let (v1, v2) =
        (concretization(&mut terms, &predicates, 0b110), concretization(&mut terms, &predicates, 0b101));
    let value = |n: u128| Value::Bits(tamis_logic::Bits::new(32, n));
    let at = |values: [u128; 4]| -> Model {
        [a, b, c, d].into_iter().zip(values).map(|(var, n)| (var, value(n))).collect()
    };
    assert!(terms.eval(v1, &at([1, 6, 2, 3])).as_bool());
    assert!(!terms.eval(v1, &at([0, 6, 2, 3])).as_bool());
    assert!(terms.eval(v2, &at([0, 5, 2, 3])).as_bool());
    assert!(!terms.eval(v2, &at([0, 6, 2, 3])).as_bool());
}

fn admissible(terms: &mut Terms, a: Term, b: Term) -> bool {
    let mut solver = Solver::new(&Budget::unlimited());
    let both = terms.and2(a, b);
    solver.assert(terms, both);
    solver.check(terms, &[]).expect("no limit") == Answer::Sat
}

#[test]
fn min_example_4_the_abstract_model_proves_l4_unreachable() {
    let mut m = min_example();
    let predicates = m.infer();
    let mut reached: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut transitions = BTreeSet::new();
    let mut pending = vec![(0, 0)];
    while let Some((i, v)) = pending.pop() {
        if !reached.insert((i, v)) {
            continue;
        }
        let here = concretization(&mut m.terms, &predicates[i], v);
        for &e in m.program.outgoing(m.locations[i]) {
            let edge = m.program.edge(e).clone();
            let j = m.locations.iter().position(|&l| l == edge.to).expect("there is one");
            for w in 0..1 << predicates[j].len() {
                let there = concretization(&mut m.terms, &predicates[j], w);
                let passes = match &edge.command {
                    Command::Assume(c) => {
                        admissible(&mut m.terms, here, there) && admissible(&mut m.terms, here, *c)
                    }
                    assignment => {
                        let wp = weakest_precondition(&mut m.terms, &m.program, assignment, there);
                        admissible(&mut m.terms, here, wp.expect("nothing is chosen here"))
                    }
                };
                if passes {
                    transitions.insert(((i, v), (j, w)));
                    pending.push((j, w));
                }
            }
        }
    }
    // Fig. 1(c): from (L0, ⊥) to (L1, TRUE) and not to (L1, FALSE), and on to (L2, TRUE), L3 and final.
    assert!(transitions.contains(&((0, 0), (1, 1))) && !transitions.contains(&((0, 0), (1, 0))));
    assert_eq!(reached, [(0, 0), (1, 1), (2, 1), (3, 0), (FINAL, 0)].into_iter().collect());
}

/// [SUM] Fig. 2: `x = 0; while (…) { y = 0; while (y < x) y++; x++; }`, with the locations of Fig. 2(c).
struct Sum {
    terms: Terms,
    program: Program,
    locations: Vec<Location>,
    x: (Var, Term),
    y: (Var, Term),
}

fn sum_example() -> Sum {
    let mut e = Example::new(6);
    let (x, y) = (e.int("x"), e.int("y"));
    let (zero, one) = (e.number(0), e.number(1));
    let (x_next, y_next) = (e.terms.add(x.1, one), e.terms.add(y.1, one));
    let below = e.terms.slt(y.1, x.1);
    let not_below = e.terms.not(below);
    e.edge(0, 1, Command::Assign(x.0, zero));
    e.edge(1, 2, Command::Assign(y.0, zero));
    e.edge(2, 3, Command::Assume(below));
    e.edge(3, 2, Command::Assign(y.0, y_next));
    e.edge(2, 4, Command::Assume(not_below));
    e.edge(4, 1, Command::Assign(x.0, x_next));
    e.skip(1, 5);
    let program = e.builder.finish(e.locations[0], e.locations[5]);
    Sum { terms: e.terms, program, locations: e.locations, x, y }
}

#[test]
fn sum_example_1_the_query_of_the_inner_loop() {
    let mut s = sum_example();
    let summary = Summary::new(&s.program);
    let cutset: Vec<usize> = summary
        .cutpoints()
        .iter()
        .map(|c| s.locations.iter().position(|l| l == c).expect("there is one"))
        .collect();
    assert_eq!(cutset, [0, 1, 2, 5]);
    let two = s.locations[2];
    let block = summary.blocks().iter().find(|b| b.from == two && b.to == two).expect("the inner loop");
    let live = Liveness::new(&s.terms, &s.program);
    let mut query = edge_query(&mut s.terms, &s.program, &live, block);
    let terms = &mut s.terms;
    // A: y₀ = y + 1. CFG: y < x; both locations are entered by one edge, and so need no variable.
    let y0 = query.post.value(terms, &s.program, s.y.0);
    let one = terms.bits(32, 1);
    let next = terms.add(s.y.1, one);
    assert_eq!(query.constraints, [terms.eq(y0, next), terms.slt(s.y.1, s.x.1)]);
    // Dst reads y₀ and x.
    let zero = terms.bits(32, 0);
    let [y_negative, x_negative] = [s.y.1, s.x.1].map(|var| terms.slt(var, zero));
    assert_eq!(query.post.read(terms, &s.program, y_negative), terms.slt(y0, zero));
    assert_eq!(query.post.read(terms, &s.program, x_negative), x_negative);
}

/// Three nested loops with 10 locations, back-edge cutset {0, 9, 1, 3, 5} and a rule summary of 7 locations, as
/// [SUM] Fig. 5 has them: jumps out of the inner loops meet the regular exits at 7 and 8. The exact edges are ours.
#[test]
fn sum_figure_5_the_back_edge_summary_is_smaller_than_the_rule_summary() {
    let mut e = Example::new(10);
    for (from, to) in [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 4),
        (4, 5),
        (5, 6),
        (6, 5),
        (5, 7),
        (3, 7),
        (7, 3),
        (7, 8),
        (1, 8),
        (8, 1),
        (8, 9),
    ] {
        e.skip(from, to);
    }
    let program = e.builder.finish(e.locations[0], e.locations[9]);
    let locations = |kind| {
        let summary = Summary::of_kind(&program, kind);
        let place = |c: &Location| e.locations.iter().position(|l| l == c).expect("there is one");
        summary.cutpoints().iter().map(place).collect::<Vec<_>>()
    };
    assert_eq!(locations(SummaryKind::Cutset), [0, 1, 3, 5, 9]);
    assert_eq!(locations(SummaryKind::Rule), [0, 1, 3, 5, 7, 8, 9]);
    assert_eq!(locations(SummaryKind::MinimumCutset).len(), 5);
}
