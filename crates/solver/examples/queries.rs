//! Measures single searches: hard arithmetic, and many small questions to one growing solver.
//!
//! `cargo run --release -p tamis-solver --example queries`

use std::time::Instant;
use tamis_logic::{Sort, Term, Terms};
use tamis_solver::{Answer, Budget, Solver};

fn report(name: &str, solver: &Solver, start: Instant, answer: Answer) {
    let stats = solver.stats();
    println!(
        "{name:<28} {answer:?} {:>8.3} s, {} searches, {} variables, {} clauses, {} conflicts",
        start.elapsed().as_secs_f64(),
        stats.solves,
        stats.variables,
        stats.clauses,
        stats.conflicts,
    );
}

fn prove(name: &str, terms: &mut Terms, claim: Term) {
    let start = Instant::now();
    let negated = terms.not(claim);
    let mut solver = Solver::new(&Budget::unlimited());
    solver.assert(terms, negated);
    let answer = solver.check(terms, &[]).expect("no limits are set");
    report(name, &solver, start, answer);
}

/// `(x · y) · z = x · (y · z)`.
fn associativity(width: u32) {
    let mut t = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| t.var(name, Sort::BitVec(width)));
    let (xy, yz) = (t.mul(x, y), t.mul(y, z));
    let (left, right) = (t.mul(xy, z), t.mul(x, yz));
    let claim = t.eq(left, right);
    prove(&format!("associativity, {width} bits"), &mut t, claim);
}

/// `x = (x / y) · y + x mod y`.
fn division(width: u32) {
    let mut t = Terms::new();
    let (x, y) = (t.var("x", Sort::BitVec(width)), t.var("y", Sort::BitVec(width)));
    let (q, r) = (t.udiv(x, y), t.urem(x, y));
    let product = t.mul(q, y);
    let back = t.add(product, r);
    let claim = t.eq(back, x);
    prove(&format!("division, {width} bits"), &mut t, claim);
}

/// `x · y = semiprime` has a solution.
fn factoring(width: u32, semiprime: u128) {
    let mut t = Terms::new();
    let (x, y) = (t.var("x", Sort::BitVec(width)), t.var("y", Sort::BitVec(width)));
    let (x2, y2) = (t.zero_extend(2 * width, x), t.zero_extend(2 * width, y));
    let product = t.mul(x2, y2);
    let one = t.bits(width, 1);
    let number = t.bits(2 * width, semiprime);
    let parts = [t.ne(product, number), t.ule(x, one), t.ule(y, one), t.ult(y, x)];
    let claim = t.or(&parts);
    prove(&format!("factoring, {width} bits"), &mut t, claim);
}

/// Bounds on 32-bit sums: proved by carry chains alone.
fn sums(n: usize) {
    let mut t = Terms::new();
    let width = 32;
    let limit = t.bits(width, 1000);
    let mut bounds = Vec::new();
    let mut total = t.bits(width, 0);
    for i in 0..n {
        let x = t.var(&format!("x{i}"), Sort::BitVec(width));
        bounds.push(t.ult(x, limit));
        total = t.add(total, x);
    }
    let most = t.bits(width, 1000 * n as u128);
    let premise = t.and(&bounds);
    let below = t.ult(total, most);
    let claim = t.implies(premise, below);
    prove(&format!("sum of {n} bounded"), &mut t, claim);
}

/// A path of a loop, extended step by step, each step asked about under changing assumptions.
fn growing(steps: usize, questions: usize) {
    let start = Instant::now();
    let mut t = Terms::new();
    let mut solver = Solver::new(&Budget::unlimited());
    let width = 32;
    let n = t.var("n", Sort::BitVec(width));
    let (one, three) = (t.bits(width, 1), t.bits(width, 3));
    let mut i = t.bits(width, 0);
    let mut s = t.var("s0", Sort::BitVec(width));
    let mut last = Answer::Sat;
    for step in 0..steps {
        let input = t.var(&format!("in{step}"), Sort::BitVec(width));
        let cond = t.slt(input, s);
        let (up, down) = (t.add(s, input), t.sub(s, three));
        let value = t.ite(cond, up, down);
        let next = t.var(&format!("s{}", step + 1), Sort::BitVec(width));
        let transition = t.eq(next, value);
        let guard = t.slt(i, n);
        solver.assert(&t, guard);
        solver.assert(&t, transition);
        s = next;
        i = t.add(i, one);
        for q in 0..questions {
            let bound = t.bits(width, (17 * q * q + step) as u128);
            let assumptions = [t.slt(s, bound), t.slt(bound, input), t.ult(n, bound)];
            last = solver.check(&t, &assumptions).expect("no limits are set");
        }
    }
    report(&format!("{steps} steps, {questions} questions"), &solver, start, last);
}

fn main() {
    associativity(5);
    associativity(6);
    division(6);
    division(8);
    factoring(20, 1_048_573 * 1_048_571 - 2);
    factoring(20, 822_853 * 912_727);
    sums(4);
    sums(12);
    growing(20, 50);
    growing(80, 20);
}
