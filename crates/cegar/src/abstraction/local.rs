//! What a step does not touch it leaves alone: images and relations over the predicates that a step is about.
//!
//! A predicate that reads after the step as before it, and shares no variable with what the step requires, nor with
//! predicates of which this cannot be said, nor with predicates that share one with those, keeps its value whatever the
//! others do. Over small blocks that holds of most predicates: queries are about few, and what is computed for these
//! serves all states that differ in the rest only.

use super::{Abstraction, Precision};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use tamis_diagram::{Bdd, BddVar};
use tamis_logic::{Term, Terms};
use tamis_paq::{Engine, Interrupted, Predicate};
use tamis_system::{StepId, System};

/// The predicates at the ends of a step, by whether the step is about them.
#[derive(Debug)]
pub(super) struct Split {
    /// Before the step.
    pub sources: Vec<Predicate>,
    /// After it.
    pub targets: Vec<Predicate>,
    /// Those that keep their values: the variable before and the one after.
    pub kept: Vec<(BddVar, BddVar)>,
}

impl<S: System> Abstraction<'_, S> {
    /// As [`image`](Abstraction::image), with nothing known, of a region that holds exactly the combinations of its
    /// predicates that some state satisfies, or more if the engine is not exact.
    pub fn local_image(
        &mut self,
        terms: &mut Terms,
        engine: &dyn Engine,
        step: StepId,
        region: &Bdd,
    ) -> Result<Bdd, Interrupted> {
        let nothing = self.diagrams.fals();
        let sources: Vec<BddVar> = self.diagrams.support(region);
        let split = self.split(terms, step, &sources);
        if split.kept.is_empty() {
            return self.image(terms, engine, step, region, &nothing);
        }
        let kept: Vec<BddVar> = split.kept.iter().map(|&(before, _)| before).collect();
        // Of predicates that are not in use after the step nobody knows what it does to them.
        let others: Vec<BddVar> = sources.iter().copied().filter(|var| !kept.contains(var)).collect();
        let (about, rest) = (self.diagrams.exists(region, &kept)?, self.diagrams.exists(region, &others)?);
        if engine.is_exact() && self.diagrams.and(&about, &rest)? != *region {
            return self.image(terms, engine, step, region, &nothing);
        }
        // What is not exact may as well forget how the two parts hang together.
        let image = self.image_over(terms, engine, step, &about, &nothing, split.targets.clone().into())?;
        let rest = self.diagrams.rename(&rest, &split.kept)?;
        Ok(self.diagrams.and(&image, &rest)?)
    }

    /// The relation of `step` between the predicates at its ends, as EDGEQUERY and SOLVE of \[SUM\] Fig. 1 give it, over
    /// the variables of the predicates before and the [primed](Abstraction::primed) ones of those after. It says
    /// nothing about combinations of predicates before the step that no state satisfies.
    pub fn relation(
        &mut self,
        terms: &mut Terms,
        engine: &dyn Engine,
        step: StepId,
    ) -> Result<Bdd, Interrupted> {
        let from = self.system.steps()[step.index()].from;
        let sources: Vec<BddVar> = self.predicates.at(from).iter().map(|p| p.var).collect();
        let split = self.split(terms, step, &sources);
        let key = (split.sources.clone(), split.targets.clone(), engine.is_exact());
        let known = self.relations.get(&step).filter(|(known, pairs)| *known == key || pairs.is_false());
        let mut relation = match known {
            Some((_, pairs)) => pairs.clone(),
            None => {
                let pairs = self.relation_over(terms, engine, step, &split)?;
                self.relations.insert(step, (key, pairs.clone()));
                pairs
            }
        };
        for &(before, after) in &split.kept {
            let primed = self.primed(after)?;
            let same = self.diagrams.iff(&self.diagrams.var(before), &self.diagrams.var(primed))?;
            relation = self.diagrams.and(&relation, &same)?;
        }
        Ok(relation)
    }

    /// Which of the predicates `sources` before `step` and of those in use after it the step is about.
    pub(super) fn split(&mut self, terms: &mut Terms, step: StepId, sources: &[BddVar]) -> Rc<Split> {
        let to = self.system.steps()[step.index()].to;
        let precision: Precision = self.predicates.at(to).clone();
        if let Some((known_sources, known_precision, split)) = self.splits.get(&step)
            && known_sources == sources
            && *known_precision == precision
        {
            return split.clone();
        }
        let sources_here: Vec<Predicate> =
            sources.iter().map(|&var| Predicate { formula: self.predicates.formula(var), var }).collect();
        let read = self.prepare(terms, step, &precision);
        let mut touched: FxHashSet<Term> = terms.free_vars_of(self.constraints(step)).into_iter().collect();
        // For each target, the source that it may have its value from.
        let mut origin: Vec<Option<Predicate>> = precision
            .iter()
            .zip(&read)
            .map(|(p, after)| {
                sources_here.iter().copied().find(|s| s.formula == p.formula && after.formula == p.formula)
            })
            .collect();
        for (after, _) in read.iter().zip(&origin).filter(|(_, origin)| origin.is_none()) {
            touched.extend(terms.free_vars(after.formula));
        }
        let mut free: Vec<Predicate> = sources_here.clone();
        loop {
            let before = free.len();
            free.retain(|p| {
                let variables = terms.free_vars(p.formula);
                let apart = variables.iter().all(|v| !touched.contains(v));
                if !apart {
                    touched.extend(variables);
                }
                apart
            });
            if free.len() == before {
                break;
            }
        }
        for origin in &mut origin {
            *origin = origin.filter(|s| free.contains(s));
        }
        let pairs = precision.iter().zip(&origin);
        let split = Rc::new(Split {
            sources: sources_here.iter().copied().filter(|p| !free.contains(p)).collect(),
            targets: pairs.clone().filter(|(_, o)| o.is_none()).map(|(p, _)| *p).collect(),
            kept: pairs.filter_map(|(p, o)| o.map(|o| (o.var, p.var))).collect(),
        });
        self.splits.insert(step, (sources.to_vec(), precision, split.clone()));
        split
    }
}
