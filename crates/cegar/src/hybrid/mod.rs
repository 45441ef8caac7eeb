//! The hybrid abstract model: predicates, and control variables that are kept as they are. \[CTL\] section 3.
//!
//! Predicates about few bits of control logic are soon more than the bits. So predicates are clustered by what they are
//! about ([`clusters`], 3.1); the variables of a cluster with about as many predicates as bits are *control variables*, and
//! those whose next value depends on little else are *kept* ([`visible`], 3.2): each of their bits is a predicate of its
//! own, a *variable predicate*, in the place of the *formula predicates* over them. Their relation needs no query. It is the
//! next-state function itself, with formula predicates in it replaced by their abstract variables, and what else it reads is
//! an input: a *localisation* (2.3, Eq. 8 and 9). How kept variables and predicates hang together comes from the definitions
//! of predicates, and how predicates do, from what is consistent in their clusters ([`correlations`], 3.3 and 3.4).
//!
//! What was kept stays: predicates are added one refinement after the other, and a model that took back what it had would
//! not exclude what it had excluded.
//!
//! Deviations. A predicate over kept variables alone is replaced whatever cluster it is in: it says nothing more. A variable
//! whose function has a diagram of more than [`MAX_FUNCTION_NODES`] nodes is not kept.

mod clusters;
mod correlations;
mod functions;
mod visible;

pub use correlations::CorrelationKind;
pub use visible::Fate;

use crate::abstraction::{Abstraction, Precision};
use crate::strategy::HybridStrategy;
use clusters::{Cluster, clusters};
use functions::Functions;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tamis_diagram::{Bdd, BddVar};
use tamis_logic::{Sort, Term, Terms};
use tamis_paq::{Interrupted, Predicate};
use tamis_system::{Point, Registers, Step, StepId, System};

/// A function whose diagram, with all that is made on the way, takes more nodes than this is none of the model's.
const MAX_FUNCTION_NODES: usize = 1 << 16;

/// A control variable of the abstract model, with the variable predicates of its bits, the least significant first.
struct Kept {
    variable: Term,
    bits: Vec<Predicate>,
}

/// What the hybrid model has beside predicates.
pub struct Hybrid<'a> {
    registers: &'a dyn Registers,
    strategy: HybridStrategy,
    state: FxHashSet<Term>,
    kept: Vec<Kept>,
    /// What became of each variable that a cluster made a control variable.
    fates: Vec<(Term, Fate)>,
    /// The formula predicates in use, by cluster.
    clusters: Vec<Cluster>,
    functions: Functions,
    /// Formula predicates that variable predicates stand for, as functions of these.
    definitions: FxHashMap<BddVar, Bdd>,
    consistent: FxHashMap<Vec<BddVar>, Bdd>,
    /// The steps between states.
    cycles: Vec<StepId>,
    /// Kept variables whose values after a step are no function of the model's variables that is small: what the step does to
    /// their bits is abstracted as it is for formula predicates.
    opaque: FxHashSet<(StepId, Term)>,
    /// The parts that were computed with the predicates of their time.
    parts: FxHashMap<StepId, (Precision, Vec<Bdd>)>,
}

/// What was kept and what was not, for people.
#[derive(Clone, Debug, Default)]
pub struct ControlReport {
    /// The variables of control clusters, and what became of each.
    pub variables: Vec<(Term, Fate)>,
    /// The variables that are inputs of the abstract model, with how many of their bits are.
    pub inputs: Vec<(Term, usize)>,
    /// Clusters of formula predicates.
    pub clusters: usize,
}

impl<'a> Hybrid<'a> {
    /// A model in which nothing is kept yet.
    pub fn new<S: System>(system: &'a S, strategy: &HybridStrategy) -> Option<Hybrid<'a>> {
        let registers = system.registers()?;
        let running = registers.running();
        let cycle = |(i, step): (usize, &Step)| {
            (step.from == running && step.to == running).then_some(StepId(i as u32))
        };
        Some(Hybrid {
            registers,
            cycles: system.steps().iter().enumerate().filter_map(cycle).collect(),
            opaque: FxHashSet::default(),
            parts: FxHashMap::default(),
            strategy: strategy.clone(),
            state: system.state_variables().into_iter().collect(),
            kept: Vec::new(),
            fates: Vec::new(),
            clusters: Vec::new(),
            functions: Functions::default(),
            definitions: FxHashMap::default(),
            consistent: FxHashMap::default(),
        })
    }

    fn is_kept(&self, variable: Term) -> bool {
        self.kept.iter().any(|k| k.variable == variable)
    }

    /// The state variables that a formula is about.
    fn support(&self, terms: &Terms, formula: Term) -> Vec<Term> {
        terms.free_vars(formula).into_iter().filter(|v| self.state.contains(v)).collect()
    }

    /// What became of control variables.
    pub fn report(&self) -> ControlReport {
        ControlReport {
            variables: self.fates.clone(),
            inputs: self.functions.input_variables(),
            clusters: self.clusters.len(),
        }
    }
}

/// How many bits a variable of finite domain has; `None` for others, and for memories.
fn bits_of(terms: &Terms, variable: Term) -> Option<usize> {
    match terms.sort(variable) {
        Sort::Bool => Some(1),
        Sort::BitVec(width) => Some(width as usize),
        _ => None,
    }
}

impl<S: System> Abstraction<'_, S> {
    /// Uses these formulas at a point: as predicates or, at the point of the hybrid model, as far as variables that are kept
    /// do not say the same.
    pub fn use_formulas(
        &mut self,
        terms: &mut Terms,
        point: Point,
        formulas: &[Term],
    ) -> Result<(), Interrupted> {
        let mut predicates = Vec::with_capacity(formulas.len());
        for &formula in formulas {
            predicates.push(self.predicates.get(&mut self.diagrams, point, formula)?);
        }
        if let Some(mut hybrid) = self.hybrid.take_if(|hybrid| hybrid.registers.running() == point) {
            let result = self.compose(terms, &mut hybrid, predicates);
            self.hybrid = Some(hybrid);
            predicates = result?;
        }
        self.predicates.set(point, predicates);
        Ok(())
    }

    /// Chooses what is kept, with these formula predicates (3.1, 3.2); the predicates of the model.
    fn compose(
        &mut self,
        terms: &mut Terms,
        hybrid: &mut Hybrid<'_>,
        formulas: Vec<Predicate>,
    ) -> Result<Vec<Predicate>, Interrupted> {
        for p in &formulas {
            self.primed(p.var)?;
        }
        let about: Vec<(Predicate, Vec<Term>)> =
            formulas.iter().map(|&p| (p, hybrid.support(terms, p.formula))).collect();
        let clusters = clusters(terms, &about, &hybrid.strategy);
        let wanted: Vec<(Term, usize, usize)> = hybrid.wanted(terms, &clusters);
        let (fates, new) = hybrid.choose(terms, &about, &wanted);
        hybrid.fates = fates;
        for variable in new {
            self.keep(terms, hybrid, variable)?;
        }
        let mut rest = Vec::new();
        for (p, support) in about {
            let over_kept = support.iter().all(|&v| hybrid.is_kept(v));
            if over_kept && !hybrid.definitions.contains_key(&p.var) {
                let bits =
                    hybrid.functions.bits(terms, &mut self.diagrams, &self.budget, &[p.formula], &[])?;
                let function = bits.and_then(|words| words.into_iter().flatten().next());
                hybrid.definitions.extend(function.map(|f| (p.var, f)));
            }
            if !over_kept || !hybrid.definitions.contains_key(&p.var) {
                rest.push(p);
            }
        }
        let in_use = |p: &Predicate| rest.contains(p);
        hybrid.clusters = clusters.into_iter().filter_map(|c| c.restricted(in_use)).collect();
        Ok(hybrid.kept.iter().flat_map(|k| k.bits.iter().copied()).chain(rest).collect())
    }

    /// Keeps a variable: its bits are predicates from now on.
    fn keep(
        &mut self,
        terms: &mut Terms,
        hybrid: &mut Hybrid<'_>,
        variable: Term,
    ) -> Result<(), Interrupted> {
        let point = hybrid.registers.running();
        let width = bits_of(terms, variable).unwrap_or(0);
        let mut bits = Vec::with_capacity(width);
        for i in 0..width as u32 {
            let formula = match terms.sort(variable) {
                Sort::Bool => variable,
                _ => crate::refine::bit(terms, variable, i, true),
            };
            let p = self.predicates.get(&mut self.diagrams, point, formula)?;
            self.primed(p.var)?;
            hybrid.functions.stand_for(variable, i, p.var);
            bits.push(p);
        }
        hybrid.kept.push(Kept { variable, bits });
        Ok(())
    }

    /// Whether the abstract model tells the value of a formula at a point: it is a predicate, or over kept variables alone.
    pub(crate) fn expresses(&self, terms: &Terms, point: Point, formula: Term) -> bool {
        let over_kept = |hybrid: &Hybrid<'_>| {
            hybrid.registers.running() == point
                && hybrid.support(terms, formula).into_iter().all(|v| hybrid.is_kept(v))
        };
        self.predicates.at(point).iter().any(|p| p.formula == formula)
            || self.hybrid.as_ref().is_some_and(over_kept)
    }

    /// What a formula predicate that is not in use means in terms of what is kept.
    pub(crate) fn definition(&self, var: BddVar) -> Option<Bdd> {
        self.hybrid.as_ref()?.definitions.get(&var).cloned()
    }

    /// The predicates in use at the end of a step that queries have to tell about: all but the variable predicates of what the
    /// [parts](Abstraction::hybrid_parts) tell about.
    pub(crate) fn queried_targets(&self, step: StepId) -> Vec<Predicate> {
        let to = self.system.steps()[step.index()].to;
        let in_use = self.predicates.at(to).iter().copied();
        match self.hybrid.as_ref().filter(|hybrid| hybrid.registers.running() == to) {
            Some(hybrid) => {
                let told = hybrid.kept.iter().filter(|k| !hybrid.opaque.contains(&(step, k.variable)));
                let told: FxHashSet<BddVar> = told.flat_map(|k| k.bits.iter().map(|p| p.var)).collect();
                in_use.filter(|p| !told.contains(&p.var)).collect()
            }
            None => in_use.collect(),
        }
    }

    /// The parts of a step's relation that the hybrid model has without queries: `R'_v` of the kept variables (3.2), what the
    /// step requires, and correlations before and after it (3.3, 3.4).
    pub(crate) fn hybrid_parts(&mut self, terms: &mut Terms, step: StepId) -> Result<Vec<Bdd>, Interrupted> {
        let Some(mut hybrid) = self.hybrid.take() else { return Ok(Vec::new()) };
        let precision = self.predicates.at(hybrid.registers.running()).clone();
        let known = hybrid.parts.get(&step).filter(|(with, _)| Rc::ptr_eq(with, &precision));
        let result = match known {
            Some((_, parts)) => Ok(parts.clone()),
            None => self.parts_of(terms, &mut hybrid, step),
        };
        if let Ok(parts) = &result {
            hybrid.parts.insert(step, (precision, parts.clone()));
        }
        self.hybrid = Some(hybrid);
        result
    }

    fn parts_of(
        &mut self,
        terms: &mut Terms,
        hybrid: &mut Hybrid<'_>,
        step: StepId,
    ) -> Result<Vec<Bdd>, Interrupted> {
        let ends = self.system.steps()[step.index()];
        let running = hybrid.registers.running();
        let mut parts = self.functions_of(terms, hybrid, step)?;
        let correlated = self.correlations(terms, hybrid)?;
        if ends.to == running {
            for part in &correlated.consistent {
                parts.push(self.prime(part, running)?);
            }
        }
        if ends.from == running {
            parts.extend(correlated.consistent);
            parts.extend(correlated.definitions);
        }
        Ok(parts)
    }

    /// The variables of a step's parts that are of no state at its ends: inputs, and if the step starts elsewhere, the state
    /// before it.
    pub(crate) fn hybrid_inputs(&self, step: StepId) -> Vec<BddVar> {
        let Some(hybrid) = &self.hybrid else { return Vec::new() };
        let running = hybrid.registers.running();
        let mut inputs = hybrid.functions.inputs();
        if self.system.steps()[step.index()].from != running {
            inputs.extend(self.predicates.at(running).iter().map(|p| p.var));
        }
        inputs
    }
}

#[cfg(test)]
mod tests;
