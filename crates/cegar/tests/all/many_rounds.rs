//! Many rounds of a loop at once, on random loops: whatever satisfies such a description is executed round by round, and comes
//! to what it says; and the search that uses them finds what an exploration of all states finds.

use crate::explicit::reaches_error;
use crate::generate::{Action, Cond, Expr, Random, TinyProgram};
use std::time::Duration;
use tamis_cegar::{Outcome, Silent, check, preset};
use tamis_evidence::replay;
use tamis_logic::{Model, Sort, Term, Terms, Value};
use tamis_program::{Builder, Command, EdgeId, Event, Havoc, Program, ProgramSystem, executed};
use tamis_solver::{Answer, Budget, Solver};
use tamis_system::{Accelerated, Candidates, Rounds, System};

/// A loop over three variables, with one or two paths of conditions, sums, remainders and inputs.
fn random_loop(terms: &mut Terms, random: &mut Random) -> Program {
    let mut b = Builder::new();
    let width = 3 + random.below(6) as u32;
    let variables: Vec<_> =
        ["x", "y", "z"].iter().map(|name| b.variable(terms, name, Sort::BitVec(width), None)).collect();
    let values: Vec<Term> = variables.iter().map(|&v| b.term(v)).collect();
    let [start, head, error] = [(); 3].map(|()| b.location(None));
    b.edge(start, head, Command::Assume(terms.tru()), None, Event::Step);
    for _ in 0..=random.below(2) {
        let mut at = head;
        for _ in 0..1 + random.below(4) {
            let target = variables[random.below(3) as usize];
            let command = match random.below(8) {
                0 => Command::Havoc(target, Havoc::Input("in".into())),
                1..=3 => Command::Assume(condition(terms, random, &values, 2)),
                _ => Command::Assign(target, sum(terms, random, &values, b.term(target))),
            };
            let next = b.location(None);
            b.edge(at, next, command, None, Event::Step);
            at = next;
        }
        let guard = condition(terms, random, &values, 1);
        b.edge(at, head, Command::Assume(guard), None, Event::Step);
    }
    // What is read at the end is live.
    let (xy, z) = (terms.add(values[0], values[1]), values[2]);
    b.edge(head, error, Command::Assume(terms.eq(xy, z)), None, Event::Step);
    b.finish(start, error)
}

/// A new value of a variable: mostly the old one and something.
fn sum(terms: &mut Terms, random: &mut Random, values: &[Term], old: Term) -> Term {
    let width = terms.width(old);
    let constant = terms.bits(width, u128::from(random.below(1_u64 << width)));
    let one = terms.bits(width, u128::from(random.below(3_u64)));
    let other = values[random.below(3) as usize];
    let added = [constant, one, one, other][random.below(4) as usize];
    match random.below(8) {
        0 => added,
        1 => terms.sub(old, added),
        2 => {
            let twice = terms.add(other, added);
            terms.add(old, twice)
        }
        _ => terms.add(old, added),
    }
}

fn condition(terms: &mut Terms, random: &mut Random, values: &[Term], depth: u32) -> Term {
    let (a, b) = (values[random.below(3) as usize], values[random.below(3) as usize]);
    let width = terms.width(a);
    let constant = terms.bits(width, u128::from(random.below(1_u64 << width)));
    let small = terms.bits(width, 2 + u128::from(random.below(3_u64)));
    let plain = match random.below(12) {
        0 if depth > 0 => {
            let parts = [(); 2].map(|()| condition(terms, random, values, depth - 1));
            if random.below(2) == 0 { terms.and(&parts) } else { terms.or(&parts) }
        }
        1 => terms.eq(a, constant),
        2 => terms.eq(a, b),
        3 => {
            let rest = if random.below(2) == 0 { terms.urem(a, small) } else { terms.srem(a, small) };
            let which = terms.bits(width, u128::from(random.below(3_u64)));
            terms.eq(rest, which)
        }
        4 => {
            let low = terms.extract(1, 0, a);
            let two = terms.bits(2, u128::from(random.below(4_u64)));
            terms.eq(low, two)
        }
        5 => {
            let wide = [terms.sign_extend(width + 3, a), terms.zero_extend(width + 3, b)];
            let limit = terms.bits(width + 3, u128::from(random.below(1_u64 << width)));
            let sum = terms.add(wide[0], wide[1]);
            if random.below(2) == 0 { terms.slt(sum, limit) } else { terms.ult(wide[0], sum) }
        }
        6 | 7 => terms.slt(a, constant),
        8 => terms.slt(a, b),
        9 => terms.ult(a, b),
        _ => terms.ult(a, constant),
    };
    if random.below(3) == 0 { terms.not(plain) } else { plain }
}

/// Executes the rounds that a model of a description describes one by one.
fn execute(terms: &Terms, program: &Program, live: &[Term], rounds: &Rounds<EdgeId>, model: &Model) {
    let mut state = model.clone();
    let count = terms.eval(rounds.count, model).as_bits().unsigned();
    for _ in 0..count {
        for (&edge, chosen) in rounds.path.iter().zip(&rounds.chosen) {
            match &program.edge(edge).command {
                Command::Assume(guard) => {
                    assert!(
                        terms.eval(*guard, &state).as_bool(),
                        "a guard fails: {}",
                        terms.to_smtlib(*guard)
                    );
                }
                Command::Assign(v, value) => state.set(program.term(*v), terms.eval(*value, &state)),
                Command::Havoc(..) => {
                    let &[(v, input)] = chosen.as_slice() else { panic!("an input without a value") };
                    state.set(v, terms.eval(input, model));
                }
            }
        }
    }
    for &v in live {
        let said = rounds.after.iter().find(|&&(changed, _)| changed == v).map_or(v, |&(_, value)| value);
        assert_eq!(
            terms.eval(v, &state),
            terms.eval(said, model),
            "after {count} rounds: {}",
            terms.to_smtlib(v)
        );
    }
}

/// Descriptions of random loops, each tried on several models; how many there were, and how many models.
fn try_descriptions(seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (mut descriptions, mut models) = (0, 0);
    for seed in seeds {
        let (mut terms, mut random) = (Terms::new(), Random::new(seed));
        let program = random_loop(&mut terms, &mut random);
        let system = ProgramSystem::new(&terms, &program);
        for rounds in system.rounds(&mut terms, &|| false) {
            descriptions += 1;
            let live = system.live(rounds.point);
            let inputs = rounds.chosen.iter().flatten().map(|&(_, input)| input);
            let wanted: Vec<Term> =
                system.state_variables().into_iter().chain(inputs).chain([rounds.count]).collect();
            let mut solver = Solver::new(&Budget::unlimited());
            rounds.condition.iter().for_each(|&c| solver.assert(&terms, c));
            // Enough for every variable to wrap around.
            let most = terms.bits(terms.width(rounds.count), 700);
            let few = terms.ule(rounds.count, most);
            solver.assert(&terms, few);
            for _ in 0..4 {
                if solver.check(&terms, &[]) != Ok(Answer::Sat) {
                    break;
                }
                let model = solver.model(&terms, &wanted);
                execute(&terms, &program, &live, &rounds, &model);
                models += 1;
                // Another number of rounds from another state.
                let moved: Vec<Term> = [rounds.count, wanted[random.below(3) as usize]]
                    .into_iter()
                    .map(|t| (t, model.get(t).cloned()))
                    .filter_map(|(t, value)| value.map(|value| (t, value)))
                    .map(|(t, value): (Term, Value)| {
                        let value = terms.value(value);
                        terms.ne(t, value)
                    })
                    .collect();
                moved.into_iter().for_each(|c| solver.assert(&terms, c));
            }
        }
    }
    (descriptions, models)
}

#[test]
fn many_rounds_are_so_many_single_rounds() {
    let (descriptions, models) = try_descriptions(0..100);
    assert!(descriptions > 50 && models > 100, "{descriptions} descriptions, {models} models");
}

/// To be run by hand.
#[test]
#[ignore = "takes minutes"]
fn many_rounds_of_many_loops_are_so_many_single_rounds() {
    println!("descriptions and models: {:?}", try_descriptions(10_000..110_000));
}

/// A loop in which variables are counted up and down by constants, on one of two paths, and an equation that is the error.
fn counting(random: &mut Random) -> TinyProgram {
    let variables = 2;
    let (head, taken) = (variables, variables + 1);
    let width = 4 + random.below(3_u64) as u32;
    let mut tiny =
        TinyProgram { width, variables, memory: false, locations: variables + 3, edges: Vec::new() };
    let constant = |random: &mut Random| Expr::Const(random.below(1_u64 << width) as u8);
    for v in 0..variables {
        tiny.edges.push((v, v + 1, Action::Assign(v, constant(random))));
    }
    let compare = |random: &mut Random| {
        let operator = ["==", "<", "<s"][random.below(3_u64) as usize];
        Cond::Compare(operator, Expr::Var(random.below(2_u64) as usize), constant(random))
    };
    let (stay, branch) = (compare(random), compare(random));
    let stay = if random.below(3_u64) == 0 { Cond::Not(Box::new(stay)) } else { stay };
    tiny.edges.push((head, taken, Action::Assume(stay)));
    for condition in [branch.clone(), Cond::Not(Box::new(branch))] {
        let [first, second] = [tiny.locations, tiny.locations + 1].map(|l| l - 1);
        tiny.locations += 2;
        let counted = |random: &mut Random, v: usize| {
            let by = [1, 1, 2, 3, 255][random.below(5_u64) as usize] & ((1_u32 << width) - 1);
            Action::Assign(v, Expr::Binary("+", Box::new(Expr::Var(v)), Box::new(Expr::Const(by as u8))))
        };
        tiny.edges.push((taken, first, Action::Assume(condition)));
        tiny.edges.push((first, second, counted(random, 0)));
        tiny.edges.push((second, head, counted(random, 1)));
    }
    let end = tiny.locations - 1;
    let bad = Cond::Compare("==", Expr::Var(random.below(2_u64) as usize), constant(random));
    tiny.edges.push((head, end, Action::Assume(bad)));
    tiny
}

/// Violations are found and replayed; where there is none, none is found.
fn search(seeds: std::ops::Range<u64>, safe: Duration, violated: Duration) -> [usize; 3] {
    let strategy = preset("accelerated").expect("there is one").expect("that can be read");
    let mut tally = [0; 3];
    for seed in seeds {
        let tiny = counting(&mut Random::new(seed));
        let mut terms = Terms::new();
        let program = tiny.build(&mut terms);
        let system = ProgramSystem::new(&terms, &program);
        let expected = reaches_error(&tiny);
        let budget = Budget::with_timeout(if expected { violated } else { safe });
        tally[usize::from(expected)] += 1;
        match check(&mut terms, &system, &strategy, &budget, &mut Silent).0 {
            Outcome::Unsafe(trace) => {
                assert!(expected, "a violation, seed {seed}: {tiny:#?}");
                replay(&terms, &program, &trace.initial, &executed(&trace.execution))
                    .expect("it is replayed");
                tally[2] += 1;
            }
            Outcome::Unknown(_) => {}
            Outcome::Exhausted(_) => assert!(!expected, "no violation, seed {seed}: {tiny:#?}"),
            other => panic!("a bounded search proves nothing else: {other:?}"),
        }
    }
    tally
}

#[test]
fn the_search_agrees_with_explicit_exploration() {
    let [safe, violated, found] = search(16_000..16_150, Duration::from_millis(160), Duration::from_secs(20));
    assert!(
        safe > 40 && violated > 15 && found > violated * 3 / 4,
        "{safe} safe, {found} of {violated} found"
    );
}

/// To be run by hand: 5,000 programs.
#[test]
#[ignore = "takes minutes"]
fn the_search_agrees_on_many_programs() {
    let [safe, violated, found] = search(70_000..75_000, Duration::from_millis(50), Duration::from_secs(5));
    println!("{safe} safe, {found} of {violated} found");
}
