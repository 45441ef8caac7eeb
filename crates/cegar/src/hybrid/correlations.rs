//! How the variables of the abstract model hang together: \[CTL\] sections 3.3 and 3.4.
//!
//! A predicate that is mostly about kept variables, or about what these read, has its definition in the abstract model, as
//! an invariant: the model checker draws the conclusions. What else it is about becomes inputs. And the values that the
//! predicates of a cluster can have together, `g(c)`, are an invariant too: found by diagrams, `∃ v(c). ⋀ P_j = B_j` (Eq. 10),
//! or by the solver, as the strongest combination of the predicates that always holds (Eq. 11).

use super::clusters::Cluster;
use super::functions::Functional;
use super::{Hybrid, bits_of};
use crate::abstraction::Abstraction;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tamis_diagram::{Bdd, BddVar, Diagrams};
use tamis_logic::{Term, Terms};
use tamis_paq::{AllSat, Context, Engine, Interrupted, MaxCube, Predicate};
use tamis_solver::{Budget, Solver, evaluate};
use tamis_system::System;

/// How the values are found that the predicates of a cluster can have together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CorrelationKind {
    /// By diagrams over the bits of the variables, Eq. 10; by the solver where these grow too large.
    Bdd,
    /// By the solver, Eq. 11.
    Sat,
    /// They are not: the abstract model has all combinations.
    None,
}

/// The values of a cluster with more predicates than this, of which there may be too many to enumerate, are told by
/// implications between pairs alone.
const MAX_ENUMERATED: usize = 12;

/// The most bits of the variables of a cluster over which there are diagrams, and the most nodes of these: comparisons of wider
/// words are faster for the solver.
const MAX_CLUSTER_BITS: usize = 64;
const MAX_CLUSTER_NODES: usize = 1 << 15;

/// Invariants of the abstract model.
pub struct Correlations {
    /// Over its states.
    pub consistent: Vec<Bdd>,
    /// Over its states and inputs.
    pub definitions: Vec<Bdd>,
}

impl<S: System> Abstraction<'_, S> {
    /// The correlations of the predicates in use.
    pub(super) fn correlations(
        &mut self,
        terms: &mut Terms,
        hybrid: &mut Hybrid<'_>,
    ) -> Result<Correlations, Interrupted> {
        if hybrid.strategy.correlations == CorrelationKind::None {
            return Ok(Correlations { consistent: Vec::new(), definitions: Vec::new() });
        }
        let mut definitions = Vec::new();
        for p in hybrid.formulas() {
            if hybrid.is_mostly_known(terms, p.formula) {
                let function =
                    hybrid.functions.bits(terms, &mut self.diagrams, &self.budget, &[p.formula], &[])?;
                for function in function.into_iter().flatten().flatten() {
                    definitions.push(self.diagrams.iff(&self.diagrams.var(p.var), &function)?);
                }
            }
        }
        let mut consistent = Vec::new();
        for cluster in hybrid.clusters.iter().filter(|c| c.predicates.len() > 1) {
            let key: Vec<BddVar> = cluster.predicates.iter().map(|p| p.var).collect();
            let known = match hybrid.consistent.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let kind = hybrid.strategy.correlations;
                    let found = consistent_states(terms, &mut self.diagrams, &self.budget, cluster, kind)?;
                    hybrid.consistent.insert(key, found.clone());
                    found
                }
            };
            consistent.push(known);
        }
        Ok(Correlations { consistent, definitions })
    }
}

impl Hybrid<'_> {
    /// Whether most of a formula's support is kept, or read by what is kept, and the rest is little (3.3).
    fn is_mostly_known(&self, terms: &Terms, formula: Term) -> bool {
        let (mut known, mut all, mut new) = (0, 0, 0);
        for v in terms.free_vars(formula) {
            let Some(bits) = bits_of(terms, v) else { return false };
            all += bits;
            if self.is_kept(v) || self.functions.is_input(v) {
                known += bits;
            } else {
                new += bits;
            }
        }
        all > 0
            && new <= self.strategy.max_inputs
            && known as f64 >= self.strategy.known_share * all as f64
            && terms.free_vars(formula).into_iter().any(|v| self.is_kept(v))
    }
}

/// `g(c)`: the consistent abstract states over a cluster.
fn consistent_states(
    terms: &mut Terms,
    diagrams: &mut Diagrams,
    budget: &Budget,
    cluster: &Cluster,
    kind: CorrelationKind,
) -> Result<Bdd, Interrupted> {
    if kind == CorrelationKind::Bdd
        && let Some(found) = by_diagrams(terms, diagrams, budget, cluster)?
    {
        return Ok(found);
    }
    by_solver(terms, diagrams, budget, &cluster.predicates)
}

/// Eq. 10, in a manager of its own; `None` if that takes too many nodes, or not all variables are of finite domain.
pub(super) fn by_diagrams(
    terms: &Terms,
    diagrams: &Diagrams,
    budget: &Budget,
    cluster: &Cluster,
) -> Result<Option<Bdd>, Interrupted> {
    if cluster.bits(terms).is_none_or(|bits| bits > MAX_CLUSTER_BITS) {
        return Ok(None);
    }
    let mut own = Diagrams::new(MAX_CLUSTER_NODES);
    let attempt = |own: &mut Diagrams| -> Result<Option<Bdd>, Interrupted> {
        let mut abstract_variables = Vec::with_capacity(cluster.predicates.len());
        for _ in &cluster.predicates {
            abstract_variables.push(own.new_var()?);
        }
        let formulas: Vec<Term> = cluster.predicates.iter().map(|p| p.formula).collect();
        let mut variables: FxHashMap<(Term, u32), BddVar> = FxHashMap::default();
        // The bits of words are interleaved, since predicates compare words.
        let words: Vec<(Term, usize)> =
            terms.free_vars_of(&formulas).into_iter().filter_map(|v| Some((v, bits_of(terms, v)?))).collect();
        for bit in (0..words.iter().map(|&(_, width)| width).max().unwrap_or(0)).rev() {
            for &(v, _) in words.iter().filter(|&&(_, width)| bit < width) {
                variables.insert((v, bit as u32), own.new_var()?);
            }
        }
        let quantified: Vec<BddVar> = variables.values().copied().collect();
        let Some(functions) =
            evaluate(terms, &formulas, budget, &mut Functional::unbounded(own, &variables))?
        else {
            return Ok(None);
        };
        let mut states = own.tru();
        for (&b, function) in abstract_variables.iter().zip(functions.into_iter().flatten()) {
            states = own.and(&states, &own.iff(&own.var(b), &function)?)?;
        }
        let states = own.exists(&states, &quantified)?;
        Ok(Some(diagrams.transfer(own, &states, |v| {
            let at = abstract_variables.iter().position(|&b| b == v).unwrap_or(0);
            cluster.predicates[at].var
        })?))
    };
    match attempt(&mut own) {
        Err(Interrupted::OutOfNodes) => Ok(None),
        result => result,
    }
}

/// Eq. 11: the strongest combination of the predicates that `true` implies. A conjunction of all disjunctions that hold is
/// that, and enumeration finds it without trying them all; for many predicates disjunctions of two are tried.
pub(super) fn by_solver(
    terms: &mut Terms,
    diagrams: &mut Diagrams,
    budget: &Budget,
    predicates: &[Predicate],
) -> Result<Bdd, Interrupted> {
    let engine: &dyn Engine = if predicates.len() <= MAX_ENUMERATED { &AllSat } else { &MaxCube { size: 2 } };
    let mut solver = Solver::new(budget);
    let mut context = Context { terms, diagrams, solver: &mut solver, formula: &[] };
    Ok(engine.abstraction(&mut context, &[], predicates)?.function)
}
