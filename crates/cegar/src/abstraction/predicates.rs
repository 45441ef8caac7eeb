//! Predicates at points.

use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tamis_diagram::{BddVar, Diagrams};
use tamis_logic::Term;
use tamis_paq::{Interrupted, Predicate};
use tamis_system::Point;

/// The predicates that a region is computed with: those of its point at the time.
pub type Precision = Rc<[Predicate]>;

/// All predicates that have been considered, and which of them are in use at which point. A predicate that is no longer
/// in use keeps its variable: regions that were computed with it keep their meaning.
pub struct Predicates {
    known: FxHashMap<(Point, Term), Predicate>,
    formulas: FxHashMap<BddVar, Term>,
    /// At each point, those that have been in use.
    ever: Vec<Vec<Predicate>>,
    active: Vec<Precision>,
}

impl Predicates {
    /// None.
    pub fn new(points: usize) -> Predicates {
        Predicates {
            known: FxHashMap::default(),
            formulas: FxHashMap::default(),
            ever: vec![Vec::new(); points],
            active: vec![Rc::from([]); points],
        }
    }

    /// The predicate `formula` at `point`, which need not be in use.
    pub fn get(
        &mut self,
        diagrams: &mut Diagrams,
        point: Point,
        formula: Term,
    ) -> Result<Predicate, Interrupted> {
        if let Some(&predicate) = self.known.get(&(point, formula)) {
            return Ok(predicate);
        }
        let predicate = Predicate { formula, var: diagrams.new_var()? };
        self.known.insert((point, formula), predicate);
        self.formulas.insert(predicate.var, formula);
        Ok(predicate)
    }

    /// The predicates in use at a point.
    pub fn at(&self, point: Point) -> &Precision {
        &self.active[point.index()]
    }

    /// The predicates that are or have been in use at a point.
    pub fn ever_at(&self, point: Point) -> &[Predicate] {
        &self.ever[point.index()]
    }

    /// The formula that a variable stands for.
    pub fn formula(&self, var: BddVar) -> Term {
        *self.formulas.get(&var).expect("a region is over predicates")
    }

    /// Uses exactly `predicates` at `point`.
    pub fn set(&mut self, point: Point, predicates: Vec<Predicate>) {
        let unchanged: FxHashSet<BddVar> = self.at(point).iter().map(|p| p.var).collect();
        if unchanged.len() == predicates.len() && predicates.iter().all(|p| unchanged.contains(&p.var)) {
            return;
        }
        let ever = &mut self.ever[point.index()];
        for p in &predicates {
            if !ever.contains(p) {
                ever.push(*p);
            }
        }
        self.active[point.index()] = predicates.into();
    }

    /// Uses `predicate` at `point` too; `false` if it was in use already.
    pub fn add(&mut self, point: Point, predicate: Predicate) -> bool {
        if self.at(point).contains(&predicate) {
            return false;
        }
        let more = self.at(point).iter().copied().chain([predicate]).collect();
        self.set(point, more);
        true
    }

    /// Whether a region that was computed at `point` with the given predicates lacks one that is in use now.
    pub fn outdated(&self, point: Point, precision: &Precision) -> bool {
        let now = self.at(point);
        !Rc::ptr_eq(now, precision) && now.iter().any(|p| !precision.contains(p))
    }

    /// How many predicates are in use, over all points.
    pub fn count(&self) -> usize {
        self.active.iter().map(|p| p.len()).sum()
    }

    /// How many different formulas are in use.
    pub fn distinct(&self) -> usize {
        let formulas: FxHashSet<Term> =
            self.active.iter().flat_map(|a| a.iter()).map(|p| p.formula).collect();
        formulas.len()
    }
}
