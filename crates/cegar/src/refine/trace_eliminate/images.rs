//! *TraceEliminate* as \[MIN\] Fig. 4 has it: the abstract states along a path, one point after the other.

use super::TraceEliminate;
use crate::cegar::Run;
use crate::refine::path::Path;
use crate::refine::proposal::{CandidateId, Pool};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tamis_diagram::{Bdd, BddVar};
use tamis_logic::{Sort, Term};
use tamis_paq::{Context, Interrupted, Predicate};
use tamis_solver::Solver;
use tamis_system::{Point, System};

/// Checks the elimination of paths on the fly, as the paper's footnote has it: of the abstract model only the states
/// along the path are computed, those at a point as one region, by the engine that explores. Segments of paths recur,
/// and so do their images.
pub struct TraceImages<S: System> {
    segments: FxHashMap<Box<[S::Edge]>, Segment<S::State>>,
    images: FxHashMap<ImageKey<S::Edge>, Bdd>,
}

/// A segment, the region before it, and the predicates after it.
type ImageKey<E> = (Box<[E]>, Bdd, Vec<BddVar>);

struct Segment<T> {
    solver: Solver,
    /// What it holds.
    guards: Vec<Term>,
    post: T,
    /// Predicates after the segment, read in the state there.
    targets: FxHashMap<BddVar, Term>,
}

/// With more segments or images than this, what is remembered is forgotten: memory does not grow with the iterations.
const MAX_SEGMENTS: usize = 1 << 11;
const MAX_IMAGES: usize = 1 << 15;

impl<S: System> Default for TraceImages<S> {
    fn default() -> TraceImages<S> {
        TraceImages { segments: FxHashMap::default(), images: FxHashMap::default() }
    }
}

impl<S: System> TraceEliminate<S> for TraceImages<S> {
    /// `X` is the set of abstract states at a point, as a region.
    fn eliminating(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        pool: &Pool,
        chosen: &BTreeSet<CandidateId>,
    ) -> Result<Option<BTreeSet<CandidateId>>, Interrupted> {
        let mut at: FxHashMap<Point, Vec<Predicate>> =
            path.cuts.iter().map(|&(_, point)| (point, Vec::new())).collect();
        let abstraction = &mut run.abstraction;
        for &(point, formula) in chosen.iter().flat_map(|&id| &pool.get(id).predicates) {
            if let Some(here) = at.get_mut(&point)
                && here.iter().all(|p| p.formula != formula)
            {
                here.push(abstraction.predicates.get(&mut abstraction.diagrams, point, formula)?);
            }
        }
        let mut x = run.abstraction.diagrams.tru();
        for cut in 0..path.cuts.len() {
            let targets = path.cuts.get(cut + 1).map_or(&[][..], |(_, point)| &at[point]);
            x = self.image(run, path.segment(cut), x, targets)?;
            if x.is_false() {
                return Ok(Some(chosen.clone()));
            }
        }
        Ok(None)
    }
}

impl<S: System> TraceImages<S> {
    /// Forgets what was computed with an engine that is no longer used.
    pub fn forget(&mut self) {
        self.images.clear();
    }

    fn image(
        &mut self,
        run: &mut Run<'_, S>,
        edges: &[S::Edge],
        region: Bdd,
        targets: &[Predicate],
    ) -> Result<Bdd, Interrupted> {
        let vars: Vec<BddVar> = targets.iter().map(|p| p.var).collect();
        let key = (Box::from(edges), region.clone(), vars);
        if let Some(image) = self.images.get(&key) {
            return Ok(image.clone());
        }
        run.budget.check()?;
        if self.segments.len() >= MAX_SEGMENTS {
            self.segments.clear();
        }
        if self.images.len() >= MAX_IMAGES {
            self.images.clear();
        }
        let start = run.abstraction.concretize(run.terms, &region);
        let system = run.abstraction.system;
        let terms = &mut *run.terms;
        let segment = self.segments.entry(Box::from(edges)).or_insert_with(|| {
            let followed = system.follow(terms, edges, &system.symbolic());
            let mut solver = Solver::new(run.budget);
            let guards: Vec<Term> = followed.condition.terms().collect();
            guards.iter().for_each(|&guard| solver.assert(terms, guard));
            Segment { solver, guards, post: followed.post, targets: FxHashMap::default() }
        });
        let mut read = Vec::with_capacity(targets.len());
        for p in targets {
            let post = &mut segment.post;
            let formula =
                *segment.targets.entry(p.var).or_insert_with(|| system.read(terms, post, p.formula));
            read.push(Predicate { formula, var: p.var });
        }
        let query = run.terms.fresh("query", Sort::Bool);
        segment.solver.assert_under(run.terms, query, start);
        let formula: Vec<Term> = segment.guards.iter().copied().chain([start]).collect();
        let image = run.query(&mut segment.solver, &formula, query, &read)?;
        let done = run.terms.not(query);
        segment.solver.assert(run.terms, done);
        self.images.insert(key, image.clone());
        Ok(image)
    }
}

impl<S: System> Run<'_, S> {
    /// Asks the engine about what a solver holds.
    fn query(
        &mut self,
        solver: &mut Solver,
        formula: &[Term],
        assumption: Term,
        predicates: &[Predicate],
    ) -> Result<Bdd, Interrupted> {
        let (engine, terms, diagrams) = self.query_parts();
        let mut context = Context { terms, diagrams, solver, formula };
        Ok(engine.abstraction(&mut context, &[assumption], predicates)?.function)
    }
}
