//! Lazy refinement with candidate branch conditions: \[CTL\] section 4.2, Fig. 3 to 5.
//!
//! The candidates are the conditions of the path's branches, brought to its points by *PredInfer*, that are not in use
//! there. The abstract counterexample is extended by the values of candidates that are determined, until it cannot go
//! on; then the proofs tell, backward, which candidates that was due to. In the paper time steps share the candidates;
//! here each point has its own.
//!
//! The second half of the paper's refinement are the implications that the proofs show: `ece_i → (¬ce_{i+1} ∨ ±B'_{m+q})` for
//! each value that was used, and `ece_t → ¬ce_{t+1}` where the counterexample cannot go on. With them in the abstract relation
//! the counterexample is gone without a new abstraction. Here they have the literals that their proofs use, and no others,
//! so that they exclude more.
//!
//! Of Fig. 3, line 6 reads `ece_0 ∧ B_{m+j}` as printed, like line 4. It must be the negated variable, as line 10 of Fig. 4 has
//! it: the test in line 5 was for the complement of the predicate.

use super::path::{Core, Path};
use super::proposal::Located;
use crate::cegar::Run;
use crate::explore::AbstractTrace;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Term, Terms};
use tamis_paq::Interrupted;
use tamis_solver::{Answer, Solver, Stop};
use tamis_system::{Followed, Point, StepId, System};

/// A literal `±cp` over a state: the predicate and its value.
pub type Literal = (Term, bool);

/// The candidates at each point.
pub struct Candidates {
    at: FxHashMap<Point, Vec<Term>>,
}

/// What invalidates a counterexample.
pub struct Invalidated {
    /// The candidates.
    pub predicates: Vec<Located>,
    /// The implications that their proofs show.
    pub implications: Vec<Implication>,
}

/// Literals before and after a step that no execution of it leads from and to.
pub struct Implication {
    /// Which step of the counterexample it is.
    pub time: usize,
    /// Before it.
    pub before: Vec<Literal>,
    /// After it.
    pub after: Vec<Literal>,
}

/// The literals that a proof uses.
struct Proof {
    /// Of candidates.
    candidates: Vec<Literal>,
    /// Of `ce_i`.
    given: Vec<Literal>,
    /// Of `ce_{i+1}`.
    next: Vec<Literal>,
}

/// The extended counterexample at one time: `ece_i`.
#[derive(Default)]
struct Extended {
    /// Values of predicates in use: `ce_i`.
    given: Vec<Literal>,
    /// Values of candidates.
    determined: Vec<Literal>,
}

/// Candidates that invalidate the abstract counterexample; `None` if they are not enough, and the traditional refinement has
/// to find other predicates.
pub fn invalidating<S: System>(
    run: &mut Run<'_, S>,
    trace: &AbstractTrace<S::Edge>,
    path: &Path<S::Edge>,
    candidates: &Candidates,
) -> Result<Option<Invalidated>, Interrupted> {
    // The first step leads to the first states, so COMPUTE_INITIAL is COMPUTE_NEXT for it: before it nothing is determined.
    let mut times = vec![Extended { given: given(run, trace, path, 0), ..Extended::default() }];
    for i in 0..path.cuts.len() {
        run.budget.check()?;
        let next = path.cuts.get(i + 1).map(|&(_, point)| point);
        let ce = if next.is_some() { given(run, trace, path, i + 1) } else { Vec::new() };
        let known = next.and_then(|point| candidates.at.get(&point)).map_or(&[][..], Vec::as_slice);
        match compute_next(run, trace, path, i, &times[i], ce, known)? {
            Next::Invalidated(proof) => {
                return determine_predicates(run, trace, path, &times, proof).map(Some);
            }
            Next::Extended(extended) => times.push(extended),
        }
    }
    Ok(None)
}

/// The candidates at each point of the path: branch conditions that the abstract model says nothing of.
pub fn candidates<S: System>(run: &mut Run<'_, S>, path: &Path<S::Edge>, limit: usize) -> Candidates {
    let system = run.abstraction.system;
    let mut candidates = Candidates { at: FxHashMap::default() };
    let Some(branching) = system.branching() else { return candidates };
    let mut branches: Vec<_> = path.edges.iter().flat_map(|&e| branching.branches_of(e)).collect();
    branches.sort_unstable();
    branches.dedup();
    let mut once = FxHashSet::default();
    for b in branches {
        for (point, formula) in branching.pred_infer(run.terms, b, limit) {
            if point != Point::INITIAL
                && once.insert((point, formula))
                && !run.abstraction.expresses(run.terms, point, formula)
            {
                candidates.at.entry(point).or_default().push(formula);
            }
        }
    }
    candidates
}

impl Candidates {
    /// All of them in an order of importance: those with the most variables in common with why the path is infeasible first,
    /// of these the ones with the fewest variables. The paper leaves the criterion open.
    pub fn by_importance<S: System>(
        &self,
        run: &mut Run<'_, S>,
        core: &Core,
        path: &Path<S::Edge>,
    ) -> Vec<Located> {
        let mut matters: FxHashSet<Term> = FxHashSet::default();
        for &(position, _) in &path.cuts[core.start..] {
            let guards: Vec<Term> =
                core.rest(run.terms, run.abstraction.system, path, position).terms().collect();
            matters.extend(run.terms.free_vars_of(&guards));
        }
        let mut ordered: Vec<(usize, usize, Located)> = Vec::new();
        for (&point, formulas) in &self.at {
            for &formula in formulas {
                let variables = run.terms.free_vars(formula);
                let common = variables.iter().filter(|v| matters.contains(v)).count();
                ordered.push((usize::MAX - common, variables.len(), (point, formula)));
            }
        }
        ordered.sort_unstable();
        ordered.into_iter().map(|(.., located)| located).collect()
    }
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
    /// The counterexample cannot go on, and this is why.
    Invalidated(Proof),
    Extended(Extended),
}

/// `R` between two times: the step's own solver if its executions take one path, and otherwise one for the path.
struct Segment<S: System> {
    step: StepId,
    own: Option<(Solver, Followed<S::State>)>,
}

impl<S: System> Segment<S> {
    fn new(run: &mut Run<'_, S>, step: StepId, edges: &[S::Edge]) -> Segment<S> {
        let system = run.abstraction.system;
        run.abstraction.prepare(run.terms, step, &[]);
        let own = system.only_path(step).is_none().then(|| {
            let followed = system.follow(run.terms, edges, &system.symbolic());
            let mut solver = Solver::new(run.budget);
            followed.condition.terms().for_each(|guard| solver.assert(run.terms, guard));
            (solver, followed)
        });
        Segment { step, own }
    }

    /// A formula over the state after it.
    fn read(&mut self, run: &mut Run<'_, S>, formula: Term) -> Term {
        match &mut self.own {
            Some((_, followed)) => run.abstraction.system.read(run.terms, &mut followed.post, formula),
            None => run.abstraction.read_after(run.terms, self.step, formula),
        }
    }

    fn solver<'r>(&'r mut self, run: &'r mut Run<'_, S>) -> (&'r Terms, &'r mut Solver) {
        match &mut self.own {
            Some((solver, _)) => (run.terms, solver),
            None => {
                let solver = run.abstraction.step_solver(self.step);
                (run.terms, solver)
            }
        }
    }

    /// The literals that a proof of unsatisfiability uses; `None` if there is no such proof.
    fn proof(
        &mut self,
        run: &mut Run<'_, S>,
        assumed: &Assumed,
        goal: Option<Term>,
    ) -> Result<Option<Proof>, Stop> {
        let (terms, solver) = self.solver(run);
        assumed.proof(terms, solver, goal)
    }

    /// Whether there is a proof.
    fn excludes(&mut self, run: &mut Run<'_, S>, assumed: &Assumed, goal: Term) -> Result<bool, Stop> {
        let (terms, solver) = self.solver(run);
        let assumptions: Vec<Term> = assumed.formulas().chain([goal]).collect();
        Ok(solver.check(terms, &assumptions)? == Answer::Unsat)
    }

    /// Which values formulas have in the model just found.
    fn record(&mut self, run: &mut Run<'_, S>, formulas: &[Term], seen: &mut [[bool; 2]]) {
        let (terms, solver) = self.solver(run);
        for (&formula, seen) in formulas.iter().zip(seen) {
            seen[usize::from(solver.value(terms, formula).as_bool())] = true;
        }
    }
}

/// What is assumed at a time: each literal with the formula that says it, before or after the step.
#[derive(Default)]
struct Assumed {
    candidates: Vec<(Term, Literal)>,
    given: Vec<(Term, Literal)>,
    next: Vec<(Term, Literal)>,
}

impl Assumed {
    /// What comes first is left out of a proof first: one without candidates is the best.
    fn formulas(&self) -> impl Iterator<Item = Term> + '_ {
        self.candidates.iter().chain(&self.next).chain(&self.given).map(|&(formula, _)| formula)
    }

    fn proof(&self, terms: &Terms, solver: &mut Solver, goal: Option<Term>) -> Result<Option<Proof>, Stop> {
        let mut assumptions: Vec<Term> = self.formulas().chain(goal).collect();
        if let Answer::Sat = solver.check(terms, &assumptions)? {
            return Ok(None);
        }
        let reported: FxHashSet<Term> = solver.core().iter().copied().collect();
        assumptions.retain(|formula| reported.contains(formula));
        assumptions.dedup();
        let core: FxHashSet<Term> = solver.minimize_core(terms, &assumptions)?.into_iter().collect();
        let used = |literals: &[(Term, Literal)]| {
            literals.iter().filter(|(f, _)| core.contains(f)).map(|&(_, literal)| literal).collect()
        };
        Ok(Some(Proof {
            candidates: used(&self.candidates),
            given: used(&self.given),
            next: used(&self.next),
        }))
    }
}

/// `R ∧ γ(ece_i) ∧ γ(ce_{i+1})`.
fn assume<S: System>(
    run: &mut Run<'_, S>,
    segment: &mut Segment<S>,
    now: &Extended,
    ce: &[Literal],
) -> Assumed {
    let mut assumed = Assumed::default();
    for &literal in &now.given {
        assumed.given.push((signed(run.terms, literal), literal));
    }
    for &literal in &now.determined {
        assumed.candidates.push((signed(run.terms, literal), literal));
    }
    for &(p, value) in ce {
        let after = segment.read(run, p);
        assumed.next.push((signed(run.terms, (after, value)), (p, value)));
    }
    assumed
}

/// COMPUTE_NEXT(i), Fig. 4. A model in which a candidate has one value spares the question whether it must have the other.
fn compute_next<S: System>(
    run: &mut Run<'_, S>,
    trace: &AbstractTrace<S::Edge>,
    path: &Path<S::Edge>,
    i: usize,
    now: &Extended,
    ce: Vec<Literal>,
    candidates: &[Term],
) -> Result<Next, Interrupted> {
    let mut segment = Segment::new(run, trace.steps[i], path.segment(i));
    let assumed = assume(run, &mut segment, now, &ce);
    let after: Vec<Term> = candidates.iter().map(|&cp| segment.read(run, cp)).collect();
    if let Some(proof) = segment.proof(run, &assumed, None)? {
        return Ok(Next::Invalidated(proof));
    }
    let mut seen = vec![[false; 2]; candidates.len()];
    segment.record(run, &after, &mut seen);
    let mut determined = Vec::new();
    for (j, &cp) in candidates.iter().enumerate() {
        run.budget.check()?;
        let value = match seen[j] {
            [true, true] => continue,
            [_, value] => value,
        };
        let otherwise = signed(run.terms, (after[j], !value));
        if segment.excludes(run, &assumed, otherwise)? {
            determined.push((cp, value));
        } else {
            segment.record(run, &after, &mut seen);
        }
    }
    Ok(Next::Extended(Extended { given: ce, determined }))
}

fn signed(terms: &mut Terms, (formula, value): Literal) -> Term {
    if value { formula } else { terms.not(formula) }
}

/// DETERMINE_PREDICATES(t, f), Fig. 5: from the proof that the counterexample cannot go on after the last of `times`
/// backward, through the proofs of what each proof uses.
fn determine_predicates<S: System>(
    run: &mut Run<'_, S>,
    trace: &AbstractTrace<S::Edge>,
    path: &Path<S::Edge>,
    times: &[Extended],
    last: Proof,
) -> Result<Invalidated, Interrupted> {
    let mut np: Vec<Located> = Vec::new();
    let mut used: FxHashSet<Literal> = last.candidates.iter().copied().collect();
    let mut implications = vec![last.excludes(times.len() - 1, None)];
    for (i, extended) in times.iter().enumerate().skip(1).rev() {
        np.extend(used.iter().map(|&(cp, _)| (path.cuts[i].1, cp)));
        let mut earlier = FxHashSet::default();
        let mut segment = Segment::new(run, trace.steps[i - 1], path.segment(i - 1));
        let assumed = assume(run, &mut segment, &times[i - 1], &extended.given);
        for &(cp, value) in extended.determined.iter().filter(|&literal| used.contains(literal)) {
            let after = segment.read(run, cp);
            let otherwise = signed(run.terms, (after, !value));
            let proof = segment.proof(run, &assumed, Some(otherwise))?;
            let proof = proof.expect("what was determined is determined");
            earlier.extend(proof.candidates.iter().copied());
            implications.push(proof.excludes(i - 1, Some((cp, !value))));
        }
        used = earlier;
    }
    np.sort_unstable();
    np.dedup();
    Ok(Invalidated { predicates: np, implications })
}

impl Proof {
    /// What the proof shows of a step: that no execution of it goes from what it uses before to what it uses after, with one
    /// literal more.
    fn excludes(self, time: usize, more: Option<Literal>) -> Implication {
        Implication {
            time,
            before: self.given.into_iter().chain(self.candidates).collect(),
            after: self.next.into_iter().chain(more).collect(),
        }
    }
}
