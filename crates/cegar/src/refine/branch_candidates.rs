//! Lazy refinement with candidate branch conditions: \[CTL\] section 4.2, Fig. 3 to 5.
//!
//! The candidates are the conditions of the path's branches, brought to its points by *PredInfer*, that are not in use
//! there. The abstract counterexample is extended by the values of candidates that are determined, until it cannot go
//! on; then the proofs tell, backward, which candidates that was due to. In the paper time steps share the candidates;
//! here each point has its own.

use super::path::Path;
use super::proposal::Located;
use crate::cegar::Run;
use crate::explore::AbstractTrace;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Term, Terms};
use tamis_paq::Interrupted;
use tamis_solver::{Answer, Solver, Stop};
use tamis_system::{Point, System};

/// A literal `±cp` over a state: the predicate and its value.
type Literal = (Term, bool);

/// The extended counterexample at one time: `ece_i`, with the proof of each candidate's value.
#[derive(Default)]
struct Extended {
    /// Values of predicates in use: `ce_i`.
    given: Vec<Literal>,
    /// Values of candidates, each with the candidates at the time before that its proof uses.
    determined: Vec<(Literal, Vec<Literal>)>,
}

/// Candidates that invalidate the abstract counterexample; none if the branch conditions are not enough, and the
/// traditional refinement has to find other predicates.
pub fn invalidating<S: System>(
    run: &mut Run<'_, S>,
    trace: &AbstractTrace<S::Edge>,
    path: &Path<S::Edge>,
    limit: usize,
) -> Result<Vec<Located>, Interrupted> {
    let candidates = candidates(run, path, limit);
    // COMPUTE_INITIAL: every state is initial, so nothing is determined at time 0.
    let mut times = vec![Extended { given: given(run, trace, path, 0), ..Extended::default() }];
    for i in 0..path.cuts.len() {
        run.budget.check()?;
        let next = path.cuts.get(i + 1).map(|&(_, point)| point);
        let ce = if next.is_some() { given(run, trace, path, i + 1) } else { Vec::new() };
        let known = next.and_then(|point| candidates.get(&point)).map_or(&[][..], Vec::as_slice);
        match compute_next(run, path, i, &times[i], ce, known)? {
            Next::Invalidated(proof) => return Ok(determine_predicates(path, &times, proof)),
            Next::Extended(extended) => times.push(extended),
        }
    }
    Ok(Vec::new())
}

/// The candidates at each point of the path.
fn candidates<S: System>(
    run: &mut Run<'_, S>,
    path: &Path<S::Edge>,
    limit: usize,
) -> FxHashMap<Point, Vec<Term>> {
    let system = run.abstraction.system;
    let Some(branching) = system.branching() else { return FxHashMap::default() };
    let mut branches: Vec<_> = path.edges.iter().flat_map(|&e| branching.branches_of(e)).collect();
    branches.sort_unstable();
    branches.dedup();
    let mut candidates: FxHashMap<Point, Vec<Term>> = FxHashMap::default();
    for b in branches {
        for (point, formula) in branching.pred_infer(run.terms, b, limit) {
            let in_use = run.abstraction.predicates.at(point).iter().any(|p| p.formula == formula);
            let here = candidates.entry(point).or_default();
            if point != Point(0) && !in_use && !here.contains(&formula) {
                here.push(formula);
            }
        }
    }
    candidates
}

/// `ce_i`: the values of the predicates in use.
fn given<S: System>(
    run: &Run<'_, S>,
    trace: &AbstractTrace<S::Edge>,
    path: &Path<S::Edge>,
    i: usize,
) -> Vec<Literal> {
    let in_use = run.abstraction.predicates.at(path.cuts[i].1);
    let value = |p: &tamis_paq::Predicate| {
        trace.states[i].iter().find(|(var, _)| *var == p.var).map(|&(_, value)| (p.formula, value))
    };
    in_use.iter().filter_map(value).collect()
}

enum Next {
    /// The counterexample cannot go on, and these candidates are why.
    Invalidated(Vec<Literal>),
    Extended(Extended),
}

/// COMPUTE_NEXT(i), Fig. 4.
fn compute_next<S: System>(
    run: &mut Run<'_, S>,
    path: &Path<S::Edge>,
    i: usize,
    now: &Extended,
    ce: Vec<Literal>,
    candidates: &[Term],
) -> Result<Next, Interrupted> {
    let system = run.abstraction.system;
    let mut followed = system.follow(run.terms, path.segment(i), &system.symbolic());
    // R ∧ γ(ce_i) ∧ γ(ce_{i+1}) is asserted, γ of the candidates' values assumed: the proof is over them alone.
    let mut solver = Solver::new(run.budget);
    for guard in followed.condition.terms() {
        solver.assert(run.terms, guard);
    }
    for &literal in &now.given {
        let formula = signed(run.terms, literal);
        solver.assert(run.terms, formula);
    }
    for &(p, value) in &ce {
        let after = system.read(run.terms, &mut followed.post, p);
        let formula = signed(run.terms, (after, value));
        solver.assert(run.terms, formula);
    }
    let mut assumed: Vec<(Term, Literal)> = Vec::new();
    for &(literal, _) in &now.determined {
        assumed.push((signed(run.terms, literal), literal));
    }
    if let Some(proof) = proof(run.terms, &mut solver, &assumed, None)? {
        return Ok(Next::Invalidated(proof));
    }
    let mut determined = Vec::new();
    for &cp in candidates {
        run.budget.check()?;
        let after = system.read(run.terms, &mut followed.post, cp);
        for value in [true, false] {
            let otherwise = signed(run.terms, (after, !value));
            if let Some(proof) = proof(run.terms, &mut solver, &assumed, Some(otherwise))? {
                determined.push(((cp, value), proof));
                break;
            }
        }
    }
    Ok(Next::Extended(Extended { given: ce, determined }))
}

fn signed(terms: &mut Terms, (formula, value): Literal) -> Term {
    if value { formula } else { terms.not(formula) }
}

/// The literals that a proof of unsatisfiability uses; `None` if there is no such proof.
fn proof(
    terms: &mut Terms,
    solver: &mut Solver,
    assumed: &[(Term, Literal)],
    goal: Option<Term>,
) -> Result<Option<Vec<Literal>>, Stop> {
    let mut assumptions: Vec<Term> = assumed.iter().map(|&(formula, _)| formula).collect();
    assumptions.extend(goal);
    if let Answer::Sat = solver.check(terms, &assumptions)? {
        return Ok(None);
    }
    let core = solver.core().to_vec();
    let core = solver.minimize_core(terms, &core)?;
    Ok(Some(assumed.iter().filter(|(f, _)| core.contains(f)).map(|&(_, literal)| literal).collect()))
}

/// DETERMINE_PREDICATES(t, f), Fig. 5: from the proof that the counterexample cannot go on after the last of `times`
/// backward, through the proofs of what each proof uses.
fn determine_predicates<E: Copy>(path: &Path<E>, times: &[Extended], last: Vec<Literal>) -> Vec<Located> {
    let mut np: Vec<Located> = Vec::new();
    let mut used: FxHashSet<Literal> = last.into_iter().collect();
    for (i, extended) in times.iter().enumerate().rev() {
        np.extend(used.iter().map(|&(cp, _)| (path.cuts[i].1, cp)));
        let proofs = extended.determined.iter().filter(|(literal, _)| used.contains(literal));
        used = proofs.flat_map(|(_, proof)| proof.iter().copied()).collect();
    }
    np.sort_unstable();
    np.dedup();
    np
}
