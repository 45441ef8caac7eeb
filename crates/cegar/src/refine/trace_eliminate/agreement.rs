//! *TraceEliminate* as one satisfiability question.
//!
//! The paper computes the abstract states along the trace. With an exact abstraction there is a shorter way. The
//! abstract model has a trace along a path if and only if the path's segments can be executed, each from a state of its
//! own, such that where one ends and the next one starts the two states agree on the predicates there. That is one
//! formula, in which every candidate has a literal that makes the states agree on its predicates: the elimination by a
//! set of candidates is the unsatisfiability under the assumption of their literals, and one solver serves all sets.

use super::TraceEliminate;
use crate::cegar::Run;
use crate::refine::path::Path;
use crate::refine::proposal::{CandidateId, Pool};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tamis_logic::{Model, Sort, Term, Terms};
use tamis_paq::Interrupted;
use tamis_solver::{Answer, Budget, Solver};
use tamis_system::{Point, System};

/// Checks the elimination of paths by exact abstractions.
pub struct TraceAgreement<S: System> {
    paths: FxHashMap<Box<[S::Edge]>, Agreement<S>>,
    names: Names,
}

/// With more pairs of states that have been made to agree on a predicate than this, what is known of paths is
/// forgotten: memory does not grow with the iterations.
const MAX_AGREEMENTS: usize = 1 << 15;

impl<S: System> Default for TraceAgreement<S> {
    fn default() -> TraceAgreement<S> {
        TraceAgreement { paths: FxHashMap::default(), names: Names::default() }
    }
}

impl<S: System> TraceEliminate<S> for TraceAgreement<S> {
    /// Those in the unsat core.
    fn eliminating(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        pool: &Pool,
        chosen: &BTreeSet<CandidateId>,
    ) -> Result<Option<BTreeSet<CandidateId>>, Interrupted> {
        let (agreement, literals) = self.agreement(run, path, pool, chosen)?;
        let assumptions: Vec<Term> = literals.iter().map(|&(literal, _)| literal).collect();
        if agreement.solver.check(run.terms, &assumptions)? == Answer::Sat {
            return Ok(None);
        }
        let core = agreement.solver.core();
        Ok(Some(literals.iter().filter(|(l, _)| core.contains(l)).map(|&(_, id)| id).collect()))
    }
}

impl<S: System> TraceAgreement<S> {
    /// A trace along `path` that the exact abstract model with the predicates of `chosen` has, if it has one: for each
    /// cut that is asked about, the values of state variables where the segment before it ends.
    pub fn ends(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        pool: &Pool,
        chosen: &BTreeSet<CandidateId>,
        asked: &[(usize, &[Term])],
    ) -> Result<Option<Vec<Model>>, Interrupted> {
        let system = run.abstraction.system;
        let (agreement, literals) = self.agreement(run, path, pool, chosen)?;
        let assumptions: Vec<Term> = literals.iter().map(|&(literal, _)| literal).collect();
        if agreement.solver.check(run.terms, &assumptions)? == Answer::Unsat {
            return Ok(None);
        }
        let Agreement { solver, segments, .. } =
            self.paths.get_mut(path.edges.as_slice()).expect("just asked");
        let mut ends = Vec::with_capacity(asked.len());
        for &(cut, variables) in asked {
            let mut end = Model::new();
            for &v in variables {
                let value = system.read(run.terms, &mut segments[cut - 1].post, v);
                let value = self.names.rename(run.terms, cut - 1, value);
                end.set(v, solver.value(run.terms, value));
            }
            ends.push(end);
        }
        Ok(Some(ends))
    }

    /// What is known of a path, and the literals of candidates there.
    fn agreement(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        pool: &Pool,
        chosen: &BTreeSet<CandidateId>,
    ) -> Result<(&mut Agreement<S>, Literals), Interrupted> {
        run.budget.check()?;
        let (system, names) = (run.abstraction.system, &mut self.names);
        if !self.paths.contains_key(path.edges.as_slice()) {
            if self.paths.values().map(|agreement| agreement.size).sum::<usize>() >= MAX_AGREEMENTS {
                self.paths.clear();
            }
            let agreement = Agreement::new(run.terms, names, system, run.budget, path);
            self.paths.insert(path.edges.as_slice().into(), agreement);
        }
        let agreement = self.paths.get_mut(path.edges.as_slice()).expect("just made");
        let literals =
            chosen.iter().map(|&id| (agreement.literal(run.terms, names, system, pool, id), id)).collect();
        Ok((agreement, literals))
    }
}

/// Literals that make states agree on the predicates of candidates.
type Literals = Vec<(Term, CandidateId)>;

/// The segments of a path with a state of its own for each.
struct Agreement<S: System> {
    solver: Solver,
    segments: Vec<Segment<S::State>>,
    stated: FxHashSet<CandidateId>,
    /// How much it says.
    size: usize,
}

struct Segment<T> {
    /// Where it starts.
    from: Point,
    /// The state after it, in terms of the state variables before it.
    post: T,
}

/// Names for what the formulas of paths are about. All paths have the same ones, so that what they have in common is
/// one term, and the terms do not grow with the iterations.
#[derive(Default)]
struct Names {
    variables: FxHashSet<Term>,
    /// Of state variables where a path's segment of some number starts.
    states: FxHashMap<(usize, Term), Term>,
    /// Of what makes the states agree on a candidate's predicates.
    literals: FxHashMap<CandidateId, Term>,
}

impl Names {
    fn rename(&mut self, terms: &mut Terms, segment: usize, t: Term) -> Term {
        for v in terms.free_vars(t) {
            if self.variables.contains(&v) && !self.states.contains_key(&(segment, v)) {
                let name = terms.fresh("state", terms.sort(v));
                self.states.insert((segment, v), name);
            }
        }
        terms.substitute_with(t, |v| self.states.get(&(segment, v)).copied())
    }

    fn literal(&mut self, terms: &mut Terms, id: CandidateId) -> Term {
        *self.literals.entry(id).or_insert_with(|| terms.fresh("agree", Sort::Bool))
    }
}

impl<S: System> Agreement<S> {
    fn new(
        terms: &mut Terms,
        names: &mut Names,
        system: &S,
        budget: &Budget,
        path: &Path<S::Edge>,
    ) -> Agreement<S> {
        if names.variables.is_empty() {
            names.variables = system.state_variables().into_iter().collect();
        }
        let mut solver = Solver::new(budget);
        let mut segments = Vec::with_capacity(path.cuts.len());
        for (cut, &(_, from)) in path.cuts.iter().enumerate() {
            let followed = system.follow(terms, path.segment(cut), &system.symbolic());
            for guard in followed.condition.terms() {
                let guard = names.rename(terms, cut, guard);
                solver.assert(terms, guard);
            }
            segments.push(Segment { from, post: followed.post });
        }
        let size = segments.len();
        Agreement { solver, segments, stated: FxHashSet::default(), size }
    }

    /// The literal that makes the states agree on a candidate's predicates.
    fn literal(
        &mut self,
        terms: &mut Terms,
        names: &mut Names,
        system: &S,
        pool: &Pool,
        id: CandidateId,
    ) -> Term {
        let literal = names.literal(terms, id);
        if !self.stated.insert(id) {
            return literal;
        }
        let predicates = &pool.get(id).predicates;
        for cut in 1..self.segments.len() {
            let point = self.segments[cut].from;
            for &(_, p) in predicates.iter().filter(|(at, _)| *at == point) {
                let ended = system.read(terms, &mut self.segments[cut - 1].post, p);
                let ended = names.rename(terms, cut - 1, ended);
                let started = names.rename(terms, cut, p);
                let same = terms.eq(ended, started);
                self.solver.assert_under(terms, literal, same);
                self.size += 1;
            }
        }
        literal
    }
}
