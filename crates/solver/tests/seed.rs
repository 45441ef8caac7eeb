//! Seeds: they change no answer, and the same one makes the same search.

use tamis_logic::{Sort, Terms};
use tamis_solver::{Answer, Budget, Solver, Stats};

/// Factors of a number, with a new seed before each check if one is given; the factor found and what was counted.
fn factor(seeds: &[u32]) -> (u128, Stats) {
    let mut t = Terms::new();
    let (x, y) = (t.var("x", Sort::BitVec(24)), t.var("y", Sort::BitVec(24)));
    let product = t.mul(x, y);
    let (number, root, one) = (t.bits(24, 2011 * 3001), t.bits(24, 4096), t.bits(24, 1));
    let mut solver = Solver::new(&Budget::unlimited());
    let is_number = t.eq(product, number);
    solver.assert(&t, is_number);
    for factor in [x, y] {
        let (small, real) = (t.ult(factor, root), t.ult(one, factor));
        solver.assert(&t, small);
        solver.assert(&t, real);
    }
    let ordered = t.ult(x, y);
    let mut found = 0;
    for &seed in seeds {
        solver.set_seed(seed);
        assert_eq!(solver.check(&t, &[ordered]), Ok(Answer::Sat));
        found = solver.value(&t, x).as_bits().unsigned();
    }
    let same = t.eq(x, y);
    assert_eq!(solver.check(&t, &[same]), Ok(Answer::Unsat));
    assert_eq!(solver.core(), [same]);
    let stats = Stats { time: std::time::Duration::ZERO, ..solver.stats().clone() };
    (found, stats)
}

#[test]
fn the_same_seeds_make_the_same_search() {
    for seeds in [&[0][..], &[7], &[7, 0, 7, u32::MAX]] {
        let (first, second) = (factor(seeds), factor(seeds));
        assert_eq!(first.0, 2011);
        assert_eq!(first, second);
    }
}
