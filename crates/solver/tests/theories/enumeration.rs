//! Enumeration against one question for each minterm.

use super::generate::{Generator, LOGICS, Random};
use std::collections::BTreeSet;
use tamis_logic::{Term, Terms};
use tamis_solver::{Answer, Budget, Cube, Enumeration, Solver, Strategy};

fn by_questions(t: &mut Terms, formulas: &[Term], important: &[Term]) -> BTreeSet<Vec<bool>> {
    let mut found = BTreeSet::new();
    for number in 0..1 << important.len() {
        let minterm: Vec<bool> = (0..important.len()).map(|i| number >> i & 1 == 1).collect();
        let mut question = formulas.to_vec();
        for (&p, &value) in important.iter().zip(&minterm) {
            question.push(if value { p } else { t.not(p) });
        }
        if Solver::new(&Budget::unlimited()).check(t, &question) == Ok(Answer::Sat) {
            found.insert(minterm);
        }
    }
    found
}

#[test]
fn every_projected_model_exactly_once_in_every_logic() {
    let mut models = 0;
    for logic in LOGICS {
        let mut random = Random(77);
        for round in 0..12 {
            let mut t = Terms::new();
            let mut generator = Generator::new(&mut t, &mut random, logic);
            let formulas: Vec<Term> = (0..2).map(|_| generator.formula(3)).collect();
            let important: Vec<Term> = (0..4).map(|_| generator.atom(2)).collect();
            let expected = by_questions(&mut t, &formulas, &important);
            for strategy in [Strategy::InSearch, Strategy::Naive, Strategy::BlackBox] {
                let mut solver = Solver::new(&Budget::unlimited());
                solver.assert(&t, formulas[0]);
                let before = solver.check(&t, &formulas[1..]);
                let mut found = BTreeSet::new();
                let done = solver.enumerate_by(strategy, &t, &formulas[1..], &important, &mut |model| {
                    assert!(found.insert(model.to_vec()), "found twice");
                    Cube::Minterm
                });
                assert_eq!(found, expected, "{logic:?}, {strategy:?}, round {round}");
                let count = expected.len() as u64;
                assert_eq!(done, Ok(Enumeration { models: count, duplicates: 0, complete: true }));
                assert_eq!(solver.check(&t, &formulas[1..]), before, "after {logic:?}, {strategy:?}");
            }
            models += expected.len();
        }
    }
    assert!(models > 300, "{models} models test too little");
}
