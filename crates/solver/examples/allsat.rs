//! Measures enumeration inside the search against the two baselines of [SMT §4.3].
//!
//! `cargo run --release -p tamis-solver --example allsat [seconds per run] [InSearch|Naive|BlackBox]`

use std::time::{Duration, Instant};
use tamis_logic::{Sort, Term, Terms};
use tamis_solver::{Budget, Cube, Solver, Strategy};

/// A predicate abstraction query: a formula and the predicates to project on.
struct Query {
    name: &'static str,
    terms: Terms,
    formula: Term,
    predicates: Vec<Term>,
}

/// `n` free truth values of which at least one holds: nothing to do but to enumerate.
fn free(n: usize) -> Query {
    let mut t = Terms::new();
    let predicates: Vec<Term> = (0..n).map(|i| t.var(&format!("p{i}"), Sort::Bool)).collect();
    let formula = t.or(&predicates);
    Query { name: "free", terms: t, formula, predicates }
}

/// One step of a loop body over 32-bit variables, with predicates before and after it as they come from branch
/// conditions: bounds and differences.
fn loop_body(bounds: usize) -> Query {
    let mut t = Terms::new();
    let width = 32;
    let names = ["i", "j", "n", "s"];
    let now = names.map(|name| t.var(name, Sort::BitVec(width)));
    let next = names.map(|name| t.var(&format!("{name}'"), Sort::BitVec(width)));
    let [i, j, n, s] = now;
    let one = t.bits(width, 1);
    let guard = t.slt(i, n);
    let i_next = t.add(i, one);
    let j_next = t.sub(j, one);
    let moved = t.add(s, j);
    let cond = t.slt(j, s);
    let s_next = t.ite(cond, moved, i);
    let same = [t.eq(next[0], i_next), t.eq(next[1], j_next), t.eq(next[2], n), t.eq(next[3], s_next)];
    let formula = t.and(&[guard, same[0], same[1], same[2], same[3]]);
    let mut predicates = Vec::new();
    for vars in [now, next] {
        for k in 0..bounds {
            let bound = t.bits(width, 10 * k as u128);
            let of = vars[k % 4];
            predicates.push(t.slt(of, bound));
            predicates.push(t.slt(vars[k % 4], vars[(k + 1) % 4]));
        }
    }
    predicates.sort_unstable();
    predicates.dedup();
    Query { name: "loop body", terms: t, formula, predicates }
}

/// Arithmetic with a product in it: the search has work to do between models.
fn product(n: usize) -> Query {
    let mut t = Terms::new();
    let width = 16;
    let (x, y) = (t.var("x", Sort::BitVec(width)), t.var("y", Sort::BitVec(width)));
    let p = t.mul(x, y);
    let (low, high) = (t.bits(width, 1000), t.bits(width, 30_000));
    let formula = {
        let (a, b) = (t.ult(low, p), t.ult(p, high));
        t.and2(a, b)
    };
    let mut predicates = Vec::new();
    for k in 0..n {
        let bound = t.bits(width, (3 * k * k + 5) as u128);
        predicates.push(t.ult(x, bound));
        let step = t.bits(width, 1 << (k % 16));
        let bit = t.bv_and(p, step);
        predicates.push(t.nonzero(bit));
    }
    Query { name: "product", terms: t, formula, predicates }
}

fn main() {
    let seconds: f64 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(5.0);
    let only = std::env::args().nth(2);
    let queries = [free(12), free(15), loop_body(4), loop_body(6), product(6), product(8)];
    println!(
        "{:<10} {:>5} {:<10} {:>8} {:>9} {:>10}",
        "query", "preds", "strategy", "models", "seconds", "models/s"
    );
    for query in &queries {
        for strategy in [Strategy::InSearch, Strategy::Naive, Strategy::BlackBox] {
            if only.as_ref().is_some_and(|only| *only != format!("{strategy:?}")) {
                continue;
            }
            let mut solver = Solver::new(&Budget::with_timeout(Duration::from_secs_f64(seconds)));
            solver.assert(&query.terms, query.formula);
            let start = Instant::now();
            let mut models = 0u64;
            let result = solver.enumerate_by(strategy, &query.terms, &[], &query.predicates, &mut |_| {
                models += 1;
                Cube::Minterm
            });
            let time = start.elapsed().as_secs_f64();
            let note = if result.is_err() { " (stopped)" } else { "" };
            let preds = query.predicates.len();
            let stats = solver.stats();
            println!(
                "{:<10} {preds:>5} {:<10} {models:>8} {time:>9.3} {:>10.0} {:>10} {:>10}{note}",
                query.name,
                format!("{strategy:?}"),
                models as f64 / time,
                stats.conflicts,
                stats.decisions,
            );
        }
    }
}
