//! Evidence for an automaton of which nothing is said but what it does: no file, no function, no type of a language.

use tamis_evidence::{Certificate, Rejection, certify, replay, tidy, vacuity};
use tamis_logic::{Model, Sort, Terms, Value};
use tamis_program::{Builder, Command, Event, Havoc, Location, Program, Simplified, Var, simplify};
use tamis_solver::Budget;

/// A register that counts up to `limit` while an input of one bit says so, and memory that keeps what was counted.
fn counter(terms: &mut Terms, limit: u128) -> (Program, Location, Var) {
    let memory = terms.array_sort(Sort::BitVec(8), Sort::BitVec(8));
    let mut b = Builder::new();
    let n = b.variable(terms, "n", Sort::BitVec(8), None);
    let go = b.variable(terms, "go", Sort::Bool, None);
    let seen = b.variable(terms, "seen", memory, None);
    let [start, head, chosen, counting, error] = [(); 5].map(|()| b.location(None));
    let [zero, one, limit, ten] = [0, 1, limit, 10].map(|value| terms.bits(8, value));
    let (n_term, go_term, seen_term) = (b.term(n), b.term(go), b.term(seen));
    let (less, stays) = (terms.ult(n_term, limit), terms.not(go_term));
    let counts = terms.and2(go_term, less);
    let kept = terms.store(seen_term, n_term, one);
    let next = b.location(None);
    for (from, to, command) in [
        (start, head, Command::Assign(n, zero)),
        (head, chosen, Command::Havoc(go, Havoc::Input("go".into()))),
        (chosen, head, Command::Assume(stays)),
        (chosen, counting, Command::Assume(counts)),
        (counting, next, Command::Assign(seen, kept)),
        (next, head, Command::Assign(n, terms.add(n_term, one))),
        (head, error, Command::Assume(terms.ult(ten, n_term))),
    ] {
        b.edge(from, to, command, None, Event::Step);
    }
    (b.finish(start, error), head, n)
}

#[test]
fn a_proof_is_checked() {
    let (mut terms, budget) = (Terms::new(), Budget::unlimited());
    let (program, head, n) = counter(&mut terms, 10);
    let eleven = terms.bits(8, 11);
    let invariant = terms.ult(program.term(n), eleven);
    let proof = Certificate { invariants: vec![(head, invariant)] };
    assert_eq!(certify(&mut terms, &program, &proof, &budget), Ok(()));
    let tidied = tidy(&mut terms, &program, &proof, &budget).expect("no limit").expect("inductive");
    assert_eq!(tidied.invariants, proof.invariants);
    let nothing = Certificate { invariants: vec![(head, terms.tru())] };
    let Err(rejection) = certify(&mut terms, &program, &nothing, &budget) else { panic!("no proof") };
    assert!(matches!(rejection, Rejection::Consecution { .. } | Rejection::Safety(_)), "{rejection:?}");
    assert!(!rejection.describe(&program).is_empty());
}

#[test]
fn simplification_keeps_a_proof() {
    let (mut terms, budget) = (Terms::new(), Budget::unlimited());
    let (program, _, n) = counter(&mut terms, 10);
    let simplified = simplify(&program, &mut terms);
    // Memory is never read.
    assert!(simplified.program.edges().len() < program.edges().len());
    let heads: Vec<Location> = tamis_program::back_edges(&simplified.program)
        .into_iter()
        .map(|e| simplified.program.edge(e).to)
        .collect();
    let eleven = terms.bits(8, 11);
    let invariant = terms.ult(program.term(n), eleven);
    let proof = Certificate { invariants: heads.iter().map(|&l| (l, invariant)).collect() };
    assert_eq!(certify(&mut terms, &simplified.program, &proof, &budget), Ok(()));
    assert!(vacuity(&mut terms, &program, &Simplified::unchanged(&program), &[], &budget).is_empty());
}

#[test]
fn a_violation_is_replayed() {
    let mut terms = Terms::new();
    let (program, head, _) = counter(&mut terms, 11);
    let edges: Vec<_> = program.edge_ids().collect();
    let on = Some(Value::Bool(true));
    let mut execution = vec![(edges[0], None)];
    for _ in 0..11 {
        execution.extend([(edges[1], on.clone()), (edges[3], None), (edges[4], None), (edges[5], None)]);
    }
    execution.push((edges[6], None));
    assert_eq!(program.edge(edges[6]).from, head);
    let replayed = replay(&terms, &program, &Model::new(), &execution);
    assert!(replayed.is_ok_and(|replay| replay.approximated.is_empty()));
    execution.drain(1..5);
    assert!(replay(&terms, &program, &Model::new(), &execution).is_err());
}
