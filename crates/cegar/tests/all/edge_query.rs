//! The abstraction of an edge of a summary: [SUM] Example 1, and the same by going through all values.

use tamis_diagram::Diagrams;
use tamis_logic::{Bits, Model, Term, Terms, Value};
use tamis_paq::{AllSat, Context, Engine, Predicate};
use tamis_program::{Builder, Command, Event, Havoc, IntType, Program, ProgramSystem, Source};
use tamis_solver::{Budget, Solver};
use tamis_system::{Point, StepId, System};

const BITS: u32 = 4;

/// `y = 0; while (y < x) y++;` with signed variables of few bits, followed by the error.
fn counting_loop(terms: &mut Terms) -> (Program, Term, Term) {
    let mut b = Builder::new();
    let (file, main) = (b.file("loop.c"), b.frame("main", None));
    let at = Source { file, line: 1, column: 1 };
    let ty = IntType { bits: BITS, signed: true };
    let (x, y) = (b.variable(terms, "x", ty, Some(main)), b.variable(terms, "y", ty, Some(main)));
    let (x_term, y_term) = (b.term(x), b.term(y));
    let [start, init, head, body, error] = std::array::from_fn(|_| b.location(main));
    let (zero, one) = (terms.bits(BITS, 0), terms.bits(BITS, 1));
    let below = terms.slt(y_term, x_term);
    let not_below = terms.not(below);
    let next = terms.add(y_term, one);
    b.edge(start, init, Command::Havoc(x, Havoc::Input("x".into())), at, Event::Step);
    b.edge(init, head, Command::Assign(y, zero), at, Event::Step);
    b.edge(head, body, Command::Assume(below), at, Event::Branch(true));
    b.edge(body, head, Command::Assign(y, next), at, Event::Step);
    b.edge(head, error, Command::Assume(not_below), at, Event::Branch(false));
    (b.finish(start, error), x_term, y_term)
}

#[test]
fn the_loop_body_is_abstracted_as_a_relation() {
    let mut terms = Terms::new();
    let (program, x, y) = counting_loop(&mut terms);
    let system = ProgramSystem::new(&terms, &program);
    let head = Point(1);
    let is_body = |s: &&usize| system.steps()[**s].from == head && system.steps()[**s].to == head;
    let body =
        StepId((0..system.steps().len()).collect::<Vec<_>>().iter().find(is_body).copied().unwrap() as u32);
    let mut formula = system.encode(&mut terms, body, &system.symbolic());
    let zero = terms.bits(BITS, 0);
    let before = [terms.slt(y, zero), terms.slt(x, zero)];
    let after = before.map(|p| system.read(&mut terms, &mut formula.post, p));

    let mut solver = Solver::new(&Budget::unlimited());
    formula.constraints.iter().for_each(|&c| solver.assert(&terms, c));
    let mut diagrams = Diagrams::new(1 << 12);
    let predicates: Vec<Predicate> = before
        .iter()
        .chain(&after)
        .map(|&formula| Predicate { formula, var: diagrams.new_var().unwrap() })
        .collect();
    let mut context = Context {
        terms: &mut terms,
        diagrams: &mut diagrams,
        solver: &mut solver,
        formula: &formula.constraints,
    };
    let relation = AllSat.abstraction(&mut context, &[], &predicates).unwrap().function;

    let mut expected = Vec::new();
    for (a, b) in (0..16u128).flat_map(|a| (0..16u128).map(move |b| (a, b))) {
        let (vx, vy) = (Bits::new(BITS, a), Bits::new(BITS, b));
        if vy.slt(&vx) {
            let next = vy.add(&Bits::one(BITS));
            let values = [vy.is_negative(), vx.is_negative(), next.is_negative(), vx.is_negative()];
            expected.push(predicates.iter().zip(values).map(|(p, v)| (p.var, v)).collect());
        }
        // The predicates before the step are over the program's own variables.
        let model: Model = [(x, Value::Bits(vx)), (y, Value::Bits(vy.clone()))].into_iter().collect();
        assert_eq!(terms.eval(before[0], &model).as_bool(), vy.is_negative());
    }
    assert_eq!(relation, diagrams.union_of_cubes(&expected).unwrap());
}
