//! Refinement: where predicates come from, and which are kept.
//!
//! A spurious counterexample's path is refuted by candidates from the strategy's source. If those do not eliminate it,
//! the weakest preconditions of an unsat core may; if these do not either, since something is chosen on the way, what
//! [`separate`] finds does, whatever the path is. If an engine that is not exact does not see it, an exact one takes its
//! place. What is kept is a set of candidates that eliminates the path, and with `greedy` and `minimize` every path so
//! far: the abstract model never has it again.

mod branch_candidates;
mod core;
mod eliminate;
mod failing_guard;
mod greedy;
mod interpolation;
mod leaves;
mod minimum;
mod path;
mod proposal;
mod relation;
mod seen;
mod separate;
mod start;
mod trace_eliminate;
mod window;

pub use eliminate::bit;
pub use minimum::CombinationCounts;
pub use path::Path;

use crate::cegar::Run;
use crate::explore::AbstractTrace;
use crate::strategy::{Keep, RefinementStrategy, Source};
use crate::trace_check::Spurious;
use interpolation::Names;
use minimum::{Kept, Phase};
use path::Core;
use proposal::{CandidateId, Located, Origin, Pool};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use seen::Seen;
use std::collections::BTreeSet;
use std::hash::BuildHasher;
use tamis_logic::{Term, Terms};
use tamis_paq::Interrupted;
use tamis_system::{Invariants, Point, System};
use trace_eliminate::{Eliminator, TraceEliminate};
use window::Windows;

/// The state of refinement.
pub struct Refinement<S: System> {
    strategy: RefinementStrategy,
    pool: Pool,
    /// `P`: what the predicates in use come from.
    chosen: BTreeSet<CandidateId>,
    /// `T`: the spurious paths seen so far, where it matters.
    seen: Vec<Seen<S::Edge>>,
    trace_eliminate: Eliminator<S>,
    /// How often each path has been refuted, by a hash of its edges.
    refuted: FxHashMap<u64, usize>,
    /// Whether the trace comes from an engine that an exact one has just taken over from: then its regions may not have
    /// been what the predicates allow.
    regions_are_inexact: bool,
    /// State of the random orders of the greedy strategy.
    random: u64,
    /// How far the minimisation is.
    phase: Phase,
    /// Minima of the same size, one after the other, so far.
    samples: usize,
    counts: CombinationCounts,
    /// Branches, each with one whose predicates include its own, once they have been compared.
    branches: Option<Vec<(CandidateId, CandidateId)>>,
    windows: Windows<S>,
    /// What the variables of a path's parts are called where interpolants are asked for.
    names: Names,
    /// Whether predicates are taken apart into [`leaves`], and conditions of the system are there from the start.
    fine: bool,
}

/// What refinement has done about a trace.
pub enum Refined {
    /// The abstract model no longer has it from this step on, whatever came before.
    From(usize),
    /// Nothing: the engine is not exact, and does not see it eliminated, or all that is found is known.
    Not,
    /// Nothing, since there is a proof already, with more predicates than were tried last.
    Proved(Invariants),
    /// The abstract relation has lost a transition of it, or predicates have been added without which it would not.
    Relation,
    /// The abstract model no longer has it, but may have its path through other abstract states.
    Trace,
}

/// What is known of a spurious trace.
struct Refuted<'t, E> {
    trace: &'t AbstractTrace<E>,
    spurious: &'t Spurious,
    path: Path<E>,
    core: Core,
    /// Whether its regions were computed with all that is chosen, though maybe by other predicates that say the same.
    knows_chosen: bool,
}

/// Candidates against a trace.
struct Proposal {
    candidates: Vec<CandidateId>,
    /// Whether as many as it takes are to be added, one after the other, rather than all.
    one_by_one: bool,
    /// Whether the trace need not be checked to know that all of them eliminate it.
    certain: bool,
}

#[derive(Clone, Copy)]
enum Level {
    Source(Source),
    /// Weakest preconditions of the core's guards.
    Core,
    /// What tells states apart; nothing comes after it.
    Separation,
}

impl<S: System> Refinement<S> {
    /// Without predicates. Where the system has no branches, what would come from branches comes from unsat cores.
    pub fn new(system: &S, mut strategy: RefinementStrategy) -> Refinement<S> {
        let of_branches = [Source::PredInfer, Source::BranchCandidates, Source::OrderedBranches];
        if of_branches.contains(&strategy.source) && system.branching().is_none() {
            strategy.source = Source::CoreWp;
        }
        let random = strategy.seed | 1;
        Refinement {
            strategy,
            pool: Pool::default(),
            chosen: BTreeSet::new(),
            seen: Vec::new(),
            trace_eliminate: Eliminator::default(),
            refuted: FxHashMap::default(),
            regions_are_inexact: false,
            random,
            phase: Phase::default(),
            samples: 0,
            counts: CombinationCounts::default(),
            branches: None,
            windows: Windows::default(),
            names: Names::default(),
            fine: false,
        }
    }

    /// For an exploration to which many small predicates are no burden.
    pub fn with_fine_predicates(mut self) -> Refinement<S> {
        self.fine = true;
        self
    }

    /// Changes the predicates in use so that the abstract model no longer has `trace`.
    pub fn refine(
        &mut self,
        run: &mut Run<'_, S>,
        trace: &AbstractTrace<S::Edge>,
        spurious: &Spurious,
    ) -> Result<Refined, Interrupted> {
        if run.refines_relation() {
            return self.refine_relation(run, trace, spurious);
        }
        if self.fine && run.steps_are_cycles {
            return Ok(if self.refine_trace(run, trace, spurious)? { Refined::Trace } else { Refined::Not });
        }
        let refuted = self.refuted(run, trace, spurious)?;
        for level in self.levels(run.engine().is_exact()) {
            run.budget.check()?;
            let proposal = self.propose(run, &refuted, level)?;
            match self.keep(run, &refuted, proposal)? {
                Kept::Yes => {
                    self.apply(run)?;
                    let of_core = matches!(
                        level,
                        Level::Source(Source::Interpolants) | Level::Core | Level::Separation
                    );
                    let from_core = of_core && self.strategy.keep == Keep::Monotone;
                    return Ok(Refined::From(if from_core { refuted.core.start } else { 0 }));
                }
                Kept::No => {}
                Kept::Enough => {
                    return self.best_proof(run).map(Refined::Proved).ok_or(Interrupted::OutOfNodes);
                }
            }
        }
        Ok(Refined::Not)
    }

    /// Why no execution follows a trace's path.
    fn refuted<'t>(
        &self,
        run: &mut Run<'_, S>,
        trace: &'t AbstractTrace<S::Edge>,
        spurious: &'t Spurious,
    ) -> Result<Refuted<'t, S::Edge>, Interrupted> {
        let path = Path::new(run.abstraction.system, trace);
        let core = path.core(run.terms, run.abstraction.system, run.budget)?;
        let core = core.expect("no execution follows the path of a spurious trace");
        Ok(Refuted { trace, spurious, path, core, knows_chosen: run.refines_relation() || self.fine })
    }

    /// Takes note of a trace that is about to be refuted, and tells how often its path has been before.
    pub fn refuted_before(&mut self, run: &Run<'_, S>, trace: &AbstractTrace<S::Edge>) -> usize {
        let path = Path::new(run.abstraction.system, trace);
        let times = self.refuted.entry(FxBuildHasher.hash_one(&path.edges)).or_default();
        *times += 1;
        self.regions_are_inexact = false;
        *times - 1
    }

    /// Takes note that an exact engine has taken over: with it, sets may eliminate what they did not before.
    pub fn engine_changed(&mut self) {
        self.regions_are_inexact = true;
        self.trace_eliminate.forget();
        self.seen.iter_mut().for_each(|seen| seen.failing.clear());
    }

    /// From now on predicates are only added; `false` if that was so before.
    pub fn only_add(&mut self) -> bool {
        self.refuted.clear();
        std::mem::replace(&mut self.strategy.keep, Keep::Monotone) != Keep::Monotone
    }

    /// What the search for combinations has done.
    pub fn combinations(&self) -> CombinationCounts {
        self.counts
    }

    /// How many branches the predicates in use come from.
    pub fn branches(&self) -> usize {
        let is_branch = |id: &&CandidateId| matches!(self.pool.get(**id).origin, Origin::Branch(_));
        self.chosen.iter().filter(is_branch).count()
    }

    /// What is tried, in this order, until something eliminates the trace. An engine that is not exact is not made to
    /// by telling states apart: an exact one takes over before.
    fn levels(&self, exact: bool) -> Vec<Level> {
        let source = match self.strategy.source {
            Source::CoreWp => None,
            source => Some(Level::Source(source)),
        };
        source.into_iter().chain([Level::Core]).chain(exact.then_some(Level::Separation)).collect()
    }

    fn propose(
        &mut self,
        run: &mut Run<'_, S>,
        refuted: &Refuted<'_, S::Edge>,
        level: Level,
    ) -> Result<Proposal, Interrupted> {
        let system = run.abstraction.system;
        let Refuted { trace, spurious, path, core, .. } = refuted;
        let mut proposal = Proposal { candidates: Vec::new(), one_by_one: false, certain: false };
        let located = match level {
            Level::Source(Source::PredInfer) => {
                proposal.one_by_one = true;
                proposal.candidates = self.branches_of(run, path, core);
                return Ok(proposal);
            }
            Level::Source(Source::FailingGuard) => {
                let failing = match spurious.guard {
                    Some(guard) => Some(guard),
                    None => path.failing_guard(run.terms, system, run.budget)?,
                };
                let Some(failing) = failing else { return Ok(proposal) };
                failing_guard::failing_guard_predicates(run.terms, system, path, failing)
            }
            Level::Source(Source::CoreSp) => core::strongest_postconditions(run.terms, system, path, core),
            Level::Source(Source::Interpolants) => {
                let located = self.interpolants(run, path, core)?;
                // There may be none.
                proposal.certain = run.engine().is_exact() && !located.is_empty();
                if interpolation::CHECKED && proposal.certain {
                    let all = self.candidates(run.terms, &located).into_iter().collect();
                    assert!(self.eliminates(run, path, &all)?, "interpolants eliminate a path");
                }
                located
            }
            Level::Source(Source::BranchCandidates) => {
                let candidates = branch_candidates::candidates(run, path, self.strategy.inference_limit);
                let found = branch_candidates::invalidating(run, trace, path, &candidates)?;
                found.map_or_else(Vec::new, |found| found.predicates)
            }
            Level::Source(Source::OrderedBranches) => {
                proposal.one_by_one = true;
                let candidates = branch_candidates::candidates(run, path, self.strategy.inference_limit);
                candidates.by_importance(run, core, path)
            }
            Level::Source(Source::CoreWp) => Vec::new(),
            Level::Core => {
                let (located, certain) = core::weakest_preconditions(run.terms, system, path, core);
                proposal.certain = certain && run.engine().is_exact();
                located
            }
            Level::Separation => {
                proposal.candidates = self.separate(run, refuted)?;
                proposal.certain = true;
                return Ok(proposal);
            }
        };
        proposal.candidates = self.candidates(run.terms, &located);
        Ok(proposal)
    }

    /// Formulas at points as candidates, taken apart where predicates are to be small.
    fn candidates(&mut self, terms: &mut Terms, located: &[Located]) -> Vec<CandidateId> {
        if !self.fine {
            return self.pool.located(located);
        }
        let apart = located.iter().flat_map(|&(point, p)| {
            let leaves = leaves::leaves(terms, p);
            leaves.into_iter().map(move |leaf| (point, leaf))
        });
        let apart: Vec<Located> = apart.collect();
        self.pool.located(&apart)
    }

    /// The branches of a path as candidates, from its end to its start. Where combinations are tried, those that its
    /// core is about come first: there the order decides which combinations are within the limits, and not what is kept.
    fn branches_of(&mut self, run: &mut Run<'_, S>, path: &Path<S::Edge>, core: &Core) -> Vec<CandidateId> {
        let Some(branching) = run.abstraction.system.branching() else { return Vec::new() };
        let branches_at = |edge: usize| branching.branches_of(path.edges[edge]);
        let mut branches: Vec<_> = match self.strategy.keep {
            Keep::Minimize => core.guards.iter().rev().flat_map(|guard| branches_at(guard.edge)).collect(),
            Keep::Monotone | Keep::Greedy => Vec::new(),
        };
        branches.extend((0..path.edges.len()).rev().flat_map(branches_at));
        let mut once = FxHashSet::default();
        branches.retain(|&b| once.insert(b));
        let limit = self.strategy.inference_limit;
        let mut candidates: Vec<CandidateId> =
            branches.into_iter().map(|b| self.pool.branch(run.terms, branching, b, limit)).collect();
        if self.strategy.keep == Keep::Minimize {
            self.all_branches(run);
            let dominating: FxHashMap<CandidateId, CandidateId> =
                self.branches.iter().flatten().copied().collect();
            candidates.iter_mut().for_each(|id| *id = dominating.get(id).copied().unwrap_or(*id));
            let mut once = FxHashSet::default();
            candidates.retain(|&id| once.insert(id));
        }
        candidates
    }

    /// Chooses what is kept.
    fn keep(
        &mut self,
        run: &mut Run<'_, S>,
        refuted: &Refuted<'_, S::Edge>,
        proposal: Proposal,
    ) -> Result<Kept, Interrupted> {
        let kept = match self.strategy.keep {
            Keep::Monotone => self.keep_all(run, refuted, &proposal)?,
            Keep::Greedy => self.keep_greedily(run, refuted, &proposal)?,
            Keep::Minimize => return self.sample_and_eliminate(run, refuted, &proposal),
        };
        Ok(if kept { Kept::Yes } else { Kept::No })
    }

    /// Adds the proposal to what is there.
    fn keep_all(
        &mut self,
        run: &mut Run<'_, S>,
        refuted: &Refuted<'_, S::Edge>,
        proposal: &Proposal,
    ) -> Result<bool, Interrupted> {
        // Where states have been told apart and nothing was missing, what the trace's regions know eliminates it.
        let told_apart = proposal.certain && proposal.candidates.is_empty();
        let new = proposal.candidates.iter().any(|&id| self.is_new(refuted, id));
        if !self.regions_are_inexact && !told_apart && !new {
            return Ok(false);
        }
        let proposed: BTreeSet<CandidateId> = proposal.candidates.iter().copied().collect();
        if proposal.certain {
            self.chosen.extend(proposed);
            return Ok(true);
        }
        if !proposal.one_by_one && self.eliminates(run, &refuted.path, &proposed)? {
            self.chosen.extend(proposed);
            return Ok(true);
        }
        match self.sufficient(run, &refuted.path, proposal)? {
            Some(more) => self.chosen = more,
            None => return Ok(false),
        }
        Ok(true)
    }

    /// Whether a candidate has a predicate that a region on the trace was computed without.
    fn is_new(&self, refuted: &Refuted<'_, S::Edge>, id: CandidateId) -> bool {
        if refuted.knows_chosen {
            return !self.chosen.contains(&id);
        }
        let regions = refuted.path.cuts.iter().map(|&(_, point)| point).zip(&refuted.trace.precisions);
        let predicates = &self.pool.get(id).predicates;
        regions.skip(1).any(|(point, precision)| {
            predicates
                .iter()
                .any(|&(at, formula)| at == point && precision.iter().all(|known| known.formula != formula))
        })
    }

    /// The chosen candidates and as many of the proposed ones, in their order, as it takes to eliminate `path`.
    fn sufficient(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        proposal: &Proposal,
    ) -> Result<Option<BTreeSet<CandidateId>>, Interrupted> {
        let mut more = self.chosen.clone();
        if self.eliminates(run, path, &more)? {
            return Ok(Some(more));
        }
        if !proposal.one_by_one {
            more.extend(&proposal.candidates);
            return Ok(self.eliminates(run, path, &more)?.then_some(more));
        }
        for &id in &proposal.candidates {
            if more.insert(id) && self.eliminates(run, path, &more)? {
                return Ok(Some(more));
            }
        }
        Ok(None)
    }

    fn eliminates(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        candidates: &BTreeSet<CandidateId>,
    ) -> Result<bool, Interrupted> {
        self.trace_eliminate.eliminates(run, path, &self.pool, candidates)
    }

    /// Puts the predicates of the chosen candidates to use.
    fn apply(&self, run: &mut Run<'_, S>) -> Result<(), Interrupted> {
        let mut at: FxHashMap<Point, Vec<Term>> = FxHashMap::default();
        let mut once = FxHashSet::default();
        for &(point, formula) in self.chosen.iter().flat_map(|&id| &self.pool.get(id).predicates) {
            if once.insert((point, formula)) {
                at.entry(point).or_default().push(formula);
            }
        }
        for point in (0..run.abstraction.system.points() as u32).map(Point) {
            let formulas = at.remove(&point).unwrap_or_default();
            run.abstraction.use_formulas(run.terms, point, &formulas)?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(dead_code)]
#[path = "../../tests/all/generate/mod.rs"]
mod generate;
#[cfg(test)]
mod tests;
