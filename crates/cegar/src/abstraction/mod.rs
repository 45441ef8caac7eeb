//! The abstract system: predicates at points, images of regions through steps, computed on demand, and relations of
//! steps.

mod excluded;
mod implied;
mod local;
mod moves;
mod partition;
mod predicates;
mod steps;

pub use excluded::Excluded;
pub use moves::Valuation;
pub use partition::Partition;
pub use predicates::{Precision, Predicates};
pub use steps::Witness;

use crate::hybrid::Hybrid;
use excluded::Exclusions;
use implied::Implied;
use local::Split;
use moves::Moves;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use steps::StepSolver;
use tamis_diagram::{Bdd, BddVar, Diagrams};
use tamis_logic::{Op, Term, Terms};
use tamis_paq::{Engine, Interrupted, Predicate};
use tamis_solver::{Budget, Stats};
use tamis_system::{Invariants, Point, StepId, System};

/// The abstraction of a system by predicates per point.
pub struct Abstraction<'a, S: System> {
    pub(crate) system: &'a S,
    pub(crate) budget: Budget,
    /// Where regions live.
    pub diagrams: Diagrams,
    /// The predicates.
    pub predicates: Predicates,
    /// For each step, once it has been asked for, a solver that holds its formula.
    steps: Vec<Option<StepSolver<S::State, S::Decode>>>,
    /// How often steps have been prepared for a question.
    questions: usize,
    cache: ImageCache,
    images: usize,
    /// The work of solvers that are no more.
    finished: Stats,
    /// For the variable of a predicate, the one that stands for the same predicate after a step.
    primed: FxHashMap<BddVar, BddVar>,
    splits: FxHashMap<StepId, (Vec<BddVar>, Precision, Rc<Split>)>,
    relations: FxHashMap<StepId, (RelationKey, Bdd)>,
    moves: FxHashMap<StepId, Moves>,
    implied: Implied,
    exclusions: Exclusions,
    /// What is known of states at points, whatever the predicates are: images are of states that fulfil it.
    pub(crate) facts: Option<Invariants>,
    /// What is kept beside predicates, if anything may be.
    pub(crate) hybrid: Option<Hybrid<'a>>,
}

/// What the relation of a step was computed with: the predicates before and after that the step is about, and whether
/// it is exact.
type RelationKey = (Vec<Predicate>, Vec<Predicate>, bool);

/// Images that have been computed. They hold as long as the predicates at the step's end are the same; one that is
/// empty is so with any predicates.
#[derive(Default)]
struct ImageCache {
    images: FxHashMap<(StepId, Bdd, Bdd, bool), (Precision, Bdd)>,
}

/// With more than this many images in it, the cache is emptied.
const MAX_CACHED: usize = 1 << 14;

impl ImageCache {
    fn find(&self, key: &(StepId, Bdd, Bdd, bool), precision: &Precision) -> Option<Bdd> {
        let (computed_with, image) = self.images.get(key)?;
        (image.is_false() || computed_with == precision).then(|| image.clone())
    }

    fn insert(&mut self, key: (StepId, Bdd, Bdd, bool), precision: Precision, image: Bdd) {
        if self.images.len() >= MAX_CACHED {
            self.images.clear();
        }
        self.images.insert(key, (precision, image));
    }
}

impl<'a, S: System> Abstraction<'a, S> {
    /// The abstraction without predicates.
    pub fn new(system: &'a S, budget: &Budget, max_nodes: usize) -> Abstraction<'a, S> {
        Abstraction {
            system,
            budget: budget.clone(),
            diagrams: Diagrams::new(max_nodes),
            predicates: Predicates::new(system.points()),
            steps: system.steps().iter().map(|_| None).collect(),
            questions: 0,
            cache: ImageCache::default(),
            images: 0,
            finished: Stats::default(),
            primed: FxHashMap::default(),
            splits: FxHashMap::default(),
            relations: FxHashMap::default(),
            moves: FxHashMap::default(),
            implied: Implied::default(),
            exclusions: Exclusions::default(),
            facts: None,
            hybrid: None,
        }
    }

    /// Uses a predicate at a point; `false` if it was in use already.
    pub fn add_predicate(&mut self, point: Point, formula: Term) -> Result<bool, Interrupted> {
        let predicate = self.predicates.get(&mut self.diagrams, point, formula)?;
        Ok(self.predicates.add(point, predicate))
    }

    /// A region as a formula over the state variables.
    pub fn concretize(&self, terms: &mut Terms, region: &Bdd) -> Term {
        self.diagrams.to_term(terms, region, |var| self.predicates.formula(var))
    }

    /// As [`concretize`](Abstraction::concretize), as a disjunction of cubes or a conjunction of clauses over the
    /// predicates, whichever is shorter, unless both are long: the form in which people read it.
    pub fn readable(&self, terms: &mut Terms, region: &Bdd) -> Result<Term, Interrupted> {
        const READABLE_CUBES: u64 = 256;
        let d = &self.diagrams;
        let complement = d.not(region);
        // States that no values have may be in the formula or not.
        let possible = self.possible(terms, region)?;
        let impossible = d.not(&possible);
        let cover = |f: &Bdd| d.isop_between(&d.and(f, &possible)?, &d.or(f, &impossible)?, READABLE_CUBES);
        let cubes = cover(region)?;
        let clauses = cover(&complement)?;
        let (cover, negated) = match (cubes, clauses) {
            (Some(cubes), Some(clauses)) if cubes.len() <= clauses.len() => (cubes, false),
            (_, Some(clauses)) => (clauses, true),
            (Some(cubes), None) => (cubes, false),
            (None, None) => return Ok(self.concretize(terms, region)),
        };
        let mut parts = Vec::with_capacity(cover.len());
        for cube in &cover {
            let mut literals = Vec::with_capacity(cube.len());
            for &(var, value) in cube {
                let formula = self.predicates.formula(var);
                literals.push(if value != negated { formula } else { terms.not(formula) });
            }
            parts.push(if negated { terms.or(&literals) } else { terms.and(&literals) });
        }
        Ok(if negated { terms.and(&parts) } else { terms.or(&parts) })
    }

    /// The valuations of the predicates in a region's support that are not impossible by what is easily seen: a
    /// variable that equals a number decides the other predicates about it alone.
    fn possible(&self, terms: &mut Terms, region: &Bdd) -> Result<Bdd, Interrupted> {
        const COMPARED_PREDICATES: usize = 100;
        let d = &self.diagrams;
        let mut possible = d.tru();
        let support = d.support(region);
        if support.len() > COMPARED_PREDICATES {
            return Ok(possible);
        }
        for &var in &support {
            let formula = self.predicates.formula(var);
            let Some((x, number)) = equation(terms, formula) else { continue };
            for &other in support.iter().filter(|&&other| other != var) {
                let about = self.predicates.formula(other);
                let decided = terms.substitute_with(about, |v| (v == x).then_some(number));
                if terms.is_true(decided) || terms.is_false(decided) {
                    let either = d.or(&d.literal(var, false), &d.literal(other, terms.is_true(decided)))?;
                    possible = d.and(&possible, &either)?;
                }
            }
        }
        Ok(possible)
    }

    /// The states at the end of `step` that executions from `region` reach, abstracted by the predicates there, less
    /// what is in `known`: those need not be found again.
    pub fn image(
        &mut self,
        terms: &mut Terms,
        engine: &dyn Engine,
        step: StepId,
        region: &Bdd,
        known: &Bdd,
    ) -> Result<Bdd, Interrupted> {
        let precision = self.predicates.at(self.system.steps()[step.index()].to).clone();
        self.image_over(terms, engine, step, region, known, precision)
    }

    /// As [`image`](Abstraction::image), abstracted by some of the predicates only.
    fn image_over(
        &mut self,
        terms: &mut Terms,
        engine: &dyn Engine,
        step: StepId,
        region: &Bdd,
        known: &Bdd,
        precision: Precision,
    ) -> Result<Bdd, Interrupted> {
        let key = (step, region.clone(), known.clone(), engine.is_exact());
        if let Some(image) = self.cache.find(&key, &precision) {
            return Ok(image);
        }
        self.images += 1;
        let image = self.compute_image(terms, engine, step, region, known, &precision)?;
        self.cache.insert(key, precision, image.clone());
        Ok(image)
    }

    /// The relation of `step` between the predicates in use at its ends, as parts: what queries tell, within the limits of the
    /// engine (\[CTL\] Eq. 6 and 7) or as one relation; what the hybrid model knows without; and what refinement has excluded.
    pub fn partition(
        &mut self,
        terms: &mut Terms,
        engine: &dyn Engine,
        step: StepId,
    ) -> Result<Partition, Interrupted> {
        let from = self.system.steps()[step.index()].from;
        let mut parts = self.hybrid_parts(terms, step)?;
        let targets = self.queried_targets(step);
        match engine.implications() {
            Some(limits) => parts.extend(self.implied_parts(terms, limits, step, &targets)?),
            None if self.hybrid.is_some() => {
                let sources = self.predicates.at(from).to_vec();
                let split = Split { sources, targets, kept: Vec::new() };
                parts.push(self.relation_over(terms, engine, step, &split)?);
            }
            None => parts.push(self.relation(terms, engine, step)?),
        }
        parts.extend(self.exclusion_parts(step)?);
        let before: Vec<BddVar> = self.predicates.at(from).iter().map(|p| p.var).collect();
        Ok(Partition::new(&self.diagrams, parts, &before, &self.hybrid_inputs(step))?)
    }

    /// The variable of the same predicate after a step.
    pub fn primed(&mut self, var: BddVar) -> Result<BddVar, Interrupted> {
        if let Some(&primed) = self.primed.get(&var) {
            return Ok(primed);
        }
        let primed = self.diagrams.new_var()?;
        self.primed.insert(var, primed);
        Ok(primed)
    }

    /// The work of all solvers so far.
    pub fn solver_stats(&self) -> Stats {
        let mut stats = self.finished.clone();
        self.steps.iter().flatten().for_each(|s| stats.add(s.stats()));
        stats
    }

    /// How many images and relations have been computed.
    pub fn images(&self) -> usize {
        self.images
    }
}

/// A variable and the number that a formula says it equals.
fn equation(terms: &Terms, formula: Term) -> Option<(Term, Term)> {
    let (Op::Eq, &[a, b]) = (terms.op(formula), terms.args(formula)) else { return None };
    let is_var = |t: Term| matches!(terms.op(t), Op::Var(_));
    match (is_var(a) && terms.is_constant(b), is_var(b) && terms.is_constant(a)) {
        (true, _) => Some((a, b)),
        (_, true) => Some((b, a)),
        _ => None,
    }
}
