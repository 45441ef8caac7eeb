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

use super::ways::Way;
use crate::system::ProgramSystem;
use counters::Counter;
use tamis_logic::{Op, Term, Terms};
use tamis_system::{Candidates, Elements, Point, System};

/// More candidates are not told of a point.
const MOST: usize = 160;

/// So many conditions are told of a point that were passed anywhere.
const MOST_PASSED: usize = 12;

/// Candidates for each point; none if there are no arrays.
pub(super) fn candidates(
    terms: &mut Terms,
    system: &ProgramSystem<'_>,
    which: Elements,
    stop: &dyn Fn() -> bool,
) -> Vec<Vec<Term>> {
    let mut found = vec![Vec::new(); system.count()];
    if !system.has_arrays(terms) {
        return found;
    }
    let ways = super::ways::ways(terms, system, stop);
    let counters = counters::counters(terms, system, &ways);
    let conditions = conditions::conditions(terms, system, &ways, &counters, which.all, stop);
    for p in 1..(system.count() as u32).saturating_sub(1) {
        if stop() {
            break;
        }
        let ranges = ranges::Ranges { system, ways: &ways, counters: &counters, point: Point(p) };
        let all = &mut found[p as usize];
        if !which.conditional {
            all.extend(counters::facts(terms, system, &counters, Point(p)));
            all.extend(passed(terms, system, &ways, &counters, Point(p)));
        }
        all.extend(ranges.candidates(terms, &conditions, which.conditional));
        all.truncate(MOST);
    }
    found
}

/// Conditions under which the program goes on anywhere, on variables that matter at a point: they may hold from there on, as that a
/// size is even does.
fn passed(
    terms: &mut Terms,
    system: &ProgramSystem<'_>,
    ways: &[Way],
    counters: &[Counter],
    point: Point,
) -> Vec<Term> {
    let live: Vec<Term> = system.live_at(system.location(point)).collect();
    let is_fixed = |v: &Term| live.contains(v) && counters.iter().all(|c| c.variable != *v);
    let mut found = Vec::new();
    for way in ways.iter().filter(|way| way.to != system.error()) {
        for &guard in &way.guards {
            let guard = way.told_after(terms, system, guard);
            let is_new = !found.contains(&guard) && !reads(terms, guard);
            if is_new && found.len() < MOST_PASSED && terms.free_vars(guard).iter().all(is_fixed) {
                found.push(guard);
            }
        }
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
