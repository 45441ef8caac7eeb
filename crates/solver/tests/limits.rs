//! Searches end when they are told to, and deep terms cost no stack.

use std::time::{Duration, Instant};
use tamis_logic::{Sort, Term, Terms};
use tamis_solver::{Answer, Budget, Cube, Solver, Stop};

/// The prime 2^61 - 1 is the product of two numbers of 32 bits: easy to say, and out of reach of any search over bits.
fn factors_of_a_prime(t: &mut Terms) -> Term {
    let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::BitVec(32)));
    let [x, y] = [x, y].map(|factor| t.zero_extend(64, factor));
    let (product, prime) = (t.mul(x, y), t.bits(64, (1 << 61) - 1));
    t.eq(product, prime)
}

const GENEROUS: Duration = Duration::from_secs(5);

#[test]
fn a_search_ends_when_it_is_cancelled_from_another_thread() {
    let mut t = Terms::new();
    let hard = factors_of_a_prime(&mut t);
    let budget = Budget::unlimited();
    let mut solver = Solver::new(&budget);
    solver.assert(&t, hard);
    let canceller = budget.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        canceller.cancel(Stop::Cancelled);
        Instant::now()
    });
    assert_eq!(solver.check(&t, &[]), Err(Stop::Cancelled));
    let cancelled = thread.join().unwrap();
    assert!(cancelled.elapsed() < GENEROUS, "took {:?} to notice", cancelled.elapsed());
    assert_eq!(solver.check(&t, &[]), Err(Stop::Cancelled), "once stopped, stopped for good");
}

#[test]
fn a_search_ends_at_its_deadline() {
    let mut t = Terms::new();
    let hard = factors_of_a_prime(&mut t);
    let start = Instant::now();
    let mut solver = Solver::new(&Budget::with_timeout(Duration::from_millis(200)));
    solver.assert(&t, hard);
    assert_eq!(solver.check(&t, &[]), Err(Stop::Timeout));
    assert!(start.elapsed() < GENEROUS);
}

/// 2^40 models: the enumeration ends at the deadline, having given some of them.
#[test]
fn an_enumeration_ends_at_its_deadline() {
    let mut t = Terms::new();
    let important: Vec<Term> = (0..40).map(|i| t.var(&format!("p{i}"), Sort::Bool)).collect();
    let start = Instant::now();
    let mut solver = Solver::new(&Budget::with_timeout(Duration::from_millis(200)));
    let mut models = 0;
    let result = solver.enumerate(&t, &[], &important, &mut |_| {
        models += 1;
        Cube::Minterm
    });
    assert_eq!(result, Err(Stop::Timeout));
    assert!(models > 0);
    assert!(start.elapsed() < GENEROUS);
}

/// Blasting alone takes longer than the deadline; what was asserted in part is not answered about.
#[test]
fn blasting_ends_at_its_deadline() {
    let mut t = Terms::new();
    let mut x = t.var("x", Sort::BitVec(64));
    let y = t.var("y", Sort::BitVec(64));
    for _ in 0..20_000 {
        let product = t.mul(x, y);
        x = t.bv_xor(product, y);
    }
    let zero = t.bits(64, 0);
    let formula = t.eq(x, zero);
    let start = Instant::now();
    let mut solver = Solver::new(&Budget::with_timeout(Duration::from_millis(100)));
    solver.assert(&t, formula);
    assert_eq!(solver.check(&t, &[]), Err(Stop::Timeout));
    assert!(start.elapsed() < GENEROUS);
}

#[test]
fn a_million_nested_terms_do_not_overflow_the_stack() {
    let mut t = Terms::new();
    let (p, x) = (t.var("p", Sort::Bool), t.var("x", Sort::BitVec(2)));
    let three = t.bits(2, 3);
    let mut chain = t.eq(x, three);
    for i in 0..1_000_000 {
        chain = match i % 4 {
            0 => t.eq(chain, p),
            1 => t.or2(chain, p),
            2 => t.not(chain),
            _ => t.ite(p, chain, p),
        };
    }
    let mut nested = t.bool_to_bits(2, chain);
    for _ in 0..100_000 {
        nested = t.mul(nested, x);
        nested = t.bv_not(nested);
    }
    let zero = t.bits(2, 0);
    let formula = t.eq(nested, zero);
    let mut solver = Solver::new(&Budget::unlimited());
    solver.assert(&t, formula);
    let answer = solver.check(&t, &[chain]);
    let negated = t.not(formula);
    if answer == Ok(Answer::Sat) {
        let model = solver.model(&t, &[p, x]);
        assert!(t.eval(formula, &model).as_bool() && t.eval(chain, &model).as_bool());
    }
    assert_eq!(solver.check(&t, &[negated]), Ok(Answer::Unsat));
}
