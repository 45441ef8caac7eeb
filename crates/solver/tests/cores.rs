//! Cores are unsatisfiable, minimised ones minimal, and the order given decides between them.

mod common;

use common::{Random, small_generator};
use tamis_logic::{Term, Terms};
use tamis_solver::{Answer, Budget, Solver};

fn satisfiable(terms: &Terms, formulas: &[Term]) -> bool {
    Solver::new(&Budget::unlimited()).check(terms, formulas) == Ok(Answer::Sat)
}

#[test]
fn minimised_cores_are_what_deletion_in_order_gives() {
    let mut random = Random::new(20);
    let mut minimised = 0;
    while minimised < 60 {
        let mut terms = Terms::new();
        let mut generator = small_generator(&mut terms, &mut random);
        let mut assumptions: Vec<Term> = (0..7).map(|_| generator.formula(3)).collect();
        let asserted = generator.formula(3);
        assumptions.retain(|&t| !terms.is_true(t) && !terms.is_false(t));
        let mut solver = Solver::new(&Budget::unlimited());
        solver.assert(&terms, asserted);
        if solver.check(&terms, &assumptions) != Ok(Answer::Unsat) {
            continue;
        }
        let core = solver.core().to_vec();
        assert!(core.iter().all(|t| assumptions.contains(t)));
        let with_asserted = |part: &[Term]| [&[asserted], part].concat();
        assert!(!satisfiable(&terms, &with_asserted(&core)));

        // The slow way: drop each element in turn.
        let mut expected = assumptions.clone();
        let mut i = 0;
        while i < expected.len() {
            let mut without = expected.clone();
            without.remove(i);
            if satisfiable(&terms, &with_asserted(&without)) { i += 1 } else { expected = without }
        }
        assert_eq!(solver.minimize_core(&terms, &assumptions), Ok(expected));

        let minimal = solver.minimize_core(&terms, &core).unwrap();
        assert!(!satisfiable(&terms, &with_asserted(&minimal)));
        for i in 0..minimal.len() {
            let mut without = minimal.clone();
            without.remove(i);
            assert!(satisfiable(&terms, &with_asserted(&without)), "not minimal");
        }
        minimised += usize::from(minimal.len() > 1);
    }
}

#[test]
fn contradicting_assumptions_are_their_core() {
    let mut t = Terms::new();
    let p = t.var("p", tamis_logic::Sort::Bool);
    let q = t.var("q", tamis_logic::Sort::Bool);
    let not_p = t.not(p);
    let mut solver = Solver::new(&Budget::unlimited());
    assert_eq!(solver.check(&t, &[q, p, p, not_p]), Ok(Answer::Unsat));
    assert_eq!(solver.core(), [p, not_p]);
    assert_eq!(solver.check(&t, &[q, p]), Ok(Answer::Sat));
}
