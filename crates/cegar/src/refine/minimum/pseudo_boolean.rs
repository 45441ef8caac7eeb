//! The formula σ and its smallest satisfying assignment: \[MIN\] section 3.2, equations (1) and (2).
//!
//! The paper hands σ to PBS, which knows pseudo-Boolean constraints. Here the objective's coefficients are all 1, and
//! `Σ p_i < k` is a formula: a totalizer, which sorts the assignment in unary. As PBS does, the bound is tightened by
//! one below each solution found, until there is none.
//!
//! Of several minima the paper takes any. Here what occurs in the sets of many traces comes first: it is likely to
//! eliminate the next ones too, which saves iterations.

use crate::refine::proposal::CandidateId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tamis_logic::{Sort, Term, Terms};
use tamis_solver::{Answer, Budget, Solver, Stop};

/// A smallest set that includes, for each trace, one of the sets that eliminate it.
///
/// `eliminating[τ]` are the sets `s(τ, i)`. A trace that nothing eliminates makes σ unsatisfiable: then the answer is
/// `None`.
pub fn minimum(
    budget: &Budget,
    eliminating: &[Vec<&BTreeSet<CandidateId>>],
) -> Result<Option<BTreeSet<CandidateId>>, Stop> {
    // σ is forgotten when it is solved, and its terms with it.
    let terms = &mut Terms::new();
    let mut encoding: FxHashMap<CandidateId, Term> = FxHashMap::default();
    let mut all: Vec<CandidateId> = eliminating.iter().flatten().copied().flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    for &id in &all {
        encoding.insert(id, terms.fresh("p", Sort::Bool));
    }
    let mut solver = Solver::new(budget);
    for sets in eliminating {
        let mut ways = Vec::with_capacity(sets.len());
        for set in sets {
            let members: Vec<Term> = set.iter().map(|id| encoding[id]).collect();
            ways.push(terms.and(&members));
        }
        let one_of_them = terms.or(&ways);
        solver.assert(terms, one_of_them);
    }
    let inputs: Vec<Term> = all.iter().map(|id| encoding[id]).collect();
    let count = at_least(terms, &inputs);
    let mut best: Option<BTreeSet<CandidateId>> = None;
    loop {
        // At least as many as the best has: no better.
        let bound = match &best {
            None => None,
            Some(best) if best.is_empty() => break,
            Some(best) => Some(terms.not(count[best.len() - 1])),
        };
        if let Answer::Unsat = solver.check(terms, bound.as_slice())? {
            break;
        }
        best = Some(chosen(terms, &mut solver, &encoding));
    }
    let Some(mut best) = best else { return Ok(None) };
    let mut frequency: FxHashMap<CandidateId, usize> = FxHashMap::default();
    for sets in eliminating {
        let members: BTreeSet<CandidateId> = sets.iter().copied().flatten().copied().collect();
        members.into_iter().for_each(|id| *frequency.entry(id).or_default() += 1);
    }
    all.sort_by_key(|id| (std::cmp::Reverse(frequency[id]), *id));
    let mut fixed: Vec<Term> = count.get(best.len()).map(|&more| terms.not(more)).into_iter().collect();
    for id in all {
        fixed.push(encoding[&id]);
        if !best.contains(&id) {
            match solver.check(terms, &fixed)? {
                Answer::Sat => best = chosen(terms, &mut solver, &encoding),
                Answer::Unsat => drop(fixed.pop()),
            }
        }
    }
    Ok(Some(best))
}

/// The candidates that the model of the last check chooses.
fn chosen(
    terms: &Terms,
    solver: &mut Solver,
    encoding: &FxHashMap<CandidateId, Term>,
) -> BTreeSet<CandidateId> {
    encoding.iter().filter(|&(_, &p)| solver.value(terms, p).as_bool()).map(|(&id, _)| id).collect()
}

/// For each `k` from 1 on, whether at least `k` of the inputs hold.
fn at_least(terms: &mut Terms, inputs: &[Term]) -> Vec<Term> {
    match inputs {
        [] => Vec::new(),
        [one] => vec![*one],
        _ => {
            let (left, right) = inputs.split_at(inputs.len() / 2);
            let (left, right) = (at_least(terms, left), at_least(terms, right));
            let mut sum = Vec::with_capacity(inputs.len());
            for k in 1..=inputs.len() {
                let mut ways = Vec::new();
                for i in k.saturating_sub(right.len())..=k.min(left.len()) {
                    let truth = terms.tru();
                    let from_left = if i == 0 { truth } else { left[i - 1] };
                    let from_right = if i == k { truth } else { right[k - i - 1] };
                    ways.push(terms.and2(from_left, from_right));
                }
                sum.push(terms.or(&ways));
            }
            sum
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_testing::Random;

    fn minimum_of(traces: &[&[&[CandidateId]]]) -> Option<BTreeSet<CandidateId>> {
        let sets: Vec<Vec<BTreeSet<CandidateId>>> =
            traces.iter().map(|t| t.iter().map(|s| s.iter().copied().collect()).collect()).collect();
        let sets: Vec<Vec<&BTreeSet<CandidateId>>> = sets.iter().map(|sets| sets.iter().collect()).collect();
        minimum(&Budget::unlimited(), &sets).unwrap()
    }

    /// \[MIN\] Example 5.
    #[test]
    fn the_papers_example() {
        let minimum = minimum_of(&[&[&[1, 3, 5], &[2, 5]], &[&[2, 3], &[4]]]).unwrap();
        // {2, 4, 5} as in the paper, or {2, 3, 5}, which has as many.
        assert!(minimum == BTreeSet::from([2, 4, 5]) || minimum == BTreeSet::from([2, 3, 5]));
    }

    /// \[MIN\] section 1: p₂ alone eliminates both traces, though p₁ would have eliminated the first.
    #[test]
    fn one_predicate_for_two_traces() {
        assert_eq!(minimum_of(&[&[&[1], &[2]], &[&[2]]]), Some(BTreeSet::from([2])));
    }

    #[test]
    fn no_trace_needs_no_predicate_and_one_that_stays_has_no_minimum() {
        assert_eq!(minimum_of(&[]), Some(BTreeSet::new()));
        assert_eq!(minimum_of(&[&[&[1]], &[]]), None);
    }

    /// Against trying all subsets.
    #[test]
    fn as_small_as_can_be() {
        let mut source = Random::new(1);
        let mut random = |n: u64| source.below(n);
        for _ in 0..60 {
            let traces: Vec<Vec<BTreeSet<CandidateId>>> = (0..1 + random(4))
                .map(|_| {
                    let set = |random: &mut dyn FnMut(u64) -> u64| {
                        (0..1 + random(3)).map(|_| random(7) as usize).collect::<BTreeSet<_>>()
                    };
                    (0..1 + random(3)).map(|_| set(&mut random)).collect()
                })
                .collect();
            let sets: Vec<Vec<&BTreeSet<CandidateId>>> =
                traces.iter().map(|sets| sets.iter().collect()).collect();
            let found = minimum(&Budget::unlimited(), &sets).unwrap().unwrap();
            let eliminates = |chosen: &BTreeSet<CandidateId>| {
                traces.iter().all(|sets| sets.iter().any(|s| s.is_subset(chosen)))
            };
            let subsets = (0u32..1 << 7).map(|bits| (0..7).filter(|i| bits >> i & 1 == 1).collect());
            let smallest = subsets.filter(eliminates).map(|s: BTreeSet<CandidateId>| s.len()).min();
            assert!(eliminates(&found));
            assert_eq!(Some(found.len()), smallest);
        }
    }
}
