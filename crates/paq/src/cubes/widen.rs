//! From literals that make the formula true to the cubes of predicates around a model.

use super::parts::{Part, Parts, take_apart};
use super::skeleton::Skeleton;
use crate::copy::Copied;
use crate::limits;
use crate::union::Union;
use crate::{Interrupted, Predicate};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tamis_diagram::{Bdd, BddVar, Diagrams};
use tamis_logic::{Term, Terms};
use tamis_solver::{Budget, Cube, Solver, Stop};

/// Literals of the formula, ascending: the atom's number, and whether it is true.
pub(super) type Literals = Vec<(usize, bool)>;

/// What the predicates can be while some literals hold.
pub(super) struct Wide {
    /// Positions of predicates with one value.
    fixed: Vec<usize>,
    parts: Vec<Part>,
    /// What is known of the parts, as soon as they were looked into.
    known: Vec<Rc<Known>>,
    /// How many models had these literals.
    models: usize,
}

/// What is known of a part: some of the combinations that its predicates can have.
struct Known {
    positions: Vec<usize>,
    set: Bdd,
}

/// Widens models to cubes.
pub(super) struct Widening<'a> {
    diagrams: &'a Diagrams,
    predicates: &'a [Predicate],
    places: FxHashMap<BddVar, usize>,
    budget: Budget,
    copied: Copied,
    /// The predicates' formulas in the copy.
    formulas: Vec<Term>,
    hidden: u32,
    wide: FxHashMap<Literals, Wide>,
    parts: FxHashMap<Part, Rc<Known>>,
    models: usize,
    work: usize,
}

impl<'a> Widening<'a> {
    pub fn new(
        terms: &Terms,
        diagrams: &'a Diagrams,
        predicates: &'a [Predicate],
        formulas: &[Term],
        budget: &Budget,
    ) -> Widening<'a> {
        let mut copied = Copied::new(terms);
        let formulas = formulas.iter().map(|&t| copied.take(terms, t)).collect();
        Widening {
            diagrams,
            predicates,
            places: predicates.iter().enumerate().map(|(place, p)| (p.var, place)).collect(),
            budget: budget.clone(),
            copied,
            formulas,
            hidden: 0,
            wide: FxHashMap::default(),
            parts: FxHashMap::default(),
            models: 0,
            work: 0,
        }
    }

    /// The positions of predicates that keep their values in a cube around a model: every combination in the cube is
    /// allowed by the formula. With how many models had the same literals.
    pub fn cube(
        &mut self,
        terms: &Terms,
        skeleton: &mut Skeleton,
        atoms: &[bool],
        values: &[bool],
    ) -> Result<(Vec<usize>, Literals, usize), Interrupted> {
        self.models += 1;
        let literals = skeleton.implicant(terms, atoms);
        if !self.wide.contains_key(&literals) {
            let wide = self.widen(terms, skeleton, &literals)?;
            self.wide.insert(literals.clone(), wide);
        }
        let Some(mut wide) = self.wide.remove(&literals) else { return Ok((Vec::new(), literals, 0)) };
        wide.models += 1;
        if wide.models >= limits::MODELS_BEFORE_GROUPS && wide.known.is_empty() {
            for part in &wide.parts {
                wide.known.push(self.look_into(part)?);
            }
        }
        let mut kept = wide.fixed.clone();
        if wide.known.is_empty() {
            kept.extend(wide.parts.iter().flat_map(|part| &part.predicates).map(|&(position, _)| position));
        }
        for part in &wide.known {
            match self.diagrams.implicant(&part.set, |var| values[self.places[&var]]) {
                Some(cube) => kept.extend(cube.iter().map(|(var, _)| self.places[var])),
                None => kept.extend_from_slice(&part.positions),
            }
        }
        let models = wide.models;
        self.wide.insert(literals.clone(), wide);
        Ok((kept, literals, models))
    }

    /// All combinations that are known to be allowed while some literals hold, given a model with these.
    pub fn region(&self, literals: &Literals, values: &[bool]) -> Result<Bdd, Interrupted> {
        let diagrams = self.diagrams;
        let Some(wide) = self.wide.get(literals).filter(|wide| wide.known.len() == wide.parts.len()) else {
            return Ok(diagrams.fals());
        };
        let minterm = |positions: &[usize]| -> Vec<_> {
            positions.iter().map(|&p| (self.predicates[p].var, values[p])).collect()
        };
        let mut region = diagrams.cube(&minterm(&wide.fixed))?;
        for (part, known) in wide.parts.iter().zip(&wide.known) {
            let positions: Vec<usize> = part.predicates.iter().map(|&(position, _)| position).collect();
            let this = diagrams.cube(&minterm(&positions))?;
            region = diagrams.and(&region, &diagrams.or(&known.set, &this)?)?;
        }
        Ok(region)
    }

    fn widen(
        &mut self,
        terms: &Terms,
        skeleton: &Skeleton,
        literals: &Literals,
    ) -> Result<Wide, Interrupted> {
        self.budget.check()?;
        let mut facts = Vec::with_capacity(literals.len());
        for &(atom, value) in literals {
            let t = skeleton.atoms[atom];
            let fact = if skeleton.is_conditional(atom) {
                self.copied.take_chosen(terms, t, &|part| skeleton.branch(terms, part))
            } else {
                self.copied.take(terms, t)
            };
            facts.push(if value { fact } else { self.copied.terms.not(fact) });
        }
        let Parts { parts, fixed } =
            take_apart(&mut self.copied.terms, facts, &self.formulas, &mut self.hidden);
        Ok(Wide { fixed, parts, known: Vec::new(), models: 0 })
    }

    fn look_into(&mut self, part: &Part) -> Result<Rc<Known>, Interrupted> {
        if let Some(known) = self.parts.get(part) {
            return Ok(known.clone());
        }
        let known = Rc::new(self.combinations(part)?);
        self.parts.insert(part.clone(), known.clone());
        Ok(known)
    }

    /// The combinations that the predicates of a part can have, or some of them.
    fn combinations(&mut self, part: &Part) -> Result<Known, Interrupted> {
        let positions: Vec<usize> = part.predicates.iter().map(|&(position, _)| position).collect();
        let allowance = limits::ALL_COMBINATIONS + limits::COMBINATIONS_PER_MODEL * self.models;
        if self.work > allowance {
            return Ok(Known { positions, set: self.diagrams.fals() });
        }
        let terms = &self.copied.terms;
        let mut solver = Solver::new(&self.budget);
        part.facts.iter().for_each(|&fact| solver.assert(terms, fact));
        let important: Vec<Term> = part.predicates.iter().map(|&(_, formula)| formula).collect();
        let mut found = Union::new(self.diagrams);
        let mut count = 0;
        let done = solver.enumerate(terms, &[], &important, &mut |values| {
            count += 1;
            let vars = positions.iter().map(|&position| self.predicates[position].var);
            let room = found.add(vars.zip(values.iter().copied()).collect());
            if room && count < limits::GROUP_COMBINATIONS { Cube::Minterm } else { Cube::Enough }
        });
        self.work += count;
        match done {
            // The part has a model, which the search found; that this one cannot find it is no answer.
            Err(Stop::Unsupported) => return Ok(Known { positions, set: self.diagrams.fals() }),
            Err(stop) => return Err(stop.into()),
            Ok(_) => {}
        }
        Ok(Known { positions, set: found.finish()? })
    }
}
