//! Candidates about all elements of arrays: indexed predicates, Lahiri and Bryant, *Constructing Quantified Invariants via
//! Predicate Abstraction*, VMCAI 2004.
//!
//! 1. The paths of the blocks are followed symbolically ([`ways`]), and counters found: what loops step by a constant, from
//!    where, and up to what ([`counters`]).
//! 2. *Conditions* on single elements are what the text compares, stores and asserts there, and what that takes before
//!    another loop's stores ([`conditions`]). A counter in an index becomes an index variable: `a[i] == b[i]` is `a[j] == b[j]`.
//! 3. A condition may hold of the elements that a loop has come by, of those that it has yet to, and of all between bounds
//!    ([`ranges`]): `lo <= j && j < i ==> a[j] == b[j]`.

mod conditions;
mod counters;
mod ranges;

use crate::system::ProgramSystem;
use tamis_logic::{Op, Term, Terms};
use tamis_system::{Elements, Point};

/// More candidates are not told of a point.
const MOST: usize = 160;

/// Candidates for each point; none if there are no arrays.
pub(super) fn candidates(
    terms: &mut Terms,
    system: &ProgramSystem<'_>,
    which: Elements,
    stop: &dyn Fn() -> bool,
) -> Vec<Vec<Term>> {
    let mut found = vec![Vec::new(); system.count()];
    let is_array = |v: &Term| terms.array_parts(terms.sort(*v)).is_some();
    let inner = 1..(system.count() as u32).saturating_sub(1);
    if !inner.clone().any(|p| system.live_at(system.location(Point(p))).any(|v| is_array(&v))) {
        return found;
    }
    let ways = super::ways::ways(terms, system, stop);
    let counters = counters::counters(terms, system, &ways);
    let conditions = conditions::conditions(terms, system, &ways, &counters, which.all, stop);
    for p in inner {
        if stop() {
            break;
        }
        let ranges = ranges::Ranges { system, ways: &ways, counters: &counters, point: Point(p) };
        let all = &mut found[p as usize];
        if !which.conditional {
            all.extend(counters::facts(terms, system, &counters, Point(p)));
        }
        all.extend(ranges.candidates(terms, &conditions, which.conditional));
        all.truncate(MOST);
    }
    found
}

/// Whether a formula reads arrays.
fn reads(terms: &Terms, formula: Term) -> bool {
    terms.post_order(&[formula]).iter().any(|&t| terms.op(t) == Op::Select)
}

/// `¬(g₁ ∧ …) ∨ consequence`.
fn unless(terms: &mut Terms, guards: &[Term], consequence: Term) -> Term {
    let guard = terms.and(guards);
    terms.implies(guard, consequence)
}
