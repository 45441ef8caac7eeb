//! *TraceEliminate* for many sets of the same candidates.
//!
//! Exact abstractions can be made coarser afterwards: the relation of a segment between the predicates of some
//! candidates is that between the predicates of all, less what is said of the others' (\[MIN\] section 2.1 defines
//! transitions by the existence of concrete ones). So the relations of the segments are computed once, for all
//! candidates that there are, and the states along a path for any of their sets take operations on diagrams alone. A
//! predicate has the same variable at all points: what a segment does not touch needs no operation at all.

use super::TraceEliminate;
use crate::cegar::Run;
use crate::refine::path::Path;
use crate::refine::proposal::{CandidateId, Pool};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;
use tamis_diagram::{Bdd, BddVar, Diagrams};
use tamis_logic::{Term, Terms};
use tamis_paq::{AllSat, Context, Engine, Interrupted, Predicate};
use tamis_solver::Solver;
use tamis_system::{Point, System};

/// The relations of segments over the predicates of a set of candidates.
pub struct TraceRelations<S: System> {
    universe: BTreeSet<CandidateId>,
    at: FxHashMap<Point, Vec<Term>>,
    diagrams: Diagrams,
    /// For a predicate the variable before a segment and the one after it.
    variables: FxHashMap<Term, (BddVar, BddVar)>,
    relations: FxHashMap<Box<[S::Edge]>, Rc<Vec<Relation>>>,
    /// Whether a relation was too much.
    given_up: bool,
}

/// What a segment does to predicates that have variables of the program in common.
struct Relation {
    /// The predicates before it.
    sources: Vec<BddVar>,
    /// The predicates after it: their variables after a segment and before one.
    targets: Vec<(BddVar, BddVar)>,
    pairs: Bdd,
}

/// A relation that is not found in this time is not worth it.
const RELATION_TIME: Duration = Duration::from_secs(3);
/// The most nodes of the relations' diagrams.
const MAX_NODES: usize = 1 << 20;

impl<S: System> TraceRelations<S> {
    /// Over the candidates of `universe`.
    pub fn new(pool: &Pool, universe: &BTreeSet<CandidateId>) -> TraceRelations<S> {
        let mut at: FxHashMap<Point, Vec<Term>> = FxHashMap::default();
        let mut once = FxHashSet::default();
        for &(point, p) in universe.iter().flat_map(|&id| &pool.get(id).predicates) {
            if once.insert((point, p)) {
                at.entry(point).or_default().push(p);
            }
        }
        TraceRelations {
            universe: universe.clone(),
            at,
            diagrams: Diagrams::new(MAX_NODES),
            variables: FxHashMap::default(),
            relations: FxHashMap::default(),
            given_up: false,
        }
    }

    /// Whether it can tell about a set.
    pub fn knows(&self, chosen: &BTreeSet<CandidateId>) -> bool {
        !self.given_up && chosen.is_subset(&self.universe)
    }

    /// Whether it is over these candidates.
    pub fn is_for(&self, universe: &BTreeSet<CandidateId>) -> bool {
        self.universe == *universe
    }

    /// Whether there are no relations any more.
    pub fn has_given_up(&self) -> bool {
        self.given_up
    }

    /// Relations have been too much to compute: there are none from now on.
    pub fn give_up(&mut self) {
        self.given_up = true;
        self.relations.clear();
    }
}

impl<S: System> TraceEliminate<S> for TraceRelations<S> {
    /// By an exact abstraction.
    fn eliminating(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        pool: &Pool,
        chosen: &BTreeSet<CandidateId>,
    ) -> Result<Option<BTreeSet<CandidateId>>, Interrupted> {
        run.budget.check()?;
        let mut at: FxHashMap<Point, FxHashSet<BddVar>> =
            path.cuts.iter().map(|&(_, point)| (point, FxHashSet::default())).collect();
        for &(point, p) in chosen.iter().flat_map(|&id| &pool.get(id).predicates) {
            if let Some(here) = at.get_mut(&point) {
                here.insert(self.variables(p)?.0);
            }
        }
        let nowhere = FxHashSet::default();
        let mut x = self.diagrams.tru();
        for (cut, &(_, from)) in path.cuts.iter().enumerate() {
            let to = path.cuts.get(cut + 1).map(|&(_, point)| point);
            let relations = self.relations(run, path.segment(cut), from, to)?;
            let known = to.map_or(&nowhere, |to| &at[&to]);
            for relation in relations.iter() {
                x = self.diagrams.and_exists(&x, &relation.pairs, &relation.sources)?;
                if x.is_false() {
                    return Ok(Some(chosen.clone()));
                }
                let unknown = relation.targets.iter().filter(|(_, var)| !known.contains(var));
                let unknown: Vec<BddVar> = unknown.map(|&(after, _)| after).collect();
                x = self.diagrams.exists(&x, &unknown)?;
            }
            let renaming: Vec<(BddVar, BddVar)> =
                relations.iter().flat_map(|r| r.targets.iter().copied()).collect();
            // What a predicate was before, where what it becomes does not depend on that: an assignment of a constant.
            let before: Vec<BddVar> = renaming.iter().map(|&(_, before)| before).collect();
            x = self.diagrams.exists(&x, &before)?;
            x = self.diagrams.rename(&x, &renaming)?;
            let left = self.diagrams.support(&x).into_iter().filter(|var| !known.contains(var));
            let left: Vec<BddVar> = left.collect();
            x = self.diagrams.exists(&x, &left)?;
        }
        Ok(None)
    }
}

impl<S: System> TraceRelations<S> {
    fn variables(&mut self, p: Term) -> Result<(BddVar, BddVar), Interrupted> {
        if let Some(&known) = self.variables.get(&p) {
            return Ok(known);
        }
        let new = (self.diagrams.new_var()?, self.diagrams.new_var()?);
        self.variables.insert(p, new);
        Ok(new)
    }

    /// The relations of a segment, as far as it does not leave predicates as they are.
    fn relations(
        &mut self,
        run: &mut Run<'_, S>,
        edges: &[S::Edge],
        from: Point,
        to: Option<Point>,
    ) -> Result<Rc<Vec<Relation>>, Interrupted> {
        if let Some(known) = self.relations.get(edges) {
            return Ok(known.clone());
        }
        let (system, terms) = (run.abstraction.system, &mut *run.terms);
        let mut followed = system.follow(terms, edges, &system.symbolic());
        let before = self.at.get(&from).cloned().unwrap_or_default();
        let after = to.and_then(|to| self.at.get(&to).cloned()).unwrap_or_default();
        let read: Vec<Term> = after.iter().map(|&p| system.read(terms, &mut followed.post, p)).collect();
        let guards: Vec<Term> = followed.condition.terms().collect();
        let here: FxHashSet<Term> = before.iter().copied().collect();
        let changed = |i: usize| read[i] != after[i] || !here.contains(&after[i]);
        let about: Vec<Term> =
            guards.iter().copied().chain((0..after.len()).filter(|&i| changed(i)).map(|i| read[i])).collect();
        let budget = run.budget.child_with_timeout(RELATION_TIME);
        let mut solver = Solver::new(&budget);
        guards.iter().for_each(|&guard| solver.assert(terms, guard));
        let mut parts = Parts::default();
        guards.iter().chain(&before).chain(&read).for_each(|&t| parts.join(terms, t));
        let touched: BTreeSet<Option<Term>> = about.iter().map(|&t| parts.of(terms, t)).collect();
        let mut relations = Vec::with_capacity(touched.len());
        for part in touched {
            let mut asked = Vec::new();
            let mut relation =
                Relation { sources: Vec::new(), targets: Vec::new(), pairs: self.diagrams.tru() };
            for &p in before.iter().filter(|&&p| parts.of(terms, p) == part) {
                let (var, _) = self.variables(p)?;
                relation.sources.push(var);
                asked.push(Predicate { formula: p, var });
            }
            for (&p, &formula) in after.iter().zip(&read).filter(|&(_, &r)| parts.of(terms, r) == part) {
                let (before, after) = self.variables(p)?;
                relation.targets.push((after, before));
                asked.push(Predicate { formula, var: after });
            }
            let diagrams = &mut self.diagrams;
            let mut context = Context { terms, diagrams, solver: &mut solver, formula: &guards };
            relation.pairs = AllSat.abstraction(&mut context, &[], &asked)?.function;
            relations.push(relation);
        }
        let relations = Rc::new(relations);
        self.relations.insert(edges.into(), relations.clone());
        Ok(relations)
    }
}

/// Variables of the program, joined where a term has several.
#[derive(Default)]
struct Parts {
    parent: FxHashMap<Term, Term>,
}

impl Parts {
    fn find(&self, mut v: Term) -> Term {
        while let Some(&parent) = self.parent.get(&v) {
            v = parent;
        }
        v
    }

    fn join(&mut self, terms: &Terms, t: Term) {
        let variables = terms.free_vars(t);
        for pair in variables.windows(2) {
            let (a, b) = (self.find(pair[0]), self.find(pair[1]));
            if a != b {
                self.parent.insert(a, b);
            }
        }
    }

    /// The part that a term is of; none if it has no variable.
    fn of(&self, terms: &Terms, t: Term) -> Option<Term> {
        terms.free_vars(t).first().map(|&v| self.find(v))
    }
}
