//! An automaton of which nothing is said but what it does, verified by the loop: no file, no function, no type of a language.

use tamis_cegar::{KInduction, Outcome, Search, Silent, check, preset, preset_names};
use tamis_evidence::{
    Certificate, Exhaustion, certify, certify_exhausted, certify_k_inductive, exhaust, replay,
};
use tamis_logic::{Sort, Terms};
use tamis_program::{Builder, Command, Event, Havoc, Program, ProgramSystem, executed};
use tamis_solver::Budget;
use tamis_system::{Point, System};

/// Counts up to `limit` while an input says so; more than 3 is an error.
fn counter(terms: &mut Terms, limit: u128) -> Program {
    let mut b = Builder::new();
    let n = b.variable(terms, "n", Sort::BitVec(4), None);
    let go = b.variable(terms, "go", Sort::Bool, None);
    let [start, head, chosen, counting, error] = [(); 5].map(|()| b.location(None));
    let [zero, one, three, limit] = [0, 1, 3, limit].map(|value| terms.bits(4, value));
    let (n_term, go_term) = (b.term(n), b.term(go));
    let less = terms.ult(n_term, limit);
    for (from, to, command) in [
        (start, head, Command::Assign(n, zero)),
        (head, chosen, Command::Havoc(go, Havoc::Input("go".into()))),
        (chosen, counting, Command::Assume(terms.and2(go_term, less))),
        (chosen, head, Command::Assume(terms.not(go_term))),
        (counting, head, Command::Assign(n, terms.add(n_term, one))),
        (head, error, Command::Assume(terms.ult(three, n_term))),
    ] {
        b.edge(from, to, command, None, Event::Step);
    }
    b.finish(start, error)
}

#[test]
fn every_preset_decides_it_with_evidence() {
    let budget = Budget::unlimited();
    for name in preset_names() {
        let strategy = preset(name).expect("it is there").expect("it can be read");
        let summary = strategy.summary.parse().expect("a summary");
        // A bounded search of a loop without end and random walks prove nothing, and who guesses invariants finds no violation.
        let proves = ![[Search::Bounded], [Search::Unwind], [Search::Walks]]
            .iter()
            .any(|alone| strategy.searches == *alone);
        let refutes = strategy.searches != [Search::Invariants];
        let asked = |&(_, safe): &(u128, bool)| if safe { proves } else { refutes };
        for (limit, safe) in [(3, true), (4, false)].into_iter().filter(asked) {
            let mut terms = Terms::new();
            let program = counter(&mut terms, limit);
            let system = ProgramSystem::over(&terms, &program, summary);
            let checked = match check(&mut terms, &system, &strategy, &budget, &mut Silent).0 {
                Outcome::Safe(invariants) => {
                    let proof = Certificate { invariants: system.at_locations(&invariants) };
                    safe && certify(&mut terms, &program, &proof, &budget) == Ok(())
                }
                Outcome::Exhausted(steps) => {
                    let rounds = steps * program.locations().count();
                    safe && exhaust(&mut terms, &program, rounds, &budget).is_ok()
                }
                Outcome::Unwound(returns) => {
                    let proof = Exhaustion { last: returns.last, returns: returns.count };
                    safe && certify_exhausted(&mut terms, &program, &proof, &budget) == Ok(())
                }
                Outcome::Unsafe(trace) => {
                    !safe && replay(&terms, &program, &trace.initial, &executed(&trace.execution)).is_ok()
                }
                Outcome::KInductive(KInduction { k, simple_path, facts }) => {
                    let truth = terms.tru();
                    let points = (0..system.points() as u32).map(|p| (system.location(Point(p)), truth));
                    let stated = facts.map_or_else(|| points.collect(), |facts| system.at_locations(&facts));
                    let facts = Certificate { invariants: stated };
                    let proof = tamis_evidence::KInduction { k, simple_path, facts };
                    safe && certify_k_inductive(&mut terms, &program, &proof, &budget) == Ok(())
                }
                Outcome::Bounded(_) | Outcome::Unknown(_) => false,
            };
            assert!(checked, "{name}, up to {limit}");
        }
    }
}
