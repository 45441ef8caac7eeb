//! Refinement where the abstract relation is not exact: of the relation itself, and lazily of its predicates.
//!
//! An abstract counterexample may be spurious because of a transition that the relation has and no execution takes. Such
//! transitions are excluded, as far as the proof goes ([`Excluded`]). If there are none, every transition is one of an
//! execution and predicates are missing: branch conditions whose values are determined and refute the counterexample, with the
//! implications that say so (\[CTL\] section 4.2, [`branch_candidates`]); or branch conditions one after the other, which is what
//! the paper compares with; or what the traditional refinement finds: weakest preconditions of a part of the counterexample that
//! no execution follows ([`window`](super::window)), of an unsat core of the whole path, and in the end what tells states apart. With these the exact relation no longer has the path, so that a counterexample along it has a
//! transition to exclude: there are finitely many with the same predicates, and the loop goes on.
//!
//! The traditional refinement of the paper is that of its reference \[7\], where predicates come from proofs as well.

use super::branch_candidates::{self, Candidates, Invalidated};
use super::proposal::CandidateId;
use super::{Level, Path, Refined, Refinement, Refuted, Source, Spurious};
use crate::abstraction::Excluded;
use crate::cegar::Run;
use crate::explore::AbstractTrace;
use tamis_diagram::BddVar;
use tamis_paq::Interrupted;
use tamis_system::System;

/// Excludes the transitions of a trace that no execution takes; `false` if there are none.
pub(super) fn exclude_spurious_transitions<S: System>(
    run: &mut Run<'_, S>,
    trace: &AbstractTrace<S::Edge>,
) -> Result<bool, Interrupted> {
    let mut any = false;
    for (i, &step) in trace.steps.iter().enumerate() {
        run.budget.check()?;
        let after = if i + 1 < trace.steps.len() { in_use(run, trace, i + 1) } else { Vec::new() };
        let before = in_use(run, trace, i);
        if let Some(transition) = run.abstraction.refute(run.terms, step, &before, &after)? {
            run.abstraction.exclude(transition);
            any = true;
        }
    }
    Ok(any)
}

/// The values in a trace's state of the predicates in use there.
pub(super) fn in_use<S: System>(
    run: &Run<'_, S>,
    trace: &AbstractTrace<S::Edge>,
    i: usize,
) -> Vec<(BddVar, bool)> {
    let point = run.abstraction.system.steps()[trace.steps[i].index()].from;
    let in_use = run.abstraction.predicates.at(point);
    trace.states[i].iter().copied().filter(|(var, _)| in_use.iter().any(|p| p.var == *var)).collect()
}

impl<S: System> Refinement<S> {
    /// Excludes transitions of a trace, or adds predicates against it if all are ones of executions.
    pub(super) fn refine_relation(
        &mut self,
        run: &mut Run<'_, S>,
        trace: &AbstractTrace<S::Edge>,
        spurious: &Spurious,
    ) -> Result<Refined, Interrupted> {
        if exclude_spurious_transitions(run, trace)? {
            return Ok(Refined::Relation);
        }
        let path = Path::new(run.abstraction.system, trace);
        let limit = self.strategy.inference_limit;
        if self.strategy.source == Source::BranchCandidates {
            let candidates = branch_candidates::candidates(run, &path, limit);
            if self.invalidate(run, trace, &path, &candidates)? {
                return Ok(Refined::Relation);
            }
        }
        if self.strategy.source == Source::OrderedBranches {
            let refuted = self.refuted(run, trace, spurious)?;
            let candidates = branch_candidates::candidates(run, &path, limit);
            if self.add_in_order(run, &refuted, &candidates)? {
                return Ok(Refined::Relation);
            }
        }
        Ok(if self.refine_trace(run, trace, spurious)? { Refined::Relation } else { Refined::Not })
    }

    /// Adds predicates against a trace each of whose transitions is one of an execution: not against its path, which other
    /// abstract states may take. Where a path is no more than a number of cycles that is much less to ask. `false` if none
    /// is new, though what tells states apart is where every transition is one of an execution.
    pub(super) fn refine_trace(
        &mut self,
        run: &mut Run<'_, S>,
        trace: &AbstractTrace<S::Edge>,
        spurious: &Spurious,
    ) -> Result<bool, Interrupted> {
        if !matches!(self.strategy.source, Source::FailingGuard | Source::CoreSp) {
            let located = self.windows.predicates(run, trace)?;
            let ids = self.candidates(run.terms, &located);
            if self.add_new(run, ids)? {
                return Ok(true);
            }
        }
        let refuted = self.refuted(run, trace, spurious)?;
        for level in [Level::Source(self.strategy.source), Level::Core, Level::Separation] {
            run.budget.check()?;
            if matches!(level, Level::Source(Source::BranchCandidates | Source::OrderedBranches)) {
                continue;
            }
            let proposal = self.propose(run, &refuted, level)?;
            if self.add_new(run, proposal.candidates)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds those candidates that are new; `false` if none is.
    fn add_new(&mut self, run: &mut Run<'_, S>, ids: Vec<CandidateId>) -> Result<bool, Interrupted> {
        let before = self.chosen.len();
        self.chosen.extend(ids);
        let any = self.chosen.len() > before;
        if any {
            self.apply(run)?;
        }
        Ok(any)
    }

    /// The lazy refinement of \[CTL\] Fig. 3 to 5 with these candidates; `false` if they do not invalidate the trace.
    fn invalidate(
        &mut self,
        run: &mut Run<'_, S>,
        trace: &AbstractTrace<S::Edge>,
        path: &Path<S::Edge>,
        candidates: &Candidates,
    ) -> Result<bool, Interrupted> {
        let found = branch_candidates::invalidating(run, trace, path, candidates)?;
        let Some(Invalidated { predicates, implications }) = found else { return Ok(false) };
        let ids = self.pool.located(&predicates);
        self.chosen.extend(ids);
        for implication in implications {
            let step = trace.steps[implication.time];
            let ends = run.abstraction.system.steps()[step.index()];
            let mut transition = Excluded { step, before: Vec::new(), after: Vec::new() };
            let sides = [
                (ends.from, &implication.before, &mut transition.before),
                (ends.to, &implication.after, &mut transition.after),
            ];
            for (point, literals, side) in sides {
                for &(formula, value) in literals {
                    let abstraction = &mut run.abstraction;
                    let p = abstraction.predicates.get(&mut abstraction.diagrams, point, formula)?;
                    side.push((p.var, value));
                }
            }
            run.abstraction.exclude(transition);
        }
        self.apply(run)?;
        Ok(true)
    }

    /// The naive algorithm: candidates are added in the order of their importance, and the abstract model is made anew each
    /// time, until it no longer has the counterexample; `false` if it has it with all of them.
    fn add_in_order(
        &mut self,
        run: &mut Run<'_, S>,
        refuted: &Refuted<'_, S::Edge>,
        candidates: &Candidates,
    ) -> Result<bool, Interrupted> {
        let before = self.chosen.clone();
        let given = (0..refuted.trace.steps.len()).map(|i| in_use(run, refuted.trace, i)).collect::<Vec<_>>();
        let ordered = candidates.by_importance(run, &refuted.core, &refuted.path);
        for id in self.pool.located(&ordered) {
            run.budget.check()?;
            if self.chosen.insert(id) {
                self.apply(run)?;
                if !has_trace(run, refuted.trace, &given)? {
                    return Ok(true);
                }
            }
        }
        self.chosen = before;
        self.apply(run)?;
        Ok(false)
    }
}

/// Whether the abstract model of now has a trace with the steps of `trace` and, where they are still in use, the values
/// `given` in its states.
pub(super) fn has_trace<S: System>(
    run: &mut Run<'_, S>,
    trace: &AbstractTrace<S::Edge>,
    given: &[Vec<(BddVar, bool)>],
) -> Result<bool, Interrupted> {
    let mut region = run.abstraction.diagrams.tru();
    for (i, &step) in trace.steps.iter().enumerate() {
        let ends = run.abstraction.system.steps()[step.index()];
        let relation = run.partition(step)?;
        let vars: Vec<BddVar> = run.abstraction.predicates.at(ends.from).iter().map(|p| p.var).collect();
        region = relation.product(&run.abstraction.diagrams, &region, &vars, &[])?;
        let to = run.abstraction.predicates.at(ends.to).clone();
        let mut unprimed = Vec::with_capacity(to.len());
        for p in to.iter() {
            unprimed.push((run.abstraction.primed(p.var)?, p.var));
        }
        region = run.abstraction.diagrams.rename(&region, &unprimed)?;
        for &(var, value) in given.get(i + 1).into_iter().flatten() {
            let meaning = match run.abstraction.definition(var) {
                Some(meaning) => meaning,
                None => run.abstraction.diagrams.var(var),
            };
            let literal = if value { meaning } else { run.abstraction.diagrams.not(&meaning) };
            region = run.abstraction.diagrams.and(&region, &literal)?;
        }
        if region.is_false() {
            return Ok(false);
        }
    }
    Ok(true)
}
