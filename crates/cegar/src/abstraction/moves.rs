//! Transitions between explicit abstract states: \[MIN\] section 2.1.
//!
//! A step moves a valuation of the predicates before it to valuations of those after it. Where to depends on the
//! predicates that the step is about only ([`local`](super::local)): what has been found for their values serves all
//! states that have them, in this iteration and in later ones, until the predicates at the step's ends change.

use super::{Abstraction, Precision};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tamis_diagram::{Bdd, BddVar};
use tamis_logic::Terms;
use tamis_paq::{Engine, Interrupted};
use tamis_system::{StepId, System};

/// The values of the predicates in use at a point, in their order.
pub type Valuation = Rc<[bool]>;

/// Where a step leads, as far as it has been asked.
pub(super) struct Moves {
    /// The predicates at its ends, and whether they are abstracted exactly.
    from: Precision,
    to: Precision,
    exact: bool,
    /// The places, among those before, of the predicates that the step is about.
    sources: Vec<(usize, BddVar)>,
    /// The places, among those after, of the predicates that the step is about.
    targets: Vec<(usize, BddVar)>,
    /// The places before and after of those that keep their values.
    kept: Vec<(usize, usize)>,
    /// For values of `sources`, the possible values of `targets`.
    found: FxHashMap<Box<[bool]>, Vec<Box<[bool]>>>,
}

/// With more than this many values of one step's sources, what was found for them is forgotten.
const MAX_FOUND: usize = 1 << 14;

impl<S: System> Abstraction<'_, S> {
    /// The valuations after `step` that are admissible after the valuation `before`.
    pub fn successors(
        &mut self,
        terms: &mut Terms,
        engine: &dyn Engine,
        step: StepId,
        before: &[bool],
    ) -> Result<Vec<Valuation>, Interrupted> {
        let mut moves = self.moves(terms, step, engine.is_exact());
        let about: Box<[bool]> = moves.sources.iter().map(|&(place, _)| before[place]).collect();
        if !moves.found.contains_key(&about) {
            let found = self.find_moves(terms, engine, step, &moves, &about)?;
            if moves.found.len() >= MAX_FOUND {
                moves.found.clear();
            }
            moves.found.insert(about.clone(), found);
        }
        let mut after = vec![false; moves.to.len()];
        for &(place_before, place_after) in &moves.kept {
            after[place_after] = before[place_before];
        }
        let mut successors = Vec::new();
        for values in &moves.found[&about] {
            moves.targets.iter().zip(values).for_each(|(&(place, _), &value)| after[place] = value);
            successors.push(Valuation::from(after.as_slice()));
        }
        self.moves.insert(step, moves);
        Ok(successors)
    }

    /// What is known of a step's moves with the predicates of now, out of the table.
    fn moves(&mut self, terms: &mut Terms, step: StepId, exact: bool) -> Moves {
        let ends = self.system.steps()[step.index()];
        let (from, to) = (self.predicates.at(ends.from).clone(), self.predicates.at(ends.to).clone());
        if let Some(moves) = self.moves.remove(&step)
            && Rc::ptr_eq(&moves.from, &from)
            && Rc::ptr_eq(&moves.to, &to)
            && moves.exact == exact
        {
            return moves;
        }
        let vars: Vec<BddVar> = from.iter().map(|p| p.var).collect();
        let split = self.split(terms, step, &vars);
        let place = |precision: &Precision, var: BddVar| precision.iter().position(|p| p.var == var);
        let places = |precision: &Precision, vars: &[tamis_paq::Predicate]| {
            vars.iter().filter_map(|p| Some((place(precision, p.var)?, p.var))).collect()
        };
        let kept = |&(before, after): &(BddVar, BddVar)| Some((place(&from, before)?, place(&to, after)?));
        Moves {
            sources: places(&from, &split.sources),
            targets: places(&to, &split.targets),
            kept: split.kept.iter().filter_map(kept).collect(),
            found: FxHashMap::default(),
            from,
            to,
            exact,
        }
    }

    /// The possible values of the targets after values of the sources.
    fn find_moves(
        &mut self,
        terms: &mut Terms,
        engine: &dyn Engine,
        step: StepId,
        moves: &Moves,
        about: &[bool],
    ) -> Result<Vec<Box<[bool]>>, Interrupted> {
        let literals: Vec<(BddVar, bool)> =
            moves.sources.iter().zip(about).map(|(&(_, var), &value)| (var, value)).collect();
        let (start, nothing) = (self.diagrams.cube(&literals)?, self.diagrams.fals());
        let targets: Precision = moves.targets.iter().map(|&(place, _)| moves.to[place]).collect();
        let image = self.image_over(terms, engine, step, &start, &nothing, targets)?;
        let mut open: Vec<(Vec<bool>, Bdd)> = vec![(Vec::new(), image)];
        let mut found = Vec::new();
        while let Some((values, rest)) = open.pop() {
            if rest.is_false() {
                continue;
            }
            self.budget.check()?;
            let Some(&(_, var)) = moves.targets.get(values.len()) else {
                found.push(values.into_boxed_slice());
                continue;
            };
            for value in [true, false] {
                let longer = values.iter().copied().chain([value]).collect();
                open.push((longer, self.diagrams.cofactor(&rest, var, value)?));
            }
        }
        Ok(found)
    }
}
