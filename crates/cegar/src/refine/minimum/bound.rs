//! How few candidates can do? A lower bound, and the sets that meet it.
//!
//! \[MIN\] section 3.2 derives σ from the sets that eliminate each path, which takes as many attempts as there are
//! combinations. The same minimum follows from sets that do not: more predicates eliminate no less, so a set that fails
//! on a path can be widened until no further member lets it fail, and what eliminates all paths has one of the members
//! that are left out. Those are clauses over the candidates. A smallest set with a member in each is no larger than a
//! minimum, and if it eliminates all paths it is one; otherwise the path that it fails on gives the next clause.

use super::pseudo_boolean::minimum;
use crate::cegar::Run;
use crate::refine::proposal::CandidateId;
use crate::refine::trace_eliminate::TraceEliminate;
use crate::refine::{Path, Refinement};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use tamis_paq::Interrupted;
use tamis_system::System;

/// What every set that eliminates the paths so far has a member of.
#[derive(Default)]
pub(super) struct Bound {
    /// The candidates that there are to choose from.
    pub universe: BTreeSet<CandidateId>,
    /// Of each, a sufficient set has a member.
    clauses: Vec<BTreeSet<CandidateId>>,
    /// How many sets of the size of the last one there were.
    samples: usize,
    size: usize,
    /// How many members a sufficient set has at least.
    pub at_least: usize,
}

/// So many sets of one size are tried in any case: a first sufficient set has more than it takes.
const LEAST_PATIENCE: usize = 10;

impl Bound {
    /// Without a clause.
    pub fn new(universe: BTreeSet<CandidateId>) -> Bound {
        Bound { universe, ..Bound::default() }
    }

    /// Counts a set of a size; `false` if there have been too many of it.
    fn sample(&mut self, size: usize, patience: usize) -> bool {
        self.samples = if size > self.size { 1 } else { self.samples + 1 };
        self.size = size;
        self.samples <= patience.max(LEAST_PATIENCE)
    }

    /// The candidates, those first that occur in the most clauses.
    fn by_frequency(&self, candidates: impl Iterator<Item = CandidateId>) -> Vec<CandidateId> {
        let mut frequency: FxHashMap<CandidateId, usize> = FxHashMap::default();
        self.clauses.iter().flatten().for_each(|&id| *frequency.entry(id).or_default() += 1);
        let mut ordered: Vec<CandidateId> = candidates.collect();
        ordered.sort_by_key(|id| (Reverse(frequency.get(id).copied().unwrap_or(0)), *id));
        ordered
    }
}

impl<S: System> Refinement<S> {
    /// A smallest set of the bound's universe that eliminates all paths so far, if it has fewer than `below` members and
    /// patience lasts.
    pub(super) fn least(
        &mut self,
        run: &mut Run<'_, S>,
        bound: &mut Bound,
        below: usize,
    ) -> Result<Option<BTreeSet<CandidateId>>, Interrupted> {
        while !run.budget.is_half_spent() {
            run.budget.check()?;
            let clauses: Vec<Vec<BTreeSet<CandidateId>>> =
                bound.clauses.iter().map(|c| c.iter().map(|&id| BTreeSet::from([id])).collect()).collect();
            let clauses: Vec<Vec<&BTreeSet<CandidateId>>> =
                clauses.iter().map(|clause| clause.iter().collect()).collect();
            let Some(least) = minimum(run.budget, &clauses)? else { return Ok(None) };
            bound.at_least = least.len();
            if least.len() >= below {
                return Ok(None);
            }
            // What is found against a path rules out the more sets, the less it has in common with what was found
            // against those before it.
            let known = bound.clauses.len();
            let mut more = least.clone();
            for tau in (0..self.seen.len()).rev() {
                if run.budget.is_half_spent() {
                    return Ok(None);
                }
                if !self.eliminates_seen(run, tau, &more)? {
                    let path = self.seen[tau].path.clone();
                    let clause = self.clause(run, bound, &path, &more)?;
                    more.extend(clause);
                }
            }
            if bound.clauses.len() == known {
                return Ok(bound.sample(least.len(), self.strategy.patience).then_some(least));
            }
        }
        Ok(None)
    }

    /// Adds to `set`, which fails on a path, what makes it eliminate the path, and the path to the bound; `false` if the
    /// whole universe fails.
    pub(super) fn extend(
        &mut self,
        run: &mut Run<'_, S>,
        bound: &mut Bound,
        path: &Path<S::Edge>,
        set: &mut BTreeSet<CandidateId>,
    ) -> Result<bool, Interrupted> {
        let clause = self.clause(run, bound, path, set)?;
        let Some(&first) = clause.first() else { return Ok(false) };
        for &id in &clause {
            set.insert(id);
            if self.eliminates(run, path, set)? {
                return Ok(true);
            }
            set.remove(&id);
        }
        // Any member of the clause does with all that is not in it.
        let mut wide: BTreeSet<CandidateId> =
            bound.universe.iter().copied().filter(|id| !clause.contains(id)).collect();
        wide.insert(first);
        let eliminating = self.trace_eliminate.eliminating(run, path, &self.pool, &wide)?;
        set.extend(eliminating.unwrap_or(wide));
        Ok(true)
    }

    /// Widens `set`, which fails on a path, to a set that nothing can be added to; what is not in it is the clause.
    fn clause(
        &mut self,
        run: &mut Run<'_, S>,
        bound: &mut Bound,
        path: &Path<S::Edge>,
        set: &BTreeSet<CandidateId>,
    ) -> Result<Vec<CandidateId>, Interrupted> {
        let mut failing = set.clone();
        let others = bound.by_frequency(bound.universe.difference(set).copied());
        let mut clause = Vec::new();
        // Most of them can be added together.
        let mut pending: Vec<&[CandidateId]> = vec![&others];
        while let Some(some) = pending.pop() {
            let with: BTreeSet<CandidateId> = failing.iter().chain(some).copied().collect();
            if !self.eliminates(run, path, &with)? {
                failing = with;
            } else if let [one] = some {
                clause.push(*one);
            } else {
                let (first, second) = some.split_at(some.len() / 2);
                pending.extend([second, first]);
            }
        }
        bound.clauses.push(clause.iter().copied().collect());
        Ok(bound.by_frequency(clause.into_iter()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::{Explicit, Exploration};
    use crate::{Outcome, Silent, preset};
    use tamis_logic::{Term, Terms};
    use tamis_program::{Builder, Command, Event, IntType, Program, ProgramSystem, Source, SummaryKind};
    use tamis_solver::Budget;
    use tamis_system::{BranchId, Branching};
    use tamis_testing::Random;

    /// A loop over variables of two bits: conditional assignments, and at its end a condition that leads to the error.
    fn program(terms: &mut Terms, random: &mut Random) -> Program {
        let mut b = Builder::new();
        let (file, main) = (b.file("f.c"), b.frame("main", None));
        let at = Source { file, line: 1, column: 1 };
        let int = IntType { bits: 2, signed: false };
        let vars = ["x", "y", "z"].map(|name| b.variable(terms, name, int, None));
        let start = b.location(main);
        let mut here = start;
        for &v in &vars {
            let (next, zero) = (b.location(main), terms.bits(2, random.below(2u128)));
            b.edge(here, next, Command::Assign(v, zero), at, Event::Step);
            here = next;
        }
        let head = here;
        let condition = |terms: &mut Terms, b: &Builder, random: &mut Random| -> Term {
            let x = b.term(vars[random.below(3) as usize]);
            let number = terms.bits(2, random.below(4u128));
            if random.below(4) == 0 {
                let y = b.term(vars[random.below(3) as usize]);
                terms.ult(x, y)
            } else {
                terms.eq(x, number)
            }
        };
        for _ in 0..4 {
            let [then, end] = std::array::from_fn(|_| b.location(main));
            let c = condition(terms, &b, random);
            let not_c = terms.not(c);
            b.edge(here, then, Command::Assume(c), at, Event::Branch(true));
            b.edge(here, end, Command::Assume(not_c), at, Event::Branch(false));
            let v = vars[random.below(3) as usize];
            let value = match random.below(3) {
                0 => b.term(vars[random.below(3) as usize]),
                _ => terms.bits(2, random.below(3u128)),
            };
            b.edge(then, end, Command::Assign(v, value), at, Event::Step);
            here = end;
        }
        let error = b.location(main);
        let c = condition(terms, &b, random);
        let not_c = terms.not(c);
        b.edge(here, error, Command::Assume(c), at, Event::Branch(true));
        b.edge(here, head, Command::Assume(not_c), at, Event::Branch(false));
        b.finish(start, error)
    }

    /// The size of a smallest set of branches with which the property is proved, by trying them all.
    fn smallest(terms: &mut Terms, system: &ProgramSystem<'_>) -> Option<usize> {
        let strategy = preset("magic-minimize").expect("a preset").expect("it can be read");
        let (budget, mut silent) = (Budget::unlimited(), Silent);
        let branches = system.branches();
        let mut subsets: Vec<u32> = (0..1 << branches).collect();
        subsets.sort_by_key(|bits| bits.count_ones());
        let mut run = Run::new(terms, system, &strategy, &budget, &mut silent);
        let mut refinement = Refinement::new(system, strategy.refinement.clone());
        let ids: Vec<CandidateId> =
            (0..branches as u32).map(|b| refinement.pool.branch(run.terms, system, BranchId(b), 8)).collect();
        for bits in subsets {
            refinement.chosen = (0..branches).filter(|i| bits >> i & 1 == 1).map(|i| ids[i]).collect();
            refinement.apply(&mut run).unwrap();
            if Explicit::new(&run).explore(&mut run).unwrap().is_none() {
                return Some(bits.count_ones() as usize);
            }
        }
        None
    }

    /// Whatever the patience of the samples, as long as that of the bound lasts.
    #[test]
    fn the_minimum_is_that_of_all_subsets() {
        let mut random = Random::new(5);
        let mut proofs = 0;
        let mut several = 0;
        for _ in 0..150 {
            let mut terms = Terms::new();
            let program = program(&mut terms, &mut random);
            let system = ProgramSystem::over(&terms, &program, SummaryKind::Sbe);
            let Some(smallest) = smallest(&mut terms, &system) else { continue };
            let (budget, mut silent) = (Budget::unlimited(), Silent);
            let mut strategy = preset("magic-minimize").expect("a preset").expect("it can be read");
            strategy.refinement.patience = 50;
            let mut run = Run::new(&mut terms, &system, &strategy, &budget, &mut silent);
            assert!(matches!(run.cegar(&strategy), Ok(Outcome::Safe(_))));
            let statistics = run.statistics();
            assert_eq!(statistics.branches, smallest);
            assert_eq!(statistics.branches_at_least, smallest);
            proofs += 1;
            several += usize::from(smallest > 1);
        }
        assert!(proofs > 80 && several > 10, "{proofs} proofs, {several} with several branches");
    }
}
